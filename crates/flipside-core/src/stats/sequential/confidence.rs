//! The interval of a share after an adaptive run.

use super::super::number::{check_hits, check_open, real};
use super::super::root::boundary;
use super::super::special::raw_ln_beta;
use super::super::{Error, Estimate, Method};

/// Share `flips/n` with a confidence sequence: coverage `1 - alpha` at whatever moment the run stopped.
///
/// All t with `B(1/2 + x, 1/2 + n - x)/B(1/2, 1/2) < t^x (1-t)^(n-x) / alpha`. The share itself is biased at stopping.
///
/// # Errors
/// [`Error::Empty`] if `n` is 0, [`Error::Hits`] if `flips` is above `n`, [`Error::OutOfRange`] for `alpha`.
///
/// Source: Robbins 1970 with Jeffreys' mixture, section 16.3 of the statistics page. Compared with mpmath (goldens
/// `confidence_sequence`).
pub fn confidence_sequence(flips: u64, n: u64, alpha: f64) -> Result<Estimate, Error> {
    check_hits(flips, n)?;
    check_open("alpha", alpha)?;
    let (x, rest) = (real(flips), real(n - flips));
    let least = raw_ln_beta(x + 0.5, rest + 0.5) - std::f64::consts::PI.ln() + alpha.ln();
    let likely = |t: f64| {
        let hits = if flips == 0 { 0.0 } else { x * t.ln() };
        let misses = if flips == n { 0.0 } else { rest * (-t).ln_1p() };
        least < hits + misses
    };
    let value = x / real(n);
    let ends = (boundary(value, 0.0, likely), boundary(value, 1.0, likely));
    Estimate::new(value, ends, 1.0 - alpha, n, Method::ConfidenceSequence)
}
