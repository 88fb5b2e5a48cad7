//! What all orders asked show together.

use flipside_core::summary::Summary;

use super::layout::Row;
use crate::style::Style;
use crate::wording::{self, Told};

/// Two lines beside those of single orders, where there are several: the disagreement over all pairs, and the any-flip share.
///
/// They have different denominators and never share a line.
pub(super) fn rows(summary: &Summary) -> Vec<Row> {
    let Some(orders) = &summary.orders else {
        return Vec::new();
    };
    let pairs = wording::all_pairs(orders).map(|told| row("order", &told));
    let flips = wording::any_flip(orders)
        .map(|(told, bound)| Row::new(["order", &told.name, &told.value, &bound]).text(told.rest));
    pairs.into_iter().chain(flips).collect()
}

/// Every figure across orders, a line each, with `--verbose`.
pub(super) fn in_full(summary: &Summary, style: &Style) -> Vec<Row> {
    if !style.verbose {
        return Vec::new();
    }
    let orders = summary.orders.iter();
    let told = orders.flat_map(|orders| wording::across_orders(orders));
    told.map(|told| row("orders", &told)).collect()
}

fn row(subject: &str, told: &Told) -> Row {
    Row::new([subject, &told.name, &told.value]).text(told.rest.clone())
}
