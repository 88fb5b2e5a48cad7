//! What stands behind pairs of recorded answers.

use flipside_core::compare::About;
use flipside_core::summary::RecordedPairs;

fn about(name: &str) -> About {
    About {
        name: name.to_owned(),
        model: "laya".to_owned(),
        requested: None,
        endpoint: None,
        served: Vec::new(),
        flipside: None,
        method: None,
        started: None,
        cases: 8,
        planned: None,
        recorded: 8,
        failed: 0,
        complete: true,
        stopped_by: None,
    }
}

/// Two records of the same eight cases, with nothing left out.
pub(crate) fn recorded_pairs() -> RecordedPairs {
    RecordedPairs {
        joined: 8,
        ..RecordedPairs::new(about("a.jsonl"), Some(about("b\u{1b}[2J.jsonl")))
    }
}
