//! Square-and-add intervals of a difference, and equivalence by two one-sided tests.

use super::super::number::{
    check_count, check_finite, check_hits, check_open, check_positive, real,
};
use super::super::proportion::wilson_limits;
use super::super::special::two_sided_z;
use super::super::{Error, Estimate, Method};

/// Newcombe's corrected correlation of two shares of the same cases.
///
/// `a` both, `b` first only, `c` second only, `d` neither. From -1 to 1; 0 if a margin is 0.
///
/// Source: Newcombe 1998b, method 10 (goldens `newcombe_paired`).
pub fn phi(a: u64, b: u64, c: u64, d: u64) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(real);
    let margins = (a + b) * (c + d) * (a + c) * (b + d);
    if margins <= 0.0 {
        return 0.0;
    }
    let cross = a * d - b * c;
    let corrected = if cross > 0.0 {
        (cross - (a + b + c + d) / 2.0).max(0.0)
    } else {
        cross
    };
    corrected / margins.sqrt()
}

/// Difference of two shares of the same cases: first minus second, with Newcombe's interval.
///
/// `a` both, `b` first only, `c` second only, `d` neither; the value is `(b - c)/n`, from -1 to 1.
///
/// # Errors
/// [`Error::Empty`] if all four are 0, [`Error::TooMany`] above 10^12 cases, [`Error::Level`] for the level.
///
/// Source: Newcombe 1998b, method 10. Compared with its published example (goldens `newcombe_paired`).
#[expect(clippy::many_single_char_names, reason = "the cells of the page")]
pub fn newcombe_paired(a: u64, b: u64, c: u64, d: u64, level: f64) -> Result<Estimate, Error> {
    let n = [a, b, c, d].into_iter().fold(0_u64, u64::saturating_add);
    check_count("a + b + c + d", n)?;
    let z = two_sided_z(level)?;
    let first = (real(a + b) / real(n), wilson_limits(a + b, n, z));
    let second = (real(a + c) / real(n), wilson_limits(a + c, n, z));
    let value = (real(b) - real(c)) / real(n);
    let ends = square_and_add(value, first, second, phi(a, b, c, d));
    Estimate::new(value, clamped(ends), level, n, Method::NewcombePaired)
}

/// Difference of two shares of different cases: `x1/n1 - x2/n2`, with Newcombe's hybrid score interval.
///
/// `n` of the answer is the smaller of the two counts.
///
/// # Errors
/// [`Error::Empty`] if a count is 0, [`Error::Hits`] if hits are above it, [`Error::Level`] for the level.
///
/// Source: Newcombe 1998a, method 10. Compared with statsmodels (goldens `newcombe_independent`).
pub fn newcombe_independent(
    x1: u64,
    n1: u64,
    x2: u64,
    n2: u64,
    level: f64,
) -> Result<Estimate, Error> {
    check_hits(x1, n1)?;
    check_hits(x2, n2)?;
    let z = two_sided_z(level)?;
    let first = (real(x1) / real(n1), wilson_limits(x1, n1, z));
    let second = (real(x2) / real(n2), wilson_limits(x2, n2, z));
    let value = first.0 - second.0;
    let ends = square_and_add(value, first, second, 0.0);
    Estimate::new(
        value,
        clamped(ends),
        level,
        n1.min(n2),
        Method::NewcombeIndependent,
    )
}

/// Difference of two estimates from their own intervals and their correlation: for clusters and unequal repeats.
///
/// Both must have one level; `correlation` from -1 to 1. `n` is the smaller of the two counts. Not clamped: the estimates
/// need not be shares.
///
/// # Errors
/// [`Error::Level`] if the levels differ, [`Error::OutOfRange`] for the correlation.
///
/// Source: Zou & Donner 2008 (goldens `mover`).
pub fn mover(first: &Estimate, second: &Estimate, correlation: f64) -> Result<Estimate, Error> {
    check_finite("correlation", correlation)?;
    if correlation.abs() > 1.0 {
        return Err(Error::OutOfRange {
            what: "correlation",
            value: correlation,
            expected: "a number from -1 to 1",
        });
    }
    if (first.level - second.level).abs() > 1e-12 {
        return Err(Error::Level {
            level: second.level,
        });
    }
    let value = first.value - second.value;
    let ends = square_and_add(
        value,
        (first.value, (first.lower, first.upper)),
        (second.value, (second.lower, second.upper)),
        correlation,
    );
    Estimate::new(
        value,
        ends,
        first.level,
        first.n.min(second.n),
        Method::Mover,
    )
}

type Share = (f64, (f64, f64));

fn square_and_add(value: f64, first: Share, second: Share, correlation: f64) -> (f64, f64) {
    let (p1, (l1, u1)) = first;
    let (p2, (l2, u2)) = second;
    let distance = |near: f64, far: f64| {
        (near * near - 2.0 * correlation * near * far + far * far)
            .max(0.0)
            .sqrt()
    };
    (
        value - distance(p1 - l1, u2 - p2),
        value + distance(u1 - p1, p2 - l2),
    )
}

fn clamped((lower, upper): (f64, f64)) -> (f64, f64) {
    (lower.max(-1.0), upper.min(1.0))
}

/// Whether two shares of the same cases are the same within a margin, and the interval that says so.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Equivalence {
    /// The difference with its `1 - 2 alpha` interval.
    pub difference: Estimate,
    /// The margin tested.
    pub margin: f64,
    /// Whether the whole interval lies strictly inside the margin.
    pub shown: bool,
}

/// Two one-sided tests: whether the difference is shown to be inside `(-margin, margin)`, each side at `alpha`.
///
/// Counts as in [`newcombe_paired`]; `margin > 0`; `alpha` strictly between 0 and 0.5.
///
/// # Errors
/// As [`newcombe_paired`]; [`Error::OutOfRange`] for `margin` or `alpha`, [`Error::Level`] for an `alpha` from 0.5 on.
///
/// Source: Schuirmann 1987 with Newcombe's interval, section 4.6 of the statistics page (goldens `tost`).
pub fn equivalence([a, b, c, d]: [u64; 4], margin: f64, alpha: f64) -> Result<Equivalence, Error> {
    check_positive("margin", margin)?;
    let difference = one_sided([a, b, c, d], alpha)?;
    let shown = -margin < difference.lower && difference.upper < margin;
    Ok(Equivalence {
        difference,
        margin,
        shown,
    })
}

/// Whether the first share is shown to exceed the second by no more than `margin`: upper one-sided bound at or under it.
///
/// Arguments as in [`equivalence`]; here a `margin` of 0 is allowed.
///
/// # Errors
/// As [`equivalence`].
///
/// Source: section 14 of the statistics page.
pub fn not_worse([a, b, c, d]: [u64; 4], margin: f64, alpha: f64) -> Result<Equivalence, Error> {
    if !(margin >= 0.0 && margin.is_finite()) {
        return Err(Error::OutOfRange {
            what: "margin",
            value: margin,
            expected: "a finite number from 0",
        });
    }
    let difference = one_sided([a, b, c, d], alpha)?;
    Ok(Equivalence {
        difference,
        margin,
        shown: difference.upper <= margin,
    })
}

fn one_sided([a, b, c, d]: [u64; 4], alpha: f64) -> Result<Estimate, Error> {
    check_open("alpha", alpha)?;
    newcombe_paired(a, b, c, d, 1.0 - 2.0 * alpha)
}
