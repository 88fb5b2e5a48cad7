//! What a test of `JUnit` shows.

use std::fmt::Write as _;

use flipside_core::summary::{AskStatus, CaseSummary};

use super::{attribute, text};
use crate::pair::{Pair, PairSays};
use crate::wording;

/// What a test shows: with its type, a message of one line, and the whole text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Status {
    Success,
    Failure(&'static str, String, String),
    Error(&'static str, String, String),
    Skipped(&'static str),
}

impl Status {
    /// The element that says it.
    pub(super) fn element(&self) -> Option<&'static str> {
        match self {
            Self::Success => None,
            Self::Failure(..) => Some("failure"),
            Self::Error(..) => Some("error"),
            Self::Skipped(_) => Some("skipped"),
        }
    }

    /// Ends the test's tag that was begun.
    pub(super) fn write(&self, out: &mut String) {
        let Some(element) = self.element() else {
            *out += "/>\n";
            return;
        };
        *out += ">\n      <";
        *out += element;
        match self {
            Self::Success => {}
            Self::Skipped(message) => {
                attribute("message", message, out);
                *out += "/>";
            }
            Self::Failure(kind, message, whole) | Self::Error(kind, message, whole) => {
                attribute("type", kind, out);
                attribute("message", message, out);
                out.push('>');
                text(whole, out);
                let _ = write!(out, "</{element}>");
            }
        }
        *out += "\n    </testcase>\n";
    }
}

/// What a case shows on an axis: the gravest that any of its pairs says.
pub(super) fn of_pairs(case: &CaseSummary, found: &[Pair<'_>]) -> Status {
    let says = |says: PairSays| found.iter().any(|pair| pair.outcome == says);
    let told = |says: PairSays, line: &dyn Fn(&Pair<'_>) -> String| {
        let of = found.iter().filter(|pair| pair.outcome == says);
        let mut lines: Vec<String> = of.map(line).collect();
        // Every pair of a case lacks a baseline that failed.
        lines.dedup();
        let place = format!("{}:{}", wording::foreign(&case.file), case.line);
        let first = lines.first().cloned().unwrap_or_default();
        (first, format!("{}\n{place}", lines.join("\n")))
    };
    let flip = |pair: &Pair<'_>| wording::flip(pair.case, pair.own, pair.variant);
    if says(PairSays::Flip) {
        let (first, whole) = told(PairSays::Flip, &flip);
        Status::Failure("flip", first, whole)
    } else if says(PairSays::Missing) {
        let (first, whole) = told(PairSays::Missing, &lost);
        Status::Error("missing", first, whole)
    } else if says(PairSays::Unasked) {
        Status::Skipped("not asked")
    } else if says(PairSays::Same) {
        Status::Success
    } else if says(PairSays::NoDecision) {
        Status::Skipped("neither answer decided")
    } else if says(PairSays::LeftOut) {
        Status::Skipped("the choice itself was left out")
    } else {
        Status::Skipped("the change changes nothing in this case")
    }
}

/// Why a pair is missing.
fn lost(pair: &Pair<'_>) -> String {
    let failed = [pair.own, pair.variant]
        .into_iter()
        .find(|ask| ask.status == AskStatus::Failed);
    if let Some(ask) = failed {
        let kind = ask.failed.map_or("failed", wording::failed);
        let found = wording::foreign(ask.failure.as_deref().unwrap_or_default());
        format!("{}: {kind}: {found}", wording::asked_as(ask))
    } else {
        let name = wording::asked_as(pair.variant);
        format!("{name}: text that cannot be read, or another model served it")
    }
}
