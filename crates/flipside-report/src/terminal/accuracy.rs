//! Accuracy per order, apart from flips.

use flipside_core::summary::Summary;

use super::layout::Row;
use super::lines::cut;
use crate::style::Style;
use crate::wording::{count, mcnemar, name};

/// One row per variant of every axis, where cases are labelled; without `--verbose` only where right and wrong answers changed
/// places.
pub(super) fn rows(summary: &Summary, style: &Style) -> Vec<Row> {
    let mut rows = Vec::new();
    for lines in summary.axes.values() {
        let (shown, _) = cut(summary, lines.iter().collect(), style);
        for (variant, line) in shown {
            let Some(accuracy) = &line.accuracy else {
                continue;
            };
            let moved = line.transitions.harmful + line.transitions.repairing > 0;
            if !moved && !style.verbose {
                continue;
            }
            let right = |part: u64| format!("{}/{}", count(part), count(accuracy.of));
            let variant_right = format!("{} right", right(accuracy.right));
            let own_right = format!("own order {}", right(accuracy.own_right));
            let cells = ["accuracy", &name(variant), &variant_right, &own_right];
            rows.push(Row::new(cells).text(mcnemar(accuracy)));
        }
    }
    rows
}
