//! Recorded answers, wherever they were recorded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::case::Case;
use crate::order::Order;
use crate::perturb::Variant;
use crate::record::Outcome;
use crate::shared::Shared;

/// One recorded answer set: cases with what became of their asks.
#[derive(Clone, Debug)]
pub struct AnswerSet {
    /// Where it comes from.
    pub about: About,
    /// Its cases, each content once.
    pub cases: Vec<CaseAnswers>,
}

/// One case with what became of its asks.
#[derive(Clone, Debug)]
pub struct CaseAnswers {
    /// The case.
    pub case: Case,
    /// Its asks in the order in which they were planned, each variant once.
    pub asks: Vec<RecordedAsk>,
}

/// One recorded ask.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedAsk {
    /// The variant.
    pub variant: Shared<Variant>,
    /// The order of the options; as long as the case has options.
    pub order: Order,
    /// What became of it; identities and probabilities are those of the case.
    pub outcome: Outcome,
}

/// Where an answer set comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct About {
    /// The name by which the user called it.
    pub name: String,
    /// The model, as it was named.
    pub model: String,
    /// The model name that requests carried.
    pub requested: Option<String>,
    /// Where requests went; null in process or if unknown.
    pub endpoint: Option<String>,
    /// The model names that replies carried.
    pub served: Vec<String>,
    /// The flipside that recorded it.
    pub flipside: Option<String>,
    /// The version of the methods by which it was recorded; null if it is not written down.
    pub method: Option<u32>,
    /// When recording began, in UTC.
    pub started: Option<String>,
    /// Cases in it.
    pub cases: u64,
    /// Planned asks; null if unknown.
    pub planned: Option<u64>,
    /// Asks recorded, failed ones included.
    pub recorded: u64,
    /// Failed asks among them.
    pub failed: u64,
    /// Whether everything that was to be asked is recorded.
    pub complete: bool,
    /// The rule by which flips ended the asking before every planned ask was made, if one did.
    pub stopped_by: Option<String>,
}

impl RecordedAsk {
    pub(super) fn answer(&self) -> Option<&Answer> {
        match &self.outcome {
            Outcome::Answered(answer) => Some(answer).filter(|answer| !answer.is_unreadable()),
            Outcome::Failed(_) => None,
        }
    }
}
