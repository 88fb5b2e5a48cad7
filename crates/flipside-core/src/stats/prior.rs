//! Position priors and averages: the arithmetic of repairs.

use super::Error;
use super::drift::check_probabilities;
use super::number::{check_count, check_length, check_unit, length, real};

/// Prior of each position from one case asked in a balanced set: softmax of the mean log probability per position.
///
/// `by_position` has one row per ask and one column per position. `None` if any probability is 0.
///
/// # Errors
/// [`Error::Empty`] without asks, [`Error::Length`] for ragged rows, [`Error::OutOfRange`] for a probability.
///
/// Source: Zheng et al. 2024 (`PriDe`), section 15.2 of the statistics page (goldens `pride`).
pub fn position_prior(by_position: &[Vec<f64>]) -> Result<Option<Vec<f64>>, Error> {
    geometric_mean(by_position)
}

/// The mean of the priors of several cases.
///
/// # Errors
/// [`Error::Empty`] without cases, [`Error::Length`] for ragged rows, [`Error::OutOfRange`] for a probability.
pub fn global_prior(priors: &[Vec<f64>]) -> Result<Vec<f64>, Error> {
    arithmetic_mean(priors)
}

/// `observed` by position with the prior divided out, renormalised.
///
/// # Errors
/// [`Error::Length`] if they differ, [`Error::OutOfRange`] for a probability or a prior of 0.
///
/// Source: Zheng et al. 2024, section 15.2 of the statistics page (goldens `pride`).
pub fn debias(observed: &[f64], prior: &[f64]) -> Result<Vec<f64>, Error> {
    check_length("prior", prior.len(), observed.len())?;
    check_probabilities("observed", observed)?;
    for &value in prior {
        super::number::check_positive("prior", value)?;
    }
    normalised(
        observed
            .iter()
            .zip(prior)
            .map(|(value, prior)| value / prior)
            .collect(),
    )
}

/// Arithmetic mean of probability vectors, renormalised.
///
/// # Errors
/// [`Error::Empty`] without vectors, [`Error::Length`] if they differ, [`Error::OutOfRange`] for a probability.
pub fn arithmetic_mean(rows: &[Vec<f64>]) -> Result<Vec<f64>, Error> {
    let columns = check_rows(rows)?;
    normalised(
        (0..columns)
            .map(|column| rows.iter().map(|row| row[column]).sum())
            .collect(),
    )
}

/// Geometric mean of probability vectors, renormalised: over a Latin square it removes any position factor exactly.
///
/// `None` if any probability is 0: take the arithmetic mean for that case, and count it.
///
/// # Errors
/// [`Error::Empty`] without vectors, [`Error::Length`] if they differ, [`Error::OutOfRange`] for a probability.
///
/// Source: section 15.2 of the statistics page (goldens `pride`).
pub fn geometric_mean(rows: &[Vec<f64>]) -> Result<Option<Vec<f64>>, Error> {
    let columns = check_rows(rows)?;
    if rows.iter().flatten().any(|&value| value <= 0.0) {
        return Ok(None);
    }
    let logs: Vec<f64> = (0..columns)
        .map(|column| rows.iter().map(|row| row[column].ln()).sum::<f64>() / length(rows.len()))
        .collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    normalised(logs.iter().map(|log| (log - largest).exp()).collect()).map(Some)
}

/// Predictions of a batch, each divided by the batch's mean and renormalised.
///
/// Over-corrects when accepted positions are skewed.
///
/// # Errors
/// [`Error::Empty`] without rows, [`Error::Length`] if they differ, [`Error::OutOfRange`] for a probability or a position
/// whose mean is 0.
///
/// Source: Zhou et al. 2023, section 15.2 of the statistics page (golden `batch_calibration`).
pub fn batch_calibration(rows: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, Error> {
    let mean = arithmetic_mean(rows)?;
    rows.iter().map(|row| debias(row, &mean)).collect()
}

/// Mean asks per case when a share of the cases is asked in all K rotations: `1 + share (K - 1)`.
///
/// # Errors
/// [`Error::Empty`] without options, [`Error::OutOfRange`] if the share is not from 0 to 1.
///
/// Source: section 15.2 of the statistics page (goldens `pride`).
pub fn pride_cost(options: u64, estimation_share: f64) -> Result<f64, Error> {
    check_count("options", options)?;
    check_unit("estimation_share", estimation_share)?;
    Ok(1.0 + estimation_share * (real(options) - 1.0))
}

/// How far per-case priors spread around their mean, against how far the mean is from uniform.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct PriorSpread {
    /// The global prior.
    pub prior: Vec<f64>,
    /// Standard deviation over cases, by position.
    pub sd: Vec<f64>,
    /// Whether the mean standard deviation stays under the mean distance of the prior from uniform.
    pub common: bool,
}

/// Whether the priors of several cases are one prior.
///
/// # Errors
/// [`Error::TooFew`] under two cases, [`Error::Length`] for ragged rows, [`Error::OutOfRange`] for a probability.
///
/// Source: section 15.2 of the statistics page, which names the comparison and not its form; here means over positions.
pub fn prior_spread(priors: &[Vec<f64>]) -> Result<PriorSpread, Error> {
    if priors.len() < 2 {
        return Err(Error::TooFew {
            what: "priors",
            found: priors.len() as u64,
            least: 2,
        });
    }
    let prior = global_prior(priors)?;
    let cases = length(priors.len());
    let sd: Vec<f64> = prior
        .iter()
        .enumerate()
        .map(|(position, mean)| {
            let square: f64 = priors
                .iter()
                .map(|row| (row[position] - mean).powi(2))
                .sum();
            (square / (cases - 1.0)).sqrt()
        })
        .collect();
    let equal = 1.0 / length(prior.len());
    let away: f64 = prior.iter().map(|value| (value - equal).abs()).sum();
    let common = sd.iter().sum::<f64>() < away;
    Ok(PriorSpread { prior, sd, common })
}

fn check_rows(rows: &[Vec<f64>]) -> Result<usize, Error> {
    let Some(first) = rows.first() else {
        return Err(Error::Empty { what: "rows" });
    };
    for row in rows {
        check_length("row", row.len(), first.len())?;
        check_probabilities("rows", row)?;
    }
    Ok(first.len())
}

fn normalised(mut values: Vec<f64>) -> Result<Vec<f64>, Error> {
    let sum: f64 = values.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return Err(Error::NotFinite {
            what: "normalised probabilities",
        });
    }
    for value in &mut values {
        *value /= sum;
    }
    Ok(values)
}
