//! How likely a run still is to decide, to give it up early.

use super::super::Error;
use super::super::number::{check_hits, index, real};
use super::boundary::{Boundaries, Decision};

/// A run whose predictive chance of a decision is under this may be given up.
pub const FUTILE: f64 = 0.05;

impl Boundaries {
    /// The chance that a run after `n` pairs still decides by the last one, when what it has seen predicts what comes.
    ///
    /// Of the `n` pairs `flips` flipped and `missing` are unanswered; further pairs are all answered and flip with the
    /// chance that Jeffreys' prior and the answered pairs so far give them, one after another. From 0 to 1: 1 if the run
    /// has decided, 0 after the last pair. Giving up a run on this, as inconclusive, can raise neither error. The work
    /// grows with the square of the pairs that are left.
    ///
    /// # Errors
    /// [`Error::Hits`] if `flips` and `missing` are more than `n`, [`Error::TooMany`] if `n` is beyond the last pair.
    ///
    /// Source: section 16.4 of the statistics page; the beta-binomial predictive of Spiegelhalter, Freedman & Blackburn
    /// 1986. Compared with enumeration of every future.
    pub fn chance_of_decision(&self, n: u64, flips: u64, missing: u64) -> Result<f64, Error> {
        let last = self.stable.len() as u64;
        if n > last {
            return Err(Error::TooMany {
                what: "n",
                found: n,
                most: last,
            });
        }
        if n > 0 {
            check_hits(flips.saturating_add(missing), n)?;
        } else if flips > 0 || missing > 0 {
            return Err(Error::Hits {
                hits: flips.saturating_add(missing),
                n,
            });
        }
        if self.decide(n, flips, missing) != Decision::Open {
            return Ok(1.0);
        }
        let left = index("max_cases", last - n)?;
        // By further flips: the mass of the futures that are still open.
        let mut open = vec![0.0; left + 1];
        open[0] = 1.0;
        let mut decided = 0.0;
        for step in 1..=left {
            let known = real(n - missing) + real(step as u64 - 1);
            for more in (0..step).rev() {
                let mass = std::mem::take(&mut open[more]);
                let flip = (0.5 + real(flips) + real(more as u64)) / (1.0 + known);
                open[more] += mass * (1.0 - flip);
                open[more + 1] += mass * flip;
            }
            for (more, mass) in (0..).zip(&mut open[..=step]) {
                if self.decide(n + step as u64, flips + more, missing) != Decision::Open {
                    decided += std::mem::take(mass);
                }
            }
        }
        Ok(f64::min(decided, 1.0))
    }
}
