//! Plain text, read strictly.

use flipside_core::answer::{Answer, Declined, Readout, ReadoutKind};
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::present::{Presentation, Shown};

use super::letters::Letters;
use super::show::{described, keyed, line, whole};
use super::template::Template;

/// The answer that `text` is to `shown`: an option's letter, also as `A)` or `A.`, its key, its text, both or its whole line as
/// shown, or one JSON object whose `answer` is one of these.
///
/// A key that `template` does not show names its option only where nothing that is shown fits. Anything else, and what fits two options, is [`Declined::Unreadable`]: no figure takes it for a decision.
pub(super) fn read(
    template: &Template,
    shown: &Presentation<'_>,
    letters: &Letters,
    text: &str,
) -> Answer {
    let text = after_reasoning(text).trim();
    let find = |text: &str| find(template, shown, letters, text);
    let found = find(text).or_else(|| find(in_object(text)?.trim()));
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
fn find(
    template: &Template,
    shown: &Presentation<'_>,
    letters: &Letters,
    text: &str,
) -> Option<OptionId> {
    let letter = match text.as_bytes() {
        [letter] | [letter, b')' | b'.'] if letter.is_ascii_alphabetic() => {
            letters.position(*letter)
        }
        _ => None,
    };
    let visible = |option: &Shown<'_>| {
        letter == Some(option.position.index())
            || (keyed(template, shown, option) && option.key.0 == text)
            || described(option).is_some_and(|described| described.trim() == text)
            || whole(shown, option).trim() == text
            || line(template, shown, Some(letters), option).trim() == text
    };
    let named: Vec<Shown<'_>> = shown.options().filter(visible).collect();
    match named[..] {
        [] => shown.at_key(text).map(|option| option.id),
        [one] => Some(one.id),
        _ => None,
    }
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
