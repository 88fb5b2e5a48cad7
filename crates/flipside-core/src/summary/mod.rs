//! The finished summary: every figure with its denominator, interval and rule.

mod cases;
mod confirm;
mod figure;
mod run;
mod verdict;

pub use cases::{AskStatus, AskSummary, CaseSummary};
pub use confirm::{Anchored, Confirmation, Judging, Sequential};
pub use figure::{
    Accuracy, Control, Figure, Fit, KeyBaseline, Line, Mean, MorePairs, PositionBaseline,
    Transitions,
};
pub use run::{
    Asking, CountSummary, GateLine, Latency, METHOD, ModelSummary, PlanSummary, SCHEMA, Summary,
};
pub use verdict::{Rule, Verdict};
