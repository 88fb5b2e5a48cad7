//! Log-gamma, log-beta, the saddle-point pieces and the regularised incomplete gamma function.

use super::super::Error;
use super::super::number::{check_positive, finite, whole};
use super::{MOST_TERMS, Tails};

/// Half the logarithm of 2 pi.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// Stirling errors of 1 to 15, from mpmath at 50 digits.
const STIRLING: [f64; 15] = [
    0.081_061_466_795_327_26,
    0.041_340_695_955_409_29,
    0.027_677_925_684_998_34,
    0.020_790_672_103_765_093,
    0.016_644_691_189_821_19,
    0.013_876_128_823_070_75,
    0.011_896_709_945_891_77,
    0.010_411_265_261_972_096,
    0.009_255_462_182_712_733,
    0.008_330_563_433_362_87,
    0.007_573_675_487_951_841,
    0.006_942_840_107_209_53,
    0.006_408_994_188_004_207,
    0.005_951_370_112_758_847_5,
    0.005_554_733_551_962_801,
];

/// From here on five terms of Stirling's series reach the last bit.
const SERIES_FROM: f64 = 16.0;

/// `ln(x!) - ((x + 1/2) ln x - x + ln(2 pi)/2)` for `x > 0`: what Stirling's formula leaves out.
pub(super) fn stirling_error(x: f64) -> f64 {
    let mut correction = 0.0;
    let mut x = x;
    while x < SERIES_FROM {
        if let Some(entry) = tabled(x) {
            return correction + entry;
        }
        correction += (x + 0.5) * (1.0 / x).ln_1p() - 1.0;
        x += 1.0;
    }
    let square = x * x;
    let series = (1.0 / 12.0
        - (1.0 / 360.0
            - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square)
            / square)
        / x;
    correction + series
}

/// The table's entry for a whole `x`.
fn tabled(x: f64) -> Option<f64> {
    if x.fract() > 0.0 {
        return None;
    }
    let index = usize::try_from(whole(x)).ok()?.checked_sub(1)?;
    STIRLING.get(index).copied()
}

/// `x ln(x/mean) + mean - x`, without the cancellation near `x = mean` (Loader's `bd0`). `x >= 0`, `mean > 0`.
pub(super) fn deviance(x: f64, mean: f64) -> f64 {
    if x <= 0.0 {
        return mean;
    }
    let difference = x - mean;
    let sum = x + mean;
    if difference.abs() < 0.1 * sum {
        let ratio = difference / sum;
        let square = ratio * ratio;
        let mut total = difference * ratio;
        let mut power = 2.0 * x * ratio;
        let mut odd = 3.0;
        loop {
            power *= square;
            let term = power / odd;
            if term.abs() <= total.abs() * 1e-17 {
                return total + term;
            }
            total += term;
            odd += 2.0;
        }
    }
    x * (x / mean).ln() + mean - x
}

/// [`deviance`] of `x` from `n (rate + rest)`, where `rest` is what rounding took from the rate.
///
/// The product's own rounding is put back too: times the distance from the mean, it would cost far tails of a million units
/// their twelfth digit.
pub(super) fn deviance_from(x: f64, n: f64, rate: f64, rest: f64) -> f64 {
    let mean = n * rate;
    let lost = n.mul_add(rate, -mean) + n * rest;
    deviance(x, mean) + lost * ((mean - x) / mean)
}

/// What rounding took from the larger of two numbers that add up to 1: from the first, from the second.
pub(super) fn complement_rests(x: f64, y: f64) -> (f64, f64) {
    if x > y {
        ((1.0 - x) - y, 0.0)
    } else {
        (0.0, (1.0 - y) - x)
    }
}

/// `ln x^a e^-x / Gamma(a + 1)`.
fn ln_poisson(a: f64, x: f64) -> f64 {
    -stirling_error(a) - deviance(a, x) - 0.5 * a.ln() - HALF_LN_TAU
}

/// `ln Gamma(x)` without checks.
pub(super) fn raw_ln_gamma(x: f64) -> f64 {
    (x - 0.5) * x.ln() - x + HALF_LN_TAU + stirling_error(x)
}

/// Natural logarithm of the gamma function.
///
/// `x > 0`. Error at most 1e-15 of `max(1, |ln Gamma(x)|)` for `x` from 1e-3 on; near its zeros at 1 and 2 that is an
/// absolute bound.
///
/// # Errors
/// [`Error::OutOfRange`] if `x` is not a finite number above 0; [`Error::NotFinite`] if the logarithm overflows.
///
/// Source: Stirling's series with Loader's error term. Compared with mpmath and statrs.
pub fn ln_gamma(x: f64) -> Result<f64, Error> {
    check_positive("x", x)?;
    finite("ln_gamma", raw_ln_gamma(x))
}

/// `ln B(a, b)` without checks, by the saddle point: no log-gamma is subtracted.
pub(in crate::stats) fn raw_ln_beta(a: f64, b: f64) -> f64 {
    let n = a + b;
    stirling_error(a) + stirling_error(b) - stirling_error(n)
        + 0.5 * (2.0 * std::f64::consts::PI * (n / a) / b).ln()
        - a * (b / a).ln_1p()
        - b * (a / b).ln_1p()
}

/// Natural logarithm of the beta function.
///
/// `a > 0`, `b > 0`. Error at most 1e-14 of `max(1, |ln B|)` for shapes from 1e-3 to 1e12.
///
/// # Errors
/// [`Error::OutOfRange`] if a shape is not a finite number above 0; [`Error::NotFinite`] if the logarithm overflows.
///
/// Source: the saddle-point form of Loader. Compared with mpmath.
pub fn ln_beta(a: f64, b: f64) -> Result<f64, Error> {
    check_positive("a", a)?;
    check_positive("b", b)?;
    finite("ln_beta", raw_ln_beta(a, b))
}

/// Regularised incomplete gamma functions `P(a, x)` and `Q(a, x)`.
///
/// `a > 0`, `x >= 0`. The smaller tail is good to 1e-12 relative for `a` up to 10^6 and tails down to 1e-290.
///
/// # Errors
/// [`Error::OutOfRange`] if `a` is not a finite number above 0 or `x` not a finite number from 0.
///
/// Source: series and continued fraction, Abramowitz & Stegun 6.5.29 and 6.5.31. Compared with mpmath.
pub fn gamma_tails(a: f64, x: f64) -> Result<Tails, Error> {
    check_positive("a", a)?;
    if !(x >= 0.0 && x.is_finite()) {
        return Err(Error::OutOfRange {
            what: "x",
            value: x,
            expected: "a finite number from 0",
        });
    }
    Ok(raw_tails(a, x))
}

pub(super) fn raw_tails(a: f64, x: f64) -> Tails {
    if x <= 0.0 {
        return Tails {
            lower: 0.0,
            upper: 1.0,
        };
    }
    let density = ln_poisson(a, x).exp();
    if x < a + 1.0 {
        let lower = (density * series(a, x)).min(1.0);
        Tails {
            lower,
            upper: 1.0 - lower,
        }
    } else {
        let upper = (density * a * fraction(a, x)).min(1.0);
        Tails {
            lower: 1.0 - upper,
            upper,
        }
    }
}

/// `1 + x/(a+1) + x^2/((a+1)(a+2)) + ...`
fn series(a: f64, x: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    let mut shape = a;
    for _ in 0..MOST_TERMS {
        shape += 1.0;
        term *= x / shape;
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
}

/// The continued fraction of the upper tail, by Lentz's method.
#[expect(clippy::many_single_char_names, reason = "the names of the source")]
fn fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut result = d;
    let mut term = 0.0;
    for _ in 0..MOST_TERMS {
        term += 1.0;
        let numerator = -term * (term - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        let change = c * d;
        result *= change;
        if (change - 1.0).abs() < 2e-16 {
            break;
        }
    }
    result
}
