//! What a browser run shows of decisions that cannot be asked again.

use flipside_core::recorded::Margins;

use super::layout::{self, Row};
use crate::style::Style;
use crate::wording;

/// The lines about `found`: what is on record, how close the decisions were, where the chosen targets stood.
pub fn render_margins(found: &Margins, style: &Style) -> String {
    let told = [
        ("ticks", Some(wording::ticks(found))),
        ("margin", wording::margin(found)),
        ("place", wording::places(found, style.verbose)),
        ("unknown", wording::unknown_targets(found)),
        ("reask", Some(wording::not_asked_again().to_owned())),
    ];
    let rows: Vec<Row> = told
        .into_iter()
        .filter_map(|(name, text)| Some(Row::new([name]).text(text?)))
        .collect();
    layout::rows(&rows, style)
}
