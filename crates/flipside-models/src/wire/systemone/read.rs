//! Replies: the rules V1 to V14 of `wire.md` 8, as far as they concern JSON; numbers are core's.

use flipside_core::answer::{self, Answer, Declined, Reported, ReportedScore, Usage};
use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::model::Rejection;
use flipside_core::present::Presentation;

use crate::wire::message;

/// Characters of a foreign value that a message quotes.
const QUOTED: usize = 40;

/// The answer to `shown` in a System One reply body.
///
/// # Errors
/// [`Rejection::Malformed`] naming the rule that is broken, [`Rejection::Backend`] for a body that is an error,
/// [`Rejection::Unsupported`] for an answer that says so.
pub fn read(shown: &Presentation<'_>, body: &str) -> Result<Answer, Rejection> {
    let reply = parse(body)?;
    let Some(reply) = reply.as_object() else {
        return Err(malformed(
            "json",
            format!("the reply is {}, expected an object", reply.kind()),
        ));
    };
    if let Some(error) = reply.get("error").filter(|error| **error != Json::Null) {
        return Err(backend(reply, error));
    }
    let mut answer = answer(shown, own_answer(shown, reply)?)?;
    answer.served_model = served_model(reply, &mut answer.remarks);
    answer.provider = reply
        .get("provider")
        .and_then(Json::as_str)
        .map(str::to_owned);
    answer.usage = usage(reply, &mut answer.remarks);
    Ok(answer)
}

fn malformed(rule: &'static str, message: String) -> Rejection {
    Rejection::Malformed { rule, message }
}

/// V1: one JSON value, nothing after it, no key twice. A byte-order mark is accepted.
fn parse(body: &str) -> Result<Json, Rejection> {
    let body = body.strip_prefix('\u{feff}').unwrap_or(body);
    if body.trim().is_empty() {
        return Err(malformed(
            "json",
            "the reply is empty, expected JSON".to_owned(),
        ));
    }
    flipside_formats::json::parse(body).map_err(|error| {
        if message::is_html(body) {
            return malformed(
                "json",
                "the reply is an HTML page, expected JSON".to_owned(),
            );
        }
        malformed(
            "json",
            format!("the reply is no JSON that can be read: {error}"),
        )
    })
}

/// V2.
fn backend(reply: &Object, error: &Json) -> Rejection {
    let code = error.as_object().and_then(|error| error.get("code"));
    let status = match code {
        Some(Json::Number(code)) => code.to_u64().and_then(|code| u16::try_from(code).ok()),
        _ => None,
    };
    let found = message::of_value(&Json::Object(reply.clone())).unwrap_or_else(|| error.to_text());
    Rejection::Backend {
        status,
        message: message::cut(&found),
    }
}

/// V3: an answer for exactly each question asked. Returns that of the case's own question.
fn own_answer<'r>(shown: &Presentation<'_>, reply: &'r Object) -> Result<&'r Object, Rejection> {
    let answers = match reply.get("answers") {
        Some(Json::Object(answers)) => answers,
        Some(other) => {
            return Err(malformed(
                "answers",
                format!("`answers` is {}, expected an object", other.kind()),
            ));
        }
        None => {
            return Err(malformed(
                "answers",
                "the reply has no `answers`".to_owned(),
            ));
        }
    };
    let question = &shown.case().question;
    let siblings = || {
        question
            .before
            .iter()
            .chain(&question.after)
            .map(|(name, _)| name.as_str())
    };
    for name in std::iter::once(question.name.as_str()).chain(siblings()) {
        if answers.get(name).is_none() {
            return Err(malformed(
                "answer-missing",
                format!("no answer for question `{}`", Foreign(name)),
            ));
        }
    }
    let asked = |name: &str| name == question.name || siblings().any(|sibling| sibling == name);
    if let Some((name, _)) = answers.members().iter().find(|(name, _)| !asked(name)) {
        let name = Foreign(name).cut(QUOTED);
        return Err(malformed(
            "answer-extra",
            format!("an answer for question `{name}`, which was not asked"),
        ));
    }
    match answers.get(&question.name) {
        Some(Json::Object(answer)) => Ok(answer),
        Some(other) => Err(malformed(
            "answer-type",
            format!("the answer is {}, expected an object", other.kind()),
        )),
        None => unreachable!("every question's answer was found above"),
    }
}

/// V4, and what each type holds.
fn answer(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
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
                Some(reason) => message::cut(reason),
                None => format!("it answers `unsupported` to a {} question", kind.name()),
            },
        }),
        found if found == kind.name() => match kind {
            QuestionKind::Choice => choice(shown, given),
            QuestionKind::Score => score(shown, given),
            QuestionKind::Noul => answer::noul(
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
    answer::choice(
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
    if let Some(missing) = probabilities.iter().position(|p| p.is_nan()) {
        return Err(malformed(
            "score-keys",
            format!("no probability for level \"{missing}\""),
        ));
    }
    let reported = ReportedScore {
        score: required(given, "score")?,
        probabilities,
        confidence: optional(given, "confidence")?,
    };
    answer::score(shown, &reported)
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

fn quoted(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::String(text) => format!("the string `{}`", Foreign(text).cut(QUOTED)),
        Json::Array(_) | Json::Object(_) => value.kind().to_owned(),
        Json::Bool(_) | Json::Number(_) => Foreign(&value.to_text()).cut(QUOTED),
    }
}

/// V14. Laya's `model` is always one literal; the checkpoint that answered is in `routing.model`.
fn served_model(reply: &Object, remarks: &mut Vec<String>) -> Option<String> {
    let routed = reply
        .get("routing")
        .and_then(Json::as_object)
        .and_then(|routing| routing.get("model"));
    let named = |value: Option<&Json>| {
        value?
            .as_str()
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
    };
    let served = named(routed).or_else(|| named(reply.get("model")));
    if served.is_none() {
        remarks.push("the reply does not say which model answered".to_owned());
    }
    served
}

/// V13. A count that is none is unknown, and remarked.
fn usage(reply: &Object, remarks: &mut Vec<String>) -> Usage {
    let given = match reply.get("usage") {
        None | Some(Json::Null) => return Usage::default(),
        Some(Json::Object(given)) => given,
        Some(other) => {
            remarks.push(format!("`usage` is {}, expected an object", quoted(other)));
            return Usage::default();
        }
    };
    let mut count = |member: &str| {
        let value = given.get(member).filter(|value| **value != Json::Null)?;
        let count = if let Json::Number(number) = value {
            number.to_u64()
        } else {
            None
        };
        if count.is_none() {
            remarks.push(format!(
                "`usage.{member}` is {}, expected a whole number",
                quoted(value)
            ));
        }
        count
    };
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cost_usd_micros: given.get("cost").and_then(micros),
    }
}

/// US dollars as whole millionths.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be in range"
)]
fn micros(cost: &Json) -> Option<u64> {
    let Json::Number(cost) = cost else {
        return None;
    };
    let micros = (cost.to_f64()? * 1e6).round();
    (0.0..1e15).contains(&micros).then_some(micros as u64)
}
