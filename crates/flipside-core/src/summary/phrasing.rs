//! What all rewordings asked show together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::orders::{CaseShare, Range};

/// What all rewordings asked show together: a case's own words and each approved rewording that it brings. How far each one moves
/// answers has a line of its own. Source: the statistics page, 10 and 11.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhrasingSummary {
    /// Cases planned in their own words and in a rewording.
    pub cases: u64,
    /// How many wordings they were planned in, the own one among them.
    pub wordings: Range,
    /// Asks in these wordings that failed, or that another model served than the own words'.
    pub missing: u64,
    /// Asks in these wordings that were not made.
    pub unasked: u64,
    /// Answers that did not decide.
    pub no_decision: u64,
    /// Cases by how many different answers their wordings got, not to decide being one; ascending, without numbers that no case
    /// has.
    pub different_answers: Vec<DifferentAnswers>,
    /// Cases in none of these numbers: an answer is missing or unasked, or none decided.
    pub different_answers_left_out: u64,
    /// Cases with two different answers or more. Not comparable across numbers of wordings.
    pub any_flip: CaseShare,
    /// Cases of one answer so far of which another is missing or unasked; in `any_flip` as if they had one.
    pub any_flip_open: u64,
    /// Accepted answers by wording, the own words first.
    pub accuracy: WordingSpread,
    /// Flips against the own words by rewording.
    pub flips: WordingSpread,
}

/// Cases that gave so many different answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferentAnswers {
    /// How many.
    pub answers: u64,
    /// Cases.
    pub cases: u64,
}

/// A share by wording over the same cases, and how far it moves: over the rewordings that at least as many cases bring as the
/// third most frequent one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WordingSpread {
    /// The share by wording.
    pub wordings: Vec<WordingShare>,
    /// Cases with an answer in all of them.
    pub cases: u64,
    /// Cases left out: they lack one of the rewordings or an answer, or, for flips, neither answer of a pair decided.
    pub left_out: u64,
    /// The smallest share.
    pub least: Option<f64>,
    /// The largest share.
    pub most: Option<f64>,
    /// Largest minus smallest; null under three rewordings. Noise alone makes it positive.
    pub value: Option<f64>,
    /// Mean of the same over shuffles of the wordings within each case: what noise alone gives.
    pub shuffled_mean: Option<f64>,
    /// Share of shuffles with at least the observed spread.
    pub shuffled_at_least: Option<f64>,
    /// Shuffles; 0 where there is no spread.
    pub shuffles: u32,
    /// The seed of the shuffles.
    pub seed: Option<u64>,
    /// Why there is no spread.
    pub reason: Option<String>,
}

/// Cases that show something under one wording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WordingShare {
    /// The rewording; `own` for the case's own words.
    pub wording: String,
    /// Cases that show it.
    pub count: u64,
    /// Cases.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// Two-sided 95 % interval: Wilson's, or with clusters that of Korn and Graubard.
    pub interval: [f64; 2],
}
