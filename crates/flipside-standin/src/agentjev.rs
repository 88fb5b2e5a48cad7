//! The `AgentJev` service: `agentjev.decision.v1`, for one state or several.

use std::borrow::Cow;
use std::io::Write;

use crate::answer::Pen;
use crate::confidence::top;
use crate::fault::Fault;
use crate::json::{Json, Member, Node, write_text};
use crate::listed::{list_at, members, put, refused, text_at};
use crate::policy::Policy;
use crate::request::{Body, Kind, Offer, Problem, Question, field};
use crate::sheet::{Answer, Judge, Number, Sheet};
use crate::spoil;

const STATES: usize = 32;
const QUESTIONS: usize = 128;
const PATHS: usize = 1024;
const OPTIONS: (usize, usize) = (2, 255);
const LEVELS: (usize, usize) = (2, 10);
const PATH_TOKENS: usize = 2048;
const BYTES_PER_TOKEN: usize = 4;

/// One state with its questions.
pub(crate) struct Request<'a> {
    id: Cow<'a, str>,
    /// As the model reads it: keys sorted.
    state: String,
    pub(crate) body: Body<'a>,
}

/// Reads and checks a body.
pub(crate) fn read(text: &str) -> Result<Vec<Request<'_>>, Problem> {
    let fields = members(text)?;
    let mut requests = Vec::new();
    match field(&fields, "requests").map(|node| &node.json) {
        None => requests.push(request(&fields, 0)?),
        Some(Json::Array(nodes)) if (1..=STATES).contains(&nodes.len()) => {
            for (at, node) in nodes.iter().enumerate() {
                let Json::Object(fields) = &node.json else {
                    return refused(&["requests"], "a request must be an object");
                };
                requests.push(request(fields, at)?);
            }
        }
        Some(_) => {
            return refused(
                &["requests"],
                format!("requests must list 1 to {STATES} states"),
            );
        }
    }
    let questions = || requests.iter().flat_map(|request| &request.body.questions);
    let paths: usize = questions().map(|question| question.offers.len()).sum();
    let asked = questions().count();
    if asked > QUESTIONS || paths > PATHS {
        let message =
            format!("{asked} questions and {paths} paths; limits {QUESTIONS} and {PATHS}");
        return refused(&["questions"], message);
    }
    Ok(requests)
}

fn request<'a>(fields: &[Member<'a>], at: usize) -> Result<Request<'a>, Problem> {
    let id = match field(fields, "id").map(|node| &node.json) {
        None => Cow::Owned(at.to_string()),
        Some(Json::Text(id)) => id.clone(),
        Some(_) => return refused(&["id"], "id must be a string"),
    };
    let state = match field(fields, "state") {
        Some(node) => {
            rendered("state", node)?;
            let mut out = Vec::new();
            sorted(node, &mut out);
            String::from_utf8(out).unwrap_or_default()
        }
        None => {
            return refused(
                &["state"],
                "state must be nonempty text, an object or an array",
            );
        }
    };
    let listed = list_at(fields, "questions")?;
    if listed.is_empty() {
        return refused(&["questions"], "questions must not be empty");
    }
    let mut questions: Vec<Question<'a>> = Vec::with_capacity(listed.len());
    for node in listed {
        let question = question(node, state.len())?;
        if questions.iter().any(|known| known.id == question.id) {
            let message = format!("question id '{}' is not unique", question.id);
            return refused(&["questions"], message);
        }
        questions.push(question);
    }
    let body = Body {
        states: Vec::new(),
        questions,
        temperature: None,
        provider: None,
    };
    Ok(Request { id, state, body })
}

fn question<'a>(node: &Node<'a>, state: usize) -> Result<Question<'a>, Problem> {
    let Json::Object(fields) = &node.json else {
        return refused(&["questions"], "a question must be an object");
    };
    let id = match field(fields, "id").map(|node| &node.json) {
        Some(Json::Text(id)) if !id.is_empty() => id.clone(),
        _ => return refused(&["questions"], "question id must be a nonempty string"),
    };
    let asked = field(fields, "question").or_else(|| field(fields, "instructions"));
    let Some(asked) = asked else {
        return refused(
            &["questions"],
            "question must be nonempty text, an object or an array",
        );
    };
    let longest = rendered("question", asked)?.len() + state;
    let (kind, offers) = match text_at(fields, "type")?.unwrap_or("choice") {
        "choice" => (Kind::Choice, options(fields)?),
        "score" => (Kind::Score, numbered("level", list_at(fields, "levels")?)?),
        "boolean" => (Kind::Noul, sides(fields)?),
        other => return refused(&["questions"], format!("unknown question type '{other}'")),
    };
    let ((least, most), what) = match kind {
        Kind::Score => (LEVELS, "levels"),
        Kind::Choice | Kind::Noul => (OPTIONS, "options"),
    };
    if !(least..=most).contains(&offers.len()) {
        let found = offers.len();
        return refused(
            &["questions"],
            format!("question '{id}' has {found} {what}; expected {least} to {most}"),
        );
    }
    for (at, offer) in offers.iter().enumerate() {
        if offers[..at].iter().any(|known| known.text == offer.text) {
            let message = format!("question '{id}' has two {what} with one description");
            return refused(&["questions"], message);
        }
        let text = offer.text.as_deref().unwrap_or_default();
        let tokens = (longest + text.len()).div_ceil(BYTES_PER_TOKEN);
        if tokens > PATH_TOKENS {
            return refused(
                &["questions"],
                format!(
                    "question '{id}' needs {tokens} tokens; limit {PATH_TOKENS}. Shorten the input; nothing was truncated."
                ),
            );
        }
    }
    Ok(Question {
        id,
        kind,
        instructions: asked.raw,
        offers,
        option_order: None,
    })
}

fn options<'a>(fields: &[Member<'a>]) -> Result<Vec<Offer<'a>>, Problem> {
    match field(fields, "options").map(|node| &node.json) {
        Some(Json::Object(members)) => {
            let mut offers: Vec<Offer<'a>> = Vec::with_capacity(members.len());
            for member in members {
                let text = Some(rendered("option", &member.node)?);
                if member.key.is_empty() {
                    return refused(&["questions"], "an option key must be a nonempty string");
                }
                let raw = member.node.raw;
                match offers.iter_mut().find(|offer| offer.key == member.key) {
                    // As Python reads a key twice.
                    Some(known) => (known.text, known.raw) = (text, raw),
                    None => offers.push(Offer {
                        key: member.key.clone(),
                        text,
                        raw,
                    }),
                }
            }
            Ok(offers)
        }
        Some(Json::Array(nodes)) => numbered("option", nodes),
        _ => refused(&["questions"], "options must be an object or a list"),
    }
}

/// The items of a list, each under its place.
fn numbered<'a>(what: &str, nodes: &[Node<'a>]) -> Result<Vec<Offer<'a>>, Problem> {
    let offer = |(at, node): (usize, &Node<'a>)| {
        Ok(Offer {
            key: Cow::Owned(at.to_string()),
            text: Some(rendered(what, node)?),
            raw: node.raw,
        })
    };
    nodes.iter().enumerate().map(offer).collect()
}

/// `true` and `false`, in this order whatever the body says.
fn sides<'a>(fields: &[Member<'a>]) -> Result<Vec<Offer<'a>>, Problem> {
    let criteria = match field(fields, "criteria").map(|node| &node.json) {
        None => &[][..],
        Some(Json::Object(criteria)) => criteria,
        Some(_) => return refused(&["questions"], "criteria must be an object"),
    };
    let side = |key: &'static str, unsaid: &'static str| {
        let said = field(criteria, key);
        let text = match said {
            Some(node) => rendered(&format!("{key} criterion"), node)?,
            None => Cow::Borrowed(unsaid),
        };
        Ok(Offer {
            key: Cow::Borrowed(key),
            text: Some(text),
            raw: said.map_or("null", |node| node.raw),
        })
    };
    Ok(vec![side("true", "TRUE")?, side("false", "FALSE")?])
}

/// The one text that the model reads of a value.
fn rendered<'a>(what: &str, node: &Node<'a>) -> Result<Cow<'a, str>, Problem> {
    match &node.json {
        Json::Text(text) if !text.trim().is_empty() => Ok(text.clone()),
        Json::Object(_) | Json::Array(_) => {
            let mut out = Vec::new();
            sorted(node, &mut out);
            Ok(Cow::Owned(String::from_utf8(out).unwrap_or_default()))
        }
        _ => refused(
            &[what],
            format!("{what} must be nonempty text, an object or an array"),
        ),
    }
}

/// Compact JSON with the keys of every object sorted by code point.
fn sorted(node: &Node<'_>, out: &mut Vec<u8>) {
    match &node.json {
        Json::Object(members) => {
            let mut members: Vec<&Member<'_>> = members.iter().collect();
            members.sort_by(|a, b| a.key.as_bytes().cmp(b.key.as_bytes()));
            put(out, "{");
            for (at, member) in members.into_iter().enumerate() {
                put(out, if at > 0 { "," } else { "" });
                write_text(out, &member.key);
                put(out, ":");
                sorted(&member.node, out);
            }
            put(out, "}");
        }
        Json::Array(nodes) => {
            put(out, "[");
            for (at, node) in nodes.iter().enumerate() {
                put(out, if at > 0 { "," } else { "" });
                sorted(node, out);
            }
            put(out, "]");
        }
        Json::Text(text) => write_text(out, text),
        _ => put(out, node.raw),
    }
}

/// Appends the reply to `requests`.
pub(crate) fn answer(
    requests: &[Request<'_>],
    judge: &Judge<'_>,
    pen: Pen<'_>,
    faults: &[&Fault],
    out: &mut Vec<u8>,
) -> Result<(), Problem> {
    let mut sheets = Vec::with_capacity(requests.len());
    for request in requests {
        let mut sheet = judge.answer(&request.body, &request.state, pen.number)?;
        for fault in faults {
            spoil::sheet(&mut sheet, fault);
        }
        sheets.push(sheet);
    }
    put(out, "{\"api_version\":\"agentjev.decision.v1\",\"model\":");
    write_text(out, &sheets[0].model);
    put(out, ",\"results\":[");
    for (at, (request, sheet)) in requests.iter().zip(&sheets).enumerate() {
        put(out, if at > 0 { ",{\"id\":" } else { "{\"id\":" });
        write_text(out, &request.id);
        put(out, ",\"answers\":[");
        for (at, (id, answer)) in sheet.answers.iter().enumerate() {
            put(out, if at > 0 { "," } else { "" });
            write_answer(id, answer, pen, out);
        }
        put(out, "]}");
    }
    put(out, "]");
    write_usage(requests, &sheets, judge.policy, pen, out);
    if let Some(extra) = sheets[0].extra {
        put(out, ",");
        put(out, extra);
    }
    if let Some(seen) = pen.seen {
        put(out, ",\"x_seen\":");
        put(out, seen);
    }
    put(out, "}");
    Ok(())
}

fn write_usage(
    requests: &[Request<'_>],
    sheets: &[Sheet<'_>],
    policy: &Policy,
    pen: Pen<'_>,
    out: &mut Vec<u8>,
) {
    let Some((mut tokens, output)) = sheets[0].usage else {
        return;
    };
    for sheet in &sheets[1..] {
        if let (Number::Exact(all), Some((Number::Exact(one), _))) = (&mut tokens, sheet.usage) {
            *all += one;
        }
    }
    let questions: Vec<&Question<'_>> = requests.iter().flat_map(|r| &r.body.questions).collect();
    let offers = || questions.iter().flat_map(|question| &question.offers);
    let (asked, paths) = (questions.len(), offers().count());
    let cut = match policy {
        Policy::Truncating { chars } => {
            let long = |o: &&Offer<'_>| o.text.as_ref().is_some_and(|t| t.chars().count() > *chars);
            offers().filter(long).count()
        }
        _ => 0,
    };
    write!(
        out,
        ",\"usage\":{{\"questions\":{asked},\"candidate_paths\":{paths},\"input_path_tokens\":"
    )
    .expect("a vector takes every byte");
    pen.number(out, tokens);
    put(out, ",\"generated_tokens\":");
    pen.number(out, output);
    write!(out, ",\"truncated_inputs\":{cut},\"wall_ms\":0.1}}")
        .expect("a vector takes every byte");
}

fn write_answer(id: &str, answer: &Answer<'_>, pen: Pen<'_>, out: &mut Vec<u8>) {
    let kind = answer.other.unwrap_or(match answer.kind {
        Kind::Choice => "choice",
        Kind::Score => "score",
        Kind::Noul => "boolean",
    });
    put(out, "{\"id\":");
    write_text(out, id);
    write!(out, ",\"type\":\"{kind}\"").expect("a vector takes every byte");
    if answer.other.is_some() {
        return put(out, "}");
    }
    match answer.kind {
        Kind::Choice => {
            put(out, ",\"value\":");
            write_text(out, &answer.choice);
            put(out, ",\"top_probability\":");
            pen.number(out, Number::Float(top(&answer.p)));
            if let Some(margin) = answer.confidence {
                put(out, ",\"margin\":");
                pen.number(out, margin);
            }
        }
        Kind::Score => {
            put(out, ",\"score\":");
            pen.number(out, Number::Float(answer.value));
            let level = answer.p.iter().position(|p| *p >= top(&answer.p));
            write!(out, ",\"level\":\"{}\"", level.unwrap_or(0))
                .expect("a vector takes every byte");
        }
        Kind::Noul => {
            put(out, ",\"probability\":");
            pen.number(out, Number::Float(answer.value));
            let value = answer.value >= 0.5;
            write!(out, ",\"value\":{value}").expect("a vector takes every byte");
        }
    }
    if let Some(legend) = &answer.legend {
        put(out, ",\"legend\":{");
        for (at, (key, raw)) in legend.iter().enumerate() {
            put(out, if at > 0 { "," } else { "" });
            write_text(out, key);
            put(out, ":");
            put(out, raw);
        }
        put(out, "}");
    }
    let sides = [
        (Cow::Borrowed("true"), Number::Float(answer.value)),
        (Cow::Borrowed("false"), Number::Float(1.0 - answer.value)),
    ];
    let shares = match answer.kind {
        Kind::Noul => Some(&sides[..]),
        Kind::Choice | Kind::Score => answer.probabilities.as_deref(),
    };
    if let Some(shares) = shares {
        put(out, ",\"distribution\":{");
        for (at, (key, p)) in shares.iter().enumerate() {
            put(out, if at > 0 { "," } else { "" });
            write_text(out, key);
            put(out, ":");
            pen.number(out, *p);
        }
        put(out, "}");
    }
    put(out, "}");
}
