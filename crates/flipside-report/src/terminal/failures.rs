//! Failed asks by kind.

use std::collections::BTreeMap;

use flipside_core::record::FailedKind;
use flipside_core::summary::{AskSummary, CaseSummary, Summary};

use super::layout::{self, Row};
use crate::style::Style;
use crate::wording;

/// Failed asks by kind, one example each; empty without a failed ask.
pub(super) fn render(summary: &Summary, style: &Style) -> String {
    let mut kinds: BTreeMap<FailedKind, (u64, &CaseSummary, &AskSummary)> = BTreeMap::new();
    for case in &summary.cases {
        for ask in &case.asks {
            let Some(kind) = ask.failed else { continue };
            kinds.entry(kind).or_insert((0, case, ask)).0 += 1;
        }
    }
    if kinds.is_empty() {
        return String::new();
    }
    let rows: Vec<Row> = kinds
        .iter()
        .map(|(kind, (n, case, ask))| {
            let failure = ask
                .failure
                .as_deref()
                .map(|text| format!(": {}", wording::foreign(text)))
                .unwrap_or_default();
            let ask = format!("{}/{}", ask.axis.name(), wording::foreign(&ask.variant));
            let example = format!(
                "such as case `{}`, {ask}{failure}",
                wording::foreign(&case.id)
            );
            Row::new(["failed", &wording::count(*n), wording::failed(*kind)]).text(example)
        })
        .collect();
    layout::rows(&rows, style)
}
