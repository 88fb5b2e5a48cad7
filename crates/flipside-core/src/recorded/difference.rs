//! What two recorded presentations of one case do not have alike.

use crate::case::{Case, KeyBinding, Question, QuestionKind};
use crate::json::Json;
use crate::order::OptionId;
use crate::perturb::Axis;

/// Something that two presentations of one case do not have alike.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Difference {
    /// The order of the options.
    Order,
    /// Their keys.
    Keys,
    /// Their texts.
    Descriptions,
    /// The state.
    State,
    /// The instructions.
    Instructions,
    /// The other questions of the request.
    Company,
}

impl Difference {
    /// Every one, that first which a pair is said to be about.
    pub const ALL: [Self; 6] = [
        Self::Order,
        Self::Keys,
        Self::Descriptions,
        Self::State,
        Self::Instructions,
        Self::Company,
    ];

    /// The axis of pairs that are about it.
    pub fn axis(self) -> Axis {
        match self {
            Self::Order => Axis::Order,
            Self::Keys => Axis::Keys,
            Self::Descriptions => Axis::Descriptions,
            Self::State | Self::Instructions => Axis::Phrasing,
            Self::Company => Axis::Batch,
        }
    }
}

/// What is on record of the request of a case: the state of every request is.
fn has_request(case: &Case) -> bool {
    case.state != Json::Null
}

/// What the two do not have alike as far as both records say, in the order of [`Difference::ALL`]; `map` leads from the
/// variant's options to the baseline's.
pub(super) fn differences(baseline: &Case, variant: &Case, map: &[OptionId]) -> Vec<Difference> {
    let listed = !baseline.brought.unlisted && !variant.brought.unlisted;
    let requests = has_request(baseline) && has_request(variant);
    let differs = |what: &Difference| match what {
        Difference::Order => {
            listed
                && sides_written(baseline)
                && sides_written(variant)
                && (0..).zip(map).any(|(place, id)| id.0 != place)
        }
        Difference::Keys => other_keys(baseline, variant, map),
        Difference::Descriptions => other_texts(baseline, variant, map, requests && listed),
        Difference::State => requests && baseline.state != variant.state,
        Difference::Instructions => {
            requests && baseline.question.instructions != variant.question.instructions
        }
        Difference::Company => other_company(&baseline.question, &variant.question, requests),
    };
    Difference::ALL.into_iter().filter(differs).collect()
}

/// Whether the options stand in an order of their own: the sides of a noul question do where both are written.
fn sides_written(case: &Case) -> bool {
    case.question.kind != QuestionKind::Noul
        || case.options.iter().all(|option| option.text.is_some())
}

fn other_keys(baseline: &Case, variant: &Case, map: &[OptionId]) -> bool {
    // Letters and level numbers stay where they are when options move.
    let by_place = baseline.keys == KeyBinding::Place && variant.keys == KeyBinding::Place;
    let mut options = variant.options.iter().zip(map).enumerate();
    options.any(|(place, (option, id))| {
        let known = if by_place { place } else { id.index() };
        baseline.options[known].key != option.key
    })
}

/// Whether an option has another text; one that is not on record is no other text.
fn other_texts(baseline: &Case, variant: &Case, map: &[OptionId], known: bool) -> bool {
    let mut options = variant.options.iter().zip(map);
    options.any(|(option, id)| {
        let first = &baseline.options[id.index()].text;
        *first != option.text && (known || (first.is_some() && option.text.is_some()))
    })
}

fn other_company(baseline: &Question, variant: &Question, known: bool) -> bool {
    if known {
        return baseline.before != variant.before || baseline.after != variant.after;
    }
    // Of answers without their request only the names of questions are on record, and only where both sides have some.
    let names = |question: &Question| {
        let all = question.before.iter().chain(&question.after);
        let mut names: Vec<String> = all.map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        names
    };
    names(baseline) != names(variant)
}

/// How many questions stood in the request.
pub(super) fn questions(question: &Question) -> u64 {
    (question.before.len() + question.after.len() + 1) as u64
}
