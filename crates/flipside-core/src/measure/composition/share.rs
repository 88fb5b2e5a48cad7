//! Shares of pairs that come several to a case.

use crate::case::Case;
use crate::gate::Gates;
use crate::measure::clusters::{Unit, Units};
use crate::stats::number::real;
use crate::summary::PairShare;

/// The share of the pairs that hit, over cases or declared clusters. A lost one counts as a hit on the upper side and as none on
/// the lower.
pub(super) fn share(gates: &Gates, pairs: Vec<(&Case, Unit)>) -> PairShare {
    let count = |wanted: Unit| pairs.iter().filter(|(_, unit)| *unit == wanted).count() as u64;
    let hits = count(Unit::Hit);
    let of = hits + count(Unit::NoHit);
    let over = Units::of_cases(gates, pairs.into_iter()).share(gates.alpha);
    let bounds = over.as_ref().map(|over| over.bounds);
    PairShare {
        of,
        hits,
        rate: (of > 0).then(|| real(hits) / real(of)),
        interval: over.and_then(|over| over.interval),
        lower: bounds.map(|bounds| bounds.lower),
        upper: bounds.map(|bounds| bounds.upper),
    }
}
