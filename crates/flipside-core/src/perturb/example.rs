//! Cases that the tests of single axes change.

use super::{Altered, Change, Draws, alter};
use crate::case::{
    Brought, Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use crate::json::Json;
use crate::order::Order;
use crate::plan::VacuousReason;
use crate::present::Presentation;
use crate::shared::List;

pub(super) fn string(text: &str) -> Json {
    Json::String(text.to_owned())
}

pub(super) fn option(key: &str, text: Option<&str>) -> CaseOption {
    CaseOption {
        key: Key(key.to_owned()),
        text: text.map(string),
    }
}

/// A choice between options with a key and a text each; an empty text is none.
pub(super) fn choice(options: &[(&str, &str)]) -> Case {
    let text = |text| Some(text).filter(|text: &&str| !text.is_empty());
    Case {
        id: CaseId("c-1".to_owned()),
        named: true,
        source: Source {
            format: "test".into(),
            file: "test".into(),
            line: 1,
        },
        state: string("a state"),
        question: Question {
            kind: QuestionKind::Choice,
            name: "pick".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: options
            .iter()
            .map(|(key, says)| option(key, text(says)))
            .collect(),
        keys: KeyBinding::Option,
        accept: List::new(),
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: Brought::default(),
    }
}

/// Three desks.
pub(super) fn desks() -> Case {
    choice(&[
        ("refund", "money back"),
        ("deny", "no money"),
        ("ask", "a person looks"),
    ])
}

/// A score question with these levels.
pub(super) fn score(levels: &[&str]) -> Case {
    let mut case = choice(&[]);
    case.question.kind = QuestionKind::Score;
    case.keys = KeyBinding::Place;
    case.options = levels
        .iter()
        .enumerate()
        .map(|(level, text)| option(&level.to_string(), Some(text)))
        .collect();
    case
}

/// A statement with these sides.
pub(super) fn noul(no: &str, yes: &str) -> Case {
    let mut case = choice(&[("false", no), ("true", yes)]);
    case.question.kind = QuestionKind::Noul;
    case
}

/// `case` with its options in `order` and `changes`, drawn by seed 1.
pub(super) fn altered_in(
    case: &Case,
    order: &Order,
    changes: &[Change],
) -> Result<Altered, VacuousReason> {
    let draw_key = case.draw_key();
    let draws = Draws {
        seed: 1,
        draw_key: &draw_key,
    };
    alter(case, order, changes, &draws)
}

/// What `change` shows of `case` in its own order, as `key: text`; a text that is none is left out, and one that is no string is
/// written as JSON.
pub(super) fn shown(case: &Case, change: Change) -> Result<Vec<String>, VacuousReason> {
    shown_in(case, &Order::own(case.options.len()), &[change])
}

/// The same for several changes in an order.
pub(super) fn shown_in(
    case: &Case,
    order: &Order,
    changes: &[Change],
) -> Result<Vec<String>, VacuousReason> {
    let altered = altered_in(case, order, changes)?;
    let order = Order::listing(&altered.shown);
    let options = Presentation::new(&altered.case, &order);
    let written = options.options().map(|option| match option.text {
        None => option.key.0.clone(),
        Some(Json::String(text)) => format!("{}: {text}", option.key.0),
        Some(value) => format!("{}: {}", option.key.0, value.to_text()),
    });
    Ok(written.collect())
}
