//! The normal distribution: both tails and the quantile.

use super::super::Error;
use super::super::number::{check_finite, check_level, check_open};
use super::gamma::raw_tails;
use super::{Tail, Tails};

/// Both tails of the standard normal distribution at `z`.
///
/// `z` finite. The smaller tail is good to 1e-13 relative for `|z|` up to 37, where it is 1e-300.
///
/// # Errors
/// [`Error::OutOfRange`] if `z` is not finite.
///
/// Source: the incomplete gamma function of shape one half. Compared with mpmath.
pub fn normal_tails(z: f64) -> Result<Tails, Error> {
    check_finite("z", z)?;
    let beyond = upper(z.abs());
    Ok(if z >= 0.0 {
        Tails {
            lower: 1.0 - beyond,
            upper: beyond,
        }
    } else {
        Tails {
            lower: beyond,
            upper: 1.0 - beyond,
        }
    })
}

/// Probability above `z`, for `z >= 0`.
fn upper(z: f64) -> f64 {
    0.5 * raw_tails(0.5, 0.5 * z * z).upper
}

/// The point at which a tail of the standard normal distribution holds `probability`.
///
/// `probability` strictly between 0 and 1. Good to 1e-13 relative for probabilities from 1e-300 to 0.49 in either tail,
/// to 1e-15 absolute nearer the middle.
///
/// # Errors
/// [`Error::OutOfRange`] if `probability` is not strictly between 0 and 1.
///
/// Source: Abramowitz & Stegun 26.2.23, then Newton steps on the logarithm of the tail. Compared with mpmath.
pub fn normal_quantile(tail: Tail, probability: f64) -> Result<f64, Error> {
    check_open("probability", probability)?;
    let z = raw_upper_quantile(probability);
    Ok(match tail {
        Tail::Upper => z,
        Tail::Lower => -z,
    })
}

/// `z` with `level` between `-z` and `z`.
///
/// # Errors
/// [`Error::Level`] if `level` is not strictly between 0 and 1.
pub(in crate::stats) fn two_sided_z(level: f64) -> Result<f64, Error> {
    check_level(level)?;
    Ok(raw_upper_quantile((1.0 - level) / 2.0))
}

pub(in crate::stats) fn raw_upper_quantile(probability: f64) -> f64 {
    if probability > 0.5 {
        return -raw_upper_quantile(1.0 - probability);
    }
    let mut z = rough_upper_quantile(probability).max(0.0);
    for _ in 0..4 {
        let tail = upper(z);
        let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
        // Newton on ln(tail): its slope is -density/tail, and it is nearly straight in z^2.
        let step = (tail / probability).ln() * tail / density;
        z += step;
        if step.abs() <= 1e-16 * z {
            break;
        }
    }
    z.max(0.0)
}

/// Within 4.5e-4 of the point that holds `probability` above it. Source: Abramowitz & Stegun 26.2.23.
pub(super) fn rough_upper_quantile(probability: f64) -> f64 {
    if probability > 0.5 {
        return -rough_upper_quantile(1.0 - probability);
    }
    let t = (-2.0 * probability.ln()).sqrt();
    t - (2.515_517 + t * (0.802_853 + t * 0.010_328))
        / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)))
}
