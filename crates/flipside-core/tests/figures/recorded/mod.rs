//! Recorded answers to pairs: which option is which, what differs, and what is refused.

mod counted;
mod laws;
mod options;
mod refusals;

use flipside_core::answer::Answer;
use flipside_core::case::{Case, CaseOption, Key};
use flipside_core::compare::{About, AnswerSet, CaseAnswers, RecordedAsk};
use flipside_core::json::Json;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::record::Outcome;
use flipside_core::recorded::{Join, Pairing, Refusal, pair};
use flipside_core::summary::{RecordedPairs, Summary};

use crate::common;

/// A case of these keys and texts.
pub(crate) fn case(number: usize, options: &[(&str, &str)]) -> Case {
    let option = |(key, text): &(&str, &str)| CaseOption {
        key: Key((*key).to_owned()),
        text: Some(Json::String((*text).to_owned())),
    };
    let keys: [&str; 0] = [];
    Case {
        options: options.iter().map(option).collect(),
        ..common::case(number, keys)
    }
}

/// The same case with its options listed backwards.
pub(crate) fn reversed(mut case: Case) -> Case {
    case.options.reverse();
    let last = u16::try_from(case.options.len()).unwrap() - 1;
    case.accept.iter_mut().for_each(|id| id.0 = last - id.0);
    case.accept.sort_unstable();
    case
}

pub(crate) fn chose(id: u16) -> Outcome {
    common::chose(id)
}

pub(crate) fn with(p: &[f64]) -> Outcome {
    let (top, _) = (0_u16..).zip(p).max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    Outcome::Answered(Answer {
        choice: Some(OptionId(top)),
        probabilities: Some(p.to_vec()),
        ..Answer::default()
    })
}

/// A recorded set of `model`.
pub(crate) fn side(model: &str, cases: Vec<(Case, Outcome)>) -> AnswerSet {
    let answers = |(case, outcome): (Case, Outcome)| CaseAnswers {
        asks: vec![RecordedAsk {
            variant: Variant::baseline().into(),
            order: Order::own(case.options.len()),
            outcome,
        }],
        case,
    };
    set(model, cases.into_iter().map(answers).collect())
}

pub(crate) fn set(model: &str, cases: Vec<CaseAnswers>) -> AnswerSet {
    AnswerSet {
        about: About {
            name: format!("{model}.jsonl"),
            model: model.to_owned(),
            requested: None,
            endpoint: None,
            served: Vec::new(),
            flipside: None,
            method: None,
            started: None,
            cases: cases.len() as u64,
            planned: None,
            recorded: cases.len() as u64,
            failed: 0,
            complete: true,
            stopped_by: None,
        },
        cases,
    }
}

pub(crate) fn paired(baseline: AnswerSet, variant: AnswerSet) -> Result<Pairing, Refusal> {
    let join = Join::new(&baseline, &variant);
    pair(baseline, variant, join)
}

pub(crate) fn summary_of(pairing: Pairing) -> Summary {
    let gates = pairing.gates(&[], false);
    pairing.summary(&gates, "test", None)
}

/// The summary of one model's answers to two presentations.
pub(crate) fn summary(baseline: Vec<(Case, Outcome)>, variant: Vec<(Case, Outcome)>) -> Summary {
    summary_of(paired(side("m", baseline), side("m", variant)).unwrap())
}

pub(crate) fn found(summary: &Summary) -> &RecordedPairs {
    summary.recorded_pairs.as_ref().unwrap()
}

/// What the variant's answer to case `place` chose, by the baseline's identity, and its order.
pub(crate) fn moved(summary: &Summary, place: usize) -> (u16, Vec<u16>) {
    let ask = &summary.cases[place].asks[1];
    let order = ask.order.identities().iter().map(|id| id.0).collect();
    (ask.choice.unwrap().0, order)
}
