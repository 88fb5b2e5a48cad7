//! Replies: the rules V1 to V3, V13 and V14 of the wire page, 8, on the reply as a whole.

use flipside_core::answer::{self, Answer, QUOTED, Usage, quoted};
use flipside_core::cost::usd_picos;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::model::Rejection;
use flipside_core::present::Presentation;

use crate::wire::{laya, message};

/// The answer to `shown` in a System One reply body.
///
/// # Errors
/// [`Rejection::Malformed`] naming the rule that is broken, [`Rejection::Backend`] for a body that is an error,
/// [`Rejection::Unsupported`] for an answer that says so.
pub fn read(shown: &Presentation<'_>, body: &str) -> Result<Answer, Rejection> {
    of_object(shown, &parsed(body)?)
}

/// V1 of a body that has to be an object.
///
/// # Errors
/// [`Rejection::Malformed`] naming the rule.
pub(crate) fn parsed(body: &str) -> Result<Object, Rejection> {
    match parse(body)? {
        Json::Object(reply) => Ok(reply),
        other => Err(malformed(
            "json",
            format!("the reply is {}, expected an object", other.kind()),
        )),
    }
}

/// The answer to `shown` in a System One reply.
///
/// # Errors
/// As [`read`].
pub(crate) fn of_object(shown: &Presentation<'_>, reply: &Object) -> Result<Answer, Rejection> {
    if let Some(error) = reply.get("error").filter(|error| **error != Json::Null) {
        return Err(backend(reply, error));
    }
    let own = own_answer(shown, reply)?;
    let mut answer = answer::object(shown, own)?;
    answer.served_model = served_model(reply, &mut answer.remarks).map(Into::into);
    answer.provider = reply.get("provider").and_then(Json::as_str).map(Into::into);
    answer.usage = usage(reply, &mut answer.remarks).into();
    let stated = laya::stated(reply, own, &answer);
    answer.remarks.extend(stated);
    Ok(answer)
}

pub(crate) fn malformed(rule: &'static str, message: String) -> Rejection {
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
pub(crate) fn backend(reply: &Object, error: &Json) -> Rejection {
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

/// V14. Laya's `model` is always one literal; the checkpoint that answered is in `routing.model`.
pub(crate) fn served_model(reply: &Object, remarks: &mut Vec<String>) -> Option<String> {
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
pub(crate) fn usage(reply: &Object, remarks: &mut Vec<String>) -> Usage {
    let given = match reply.get("usage") {
        None | Some(Json::Null) => return Usage::default(),
        Some(Json::Object(given)) => given,
        Some(other) => {
            remarks.push(format!("`usage` is {}, expected an object", quoted(other)));
            return Usage::default();
        }
    };
    let mut count = |of: &Object, member: &str| {
        let value = of.get(member).filter(|value| **value != Json::Null)?;
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
        input_tokens: count(given, "input_tokens"),
        output_tokens: count(given, "output_tokens"),
        cached_tokens: given
            .get("input_tokens_details")
            .and_then(Json::as_object)
            .and_then(|details| count(details, "cached_tokens")),
        cost_usd_picos: given.get("cost").and_then(picos),
    }
}

/// US dollars as millionths of millionths.
fn picos(cost: &Json) -> Option<u64> {
    let Json::Number(cost) = cost else {
        return None;
    };
    usd_picos(cost.to_f64()?)
}
