//! The order study below the answer: a column per model.

use flipside_core::foreign::Foreign;
use flipside_core::invariance::Invariance;

use crate::style::Style;
use crate::terminal::layout::{Row, rows};
use crate::wording::{study, study_statement};

/// The study of `models`, which were asked the same cases.
pub fn render_invariance(models: &[Invariance], style: &Style) -> String {
    let mut out = String::new();
    let table = study(models);
    // Beside each other they are wider than most terminals: one below the other.
    for (column, model) in models.iter().enumerate() {
        if column > 0 {
            out.push('\n');
        }
        out += &Foreign(&model.model).to_string();
        if let Some(digest) = &model.digest {
            out += "  sha256 ";
            out += digest;
        }
        out.push('\n');
        let lines: Vec<Row> = table
            .iter()
            .map(|line| match line.cells.get(column) {
                Some(cell) => Row::new([&format!("  {}", line.name)]).text(cell.clone()),
                None => Row::default().text(format!("  {}", line.name)),
            })
            .collect();
        out += &rows(&lines, style);
        out += &rows(&[Row::default().text(study_statement(model))], style);
    }
    out
}
