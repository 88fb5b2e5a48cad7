//! Replies: answers in question order, aligned by place and checked by name.

use std::borrow::Cow;

use flipside_core::answer::{
    self, Answer, Declined, QUOTED, Reported, ReportedScore, choice as pick, noul, quoted,
};
use flipside_core::case::{QuestionKind, typed_key};
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::model::Rejection;
use flipside_core::present::Presentation;

use crate::wire::fields::{finite, listed, malformed, object, optional, required};
use crate::wire::systemone::{backend, parsed, served_model, usage};

/// The answer to `shown` in a reply body.
///
/// # Errors
/// [`Rejection::Malformed`] naming the rule that is broken, [`Rejection::Backend`] for a body that is an error,
/// [`Rejection::Unsupported`] for an answer that says so.
pub fn read(shown: &Presentation<'_>, body: &str) -> Result<Answer, Rejection> {
    let reply = parsed(body)?;
    if let Some(error) = reply.get("error").filter(|error| **error != Json::Null) {
        return Err(backend(&reply, error));
    }
    let mut remarks = Vec::new();
    let own = own_answer(shown, &reply, &mut remarks)?;
    let mut answer = one(shown, own)?;
    answer.remarks.append(&mut remarks);
    answer.served_model = served_model(&reply, &mut answer.remarks).map(Into::into);
    answer.usage = usage(&reply, &mut answer.remarks).into();
    Ok(answer)
}

/// V3: an answer for exactly each question asked, in order, under its name. Returns that of the case's own question.
fn own_answer<'r>(
    shown: &Presentation<'_>,
    reply: &'r Object,
    remarks: &mut Vec<String>,
) -> Result<&'r Object, Rejection> {
    let answers = listed(reply, "answers", "the reply")?;
    let question = &shown.case().question;
    let own = std::iter::once(question.name.as_str());
    let before = question.before.iter().map(|(name, _)| name.as_str());
    let after = question.after.iter().map(|(name, _)| name.as_str());
    let names: Vec<&str> = before.chain(own).chain(after).collect();
    if answers.len() != names.len() {
        let rule = if answers.len() < names.len() {
            "answer-missing"
        } else {
            "answer-extra"
        };
        let message = format!(
            "{} answers came for {} questions",
            answers.len(),
            names.len()
        );
        return Err(malformed(rule, message));
    }
    let mut unnamed = false;
    for (place, (answer, name)) in answers.iter().zip(&names).enumerate() {
        match object(answer, "an answer")?.get("name") {
            None | Some(Json::Null) => unnamed = true,
            Some(found) if found.as_str() == Some(*name) => {}
            Some(found) => {
                return Err(malformed(
                    "answer-name",
                    format!(
                        "answer {} is named {}, its question `{}`",
                        place + 1,
                        quoted(found),
                        Foreign(name).cut(QUOTED)
                    ),
                ));
            }
        }
    }
    if unnamed {
        let remark = "the reply does not repeat every question's name; answers were taken in order";
        remarks.push(remark.to_owned());
    }
    object(&answers[question.before.len()], "an answer")
}

fn one(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let kind = shown.case().question.kind;
    let asked = match kind {
        QuestionKind::Choice => "choice",
        QuestionKind::Score => "score",
        QuestionKind::Noul => "predicate",
    };
    match given.get("type").and_then(Json::as_str) {
        Some("refusal") => Ok(Answer {
            declined: Some(Declined::Refusal),
            ..Answer::default()
        }),
        Some("unsupported") => Err(Rejection::Unsupported {
            message: match given.get("reason").and_then(Json::as_str) {
                Some(reason) => Foreign::line(reason),
                None => format!("it answers `unsupported` to a {asked} question"),
            },
        }),
        Some(found) if found == asked => match kind {
            QuestionKind::Choice => choice(shown, given),
            QuestionKind::Score => score(shown, given),
            QuestionKind::Noul => noul(
                shown,
                required(given, "probability")?,
                optional(given, "confidence")?,
            ),
        },
        Some(found) => Err(malformed(
            "answer-type",
            format!(
                "the answer has type `{}`, the question `{asked}`",
                Foreign(found).cut(QUOTED)
            ),
        )),
        None => Err(malformed(
            "answer-type",
            "the answer has no `type`".to_owned(),
        )),
    }
}

fn choice(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let chosen = match given.get("choice") {
        Some(value) => key(shown, value)?,
        None => return Err(malformed("choice", "the answer has no `choice`".to_owned())),
    };
    let probabilities = match given.get("probabilities") {
        None | Some(Json::Null) => None,
        Some(_) => Some(
            listed(given, "probabilities", "the answer")?
                .iter()
                .map(|entry| {
                    let entry = object(entry, "a probability")?;
                    let value = entry.get("value").unwrap_or(&Json::Null);
                    Ok((key(shown, value)?, required(entry, "probability")?))
                })
                .collect::<Result<Vec<_>, Rejection>>()?,
        ),
    };
    let probabilities = probabilities.as_ref().map(|entries| {
        let entries = entries.iter();
        entries.map(|(key, p)| (key.as_ref(), *p)).collect()
    });
    pick(
        shown,
        &Reported {
            choice: Some(&chosen),
            probabilities,
            confidence: optional(given, "confidence")?,
        },
    )
}

/// The key of a value. Values are typed: a string is none of the booleans that were offered, nor the reverse.
fn key<'v>(shown: &Presentation<'_>, value: &'v Json) -> Result<Cow<'v, str>, Rejection> {
    let found = match value {
        Json::String(text) if !shown.case().brought.typed_keys => Some(Cow::Borrowed(&**text)),
        Json::Bool(_) if !shown.case().brought.typed_keys => None,
        _ => typed_key(value).map(Cow::Owned),
    };
    found.ok_or_else(|| {
        let typed = shown.case().brought.typed_keys;
        let offered = if typed {
            "strings and booleans"
        } else {
            "strings"
        };
        let found = quoted(value);
        malformed(
            "choice-value",
            format!("a choice value is {found}, {offered} were offered"),
        )
    })
}

/// Levels by `value`, counted from 0 or from 1, each under the label that was sent.
fn score(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let entries = listed(given, "probabilities", "the answer")?;
    let levels = shown.len();
    if entries.len() != levels {
        let found = entries.len();
        return Err(malformed(
            "score-keys",
            format!("{found} probabilities came for {levels} levels"),
        ));
    }
    let mut read = Vec::with_capacity(levels);
    for entry in entries {
        let entry = object(entry, "a probability")?;
        let value = match entry.get("value") {
            Some(Json::Number(number)) => number.to_u64(),
            _ => None,
        };
        let Some(value) = value.and_then(|value| usize::try_from(value).ok()) else {
            let found = quoted(entry.get("value").unwrap_or(&Json::Null));
            return Err(malformed(
                "score-keys",
                format!("the value of a level is {found}, expected a whole number"),
            ));
        };
        read.push((value, entry));
    }
    let base = read.iter().map(|(value, _)| *value).min().unwrap_or(0);
    let mut probabilities = vec![f64::NAN; levels];
    for (value, entry) in &read {
        let level = shown.options().nth(value - base).filter(|_| base <= 1);
        let Some(level) = level.filter(|_| probabilities[value - base].is_nan()) else {
            return Err(malformed(
                "score-keys",
                format!("the level {value} is unknown or given twice, expected each of {levels}"),
            ));
        };
        let sent = match level.text {
            Some(Json::String(text)) => Cow::Borrowed(text.as_str()),
            Some(other) => Cow::Owned(other.to_text()),
            None => Cow::Borrowed(level.key.0.as_str()),
        };
        let label = entry.get("label").unwrap_or(&Json::Null);
        if label.as_str() != Some(&*sent) {
            return Err(malformed(
                "score-label",
                format!(
                    "level {value} is labelled {}, `{}` was sent",
                    quoted(label),
                    Foreign(&sent).cut(QUOTED)
                ),
            ));
        }
        probabilities[value - base] = required(entry, "probability")?;
    }
    let reported = ReportedScore {
        // The expectation over values moves with them.
        score: required(given, "score")? - finite(base),
        probabilities,
        confidence: optional(given, "confidence")?,
    };
    answer::score(shown, &reported)
}
