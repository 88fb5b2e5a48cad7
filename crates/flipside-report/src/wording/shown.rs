//! Single answers, and what changed between two.

use std::fmt::Write;

use flipside_core::answer::Declined;
use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::order::OptionId;
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskSummary, CaseSummary};

use super::axis::variant;
use super::number::{ordinal, probability};

/// The most characters of a key in a sentence.
const KEY: usize = 60;

/// An answer, where it was shown, its probability, and whether it is right: `refund 1st 0.62 ✓`. Keys are cut to `limit` characters.
pub fn answer(case: &CaseSummary, ask: &AskSummary, limit: usize) -> String {
    let Some((id, key)) = ask.choice.zip(ask.key.as_deref()) else {
        return match ask.declined {
            Some(Declined::Refusal) => "no decision (refusal)".to_owned(),
            Some(Declined::Abstention) => "no decision (abstention)".to_owned(),
            Some(Declined::Unreadable) => "no decision (unreadable)".to_owned(),
            None => "no decision".to_owned(),
        };
    };
    let mut out = chosen(case, id, key, limit);
    // Under another key in another place nothing else says which option it is.
    let own = case.keys.get(id.index());
    let lost = own.is_some_and(|own| **own != *key) && !ask.order.is_own();
    if case.question != QuestionKind::Score && (case.keys_stay || lost) {
        let _ = write!(out, " (option {})", u32::from(id.0) + 1);
    }
    // Without an order on record it stood nowhere.
    let place = ask.order.position_of(id).filter(|_| !case.unlisted);
    if let Some(place) = place {
        let _ = write!(out, " {}", ordinal(place.index() as u64 + 1));
    }
    let reported = ask.probabilities.as_ref();
    if let Some(p) = reported.and_then(|all| all.get(id.index())) {
        let _ = write!(out, " {}", probability(*p));
    }
    match ask.ok {
        Some(true) => out + " ✓",
        Some(false) => out + " ✗",
        None => out,
    }
}

/// The chosen option as it was shown.
fn chosen(case: &CaseSummary, id: OptionId, key: &str, limit: usize) -> String {
    match key {
        _ if case.question == QuestionKind::Score => format!("level {}", id.0),
        blank if blank.trim().is_empty() => format!("\"{}\"", Foreign(blank).cut(limit)),
        key => Foreign(key).cut(limit),
    }
}

/// The name of what an ask changed: `reverse`, `keys/abstract`, `same:1`; `own order` for nothing.
pub fn asked_as(ask: &AskSummary) -> String {
    match ask.axis {
        Axis::Baseline => "own order".to_owned(),
        Axis::Same => format!("same:{}", ask.variant),
        axis => variant(axis.name(), &ask.variant),
    }
}

/// Which of two answers is right: `own`, `variant`, `both`, `neither` or `unlabelled`.
pub fn who_is_right(own: &AskSummary, changed: &AskSummary) -> &'static str {
    match (own.ok, changed.ok) {
        (Some(true), Some(true)) => "both",
        (Some(true), _) => "own",
        (_, Some(true)) => "variant",
        (Some(false), Some(false)) => "neither",
        _ => "unlabelled",
    }
}

/// A flip as a sentence: `reverse: from refund 1st 0.62 ✓ to deny 1st 0.55 ✗`.
pub fn flip(case: &CaseSummary, own: &AskSummary, changed: &AskSummary) -> String {
    let tie = if own.tied || changed.tied {
        ", within a tie"
    } else {
        ""
    };
    format!(
        "{}: from {} to {}{tie}",
        asked_as(changed),
        answer(case, own, KEY),
        answer(case, changed, KEY)
    )
}
