//! Fit: own-order answers against the accepted options, and what a picker without content would get.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::gate::{self, Gates, Subject};
use crate::measure::accepted;
use crate::measure::accuracy::{LEVEL, right};
use crate::measure::clusters::{OverClusters, Unit, Units};
use crate::measure::pair::Said;
use crate::order::OptionId;
use crate::stats::proportion;
use crate::summary::{Figure, Fit, KeyBaseline, PositionBaseline, Verdict};

/// The fit figure of `cases` with what each own-order ask said.
///
/// `cluster` names the field by whose values cases depend on each other, if any.
pub(crate) fn fit(cases: &[Case], own: &[Said], gates: &Gates, cluster: Option<&str>) -> Fit {
    let labelled = || cases.iter().zip(own).filter(|(case, _)| case.is_labelled());
    let count =
        |wanted: fn(&Said) -> bool| labelled().filter(|(_, said)| wanted(said)).count() as u64;
    let missing = count(|said| *said == Said::Missing);
    let unasked = count(|said| *said == Said::Unasked);
    let no_decision = count(|said| *said == Said::Nothing);
    let applicable = labelled().count() as u64;
    let pairs = applicable - missing - unasked;
    let accepted = labelled()
        .filter(|(case, said)| right(case, **said) == Some(true))
        .count() as u64;
    let all = applicable;
    let share = proportion::wilson(accepted, pairs, LEVEL).ok();
    let limit = gates.limit(&Subject::Fit);
    let floor = limit.unwrap_or(gate::FIT_SHARE);
    let over = over_clusters(cases, own, gates);
    let (lower, upper) = match &over {
        Some(over) => (Some(over.bounds.lower), Some(over.bounds.upper)),
        None => (
            proportion::lower_bound(accepted, all, gates.alpha).ok(),
            proportion::upper_bound(accepted + missing + unasked, all, gates.alpha).ok(),
        ),
    };
    let position_baseline = baseline(cases, cluster);
    let informative = position_baseline
        .as_ref()
        .is_none_or(|baseline| baseline.rate < floor);
    let known = pairs;
    let (verdict, reason) = if all == 0 {
        (
            Verdict::NotMeasured,
            Some("no case says which options are right".to_owned()),
        )
    } else if known < gate::FIT_CASES {
        (
            Verdict::TooFewCases,
            Some(format!("{known} of {}", gate::FIT_CASES)),
        )
    } else if gates.strict {
        match (lower, upper) {
            (Some(lower), _) if lower >= floor => match &over {
                Some(over) if over.clusters < gate::FEWEST_CLUSTERS => (
                    Verdict::FitInconclusive,
                    Some(gate::few_clusters(over.clusters)),
                ),
                _ => (Verdict::Fits, None),
            },
            (_, Some(upper)) if upper < floor => (Verdict::NotATask, None),
            _ => (Verdict::FitInconclusive, None),
        }
    } else if share_of(accepted, all) >= floor {
        (Verdict::Fits, None)
    } else if share_of(accepted + missing + unasked, all) < floor {
        (Verdict::NotATask, None)
    } else {
        let lost = missing + unasked;
        (
            Verdict::Undecided,
            Some(format!(
                "{lost} of {all} answers are missing; ask them again first"
            )),
        )
    };
    Fit {
        figure: Figure {
            applicable,
            vacuous: 0,
            asked: applicable - unasked,
            pairs,
            missing,
            unasked,
            no_decision,
            flips: None,
            firm_flips: None,
            tie_flips: None,
            rate: share.map(|share| share.value),
            interval: match &over {
                Some(over) => over.interval,
                None => share.map(|share| [share.lower, share.upper]),
            },
            lower,
            upper,
            clusters: over.map(|over| over.figure),
            limit,
            rule: gates.rule(),
            verdict,
            reason,
        },
        right: accepted,
        position_baseline,
        accepted_positions: accepted::accepted_positions_over(cases, cluster),
        key_baseline: key_baseline(cases),
        informative,
        // A share of all of n is at least `floor` exactly where a share of none of n is at most `1 - floor`.
        clean_cases_needed: proportion::cases_needed(0, 1.0 - floor, gates.alpha),
    }
}

/// The share of accepted answers over the declared clusters; `None` where none are declared or no case is labelled.
fn over_clusters(cases: &[Case], own: &[Said], gates: &Gates) -> Option<OverClusters> {
    let field = gates.groups.cluster.as_deref()?;
    let labelled = cases.iter().zip(own).filter(|(case, _)| case.is_labelled());
    let units = labelled.map(|(case, said)| {
        let unit = match right(case, *said) {
            Some(true) => Unit::Hit,
            Some(false) => Unit::NoHit,
            None => Unit::Lost,
        };
        (case, unit)
    });
    Units::of(field, units).share(gates.alpha)
}

#[expect(clippy::cast_precision_loss, reason = "case counts are far below 2^52")]
fn share_of(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// The accuracy of the best picker of one position per number of options; ties go to the smallest position.
///
/// `None` without a labelled case. Source: the statistics page, 6.5.
pub fn position_baseline(cases: &[Case]) -> Option<PositionBaseline> {
    baseline(cases, None)
}

fn baseline(cases: &[Case], cluster: Option<&str>) -> Option<PositionBaseline> {
    let mut by_options: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    let mut of = 0;
    // Without an order on record an identity is no place.
    let placed = |case: &&Case| case.is_labelled() && !case.brought.unlisted;
    for case in cases.iter().filter(placed) {
        let counts = by_options
            .entry(case.options.len())
            .or_insert_with(|| vec![0; case.options.len()]);
        case.accept.iter().for_each(|id| counts[id.index()] += 1);
        of += 1;
    }
    let best = |counts: &Vec<u64>| counts.iter().copied().max().unwrap_or(0);
    let right: u64 = by_options.values().map(best).sum();
    let lower = match cluster {
        None => proportion::lower_bound(right, of, gate::ALPHA).ok()?,
        Some(field) => {
            let first = |counts: &Vec<u64>| counts.iter().position(|count| *count == best(counts));
            let units = cases.iter().filter(placed).map(|case| {
                let place = by_options.get(&case.options.len()).and_then(first);
                let hit = case.accept.iter().any(|id| Some(id.index()) == place);
                (case, if hit { Unit::Hit } else { Unit::NoHit })
            });
            Units::of(field, units).share(gate::ALPHA)?.bounds.lower
        }
    };
    let position = match by_options.values().collect::<Vec<_>>()[..] {
        [counts] => counts.iter().position(|count| *count == best(counts)),
        _ => None,
    };
    Some(PositionBaseline {
        right,
        of,
        rate: share_of(right, of),
        lower,
        position: position.and_then(|position| u16::try_from(position).ok()),
    })
}

/// The accuracy of the best picker of one key; ties go to the key that comes first in byte order.
///
/// `None` without a labelled case.
pub fn key_baseline(cases: &[Case]) -> Option<KeyBaseline> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut of = 0;
    for case in cases.iter().filter(|case| case.is_labelled()) {
        let key = |id: &OptionId| case.options[id.index()].key.0.as_str();
        case.accept
            .iter()
            .for_each(|id| *counts.entry(key(id)).or_insert(0) += 1);
        of += 1;
    }
    let right = counts.values().copied().max()?;
    let key = counts
        .iter()
        .find(|(_, count)| **count == right)
        .map(|(key, _)| (*key).to_owned())?;
    Some(KeyBaseline {
        right,
        of,
        rate: share_of(right, of),
        key,
    })
}
