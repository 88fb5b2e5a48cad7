//! Means over cases in both, and their differences.

use super::figures::{MeanDifference, Pooled};
use super::report::SEED;
use crate::measure::LEVEL;
use crate::stats::Estimate;
use crate::stats::cluster::{DRAWS, FEWEST_FLIPS, betting_interval, bootstrap};
use crate::stats::draw::{Part, Stream};
use crate::stats::number::{length, real};

/// One case's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Values {
    pub(super) baseline: f64,
    pub(super) variant: f64,
    /// Asks of one side behind it.
    pub(super) asks: u64,
}

/// The draws of one comparison: the same resamples for each of its figures.
pub(super) fn stream() -> Stream {
    Stream::new(&[Part::U64(SEED), Part::Text("compare")])
}

pub(super) fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = length(values.len());
    values.sum::<f64>() / count
}

/// The means of `cases` and their difference; `None` without a case. Values are between 0 and 1.
///
/// The interval is a bootstrap over cases. Where fewer than 10 cases depart from the most frequent difference, resamples
/// hardly do either and their interval collapses; it is the betting interval then. Source: the statistics page, 4.3 and
/// 4.4; the rule of ten as in 5, which counts departures from no difference.
pub(super) fn mean_difference(cases: &[Values]) -> Option<MeanDifference> {
    let differences: Vec<f64> = cases
        .iter()
        .map(|case| case.variant - case.baseline)
        .collect();
    let differing = differences.iter().filter(|value| **value != 0.0).count() as u64;
    let interval = if departing(&differences) < FEWEST_FLIPS {
        betting(&differences)?
    } else {
        let statistic = |chosen: &[usize]| {
            let sum: f64 = chosen.iter().map(|&place| differences[place]).sum();
            Some(sum / length(chosen.len()))
        };
        let found = bootstrap(cases.len(), DRAWS, LEVEL, &mut stream(), statistic);
        found.ok().flatten()?.estimate
    };
    Some(MeanDifference {
        cases: cases.len() as u64,
        asks: cases.iter().map(|case| case.asks).sum(),
        baseline: mean(cases.iter().map(|case| case.baseline)),
        variant: mean(cases.iter().map(|case| case.variant)),
        difference: mean(differences.iter().copied()),
        interval: [interval.lower, interval.upper],
        interval_method: interval.method,
        differing,
    })
}

/// The mean of values between 0 and 1, one a case, with the interval of [`mean_difference`]; `None` without a case.
pub(super) fn mean_of(values: &[f64]) -> Option<Estimate> {
    let found = if departing(values) < FEWEST_FLIPS {
        betting_interval(values, 1.0 - LEVEL).ok()?
    } else {
        let statistic = |chosen: &[usize]| Some(mean(chosen.iter().map(|&place| values[place])));
        let found = bootstrap(values.len(), DRAWS, LEVEL, &mut stream(), statistic);
        found.ok().flatten()?.estimate
    };
    Some(found)
}

/// How many values are not the most frequent one.
fn departing(values: &[f64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let runs = sorted.chunk_by(|a, b| a.total_cmp(b).is_eq());
    let most = runs.map(<[f64]>::len).max().unwrap_or(0);
    (values.len() - most) as u64
}

/// The betting interval of the mean of values between -1 and 1.
fn betting(differences: &[f64]) -> Option<Estimate> {
    let halves: Vec<f64> = differences
        .iter()
        .map(|value| f64::midpoint(*value, 1.0))
        .collect();
    let found = betting_interval(&halves, 1.0 - LEVEL).ok()?;
    let back = |value: f64| 2.0 * value - 1.0;
    let ends = (back(found.lower), back(found.upper));
    Estimate::new(back(found.value), ends, LEVEL, found.n, found.method).ok()
}

/// The mean over cases of `(count, of)`; cases without asks must be left out before.
pub(super) fn pooled(cases: &[(u64, u64)]) -> Option<Pooled> {
    let shares: Vec<f64> = cases
        .iter()
        .map(|&(count, of)| real(count) / real(of))
        .collect();
    let interval = betting_interval(&shares, 1.0 - LEVEL).ok()?;
    Some(Pooled {
        count: cases.iter().map(|(count, _)| count).sum(),
        of: cases.iter().map(|(_, of)| of).sum(),
        cases: cases.len() as u64,
        mean: mean(shares.iter().copied()),
        interval: [interval.lower, interval.upper],
    })
}
