//! The bootstrap of a quantile without resampling the values: only the ranks that a resample's quantile falls on are drawn.

use super::super::draw::Stream;
use super::super::number::{check_length, check_unit, index, length, whole};
use super::super::quantile::of_sorted;
use super::super::{Error, Estimate, Method};

/// Where the quantile of a resample falls, for many resamples of `n` values; the same for every list of that length.
///
/// The `j`-th smallest of `n` values drawn with replacement is the value of rank `⌈n U⌉`, where `U` is the `j`-th smallest of
/// `n` uniforms, and two neighbouring ones are ratios of sums of exponentials. So a resample costs a few draws instead of
/// `n`, and the percentile interval is that of the bootstrap over units with one value each, at the same number of draws.
///
/// Source: Efron 1979 (the bootstrap of an order statistic has a closed form), Devroye 1986, V.3 (uniform order statistics),
/// Marsaglia & Tsang 2000 (gamma draws). Compared with that closed form and with [`bootstrap`](super::bootstrap).
#[derive(Debug, Clone)]
pub struct Ranks {
    n: usize,
    share: f64,
    /// Weight of the upper of the two values.
    part: f64,
    /// Indices of both values in the sorted list.
    found: Vec<(u32, u32)>,
}

impl Ranks {
    /// Ranks of the `share` quantile in `draws` resamples of `n` values, linear between two of them as in
    /// [`quantile`](super::super::quantile::quantile).
    ///
    /// # Errors
    /// [`Error::TooFew`] under two values or draws, [`Error::TooMany`] for more values than a `u32` counts,
    /// [`Error::OutOfRange`] if `share` is not from 0 to 1.
    pub fn new(n: usize, share: f64, draws: u32, stream: &mut Stream) -> Result<Self, Error> {
        let too_few = |what, found| Error::TooFew {
            what,
            found,
            least: 2,
        };
        if n < 2 {
            return Err(too_few("values", n as u64));
        }
        if draws < 2 {
            return Err(too_few("draws", u64::from(draws)));
        }
        let most = u32::try_from(n - 1).map_err(|_| Error::TooMany {
            what: "values",
            found: n as u64,
            most: u64::from(u32::MAX),
        })?;
        check_unit("share", share)?;
        let place = share * length(n - 1);
        let below = index("rank", whole(place))?.min(n - 1);
        let rank = |sum: f64, total: f64| {
            let rank = whole(sum / total * length(n)).min(u64::from(most));
            u32::try_from(rank).unwrap_or(most)
        };
        let found = (0..draws)
            .map(|_| {
                let first = gamma(length(below + 1), stream);
                let second = first + exponential(stream);
                let rest = n - 1 - below;
                if rest == 0 {
                    let top = rank(first, second);
                    return (top, top);
                }
                let total = second + gamma(length(rest), stream);
                (rank(first, total), rank(second, total))
            })
            .collect();
        Ok(Self {
            n,
            share,
            part: place - length(below),
            found,
        })
    }

    /// The quantile of `sorted` with its percentile interval.
    ///
    /// # Errors
    /// [`Error::Length`] for a list of another length, [`Error::Level`] for the level, [`Error::NotFinite`] if a value is not
    /// finite.
    pub fn interval(&self, sorted: &[f64], level: f64) -> Result<Estimate, Error> {
        check_length("sorted", sorted.len(), self.n)?;
        let mut values: Vec<f64> = self
            .found
            .iter()
            .map(|&(low, high)| {
                sorted[low as usize] * (1.0 - self.part) + sorted[high as usize] * self.part
            })
            .collect();
        values.sort_unstable_by(f64::total_cmp);
        let tail = (1.0 - level) / 2.0;
        let ends = (
            of_sorted(&values, tail.max(0.0))?,
            of_sorted(&values, 1.0 - tail.max(0.0))?,
        );
        let value = of_sorted(sorted, self.share)?;
        Estimate::new(value, ends, level, self.n as u64, Method::ClusterBootstrap)
    }
}

/// A draw from the exponential distribution of mean 1.
fn exponential(stream: &mut Stream) -> f64 {
    -(-stream.unit()).ln_1p()
}

/// A draw from the standard normal distribution (Box & Muller).
fn normal(stream: &mut Stream) -> f64 {
    let radius = (2.0 * exponential(stream)).sqrt();
    radius * (std::f64::consts::TAU * stream.unit()).cos()
}

/// A draw from the gamma distribution of `shape` at least 1 and scale 1.
fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(stream);
        let v = (1.0 + c * x).powi(3);
        let u = 1.0 - stream.unit();
        if v > 0.0 && u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::cluster::bootstrap;
    use crate::stats::draw::Part;
    use crate::stats::quantile::quantile;
    use crate::stats::special::binomial_tails;

    fn stream(name: &str) -> Stream {
        Stream::new(&[Part::U64(1), Part::Text(name)])
    }

    #[test]
    fn ranks_follow_the_closed_form_of_an_order_statistic() {
        // The 5th smallest of 9 values drawn with replacement is at most the i-th with P(Binomial(9, i/9) >= 5).
        let ranks = Ranks::new(9, 0.5, 40_000, &mut stream("closed")).unwrap();
        for i in 1..9_u64 {
            let rate = f64::from(u32::try_from(i).unwrap()) / 9.0;
            let expected = binomial_tails(4, 9, rate).unwrap().upper;
            let at_most = ranks.found.iter().filter(|(low, _)| u64::from(*low) < i);
            let share = length(at_most.count()) / 40_000.0;
            // Five standard errors of 40,000 draws are at most 0.0125.
            assert!((share - expected).abs() < 0.0125, "{i}: {share} {expected}");
        }
    }

    #[test]
    fn the_interval_is_that_of_resampled_values() {
        let mut values: Vec<f64> = (0..40).map(|n| f64::from(n * n % 37) / 37.0).collect();
        values.sort_by(f64::total_cmp);
        for share in [0.5, 0.95] {
            let resampled = bootstrap(40, 20_000, 0.95, &mut stream("resample"), |chosen| {
                let drawn: Vec<f64> = chosen.iter().map(|&place| values[place]).collect();
                quantile(&drawn, share).ok()
            });
            let expected = resampled.unwrap().unwrap().estimate;
            let ranks = Ranks::new(40, share, 20_000, &mut stream("ranks")).unwrap();
            let found = ranks.interval(&values, 0.95).unwrap();
            assert!((found.value - expected.value).abs() < 1e-12);
            assert!((found.lower - expected.lower).abs() < 0.02, "{found:?}");
            assert!((found.upper - expected.upper).abs() < 0.02, "{found:?}");
        }
    }

    #[test]
    fn the_largest_and_the_smallest_have_ranks_too() {
        let values = [1.0, 2.0, 3.0];
        for (share, value) in [(0.0, 1.0), (1.0, 3.0)] {
            let ranks = Ranks::new(3, share, 500, &mut stream("ends")).unwrap();
            let found = ranks.interval(&values, 0.95).unwrap();
            assert!((found.value - value).abs() < 1e-12);
            assert!(found.covers(value));
        }
        assert!(Ranks::new(1, 0.5, 500, &mut stream("one")).is_err());
    }
}
