//! How far the probabilities of the two are apart, on the same presentation.

use schemars::JsonSchema;
use serde::Serialize;

use super::average::mean_of;
use super::matching::{Both, MatchedCase};
use crate::answer::Answer;
use crate::measure::{Measured, RankDraws};
use crate::stats::Method;
use crate::stats::drift::Drift;
use crate::summary::{DriftQuantity, DriftReason};

/// How far the probabilities of both answers to one presentation are apart, aligned by option; copies are renormalised first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DriftBetween {
    /// Cases in which both answers have probabilities over two or more options.
    pub pairs: u64,
    /// Cases with two answers, of which one or both have no such probabilities; in no measure.
    pub without_probabilities: u64,
    /// Why no case is measured; null where one is.
    pub reason: Option<DriftReason>,
    /// The step of the coarsest decimal grid of 2 to 6 digits on which all of the baseline's probabilities lie, such as 0.01 for
    /// two decimals: they cannot show a distance smaller than it. Null where there is none.
    pub baseline_step: Option<f64>,
    /// The same of the variant's.
    pub variant_step: Option<f64>,
    /// Half the sum of absolute differences, from 0 to 1.
    pub total_variation: SpreadBetween,
    /// Largest absolute difference of a probability, from 0 to 1.
    pub largest_change: SpreadBetween,
    /// Jensen-Shannon divergence in bits, from 0 to 1.
    pub jensen_shannon_bits: SpreadBetween,
}

/// One measure over cases; null without a case.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SpreadBetween {
    /// Mean over cases.
    pub mean: Option<f64>,
    /// Two-sided 95 % interval of the mean over cases.
    pub mean_interval: Option<[f64; 2]>,
    /// How that interval was computed: a bootstrap, or betting where fewer than 10 cases depart from the most frequent value and
    /// resamples would all be alike.
    pub mean_method: Option<Method>,
    /// Median over cases.
    pub median: Option<f64>,
    /// Two-sided 95 % percentile interval of a bootstrap over cases; null with one case.
    pub median_interval: Option<[f64; 2]>,
    /// Largest value.
    pub largest: Option<f64>,
    /// The case with the largest value, of equals the first by id; null where nothing differs.
    pub worst: Option<String>,
}

/// The drift from the baseline to the variant over `pairs`.
///
/// Source: the statistics page, 8; the mean's interval as that of every mean of a comparison.
pub(super) fn between<'a>(
    pairs: impl Iterator<Item = (&'a MatchedCase<'a>, Both<'a>)>,
    ranks: &mut RankDraws,
) -> DriftBetween {
    let answers: Vec<_> = pairs
        .filter_map(|(matched, both)| both.answers().map(|(a, b)| (matched.case, a, b)))
        .collect();
    let measured = Measured::of_answers(answers.iter().copied());
    let figure = measured.figure(ranks, None);
    let spread = |found: &DriftQuantity, of: fn(&Drift) -> f64| {
        let values: Vec<f64> = (measured.moved.iter())
            // Rounding may carry a sum of shares past 1.
            .map(|moved| of(&moved.drift).min(1.0))
            .collect();
        let mean = mean_of(&values);
        SpreadBetween {
            mean: mean.map(|mean| mean.value),
            mean_interval: mean.map(|mean| [mean.lower, mean.upper]),
            mean_method: mean.map(|mean| mean.method),
            median: found.median,
            median_interval: found.median_interval,
            largest: found.largest,
            worst: found.worst.clone(),
        }
    };
    let known = || {
        let both = |a: &Answer, b: &Answer| a.probabilities.is_some() && b.probabilities.is_some();
        answers.iter().filter(move |(_, a, b)| both(a, b))
    };
    DriftBetween {
        pairs: figure.pairs,
        without_probabilities: figure.without_probabilities,
        reason: figure.reason,
        baseline_step: step(known().map(|(_, answer, _)| *answer)),
        variant_step: step(known().map(|(_, _, answer)| *answer)),
        total_variation: spread(&figure.total_variation, |drift| drift.total_variation),
        largest_change: spread(&figure.largest_change, |drift| drift.largest_change),
        jensen_shannon_bits: spread(&figure.jensen_shannon_bits, |drift| {
            drift.jensen_shannon_bits
        }),
    }
}

/// The step of the grid on which all probabilities of `answers` lie. Grids nest: one answer that is finer shows that a coarse one
/// lies on its grid by chance.
fn step<'a>(answers: impl Iterator<Item = &'a Answer>) -> Option<f64> {
    let half = answers.map(|answer| answer.rounding).reduce(f64::min)?;
    (half > 0.0).then_some(2.0 * half)
}
