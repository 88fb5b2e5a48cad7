//! What all orders asked show together.

mod accuracy;
mod agreement;
mod calibration;
mod floor;
mod variance;

pub use accuracy::{Consistency, FormatSpread, OrderAccuracy, OrderShare, Sensitivity};
pub use agreement::{Agreement, Allowed, ChanceAdjusted, Coefficient};
pub use calibration::{
    Calibrated, CalibrationChange, ConfidenceBin, Drawn, LabelFreeBounds, OrderCalibration,
};
pub use floor::{NoiseFloor, OrderPair, PublishedPair};
pub use variance::{AskChoice, OrderVariance};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stats::Method;

/// What all orders asked show together: the own one and every other, each order of a case once, controls never.
///
/// Where a case shows one order under two names, it counts under the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Orders {
    /// Cases planned in at least two orders.
    pub cases: u64,
    /// How many orders they were planned in.
    pub planned: Range,
    /// Asks in these orders that failed, or that another model served than the own order's.
    pub missing: u64,
    /// Asks in these orders that were not made.
    pub unasked: u64,
    /// Answers that did not decide.
    pub no_decision: u64,
    /// How far the answers of a case agree.
    pub agreement: Agreement,
    /// The flip rate of every pair of orders; by number of options, since an order is one thing for one number of options.
    pub noise_floor: Vec<NoiseFloor>,
    /// What the orders do to accuracy.
    pub accuracy: OrderAccuracy,
    /// What they do to confidence.
    pub calibration: OrderCalibration,
    /// How much differs between cases and how much within, and what that says about the next run.
    pub variance: OrderVariance,
}

/// Smallest and largest of a count over cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// The smallest.
    pub least: u64,
    /// The largest.
    pub most: u64,
}

/// A share of cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseShare {
    /// Cases that show it.
    pub count: u64,
    /// Cases looked at.
    pub of: u64,
    /// The share; null without a case.
    pub rate: Option<f64>,
    /// Two-sided 95 % Wilson interval.
    pub interval: Option<[f64; 2]>,
    /// One-sided exact lower bound at the run's alpha, as if no case left open showed it.
    pub lower: Option<f64>,
    /// One-sided exact upper bound at the run's alpha, as if every case left open showed it.
    pub upper: Option<f64>,
    /// Why there is no share.
    pub reason: Option<String>,
}

/// A mean over cases of a value between 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseMean {
    /// The mean; null without a case.
    pub value: Option<f64>,
    /// Cases.
    pub cases: u64,
    /// Two-sided 95 % interval over cases.
    pub interval: Option<[f64; 2]>,
    /// Where the interval comes from.
    pub method: Option<Method>,
    /// The seed that its resamples were drawn from, if any were.
    pub seed: Option<u64>,
    /// Why there is no mean.
    pub reason: Option<String>,
}
