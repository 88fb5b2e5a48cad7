//! Flips of an order beside flips of the control on the same cases.

use crate::measure::accuracy::LEVEL;
use crate::measure::pair::{PairOutcome, pair};
use crate::measure::table::{CasePair, Table};
use crate::perturb::Axis;
use crate::stats::paired;
use crate::summary::Anchored;

/// Flips of `pairs` minus flips of the first control, on the cases that both compare. `None` without such a case.
///
/// Source: the statistics page, 5, with its caution.
pub(crate) fn anchored(table: &Table<'_>, pairs: &[CasePair<'_>]) -> Option<Anchored> {
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
    for each in pairs {
        let count = match (flipped(each), same[case(each) as usize]) {
            (Some(true), Some(true)) => &mut both,
            (Some(true), Some(false)) => &mut order_only,
            (Some(false), Some(true)) => &mut same_only,
            (Some(false), Some(false)) => &mut neither,
            _ => continue,
        };
        *count += 1;
    }
    let difference = paired::newcombe_paired(both, order_only, same_only, neither, LEVEL).ok()?;
    Some(Anchored {
        pairs: both + order_only + same_only + neither,
        order_flips: both + order_only,
        same_flips: both + same_only,
        difference: difference.value,
        interval: [difference.lower, difference.upper],
        mcnemar_p: paired::mcnemar_exact(order_only, same_only),
    })
}

fn flipped(each: &CasePair<'_>) -> Option<bool> {
    match pair(each.own, each.variant) {
        PairOutcome::Flip { .. } => Some(true),
        PairOutcome::Same => Some(false),
        _ => None,
    }
}
