//! Answers that a threshold on our own confidence accepts in one of two orders only.

use crate::gate::Gates;
use crate::measure::accuracy::LEVEL;
use crate::measure::clusters::{Unit, Units};
use crate::measure::drift::{accepted, own_top};
use crate::measure::pair::{PairOutcome, pair};
use crate::measure::table::CasePair;
use crate::stats::proportion;
use crate::summary::{DriftReason, Routing};

/// Routing of `pairs` at `threshold`, of which `lost` are missing or unasked.
///
/// Only pairs in which both answers decided count. One that changes its decision is a flip and no routing flip; it stays in
/// the denominator, so that both shares add up to how much of automatic work the order changes.
pub(crate) fn routing(
    pairs: &[CasePair<'_>],
    threshold: f64,
    lost: u64,
    gates: &Gates,
    cluster: Option<&str>,
) -> Routing {
    let mut found = Routing {
        threshold,
        pairs: 0,
        without_probabilities: 0,
        own_accepted: 0,
        variant_accepted: 0,
        decision_flips: 0,
        routing_flips: 0,
        to_review: 0,
        from_review: 0,
        rate: None,
        interval: None,
        lower: None,
        upper: None,
        reason: None,
    };
    let mut units = Vec::with_capacity(pairs.len());
    for each in pairs {
        let outcome = pair(each.own, each.variant);
        let flipped = match outcome {
            PairOutcome::Same => false,
            PairOutcome::Flip {
                no_decision: false, ..
            } => true,
            PairOutcome::Missing | PairOutcome::Unasked => {
                units.push((each.case, Unit::Lost));
                continue;
            }
            _ => continue,
        };
        let tops = each
            .answers
            .and_then(|(own, variant)| own_top(own).zip(own_top(variant)));
        let Some((own, variant)) = tops else {
            found.without_probabilities += 1;
            units.push((each.case, Unit::Lost));
            continue;
        };
        let (own, variant) = (accepted(own, threshold), accepted(variant, threshold));
        found.pairs += 1;
        let routed = !flipped && own != variant;
        units.push((each.case, if routed { Unit::Hit } else { Unit::NoHit }));
        found.own_accepted += u64::from(own);
        found.variant_accepted += u64::from(variant);
        found.decision_flips += u64::from(flipped);
        found.to_review += u64::from(!flipped && own && !variant);
        found.from_review += u64::from(!flipped && !own && variant);
    }
    found.routing_flips = found.to_review + found.from_review;
    let unknown = lost + found.without_probabilities;
    let all = found.pairs + unknown;
    let share = proportion::wilson(found.routing_flips, found.pairs, LEVEL).ok();
    found.rate = share.map(|share| share.value);
    found.interval = share.map(|share| [share.lower, share.upper]);
    found.lower = proportion::lower_bound(found.routing_flips, all, gates.alpha).ok();
    found.upper = proportion::upper_bound(found.routing_flips + unknown, all, gates.alpha).ok();
    if let Some(field) = cluster {
        let units = Units::of(field, units.into_iter());
        let over = units.share(gates.alpha);
        found.interval = over.as_ref().and_then(|over| over.interval);
        found.lower = over.as_ref().map(|over| over.bounds.lower);
        found.upper = over.as_ref().map(|over| over.bounds.upper);
    }
    found.reason = (found.pairs == 0).then_some(match found.without_probabilities {
        0 => DriftReason::NoAnswers,
        _ => DriftReason::NoProbabilities,
    });
    found
}
