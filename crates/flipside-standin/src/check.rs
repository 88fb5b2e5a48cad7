//! What each dialect refuses in a request body.

use std::borrow::Cow;

use crate::dialect::{Dialect, Wrong};
use crate::json::{Json, Member, Node};
use crate::offers::{levels, options, permutation, sides};
use crate::request::{Envelope, Kind, Problem, Question, field};
use crate::strict;

const LAYA_PKG_MODELS: [&str; 6] = [
    "jev-latest",
    "jev-preview",
    "jev-1.13",
    "jev-1.13.0",
    "laya",
    "laya-latest",
];
/// Characters of a question's name at `jev-compatible-server`.
const LONGEST_NAME: usize = 128;
const BYTES_PER_TOKEN: usize = 4;

/// Checks everything around the questions.
pub(crate) fn envelope(
    envelope: &Envelope<'_>,
    dialect: Dialect,
    served: &str,
    text: &str,
) -> Result<(), Problem> {
    let limits = dialect.limits();
    if text.len() / BYTES_PER_TOKEN > limits.body_tokens {
        let message = format!("more than {} tokens", limits.body_tokens);
        return Err(Problem::new(Wrong::TooManyTokens, &["body"], message));
    }
    if envelope.lone_surrogate && (dialect.is_laya() || dialect == Dialect::Cua) {
        return Err(Problem::new(
            Wrong::NotJson,
            &["body"],
            "an unpaired surrogate",
        ));
    }
    if matches!(dialect, Dialect::LayaPkg | Dialect::JevCompatible) {
        let unknown = envelope.unknown.as_ref();
        if let Some(name) = unknown.or(envelope.controls.first().map(|control| &control.key)) {
            return Err(Problem::new(
                Wrong::Question,
                &["body", name],
                "unknown field",
            ));
        }
    }
    if dialect.is_laya() {
        for control in &envelope.controls {
            let fits = match control.key.as_ref() {
                "max_len" | "head_max_len" => {
                    matches!(control.node.json, Json::Number(n) if n.parse::<u32>().is_ok_and(|n| n > 0))
                }
                "min_confidence" => matches!(control.node.json, Json::Number(_) | Json::Null),
                _ => matches!(control.node.json, Json::Text(_) | Json::Null),
            };
            if !fits {
                return Err(Problem::new(
                    Wrong::Question,
                    &["body", &control.key],
                    "bad control",
                ));
            }
        }
    }
    if dialect == Dialect::Cua {
        strict::check(text)?;
    }
    model(envelope.model.as_ref(), dialect, served)
}

fn model(node: Option<&Node<'_>>, dialect: Dialect, served: &str) -> Result<(), Problem> {
    let name = match node.map(|node| &node.json) {
        Some(Json::Text(name)) if !name.is_empty() => Some(name.as_ref()),
        None => None,
        Some(_) => {
            let message = "`model` must be a non-empty string";
            return Err(Problem::new(Wrong::Question, &["body", "model"], message));
        }
    };
    let known = match (dialect, name) {
        (Dialect::Typesafe | Dialect::Openrouter | Dialect::Vercel | Dialect::Runware, None) => {
            return Err(Problem::new(
                Wrong::Question,
                &["body", "model"],
                "`model` is required",
            ));
        }
        (
            Dialect::Typesafe
            | Dialect::Openrouter
            | Dialect::Vercel
            | Dialect::Runware
            | Dialect::OllamaS1
            | Dialect::Kev
            | Dialect::Cloudflare
            | Dialect::JevCompatible
            | Dialect::Language(_)
            // Read and checked in modules of their own.
            | Dialect::OpenaiDecisions
            | Dialect::Agentjev,
            _,
        )
        | (_, None) => true,
        (Dialect::Cua, Some(name)) => name == served,
        (Dialect::Laya | Dialect::Predict | Dialect::ProblemJson, Some(name)) => {
            !name.contains('/') || name == served
        }
        (Dialect::LayaPkg, Some(name)) => name == served || LAYA_PKG_MODELS.contains(&name),
        (Dialect::Clm, Some(name)) => name == served || name == Dialect::Clm.model(),
    };
    if known {
        return Ok(());
    }
    let message = format!("unknown model `{}`", name.unwrap_or_default());
    Err(Problem::new(
        Wrong::UnknownModel,
        &["body", "model"],
        message,
    ))
}

/// Checks the states, each as JSON text.
pub(crate) fn states(states: &[&str], dialect: Dialect) -> Result<(), Problem> {
    for state in states {
        if !state.starts_with(['"', '{', '[']) {
            let message = "`state` must be a string, an object or an array";
            return Err(Problem::new(Wrong::Envelope, &["body", "state"], message));
        }
        if dialect == Dialect::Cua && strict::is_empty(state) {
            let message = "`state` must not be empty";
            return Err(Problem::new(Wrong::Envelope, &["body", "state"], message));
        }
        let limit = dialect.limits().state_chars;
        if state.len() > limit && state.chars().count() > limit {
            let message = format!("the state is longer than {limit} characters");
            return Err(Problem::new(
                Wrong::StateTooLong,
                &["body", "state"],
                message,
            ));
        }
    }
    Ok(())
}

/// Checks CLM's `temperature`, which other dialects ignore.
pub(crate) fn temperature(
    node: Option<&Node<'_>>,
    dialect: Dialect,
) -> Result<Option<f64>, Problem> {
    let Some(node) = node.filter(|_| dialect == Dialect::Clm) else {
        return Ok(None);
    };
    match node.raw.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 100.0 => Ok(Some(value)),
        _ => {
            let message = "`temperature` must be above 0 and at most 100";
            Err(Problem::new(
                Wrong::Question,
                &["body", "temperature"],
                message,
            ))
        }
    }
}

/// Reads one question.
pub(crate) fn question(member: Member<'_>, dialect: Dialect) -> Result<Question<'_>, Problem> {
    let Member { key: id, node } = member;
    let wrong = |name: &str, message: &str| {
        Problem::new(Wrong::Question, &["body", "questions", &id, name], message)
    };
    let Json::Object(fields) = node.json else {
        return Err(wrong("", "a question must be an object"));
    };
    let kind = match field(&fields, "type").map(|node| &node.json) {
        Some(Json::Text(kind)) => match kind.as_ref() {
            "choice" => Kind::Choice,
            "score" => Kind::Score,
            "noul" => Kind::Noul,
            other => return Err(wrong("type", &format!("unknown question type `{other}`"))),
        },
        _ => return Err(wrong("type", "`type` is required")),
    };
    if dialect.choices_only() && kind != Kind::Choice {
        return Err(wrong("type", "only `choice` questions are answered"));
    }
    if dialect == Dialect::Cloudflare && !strict::is_plain_name(&id) {
        return Err(wrong(
            "",
            "a name has 1 to 100 of A-Z, a-z, 0-9, `_`, `.` and `-`",
        ));
    }
    if matches!(dialect, Dialect::LayaPkg | Dialect::JevCompatible) {
        let unknown = fields
            .iter()
            .find(|field| !["type", "instructions", "criteria"].contains(&field.key.as_ref()));
        if let Some(unknown) = unknown {
            return Err(wrong(&unknown.key, "unknown field"));
        }
    }
    let criteria = field(&fields, "criteria");
    let at = |wrong: Wrong, message: String| {
        let name = if kind == Kind::Noul {
            "noul"
        } else if kind == Kind::Score {
            "score"
        } else {
            "choice"
        };
        Problem::new(
            wrong,
            &["body", "questions", &id, name, "criteria"],
            message,
        )
    };
    let offers = match kind {
        Kind::Choice => {
            options(criteria, dialect).map_err(|(wrong, message)| at(wrong, message))?
        }
        Kind::Score => levels(criteria, dialect).map_err(|(wrong, message)| at(wrong, message))?,
        Kind::Noul => sides(criteria).map_err(|message| at(Wrong::Question, message))?,
    };
    if dialect == Dialect::JevCompatible {
        strict(&id, kind, criteria, offers.len())
            .map_err(|message| at(Wrong::Question, message))?;
    }
    let option_order = match field(&fields, "option_order").filter(|_| dialect.is_laya()) {
        Some(node) => permutation(node, offers.len())
            .ok_or_else(|| {
                wrong(
                    "option_order",
                    "`option_order` must be a permutation of the option indices",
                )
            })
            .map(Some)?,
        None => None,
    };
    let instructions = field(&fields, "instructions").map_or("null", |node| node.raw);
    Ok(Question {
        id,
        kind,
        instructions,
        offers,
        option_order,
    })
}

/// The provider that is preferred, out of OpenRouter's `{"order":[..],"allow_fallbacks":..}`.
pub(crate) fn provider(node: Option<Node<'_>>) -> Result<Option<Cow<'_, str>>, Problem> {
    let Some(node) = node else {
        return Ok(None);
    };
    let wrong = || {
        let message = "`provider.order` must be a list of names";
        Problem::new(Wrong::Question, &["body", "provider", "order"], message)
    };
    let Json::Object(members) = node.json else {
        return Err(wrong());
    };
    let order = members.into_iter().find(|member| member.key == "order");
    match order.map(|member| member.node.json) {
        None => Ok(None),
        Some(Json::Array(names)) => match names.into_iter().next().map(|name| name.json) {
            Some(Json::Text(name)) => Ok(Some(name)),
            _ => Err(wrong()),
        },
        Some(_) => Err(wrong()),
    }
}

/// What only `jev-compatible-server` refuses.
fn strict(id: &str, kind: Kind, criteria: Option<&Node<'_>>, offers: usize) -> Result<(), String> {
    let both =
        matches!(criteria.map(|node| &node.json), Some(Json::Object(sides)) if sides.len() == 2);
    match kind {
        _ if id.is_empty() || id.chars().count() > LONGEST_NAME => {
            Err(format!("a name has 1 to {LONGEST_NAME} characters"))
        }
        Kind::Choice if offers < 2 => Err(format!("{offers} options, at least 2")),
        Kind::Noul if !both => Err("`criteria` must describe `true` and `false`".to_owned()),
        _ => Ok(()),
    }
}
