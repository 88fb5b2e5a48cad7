//! What stands behind pairs of recorded answers, and what weakens them.

use flipside_core::perturb::Axis;
use flipside_core::summary::{RecordedPairs, Summary};

use super::layout::Row;
use crate::wording;

/// The head of a report over recorded answers, in place of what was asked.
pub(super) fn head(summary: &Summary, pairs: &RecordedPairs) -> Vec<Row> {
    let mut rows = vec![Row::new(["recorded"]).text(wording::recorded(summary, pairs))];
    let more = [
        ("left out", wording::not_paired(pairs)),
        ("but", wording::lost(pairs)),
    ];
    for (name, text) in more {
        rows.extend(text.map(|text| Row::new([name]).text(text)));
    }
    rows
}

/// What also differs within the pairs of `axis`, beneath its flips.
pub(super) fn beneath(summary: &Summary, axis: &str) -> Vec<Row> {
    let pairs = summary.recorded_pairs.as_ref();
    let also = pairs
        .zip(Axis::parse(axis))
        .map(|(pairs, axis)| wording::also(pairs, axis));
    let also = also.into_iter().flatten();
    also.map(|(what, text)| Row::new(["also", what]).text(text))
        .collect()
}

/// That no position is told, where no order is on record.
pub(super) fn no_position(summary: &Summary) -> Option<Row> {
    let text = wording::no_position(summary.recorded_pairs.as_ref()?)?;
    Some(Row::new(["position"]).text(text))
}
