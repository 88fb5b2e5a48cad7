//! Answers that somebody wrote down: a key, a level, a side, or a System One answer object, read against what was shown.

use super::choice::{Reported, choice};
use super::kinds::Answer;
use super::object::{QUOTED, object};
use crate::case::QuestionKind;
use crate::foreign::Foreign;
use crate::json::{Json, Object};
use crate::model::Rejection;
use crate::order::OptionId;
use crate::present::Presentation;
use crate::suite::LEVEL;

/// The answer that `given` is to `shown`, by identity.
///
/// - choice: the key as shown;
/// - score: the level's text or name as shown (`L2` of `L2: soon`), or a number, which is its place in the list as shown, from
///   0, as System One counts levels;
/// - noul: `true` or `false`, or the probability that the statement holds;
/// - each: an object as a System One server answers one question, with or without its `type`.
///
/// # Errors
/// [`Rejection`] if it is no answer to `shown`. Nothing is repaired or guessed.
pub fn given(shown: &Presentation<'_>, given: &Json) -> Result<Answer, Rejection> {
    match (shown.case().question.kind, given) {
        (kind, Json::Object(members)) => object(shown, &typed(kind, members)),
        (QuestionKind::Choice, Json::String(key)) => choice(
            shown,
            &Reported {
                choice: Some(key),
                probabilities: None,
                confidence: None,
            },
        ),
        (QuestionKind::Choice, other) => Err(unexpected(other, "a key that was shown")),
        (QuestionKind::Score, level) => score(shown, level),
        (QuestionKind::Noul, side) => noul(shown, side),
    }
}

/// A System One answer with the type of its question, where it does not say its own.
fn typed(kind: QuestionKind, object: &Object) -> Object {
    let mut members = object.members().to_vec();
    if object.get("type").is_none() {
        members.push(("type".to_owned(), Json::String(kind.name().to_owned())));
    }
    Object::new(members).expect("a member that was not there is added")
}

fn chosen(id: OptionId) -> Answer {
    Answer {
        choice: Some(id),
        ..Answer::default()
    }
}

fn score(shown: &Presentation<'_>, given: &Json) -> Result<Answer, Rejection> {
    let place = level(shown, given)?;
    let level = shown.options().nth(place);
    Ok(chosen(level.expect("the place is that of a level").id))
}

/// The place of the level that was given.
fn level(shown: &Presentation<'_>, given: &Json) -> Result<usize, Rejection> {
    let texts: Vec<&str> = shown
        .options()
        .map(|level| {
            level
                .text
                .and_then(Json::as_str)
                .unwrap_or(level.key.0.as_str())
        })
        .collect();
    let named = |wanted: &str| {
        let whole = texts.iter().position(|text| *text == wanted);
        let name = |text: &&str| text.split_once(LEVEL).map(|(name, _)| name) == Some(wanted);
        whole.or_else(|| texts.iter().position(name))
    };
    let expected = "a level as shown, or its place from 0";
    match given {
        Json::String(text) => named(text)
            .or_else(|| numbered(text, texts.len()))
            .ok_or_else(|| not_offered(text)),
        Json::Number(number) => {
            let text = number.as_str();
            let place = numbered(text, texts.len())
                .ok_or_else(|| unexpected(given, "a level's place, a whole number from 0"))?;
            match named(text) {
                Some(other) if other != place => Err(malformed(format!(
                    "the answer is {text}, which is the name of one level and the place of another"
                ))),
                _ => Ok(place),
            }
        }
        other => Err(unexpected(other, expected)),
    }
}

/// A place in plain decimals.
fn numbered(text: &str, levels: usize) -> Option<usize> {
    let place: usize = text.parse().ok()?;
    (place < levels && place.to_string() == text).then_some(place)
}

fn noul(shown: &Presentation<'_>, given: &Json) -> Result<Answer, Rejection> {
    let side = match given {
        Json::Bool(side) => *side,
        Json::String(side) if side == "true" => true,
        Json::String(side) if side == "false" => false,
        Json::Number(number) => {
            let p = number.to_f64().unwrap_or(f64::NAN);
            return super::score::noul(shown, p, None);
        }
        other => return Err(unexpected(other, "`true`, `false` or a probability")),
    };
    let option = shown.at_key(if side { "true" } else { "false" });
    Ok(chosen(option.expect("a noul question has both sides").id))
}

fn malformed(message: String) -> Rejection {
    Rejection::Malformed {
        rule: "given-answer",
        message,
    }
}

fn not_offered(text: &str) -> Rejection {
    let text = Foreign(text).cut(QUOTED);
    malformed(format!(
        "the answer is `{text}`, which is no level as shown"
    ))
}

fn unexpected(found: &Json, expected: &str) -> Rejection {
    let found = found.to_text();
    let found = Foreign(&found).cut(QUOTED);
    malformed(format!("the answer is `{found}`, expected {expected}"))
}
