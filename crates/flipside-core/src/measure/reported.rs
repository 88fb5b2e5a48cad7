//! How far probabilities moved as they were reported, and by key which way.

use std::collections::BTreeMap;

use crate::answer::{Answer, FLOAT_NOISE};
use crate::case::Case;
use crate::measure::mean::{SEED, average, mean};
use crate::measure::named::{Name, names, shared};
use crate::measure::table::CasePair;
use crate::summary::{KeyChange, KeyChanges, ReportedDrift};

/// The distances of one pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reported {
    /// Half the sum of absolute changes.
    pub(crate) total_variation: f64,
    /// The largest absolute change.
    pub(crate) largest_change: f64,
}

/// The distances between two answers with probabilities over one number of options, at least 2, as reported. `None` without them.
pub(crate) fn reported(own: &Answer, variant: &Answer) -> Option<Reported> {
    let (p, q) = probabilities(own, variant)?;
    let mut changes: Vec<f64> = p.iter().zip(q).map(|(p, q)| (p - q).abs()).collect();
    // The same sum however the options are numbered.
    changes.sort_by(f64::total_cmp);
    Some(Reported {
        total_variation: changes.iter().sum::<f64>() / 2.0,
        largest_change: changes.last().copied()?,
    })
}

fn probabilities<'a>(own: &'a Answer, variant: &'a Answer) -> Option<(&'a [f64], &'a [f64])> {
    let (p, q) = (
        own.probabilities.as_deref()?,
        variant.probabilities.as_deref()?,
    );
    (p.len() == q.len() && p.len() > 1).then_some((p, q))
}

/// The means over pairs without intervals, for a slice of the cases.
pub(crate) fn summed_up(pairs: &[(&Case, Reported)]) -> ReportedDrift {
    let mean = |of: fn(&Reported) -> f64| {
        let mut values: Vec<f64> = pairs.iter().map(|(_, each)| of(each)).collect();
        values.sort_by(f64::total_cmp);
        average(&values)
    };
    let worst = pairs.iter().max_by(|(a, one), (b, other)| {
        let by_size = one.largest_change.total_cmp(&other.largest_change);
        by_size.then_with(|| b.id.cmp(&a.id))
    });
    let largest = worst.map(|(_, each)| each.largest_change);
    ReportedDrift {
        pairs: pairs.len() as u64,
        mean_total_variation: mean(|each| each.total_variation),
        mean_total_variation_interval: None,
        mean_largest_change: mean(|each| each.largest_change),
        mean_largest_change_interval: None,
        largest_change: largest,
        worst: worst
            .filter(|_| largest > Some(0.0))
            .map(|(case, _)| case.id.0.clone()),
    }
}

/// The same with the intervals of both means.
pub(crate) fn figure(pairs: &[(&Case, Reported)], cluster: Option<&str>) -> ReportedDrift {
    let interval = |of: fn(&Reported) -> f64| {
        let values = || pairs.iter().map(|(case, each)| (*case, of(each)));
        // Rounded probabilities may add up to a little more than 1.
        let most = values().map(|(_, value)| value).fold(1.0, f64::max);
        let found = mean(cluster, values(), [0.0, most])?;
        Some([found.lower, found.upper])
    };
    ReportedDrift {
        mean_total_variation_interval: interval(|each| each.total_variation),
        mean_largest_change_interval: interval(|each| each.largest_change),
        ..summed_up(pairs)
    }
}

/// What one case says about a key.
#[derive(Clone, Copy)]
struct Change<'a> {
    case: &'a Case,
    by: f64,
    own: bool,
    variant: bool,
}

/// The mean change of the probability of every key that two cases or more offer; `None` where there is none.
///
/// `cluster` names the field by whose values cases depend on each other, if any.
pub(crate) fn key_changes(pairs: &[CasePair<'_>], cluster: Option<&str>) -> Option<KeyChanges> {
    let mut by_name: BTreeMap<Name<'_>, Vec<Change<'_>>> = BTreeMap::new();
    for pair in pairs {
        let Some((own, variant)) = pair.answers else {
            continue;
        };
        let Some((p, q)) = probabilities(own, variant) else {
            continue;
        };
        for (name, id) in names(pair.case) {
            let Some((p, q)) = p.get(id.index()).zip(q.get(id.index())) else {
                continue;
            };
            by_name.entry(name).or_default().push(Change {
                case: pair.case,
                by: q - p,
                own: own.choice == Some(id),
                variant: variant.choice == Some(id),
            });
        }
    }
    let (kept, keys_left_out) = shared(by_name);
    let keys: Vec<KeyChange> = kept
        .iter()
        .filter_map(|(name, changes)| key_change(name, changes, cluster))
        .collect();
    (!keys.is_empty()).then_some(KeyChanges {
        keys,
        keys_left_out,
        seed: SEED,
    })
}

fn key_change(
    (question, key): &Name<'_>,
    changes: &[Change<'_>],
    cluster: Option<&str>,
) -> Option<KeyChange> {
    let count = |of: fn(&Change<'_>) -> bool| changes.iter().filter(|each| of(each)).count() as u64;
    let values = || changes.iter().map(|each| (each.case, each.by));
    let ends = values().fold([-1.0, 1.0], |[low, high], (_, value)| {
        [value.min(low), value.max(high)]
    });
    let found = mean(cluster, values(), ends)?;
    let (up, down) = (
        count(|each| each.by > FLOAT_NOISE),
        count(|each| each.by < -FLOAT_NOISE),
    );
    let cases = changes.len() as u64;
    Some(KeyChange {
        question: *question,
        key: key.clone().into_owned(),
        cases,
        mean: found.value,
        interval: [found.lower, found.upper],
        interval_method: found.method,
        up,
        down,
        same: cases - up - down,
        own_chosen: count(|each| each.own),
        chosen: count(|each| each.variant),
    })
}
