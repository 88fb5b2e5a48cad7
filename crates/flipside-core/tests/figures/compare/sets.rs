//! Answer sets made by hand.

use flipside_core::answer::Answer;
use flipside_core::case::{Case, CaseId};
use flipside_core::compare::{
    About, AnswerSet, CaseAnswers, Comparison, Demand, RecordedAsk, Refusal, Wanted, compare,
};
use flipside_core::json::Json;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::record::{Failed, FailedKind, Outcome};

use crate::common;
pub(crate) use crate::common::chose;
use crate::made::keys;

/// A three-option case; `accept` are the accepted identities.
pub(crate) fn case(id: &str, options: usize, accept: &[u16]) -> Case {
    Case {
        id: CaseId(id.to_owned()),
        state: Json::String(format!("state of {id}")),
        accept: accept.iter().copied().map(OptionId).collect(),
        ..common::case(0, keys("k", options))
    }
}

pub(crate) fn declined() -> Outcome {
    Outcome::Answered(Answer::default())
}

pub(crate) fn with_probabilities(p: &[f64]) -> Outcome {
    let (top, _) = (0_u16..).zip(p).max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    Outcome::Answered(Answer {
        choice: Some(OptionId(top)),
        probabilities: Some(p.to_vec()),
        ..Answer::default()
    })
}

pub(crate) fn served(option: u16, model: &str) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(option)),
        served_model: Some(model.into()),
        ..Answer::default()
    })
}

pub(crate) fn failed() -> Outcome {
    Outcome::Failed(Failed {
        kind: FailedKind::Timeout,
        message: "no reply".to_owned(),
        unanswered: true,
    })
}

pub(crate) fn own(options: usize, outcome: Outcome) -> RecordedAsk {
    RecordedAsk {
        variant: Variant::baseline().into(),
        order: Order::own(options),
        outcome,
    }
}

pub(crate) fn other(name: &str, order: Order, outcome: Outcome) -> RecordedAsk {
    RecordedAsk {
        variant: Variant::order(name).into(),
        order,
        outcome,
    }
}

pub(crate) fn reversed(options: usize, outcome: Outcome) -> RecordedAsk {
    other("reverse", Order::reverse(options), outcome)
}

/// A finished answer set.
pub(crate) fn set(cases: Vec<CaseAnswers>) -> AnswerSet {
    AnswerSet {
        about: About {
            name: "run".to_owned(),
            model: "model".to_owned(),
            requested: None,
            endpoint: None,
            served: Vec::new(),
            flipside: None,
            method: Some(1),
            started: None,
            cases: cases.len() as u64,
            planned: None,
            recorded: cases.iter().map(|case| case.asks.len() as u64).sum(),
            failed: 0,
            complete: true,
            stopped_by: None,
        },
        cases,
    }
}

/// Cases of three options with own-order and reversed answers: `(accepted, own, reversed)`.
pub(crate) fn three(answers: &[(Option<u16>, Outcome, Outcome)]) -> AnswerSet {
    let cases = answers.iter().enumerate().map(|(number, given)| {
        let accept: Vec<u16> = given.0.into_iter().collect();
        CaseAnswers {
            case: case(&format!("c{number:03}"), 3, &accept),
            asks: vec![own(3, given.1.clone()), reversed(3, given.2.clone())],
        }
    });
    set(cases.collect())
}

pub(crate) const PLAIN: Wanted<'static> = Wanted {
    version: "test",
    orders: &[],
    by: &[],
    equivalent: Demand {
        accuracy: None,
        flips: None,
    },
    not_worse: Demand {
        accuracy: None,
        flips: None,
    },
    alpha: 0.05,
};

pub(crate) fn compared(baseline: &AnswerSet, variant: &AnswerSet) -> Comparison {
    compare(baseline, variant, &PLAIN).unwrap()
}

pub(crate) fn refused(baseline: &AnswerSet, variant: &AnswerSet) -> Refusal {
    compare(baseline, variant, &PLAIN).unwrap_err()
}

/// Equal to six digits, as the statistics page prints.
#[track_caller]
pub(crate) fn near(found: impl Into<Option<f64>>, expected: f64) {
    let found = found.into().unwrap();
    assert!((found - expected).abs() < 5e-7, "{found} {expected}");
}
