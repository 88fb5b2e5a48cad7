//! One decision on record.

use crate::case::Case;
use crate::compare::RecordedAsk;
use crate::record::Outcome;

use super::Missing;

/// The field of a decision's case that names the backend by which it was made, as its recorder calls it.
pub const BACKEND: &str = "backend";
/// The field that names the part of the recording program that asked.
pub const FRONT: &str = "front";
/// The field that names the question.
pub const QUESTION: &str = "question";

/// One decision on record.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What was decided, as far as that is on record. Its own order is the one in which the options were offered; where no order
    /// is on record, `brought.unlisted` says so. Its fields are those of the record, and [`BACKEND`], [`FRONT`] and [`QUESTION`].
    pub case: Case,
    /// What was answered in the case's own order and words, by identity; `None` where no answer is on record.
    pub outcome: Option<Outcome>,
    /// Further answers on record to the same case, in other orders.
    pub others: Vec<RecordedAsk>,
    /// What is not on record and would be needed; each once.
    pub missing: Vec<Missing>,
}

/// What a decision on record is good for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It can be asked again.
    Reask,
    /// It can be compared and not asked again.
    Compare,
    /// It can be neither.
    Neither,
}

impl Decision {
    /// What it is good for. One that lacks nothing but its answer can be asked again.
    pub fn standing(&self) -> Standing {
        let answer = |missing: &Missing| matches!(missing, Missing::Answer { .. });
        if self.missing.iter().all(answer) {
            Standing::Reask
        } else if self.outcome.is_some() && !self.missing.iter().any(Missing::bars_comparison) {
            Standing::Compare
        } else {
            Standing::Neither
        }
    }
}
