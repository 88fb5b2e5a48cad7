//! How distributions were read out of a language model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::ReadoutKind;

/// How distributions were read out of a language model, over all asks that were answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadoutSummary {
    /// What was read.
    pub kind: ReadoutKind,
    /// Answers read.
    pub asks: u64,
    /// Answers among them for which some option was not observed, so that they have no distribution.
    pub partial: u64,
    /// Answers among them whose options had less than half of the probability.
    pub low_coverage: u64,
    /// The smallest probability that all options of an answer had together; null where nothing was listed.
    pub smallest_covered: Option<f64>,
    /// Answers in which no option could be read: their pairs are missing.
    pub unreadable: u64,
    /// Pairs of decided answers that are in no figure of drift, since one of them has no distribution.
    pub pairs_without_drift: u64,
}
