//! Lines to an adapter and back.

use flipside_core::answer::{self, Answer, Declined, Reported};
use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object, write_string};
use flipside_core::model::Rejection;
use flipside_core::present::Presentation;

use crate::wire::message;

/// An ask without its id, which is no part of what is asked.
pub(crate) fn request(shown: &Presentation<'_>) -> Vec<u8> {
    let question = &shown.case().question;
    let mut out = Vec::with_capacity(1024);
    out.extend_from_slice(b"{\"state\":");
    shown.state().write(&mut out);
    out.extend_from_slice(b",\"question\":{\"type\":\"");
    out.extend_from_slice(question.kind.name().as_bytes());
    out.extend_from_slice(b"\",\"name\":");
    write_string(&question.name, &mut out);
    if let Some(instructions) = shown.instructions() {
        out.extend_from_slice(b",\"instructions\":");
        instructions.write(&mut out);
    }
    out.extend_from_slice(b"},\"options\":[");
    for (place, option) in shown.options().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"key\":");
        write_string(&option.key.0, &mut out);
        if let Some(text) = option.text {
            out.extend_from_slice(b",\"text\":");
            text.write(&mut out);
        }
        out.push(b'}');
    }
    out.extend_from_slice(b"]}");
    out
}

/// The line that asks `request` under `id`.
pub(crate) fn numbered(id: u64, request: &[u8]) -> Vec<u8> {
    let mut line = format!("{{\"id\":{id},").into_bytes();
    line.extend_from_slice(&request[1..]);
    line.push(b'\n');
    line
}

/// The id of a line that came back, or `None` if it is no reply.
pub(crate) fn id(line: &str) -> Option<u64> {
    match flipside_formats::json::parse(line)
        .ok()?
        .as_object()?
        .get("id")?
    {
        Json::Number(id) => id.to_u64(),
        _ => None,
    }
}

/// The answer in a line that came back.
pub(crate) fn read(shown: &Presentation<'_>, line: &str) -> Result<Answer, Rejection> {
    let malformed = |rule, message| Err(Rejection::Malformed { rule, message });
    let reply = match flipside_formats::json::parse(line) {
        Ok(Json::Object(reply)) => reply,
        Ok(other) => {
            return malformed(
                "json",
                format!("the reply is {}, expected an object", other.kind()),
            );
        }
        Err(error) => {
            return malformed(
                "json",
                format!("the reply is no JSON that can be read: {error}"),
            );
        }
    };
    if let Some(error) = reply.get("error").filter(|error| **error != Json::Null) {
        let found = error
            .as_str()
            .map_or_else(|| error.to_text(), str::to_owned);
        return Err(Rejection::Backend {
            status: None,
            message: message::cut(&found),
        });
    }
    let served_model = reply.get("model").and_then(Json::as_str).map(str::to_owned);
    for (member, declined) in [
        ("refusal", Declined::Refusal),
        ("abstention", Declined::Abstention),
    ] {
        if reply.get(member) == Some(&Json::Bool(true)) {
            return Ok(Answer {
                declined: Some(declined),
                served_model: served_model.map(Into::into),
                ..Answer::default()
            });
        }
    }
    let choice = match reply.get("choice") {
        None | Some(Json::Null) => None,
        Some(Json::String(choice)) => Some(choice.as_str()),
        Some(other) => {
            return malformed(
                "choice",
                format!("`choice` is {}, expected a string", other.kind()),
            );
        }
    };
    let probabilities = match reply.get("probabilities") {
        None | Some(Json::Null) => None,
        Some(Json::Object(members)) => Some(numbers(members)?),
        Some(other) => {
            return malformed(
                "answer-shape",
                format!("`probabilities` is {}, expected an object", other.kind()),
            );
        }
    };
    let confidence = match reply.get("confidence") {
        None | Some(Json::Null) => None,
        Some(value) => Some(number("`confidence`", value)?),
    };
    let mut answer = answer::choice(
        shown,
        &Reported {
            choice,
            probabilities,
            confidence,
        },
    )?;
    answer.served_model = served_model.map(Into::into);
    if shown.case().question.kind == QuestionKind::Score {
        #[expect(
            clippy::cast_precision_loss,
            reason = "level counts are far below 2^52"
        )]
        let expected = |p: &Vec<f64>| {
            p.iter()
                .enumerate()
                .map(|(level, p)| level as f64 * p)
                .sum()
        };
        answer.score = answer.probabilities.as_ref().map(expected);
    }
    Ok(answer)
}

fn numbers(members: &Object) -> Result<Vec<(&str, f64)>, Rejection> {
    let named = |(key, value): &'_ (String, Json)| {
        number(&format!("the probability of `{}`", Foreign(key)), value)
    };
    members
        .members()
        .iter()
        .map(|member| Ok((member.0.as_str(), named(member)?)))
        .collect()
}

fn number(what: &str, value: &Json) -> Result<f64, Rejection> {
    let found = match value {
        Json::Number(number) => number.to_f64(),
        _ => None,
    };
    found.ok_or_else(|| Rejection::Malformed {
        rule: "number",
        message: format!(
            "{what} is {}, expected a finite number",
            Foreign(&value.to_text()).cut(40)
        ),
    })
}
