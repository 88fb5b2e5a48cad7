//! Simulated models whose truth is known, measured by the program, beside what exact enumeration says must come out.

pub(crate) mod adaptive;
mod asking;
pub(crate) mod clusters;
#[path = "../common/mod.rs"]
mod common;
pub(crate) mod exact;
pub(crate) mod fixed;
pub(crate) mod noise;
pub(crate) mod page;

use exact::Share;

/// True flip rates of the simulated models.
pub(crate) const RATES: [f64; 6] = [0.0, 0.01, 0.02, 0.05, 0.10, 0.30];
/// The limit that is gated.
pub(crate) const LIMIT: f64 = 0.05;
/// Error allowed on each side.
pub(crate) const ALPHA: f64 = 0.05;
/// Two-sided coverage of intervals.
pub(crate) const LEVEL: f64 = 0.95;
/// The seed of the kept results.
pub(crate) const SEED: u64 = 20_261_130;
/// Runs per model of the kept results.
pub(crate) const RUNS: u32 = 2_000;

/// What a rule said about a model, over runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdicts {
    pub(crate) stable: Share,
    pub(crate) sensitive: Share,
    pub(crate) inconclusive: Share,
}

impl Verdicts {
    pub(crate) fn all(&self) -> [Share; 3] {
        [self.stable, self.sensitive, self.inconclusive]
    }
}

/// A count as a float.
pub(crate) fn real(n: u64) -> f64 {
    f64::from(u32::try_from(n).expect("a count of this file fits 32 bits"))
}

/// The part of a stream's name that tells rates apart.
fn per_mille(rate: f64) -> u64 {
    (0..=1000)
        .find(|&mille| (real(mille) / 1000.0 - rate).abs() < 1e-9)
        .expect("a rate in whole per mille")
}
