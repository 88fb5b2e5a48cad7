//! Whether confidence means what it says, with labels and without.

use super::Error;
use super::drift::check_probabilities;
use super::number::{check_count, check_length, check_unit, index, length, real, whole};

/// Under this many cases an expected calibration error is not reported.
pub const FEWEST_CASES: u64 = 100;

/// Equal-width bins unless a caller has a reason for another number.
pub const BINS: u64 = 10;

/// Calibration of the first choice.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Calibration {
    /// Expected calibration error, from 0 to 1. Report it from [`FEWEST_CASES`] on.
    pub ece: f64,
    /// Mean squared distance of confidence from being right.
    pub brier_top: f64,
    /// Mean confidence.
    pub mean_confidence: f64,
    /// Share of right answers.
    pub accuracy: f64,
    /// Answers.
    pub n: u64,
}

/// Calibration of answers with their confidence (own largest probability) and whether each was right.
///
/// `bins` equal-width bins, left closed, 1 in the last.
///
/// # Errors
/// [`Error::Empty`] without answers or bins, [`Error::Length`] if the lists differ, [`Error::OutOfRange`] for a confidence.
///
/// Source: Naeini et al. 2015, section 11 of the statistics page (golden `calibration`).
pub fn calibration(confidence: &[f64], right: &[bool], bins: u64) -> Result<Calibration, Error> {
    check_length("right", right.len(), confidence.len())?;
    check_count("confidence", confidence.len() as u64)?;
    check_count("bins", bins)?;
    let mut sums = vec![0.0; index("bins", bins)?];
    let (mut brier, mut sure, mut hits) = (0.0, 0.0, 0.0);
    for (&value, &right) in confidence.iter().zip(right) {
        check_unit("confidence", value)?;
        let outcome = if right { 1.0 } else { 0.0 };
        let bin = whole(value * real(bins)).min(bins - 1);
        sums[index("bins", bin)?] += value - outcome;
        brier += (value - outcome).powi(2);
        sure += value;
        hits += outcome;
    }
    let n = length(confidence.len());
    Ok(Calibration {
        ece: sums.iter().map(|sum| sum.abs()).sum::<f64>() / n,
        brier_top: brier / n,
        mean_confidence: sure / n,
        accuracy: hits / n,
        n: confidence.len() as u64,
    })
}

/// Scores of whole probability vectors against the accepted option.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct ProbabilityScore {
    /// Squared distances summed over options, mean over cases: from 0 to 2.
    pub brier: f64,
    /// Mean negative log probability of the accepted option, in nats. `None` if one of them is 0.
    pub log_loss: Option<f64>,
}

/// Brier score and log loss of one probability vector per case, with the index of the accepted option of each.
///
/// # Errors
/// [`Error::Empty`] without cases, [`Error::Length`] if the lists differ or an index is beyond its vector,
/// [`Error::OutOfRange`] for a probability.
///
/// Source: Brier 1950, section 11 of the statistics page (golden `calibration`).
pub fn probability_score(
    probabilities: &[Vec<f64>],
    accepted: &[usize],
) -> Result<ProbabilityScore, Error> {
    check_length("accepted", accepted.len(), probabilities.len())?;
    check_count("probabilities", probabilities.len() as u64)?;
    let (mut brier, mut log_loss) = (0.0, Some(0.0));
    for (row, &accepted) in probabilities.iter().zip(accepted) {
        check_probabilities("probabilities", row)?;
        let Some(&given) = row.get(accepted) else {
            return Err(Error::Length {
                what: "probabilities",
                found: row.len(),
                expected: accepted + 1,
            });
        };
        for (option, &probability) in row.iter().enumerate() {
            check_unit("probabilities", probability)?;
            let outcome = if option == accepted { 1.0 } else { 0.0 };
            brier += (probability - outcome).powi(2);
        }
        log_loss = log_loss
            .filter(|_| given > 0.0)
            .map(|sum: f64| sum - given.ln());
    }
    let n = length(probabilities.len());
    Ok(ProbabilityScore {
        brier: brier / n,
        log_loss: log_loss.map(|sum| sum / n),
    })
}

/// What order-averaged accuracy and confidence can be, without any label.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct LabelFree {
    /// Order-averaged accuracy is at most this.
    pub accuracy_ceiling: f64,
    /// Mean confidence exceeds it by at least this.
    pub overconfidence_at_least: f64,
}

/// Label-free bounds from each case's modal share and mean confidence, for cases with one accepted option.
///
/// # Errors
/// [`Error::Empty`] without cases, [`Error::Length`] if the lists differ, [`Error::OutOfRange`] for a value outside 0 to 1.
///
/// Source: section 11 of the statistics page, an own construction (golden `calibration`).
pub fn label_free(modal_share: &[f64], mean_confidence: &[f64]) -> Result<LabelFree, Error> {
    check_length("mean_confidence", mean_confidence.len(), modal_share.len())?;
    check_count("modal_share", modal_share.len() as u64)?;
    for &value in modal_share.iter().chain(mean_confidence) {
        check_unit("shares", value)?;
    }
    let n = length(modal_share.len());
    let accuracy_ceiling = modal_share.iter().sum::<f64>() / n;
    let confidence = mean_confidence.iter().sum::<f64>() / n;
    Ok(LabelFree {
        accuracy_ceiling,
        overconfidence_at_least: (confidence - accuracy_ceiling).max(0.0),
    })
}

/// Accuracy averaged over two orders is at most `1 - flip_rate/2`.
///
/// # Errors
/// [`Error::OutOfRange`] if the rate is not from 0 to 1.
///
/// Source: section 3 of the statistics page (golden `calibration`).
pub fn two_order_ceiling(flip_rate: f64) -> Result<f64, Error> {
    check_unit("flip_rate", flip_rate)?;
    Ok(1.0 - flip_rate / 2.0)
}
