//! `planned`: the file is the budget, and each side spends its error along it.

use super::super::Error;
use super::super::number::{check_count, check_open, index};
use super::boundary::{Boundaries, Decision, Path, share};

/// Each side may have spent `alpha (n/N)` to this power after `n` of `N` pairs: late, so that the end keeps most of it.
pub const EXPONENT: f64 = 1.5;

/// Most pairs that a plan is computed for.
pub const MOST_CASES: u64 = 100_000;

/// A sequential plan for a known number of pairs.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Planned {
    /// Pairs planned.
    pub max_cases: u64,
    /// The limit that is gated.
    pub limit: f64,
    /// Error allowed on each side.
    pub alpha: f64,
    /// When to stop.
    pub boundaries: Boundaries,
    /// Error spent on the stable side at the limit: the most that any rate over it can err with.
    pub spent_stable: f64,
    /// Error spent on the sensitive side at the limit.
    pub spent_sensitive: f64,
}

impl Planned {
    /// The plan for `max_cases` pairs at `limit`, each side at `alpha`.
    ///
    /// One pair per case, no clusters. Adding cases voids it.
    ///
    /// # Errors
    /// [`Error::Empty`] for no pairs, [`Error::TooMany`] above [`MOST_CASES`], [`Error::OutOfRange`] for `limit` or `alpha`.
    ///
    /// Source: Lan & `DeMets` 1983 with exact binomial paths, section 16.2 of the statistics page (goldens
    /// `planned_sequential`; N = 60 also in exact fractions).
    pub fn new(max_cases: u64, limit: f64, alpha: f64) -> Result<Self, Error> {
        check_count("max_cases", max_cases)?;
        if max_cases > MOST_CASES {
            return Err(Error::TooMany {
                what: "max_cases",
                found: max_cases,
                most: MOST_CASES,
            });
        }
        check_open("limit", limit)?;
        check_open("alpha", alpha)?;
        let last = index("max_cases", max_cases)?;
        let budget = |n: usize| alpha * share(n, max_cases).powf(EXPONENT);
        let (stable, spent_stable) = stable_side(last, limit, budget);
        let (sensitive, spent_sensitive) = sensitive_side(last, limit, budget);
        Ok(Self {
            max_cases,
            limit,
            alpha,
            boundaries: Boundaries { stable, sensitive },
            spent_stable,
            spent_sensitive,
        })
    }

    /// The decision after `n` pairs; see [`Boundaries::decide`]. To be asked after every pair.
    pub fn decide(&self, n: u64, flips: u64, missing: u64) -> Decision {
        self.boundaries.decide(n, flips, missing)
    }
}

type Side = (Vec<Option<u64>>, f64);

/// Takes states from no flip upwards while the budget lasts.
fn stable_side(last: usize, limit: f64, budget: impl Fn(usize) -> f64) -> Side {
    let mut path = Path::new(last, limit);
    let mut spent = 0.0;
    let mut bound: Option<u64> = None;
    let mut side = Vec::with_capacity(last);
    for n in 1..=last {
        path.step();
        let allowed = budget(n);
        let mut extra = 0.0;
        loop {
            let next = bound.map_or(0, |most| most + 1);
            let Ok(place) = usize::try_from(next) else {
                break;
            };
            if place > n || spent + extra + path.at(place) > allowed {
                break;
            }
            extra += path.at(place);
            bound = Some(next);
        }
        if let Some(most) = bound {
            path.drop_through(most);
        }
        spent += extra;
        side.push(bound);
    }
    (side, spent)
}

/// Takes states from all flips downwards while the budget lasts; counts that cannot be reached any more cost nothing.
fn sensitive_side(last: usize, limit: f64, budget: impl Fn(usize) -> f64) -> Side {
    let mut path = Path::new(last, limit);
    let mut spent = 0.0;
    let mut side = Vec::with_capacity(last);
    for n in 1..=last {
        path.step();
        let allowed = budget(n);
        let mut extra = 0.0;
        let mut bound = path.end().min(n + 1);
        while bound > 0 && spent + extra + path.at(bound - 1) <= allowed {
            bound -= 1;
            extra += path.at(bound);
        }
        path.drop_from(bound as u64);
        spent += extra;
        side.push((bound <= n).then_some(bound as u64));
    }
    (side, spent)
}
