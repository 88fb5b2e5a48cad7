//! What is on record of the cases, and how that compares with now.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::figure::Line;
use crate::plan::Baseline;
use crate::recorded::RecordingTally;

/// What was answered to the cases before, in their own order and words, as far as it is on record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// Where the baseline's answers come from.
    pub baseline: Baseline,
    /// The recordings that the cases come from, with what was left; empty where they come from case files.
    pub recordings: Vec<RecordingTally>,
    /// Cases of which an answer, or that it failed, is on record.
    pub cases: u64,
    /// Cases among them whose recorded answer is valid.
    pub answered: u64,
    /// Recorded answers that are the baseline's, and were not asked.
    pub as_baseline: u64,
    /// Cases that stand for more than one recorded decision.
    pub merged: Vec<Merged>,
    /// Recorded answers against the accepted options; null without labels.
    pub accuracy: Option<RecordedAccuracy>,
    /// What was answered now, in the own order, against the record; null where there is nothing to compare.
    pub line: Option<RecordedLine>,
    /// Why there is no line; null where there is one.
    pub reason: Option<String>,
}

/// A case that stands for more than one recorded decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// The case.
    pub case: String,
    /// Decisions that it stands for.
    pub decisions: u64,
    /// Different answers on record to them; that of the first valid one counts.
    pub answers: u64,
}

/// Recorded answers against the accepted options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedAccuracy {
    /// Accepted answers.
    pub right: u64,
    /// Labelled cases with a valid answer on record.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// Two-sided 95 % interval: Wilson's, or with clusters that of Korn and Graubard.
    pub interval: [f64; 2],
}

/// The baseline's answers now against those on record: a flip is another answer than the record's. In no gate. Here `accuracy`
/// has the answers now as the variant's and the recorded ones as the own order's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedLine {
    /// The common fields.
    #[serde(flatten)]
    pub line: Line,
    /// The backends that made the decisions, as the record names them.
    pub backends: Vec<String>,
    /// The model names that recorded answers carry.
    pub served_then: Vec<String>,
    /// The model names that the baseline's answers carry now.
    pub served_now: Vec<String>,
    /// Pairs whose two answers name different models that served them. They are compared here: it is what the line is about.
    pub other_model: u64,
    /// Pairs that are missing because the record has a failed ask.
    pub failed_then: u64,
    /// Pairs that are missing because the ask failed now.
    pub failed_now: u64,
}
