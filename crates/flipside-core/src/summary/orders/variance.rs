//! Cases or orders: where the variance of a flip rate is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a flip's variance is between cases and how much within, from flips against the own order.
/// Source: the statistics page, 13.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrderVariance {
    /// Cases, all compared in the same number of other orders.
    pub cases: u64,
    /// Other orders per case; null without a case.
    pub other_orders: Option<u64>,
    /// Cases left out: with another number of orders, or a pair that was not compared.
    pub left_out: u64,
    /// Whether every order was asked, so that a case's own rate is known and not estimated.
    pub all_orders: bool,
    /// Mean flip rate over cases and other orders.
    pub flip_rate: Option<f64>,
    /// Variance of the case's own flip rate.
    pub between: Option<f64>,
    /// Mean variance within a case.
    pub within: Option<f64>,
    /// Share of the variance that is between cases: the correlation of two orders of one case.
    pub rho: Option<f64>,
    /// Two-sided 95 % percentile interval of it over resampled cases; null where all but a few cases are alike.
    pub rho_interval: Option<[f64; 2]>,
    /// The seed of the resamples.
    pub seed: Option<u64>,
    /// Best number of other orders per case for the money; under 1 means one. Null if either part of the variance is 0.
    pub best_orders: Option<f64>,
    /// What this run's number of asks buys: many cases in two orders, or fewer in all that this run asked.
    pub choices: Vec<AskChoice>,
    /// Why there is no figure.
    pub reason: Option<String>,
}

/// One way to spend a number of asks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AskChoice {
    /// Cases.
    pub cases: u64,
    /// Orders per case, the own one included.
    pub orders: u64,
    /// What it costs.
    pub asks: u64,
    /// Standard error of the flip rate.
    pub standard_error: f64,
}
