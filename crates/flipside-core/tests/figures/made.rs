//! Short forms of what most tests here make and read.

use flipside_core::case::Case;
use flipside_core::gate::Gates;
use flipside_core::measure::summarise;
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::Plan;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_core::summary::Summary;
use serde_json::Value;

use crate::common::{about, card};

/// The keys `prefix0`, `prefix1` and so on.
pub(crate) fn keys(prefix: &str, options: usize) -> Vec<String> {
    (0..options)
        .map(|place| format!("{prefix}{place}"))
        .collect()
}

pub(crate) fn id(option: usize) -> OptionId {
    OptionId(u16::try_from(option).unwrap())
}

/// The plan of `cases` in `orders`, written as on the command line; in no other order where they are empty.
pub(crate) fn plan(cases: Vec<Case>, orders: &str) -> Plan {
    let specs = match orders {
        "" => Vec::new(),
        orders => OrderSpec::parse_list(orders).unwrap(),
    };
    crate::common::plan(cases, &specs, 5)
}

/// The summary of a finished run.
pub(crate) fn summary(plan: &Plan, asked: Vec<Option<Asked>>, gates: &Gates) -> Summary {
    summarise(plan, asked, gates, about(&card()))
}

/// No answer in time.
pub(crate) fn failed() -> Outcome {
    Outcome::Failed(Failed {
        kind: FailedKind::Timeout,
        message: String::new(),
        unanswered: false,
    })
}

/// The entries of a group of the golden file.
pub(crate) fn goldens(group: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../data/stat-goldens.json")).unwrap();
    let entries = file["groups"][group].as_array().unwrap().clone();
    assert!(!entries.is_empty(), "{group}");
    entries
}
