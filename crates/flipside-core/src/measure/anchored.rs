//! Flips of an order beside flips of the control on the same cases.

use crate::case::Case;
use crate::measure::accuracy::LEVEL;
use crate::measure::pair::{PairOutcome, pair};
use crate::measure::table::{CasePair, Table};
use crate::measure::units::contrast;
use crate::perturb::Axis;
use crate::stats::paired;
use crate::summary::Anchored;

/// Flips of `pairs` minus flips of the first control, on the cases that both compare. `None` without such a case.
///
/// Source: the statistics page, 5, with its caution.
pub(crate) fn anchored(
    table: &Table<'_>,
    pairs: &[CasePair<'_>],
    cluster: Option<&str>,
) -> Option<Anchored> {
    let variants = &table.plan.variants;
    let control = variants
        .iter()
        .position(|variant| variant.axis == Axis::Same)?;
    let case = |each: &CasePair<'_>| table.plan.asks[each.ask].case;
    let mut same = vec![None; table.plan.cases.len()];
    for each in table.pairs(control) {
        same[case(&each) as usize] = flipped(&each);
    }
    let (mut both, mut order_only, mut same_only, mut neither) = (0, 0, 0, 0);
    let both_told = |each: &CasePair<'_>| flipped(each).zip(same[case(each) as usize]);
    let compared = pairs
        .iter()
        .filter_map(|each| Some((each.case, both_told(each)?)));
    let compared: Vec<(&Case, (bool, bool))> = compared.collect();
    for (_, flips) in &compared {
        let count = match flips {
            (true, true) => &mut both,
            (true, false) => &mut order_only,
            (false, true) => &mut same_only,
            (false, false) => &mut neither,
        };
        *count += 1;
    }
    let difference = paired::newcombe_paired(both, order_only, same_only, neither, LEVEL).ok()?;
    let mut found = Anchored {
        pairs: both + order_only + same_only + neither,
        variant_flips: both + order_only,
        same_flips: both + same_only,
        difference: difference.value,
        interval: [difference.lower, difference.upper],
        mcnemar_p: paired::mcnemar_exact(order_only, same_only),
        clusters: None,
    };
    if let Some(field) = cluster {
        let contrast = contrast(field, &compared, LEVEL)?;
        found.interval = contrast.interval;
        found.mcnemar_p = contrast.p;
        found.clusters = Some(contrast.signs);
    }
    Some(found)
}

fn flipped(each: &CasePair<'_>) -> Option<bool> {
    match pair(each.own, each.variant) {
        PairOutcome::Flip { .. } => Some(true),
        PairOutcome::Same => Some(false),
        _ => None,
    }
}
