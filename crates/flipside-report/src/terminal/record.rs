//! What is on record of the cases, beside what was answered now.

use flipside_core::summary::{CaseSummary, Summary};

use super::flips::WIDE;
use super::layout::Row;
use super::table;
use crate::style::{Style, Tone};
use crate::wording;

/// Where the decisions come from, a line per recording, and which of them are one case.
pub(super) fn recordings(summary: &Summary) -> Vec<Row> {
    let Some(recorded) = &summary.recorded else {
        return Vec::new();
    };
    let mut lines = wording::recordings(recorded);
    lines.extend(wording::merged(&recorded.merged));
    let row = |text| Row::new(["record"]).text(text);
    lines.into_iter().map(row).collect()
}

/// The answers now against those on record.
pub(super) fn row(summary: &Summary) -> Option<Row> {
    let recorded = summary.recorded.as_ref()?;
    // Where the record is the baseline, `fit` says how many of its answers are right.
    let line = recorded.line.as_ref()?;
    let row = Row::new(["record", "own order", &wording::differ(line)]);
    let word = wording::record_word(line);
    Some(
        row.word(word, Tone::Plain)
            .text(wording::record_notes(recorded, line)),
    )
}

/// The cases that are answered otherwise than on record; with `verbose` only, and empty without one.
pub(super) fn details(summary: &Summary, style: &Style) -> String {
    let differing: Vec<&CaseSummary> = (summary.cases.iter())
        .filter(|case| {
            let recorded = case.recorded.as_ref();
            recorded.is_some_and(|recorded| recorded.flip == Some(true))
        })
        .collect();
    if !style.verbose || differing.is_empty() {
        return String::new();
    }
    let cut = |percent: usize| (style.width * percent / 100).clamp(8, 40);
    let row = |case: &&CaseSummary| {
        let (then, now) = (case.recorded.as_deref()?, case.asks.first()?);
        let who = match (then.ok, now.ok) {
            (Some(true), Some(true)) => "both",
            (Some(true), _) => "record",
            (_, Some(true)) => "now",
            (Some(false), Some(false)) => "neither",
            _ => "unlabelled",
        };
        let tie = if then.tied || now.tied { ", tie" } else { "" };
        Some(vec![
            wording::case_name(&case.id, cut(25)),
            wording::answer(case, then, cut(20)),
            wording::answer(case, now, cut(20)),
            format!("{who}{tie}"),
        ])
    };
    let who = if style.width < WIDE {
        "right"
    } else {
        "who is right"
    };
    let header = ["differs from the record", "as recorded", "now", who];
    table::render(&header, differing.iter().filter_map(row).collect(), style)
}
