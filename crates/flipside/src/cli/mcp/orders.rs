//! What became of each order of one question.

use flipside_core::answer::Declined;
use flipside_core::foreign::Foreign;
use flipside_core::json::Json;
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskStatus, AskSummary, CaseSummary};

use crate::cli::values::{object, text};

/// Every order that was to be asked and what came of it, the given one first; those that were asked once more to confirm a flip
/// follow all others.
pub(super) fn told(case: &CaseSummary) -> Json {
    let told = every(case).map(|(ask, again)| {
        let mut members = vec![("order", text(name(ask))), ("outcome", text(outcome(ask)))];
        let choice = ask.choice.map(|id| &*case.keys[id.index()]);
        members.extend(choice.map(|key| ("choice", text(key))));
        let why = ask.failure.as_deref();
        members.extend(why.map(|why| ("why", text(Foreign(why).to_string()))));
        members.extend(again.then_some(("again", Json::Bool(true))));
        object(members)
    });
    Json::Array(told.collect())
}

/// The orders that gave no choice, in words.
pub(super) fn undecided(case: &CaseSummary) -> Vec<String> {
    let without = every(case).filter(|(ask, _)| ask.choice.is_none());
    let told = without.map(|(ask, again)| {
        let again = if again { " asked once more" } else { "" };
        let why = ask.failure.as_deref();
        let why = why.map_or_else(String::new, |why| format!(": {}", Foreign(why)));
        format!("order `{}`{again} {}{why}", name(ask), outcome(ask))
    });
    told.collect()
}

/// What a model did that did not decide.
pub(super) fn declining(declined: Declined) -> &'static str {
    match declined {
        Declined::Refusal => "refused",
        Declined::Abstention => "abstained",
        Declined::Unreadable => "unreadable",
    }
}

/// Every ask, and whether it confirms a flip.
fn every(case: &CaseSummary) -> impl Iterator<Item = (&AskSummary, bool)> {
    let again = case.asks.iter().filter_map(|ask| ask.again.as_deref());
    let first = case.asks.iter().map(|ask| (ask, false));
    first.chain(again.map(|ask| (ask, true)))
}

fn name(ask: &AskSummary) -> String {
    match ask.axis {
        Axis::Baseline => "given".to_owned(),
        Axis::Order => ask.variant.to_string(),
        other => format!("{}:{}", other.name(), ask.variant),
    }
}

fn outcome(ask: &AskSummary) -> &'static str {
    match (ask.status, ask.declined) {
        (AskStatus::Answered, _) => "answered",
        (AskStatus::Declined, Some(declined)) => declining(declined),
        (AskStatus::Declined, None) => "undecided",
        (AskStatus::Failed, _) => "failed",
        (AskStatus::Unasked, _) => "unasked",
    }
}
