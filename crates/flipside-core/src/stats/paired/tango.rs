//! Tango's score interval for the difference of two shares of the same cases.

use super::super::number::{check_hits, real};
use super::super::root::boundary;
use super::super::special::two_sided_z;
use super::super::{Error, Estimate, Method};

/// Difference `(b - c)/n` of two shares of the same `n` cases, with Tango's score interval.
///
/// `b` cases first only, `c` second only, `b + c <= n`. From -1 to 1. Narrower than Newcombe's and now and then short of
/// its level (section 4.2 of the statistics page).
///
/// # Errors
/// [`Error::Empty`] if `n` is 0, [`Error::Hits`] if `b + c` is above `n`, [`Error::Level`] for the level.
///
/// Source: Tango 1998. Compared with roots by Brent's method (goldens `tango_paired`).
pub fn tango(b: u64, c: u64, n: u64, level: f64) -> Result<Estimate, Error> {
    check_hits(b.saturating_add(c), n)?;
    let z = two_sided_z(level)?;
    let value = (real(b) - real(c)) / real(n);
    let inside = |difference: f64| score(b, c, n, difference).abs() <= z;
    let lower = boundary(value, -1.0, inside);
    let upper = boundary(value, 1.0, inside);
    // Nothing but the end itself is left when the last step before it is still inside.
    let lower = if lower <= -1.0 + f64::EPSILON {
        -1.0
    } else {
        lower
    };
    let upper = if upper >= 1.0 - f64::EPSILON {
        1.0
    } else {
        upper
    };
    Estimate::new(value, (lower, upper), level, n, Method::Tango)
}

/// The score statistic at a difference strictly between -1 and 1.
fn score(b: u64, c: u64, n: u64, difference: f64) -> f64 {
    let [b, c, n] = [b, c, n].map(real);
    let middle = -b - c + (2.0 * n - b + c) * difference;
    let last = -c * difference * (1.0 - difference);
    let root = (middle * middle - 8.0 * n * last).max(0.0).sqrt();
    // The second form has no difference of near equals.
    let second_only = if middle > 0.0 {
        -2.0 * last / (middle + root)
    } else {
        (root - middle) / (4.0 * n)
    };
    let variance = n * (2.0 * second_only.max(0.0) + difference * (1.0 - difference));
    let distance = b - c - n * difference;
    if variance > 0.0 {
        distance / variance.sqrt()
    } else {
        distance.signum() * f64::INFINITY
    }
}
