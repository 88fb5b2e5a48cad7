//! How far two aligned probability vectors, or two vectors of logits, are apart.

use super::Error;
use super::number::{check_finite, check_length, finite, length};

/// Distances between the baseline's probabilities and a variant's, aligned by option.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Drift {
    /// Half the sum of absolute changes, from 0 to 1.
    pub total_variation: f64,
    /// Largest absolute change of a probability.
    pub largest_change: f64,
    /// Jensen-Shannon divergence in bits, from 0 to 1.
    pub jensen_shannon_bits: f64,
    /// Its square root, which is a distance.
    pub jensen_shannon_distance: f64,
    /// Kullback-Leibler divergence of the variant from the baseline, in nats. `None` with any zero.
    pub kl_nats: Option<f64>,
    /// Largest change of a log-odds between two options. `None` with any zero.
    pub log_odds: Option<f64>,
    /// Largest change of a centred log probability. `None` with any zero.
    pub centred: Option<f64>,
    /// Lead of the baseline's first option over its second.
    pub margin: f64,
    /// The same as log-odds. `None` if the second is 0.
    pub log_margin: Option<f64>,
    /// How much of the way to a flip was gone.
    pub headroom: Headroom,
    /// Options with a probability of exactly 0 on either side.
    pub zeros: u64,
}

/// Largest change of log-odds over the baseline's margin: at least 1 is necessary for any flip.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Headroom {
    /// The ratio; 0 if nothing changed.
    Ratio(f64),
    /// The baseline's first two options tie and something changed: infinitely far.
    Tie,
    /// There is a zero, so log-odds do not exist.
    Undefined,
}

/// Distances between `baseline` and `variant`.
///
/// Two vectors of one length of at least 2, finite, not negative, not all 0. They are taken as given and not renormalised;
/// no zero is replaced. Symmetric but for `kl_nats`, `margin`, `log_margin` and `headroom`.
///
/// # Errors
/// [`Error::Length`], [`Error::TooFew`], or [`Error::OutOfRange`] for the vectors.
///
/// Source: section 8 of the statistics page. Compared with scipy (goldens `drift`).
pub fn drift(baseline: &[f64], variant: &[f64]) -> Result<Drift, Error> {
    check_vectors(baseline, variant)?;
    check_probabilities("baseline", baseline)?;
    check_probabilities("variant", variant)?;
    let pairs = || baseline.iter().copied().zip(variant.iter().copied());
    let largest_change = pairs().map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
    let nats = pairs().map(|(p, q)| shannon_part(p, q)).sum::<f64>();
    let jensen_shannon_bits = nats / std::f64::consts::LN_2;
    let zeros = pairs().filter(|&(p, q)| p <= 0.0 || q <= 0.0).count() as u64;
    let logs = (zeros == 0).then(|| (natural_logs(baseline), natural_logs(variant)));
    let log_odds = logs.as_ref().map(|(p, q)| range_of_difference(p, q));
    let (first, second) = top_two(baseline);
    let log_margin = (second > 0.0).then(|| (first / second).ln());
    let headroom = match (log_odds, log_margin) {
        (Some(change), _) if change <= 0.0 => Headroom::Ratio(0.0),
        (Some(change), Some(margin)) if margin > 0.0 && (change / margin).is_finite() => {
            Headroom::Ratio(change / margin)
        }
        (Some(_), _) => Headroom::Tie,
        (None, _) => Headroom::Undefined,
    };
    Ok(Drift {
        total_variation: finite(
            "total_variation",
            pairs().map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0,
        )?,
        largest_change,
        jensen_shannon_bits: finite("jensen_shannon_bits", jensen_shannon_bits)?,
        jensen_shannon_distance: jensen_shannon_bits.sqrt(),
        kl_nats: logs.as_ref().map(|(p, q)| {
            baseline
                .iter()
                .zip(p)
                .zip(q)
                .map(|((weight, p), q)| weight * (p - q))
                .sum()
        }),
        log_odds,
        centred: logs.as_ref().map(|(p, q)| centred_difference(p, q)),
        margin: first - second,
        log_margin,
        headroom,
        zeros,
    })
}

/// Changes between two vectors of logits, which softmax fixes only up to a constant.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct LogitDrift {
    /// Largest change of a logit after both vectors were centred.
    pub centred: f64,
    /// Largest change of a difference of two logits.
    pub log_odds: f64,
}

/// Changes between two vectors of logits of one length of at least 2, all finite.
///
/// # Errors
/// [`Error::Length`], [`Error::TooFew`], or [`Error::OutOfRange`] for the vectors.
///
/// Source: section 8 of the statistics page (golden `drift`, entry `logits`).
pub fn logit_drift(baseline: &[f64], variant: &[f64]) -> Result<LogitDrift, Error> {
    check_vectors(baseline, variant)?;
    for &value in baseline.iter().chain(variant) {
        check_finite("logits", value)?;
    }
    Ok(LogitDrift {
        centred: finite("centred", centred_difference(baseline, variant))?,
        log_odds: finite("log_odds", range_of_difference(baseline, variant))?,
    })
}

/// One option's part of the Jensen-Shannon divergence, in nats: `(p ln(p/m) + q ln(q/m))/2` with `m` the mean of both.
///
/// With `r = (p - q)/(p + q)` it is `m/2 ((1+r) ln(1+r) + (1-r) ln(1-r))`, which is never negative; the series keeps the
/// digits of a small drift.
fn shannon_part(p: f64, q: f64) -> f64 {
    let sum = p + q;
    if sum <= 0.0 {
        return 0.0;
    }
    let ratio = ((p - q) / sum).abs();
    let inner = if ratio < 0.25 {
        let square = ratio * ratio;
        // 2 r^2k / (2k (2k - 1)) for k = 1 to 14; the next is under 1e-17 of the first.
        (1..=14).rev().fold(0.0, |sum, k| {
            let k = f64::from(k);
            (sum + 1.0 / (k * (2.0 * k - 1.0))) * square
        })
    } else {
        let less = if ratio < 1.0 {
            (1.0 - ratio) * (-ratio).ln_1p()
        } else {
            0.0
        };
        (1.0 + ratio) * ratio.ln_1p() + less
    };
    sum / 4.0 * inner
}

fn natural_logs(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.ln()).collect()
}

fn range_of_difference(p: &[f64], q: &[f64]) -> f64 {
    let (low, high) = p
        .iter()
        .zip(q)
        .map(|(p, q)| p - q)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), change| {
            (low.min(change), high.max(change))
        });
    high - low
}

fn centred_difference(p: &[f64], q: &[f64]) -> f64 {
    let mean = p.iter().zip(q).map(|(p, q)| p - q).sum::<f64>() / length(p.len());
    p.iter()
        .zip(q)
        .map(|(p, q)| (p - q - mean).abs())
        .fold(0.0, f64::max)
}

fn top_two(values: &[f64]) -> (f64, f64) {
    values.iter().fold((0.0, 0.0), |(first, second), &value| {
        if value > first {
            (value, first)
        } else {
            (first, value.max(second))
        }
    })
}

fn check_vectors(baseline: &[f64], variant: &[f64]) -> Result<(), Error> {
    check_length("variant", variant.len(), baseline.len())?;
    if baseline.len() < 2 {
        return Err(Error::TooFew {
            what: "options",
            found: baseline.len() as u64,
            least: 2,
        });
    }
    Ok(())
}

/// Finite, not negative, not all zero.
pub(in crate::stats) fn check_probabilities(
    what: &'static str,
    values: &[f64],
) -> Result<(), Error> {
    let mut sum = 0.0;
    for &value in values {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(Error::OutOfRange {
                what,
                value,
                expected: "a finite number from 0",
            });
        }
        sum += value;
    }
    if sum > 0.0 && sum.is_finite() {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what,
            value: sum,
            expected: "probabilities with a sum above 0",
        })
    }
}
