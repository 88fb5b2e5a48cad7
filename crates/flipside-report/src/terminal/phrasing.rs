//! What all rewordings asked show together.

use flipside_core::summary::Summary;

use super::layout::Row;
use crate::style::Style;
use crate::wording::{self, Told};

/// One line beside those of single rewordings, where cases bring several; with `--verbose` every wording on the cases that were
/// answered in all of them.
pub(super) fn rows(summary: &Summary, style: &Style) -> Vec<Row> {
    let Some(phrasing) = &summary.phrasing else {
        return Vec::new();
    };
    let row = |told: &Told| Row::new(["phrasing", &told.name, &told.value]).text(told.rest.clone());
    let mut rows = Vec::new();
    if let Some(told) = wording::spread(phrasing) {
        rows.push(row(&told));
    } else if let Some((told, bound)) = wording::any_wording(phrasing) {
        let cells = ["phrasing", &told.name, &told.value, &bound];
        rows.push(Row::new(cells).text(told.rest));
    }
    if style.verbose {
        rows.extend(wording::by_wording(phrasing).iter().map(row));
    }
    rows
}
