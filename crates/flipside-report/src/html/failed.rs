//! Asks without an answer: what they failed of, and how many were not made.

use flipside_core::summary::{AskStatus, AskSummary, CaseSummary, Summary};
use maud::{Markup, html};

use super::chart::{scrolled, table};
use super::document::Shown;
use super::text;
use crate::wording;

/// Rows of the table.
const ROWS: usize = 50;

/// The failed asks of a run, and how many were not made; nothing where all were answered.
pub(super) fn render(run: &Shown<'_>) -> Markup {
    let summary = run.summary;
    let (failed, unasked) = (summary.counts.failed, summary.counts.unasked);
    if failed + unasked == 0 {
        return html! {};
    }
    let all: Vec<(&CaseSummary, &AskSummary)> = asks(summary).collect();
    let rows = html! {
        @for (case, ask) in all.iter().take(ROWS) {
            tr {
                th scope="row" { (text::line(&case.id, 60)) }
                td { (wording::foreign(&wording::asked_as(ask))) }
                td { (ask.failed.map_or("failed", wording::failed)) }
                td { (text::line(ask.failure.as_deref().unwrap_or(""), 300)) }
            }
        }
    };
    html! {
        h3 { (run.title("Missing asks")) }
        p {
            (wording::plural(failed, "ask failed", "asks failed")) ", " (wording::count(unasked))
            @if unasked == 1 { " was not made." } @else { " were not made." }
            " They are in no rate; bounds count them against the model."
            @if all.len() > ROWS { " The table has the first " (ROWS) "; " code { "summary.json" } " has all." }
        }
        @if !all.is_empty() { (scrolled(&run.title("failed asks"), &table(&["case", "ask", "kind", "what was found"], &rows))) }
    }
}

fn asks(summary: &Summary) -> impl Iterator<Item = (&CaseSummary, &AskSummary)> {
    let all = summary
        .cases
        .iter()
        .flat_map(|case| case.asks.iter().map(move |ask| (case, ask)));
    all.filter(|(_, ask)| ask.status == AskStatus::Failed)
}
