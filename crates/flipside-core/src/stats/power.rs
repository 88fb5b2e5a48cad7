//! Sample sizes: to certify, to show sensitivity, and to tell two models apart.

use super::Error;
use super::number::{MOST, check_count, check_open, check_unit, whole};
use super::proportion::cases_needed;
use super::special::{Tail, at_least, at_most, normal_quantile};

/// A fixed number of cases with the flip count that decides it.
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
pub struct FixedSize {
    /// Cases to ask.
    pub cases: u64,
    /// Most flips that still certify, or fewest that show sensitivity.
    pub flips: u64,
}

/// Flip counts looked at before a search gives up: beyond, the true rate is too near the limit for any budget.
const MOST_FLIPS: u64 = 20_000;

/// Fewest cases that certify `limit` with chance `power` when the model truly flips at `true_rate`.
///
/// The smallest n with some c such that `P(X <= c | limit) <= alpha` and `P(X <= c | true_rate) >= power`. `limit`,
/// `alpha` and `power` strictly between 0 and 1, `true_rate` from 0 to 1. `None` if the true rate is at or over the limit,
/// or so near that more than 20,000 flips would have to be allowed.
///
/// # Errors
/// [`Error::OutOfRange`] for an argument.
///
/// Source: section 13 of the statistics page. Compared with scipy (goldens `power`).
pub fn certify_size(
    limit: f64,
    true_rate: f64,
    alpha: f64,
    power: f64,
) -> Result<Option<FixedSize>, Error> {
    check(limit, true_rate, alpha, power)?;
    if true_rate >= limit {
        return Ok(None);
    }
    for flips in 0..=MOST_FLIPS {
        // For one flip count the smallest n that certifies has the most power, and it grows with the count.
        let Some(cases) = cases_needed(flips, limit, alpha) else {
            return Ok(None);
        };
        if at_most(flips, cases, true_rate) >= power {
            return Ok(Some(FixedSize { cases, flips }));
        }
    }
    Ok(None)
}

/// Fewest cases that show a rate over `limit` with chance `power` when the model truly flips at `true_rate`.
///
/// The smallest n with some c such that `P(X >= c | limit) <= alpha` and `P(X >= c | true_rate) >= power`. Ranges as in
/// [`certify_size`]; `None` if the true rate is at or under the limit, or too near it.
///
/// # Errors
/// [`Error::OutOfRange`] for an argument.
///
/// Source: section 13 of the statistics page. Compared with scipy (goldens `power`).
pub fn sensitivity_size(
    limit: f64,
    true_rate: f64,
    alpha: f64,
    power: f64,
) -> Result<Option<FixedSize>, Error> {
    check(limit, true_rate, alpha, power)?;
    if true_rate <= limit {
        return Ok(None);
    }
    for flips in 1..=MOST_FLIPS {
        if at_least(flips, flips, limit) > alpha {
            continue;
        }
        let most = last(flips, |n| at_least(flips, n, limit) <= alpha);
        if at_least(flips, most, true_rate) < power {
            continue;
        }
        // The fewest cases for this count; a larger count needs more cases.
        let short = last(flips, |n| at_least(flips, n, true_rate) < power);
        let enough = if at_least(flips, flips, true_rate) >= power {
            flips
        } else {
            short + 1
        };
        return Ok(Some(FixedSize {
            cases: enough,
            flips,
        }));
    }
    Ok(None)
}

/// The last n from `start` for which `holds`, a condition that turns from true to false once.
fn last(start: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut yes, mut step) = (start, 1);
    while yes + step < MOST && holds(yes + step) {
        yes += step;
        step *= 2;
    }
    let mut no = (yes + step).min(MOST);
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        if holds(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}

fn check(limit: f64, true_rate: f64, alpha: f64, power: f64) -> Result<(), Error> {
    check_open("limit", limit)?;
    check_unit("true_rate", true_rate)?;
    check_open("alpha", alpha)?;
    check_open("power", power)
}

/// Cases for a paired comparison of two models, by the exact test's normal approximation.
///
/// `discordant` is the share of cases on which they differ, `difference` that of the two shares; `|difference|` must be at
/// most `discordant` and not 0. Two-sided `alpha`, both strictly between 0 and 1. Rounded up.
///
/// # Errors
/// [`Error::OutOfRange`] for an argument.
///
/// Source: Connor 1987, section 13 of the statistics page (goldens `power`).
pub fn paired_size(discordant: f64, difference: f64, alpha: f64, power: f64) -> Result<u64, Error> {
    check_unit("discordant", discordant)?;
    check_open("alpha", alpha)?;
    check_open("power", power)?;
    if !(difference.abs() > 0.0 && difference.abs() <= discordant) {
        return Err(Error::OutOfRange {
            what: "difference",
            value: difference,
            expected: "a number other than 0, no farther from it than `discordant`",
        });
    }
    let reject = normal_quantile(Tail::Upper, alpha / 2.0)?;
    let detect = normal_quantile(Tail::Lower, power)?;
    let square = difference * difference;
    let root = reject * discordant.sqrt() + detect * (discordant - square).sqrt();
    Ok(whole((root.max(0.0).powi(2) / square).ceil()))
}

/// A plan of one look: its two critical counts.
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
pub struct FixedPlan {
    /// Cases asked.
    pub cases: u64,
    /// Most flips that certify; `None` if not even none does.
    pub stable_if_at_most: Option<u64>,
    /// Fewest flips that show sensitivity; `None` if not even all do.
    pub sensitive_if_at_least: Option<u64>,
}

impl FixedPlan {
    /// The critical counts of `cases` cases at `limit`, each side at `alpha`.
    ///
    /// # Errors
    /// [`Error::Empty`] if `cases` is 0, [`Error::OutOfRange`] for `limit` or `alpha`, [`Error::TooMany`] above 10^12.
    ///
    /// Source: section 16.5 of the statistics page (golden `fixed_plan`).
    pub fn new(cases: u64, limit: f64, alpha: f64) -> Result<Self, Error> {
        check_count("cases", cases)?;
        check_open("limit", limit)?;
        check_open("alpha", alpha)?;
        let stable_if_at_most = (at_most(0, cases, limit) <= alpha)
            .then(|| last_in(0, cases, |flips| at_most(flips, cases, limit) <= alpha));
        let sensitive_if_at_least = (at_least(cases, cases, limit) <= alpha)
            .then(|| last_in(0, cases, |flips| at_least(flips, cases, limit) > alpha) + 1);
        Ok(Self {
            cases,
            stable_if_at_most,
            sensitive_if_at_least,
        })
    }

    /// The chance of each verdict at a true rate: stable, then sensitive.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `rate` is not from 0 to 1.
    pub fn chances(&self, rate: f64) -> Result<(f64, f64), Error> {
        check_unit("rate", rate)?;
        Ok((
            self.stable_if_at_most
                .map_or(0.0, |flips| at_most(flips, self.cases, rate)),
            self.sensitive_if_at_least
                .map_or(0.0, |flips| at_least(flips, self.cases, rate)),
        ))
    }
}

/// The last value in `first..end` for which `holds`, which is true at `first` and turns false once, at `end` at the latest.
fn last_in(first: u64, end: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut yes, mut no) = (first, end);
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        if holds(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}
