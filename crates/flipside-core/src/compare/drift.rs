//! How far other orders move the probabilities, in both.

use super::average::stream;
use super::figures::{DriftComparison, QuantileDifference, SpreadDifference};
use super::matching::MatchedCase;
use crate::measure::LEVEL;
use crate::stats::cluster::{DRAWS, FEWEST_FLIPS, bootstrap};
use crate::stats::drift::{Drift, Headroom, drift};
use crate::stats::quantile::Place;

/// One measure of one pair: the baseline's and the variant's value.
type Pair = (f64, f64);

/// The drift of both sides over all orders but the own one. `None` where a side has no probabilities.
///
/// Source: the statistics page, 8 and 14.
pub(super) fn compared(cases: &[MatchedCase<'_>]) -> Option<DriftComparison> {
    let (mut pairs, mut without, mut undefined) = (0, 0, 0);
    let (mut shannon, mut variation, mut headroom) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases {
        let Some((own_first, own_second)) = case.own.answers() else {
            continue;
        };
        let (mut bits, mut moved, mut room) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &case.orders {
            let Some((first, second)) = entry.both.answers() else {
                continue;
            };
            let found = between(own_first, first).zip(between(own_second, second));
            let Some((first, second)) = found else {
                without += 1;
                continue;
            };
            pairs += 1;
            bits.push((first.jensen_shannon_bits, second.jensen_shannon_bits));
            moved.push((first.total_variation, second.total_variation));
            match (first.headroom, second.headroom) {
                (Headroom::Ratio(first), Headroom::Ratio(second)) => room.push((first, second)),
                _ => undefined += 1,
            }
        }
        for (all, of_case) in [
            (&mut shannon, bits),
            (&mut variation, moved),
            (&mut headroom, room),
        ] {
            if !of_case.is_empty() {
                all.push(of_case);
            }
        }
    }
    Some(DriftComparison {
        cases: shannon.len() as u64,
        pairs,
        without_probabilities: without,
        jensen_shannon_bits: spread(&shannon)?,
        total_variation: spread(&variation)?,
        headroom: spread(&headroom),
        headroom_undefined: undefined,
    })
}

fn between(own: &crate::answer::Answer, other: &crate::answer::Answer) -> Option<Drift> {
    drift(own.probabilities.as_ref()?, other.probabilities.as_ref()?).ok()
}

/// Median and 95th percentile of both sides over all pairs, with cases as clusters; `None` without a pair.
fn spread(cases: &[Vec<Pair>]) -> Option<SpreadDifference> {
    let differing = cases
        .iter()
        .filter(|pairs| {
            pairs
                .iter()
                .any(|(first, second)| first.total_cmp(second).is_ne())
        })
        .count() as u64;
    let sorted = [0, 1].map(|side| Sorted::of(cases, side));
    let few = differing < FEWEST_FLIPS;
    let at = |share: f64| -> Option<QuantileDifference> {
        let mut counts = vec![1_u32; cases.len()];
        let [baseline, variant] = [0, 1].map(|side| sorted[side].quantile(&counts, share));
        let (baseline, variant) = (baseline?, variant?);
        let statistic = |chosen: &[usize]| {
            counts.fill(0);
            for &case in chosen {
                counts[case] += 1;
            }
            let [first, second] = [0, 1].map(|side| sorted[side].quantile(&counts, share));
            Some(second? - first?)
        };
        let interval = if few {
            None
        } else {
            let found = bootstrap(cases.len(), DRAWS, LEVEL, &mut stream(), statistic);
            let found = found.ok().flatten()?.estimate;
            (found.lower < found.upper).then_some([found.lower, found.upper])
        };
        Some(QuantileDifference {
            baseline,
            variant,
            difference: variant - baseline,
            interval,
        })
    };
    let (median, p95) = (at(0.5)?, at(0.95)?);
    let reason = if few {
        Some("fewer than 10 cases differ, and resamples of them say nothing")
    } else if median.interval.is_none() || p95.interval.is_none() {
        Some("resamples of a quantile are all alike, and say nothing")
    } else {
        None
    };
    Some(SpreadDifference {
        differing,
        median,
        p95,
        reason: reason.map(str::to_owned),
    })
}

/// The values of one side in ascending order, each with its case, so that a resample needs no sorting.
struct Sorted(Vec<(f64, usize)>);

impl Sorted {
    fn of(cases: &[Vec<Pair>], side: usize) -> Self {
        let value = |pair: &Pair| if side == 0 { pair.0 } else { pair.1 };
        let mut all: Vec<(f64, usize)> = cases
            .iter()
            .enumerate()
            .flat_map(|(case, pairs)| pairs.iter().map(move |pair| (value(pair), case)))
            .collect();
        all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Self(all)
    }

    /// The quantile of the values, each as often as its case was chosen; the rule of `stats::quantile`.
    fn quantile(&self, counts: &[u32], share: f64) -> Option<f64> {
        let chosen = self.0.iter().map(|&(_, case)| counts[case] as usize);
        let Place { below, above, part } = Place::of(chosen.sum(), share)?;
        let (mut passed, mut low) = (0, None);
        for &(value, case) in &self.0 {
            passed += counts[case] as usize;
            if low.is_none() && passed > below {
                low = Some(value);
            }
            if passed > above {
                return low.map(|low| low * (1.0 - part) + value * part);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::quantile::quantile;

    #[test]
    fn a_resampled_quantile_is_that_of_the_values_written_out() {
        let cases = vec![
            vec![(0.5, 0.0), (0.1, 0.0)],
            vec![(0.3, 0.0)],
            vec![(0.2, 0.0)],
        ];
        let sorted = Sorted::of(&cases, 0);
        for counts in [[1, 1, 1], [3, 0, 0], [0, 2, 1], [1, 0, 2]] {
            let mut all = Vec::new();
            for (pairs, count) in cases.iter().zip(counts) {
                for _ in 0..count {
                    all.extend(pairs.iter().map(|pair| pair.0));
                }
            }
            for share in [0.0, 0.25, 0.5, 0.95, 1.0] {
                let found = sorted.quantile(&counts, share).unwrap();
                assert!((found - quantile(&all, share).unwrap()).abs() < 1e-15);
            }
        }
        assert_eq!(sorted.quantile(&[0, 0, 0], 0.5), None);
    }
}
