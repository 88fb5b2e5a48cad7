//! Binomial probabilities in Loader's saddle-point form, and their tails.

use super::super::Error;
use super::super::number::{check_hits, check_unit, real};
use super::Tails;
use super::beta::tails as beta;
use super::gamma::{complement_rests, deviance_from, stirling_error};

/// Probability of exactly `hits` of `n` independent units, each with probability `rate`.
///
/// `hits <= n`, `1 <= n <= 10^12`, `rate` from 0 to 1. Good to 1e-12 relative for `n` up to 10^6 and results down to
/// 1e-290; beyond, the error is at most 1e-15 times the logarithm of the result.
///
/// # Errors
/// [`Error::Empty`] if `n` is 0, [`Error::Hits`] if `hits` is above `n`, [`Error::TooMany`] above 10^12,
/// [`Error::OutOfRange`] for the rate.
///
/// Source: Loader 2000. Compared with mpmath and statrs.
pub fn binomial_pmf(hits: u64, n: u64, rate: f64) -> Result<f64, Error> {
    check_hits(hits, n)?;
    check_unit("rate", rate)?;
    Ok(pmf(hits, n, rate))
}

/// Probability of at most `hits` (`lower`) and of more than `hits` (`upper`) of `n` units.
///
/// Ranges as for [`binomial_pmf`]. The smaller tail is good to 1e-12 relative for `n` up to 10^6.
///
/// # Errors
/// As [`binomial_pmf`].
///
/// Source: the regularised incomplete beta function. Compared with mpmath and statrs.
pub fn binomial_tails(hits: u64, n: u64, rate: f64) -> Result<Tails, Error> {
    check_hits(hits, n)?;
    check_unit("rate", rate)?;
    Ok(tails(hits, n, rate))
}

/// [`binomial_pmf`] without checks; 1 for `n` = 0.
pub(in crate::stats) fn pmf(hits: u64, n: u64, rate: f64) -> f64 {
    let (x, n_real, misses) = (real(hits), real(n), real(n - hits));
    if n == 0 {
        return 1.0;
    }
    if rate <= 0.0 {
        return if hits == 0 { 1.0 } else { 0.0 };
    }
    if rate >= 1.0 {
        return if hits == n { 1.0 } else { 0.0 };
    }
    if hits == 0 {
        return (n_real * (-rate).ln_1p()).exp();
    }
    if hits == n {
        return (n_real * rate.ln()).exp();
    }
    let (rest, miss_rest) = complement_rests(rate, 1.0 - rate);
    let exponent = stirling_error(n_real)
        - stirling_error(x)
        - stirling_error(misses)
        - deviance_from(x, n_real, rate, rest)
        - deviance_from(misses, n_real, 1.0 - rate, miss_rest);
    exponent.exp() * (n_real / x / (std::f64::consts::TAU * misses)).sqrt()
}

fn tails(hits: u64, n: u64, rate: f64) -> Tails {
    if hits >= n {
        return Tails {
            lower: 1.0,
            upper: 0.0,
        };
    }
    if hits == 0 {
        let ln_none = real(n) * (-rate).ln_1p();
        return Tails {
            lower: ln_none.exp(),
            upper: -ln_none.exp_m1(),
        };
    }
    let at = beta(real(hits) + 1.0, real(n - hits), rate, 1.0 - rate);
    Tails {
        lower: at.upper,
        upper: at.lower,
    }
}

/// Probability of at most `hits` of `n`, without checks.
pub(in crate::stats) fn at_most(hits: u64, n: u64, rate: f64) -> f64 {
    tails(hits, n, rate).lower
}

/// Probability of at least `hits` of `n`, without checks.
pub(in crate::stats) fn at_least(hits: u64, n: u64, rate: f64) -> f64 {
    match hits.checked_sub(1) {
        None => 1.0,
        Some(before) => tails(before, n, rate).upper,
    }
}
