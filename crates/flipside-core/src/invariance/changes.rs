//! Collecting differences.

use super::figures::{Listed, Spread};

/// Differences with the case of each.
#[derive(Debug, Default)]
pub(super) struct Differences {
    values: Vec<f64>,
    worst: Option<(f64, String)>,
}

impl Differences {
    pub(super) fn add(&mut self, value: f64, case: &str) {
        self.values.push(value);
        if self.worst.as_ref().is_none_or(|(worst, _)| value > *worst) {
            self.worst = Some((value, case.to_owned()));
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.values.extend_from_slice(&other.values);
        if let Some((value, case)) = &other.worst
            && self.worst.as_ref().is_none_or(|(worst, _)| value > worst)
        {
            self.worst = Some((*value, case.clone()));
        }
    }

    pub(super) fn largest(&self) -> f64 {
        self.worst.as_ref().map_or(0.0, |(worst, _)| *worst)
    }

    pub(super) fn spread(mut self) -> Option<Spread> {
        let (worst, worst_case) = self.worst?;
        self.values.sort_by(f64::total_cmp);
        Some(Spread {
            values: self.values.len() as u64,
            median: median(&self.values),
            worst,
            worst_case,
        })
    }
}

/// Of sorted values: the one in the middle, or the mean of the two.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    } else {
        sorted[middle]
    }
}

impl Listed {
    /// Ids that are listed.
    const MOST: usize = 20;

    pub(super) fn add(&mut self, case: &str) {
        self.count += 1;
        if self.first.len() < Self::MOST {
            self.first.push(case.to_owned());
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        let room = Self::MOST - self.first.len();
        self.first.extend(other.first.iter().take(room).cloned());
    }
}

/// The largest absolute difference of two lists of equal length; subtracted in 64 bits, so that nothing is rounded before.
pub(super) fn worst(a: &[f32], b: impl Iterator<Item = f32>) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| difference(*a, b));
    differences.fold(0.0, f64::max)
}

pub(super) fn difference(a: f32, b: f32) -> f64 {
    (f64::from(a) - f64::from(b)).abs()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "whole numbers and halves are exact")]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_two_in_the_middle() {
        let mut found = Differences::default();
        for (value, case) in [(3.0, "a"), (1.0, "b"), (8.0, "c"), (2.0, "d"), (8.0, "e")] {
            found.add(value, case);
        }
        let spread = found.spread().unwrap();
        assert_eq!((spread.values, spread.median, spread.worst), (5, 3.0, 8.0));
        assert_eq!(spread.worst_case, "c", "the first of equal ones");
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
        assert!(Differences::default().spread().is_none());
    }
    #[test]
    fn the_larger_of_two_worst_ones_is_kept_and_the_first_of_equal_ones() {
        let of = |value: f64, case: &str| {
            let mut one = Differences::default();
            one.add(value, case);
            one
        };
        for (first, second, expected) in [(1.0, 2.0, "b"), (2.0, 1.0, "a"), (2.0, 2.0, "a")] {
            let mut all = Differences::default();
            all.merge(&of(first, "a"));
            all.merge(&of(second, "b"));
            let spread = all.spread().unwrap();
            assert_eq!(
                (spread.values, spread.worst),
                (2, 2.0_f64.min(first.max(second)))
            );
            assert_eq!(spread.worst_case, expected);
        }
    }

    #[test]
    fn twenty_cases_are_listed_and_all_counted() {
        let of = |cases: std::ops::Range<usize>| {
            let mut listed = Listed::default();
            cases.for_each(|case| listed.add(&case.to_string()));
            listed
        };
        let mut all = of(0..15);
        all.merge(&of(15..30));
        assert_eq!((all.count, all.first.len()), (30, 20));
        assert_eq!(all.first.last().unwrap(), "19");
        assert_eq!(of(0..25).first.len(), 20);
    }

    /// In 32 bits the difference of 1 and 2⁻³⁰ would be 1.
    #[test]
    fn differences_are_taken_in_64_bits() {
        let small = 2f32.powi(-30);
        assert_eq!(difference(small, 1.0), 1.0 - 2f64.powi(-30));
        assert_eq!(
            worst(&[1.0, 0.0], [small, 0.0].into_iter()),
            1.0 - 2f64.powi(-30)
        );
    }
}
