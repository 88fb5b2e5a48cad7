//! How many further pairs would settle an inconclusive gate.

use super::super::Error;
use super::super::number::{MOST, check_count, check_hits, check_open, check_unit, real};
use super::bound::{cases_needed, lower_bound, upper_bound};

/// Which way the observed rate points.
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
pub enum Towards {
    /// The rate is under the limit.
    Stable,
    /// The rate is over the limit.
    Sensitive,
    /// The rate is the limit, nothing was answered, pairs are missing, or the limit is 0.
    None,
}

/// Further pairs after which a gate that is inconclusive now would be decided.
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
pub struct MorePairs {
    /// If none of them flips: until `stable`.
    pub if_no_further_flip: Option<u64>,
    /// If they flip at the rate seen so far: until `stable` or `sensitive`, whichever side the rate is on.
    pub if_rate_persists: Option<u64>,
    /// Which way the rate points.
    pub towards: Towards,
}

/// Further pairs that would settle a gate at `limit` after `flips` of `pairs`, with `missing` pairs unanswered.
///
/// `flips <= pairs`, `limit` from 0 to 1, `alpha` strictly between 0 and 1. 0 where the
/// gate is decided already. Nothing is promised while pairs are missing (ask those first), at a limit of 0
/// (sampling cannot certify zero), or where more than 10^12 pairs would be needed: those are `None`. At a rate equal to
/// the limit only the count without further flips exists.
///
/// # Errors
/// [`Error::Hits`] if `flips` is above `pairs`, [`Error::Empty`] if there are neither pairs nor missing ones,
/// [`Error::OutOfRange`] for `limit` or `alpha`, [`Error::TooMany`] above 10^12.
///
/// Source: section 6.1 of the statistics page; the search is exact. Compared with the goldens `gate_verdict`.
pub fn more_pairs(
    flips: u64,
    pairs: u64,
    missing: u64,
    limit: f64,
    alpha: f64,
) -> Result<MorePairs, Error> {
    check_count("pairs + missing", pairs.saturating_add(missing))?;
    check_unit("limit", limit)?;
    check_open("alpha", alpha)?;
    if missing > 0 || limit <= 0.0 {
        return Ok(MorePairs {
            if_no_further_flip: None,
            if_rate_persists: None,
            towards: Towards::None,
        });
    }
    check_hits(flips, pairs)?;
    let rate = real(flips) / real(pairs);
    let certifies = |x, n| upper_bound(x, n, alpha).is_ok_and(|upper| upper <= limit);
    let refutes = |x, n| lower_bound(x, n, alpha).is_ok_and(|lower| lower > limit);
    let clean = if certifies(flips, pairs) {
        Some(0)
    } else {
        cases_needed(flips, limit, alpha).map(|total| total.saturating_sub(pairs))
    };
    let (persists, towards) = if rate < limit {
        let more = if flips == 0 || certifies(flips, pairs) {
            clean
        } else {
            scan(flips, pairs, certifies, Side::Stable)
                .and_then(|(x, before)| Some(cases_needed(x, limit, alpha)?.max(before + 1)))
                .map(|total| total - pairs)
        };
        (more, Towards::Stable)
    } else if rate > limit {
        let more = if refutes(flips, pairs) {
            Some(0)
        } else {
            scan(flips, pairs, refutes, Side::Sensitive).map(|(_, total)| total - pairs)
        };
        (more, Towards::Sensitive)
    } else {
        (None, Towards::None)
    };
    Ok(MorePairs {
        if_no_further_flip: clean,
        if_rate_persists: persists,
        towards,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Stable,
    Sensitive,
}

/// The smallest flip count whose best block of totals decides, with that block's edge.
///
/// At a persisting rate `flips/pairs`, a total `t` has `ceil(rate t)` flips on the stable side and `floor(rate t)` on the
/// sensitive side, so `t` falls into blocks of one count. In a block the longest total is best for `stable` and the
/// shortest for `sensitive`. Multiples of the observed counts are the most favourable blocks and decide from some multiple
/// on; the first block that decides then lies between the last multiple that does not and the first that does.
///
/// Returns, for `stable`, the count and the last total of the block before; for `sensitive`, the count and the total.
fn scan(
    flips: u64,
    pairs: u64,
    decides: impl Fn(u64, u64) -> bool,
    side: Side,
) -> Option<(u64, u64)> {
    let most = MOST / pairs;
    let multiple_decides = |j: u64| decides(flips * j, pairs * j);
    if most < 2 {
        return None;
    }
    let mut fails = 1;
    let mut passes = 2;
    while !multiple_decides(passes) {
        if passes >= most {
            return None;
        }
        fails = passes;
        passes = (passes * 2).min(most);
    }
    while passes - fails > 1 {
        let middle = fails + (passes - fails) / 2;
        if multiple_decides(middle) {
            passes = middle;
        } else {
            fails = middle;
        }
    }
    let edge = |x: u64| -> Option<u64> {
        let exact = u128::from(x) * u128::from(pairs);
        let by = u128::from(flips);
        let total = match side {
            Side::Stable => exact / by,
            Side::Sensitive => exact.div_ceil(by),
        };
        u64::try_from(total).ok()
    };
    for x in flips * fails..=flips * passes {
        let total = edge(x)?;
        if total > pairs && decides(x, total) {
            let answer = match side {
                Side::Stable => edge(x.checked_sub(1)?)?.max(pairs),
                Side::Sensitive => total,
            };
            return Some((x, answer));
        }
    }
    None
}
