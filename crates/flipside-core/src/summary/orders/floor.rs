//! The flip rate of every pair of orders.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The flip rates of all pairs of orders of the cases with one number of options. Source: the statistics page, 3.
///
/// Its spread belongs to a pair of orders drawn at random. It is no sampling error, and it vanishes where all orders are asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NoiseFloor {
    /// Options per case.
    pub options: u64,
    /// Cases with that many that were planned in at least two orders.
    pub cases: u64,
    /// The orders by name, the own one first.
    pub orders: Vec<String>,
    /// Those among them that each case draws for itself: the name is the same for all cases, the order is not.
    pub drawn_per_case: Vec<String>,
    /// Pairs of orders with a rate.
    pub order_pairs: u64,
    /// Pairs of orders that no case answered under both.
    pub order_pairs_without_rate: u64,
    /// Mean rate over the pairs of orders.
    pub mean: Option<f64>,
    /// Population standard deviation over the pairs of orders.
    pub sd: Option<f64>,
    /// Smallest and largest rate of a pair of orders.
    pub range: Option<[f64; 2]>,
    /// The pair that the order axis begins with: the own order against the first other one.
    pub published: Option<PublishedPair>,
    /// What a model that always takes one position would have over all pairs of orders.
    pub position_picker: Option<f64>,
    /// What a model that answers at random would have.
    pub random_answerer: Option<f64>,
    /// Every pair of orders; empty where there are too many orders to list.
    pub pairs: Vec<OrderPair>,
    /// Pairs of orders that are not listed; they are in the figures.
    pub pairs_left_out: u64,
    /// Why there are no figures.
    pub reason: Option<String>,
}

/// Where the published pair stands among all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedPair {
    /// The own order.
    pub first: String,
    /// The other.
    pub second: String,
    /// Its rate.
    pub rate: f64,
    /// Pairs of orders with a rate strictly under it.
    pub pairs_below: u64,
}

/// One pair of orders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrderPair {
    /// One order.
    pub first: String,
    /// The other.
    pub second: String,
    /// Cases whose answer differs.
    pub flips: u64,
    /// Cases compared.
    pub pairs: u64,
    /// The share; null without a case.
    pub rate: Option<f64>,
    /// Two-sided 95 % Wilson interval.
    pub interval: Option<[f64; 2]>,
    /// Cases in which neither answer decided.
    pub no_decision: u64,
    /// Cases with an answer missing or unasked.
    pub missing: u64,
    /// What accuracy averaged over the two orders is at most; null where a case accepts several options.
    pub accuracy_ceiling: Option<f64>,
}
