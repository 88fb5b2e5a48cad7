//! Wald's sequential test, as a planning aid only: between its two rates it promises nothing.

use super::super::Error;
use super::super::number::{check_count, check_open, index, real, whole};
use super::boundary::Boundaries;

/// Thresholds and expected lengths of a sequential probability ratio test of two rates.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Sprt {
    /// Likelihood ratio at which the higher rate is accepted.
    pub upper: f64,
    /// Likelihood ratio at which the lower rate is accepted.
    pub lower: f64,
    /// Logarithm of `upper`.
    pub ln_upper: f64,
    /// Logarithm of `lower`.
    pub ln_lower: f64,
    /// What a flip adds to the log ratio.
    pub step_flip: f64,
    /// What a pair without a flip adds.
    pub step_no_flip: f64,
    /// Expected pairs at the lower rate, overshoot ignored.
    pub expected_at_low: f64,
    /// Expected pairs at the higher rate, overshoot ignored.
    pub expected_at_high: f64,
    /// Pairs after which a run without a flip accepts the lower rate.
    pub clean_stop: u64,
}

impl Sprt {
    /// The test of `low` against `high` with errors `alpha` (calling low high) and `beta` (calling high low).
    ///
    /// All strictly between 0 and 1, `low < high`, `alpha + beta < 1`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for an argument.
    ///
    /// Source: Wald 1945, section 16.1 of the statistics page (goldens `sprt`).
    pub fn new(low: f64, high: f64, alpha: f64, beta: f64) -> Result<Self, Error> {
        check_open("low", low)?;
        check_open("high", high)?;
        check_open("alpha", alpha)?;
        check_open("beta", beta)?;
        if low >= high {
            return Err(Error::OutOfRange {
                what: "high",
                value: high,
                expected: "a rate above `low`",
            });
        }
        if alpha + beta >= 1.0 {
            return Err(Error::OutOfRange {
                what: "beta",
                value: beta,
                expected: "a number under 1 - `alpha`",
            });
        }
        let upper = (1.0 - beta) / alpha;
        let lower = beta / (1.0 - alpha);
        let (ln_upper, ln_lower) = (upper.ln(), lower.ln());
        let step_flip = (high / low).ln();
        let step_no_flip = (-high).ln_1p() - (-low).ln_1p();
        let drift = |rate: f64| rate * step_flip + (1.0 - rate) * step_no_flip;
        Ok(Self {
            upper,
            lower,
            ln_upper,
            ln_lower,
            step_flip,
            step_no_flip,
            expected_at_low: (alpha * ln_upper + (1.0 - alpha) * ln_lower) / drift(low),
            expected_at_high: ((1.0 - beta) * ln_upper + beta * ln_lower) / drift(high),
            clean_stop: whole((ln_lower / step_no_flip).ceil()).max(1),
        })
    }

    /// The test as boundaries, up to `max_cases` pairs: to see what it does between its rates.
    ///
    /// # Errors
    /// [`Error::Empty`] for no pairs, [`Error::TooMany`] above 100,000.
    pub fn boundaries(&self, max_cases: u64) -> Result<Boundaries, Error> {
        check_count("max_cases", max_cases)?;
        if max_cases > super::MOST_CASES {
            return Err(Error::TooMany {
                what: "max_cases",
                found: max_cases,
                most: super::MOST_CASES,
            });
        }
        let size = index("max_cases", max_cases)?;
        let (mut stable, mut sensitive) = (Vec::with_capacity(size), Vec::with_capacity(size));
        let ratio =
            |n: u64, flips: u64| real(flips) * self.step_flip + real(n - flips) * self.step_no_flip;
        let mut most: Option<u64> = None;
        let mut least = 1;
        for n in 1..=max_cases {
            loop {
                let next = most.map_or(0, |most| most + 1);
                if next > n || ratio(n, next) > self.ln_lower {
                    break;
                }
                most = Some(next);
            }
            while least <= n && ratio(n, least) < self.ln_upper {
                least += 1;
            }
            stable.push(most);
            sensitive.push((least <= n).then_some(least));
        }
        Ok(Boundaries { stable, sensitive })
    }
}
