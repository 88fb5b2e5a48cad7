//! Means over cases of values in a known range, with intervals.

use crate::case::Case;
use crate::measure::accuracy::LEVEL;
use crate::measure::orders::share::resamples_vary;
use crate::measure::units::totals;
use crate::stats::cluster::{affordable, betting_interval_over, ratio_interval, weighted_ratio};
use crate::stats::draw::{Part, Stream};
use crate::stats::number::real;
use crate::stats::{Estimate, Method};

/// The seed of the resamples: fixed, so that the same answers give the same intervals whatever the run drew.
pub(crate) const SEED: u64 = 1;

/// The mean of values that stand in ascending order, so that their sum depends on no order of cases; `None` without one.
pub(crate) fn average(ascending: &[f64]) -> Option<f64> {
    let n = ascending.len() as u64;
    (n > 0).then(|| ascending.iter().sum::<f64>() / real(n))
}

/// The mean of `values`, which lie between `low` and `high`, with its two-sided interval; `None` without a case.
///
/// The interval is a bootstrap over cases, or over the clusters of the field `cluster`. Where fewer than 10 of them differ from the most
/// frequent value, resamples hardly do either and their interval collapses; it is the betting interval then. Source: the
/// statistics page, 4.3 and 4.4, and the rule of ten as in 5.
pub(crate) fn mean<'c>(
    cluster: Option<&str>,
    values: impl IntoIterator<Item = (&'c Case, f64)>,
    [low, high]: [f64; 2],
) -> Option<Estimate> {
    let totals = totals(cluster, values);
    let even = vec![1.0; totals.len()];
    let value = weighted_ratio(&totals, &even)?;
    let units = totals.len() as u64;
    if resamples_vary(&totals) {
        let mut stream = Stream::new(&[Part::U64(SEED), Part::Text("mean bootstrap")]);
        let draws = affordable(totals.len());
        let ends = ratio_interval(&totals, draws, LEVEL, &mut stream).ok()??;
        return Estimate::new(value, ends, LEVEL, units, Method::ClusterBootstrap).ok();
    }
    let width = high - low;
    // Sums of rounded values may lie a little beyond the ends.
    let scaled = totals.iter().map(|&(sum, n)| {
        let most = real(n);
        (((sum - most * low) / width).clamp(0.0, most), n)
    });
    let bets = betting_interval_over(&scaled.collect::<Vec<_>>(), 1.0 - LEVEL).ok()?;
    let back = |end: f64| low + end * width;
    let ends = (back(bets.lower).min(value), back(bets.upper).max(value));
    Estimate::new(value, ends, LEVEL, units, bets.method).ok()
}
