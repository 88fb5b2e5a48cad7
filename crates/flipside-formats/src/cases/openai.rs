//! Request bodies of the `OpenAI` decisions API; each question becomes a case.

use flipside_core::case::{CaseOption, Key, KeyBinding, QuestionKind, typed_key};
use flipside_core::json::{Json, Object};

use super::body::{Asked, Body, listed, own_name};
use super::probe::{option, repeated_option};
use super::{Fields, Source, named, not_sent};
use crate::read::{Error, Out, Row};

/// What a body has that is not told as left out: the rest steers caching and billing, and changes no answer.
const KNOWN: &[&str] = &[
    "id",
    "model",
    "input",
    "questions",
    "prompt_cache_key",
    "prompt_cache_options",
    "safety_identifier",
];

pub(super) fn read(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    for row in rows {
        match body(row, source, out) {
            Ok(body) => {
                for case in body.into_cases(&source.of(row)) {
                    out.case(case);
                }
            }
            Err(error) => out.error(error),
        }
    }
}

fn body(row: &Row, source: &Source<'_>, out: &mut Out) -> Result<Body, Error> {
    let own = Fields::of(row);
    let state = match own.required("input", "a request says what the decision is about")? {
        input @ (Json::String(_) | Json::Array(_)) => input.clone(),
        other => return Err(own.type_error("input", other, "a string or an array of items")),
    };
    if has_picture(&state) {
        let found = Json::String("input_image".to_owned());
        return Err(own.value_error(
            "input",
            &found,
            "text and JSON, which every model can be asked",
        ));
    }
    not_sent(own.at, "", own.object, KNOWN, out);
    let questions = listed(own)?;
    // One flag for all of a body: its cases keep each other company.
    let typed_keys = questions.iter().any(|(_, question)| has_boolean(question));
    let mut asked: Vec<Asked> = Vec::new();
    for (path, object) in questions {
        let question = Fields::inside(own.at, &path, object);
        let one = of_question(question, asked.len(), typed_keys, out)?;
        own_name(question, "name", &one.name, &asked)?;
        asked.push(one);
    }
    Ok(Body {
        id: source.id(row, &["id"])?.0,
        named: Source::names(row, &["id"]),
        state,
        fields: named::unread(own.object, KNOWN),
        asked,
    })
}

/// Whether a part of an item is a picture.
fn has_picture(input: &Json) -> bool {
    match input {
        Json::Object(part) => {
            part.get("type").and_then(Json::as_str) == Some("input_image")
                || (part.get("content")).is_some_and(has_picture)
        }
        Json::Array(parts) => parts.iter().any(has_picture),
        _ => false,
    }
}

fn of_question(
    question: Fields<'_>,
    place: usize,
    typed_keys: bool,
    out: &mut Out,
) -> Result<Asked, Error> {
    let name = match question.get("name") {
        None => (place + 1).to_string(),
        Some(Json::String(name)) if name.is_empty() => {
            return Err(question.empty("name", "give the question a name, or leave it out"));
        }
        Some(Json::String(name)) => name.clone(),
        Some(other) => return Err(question.type_error("name", other, "a string")),
    };
    let help = "a question says how it is answered: `choice`, `score` or `predicate`";
    let value = question.required("type", help)?;
    let (kind, listing) = match value.as_str() {
        Some("choice") => (QuestionKind::Choice, Some("choices")),
        Some("score") => (QuestionKind::Score, Some("levels")),
        Some("predicate") => (QuestionKind::Noul, None),
        _ => return Err(question.value_error("type", value, "`choice`, `score` or `predicate`")),
    };
    let known: Vec<&str> = ["name", "type", "instructions"]
        .into_iter()
        .chain(listing)
        .collect();
    not_sent(question.at, "questions.*.", question.object, &known, out);
    let (options, keys) = match kind {
        QuestionKind::Choice => (choices(question, typed_keys, out)?, KeyBinding::Option),
        QuestionKind::Score => (levels(question, out)?, KeyBinding::Place),
        QuestionKind::Noul => (
            vec![option("false", None), option("true", None)],
            KeyBinding::Option,
        ),
    };
    Ok(Asked {
        name,
        kind,
        instructions: question.get("instructions").cloned(),
        options,
        keys,
        by_object: false,
        fixed_order: false,
        typed_keys,
    })
}

/// Whether a choice of the question is a boolean.
fn has_boolean(question: &Object) -> bool {
    let choices = question.get("choices").and_then(Json::as_array);
    let value = |choice: &Json| {
        choice
            .as_object()
            .and_then(|choice| choice.get("value").cloned())
    };
    let boolean = |choice: &Json| matches!(value(choice), Some(Json::Bool(_)));
    choices.is_some_and(|choices| choices.iter().any(boolean))
}

fn choices(
    question: Fields<'_>,
    typed_keys: bool,
    out: &mut Out,
) -> Result<Vec<CaseOption>, Error> {
    let mut options = Vec::new();
    for (path, object) in items(
        question,
        "choices",
        "list the choices, each with its `value`",
    )? {
        let choice = Fields::inside(question.at, &path, object);
        not_sent(
            question.at,
            "questions.*.choices.*.",
            object,
            &["value", "description"],
            out,
        );
        let value = choice.required("value", "give each choice its own value")?;
        let key = match value {
            Json::String(text) if !typed_keys => Some(text.clone()),
            _ => typed_key(value),
        };
        let Some(key) = key else {
            return Err(choice.type_error("value", value, "a string or a boolean"));
        };
        let text = choice.get("description").cloned();
        options.push(CaseOption {
            key: Key(key),
            text,
        });
    }
    repeated_option(question.at, &options)?;
    Ok(options)
}

fn levels(question: Fields<'_>, out: &mut Out) -> Result<Vec<CaseOption>, Error> {
    let mut levels = Vec::new();
    for (path, object) in items(question, "levels", "list the levels, lowest first")? {
        let level = Fields::inside(question.at, &path, object);
        not_sent(
            question.at,
            "questions.*.levels.*.",
            object,
            &["label"],
            out,
        );
        let label = level.required("label", "give each level a label")?;
        level.string("label")?;
        levels.push(option(&levels.len().to_string(), Some(label)));
    }
    Ok(levels)
}

/// The objects of a list that is not empty, each with what leads to it.
fn items<'a>(
    question: Fields<'a>,
    field: &str,
    help: &'static str,
) -> Result<Vec<(String, &'a Object)>, Error> {
    let list = match question.required(field, help)? {
        Json::Array(list) if list.is_empty() => return Err(question.empty(field, help)),
        Json::Array(list) => list,
        other => return Err(question.type_error(field, other, "an array of objects")),
    };
    let item = |(place, value): (usize, &'a Json)| {
        let path = format!("{field}[{place}]");
        match value {
            Json::Object(item) => Ok((question.path(&path) + ".", item)),
            other => Err(question.type_error(&path, other, "an object")),
        }
    };
    list.iter().enumerate().map(item).collect()
}
