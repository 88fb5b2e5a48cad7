//! What orders do to accuracy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CaseShare;

/// What orders do to accuracy, on labelled cases. Source: the statistics page, 3 and 11.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrderAccuracy {
    /// How far accuracy moves from order to order.
    pub format_spread: FormatSpread,
    /// What some and every order gets right.
    pub sensitivity: Sensitivity,
    /// Cases right in every rotation, of those asked in all of them. Not comparable across numbers of options.
    pub circular_accuracy: CaseShare,
    /// Labelled cases asked in all rotations of which an answer is missing or unasked; left out.
    pub circular_left_out: u64,
    /// Cases right in at least a share of their answers.
    pub min_consistency_accuracy: Vec<Consistency>,
}

/// The largest minus the smallest accuracy of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FormatSpread {
    /// Accuracy by order, for the orders that mean one thing for all cases.
    pub orders: Vec<OrderShare>,
    /// Labelled cases answered in all of them.
    pub cases: u64,
    /// Labelled cases left out because such an answer is missing or unasked.
    pub left_out: u64,
    /// Largest minus smallest. Noise alone makes it positive.
    pub value: Option<f64>,
    /// Mean of the same over shuffles of the orders within each case: what noise alone gives.
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

/// Accuracy in one order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrderShare {
    /// The order.
    pub order: String,
    /// Accepted answers.
    pub right: u64,
    /// Cases.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// Two-sided 95 % Wilson interval.
    pub interval: [f64; 2],
}

/// What some order and what every order gets right. The gap between them grows with the number of orders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sensitivity {
    /// Orders per case; null where cases differ.
    pub orders: Option<u64>,
    /// Labelled cases left out because an answer is missing or unasked.
    pub left_out: u64,
    /// Cases right in at least one order.
    pub any_right: CaseShare,
    /// Cases right in every order.
    pub every_right: CaseShare,
    /// Their difference: cases right in some order and not in every one.
    pub gap: CaseShare,
}

/// Cases right in at least a share of their answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Consistency {
    /// The least share of a case's answers.
    pub at_least: f64,
    /// The cases that reach it, of the labelled ones with at least two answers.
    pub share: CaseShare,
}
