//! Telling formats apart, by the fields of every row.

use flipside_core::json::{Json, Object};

use super::text::QUESTIONS;
use super::{agentjev, pairwise};
use crate::canonical;
use crate::read::{Error, Format, Out, Row};
use crate::suite::{self, Problem};

/// What a row of an answer table has beside its id.
pub(crate) const ANSWER: [&str; 3] = ["chosen", "chosen_canonical", "choice_original"];

/// What a row is.
enum Kind {
    Known(Format),
    /// Recorded answers.
    Answers(&'static str),
    /// Base cases, which rows are made of.
    SuiteBase,
    Unknown,
}

/// The one format of all rows; `None` where there is none, and an error says why if there are rows.
pub(crate) fn format_of(rows: &[Row], given: Option<Format>, out: &mut Out) -> Option<Format> {
    let mut format = given;
    if given.is_some() {
        return given.filter(|_| !rows.is_empty());
    }
    for row in rows {
        match kind(&row.object) {
            Kind::Known(found) => match format {
                None => format = Some(found),
                Some(before) if before == found => {}
                Some(before) => {
                    out.error(Error::Mixed {
                        at: row.at.clone(),
                        format: found,
                        before,
                    });
                    return None;
                }
            },
            Kind::Answers(what) => {
                out.error(Error::Answers {
                    at: row.at.to_string(),
                    what,
                });
                return None;
            }
            Kind::SuiteBase => {
                out.error(Problem::BaseFile.at(&row.at));
                return None;
            }
            Kind::Unknown => {
                let fields = row
                    .object
                    .members()
                    .iter()
                    .map(|(name, _)| name.clone())
                    .collect();
                out.error(Error::UnknownRow {
                    at: row.at.clone(),
                    fields,
                });
            }
        }
    }
    format
}

/// The format of case files that a row is of, if it is of one.
pub(crate) fn known(object: &Object) -> Option<Format> {
    match kind(object) {
        Kind::Known(format) => Some(format),
        Kind::Answers(_) | Kind::SuiteBase | Kind::Unknown => None,
    }
}

fn kind(object: &Object) -> Kind {
    let has = |name: &str| object.get(name).is_some();
    let all = |names: &[&str]| names.iter().all(|name| has(name));
    let is = |name: &str, kind: &str| object.get(name).is_some_and(|value| value.kind() == kind);
    if canonical::is_canonical(object) {
        Kind::Known(Format::Canonical)
    } else if all(&["decisions", "views"]) {
        Kind::Answers("an episode of system1-agents")
    } else if is("ticks", "an array") {
        Kind::Answers("a browser run of system1-agents")
    } else if agentjev::is_exchange(object) {
        Kind::Known(Format::AgentJev)
    } else if all(&["request", "response"]) {
        Kind::Known(Format::Exchange)
    } else if all(&["base_id", "phrasing", "order", "key_variant"]) {
        Kind::Known(Format::Suite)
    } else if suite::is_base(object) {
        Kind::SuiteBase
    } else if is("questions", "an object") && is("gold", "an object") && has("track") {
        Kind::Known(Format::Sys1Eval)
    } else if all(&["answers", "ok", "id"]) {
        Kind::Answers("a result file of sys1-eval")
    } else if is("questions", "a string") && has("state") {
        Kind::Known(Format::TypedDecisions)
    } else if is("questions", "an object") && has("state") {
        Kind::Known(Format::SystemOne)
    } else if agentjev::is_request(object) {
        Kind::Known(Format::AgentJev)
    } else if is("questions", "an array") && has("input") {
        Kind::Known(Format::OpenAi)
    } else if has("answers") && has("model") {
        Kind::Answers("a System One response")
    } else if is_probe(object) {
        Kind::Known(Format::Probe)
    } else if QUESTIONS.iter().any(|name| has(name)) {
        question_kind(object)
    } else if has("id") && ANSWER.iter().any(|name| has(name)) {
        Kind::Answers("a table of answers")
    } else {
        Kind::Unknown
    }
}

/// A probe case, also one that misses a field: the reader then names it.
fn is_probe(object: &Object) -> bool {
    let has = |name: &str| object.get(name).is_some();
    let keyed = match object.get("options") {
        Some(Json::Object(_)) => true,
        Some(Json::Array(options)) => options.iter().any(|option| option.as_object().is_some()),
        _ => false,
    };
    let asked = QUESTIONS.iter().any(|name| has(name));
    (has("state") && (has("options") || has("type") || has("rules")))
        || (keyed && !asked && (has("rules") || has("accept")))
}

fn question_kind(object: &Object) -> Kind {
    let has = |name: &str| object.get(name).is_some();
    let listed = ["options", "choices", "endings", "opa"]
        .into_iter()
        .any(has)
        || object
            .get("question")
            .and_then(Json::as_object)
            .is_some_and(|question| question.get("choices").is_some());
    let paired = pairwise::PAIRS
        .iter()
        .any(|(first, second)| has(first) && has(second));
    match (listed, paired) {
        (true, _) => Kind::Known(Format::Choice),
        (false, true) => Kind::Known(Format::Pairwise),
        (false, false) => Kind::Unknown,
    }
}
