//! What stands behind pairs of recorded answers.

use flipside_core::compare::About;
use flipside_core::summary::{Quoted, RecordedPairs};

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
        baseline: about("a.jsonl"),
        variant: Some(about("b\u{1b}[2J.jsonl")),
        joined: 8,
        only_baseline: 0,
        only_variant: 0,
        repeated: 0,
        other_options: 0,
        other_types: 0,
        other_labels: 0,
        failed: [0; 2],
        same_request: 0,
        unlisted: 0,
        not_compared: 0,
        also: Vec::new(),
        quoted: Quoted::default(),
    }
}
