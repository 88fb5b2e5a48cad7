//! Plain text, read strictly.

use flipside_core::answer::{Answer, Declined, Readout, ReadoutKind};
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::present::Presentation;

use super::letters::Letters;
use super::show::{described, whole};

/// The answer that `text` is to `shown`: an option's letter, also as `A)` or `A.`, its key, its text or both as shown, or one JSON
/// object whose `answer` is one of these.
///
/// Anything else, and what fits two options, is [`Declined::Unreadable`]: no figure takes it for a decision.
pub(super) fn read(shown: &Presentation<'_>, letters: &Letters, text: &str) -> Answer {
    let text = after_reasoning(text).trim();
    let found =
        find(shown, letters, text).or_else(|| find(shown, letters, in_object(text)?.trim()));
    Answer {
        choice: found,
        declined: found.is_none().then_some(Declined::Unreadable),
        readout: Some(Box::new(Readout {
            kind: ReadoutKind::Text,
            covered: None,
            log_probabilities: Vec::new(),
            per_byte: Vec::new(),
            bound: None,
        })),
        ..Answer::default()
    }
}

/// The one option that `text` names.
fn find(shown: &Presentation<'_>, letters: &Letters, text: &str) -> Option<OptionId> {
    let letter = match text.as_bytes() {
        [letter] | [letter, b')' | b'.'] if letter.is_ascii_alphabetic() => {
            letters.position(*letter)
        }
        _ => None,
    };
    let mut named = shown.options().filter(|option| {
        letter == Some(option.position.index())
            || option.key.0 == text
            || described(option).is_some_and(|described| described.trim() == text)
            || whole(shown, option) == text
    });
    let first = named.next()?;
    named.next().is_none().then_some(first.id)
}

/// What follows inline reasoning that has an end.
fn after_reasoning(text: &str) -> &str {
    match text
        .trim_start()
        .strip_prefix("<think>")
        .and_then(|rest| rest.split_once("</think>"))
    {
        Some((_, answer)) => answer,
        None => text,
    }
}

/// The `answer` of the one JSON object in `text`.
fn in_object(text: &str) -> Option<String> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    let object = flipside_formats::json::parse(text.get(start..=end)?).ok()?;
    match object.as_object()?.get("answer")? {
        Json::String(answer) => Some(answer.clone()),
        _ => None,
    }
}
