//! The regularised incomplete beta function and its inverse.

use super::super::Error;
use super::super::number::{check_open, check_positive, check_unit};
use super::gamma::{complement_rests, deviance_from, raw_ln_beta, stirling_error};
use super::normal::rough_upper_quantile;
use super::{MOST_TERMS, Tail, Tails};

/// Both tails of the beta distribution: `I_x(a, b)` and `1 - I_x(a, b)`.
///
/// `a > 0`, `b > 0`, `x` from 0 to 1. The smaller tail is good to 1e-12 relative for shapes from 0.1 to 10^6 and tails
/// down to 1e-290, the larger to 1e-15 absolute.
///
/// # Errors
/// [`Error::OutOfRange`] if a shape is not a finite number above 0, or `x` is not from 0 to 1.
///
/// Source: the continued fraction of Didonato & Morris 1992 under Loader's saddle-point form of the factor before it.
/// Compared with mpmath and statrs.
pub fn beta_tails(a: f64, b: f64, x: f64) -> Result<Tails, Error> {
    check_positive("a", a)?;
    check_positive("b", b)?;
    check_unit("x", x)?;
    Ok(tails(a, b, x, 1.0 - x))
}

/// The point at which a tail of the beta distribution holds `probability`.
///
/// `a > 0`, `b > 0`, `probability` strictly between 0 and 1. The point, and its distance from 1, are both good to 1e-12
/// relative for shapes from 0.5 to 10^6 and probabilities from 1e-12 to 0.5 in either tail.
///
/// # Errors
/// [`Error::OutOfRange`] if a shape is not a finite number above 0, or `probability` is not strictly between 0 and 1.
///
/// Source: safeguarded Newton on the logarithms of tail and point. Compared with mpmath and statrs.
pub fn beta_quantile(a: f64, b: f64, tail: Tail, probability: f64) -> Result<f64, Error> {
    check_positive("a", a)?;
    check_positive("b", b)?;
    check_open("probability", probability)?;
    Ok(quantile(a, b, tail, probability).x)
}

/// A point between 0 and 1 with its distance from 1, so that neither end loses digits.
#[derive(Debug, Clone, Copy)]
pub(in crate::stats) struct Root {
    pub(in crate::stats) x: f64,
    pub(in crate::stats) y: f64,
}

/// `x^a y^b / B(a, b)`, with `y = 1 - x`.
#[expect(clippy::many_single_char_names, reason = "the names of the source")]
fn density(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let (x_rest, y_rest) = complement_rests(x, y);
    let exponent = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance_from(a, n, x, x_rest)
        - deviance_from(b, n, y, y_rest);
    // sqrt(ab / (2 pi n)), in an order that neither overflows nor underflows.
    exponent.exp() * (a / n * (b / std::f64::consts::TAU)).sqrt()
}

/// Both tails at `x`, where `y` is `1 - x`.
pub(in crate::stats) fn tails(a: f64, b: f64, x: f64, y: f64) -> Tails {
    if x <= 0.0 {
        return Tails {
            lower: 0.0,
            upper: 1.0,
        };
    }
    if y <= 0.0 {
        return Tails {
            lower: 1.0,
            upper: 0.0,
        };
    }
    // Distance of the mean from the point, times a + b; from the smaller of x and y.
    let lambda = if a > b {
        (a + b) * y - b
    } else {
        a - (a + b) * x
    };
    if lambda >= 0.0 {
        let lower = one_tail(a, b, x, y, lambda).min(1.0);
        Tails {
            lower,
            upper: 1.0 - lower,
        }
    } else {
        let upper = one_tail(b, a, y, x, -lambda).min(1.0);
        Tails {
            lower: 1.0 - upper,
            upper,
        }
    }
}

/// `I_x(a, b)` for a point at or under the mean.
fn one_tail(a: f64, b: f64, x: f64, y: f64, lambda: f64) -> f64 {
    if b <= 1.0 && x <= 0.7 {
        return power_series(a, b, x);
    }
    density(a, b, x, y) * fraction(a, b, x, y, lambda)
}

/// `x^a / (a B(a, b)) (1 + a sum (1-b)(2-b)...(n-b) / (n! (a+n)) x^n)`: all terms positive while `b <= 1`.
fn power_series(a: f64, b: f64, x: f64) -> f64 {
    let mut coefficient = 1.0;
    let mut sum = 0.0;
    let mut n = 0.0;
    for _ in 0..MOST_TERMS {
        n += 1.0;
        coefficient *= (n - b) / n * x;
        let term = coefficient / (a + n);
        sum += term;
        if term <= sum * 1e-17 {
            break;
        }
    }
    (a * x.ln() - raw_ln_beta(a, b)).exp() * (1.0 / a + sum)
}

/// The continued fraction `bfrac` of Didonato & Morris: even and odd steps in one, every quantity positive.
#[expect(clippy::many_single_char_names, reason = "the names of the source")]
fn fraction(a: f64, b: f64, x: f64, y: f64, lambda: f64) -> f64 {
    let c = 1.0 + lambda;
    let c0 = b / a;
    let c1 = 1.0 + 1.0 / a;
    let y_plus_1 = y + 1.0;
    let (mut above_before, mut above) = (0.0, 1.0);
    let (mut below_before, mut below) = (1.0, c / c1);
    let mut result = c1 / c;
    let mut n = 0.0;
    let mut p = 1.0;
    let mut s = a + 1.0;
    for _ in 0..MOST_TERMS {
        n += 1.0;
        let t = n / a;
        let w = n * (b - n) * x;
        let e = a / s;
        let alpha = p * (p + c0) * e * e * (w * x);
        let e = (t + 1.0) / (c1 + t + t);
        let beta = n + w / s + e * (c + n * y_plus_1);
        p = t + 1.0;
        s += 2.0;
        (above_before, above) = (above, alpha * above_before + beta * above);
        (below_before, below) = (below, alpha * below_before + beta * below);
        let before = result;
        result = above / below;
        if (result - before).abs() <= 2e-16 * result {
            break;
        }
        above_before /= below;
        below_before /= below;
        above = result;
        below = 1.0;
    }
    result
}

/// [`beta_quantile`] without checks, with the distance from 1.
pub(in crate::stats) fn quantile(a: f64, b: f64, tail: Tail, probability: f64) -> Root {
    let middle = tails(a, b, 0.5, 0.5);
    let in_lower_half = match tail {
        Tail::Lower => middle.lower >= probability,
        Tail::Upper => middle.upper <= probability,
    };
    if in_lower_half {
        let x = lower_half(a, b, tail, probability);
        Root { x, y: 1.0 - x }
    } else {
        let other = match tail {
            Tail::Lower => Tail::Upper,
            Tail::Upper => Tail::Lower,
        };
        let y = lower_half(b, a, other, probability);
        Root { x: 1.0 - y, y }
    }
}

/// Steps after which the search ends; bisection alone would need about a thousand at worst, Newton needs five.
const MOST_STEPS: u32 = 1_100;

/// A quantile known to lie in `(0, 0.5]`.
fn lower_half(a: f64, b: f64, tail: Tail, probability: f64) -> f64 {
    let goal = probability.ln();
    let (mut low, mut high) = (0.0_f64, 0.5_f64);
    let mut x = guess(a, b, tail, probability);
    if !(x > low && x < high) {
        x = 0.25;
    }
    for _ in 0..MOST_STEPS {
        let at = tails(a, b, x, 1.0 - x);
        let (mass, sign) = match tail {
            Tail::Lower => (at.lower, 1.0),
            Tail::Upper => (at.upper, -1.0),
        };
        // Above 0: the point must move right.
        let short = sign * (goal - mass.ln());
        if short > 0.0 {
            low = x;
        } else if short < 0.0 {
            high = x;
        } else {
            return x;
        }
        // d ln(mass) / d ln(x), without its sign.
        let slope = density(a, b, x, 1.0 - x) / (1.0 - x) / mass;
        let step = short / slope;
        let newton = x * step.exp();
        let next = if newton > low && newton < high {
            newton
        } else if low > 0.0 {
            (low * high).sqrt()
        } else {
            high * 0.125
        };
        if (next - x).abs() <= 4e-16 * x || next <= 0.0 {
            return next;
        }
        if high - low <= 2e-16 * high {
            return next;
        }
        x = next;
    }
    x
}

/// Where to start: the normal approximation of Abramowitz & Stegun 26.5.22, or the leading power for small shapes.
fn guess(a: f64, b: f64, tail: Tail, probability: f64) -> f64 {
    if a >= 1.0 && b >= 1.0 {
        let deviate = match tail {
            Tail::Lower => -rough_upper_quantile(probability),
            Tail::Upper => rough_upper_quantile(probability),
        };
        let lambda = (deviate * deviate - 3.0) / 6.0;
        let (ra, rb) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
        let h = 2.0 / (ra + rb);
        let w = -deviate * (h + lambda).max(0.0).sqrt() / h
            - (rb - ra) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
        return a / (a + b * (2.0 * w).exp());
    }
    let lower = match tail {
        Tail::Lower => probability,
        Tail::Upper => 1.0 - probability,
    };
    ((lower.ln() + a.ln() + raw_ln_beta(a, b)) / a).exp()
}
