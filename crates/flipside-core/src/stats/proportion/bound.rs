//! Wilson and Clopper-Pearson intervals, one-sided exact bounds, and the smallest file that can hold a limit.

use super::super::number::{
    MOST, check_count, check_hits, check_level, check_open, check_positive, check_unit, real, whole,
};
use super::super::special::{Tail, at_least, beta_root, normal_quantile, two_sided_z};
use super::super::{Error, Estimate, Method};

/// Wilson score interval for `hits` of `n` independent units.
///
/// `hits <= n`; `level` is the coverage, strictly between 0 and 1. Bounds are fractions, lower first; no hit gives a lower
/// bound of exactly 0, all hits an upper bound of exactly 1. For tables: as a gate it passes too much (`upper_bound`).
///
/// # Errors
/// [`Error::Empty`] if `n` is 0, [`Error::Hits`] if `hits` is above `n`, [`Error::Level`] if `level` is out of range,
/// [`Error::TooMany`] above 10^12.
///
/// Source: Wilson 1927. Compared with statsmodels' `proportion_confint` (goldens `wilson`).
pub fn wilson(hits: u64, n: u64, level: f64) -> Result<Estimate, Error> {
    check_hits(hits, n)?;
    let (lower, upper) = wilson_limits(hits, n, two_sided_z(level)?);
    Estimate::new(
        real(hits) / real(n),
        (lower, upper),
        level,
        n,
        Method::Wilson,
    )
}

/// One-sided Wilson upper limit. For comparison only; gates use [`upper_bound`].
///
/// Arguments as there.
///
/// # Errors
/// As [`upper_bound`].
///
/// Source: Wilson 1927 (golden `wilson_one_sided_upper_0_52`).
pub fn wilson_upper(hits: u64, n: u64, alpha: f64) -> Result<f64, Error> {
    check_hits(hits, n)?;
    check_open("alpha", alpha)?;
    Ok(wilson_limits(hits, n, normal_quantile(Tail::Upper, alpha)?.max(0.0)).1)
}

/// Wilson limits at `z`; `hits <= n`, `n > 0`.
pub(in crate::stats) fn wilson_limits(hits: u64, n: u64, z: f64) -> (f64, f64) {
    let lower = |hits: u64| {
        // The conjugate of the textbook form: no difference of near equals for small shares.
        let (x, n) = (real(hits), real(n));
        let p = x / n;
        let square = z * z;
        let middle = p + square / (2.0 * n);
        let half = z * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
        p * p / (middle + half)
    };
    let low = if hits == 0 { 0.0 } else { lower(hits) };
    let high = if hits == n {
        1.0
    } else {
        1.0 - lower(n - hits)
    };
    if hits == 0 {
        // 1 minus the mirrored limit would lose the digits of a small bound.
        return (0.0, z * z / (real(n) + z * z));
    }
    (low, high)
}

/// Clopper-Pearson exact interval for `hits` of `n` independent units.
///
/// `hits <= n`; `level` is the coverage, strictly between 0 and 1; each end errs with at most half the rest.
///
/// # Errors
/// As [`wilson`].
///
/// Source: Clopper & Pearson 1934, through the inverse incomplete beta function. Compared with statsmodels and with
/// 40-digit values to 1e-12 relative (goldens `clopper_pearson`).
pub fn clopper_pearson(hits: u64, n: u64, level: f64) -> Result<Estimate, Error> {
    check_hits(hits, n)?;
    check_level(level)?;
    let alpha = (1.0 - level) / 2.0;
    let ends = (lower_bound(hits, n, alpha)?, upper_bound(hits, n, alpha)?);
    Estimate::new(real(hits) / real(n), ends, level, n, Method::ClopperPearson)
}

/// Exact one-sided upper bound: the rate at which `hits` or fewer of `n` have probability `alpha`.
///
/// `hits <= n`; `alpha` strictly between 0 and 1, the chance that the true rate is above the bound. 1 if all hit. A
/// fraction, good to 1e-12 relative for `n` up to 10^6.
///
/// # Errors
/// [`Error::Empty`] if `n` is 0, [`Error::Hits`] if `hits` is above `n`, [`Error::OutOfRange`] for `alpha`,
/// [`Error::TooMany`] above 10^12.
///
/// Source: Clopper & Pearson 1934. Compared with scipy's `beta.ppf` and mpmath (goldens `clopper_pearson_one_sided`).
pub fn upper_bound(hits: u64, n: u64, alpha: f64) -> Result<f64, Error> {
    check_hits(hits, n)?;
    check_open("alpha", alpha)?;
    Ok(if hits == n {
        1.0
    } else if hits == 0 {
        none_of(n, alpha)
    } else {
        beta_root(real(hits) + 1.0, real(n - hits), Tail::Upper, alpha).x
    })
}

/// Exact one-sided lower bound: the rate at which `hits` or more of `n` have probability `alpha`.
///
/// Arguments, range, errors and source as [`upper_bound`]; 0 if nothing hit.
///
/// # Errors
/// As [`upper_bound`].
pub fn lower_bound(hits: u64, n: u64, alpha: f64) -> Result<f64, Error> {
    check_hits(hits, n)?;
    check_open("alpha", alpha)?;
    Ok(if hits == 0 {
        0.0
    } else if hits == n {
        (alpha.ln() / real(n)).exp()
    } else {
        beta_root(real(hits), real(n - hits) + 1.0, Tail::Lower, alpha).x
    })
}

/// `1 - alpha^(1/n)`.
fn none_of(n: u64, alpha: f64) -> f64 {
    -(alpha.ln() / real(n)).exp_m1()
}

/// The shorthand `3/n` for the upper bound after no hit, at `alpha` = 5 %. May exceed 1.
///
/// # Errors
/// [`Error::Empty`] if `n` is 0, [`Error::TooMany`] above 10^12.
pub fn rule_of_three(n: u64) -> Result<f64, Error> {
    check_count("n", n)?;
    Ok(3.0 / real(n))
}

/// The share `flips/pairs` if all `missing` pairs were the same, and if all had flipped: `x/(n+m)` and `(x+m)/(n+m)`.
///
/// `None` if there are neither pairs nor missing ones, or more flips than pairs.
///
/// Source: section 2.3 of the statistics page (goldens `tally`).
pub fn missing_bounds(flips: u64, pairs: u64, missing: u64) -> Option<(f64, f64)> {
    let all = pairs.saturating_add(missing);
    if all == 0 || flips > pairs {
        return None;
    }
    Some((
        real(flips) / real(all),
        real(flips.saturating_add(missing)) / real(all),
    ))
}

/// Exact one-sided test that a rate is at most `limit`: the chance of `hits` or more of `n` at it.
///
/// At most `alpha` exactly where [`lower_bound`] is at or over the limit.
///
/// # Errors
/// [`Error::Empty`] if `n` is 0, [`Error::Hits`] if `hits` is above it, [`Error::OutOfRange`] for `limit`.
///
/// Source: the binomial test, whose inversion Clopper and Pearson's bound is.
pub fn p_over(hits: u64, n: u64, limit: f64) -> Result<f64, Error> {
    check_count("n", n)?;
    check_hits(hits, n)?;
    check_unit("limit", limit)?;
    Ok(at_least(hits, n, limit))
}

/// The smallest limit that `n` cases can certify: the upper bound when none of them flips.
///
/// # Errors
/// As [`upper_bound`].
///
/// Source: section 6.2 of the statistics page (goldens `n_required`).
pub fn best_limit(n: u64, alpha: f64) -> Result<f64, Error> {
    upper_bound(0, n, alpha)
}

/// The smallest number of cases with which `flips` flips still certify `limit`: `upper_bound(flips, n, alpha) <= limit`.
///
/// `None` if no number does: `limit` is 0 or under (sampling cannot certify zero), an argument is out of range, or more
/// than 10^12 cases would be needed.
///
/// Source: section 6.2 of the statistics page. Compared with scipy (goldens `n_required`).
pub fn cases_needed(flips: u64, limit: f64, alpha: f64) -> Option<u64> {
    if check_positive("limit", limit).is_err() || check_open("alpha", alpha).is_err() {
        return None;
    }
    let holds = |n: u64| upper_bound(flips, n, alpha).is_ok_and(|upper| upper <= limit);
    let mut fails = flips.max(1);
    if holds(fails) {
        return Some(fails);
    }
    // The bound is above flips/n, so no fewer than flips/limit cases can do.
    let start = whole(real(flips) / limit).clamp(fails + 1, MOST);
    if start > fails && !holds(start) {
        fails = start;
    }
    let mut passes = start;
    while !holds(passes) {
        if passes >= MOST {
            return None;
        }
        fails = passes;
        passes = passes.saturating_mul(2).min(MOST);
    }
    while passes - fails > 1 {
        let middle = fails + (passes - fails) / 2;
        if holds(middle) {
            passes = middle;
        } else {
            fails = middle;
        }
    }
    Some(passes)
}
