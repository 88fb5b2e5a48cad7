//! Answers on a scale of levels.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a figure about levels has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoreReason {
    /// Cases differ in their number of levels.
    DifferentLevels,
    /// Everything is one level, so that nothing is expected to differ.
    OneLevel,
    /// The backend states no probabilities, so that no level is expected.
    NoExpectation,
    /// Cases of one cluster are not independent, which the interval takes them to be.
    Clustered,
    /// Fewer than two cases were answered in all orders.
    TooFewCases,
    /// The answers do not vary between cases, or not within them, so that no interval exists.
    NoVariance,
}

/// Pairs of score questions of one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreFigure {
    /// Pairs in which both answers chose a level.
    pub pairs: u64,
    /// Pairs whose level changed.
    pub flips: u64,
    /// Mean absolute change, in levels.
    pub mean_change: f64,
    /// Pairs that moved by two levels or more.
    pub severe: u64,
    /// Their share.
    pub severe_rate: f64,
    /// Two-sided 95 % interval of that share: Wilson's, or with clusters that of Korn and Graubard.
    pub severe_interval: [f64; 2],
    /// Quadratic weighted kappa over levels, own order against variant. Never gated: it falls with skewed levels.
    pub weighted_kappa: Option<f64>,
    /// Why there is no kappa.
    pub kappa_reason: Option<ScoreReason>,
    /// Pairs whose expected levels moved by at least half a level.
    pub expectation: ExpectationFlips,
}

/// Pairs whose expected level moved by at least half a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectationFlips {
    /// Pairs in which both answers state an expected level.
    pub pairs: u64,
    /// Pairs that moved by at least half a level.
    pub flips: u64,
    /// The share; null without pairs.
    pub rate: Option<f64>,
    /// Two-sided 95 % interval of the share: Wilson's, or with clusters that of Korn and Graubard.
    pub interval: Option<[f64; 2]>,
    /// Why there is no rate.
    pub reason: Option<ScoreReason>,
}

/// How much the score questions' answers agree across orders, the own one included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreAgreement {
    /// ICC(A,1) over orders that are labelled alike for all cases; null where none was asked.
    pub labelled: Option<IntraClass>,
    /// ICC(1) over orders drawn for each case; null where none was asked.
    pub random: Option<IntraClass>,
}

/// An intraclass correlation of expected levels, or of levels where none is expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntraClass {
    /// Cases answered in all of the orders.
    pub cases: u64,
    /// Orders, the own one included.
    pub orders: u64,
    /// Score cases that lack one of the orders or an answer; they are left out.
    pub left_out: u64,
    /// Whether expected levels are compared; levels otherwise.
    pub of_expectations: bool,
    /// The coefficient.
    pub value: Option<f64>,
    /// Its two-sided 95 % interval; null with clusters, since it takes cases as independent.
    pub interval: Option<[f64; 2]>,
    /// Why there is none, or no interval.
    pub reason: Option<ScoreReason>,
}
