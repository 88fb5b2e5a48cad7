//! What of a flip rate is order, and what is noise.

use super::number::{check_count, check_hits, check_length, check_open, real};
use super::paired::{mcnemar_exact, tango};
use super::proportion::{lower_bound, upper_bound};
use super::{Error, Estimate};

/// Flip probabilities and effects of one case whose answer distributions are known.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Population {
    /// Chance that the two orders answer differently.
    pub cross: f64,
    /// Chance that two asks in the baseline's order differ.
    pub same_baseline: f64,
    /// Chance that two asks in the changed order differ.
    pub same_changed: f64,
    /// `cross - same_baseline`: can be zero or negative while order matters.
    pub anchored: f64,
    /// `cross` minus the mean of both within-order chances: zero exactly when order does not matter.
    pub symmetric: f64,
    /// Chance that a flip is confirmed by a second pair.
    pub replicated: f64,
    /// Chance that the second pair answers the other way round.
    pub swapped: f64,
    /// `replicated - swapped`: never negative, zero exactly when order does not matter.
    pub confirmed: f64,
}

/// Effects of two known answer distributions over the same options.
///
/// # Errors
/// [`Error::Length`] if they differ, [`Error::OutOfRange`] for a probability or a sum that is not 1 within 1e-6.
///
/// Source: section 5 of the statistics page (goldens `net_effect_population`).
pub fn population(baseline: &[f64], changed: &[f64]) -> Result<Population, Error> {
    check_length("changed", changed.len(), baseline.len())?;
    for list in [baseline, changed] {
        for &value in list {
            super::number::check_unit("probabilities", value)?;
        }
        let sum: f64 = list.iter().sum();
        if (sum - 1.0).abs() > 1e-6 {
            return Err(Error::OutOfRange {
                what: "sum of probabilities",
                value: sum,
                expected: "1",
            });
        }
    }
    // Two asks differ: every ordered pair of different options. No 1 - sum, which would lose small chances.
    let differ = |first: &[f64], second: &[f64]| -> f64 {
        off_diagonal(first.len())
            .map(|(x, y)| first[x] * second[y])
            .sum()
    };
    let cross = differ(baseline, changed);
    let same_baseline = differ(baseline, baseline);
    let same_changed = differ(changed, changed);
    let pairs = || off_diagonal(baseline.len());
    let replicated: f64 = pairs()
        .map(|(x, y)| (baseline[x] * changed[y]).powi(2))
        .sum();
    let swapped: f64 = pairs()
        .map(|(x, y)| baseline[x] * changed[y] * baseline[y] * changed[x])
        .sum();
    let confirmed: f64 = pairs()
        .map(|(x, y)| (baseline[x] * changed[y] - baseline[y] * changed[x]).powi(2))
        .sum::<f64>()
        / 2.0;
    Ok(Population {
        cross,
        same_baseline,
        same_changed,
        anchored: cross - same_baseline,
        symmetric: baseline
            .iter()
            .zip(changed)
            .map(|(p, q)| (p - q).powi(2))
            .sum::<f64>()
            / 2.0,
        replicated,
        swapped,
        confirmed,
    })
}

fn off_diagonal(options: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..options).flat_map(move |x| (0..options).filter(move |&y| y != x).map(move |y| (x, y)))
}

/// The symmetric excess of one case, from repeated asks in both orders.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct CaseExcess {
    /// Share of baseline-changed pairs of asks that differ.
    pub cross: f64,
    /// Mean over both orders of the share of pairs of asks that differ.
    pub within: f64,
    /// `cross - within`, from -1 to 1, unbiased for the symmetric excess.
    pub excess: f64,
}

/// Symmetric excess from the answers (as labels) in the baseline's and in the changed order.
///
/// `None` under two asks in either order.
///
/// Source: section 5 of the statistics page (goldens `net_effect_case`).
pub fn case_excess<T: PartialEq>(baseline: &[T], changed: &[T]) -> Option<CaseExcess> {
    if baseline.len() < 2 || changed.len() < 2 {
        return None;
    }
    let share = |differing: usize, all: usize| real(differing as u64) / real(all as u64);
    let cross = share(
        baseline
            .iter()
            .map(|a| changed.iter().filter(|b| a != *b).count())
            .sum(),
        baseline.len() * changed.len(),
    );
    let within_one = |asks: &[T]| {
        share(
            asks.iter()
                .map(|a| asks.iter().filter(|b| a != *b).count())
                .sum(),
            asks.len() * (asks.len() - 1),
        )
    };
    let within = f64::midpoint(within_one(baseline), within_one(changed));
    Some(CaseExcess {
        cross,
        within,
        excess: cross - within,
    })
}

/// The confirmed effect: flips that a second pair repeats, minus those that it turns round.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Confirmed {
    /// `(replicated - swapped)/pairs` with Tango's interval.
    pub effect: Estimate,
    /// Exact test that order does nothing.
    pub p: f64,
}

/// Confirmed effect of `replicated` and `swapped` flips among `pairs` pairs.
///
/// `replicated + swapped <= pairs`.
///
/// # Errors
/// [`Error::Empty`] without pairs, [`Error::Hits`] if the flips exceed them, [`Error::Level`] for the level.
///
/// Source: section 5 of the statistics page, an own construction (goldens `net_effect_confirmed`).
pub fn confirmed(
    replicated: u64,
    swapped: u64,
    pairs: u64,
    level: f64,
) -> Result<Confirmed, Error> {
    Ok(Confirmed {
        effect: tango(replicated, swapped, pairs, level)?,
        p: mcnemar_exact(replicated, swapped),
    })
}

/// Further replicated flips, with none swapped, until the exact test rejects at `alpha`; 0 if it does already.
///
/// `None` if `alpha` is not strictly between 0 and 1, or swapped flips are so many that a million would not do.
///
/// Source: section 5 of the statistics page: 5 against 0 give 0.0625, 6 give 0.03125.
pub fn replications_needed(replicated: u64, swapped: u64, alpha: f64) -> Option<u64> {
    check_open("alpha", alpha).ok()?;
    let rejects = |more: u64| {
        replicated + more > swapped && mcnemar_exact(replicated + more, swapped) <= alpha
    };
    if rejects(0) {
        return Some(0);
    }
    let (mut no, mut yes) = (0, 1);
    while !rejects(yes) {
        if yes > 1_000_000 {
            return None;
        }
        no = yes;
        yes *= 2;
    }
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        if rejects(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    Some(yes)
}

/// What a control on other cases can prove.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct SubsetControl {
    /// Lower bound of the flip rate, at half of alpha.
    pub lower: f64,
    /// Upper bound of the control's flip rate, at half of alpha.
    pub control_upper: f64,
    /// Lower bound of the net effect: their difference.
    pub net_lower: f64,
}

/// Lower bound of the net effect when the control was asked on a subset, each side at half of `alpha`.
///
/// # Errors
/// [`Error::Empty`] or [`Error::Hits`] for the counts, [`Error::OutOfRange`] for `alpha`.
///
/// Source: section 5 of the statistics page (golden `control_on_subset`).
pub fn subset_control(
    (flips, pairs): (u64, u64),
    (control_flips, control_pairs): (u64, u64),
    alpha: f64,
) -> Result<SubsetControl, Error> {
    check_open("alpha", alpha)?;
    check_count("pairs", pairs)?;
    check_hits(control_flips, control_pairs)?;
    let lower = lower_bound(flips, pairs, alpha / 2.0)?;
    let control_upper = upper_bound(control_flips, control_pairs, alpha / 2.0)?;
    Ok(SubsetControl {
        lower,
        control_upper,
        net_lower: lower - control_upper,
    })
}
