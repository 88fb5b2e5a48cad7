//! One tick and the view that it stood at, as a decision.

use std::collections::BTreeMap;

use flipside_core::case::{
    Brought, Case, CaseId, CaseOption, FieldValue, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::json::{Json, Number, Object};
use flipside_core::order::OptionId;
use flipside_core::record::Outcome;
use flipside_core::recorded::{BACKEND, Decision, FRONT, Missing, QUESTION};

use super::episode::{Tick, View};
use crate::import::rules::Rules;
use crate::import::{Error, build};
use crate::read::{self, At, Out};

/// The part of system1-agents that wrote such folders.
const TOOL: &str = "tool";
/// The name of the one question that it asks.
const PICK: &str = "pick";
/// The backend that picks without probabilities, and without a confidence that means something.
const WITHOUT_PROBABILITIES: &str = "llm";

/// What the decisions of an episode have in common.
pub(super) struct Context<'a> {
    pub(super) at: &'a At,
    pub(super) source: &'a Source,
    /// What ids begin with.
    pub(super) name: &'a str,
    pub(super) job: Option<&'a str>,
    /// The policy, where a tick does not name its own.
    pub(super) policy: Option<&'a str>,
    pub(super) seed: Option<FieldValue>,
    pub(super) rules: &'a Rules<'a>,
    /// The expected answer by ticket.
    pub(super) expected: &'a BTreeMap<&'a str, &'a str>,
}

/// The decision at `tick`, which stood at `view`, if that is known; `None` after an error that is in `out`.
pub(super) fn decision(
    tick: &Tick<'_>,
    view: Option<&View<'_>>,
    context: &Context<'_>,
    out: &mut Out,
) -> Result<Option<Decision>, Error> {
    let (state, options) = match view {
        Some(view) => {
            let offered = view.offered(&tick.blocked).into_iter();
            let option = |place: usize| {
                let (key, text) = &view.candidates[place];
                option(key, Some(text).filter(|text| **text != Json::Null))
            };
            (view.state.clone(), offered.map(option).collect())
        }
        None => (Json::Null, answered(tick)),
    };
    let mut case = Case {
        id: CaseId(format!("{}/{}", context.name, tick.step)),
        named: true,
        source: context.source.clone(),
        state,
        question: Question {
            kind: QuestionKind::Choice,
            name: PICK.to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        accept: accept(view, &options, context)?.into(),
        options: options.into(),
        keys: KeyBinding::Option,
        position_dependent: None,
        note: None,
        fields: fields(tick, context).into(),
        equal: Vec::new().into(),
        brought: Brought {
            unlisted: view.is_none(),
            ..Brought::default()
        },
    };
    let mut missing = Vec::new();
    if view.is_none() {
        missing.push(Missing::View);
    }
    case.question.instructions = match view {
        Some(_) => context.rules.for_case(&case, context.at)?,
        None => None,
    };
    if case.question.instructions.is_none() {
        missing.push(Missing::Rules);
    }
    let lacks = [
        (tick.plan, Missing::Plan),
        (tick.notices, Missing::Notices),
        (
            view.is_some_and(|view| has_picture(view.state)),
            Missing::Images,
        ),
    ];
    missing.extend(
        lacks
            .into_iter()
            .filter_map(|(lacks, what)| lacks.then_some(what)),
    );
    if tick.key.is_none() {
        let why = tick.error.unwrap_or("the decision failed").to_owned();
        missing.push(Missing::Answer { why });
    }
    let Some(case) = out.checked(case) else {
        return Ok(None);
    };
    Ok(Some(Decision {
        outcome: tick.key.map(|key| outcome(tick, key, &case)),
        case,
        others: Vec::new(),
        missing,
    }))
}

fn option(key: &str, text: Option<&Json>) -> CaseOption {
    CaseOption {
        key: Key(key.to_owned()),
        text: text.cloned(),
    }
}

/// The keys that the answer names, where nothing else is known of the options.
fn answered(tick: &Tick<'_>) -> Vec<CaseOption> {
    let keys = tick.probabilities.iter().map(|(key, _)| key.as_str());
    let mut keys: Vec<&str> = keys.collect();
    if keys.is_empty() {
        keys.push(tick.key.unwrap_or_default());
    }
    keys.into_iter().map(|key| option(key, None)).collect()
}

/// The expected answer, which is accepted if it was offered.
fn accept(
    view: Option<&View<'_>>,
    options: &[CaseOption],
    context: &Context<'_>,
) -> Result<Vec<OptionId>, Error> {
    let Some(view) = view else {
        return Ok(Vec::new());
    };
    let ticket = view
        .state
        .as_object()
        .and_then(|state| state.get("ticket")?.as_object()?.get("id")?.as_str());
    let Some(expected) = ticket.and_then(|ticket| context.expected.get(ticket)) else {
        return Ok(Vec::new());
    };
    if view.candidates.iter().all(|(key, _)| key != expected) {
        let not_offered = read::Error::NotOffered {
            at: context.at.clone(),
            field: "extra.ticket_router.routes.expected",
            found: format!("`{expected}`"),
            offered: view.candidates.iter().map(|(key, _)| key.clone()).collect(),
        };
        return Err(not_offered.into());
    }
    let known = (0..).map(OptionId).zip(options);
    let named = known.filter(|(_, option)| option.key.0 == *expected);
    Ok(named.map(|(id, _)| id).collect())
}

fn fields(tick: &Tick<'_>, context: &Context<'_>) -> Vec<(String, FieldValue)> {
    let text = |text: &str| FieldValue::Text(text.to_owned());
    let step = Number::parse(&tick.step.to_string()).expect("a whole number is a JSON number");
    let fields = [
        (BACKEND, tick.source.or(context.policy).map(text)),
        (FRONT, Some(text(TOOL))),
        (QUESTION, Some(text(PICK))),
        ("job", context.job.map(text)),
        ("episode", Some(text(context.name))),
        ("seed", context.seed.clone()),
        ("step", Some(FieldValue::Number(step))),
    ];
    let known = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    known.collect()
}

/// What was answered, by identity.
fn outcome(tick: &Tick<'_>, key: &str, case: &Case) -> Outcome {
    let member = |name: &str, value: Json| (name.to_owned(), value);
    let mut members = vec![
        member("type", Json::String(QuestionKind::Choice.name().to_owned())),
        member("choice", Json::String(key.to_owned())),
    ];
    if !tick.probabilities.is_empty() {
        let probabilities = Object::new(tick.probabilities.to_vec());
        let probabilities = probabilities.expect("an object was read without a repeated key");
        members.push(member("probabilities", Json::Object(probabilities)));
    }
    if tick.source != Some(WITHOUT_PROBABILITIES) {
        members.extend(
            tick.confidence
                .map(|value| member("confidence", value.clone())),
        );
    }
    let given = Object::new(members).expect("four different keys");
    build::outcome(case, &given, tick.served_by)
}

/// Whether a picture stands in a state, or the name of the file that it was in.
fn has_picture(state: &Json) -> bool {
    const TYPES: [&str; 4] = ["image", "image_url", "input_image", "screenshot"];
    const ENDINGS: [&str; 4] = [".png", ".jpg", ".jpeg", ".webp"];
    match state {
        Json::String(text) => {
            text.starts_with("data:image/") || ENDINGS.iter().any(|ending| text.ends_with(ending))
        }
        Json::Array(items) => items.iter().any(has_picture),
        Json::Object(object) => {
            let kind = object.get("type").and_then(Json::as_str);
            kind.is_some_and(|kind| TYPES.contains(&kind))
                || object.members().iter().any(|(_, value)| has_picture(value))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}
