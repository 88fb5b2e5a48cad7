//! Whether confidence means what it says, order by order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Range;

/// Calibration per order, and what is known without labels. Confidence is our own largest probability, after renormalising.
/// Source: the statistics page, 11.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrderCalibration {
    /// By order, the own one first.
    pub by_order: Vec<Calibrated>,
    /// Orders that are not listed because there are too many; they are in the pooled figures.
    pub orders_left_out: u64,
    /// All orders together; cases are resampled with all their answers.
    pub pooled: Option<Calibrated>,
    /// Every listed order against the own one, on the cases that have both.
    pub changes: Vec<CalibrationChange>,
    /// Answers of labelled cases without probabilities; left out.
    pub without_probabilities: u64,
    /// Resamples of cases behind each interval; 0 where there is nothing to resample.
    pub draws: u32,
    /// Their seed.
    pub seed: Option<u64>,
    /// Bounds that need no label.
    pub label_free: LabelFreeBounds,
    /// Why there is no figure that needs labels.
    pub reason: Option<String>,
}

/// A value with its bootstrap interval over cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drawn {
    /// The value.
    pub value: f64,
    /// Two-sided 95 % percentile interval; null where it would collapse: with fewer than 10 right or 10 wrong answers, fewer
    /// than 10 changes, or fewer than 10 confidences beside the most frequent one.
    pub interval: Option<[f64; 2]>,
}

/// Calibration of the answers in one order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibrated {
    /// The order; `pooled` for all together.
    pub order: String,
    /// Labelled cases with an answer.
    pub cases: u64,
    /// Their answers.
    pub answers: u64,
    /// Accepted answers.
    pub right: u64,
    /// Mean confidence.
    pub mean_confidence: Drawn,
    /// Expected calibration error over 10 bins; null under 100 cases.
    pub ece: Option<Drawn>,
    /// Brier score of the chosen option: from 0 to 1.
    pub brier_top: Drawn,
    /// Brier score over all options: from 0 to 2; null without a case that accepts exactly one option.
    pub brier: Option<Drawn>,
    /// Answers behind it, to cases that accept exactly one option.
    pub brier_answers: u64,
    /// The answers by confidence, in tenths that have one.
    #[serde(default)]
    pub bins: Vec<ConfidenceBin>,
    /// Why a figure is null.
    pub reason: Option<String>,
}

/// Answers whose confidence lies in one tenth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfidenceBin {
    /// The lower end of the tenth, which belongs to it.
    pub from: f64,
    /// The upper end, which does not but for 1.
    pub to: f64,
    /// Answers in it.
    pub answers: u64,
    /// Accepted answers among them.
    pub right: u64,
    /// Share of accepted answers.
    pub rate: f64,
    /// Two-sided 95 % Wilson interval of that share; null where a case has several answers, or cases come in clusters, which depend on
    /// each other.
    pub interval: Option<[f64; 2]>,
    /// Mean confidence.
    pub mean_confidence: f64,
}

/// One order minus the own one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationChange {
    /// The order.
    pub order: String,
    /// Labelled cases with an answer in both.
    pub cases: u64,
    /// Change of the mean confidence.
    pub mean_confidence: Drawn,
    /// Change of the expected calibration error; null under 100 cases.
    pub ece: Option<Drawn>,
    /// Change of the Brier score of the chosen option.
    pub brier_top: Drawn,
    /// Change of the Brier score over all options.
    pub brier: Option<Drawn>,
    /// Why a figure is null.
    pub reason: Option<String>,
}

/// What order-averaged accuracy of these cases can be at most, and so how far confidence is too high at least.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelFreeBounds {
    /// Cases with at least two answers, all of them with probabilities.
    pub cases: u64,
    /// Answers per case; null without a case.
    pub orders: Option<Range>,
    /// Mean modal share: order-averaged accuracy is at most this.
    pub accuracy_ceiling: Option<f64>,
    /// Mean confidence.
    pub mean_confidence: Option<f64>,
    /// Mean confidence is at least this much above order-averaged accuracy.
    pub overconfidence_at_least: Option<f64>,
    /// Why there is no bound.
    pub reason: Option<String>,
}
