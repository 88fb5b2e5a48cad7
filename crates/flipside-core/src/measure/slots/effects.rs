//! Means over cases of the effects and of their squares.

use super::follow::{Chosen, Effect};
use crate::case::Case;
use crate::measure::accuracy::LEVEL;
use crate::measure::units::{signs, totals};
use crate::stats::cluster::betting_interval_over;
use crate::stats::number::real;
use crate::stats::paired::sign_test;
use crate::summary::{SlotEffect, SlotPart, SlotParts};

/// The mean of `effect` over `decided` cases; `missing` has for each case without four answers how they could be. `None`
/// without a decided case.
pub(super) fn effect(
    effect: Effect,
    decided: &[(&Case, Chosen)],
    missing: &[Vec<Chosen>],
    cluster: Option<&str>,
) -> Option<SlotEffect> {
    let value = |chosen: &Chosen| effect.of(*chosen);
    let each = || decided.iter().map(|(case, chosen)| (*case, value(chosen)));
    let mean = mean(
        cluster,
        each().map(|(case, value)| (case, f64::midpoint(value, 1.0))),
    )?;
    let back = |value: f64| 2.0 * value - 1.0;
    let count = |over: fn(f64) -> bool| each().filter(|(_, value)| over(*value)).count() as u64;
    let (plus, minus) = (count(|value| value > 0.0), count(|value| value < 0.0));
    let ways = each().map(|(case, value)| (case, (value > 0.0, value < 0.0)));
    let over = cluster.map(|field| signs(field, ways));
    // Quarters add up exactly, in whatever order.
    let known: f64 = each().map(|(_, value)| value).sum();
    let all = real((decided.len() + missing.len()) as u64);
    let bound = |pick: fn(f64, f64) -> f64| {
        let end = |ways: &Vec<Chosen>| ways.iter().map(value).reduce(pick).unwrap_or(0.0);
        (known + missing.iter().map(end).sum::<f64>()) / all
    };
    Some(SlotEffect {
        value: known / real(decided.len() as u64),
        interval: mean.interval.map(back),
        if_missing: [bound(f64::min), bound(f64::max)],
        plus,
        minus,
        p: over.map_or(sign_test(plus, minus), |(_, p)| p),
        clusters: over.map(|(signs, _)| signs),
    })
}

/// The means of the squares of all four effects; `None` without a case.
pub(super) fn parts(decided: &[(&Case, Chosen)], cluster: Option<&str>) -> Option<SlotParts> {
    let square = |effect: Effect| {
        let each = decided.iter();
        let each = each.map(|(case, chosen)| (*case, effect.of(*chosen).powi(2)));
        mean(cluster, each)
    };
    Some(SlotParts {
        content: square(Effect::Content)?,
        position: square(Effect::Position)?,
        keys: square(Effect::Keys)?,
        interaction: square(Effect::Interaction)?,
    })
}

/// Mean of values from 0 to 1 with its betting interval (the statistics page, 4.4); `None` without one.
fn mean<'a>(
    cluster: Option<&str>,
    values: impl IntoIterator<Item = (&'a Case, f64)>,
) -> Option<SlotPart> {
    let found = betting_interval_over(&totals(cluster, values), 1.0 - LEVEL).ok()?;
    Some(SlotPart {
        value: found.value,
        interval: [found.lower, found.upper],
    })
}
