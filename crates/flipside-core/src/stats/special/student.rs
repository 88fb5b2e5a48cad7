//! Tails and quantiles of Student's t, F and chi-square.

use super::super::Error;
use super::super::number::{check_finite, check_open, check_positive, finite};
use super::Tail;
use super::beta::{quantile, tails};
use super::gamma::raw_tails;

/// Probability that Student's t with `df` degrees of freedom is at least `|t|` away from 0.
///
/// `df > 0` and finite, `t` finite. Good to 1e-12 relative for `df` up to 10^6.
///
/// # Errors
/// [`Error::OutOfRange`] for either argument.
///
/// Source: Abramowitz & Stegun 26.5.27. Compared with mpmath.
pub fn student_two_sided(t: f64, df: f64) -> Result<f64, Error> {
    check_finite("t", t)?;
    check_positive("df", df)?;
    let square = t * t;
    let below = df + square;
    if !below.is_finite() {
        return Ok(0.0);
    }
    Ok(tails(df / 2.0, 0.5, df / below, square / below).lower)
}

/// The t that `df` degrees of freedom exceed with `probability`.
///
/// `df > 0` and finite, `probability` strictly between 0 and 0.5 for a positive answer; above 0.5 the answer is negative.
/// Good to 1e-12 relative.
///
/// # Errors
/// [`Error::OutOfRange`] for either argument; [`Error::NotFinite`] if the answer overflows.
///
/// Source: the inverse incomplete beta function. Compared with mpmath and statrs.
pub fn student_quantile_upper(probability: f64, df: f64) -> Result<f64, Error> {
    check_open("probability", probability)?;
    check_positive("df", df)?;
    if probability > 0.5 {
        return Ok(-student_quantile_upper(1.0 - probability, df)?);
    }
    if probability >= 0.5 {
        return Ok(0.0);
    }
    let root = quantile(df / 2.0, 0.5, Tail::Lower, 2.0 * probability);
    finite("student_quantile_upper", (df * (root.y / root.x)).sqrt())
}

/// Probability that F with `(df1, df2)` degrees of freedom is above `f`.
///
/// `f >= 0`, degrees of freedom above 0, all finite. Good to 1e-12 relative for degrees up to 10^6.
///
/// # Errors
/// [`Error::OutOfRange`] for any argument.
///
/// Source: Abramowitz & Stegun 26.6.2. Compared with mpmath.
pub fn f_upper(f: f64, df1: f64, df2: f64) -> Result<f64, Error> {
    check_positive("df1", df1)?;
    check_positive("df2", df2)?;
    if !(f >= 0.0 && f.is_finite()) {
        return Err(Error::OutOfRange {
            what: "f",
            value: f,
            expected: "a finite number from 0",
        });
    }
    let scaled = df1 * f;
    let below = df2 + scaled;
    if !below.is_finite() {
        return Ok(0.0);
    }
    Ok(tails(df2 / 2.0, df1 / 2.0, df2 / below, scaled / below).lower)
}

/// The F that `(df1, df2)` degrees of freedom exceed with `probability`.
///
/// Degrees of freedom above 0 and finite, `probability` strictly between 0 and 1. Good to 1e-12 relative.
///
/// # Errors
/// [`Error::OutOfRange`] for any argument; [`Error::NotFinite`] if the answer overflows.
///
/// Source: the inverse incomplete beta function. Compared with mpmath and statrs.
pub fn f_quantile_upper(probability: f64, df1: f64, df2: f64) -> Result<f64, Error> {
    check_open("probability", probability)?;
    check_positive("df1", df1)?;
    check_positive("df2", df2)?;
    let root = quantile(df2 / 2.0, df1 / 2.0, Tail::Lower, probability);
    finite("f_quantile_upper", df2 / df1 * (root.y / root.x))
}

/// Probability that chi-square with `df` degrees of freedom is above `x`.
///
/// `x >= 0`, `df > 0`, both finite. Good to 1e-12 relative for `df` up to 10^6.
///
/// # Errors
/// [`Error::OutOfRange`] for either argument.
///
/// Source: the incomplete gamma function. Compared with mpmath.
pub fn chi_square_upper(x: f64, df: f64) -> Result<f64, Error> {
    check_positive("df", df)?;
    if !(x >= 0.0 && x.is_finite()) {
        return Err(Error::OutOfRange {
            what: "x",
            value: x,
            expected: "a finite number from 0",
        });
    }
    Ok(raw_chi_square_upper(x, df))
}

/// [`chi_square_upper`] without checks.
pub(in crate::stats) fn raw_chi_square_upper(x: f64, df: f64) -> f64 {
    raw_tails(df / 2.0, x / 2.0).upper
}
