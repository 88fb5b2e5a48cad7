//! The order study below the answer: a column per model.

use flipside_core::invariance::Invariance;

use super::text::{cell, escaped, row};
use crate::wording::{study, study_statement};

/// The study of `models`, which were asked the same cases.
pub fn render_invariance(models: &[Invariance]) -> String {
    let names = models.iter().map(|model| {
        let digest = model.digest.as_deref().and_then(|digest| digest.get(..12));
        match digest {
            Some(digest) => format!("{} `{digest}`", cell(&model.model)),
            None => cell(&model.model),
        }
    });
    let header: Vec<String> = std::iter::once(String::new()).chain(names).collect();
    let mut out = row(&header);
    out += &row(&vec!["---".to_owned(); header.len()]);
    for line in study(models) {
        let name = cell(line.name.trim_start());
        let cells: Vec<String> = if line.cells.is_empty() {
            std::iter::once(format!("**{name}**"))
                .chain(models.iter().map(|_| String::new()))
                .collect()
        } else {
            std::iter::once(name)
                .chain(line.cells.iter().map(|text| cell(text)))
                .collect()
        };
        out += &row(&cells);
    }
    for model in models {
        let said = escaped(&study_statement(model));
        out += "
";
        out += &cell(&model.model);
        out += ": ";
        out += &said;
        out += ".
";
    }
    out
}
