//! Stopping boundaries as counts, and what they do at a true rate.

use super::super::Error;
use super::super::number::{check_unit, length, real};

/// What a boundary says after some pairs.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The rate is shown to be under the limit.
    Stable,
    /// The rate is shown to be over the limit.
    Sensitive,
    /// Neither yet.
    Open,
}

/// For each number of pairs, the flips that stop: to be looked at after every pair, in order.
#[derive(
    Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Boundaries {
    /// Stable at this many flips or fewer, by number of pairs less one.
    pub stable: Vec<Option<u64>>,
    /// Sensitive at this many flips or more, by number of pairs less one.
    pub sensitive: Vec<Option<u64>>,
}

/// Where one side of a boundary changes: pairs, then flips.
pub type Steps = Vec<(u64, u64)>;

/// How a sequential rule behaves at one true rate.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Operating {
    /// Chance of `stable`.
    pub stable: f64,
    /// Chance of `sensitive`.
    pub sensitive: f64,
    /// Chance of neither by the last pair.
    pub inconclusive: f64,
    /// Mean number of pairs asked.
    pub mean_cases: f64,
    /// Mean number of flips among them.
    pub mean_flips: f64,
}

/// States with less mass than this are dropped: no printed digit depends on them.
pub(super) const NOTHING: f64 = 1e-60;

impl Boundaries {
    /// The decision after `n` pairs, of which `flips` flipped and `missing` are unanswered.
    ///
    /// `n` counts the missing ones, which are flips on the stable side and none on the sensitive side. Open for 0 pairs
    /// and beyond the last.
    pub fn decide(&self, n: u64, flips: u64, missing: u64) -> Decision {
        let at = |side: &[Option<u64>]| {
            let place = usize::try_from(n.checked_sub(1)?).ok()?;
            side.get(place).copied().flatten()
        };
        if at(&self.stable).is_some_and(|most| flips.saturating_add(missing) <= most) {
            Decision::Stable
        } else if at(&self.sensitive).is_some_and(|least| flips >= least) {
            Decision::Sensitive
        } else {
            Decision::Open
        }
    }

    /// Where the boundaries change, as (pairs, flips): the stable side, then the sensitive side.
    pub fn steps(&self) -> (Steps, Steps) {
        let changes = |side: &[Option<u64>]| {
            let mut steps: Vec<(u64, u64)> = Vec::new();
            for (n, flips) in (1..).zip(side) {
                if let Some(flips) = *flips
                    && steps.last().is_none_or(|&(_, before)| before != flips)
                {
                    steps.push((n, flips));
                }
            }
            steps
        };
        (changes(&self.stable), changes(&self.sensitive))
    }

    /// Exact operating characteristics at a true rate, by recursion over pairs.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `rate` is not from 0 to 1, [`Error::Length`] if the sides differ in length.
    ///
    /// Source: exact forward recursion (goldens `planned_sequential`, `open_sequential`, `sprt`).
    pub fn operating(&self, rate: f64) -> Result<Operating, Error> {
        check_unit("rate", rate)?;
        super::super::number::check_length("sensitive", self.sensitive.len(), self.stable.len())?;
        let last = self.stable.len();
        let mut path = Path::new(last, rate);
        let (mut stable, mut sensitive, mut mean_cases) = (0.0, 0.0, 0.0);
        for (place, (most, least)) in self.stable.iter().zip(&self.sensitive).enumerate() {
            path.step();
            let low = most.map_or(0.0, |most| path.drop_through(most));
            let high = least.map_or(0.0, |least| path.drop_from(least));
            stable += low;
            sensitive += high;
            mean_cases += (low + high) * length(place + 1);
        }
        let inconclusive = path.mass();
        mean_cases += inconclusive * length(last);
        Ok(Operating {
            stable,
            sensitive,
            inconclusive,
            mean_cases,
            mean_flips: rate * mean_cases,
        })
    }
}

/// The distribution of the flip count along a path that has not stopped.
pub(super) struct Path {
    rate: f64,
    mass: Vec<f64>,
    /// States `low..high` may have mass.
    low: usize,
    high: usize,
}

impl Path {
    pub(super) fn new(last: usize, rate: f64) -> Self {
        let mut mass = vec![0.0; last + 2];
        mass[0] = 1.0;
        Self {
            rate,
            mass,
            low: 0,
            high: 1,
        }
    }

    /// One more pair.
    pub(super) fn step(&mut self) {
        let stay = 1.0 - self.rate;
        self.high = (self.high + 1).min(self.mass.len());
        for flips in (self.low..self.high).rev() {
            let before = if flips > self.low {
                self.mass[flips - 1]
            } else {
                0.0
            };
            self.mass[flips] = self.mass[flips] * stay + before * self.rate;
        }
        while self.high > self.low && self.mass[self.high - 1] < NOTHING {
            self.high -= 1;
            self.mass[self.high] = 0.0;
        }
        while self.low < self.high && self.mass[self.low] < NOTHING {
            self.mass[self.low] = 0.0;
            self.low += 1;
        }
    }

    /// The mass at `flips`.
    pub(super) fn at(&self, flips: usize) -> f64 {
        self.mass.get(flips).copied().unwrap_or(0.0)
    }

    /// One more than the largest count with mass.
    pub(super) fn end(&self) -> usize {
        self.high
    }

    /// Takes away the states up to `most`; returns their mass.
    pub(super) fn drop_through(&mut self, most: u64) -> f64 {
        let mut sum = 0.0;
        while self.low < self.high && self.low as u64 <= most {
            sum += std::mem::take(&mut self.mass[self.low]);
            self.low += 1;
        }
        sum
    }

    /// Takes away the states from `least` on; returns their mass.
    pub(super) fn drop_from(&mut self, least: u64) -> f64 {
        let mut sum = 0.0;
        while self.high > self.low && self.high as u64 > least {
            self.high -= 1;
            sum += std::mem::take(&mut self.mass[self.high]);
        }
        sum
    }

    pub(super) fn mass(&self) -> f64 {
        self.mass[self.low..self.high].iter().sum()
    }
}

/// A count of pairs as a share of all.
pub(super) fn share(n: usize, last: u64) -> f64 {
    length(n) / real(last)
}
