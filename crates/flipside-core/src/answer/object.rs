//! One System One answer object: the rules V4 to V12 of the wire page, 8, as far as they concern JSON.

use super::choice::{Reported, choice as pick};
use super::distribution::malformed;
use super::kinds::{Answer, Declined};
use super::score::{ReportedScore, noul, score as scored};
use crate::case::QuestionKind;
use crate::foreign::Foreign;
use crate::json::{Json, Object};
use crate::model::Rejection;
use crate::present::Presentation;

/// Characters of a foreign value that a message quotes.
pub const QUOTED: usize = 40;

/// The answer that the object `given` is to `shown`: V4, and what each type holds.
///
/// # Errors
/// [`Rejection::Malformed`] naming the rule that is broken, [`Rejection::Unsupported`] for an answer that says so.
pub fn object(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let kind = shown.case().question.kind;
    let found = match given.get("type") {
        Some(Json::String(found)) => found.as_str(),
        Some(other) => {
            return Err(malformed(
                "answer-type",
                format!("the answer's `type` is {}, expected a string", other.kind()),
            ));
        }
        None => {
            return Err(malformed(
                "answer-type",
                "the answer has no `type`".to_owned(),
            ));
        }
    };
    let declined = |why| {
        Ok(Answer {
            declined: Some(why),
            ..Answer::default()
        })
    };
    match found {
        "refusal" => declined(Declined::Refusal),
        "abstention" => declined(Declined::Abstention),
        "unsupported" => Err(Rejection::Unsupported {
            message: match given.get("reason").and_then(Json::as_str) {
                Some(reason) => Foreign::line(reason),
                None => format!("it answers `unsupported` to a {} question", kind.name()),
            },
        }),
        found if found == kind.name() => match kind {
            QuestionKind::Choice => choice(shown, given),
            QuestionKind::Score => score(shown, given),
            QuestionKind::Noul => noul(
                shown,
                required(given, "noul")?,
                optional(given, "confidence")?,
            ),
        },
        found => Err(malformed(
            "answer-type",
            format!(
                "the answer has type `{}`, the question `{}`",
                Foreign(found).cut(QUOTED),
                kind.name()
            ),
        )),
    }
}

fn choice(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let chosen = match given.get("choice") {
        Some(Json::String(chosen)) => chosen.as_str(),
        Some(other) => {
            return Err(malformed(
                "choice",
                format!("`choice` is {}, expected a string", quoted(other)),
            ));
        }
        None => return Err(malformed("choice", "the answer has no `choice`".to_owned())),
    };
    let probabilities = match given.get("probabilities") {
        None | Some(Json::Null) => None,
        Some(Json::Object(probabilities)) => Some(
            probabilities
                .members()
                .iter()
                .map(|(key, value)| {
                    Ok((
                        key.as_str(),
                        number(value, || format!("the probability of `{}`", Foreign(key)))?,
                    ))
                })
                .collect::<Result<Vec<_>, Rejection>>()?,
        ),
        Some(other) => return Err(no_object("probabilities", other)),
    };
    let confidence = optional(given, "confidence")?;
    pick(
        shown,
        &Reported {
            choice: Some(chosen),
            probabilities,
            confidence,
        },
    )
}

/// V11: levels are named `"0"` to `"n-1"` in the order that was sent.
fn score(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    legend(shown, given)?;
    let levels = shown.len();
    let mut probabilities = vec![f64::NAN; levels];
    match given.get("probabilities") {
        Some(Json::Object(members)) => {
            for (key, value) in members.members() {
                let Some(level) = level(key, levels) else {
                    return Err(no_level("probabilities", key, levels));
                };
                probabilities[level] =
                    number(value, || format!("the probability of level {level}"))?;
            }
        }
        Some(other) => return Err(no_object("probabilities", other)),
        None => {
            return Err(malformed(
                "score-keys",
                "the score has no `probabilities`".to_owned(),
            ));
        }
    }
    every_level(&probabilities)?;
    let reported = ReportedScore {
        score: required(given, "score")?,
        probabilities,
        confidence: optional(given, "confidence")?,
    };
    scored(shown, &reported)
}

/// The legend, where there is one, repeats the levels that were sent. Structured levels may come back rendered.
fn legend(shown: &Presentation<'_>, given: &Object) -> Result<(), Rejection> {
    let levels = shown.len();
    let entries: Vec<(usize, &Json)> = match given.get("legend") {
        None | Some(Json::Null) => return Ok(()),
        Some(Json::Array(items)) => items.iter().enumerate().collect(),
        Some(Json::Object(members)) => members
            .members()
            .iter()
            .map(|(key, text)| {
                Ok((
                    level(key, levels).ok_or_else(|| no_level("legend", key, levels))?,
                    text,
                ))
            })
            .collect::<Result<_, Rejection>>()?,
        Some(other) => return Err(no_object("legend", other)),
    };
    if entries.len() != levels {
        return Err(malformed(
            "score-legend",
            format!(
                "the legend has {} levels, {levels} were sent",
                entries.len()
            ),
        ));
    }
    for (level, found) in entries {
        let sent = shown
            .options()
            .nth(level)
            .map(|sent| (sent.text, sent.key.0.as_str()));
        let sent = match sent {
            Some((Some(Json::String(text)), _)) => text.as_str(),
            Some((None, key)) => key,
            _ => continue,
        };
        if found.as_str() != Some(sent) {
            return Err(malformed(
                "score-legend",
                format!(
                    "level {level} is {} in the legend, `{}` was sent",
                    quoted(found),
                    Foreign(sent).cut(QUOTED)
                ),
            ));
        }
    }
    Ok(())
}

fn level(key: &str, levels: usize) -> Option<usize> {
    let level: usize = key.parse().ok()?;
    (level < levels && level.to_string() == key).then_some(level)
}

fn no_level(member: &str, key: &str, levels: usize) -> Rejection {
    let last = levels.saturating_sub(1);
    let key = Foreign(key).cut(QUOTED);
    malformed(
        "score-keys",
        format!("`{member}` has the level `{key}`, expected \"0\" to \"{last}\""),
    )
}

fn no_object(member: &str, found: &Json) -> Rejection {
    malformed(
        "answer-shape",
        format!("`{member}` is {}, expected an object", quoted(found)),
    )
}

/// V5: a number that is one, not a text that looks like one.
fn number(value: &Json, what: impl Fn() -> String) -> Result<f64, Rejection> {
    match value {
        Json::Number(number) => number.to_f64().ok_or_else(|| {
            malformed(
                "number",
                format!("{} is {}, which is too large", what(), number.as_str()),
            )
        }),
        other => Err(malformed(
            "number",
            format!("{} is {}, expected a number", what(), quoted(other)),
        )),
    }
}

fn required(given: &Object, member: &str) -> Result<f64, Rejection> {
    match given.get(member) {
        Some(value) => number(value, || format!("`{member}`")),
        None => Err(malformed("number", format!("the answer has no `{member}`"))),
    }
}

fn optional(given: &Object, member: &str) -> Result<Option<f64>, Rejection> {
    match given.get(member) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => number(value, || format!("`{member}`")).map(Some),
    }
}

/// V11: every level has a probability; one that was not given is NaN.
///
/// # Errors
/// [`Rejection::Malformed`] naming the first level without one.
pub fn every_level(probabilities: &[f64]) -> Result<(), Rejection> {
    match probabilities.iter().position(|p| p.is_nan()) {
        None => Ok(()),
        Some(missing) => Err(malformed(
            "score-keys",
            format!("no probability for level \"{missing}\""),
        )),
    }
}

/// A foreign value in a message: what it is, and as much of it as fits.
pub fn quoted(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::String(text) => format!("the string `{}`", Foreign(text).cut(QUOTED)),
        Json::Array(_) | Json::Object(_) => value.kind().to_owned(),
        Json::Bool(_) | Json::Number(_) => Foreign(&value.to_text()).cut(QUOTED),
    }
}
