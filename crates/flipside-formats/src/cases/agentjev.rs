//! Request bodies of the `AgentJev` service, for one state or for several; each question becomes a case.
//!
//! Keys and ids never reach its model, and a list of options has its places for keys: both are as the service has them.

use flipside_core::case::{CaseOption, Key, KeyBinding, QuestionKind};
use flipside_core::json::{self, Json, Object};
use flipside_core::shared::List;

use super::body::{Asked, Body, listed, own_name};
use super::probe::option;
use super::{Fields, Source, named, not_sent};
use crate::read::{Error, Out, Row};

/// What a body has that is not told as left out.
const BODY: &[&str] = &["id", "state", "questions"];
/// What a row has that is no field of its cases.
const ROW: &[&str] = &[
    "id",
    "state",
    "questions",
    "requests",
    "request",
    "response",
    "status",
];
/// What a question has, whatever its type.
const QUESTION: &[&str] = &[
    "id",
    "type",
    "question",
    "instructions",
    "options",
    "levels",
    "criteria",
];
/// What a text may be, by the service's own contract.
const TEXT: &str = "a text that is not blank, an object or an array";

pub(super) fn read(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    for row in rows {
        match bodies(row, source, out) {
            Ok(bodies) => {
                for body in bodies {
                    body.warn_of_integer_keys(&row.at, out);
                    for case in body.into_cases(&source.of(row)) {
                        out.case(case);
                    }
                }
            }
            Err(error) => out.error(error),
        }
    }
}

/// Whether `body` is such a request.
pub(crate) fn is_request(body: &Object) -> bool {
    let listed = matches!(body.get("questions"), Some(Json::Array(_)));
    (listed && body.get("state").is_some()) || body.get("requests").is_some()
}

/// Whether a row is such a request with what came back.
pub(crate) fn is_exchange(row: &Object) -> bool {
    let request = row.get("request").and_then(Json::as_object);
    row.get("response").is_some() && request.is_some_and(is_request)
}

/// The bodies of a row: a request, or a request with its response beside it.
pub(crate) fn bodies(row: &Row, source: &Source<'_>, out: &mut Out) -> Result<Vec<Body>, Error> {
    let own = Fields::of(row);
    let (path, request) = match own.object.get("request") {
        Some(Json::Object(request)) => ("request.", request),
        Some(other) => return Err(own.type_error("request", other, "an object")),
        None => ("", own.object),
    };
    let request = Fields::inside(&row.at, path, request);
    let id = source.id(row, &["id"])?.0;
    let named = Source::names(row, &["id"]);
    let fields = named::unread(own.object, ROW);
    let Some(requests) = request.object.get("requests") else {
        not_sent(
            &row.at,
            path,
            request.object,
            &[BODY, &["request", "response", "status"]].concat(),
            out,
        );
        let mut body = body(request, id, out)?;
        (body.named, body.fields) = (named, fields);
        return Ok(vec![body]);
    };
    let help = "a list of requests has at least one, each with `state` and `questions`";
    let requests = match requests {
        Json::Array(requests) if requests.is_empty() => {
            return Err(request.empty("requests", help));
        }
        Json::Array(requests) => requests,
        other => return Err(request.type_error("requests", other, "an array of requests")),
    };
    if let Some(field) = ["state", "questions"]
        .into_iter()
        .find(|name| request.has(name))
    {
        return Err(Error::Both {
            at: row.at.clone(),
            first: request.path("requests"),
            second: request.path(field),
        });
    }
    let mut bodies: Vec<Body> = Vec::new();
    for (place, value) in requests.iter().enumerate() {
        let path = format!("requests[{place}]");
        let Json::Object(object) = value else {
            return Err(request.type_error(&path, value, "an object"));
        };
        let path = request.path(&path) + ".";
        let inner = Fields::inside(&row.at, &path, object);
        not_sent(&row.at, "requests.*.", object, BODY, out);
        let own_id = inner.id("id")?;
        let is_named = named || own_id.is_some();
        let id = match own_id {
            Some(own) if named => format!("{id}/{own}"),
            Some(own) => own,
            None => format!("{id}.{}", place + 1),
        };
        if bodies.iter().any(|other| other.id == id) {
            let found = inner.object.get("id").unwrap_or(&Json::Null);
            return Err(inner.value_error(
                "id",
                found,
                "an id that no other request of the list has",
            ));
        }
        let mut body = body(inner, id, out)?;
        (body.named, body.fields) = (is_named, fields.clone());
        bodies.push(body);
    }
    Ok(bodies)
}

fn body(body: Fields<'_>, id: String, out: &mut Out) -> Result<Body, Error> {
    let help = "a request says what the decision is about";
    let state = text(body, "state", body.required("state", help)?)?;
    let mut asked: Vec<Asked> = Vec::new();
    for (path, object) in listed(body)? {
        let question = Fields::inside(body.at, &path, object);
        not_sent(body.at, "questions.*.", object, QUESTION, out);
        let one = of_question(question)?;
        own_name(question, "id", &one.name, &asked)?;
        asked.push(one);
    }
    Ok(Body {
        id,
        named: false,
        state,
        fields: List::new().to_vec(),
        asked,
    })
}

fn of_question(question: Fields<'_>) -> Result<Asked, Error> {
    let help = "the service names each answer by its question's `id`";
    question.required("id", help)?;
    let name = match question.string("id")? {
        Some("") | None => return Err(question.empty("id", help)),
        Some(name) => name.to_owned(),
    };
    let kinds = "`boolean`, `choice` or `score`";
    let kind = match question.object.get("type") {
        None => QuestionKind::Choice,
        Some(value) => match value.as_str() {
            Some("boolean") => QuestionKind::Noul,
            Some("choice") => QuestionKind::Choice,
            Some("score") => QuestionKind::Score,
            _ => return Err(question.value_error("type", value, kinds)),
        },
    };
    let worded = if question.has("question") {
        "question"
    } else {
        "instructions"
    };
    let words = question.object.get(worded);
    let words = words
        .map(|value| text(question, worded, value))
        .transpose()?;
    let help = "write what is asked";
    let instructions = match words {
        Some(words) => words,
        None => question.required("question", help)?.clone(),
    };
    let (field, keys, by_object, options) = match kind {
        QuestionKind::Choice => choice(question)?,
        QuestionKind::Score => ("levels", KeyBinding::Place, false, levels(question)?),
        QuestionKind::Noul => ("criteria", KeyBinding::Option, true, sides(question)?),
    };
    let texts: Vec<String> = (options.iter())
        .filter_map(|option| option.text.as_ref().map(Json::to_text))
        .collect();
    if let Some((_, second)) = json::first_duplicate(texts.iter().map(String::as_str)) {
        let expected = "texts that differ, since the model sees nothing else of an option";
        let twice = options
            .iter()
            .filter_map(|option| option.text.as_ref())
            .nth(second);
        return Err(question.value_error(field, twice.unwrap_or(&Json::Null), expected));
    }
    Ok(Asked {
        name,
        kind,
        instructions: Some(instructions),
        options,
        keys,
        by_object,
        fixed_order: kind == QuestionKind::Noul,
        typed_keys: false,
    })
}

type Options = (&'static str, KeyBinding, bool, Vec<CaseOption>);

fn choice(question: Fields<'_>) -> Result<Options, Error> {
    let help = "list the options, each with a text";
    match question.required("options", help)? {
        Json::Object(options) if !options.is_empty() => {
            let keyed = |(key, value): &(String, Json)| {
                let value = text(question, &format!("options.{key}"), value)?;
                Ok(option(key, Some(&value)))
            };
            let options: Result<_, Error> = options.members().iter().map(keyed).collect();
            Ok(("options", KeyBinding::Option, true, options?))
        }
        Json::Array(options) if !options.is_empty() => {
            let options = numbered(question, "options", options)?;
            Ok(("options", KeyBinding::Place, false, options))
        }
        Json::Object(_) | Json::Array(_) => Err(question.empty("options", help)),
        other => Err(question.type_error(
            "options",
            other,
            "an object of options, or an array of their texts",
        )),
    }
}

fn levels(question: Fields<'_>) -> Result<Vec<CaseOption>, Error> {
    let help = "list the levels, lowest first";
    match question.required("levels", help)? {
        Json::Array(levels) if levels.is_empty() => Err(question.empty("levels", help)),
        Json::Array(levels) => numbered(question, "levels", levels),
        other => Err(question.type_error("levels", other, "an array of levels, lowest first")),
    }
}

/// The two sides in the order in which the service always asks them.
fn sides(question: Fields<'_>) -> Result<Vec<CaseOption>, Error> {
    let expected = "an object with `true` and `false`";
    let criteria = match question.get("criteria") {
        None => None,
        Some(Json::Object(criteria)) => Some(criteria),
        Some(other) => return Err(question.type_error("criteria", other, expected)),
    };
    let known = ["true", "false"];
    let members = criteria.map_or(&[][..], Object::members);
    if let Some((other, _)) = members
        .iter()
        .find(|(key, _)| !known.contains(&key.as_str()))
    {
        return Err(question.value_error("criteria", &Json::String(other.clone()), expected));
    }
    let side = |key: &str| {
        let value = criteria.and_then(|criteria| criteria.get(key));
        let value = value.map(|value| text(question, &format!("criteria.{key}"), value));
        Ok(CaseOption {
            key: Key(key.to_owned()),
            text: value.transpose()?,
        })
    };
    known.into_iter().map(side).collect()
}

fn numbered(question: Fields<'_>, field: &str, items: &[Json]) -> Result<Vec<CaseOption>, Error> {
    let item = |(place, value): (usize, &Json)| {
        let value = text(question, &format!("{field}[{place}]"), value)?;
        Ok(option(&place.to_string(), Some(&value)))
    };
    items.iter().enumerate().map(item).collect()
}

/// A text as the service takes it.
fn text(fields: Fields<'_>, field: &str, value: &Json) -> Result<Json, Error> {
    match value {
        Json::String(text) if text.trim().is_empty() => Err(fields.value_error(field, value, TEXT)),
        Json::String(_) | Json::Object(_) | Json::Array(_) => Ok(value.clone()),
        other => Err(fields.type_error(field, other, TEXT)),
    }
}
