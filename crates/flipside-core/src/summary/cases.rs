//! Cases with their asks.

use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Confidence, Declined};
use crate::case::QuestionKind;
use crate::order::{OptionId, Order};
use crate::perturb::Axis;
use crate::record::FailedKind;
use crate::shared::List;

/// One case with its asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseSummary {
    /// The case's id.
    pub id: String,
    /// Its file.
    pub file: Arc<str>,
    /// Its line, from 1.
    pub line: u64,
    /// How its question is answered.
    pub question: QuestionKind,
    /// Whether its keys stay in their places when the order changes, as letters and level numbers do.
    pub keys_stay: bool,
    /// Its keys in its own order: the key of identity `i` is `keys[i]`.
    pub keys: List<Arc<str>>,
    /// Whether no order of its options is on record: then `keys` and the orders of its asks are lists, and no places.
    pub unlisted: bool,
    /// Accepted identities; empty for an unlabelled case.
    pub accept: List<OptionId>,
    /// Classes of options, by identity, that are declared to be the same answer: choosing one or another is no flip.
    pub equal: List<Vec<OptionId>>,
    /// The values of the fields that the run groups cases by.
    pub fields: IndexMap<String, String>,
    /// What was answered to it before, in its own order and words; null where nothing is on record. Its `flip` says whether the
    /// baseline's answer now is another; null where that is the recorded one.
    pub recorded: Option<Box<AskSummary>>,
    /// Its asks, the baseline first.
    pub asks: Vec<AskSummary>,
}

/// One ask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AskSummary {
    /// The axis.
    pub axis: Axis,
    /// The value on it.
    pub variant: Arc<str>,
    /// The order of the options: the identity shown in position `p` is `order[p]`.
    pub order: Order,
    /// The keys as shown, first position first.
    pub keys: List<Arc<str>>,
    /// What became of the ask.
    pub status: AskStatus,
    /// The chosen identity.
    pub choice: Option<OptionId>,
    /// The chosen key as shown.
    pub key: Option<Arc<str>>,
    /// Probabilities by identity, as received.
    pub probabilities: Option<Vec<f64>>,
    /// Whether the top two probabilities are equal as reported.
    pub tied: bool,
    /// The backend's own confidence, kept and never compared: its meaning differs by backend.
    pub backend_confidence: Option<f64>,
    /// Our own confidence, by one formula for every backend; null without probabilities.
    pub confidence: Option<Confidence>,
    /// Whether the choice is accepted; null for an unlabelled case or without an answer.
    pub ok: Option<bool>,
    /// Whether the choice is another answer than the baseline's; null for the baseline and for a pair that cannot be compared.
    pub flip: Option<bool>,
    /// The variant of its axis that it is compared with; null where that is the baseline.
    pub against: Option<Arc<str>>,
    /// Whether the answer is that on record, so that it was not asked.
    pub recorded: bool,
    /// How long the last attempt took, in milliseconds; null if it was not asked.
    pub ms: Option<f64>,
    /// Why it did not decide.
    pub declined: Option<Declined>,
    /// The kind of failure.
    pub failed: Option<FailedKind>,
    /// What was found, for a failed ask.
    pub failure: Option<String>,
    /// The same presentation asked once more to confirm a flip; null if it was not to be.
    pub again: Option<Box<AskSummary>>,
}

/// What became of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AskStatus {
    /// A valid answer that decided.
    Answered,
    /// A valid answer that did not decide.
    Declined,
    /// A failed ask.
    Failed,
    /// Planned and not made.
    Unasked,
}
