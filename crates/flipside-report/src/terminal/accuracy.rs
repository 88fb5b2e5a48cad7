//! Accuracy per variant, apart from flips.

use flipside_core::perturb::Axis;
use flipside_core::summary::{Accuracy, Line, Summary};

use super::axes::{cut, few};
use super::layout::Row;
use crate::style::Style;
use crate::wording::{count, mcnemar, more_axes, variant};

/// Accuracy under one variant.
struct Told<'a> {
    axis: &'a str,
    name: &'a str,
    /// Answers that became right or wrong.
    moved: u64,
    accuracy: &'a Accuracy,
}

/// One row per variant where cases are labelled.
///
/// Without `--verbose` only where right and wrong answers changed places, and beside the orders only of the few axes under
/// which most did, each with its worst variant.
pub(super) fn rows(summary: &Summary, style: &Style) -> Vec<Row> {
    let (mut orders, mut others) = (Vec::new(), Vec::new());
    for (axis, lines) in &summary.axes {
        let order = axis == Axis::Order.name();
        let lines = if order {
            cut(summary, axis, lines.iter().collect(), style).0
        } else {
            lines.iter().collect()
        };
        let told = lines
            .into_iter()
            .filter_map(|(name, line)| told(axis, name, line));
        let told = told.filter(|told| style.verbose || told.moved > 0);
        if order {
            orders.extend(told);
        } else if style.verbose {
            others.extend(told);
        } else {
            // The first of equals.
            others.extend(told.reduce(|worst, next| {
                if next.moved > worst.moved {
                    next
                } else {
                    worst
                }
            }));
        }
    }
    let more = if style.verbose {
        0
    } else {
        few(&mut others, |told| told.moved)
    };
    let mut rows: Vec<Row> = orders.iter().chain(&others).map(row).collect();
    rows.extend(more_axes(more).map(|text| Row::new(["accuracy"]).text(text)));
    rows
}

fn told<'a>(axis: &'a str, name: &'a str, line: &'a Line) -> Option<Told<'a>> {
    Some(Told {
        axis,
        name,
        moved: line.transitions.harmful + line.transitions.repairing,
        accuracy: line.accuracy.as_ref()?,
    })
}

fn row(told: &Told<'_>) -> Row {
    let accuracy = told.accuracy;
    let right = |part: u64| format!("{}/{}", count(part), count(accuracy.of));
    let own = if told.axis == Axis::Order.name() {
        "own order"
    } else {
        "as written"
    };
    let cells = [
        "accuracy",
        &variant(told.axis, told.name),
        &format!("{} right", right(accuracy.right)),
        &format!("{own} {}", right(accuracy.own_right)),
    ];
    Row::new(cells).text(mcnemar(accuracy))
}
