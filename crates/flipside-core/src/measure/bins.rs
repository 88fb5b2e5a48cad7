//! How many pairs lie in which part of a measure's range.

use crate::summary::DriftBin;

/// Lower ends of the parts of total variation above 0; the last one ends at 1.
const TOTAL_VARIATION: [f64; 10] = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
/// Lower ends of the parts of headroom above 0; the last one holds all pairs that went the whole way.
const HEADROOM: [f64; 9] = [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1.0];

/// `values`, from 0 to 1, by size; empty without one.
pub(super) fn total_variation(values: impl Iterator<Item = f64>) -> Vec<DriftBin> {
    bins(&TOTAL_VARIATION, Some(1.0), values)
}

/// `ratios`, from 0 up and infinite for a tie that moved, by size; empty without one. One of at least `reached` is 1.
pub(super) fn headroom(reached: f64, ratios: impl Iterator<Item = f64>) -> Vec<DriftBin> {
    let whole = ratios.map(|ratio| {
        if ratio >= reached {
            ratio.max(1.0)
        } else {
            ratio
        }
    });
    bins(&HEADROOM, None, whole)
}

/// A part for exactly 0, then one from each of `ends` to the next, the last one to `last`.
fn bins(ends: &[f64], last: Option<f64>, values: impl Iterator<Item = f64>) -> Vec<DriftBin> {
    let mut counts = vec![0; ends.len() + 1];
    for value in values {
        let above = ends.iter().filter(|end| value >= **end).count();
        counts[if value > 0.0 { above } else { 0 }] += 1;
    }
    if counts.iter().all(|count| *count == 0) {
        return Vec::new();
    }
    let zero = (0.0, Some(0.0));
    let rest = ends.iter().enumerate();
    let rest = rest.map(|(place, from)| (*from, ends.get(place + 1).copied().or(last)));
    let bins = std::iter::once(zero).chain(rest).zip(counts);
    bins.map(|((from, to), pairs)| DriftBin { from, to, pairs })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(bins: &[DriftBin]) -> Vec<u64> {
        bins.iter().map(|bin| bin.pairs).collect()
    }

    #[test]
    fn zero_stands_alone_a_lower_end_belongs_to_its_part_and_one_to_the_last() {
        let found =
            total_variation([0.0, 1e-17, 0.0009, 0.001, 0.0499, 0.05, 0.5, 1.0].into_iter());
        // 0 | (0, 0.001): two | from 0.001: one | 0.02 to 0.05: one | 0.05 to 0.1: one | 0.5 to 1: two.
        assert_eq!(pairs(&found), [1, 2, 1, 0, 0, 0, 1, 1, 0, 0, 2]);
        assert_eq!((found[0].from, found[0].to), (0.0, Some(0.0)));
        assert_eq!((found[1].from, found[1].to), (0.0, Some(0.001)));
        assert_eq!((found[10].from, found[10].to), (0.5, Some(1.0)));
        assert!(total_variation(std::iter::empty()).is_empty());
    }

    #[test]
    fn all_that_went_the_whole_way_is_in_the_last_part() {
        let ratios = [0.0, 0.005, 0.79, 0.8, 1.0 - 1e-12, 1.0, 40.0, f64::INFINITY];
        let found = headroom(1.0 - 1e-9, ratios.into_iter());
        assert_eq!(pairs(&found), [1, 1, 0, 0, 0, 0, 0, 1, 1, 4]);
        assert_eq!((found[9].from, found[9].to), (1.0, None));
    }
}
