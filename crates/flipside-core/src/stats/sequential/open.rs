//! `open`: a bet against each side that may be looked at, resumed and extended as often as one likes.

use super::super::Error;
use super::super::number::{MOST, check_count, check_open, check_unit, index, real};
use super::boundary::{Boundaries, Decision};

/// Odds ratios that the bet on stability mixes.
const STABLE: [f64; 2] = [0.0, 0.3];
/// Odds ratios that the bet on sensitivity mixes.
const SENSITIVE: [f64; 2] = [2.0, 6.0];

/// The wealth of both bets after the pairs seen so far: all that a journal needs to go on.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct OpenRun {
    /// The limit that is gated.
    pub limit: f64,
    /// Log wealth of the two bets on stability; `None` once a bet is lost for good.
    pub ln_stable: [Option<f64>; 2],
    /// Log wealth of the two bets on sensitivity.
    pub ln_sensitive: [f64; 2],
    /// Pairs, or clusters, seen, the missing ones included.
    pub n: u64,
    /// Sum of what flipped, missing ones left out.
    pub flips: f64,
}

impl OpenRun {
    /// A run at `limit`, before its first pair.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `limit` is not strictly between 0 and 1.
    pub fn new(limit: f64) -> Result<Self, Error> {
        check_open("limit", limit)?;
        Ok(Self {
            limit,
            ln_stable: [Some(0.0); 2],
            ln_sensitive: [0.0; 2],
            n: 0,
            flips: 0.0,
        })
    }

    /// The run after `n` pairs with `flips` whole flips.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for `limit`, [`Error::Hits`] if `flips` is above `n`, [`Error::TooMany`] above 10^12.
    pub fn from_counts(limit: f64, flips: u64, n: u64) -> Result<Self, Error> {
        let mut run = Self::new(limit)?;
        if flips > n {
            return Err(Error::Hits { hits: flips, n });
        }
        if n > MOST {
            return Err(Error::TooMany {
                what: "n",
                found: n,
                most: MOST,
            });
        }
        let (pairs, flipped) = (real(n), real(flips));
        for (wealth, odds) in run.ln_stable.iter_mut().zip(STABLE) {
            let ln_odds = if flips == 0 { Some(0.0) } else { ln(odds) };
            *wealth = ln_odds.map(|ln_odds| flipped * ln_odds - pairs * ln_fair(limit, odds));
        }
        for (wealth, odds) in run.ln_sensitive.iter_mut().zip(SENSITIVE) {
            *wealth = flipped * odds.ln() - pairs * ln_fair(limit, odds);
        }
        run.n = n;
        run.flips = flipped;
        Ok(run)
    }

    /// Takes in one pair, or one cluster: 1 for a flip, 0 for none, the mean flip for a cluster.
    ///
    /// With clusters of unequal size the rate is the one that weighs them equally.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `flip` is not from 0 to 1; the run is then unchanged.
    pub fn observe(&mut self, flip: f64) -> Result<(), Error> {
        check_unit("flip", flip)?;
        self.take(flip, flip);
        self.flips += flip;
        Ok(())
    }

    /// Takes in a pair without an answer: a flip to the bet on stability, none to the bet on sensitivity.
    pub fn observe_missing(&mut self) {
        self.take(1.0, 0.0);
    }

    /// Takes in one cluster of which some pairs have no answer: its mean flip is at least `least` and at most `most`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if either is not from 0 to 1 or `most` is under `least`; the run is then unchanged.
    pub fn observe_between(&mut self, least: f64, most: f64) -> Result<(), Error> {
        check_unit("least", least)?;
        check_unit("most", most)?;
        if most < least {
            return Err(Error::OutOfRange {
                what: "most",
                value: most,
                expected: "at least the least",
            });
        }
        self.take(most, least);
        self.flips += least;
        Ok(())
    }

    fn take(&mut self, for_stable: f64, for_sensitive: f64) {
        for (wealth, odds) in self.ln_stable.iter_mut().zip(STABLE) {
            let factor = ln(1.0 - for_stable + for_stable * odds);
            *wealth = wealth
                .zip(factor)
                .map(|(wealth, factor)| wealth + factor - ln_fair(self.limit, odds));
        }
        for (wealth, odds) in self.ln_sensitive.iter_mut().zip(SENSITIVE) {
            *wealth += (for_sensitive * (odds - 1.0)).ln_1p() - ln_fair(self.limit, odds);
        }
        self.n += 1;
    }

    /// This run followed by another at the same limit: every bet's wealth multiplies.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the limits differ.
    pub fn followed_by(&self, next: &Self) -> Result<Self, Error> {
        if self.limit.to_bits() != next.limit.to_bits() {
            return Err(Error::OutOfRange {
                what: "limit",
                value: next.limit,
                expected: "the limit of the run before",
            });
        }
        let mut joined = *self;
        for (wealth, more) in joined.ln_stable.iter_mut().zip(next.ln_stable) {
            *wealth = wealth.zip(more).map(|(wealth, more)| wealth + more);
        }
        for (wealth, more) in joined.ln_sensitive.iter_mut().zip(next.ln_sensitive) {
            *wealth += more;
        }
        joined.n = self.n.saturating_add(next.n);
        joined.flips += next.flips;
        Ok(joined)
    }

    /// Evidence for stability: its mean is at most 1 at any rate from the limit up. At most the largest float.
    pub fn e_stable(&self) -> f64 {
        capped_exp(self.ln_e_stable())
    }

    /// Evidence for sensitivity: its mean is at most 1 at any rate up to the limit. At most the largest float.
    pub fn e_sensitive(&self) -> f64 {
        capped_exp(Some(self.ln_e_sensitive()))
    }

    fn ln_e_stable(&self) -> Option<f64> {
        match self.ln_stable {
            [Some(first), Some(second)] => Some(ln_mean(first, second)),
            [Some(one), None] | [None, Some(one)] => Some(one - std::f64::consts::LN_2),
            [None, None] => None,
        }
    }

    fn ln_e_sensitive(&self) -> f64 {
        ln_mean(self.ln_sensitive[0], self.ln_sensitive[1])
    }

    /// The decision with each error at `alpha`: evidence of at least `1/alpha`. May be asked at any time.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `alpha` is not strictly between 0 and 1.
    ///
    /// Source: Ville 1939, section 16.3 of the statistics page (goldens `e_process`).
    pub fn decide(&self, alpha: f64) -> Result<Decision, Error> {
        check_open("alpha", alpha)?;
        let enough = -alpha.ln();
        Ok(
            if self
                .ln_e_stable()
                .is_some_and(|evidence| evidence >= enough)
            {
                Decision::Stable
            } else if self.ln_e_sensitive() >= enough {
                Decision::Sensitive
            } else {
                Decision::Open
            },
        )
    }
}

/// Logarithm of the divisor that makes a bet fair at the limit.
fn ln_fair(limit: f64, odds: f64) -> f64 {
    ((odds - 1.0) * limit).ln_1p()
}

fn ln(value: f64) -> Option<f64> {
    (value > 0.0).then(|| value.ln())
}

fn ln_mean(first: f64, second: f64) -> f64 {
    let (high, low) = (first.max(second), first.min(second));
    high + (low - high).exp().ln_1p() - std::f64::consts::LN_2
}

fn capped_exp(log: Option<f64>) -> f64 {
    log.map_or(0.0, |log| log.exp().min(f64::MAX))
}

/// The open rule for whole flips as boundaries, up to `max_cases` pairs: for planning figures.
///
/// # Errors
/// [`Error::Empty`] for no pairs, [`Error::TooMany`] above 100,000, [`Error::OutOfRange`] for `limit` or `alpha`.
///
/// Source: section 16.3 of the statistics page (goldens `open_sequential`).
pub fn open_boundaries(max_cases: u64, limit: f64, alpha: f64) -> Result<Boundaries, Error> {
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
    let mut most: Option<u64> = None;
    let mut least = 1;
    for n in 1..=max_cases {
        loop {
            let next = most.map_or(0, |most| most + 1);
            if next > n || OpenRun::from_counts(limit, next, n)?.decide(alpha)? != Decision::Stable
            {
                break;
            }
            most = Some(next);
        }
        while least <= n
            && OpenRun::from_counts(limit, least, n)?.decide(alpha)? != Decision::Sensitive
        {
            least += 1;
        }
        stable.push(most);
        sensitive.push((least <= n).then_some(least));
    }
    Ok(Boundaries { stable, sensitive })
}

/// Pairs after which a run without any flip stops as stable; `None` above 10^12.
///
/// # Errors
/// [`Error::OutOfRange`] for `limit` or `alpha`.
///
/// Source: section 16.3 of the statistics page (goldens `e_process`).
pub fn first_clean_stop(limit: f64, alpha: f64) -> Result<Option<u64>, Error> {
    first(|n| Ok(OpenRun::from_counts(limit, 0, n)?.decide(alpha)? == Decision::Stable))
}

/// Pairs after which a run that always flips stops as sensitive; `None` above 10^12.
///
/// # Errors
/// [`Error::OutOfRange`] for `limit` or `alpha`.
pub fn first_flip_stop(limit: f64, alpha: f64) -> Result<Option<u64>, Error> {
    first(|n| Ok(OpenRun::from_counts(limit, n, n)?.decide(alpha)? == Decision::Sensitive))
}

/// The smallest n for which `holds`, which turns true once.
fn first(holds: impl Fn(u64) -> Result<bool, Error>) -> Result<Option<u64>, Error> {
    let (mut no, mut yes) = (0, 1);
    while !holds(yes)? {
        if yes >= MOST {
            return Ok(None);
        }
        no = yes;
        yes = (yes * 2).min(MOST);
    }
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        if holds(middle)? {
            yes = middle;
        } else {
            no = middle;
        }
    }
    Ok(Some(yes))
}
