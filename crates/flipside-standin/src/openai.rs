//! `OpenAI` Decisions: arrays in, arrays out, typed values, refusals per question.

use std::borrow::Cow;
use std::io::Write;

use crate::answer::Pen;
use crate::fault::Fault;
use crate::json::{Json, Member, Node, write_text};
use crate::listed::{list_at, members, put, refused, text_at};
use crate::offers::sides;
use crate::request::{Body, Kind, Offer, Problem, Question, field};
use crate::sheet::{Answer, Judge, Number, Sheet};
use crate::spoil;

const QUESTIONS: usize = 400;
const CHOICES: (usize, usize) = (2, 255);
const LEVELS: (usize, usize) = (2, 10);
const PART_LEVELS: usize = 32;
const PART_VALUES: usize = 10_000;
const PART_BYTES: usize = 256 * 1024;
const KNOWN: [&str; 6] = [
    "model",
    "input",
    "questions",
    "prompt_cache_key",
    "prompt_cache_options",
    "safety_identifier",
];

/// A request read and checked. A question without a name has an empty id.
pub(crate) struct Request<'a> {
    pub(crate) body: Body<'a>,
}

impl<'a> Request<'a> {
    /// Reads and checks a body.
    pub(crate) fn read(text: &'a str) -> Result<Self, Problem> {
        let fields = members(text)?;
        if let Some(unknown) = fields.iter().find(|f| !KNOWN.contains(&f.key.as_ref())) {
            let message = format!("Unknown parameter: '{}'.", unknown.key);
            return refused(&[&unknown.key], message);
        }
        if text_at(&fields, "model")?.is_none_or(str::is_empty) {
            return refused(&["model"], "you must provide a model parameter");
        }
        let Some(input) = field(&fields, "input") else {
            return refused(&["input"], "Missing required parameter: 'input'.");
        };
        check_input(input)?;
        let listed = list_at(&fields, "questions")?;
        if listed.is_empty() || listed.len() > QUESTIONS {
            let message = format!("{} questions, expected 1 to {QUESTIONS}", listed.len());
            return refused(&["questions"], message);
        }
        let questions = listed.iter().map(question).collect::<Result<_, _>>()?;
        let body = Body {
            states: vec![input.raw],
            questions,
            temperature: None,
            provider: None,
        };
        Ok(Self { body })
    }

    /// Appends the reply.
    pub(crate) fn answer(
        &self,
        judge: &Judge<'_>,
        pen: Pen<'_>,
        faults: &[&Fault],
        out: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let mut sheet = judge.answer(&self.body, self.body.states[0], pen.number)?;
        for fault in faults {
            spoil::sheet(&mut sheet, fault);
        }
        write(&sheet, pen, out);
        Ok(())
    }
}

fn check_input(input: &Node<'_>) -> Result<(), Problem> {
    let items = match &input.json {
        Json::Text(_) => return Ok(()),
        Json::Array(items) if !items.is_empty() => items,
        _ => return refused(&["input"], "expected a string or a list of items"),
    };
    for item in items {
        let Json::Object(item) = &item.json else {
            return refused(&["input"], "an item must be an object");
        };
        if field(item, "role").is_none() && field(item, "type").is_none() {
            return refused(&["input"], "an item needs a `role` or a `type`");
        }
        if let Some(Node {
            json: Json::Array(parts),
            ..
        }) = field(item, "content")
        {
            check_parts(parts, "input")?;
        }
    }
    Ok(())
}

fn check_parts(parts: &[Node<'_>], param: &str) -> Result<(), Problem> {
    for part in parts {
        let Json::Object(part) = &part.json else {
            return refused(&[param], "a part must be an object");
        };
        match text_at(part, "type")? {
            Some("input_text") if text_at(part, "text")?.is_some() => {}
            Some("input_text") => return refused(&[param], "an `input_text` needs a `text`"),
            Some("input_json") => check_data(field(part, "data"), param)?,
            Some("output_text" | "refusal") => {}
            other => {
                let found = other.unwrap_or("nothing");
                return refused(
                    &[param],
                    format!("no part of the type `{found}` is read here"),
                );
            }
        }
    }
    Ok(())
}

fn check_data(data: Option<&Node<'_>>, param: &str) -> Result<(), Problem> {
    let is_object = |node: &Node<'_>| matches!(node.json, Json::Object(_));
    let node = match data {
        Some(node) if is_object(node) => node,
        Some(node) if matches!(&node.json, Json::Array(items) if items.iter().all(is_object)) => {
            node
        }
        _ => return refused(&[param], "`data` must be an object or a list of objects"),
    };
    let mut values = 0;
    let levels = extent(node, &mut values);
    if levels > PART_LEVELS || values > PART_VALUES || node.raw.len() > PART_BYTES {
        let message = format!(
            "a JSON part has at most {PART_LEVELS} levels, {PART_VALUES} values and {PART_BYTES} bytes"
        );
        return refused(&[param], message);
    }
    Ok(())
}

/// Containers inside each other; counts every value.
fn extent(node: &Node<'_>, values: &mut usize) -> usize {
    *values += 1;
    let deepest = match &node.json {
        Json::Array(items) => items.iter().map(|item| extent(item, values)).max(),
        Json::Object(members) => members.iter().map(|m| extent(&m.node, values)).max(),
        _ => return 0,
    };
    deepest.unwrap_or(0) + 1
}

fn question<'a>(node: &Node<'a>) -> Result<Question<'a>, Problem> {
    let Json::Object(fields) = &node.json else {
        return refused(&["questions"], "a question must be an object");
    };
    let name = text_at(fields, "name")?;
    if name == Some("") {
        return refused(&["questions", "name"], "a name must not be empty");
    }
    let id = match field(fields, "name").map(|node| &node.json) {
        Some(Json::Text(name)) => name.clone(),
        _ => Cow::Borrowed(""),
    };
    let instructions = match field(fields, "instructions") {
        Some(node) => match &node.json {
            Json::Text(_) => node.raw,
            Json::Array(parts) if !parts.is_empty() => {
                check_parts(parts, "instructions")?;
                node.raw
            }
            _ => return refused(&["questions", "instructions"], "expected a string or parts"),
        },
        None => return refused(&["questions", "instructions"], "instructions are required"),
    };
    let (kind, offers) = match text_at(fields, "type")? {
        Some("choice") => (Kind::Choice, choices(fields)?),
        Some("score") => (Kind::Score, levels(fields)?),
        Some("predicate") if field(fields, "criteria").is_some() => {
            return refused(&["questions"], "a predicate has no criteria");
        }
        Some("predicate") => {
            let sides = sides(None);
            (
                Kind::Noul,
                sides.or_else(|why| refused(&["questions"], why))?,
            )
        }
        _ => {
            let message = "expected one of 'predicate', 'choice', 'score'";
            return refused(&["questions", "type"], message);
        }
    };
    Ok(Question {
        id,
        kind,
        instructions,
        offers,
        option_order: None,
    })
}

fn counted(found: usize, (least, most): (usize, usize), what: &str) -> Result<(), Problem> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    refused(
        &["questions", what],
        format!("{found} {what}, expected {least} to {most}"),
    )
}

fn choices<'a>(fields: &[Member<'a>]) -> Result<Vec<Offer<'a>>, Problem> {
    let listed = list_at(fields, "choices")?;
    counted(listed.len(), CHOICES, "choices")?;
    let mut offers: Vec<Offer<'a>> = Vec::with_capacity(listed.len());
    for node in listed {
        let Json::Object(choice) = &node.json else {
            return refused(&["questions", "choices"], "a choice must be an object");
        };
        let key = match field(choice, "value").map(|node| &node.json) {
            Some(Json::Text(text)) => marked(text),
            Some(Json::Bool(true)) => Cow::Borrowed("true"),
            Some(Json::Bool(false)) => Cow::Borrowed("false"),
            _ => {
                return refused(
                    &["questions", "choices"],
                    "a value is a string or a boolean",
                );
            }
        };
        if offers.iter().any(|offer| offer.key == key) {
            let message = format!("each choice must be unique, `{key}` is not");
            return refused(&["questions", "choices"], message);
        }
        let description = field(choice, "description");
        text_at(choice, "description")?;
        offers.push(Offer {
            key,
            text: description.and_then(crate::request::text_of),
            raw: description.map_or("null", |node| node.raw),
        });
    }
    Ok(offers)
}

/// A string value's key. One that looks like a boolean, or starts with a quote, is its JSON text.
fn marked<'a>(text: &Cow<'a, str>) -> Cow<'a, str> {
    if text == "true" || text == "false" || text.starts_with('"') {
        let mut out = Vec::new();
        write_text(&mut out, text);
        return Cow::Owned(String::from_utf8(out).unwrap_or_default());
    }
    text.clone()
}

fn levels<'a>(fields: &[Member<'a>]) -> Result<Vec<Offer<'a>>, Problem> {
    let listed = list_at(fields, "levels")?;
    counted(listed.len(), LEVELS, "levels")?;
    let mut offers = Vec::with_capacity(listed.len());
    for (at, node) in listed.iter().enumerate() {
        let label = match &node.json {
            Json::Object(level) => field(level, "label"),
            _ => None,
        };
        let Some(node) = label.filter(|node| matches!(node.json, Json::Text(_))) else {
            return refused(&["questions", "levels"], "a level needs a `label`");
        };
        offers.push(Offer {
            key: Cow::Owned(at.to_string()),
            text: crate::request::text_of(node),
            raw: node.raw,
        });
    }
    Ok(offers)
}

fn write(sheet: &Sheet<'_>, pen: Pen<'_>, out: &mut Vec<u8>) {
    put(out, "{\"model\":");
    write_text(out, &sheet.model);
    put(out, ",\"answers\":[");
    for (at, (name, answer)) in sheet.answers.iter().enumerate() {
        put(out, if at > 0 { "," } else { "" });
        write_answer(name, answer, pen, out);
    }
    put(out, "]");
    if let Some((input, output)) = sheet.usage {
        put(out, ",\"usage\":{\"input_tokens\":");
        pen.number(out, input);
        put(
            out,
            ",\"input_tokens_details\":{\"cached_tokens\":0,\"cache_write_tokens\":0},\"output_tokens\":",
        );
        pen.number(out, output);
        put(
            out,
            ",\"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":",
        );
        pen.number(out, input);
        put(out, "}");
    }
    if let Some(extra) = sheet.extra {
        put(out, ",");
        put(out, extra);
    }
    if let Some(seen) = pen.seen {
        put(out, ",\"x_seen\":");
        put(out, seen);
    }
    put(out, "}");
}

fn write_answer(name: &str, answer: &Answer<'_>, pen: Pen<'_>, out: &mut Vec<u8>) {
    let kind = answer.other.unwrap_or(match answer.kind {
        Kind::Choice => "choice",
        Kind::Score => "score",
        Kind::Noul => "predicate",
    });
    write!(out, "{{\"type\":\"{kind}\",\"name\":").expect("a vector takes every byte");
    if name.is_empty() {
        put(out, "null");
    } else {
        write_text(out, name);
    }
    if answer.other.is_some() {
        return put(out, "}");
    }
    match answer.kind {
        Kind::Choice => {
            put(out, ",\"choice\":");
            write_value(&answer.choice, out);
        }
        Kind::Score => {
            put(out, ",\"score\":");
            pen.number(out, Number::Float(answer.value));
        }
        Kind::Noul => {
            put(out, ",\"probability\":");
            pen.number(out, Number::Float(answer.value));
            return put(out, "}");
        }
    }
    if let Some(confidence) = answer.confidence {
        put(out, ",\"confidence\":");
        pen.number(out, confidence);
    }
    if let Some(shares) = &answer.probabilities {
        put(out, ",\"probabilities\":[");
        for (at, (key, p)) in shares.iter().enumerate() {
            put(out, if at > 0 { ",{" } else { "{" });
            if answer.kind == Kind::Score {
                write_level(key, answer, out);
            } else {
                put(out, "\"value\":");
                write_value(key, out);
            }
            put(out, ",\"probability\":");
            pen.number(out, *p);
            put(out, "}");
        }
        put(out, "]");
    }
    put(out, "}");
}

/// `value` and `label` of a level; one that nobody asked about has its key for both.
fn write_level(key: &str, answer: &Answer<'_>, out: &mut Vec<u8>) {
    let at = key.parse::<usize>().ok();
    let known = at.and_then(|at| answer.legend.as_ref()?.get(at));
    let named = |text: &str, out: &mut Vec<u8>| match text.parse::<usize>() {
        Ok(number) => put(out, &number.to_string()),
        Err(_) => write_text(out, text),
    };
    put(out, "\"value\":");
    named(known.map_or(key, |(value, _)| value), out);
    put(out, ",\"label\":");
    match known {
        Some((_, raw)) => put(out, raw),
        None => write_text(out, key),
    }
}

fn write_value(key: &str, out: &mut Vec<u8>) {
    if key == "true" || key == "false" || key.starts_with('"') {
        put(out, key);
    } else {
        write_text(out, key);
    }
}

/// The error body.
pub(crate) fn error(out: &mut Vec<u8>, code: &str, problem: &Problem) {
    let kind = match code {
        "authentication_error" | "rate_limit_error" => code,
        "planned_fault" | "overloaded_error" => "server_error",
        _ => "invalid_request_error",
    };
    put(out, "{\"error\":{\"message\":");
    write_text(out, &problem.message);
    put(out, ",\"type\":\"");
    put(out, kind);
    put(out, "\",\"param\":");
    match problem.place.last() {
        Some(param) => write_text(out, param),
        None => put(out, "null"),
    }
    put(out, ",\"code\":");
    write_text(out, code);
    put(out, "}}");
}
