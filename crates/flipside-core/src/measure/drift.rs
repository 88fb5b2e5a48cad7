//! How far probabilities moved within pairs, and our own confidence in both answers.

use std::collections::BTreeMap;

use crate::answer::{Answer, Confidence, FLOAT_NOISE, confidence};
use crate::case::Case;
use crate::measure::accuracy::LEVEL;
use crate::measure::bins;
use crate::measure::mean::average;
use crate::measure::reported::{self, Reported, reported};
use crate::measure::table::CasePair;
use crate::measure::units::{by_unit, share_interval};
use crate::order::OptionId;
use crate::stats::cluster::{DRAWS, Ranks, affordable, bootstrap_weighted, weighted_quantiles};
use crate::stats::draw::{Part, Stream};
use crate::stats::drift::{Drift, Headroom as Reach, drift};
use crate::stats::{self, proportion, quantile};
use crate::summary::{
    Centre, ConfidenceFigure, DriftFigure, DriftQuantity, DriftReason, Headroom, Invariance,
};

/// The seed of the bootstrap: fixed, so that the same answers give the same intervals whatever the run drew.
const SEED: u64 = 1;
/// The largest centred change that 32-bit floats explain, in nats. Source: the statistics page, 8.
const TOLERANCE: f64 = 1e-5;
/// The quantities that are summed up over pairs.
const QUANTITIES: [fn(&Drift) -> Option<f64>; 6] = [
    |drift| Some(drift.total_variation),
    |drift| Some(drift.largest_change),
    |drift| Some(drift.jensen_shannon_bits),
    |drift| Some(drift.jensen_shannon_distance),
    |drift| drift.log_odds,
    |drift| drift.centred,
];
/// A headroom this close under 1 is 1: both of its logarithms are rounded.
const REACHED: f64 = 1.0 - 1e-9;

/// Drift of one pair.
pub(crate) struct Moved<'a> {
    /// The case.
    pub(crate) id: &'a str,
    case: &'a Case,
    /// The distances.
    pub(crate) drift: Drift,
    reported: Reported,
    /// One over the smallest probability of each side, added up; infinite with a zero.
    steepest: f64,
    own: Confidence,
    variant: Confidence,
    one_hot: bool,
}

/// Drift of the pairs that have probabilities on both sides.
pub(crate) struct Measured<'a> {
    pub(crate) moved: Vec<Moved<'a>>,
    pub(crate) without_probabilities: u64,
    /// Half of the step of the coarsest grid on which every probability lies, 0 without one.
    half_step: f64,
}

impl<'a> Measured<'a> {
    /// The drift of `pairs`.
    pub(crate) fn new(pairs: &[CasePair<'a>]) -> Self {
        Self::of_answers(pairs.iter().filter_map(|pair| {
            let (own, variant) = pair.answers?;
            Some((pair.case, own, variant))
        }))
    }

    /// The drift from the first answer to the second of each case.
    pub(crate) fn of_answers(
        pairs: impl IntoIterator<Item = (&'a Case, &'a Answer, &'a Answer)>,
    ) -> Self {
        let mut measured = Self {
            moved: Vec::new(),
            without_probabilities: 0,
            half_step: f64::INFINITY,
        };
        for (case, own, variant) in pairs {
            match moved(case, own, variant) {
                Some(moved) => {
                    // Grids nest: one answer that is finer shows that a coarse one lies on its grid by chance.
                    let finer = own.rounding.min(variant.rounding);
                    measured.half_step = measured.half_step.min(finer);
                    measured.moved.push(moved);
                }
                None => measured.without_probabilities += 1,
            }
        }
        if measured.moved.is_empty() {
            measured.half_step = 0.0;
        }
        measured
    }

    /// Why no pair has a measure; `logs` where it needs logarithms.
    pub(crate) fn reason(&self, logs: bool) -> Option<DriftReason> {
        if self.moved.is_empty() {
            return Some(if self.without_probabilities > 0 {
                DriftReason::NoProbabilities
            } else {
                DriftReason::NoAnswers
            });
        }
        if !logs || self.moved.iter().any(|moved| moved.drift.zeros == 0) {
            return None;
        }
        Some(if self.moved.iter().all(|moved| moved.one_hot) {
            DriftReason::OneHot
        } else {
            DriftReason::Zeros
        })
    }

    /// Everything about these pairs.
    ///
    /// `cluster` names the field by whose values cases depend on each other, if any.
    pub(crate) fn figure(&self, ranks: &mut RankDraws, cluster: Option<&str>) -> DriftFigure {
        let count =
            |wanted: fn(&Moved<'_>) -> bool| self.moved.iter().filter(|m| wanted(m)).count() as u64;
        let reason = self.reason(false);
        let logs = self.reason(true);
        let of_each = |of: fn(&Drift) -> Option<f64>| {
            let values = self.moved.iter();
            let values = values.map(|moved| (of(&moved.drift), moved.id));
            values.collect::<Vec<(Option<f64>, &str)>>()
        };
        let mut resampled = cluster.map(|field| self.over_clusters(field).into_iter());
        let mut quantity = |reason, of: fn(&Drift) -> Option<f64>| {
            let known = of_each(of).into_iter();
            let known = known.filter_map(|(value, id)| Some((value?, id)));
            let mut found = summed_up(known.collect(), reason, ranks);
            if let Some(intervals) = &mut resampled {
                [found.median_interval, found.p95_interval] = intervals.next().unwrap_or_default();
            }
            found
        };
        let as_reported = self.moved.iter().map(|each| (each.case, each.reported));
        let as_reported: Vec<_> = as_reported.collect();
        let draws = match cluster {
            Some(field) => affordable(self.units(field).1),
            None => DRAWS,
        };
        DriftFigure {
            pairs: self.moved.len() as u64,
            without_probabilities: self.without_probabilities,
            zeros: count(|moved| moved.drift.zeros > 0),
            one_hot: count(|moved| moved.one_hot),
            reason,
            step: (self.half_step > 0.0).then_some(2.0 * self.half_step),
            reported: reported::figure(&as_reported, cluster),
            total_variation: quantity(reason, QUANTITIES[0]),
            total_variation_bins: bins::total_variation(
                self.moved.iter().map(|moved| moved.drift.total_variation),
            ),
            largest_change: quantity(reason, QUANTITIES[1]),
            jensen_shannon_bits: quantity(reason, QUANTITIES[2]),
            jensen_shannon_distance: quantity(reason, QUANTITIES[3]),
            log_odds: quantity(logs, QUANTITIES[4]),
            centred_logit: quantity(logs, QUANTITIES[5]),
            headroom: self.headroom(logs, cluster),
            invariance: self.invariance(),
            own_confidence: centre(self.moved.iter().map(|moved| moved.own)),
            confidence: centre(self.moved.iter().map(|moved| moved.variant)),
            draws,
            seed: SEED,
        }
    }

    /// By pair its cluster, and the number of clusters; numbered so that neither the order of cases nor names matter.
    fn units(&self, field: &str) -> (Vec<u32>, usize) {
        let places = self.moved.iter().enumerate();
        let places = places.map(|(place, moved)| (moved.case, place));
        let key = |place: &usize| {
            QUANTITIES.map(|of| of(&self.moved[*place].drift).map_or(u64::MAX, f64::to_bits))
        };
        let mut units: Vec<(Vec<_>, Vec<usize>)> = by_unit(Some(field), places)
            .into_iter()
            .map(|places| {
                let mut keys: Vec<_> = places.iter().map(key).collect();
                keys.sort_unstable();
                (keys, places)
            })
            .collect();
        units.sort_unstable();
        let mut numbers = vec![0; self.moved.len()];
        for (number, (_, places)) in (0..).zip(&units) {
            for &place in places {
                numbers[place] = number;
            }
        }
        (numbers, units.len())
    }

    /// Intervals of the median and the 95th percentile of every quantity over resampled clusters, all of the same resamples.
    ///
    /// Source: the statistics page, 4.3 and 8.
    fn over_clusters(&self, field: &str) -> Vec<[Option<[f64; 2]>; 2]> {
        let (numbers, count) = self.units(field);
        let sorted: Vec<Vec<(f64, u32)>> = QUANTITIES
            .iter()
            .map(|of| {
                let moved = self.moved.iter().zip(&numbers);
                let values = moved.filter_map(|(moved, unit)| Some((of(&moved.drift)?, *unit)));
                let mut values: Vec<(f64, u32)> = values.collect();
                values.sort_unstable_by(|(a, one), (b, other)| a.total_cmp(b).then(one.cmp(other)));
                values
            })
            .collect();
        let mut stream = Stream::new(&[
            Part::U64(SEED),
            Part::Text("drift bootstrap"),
            Part::Text("clusters"),
        ]);
        let quantiles = |weights: &[f64]| {
            let of = |values: &Vec<(f64, u32)>| weighted_quantiles(values, weights, [0.5, 0.95]);
            sorted.iter().flat_map(of).collect()
        };
        let draws = affordable(count);
        let found = bootstrap_weighted(count, draws, LEVEL, &mut stream, quantiles);
        let ends = |found: &Option<(f64, f64)>| found.map(|(lower, upper)| [lower, upper]);
        match found {
            Ok(found) => found
                .chunks(2)
                .map(|pair| [ends(&pair[0]), ends(&pair[1])])
                .collect(),
            Err(_) => Vec::new(),
        }
    }

    fn headroom(&self, reason: Option<DriftReason>, cluster: Option<&str>) -> Headroom {
        let reach = || self.moved.iter().map(|moved| moved.drift.headroom);
        let mut ratios: Vec<f64> = reach()
            .filter_map(|reach| match reach {
                Reach::Ratio(ratio) => Some(ratio),
                Reach::Tie | Reach::Undefined => None,
            })
            .collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let infinite = reach().filter(|reach| *reach == Reach::Tie).count() as u64;
        let pairs = ratios.len() as u64 + infinite;
        let reached = ratios.iter().filter(|ratio| **ratio >= REACHED).count() as u64 + infinite;
        let spread = quantile::spread(&ratios).ok().flatten();
        let share = proportion::wilson(reached, pairs, LEVEL).ok();
        let reaches = self
            .moved
            .iter()
            .filter_map(|moved| match moved.drift.headroom {
                Reach::Ratio(ratio) => Some((moved.case, ratio >= REACHED)),
                Reach::Tie => Some((moved.case, true)),
                Reach::Undefined => None,
            });
        Headroom {
            pairs,
            infinite,
            median: spread.map(|spread| spread.median),
            p95: spread.map(|spread| spread.p95),
            largest: spread.map(|spread| spread.largest),
            reached,
            reached_rate: share.map(|share| share.value),
            reached_interval: share_interval(cluster, reaches),
            bins: bins::headroom(
                REACHED,
                (ratios.iter().copied()).chain((0..infinite).map(|_| f64::INFINITY)),
            ),
            reason,
        }
    }

    /// The most that rounding changes a difference of centred log probabilities by; 0 without rounding.
    ///
    /// A rounded probability is at least one whole step, so its logarithm is off by at most twice `half_step / p`, and
    /// centring adds at most as much again.
    fn allowance(&self, moved: &Moved<'_>) -> f64 {
        if self.half_step > 0.0 {
            4.0 * self.half_step * moved.steepest
        } else {
            0.0
        }
    }

    /// One change beyond what rounding explains settles it; otherwise every pair must be known to lie within the tolerance.
    fn invariance(&self) -> Invariance {
        let over = |moved: &Moved<'_>| {
            let change = moved.drift.centred;
            change.is_some_and(|change| change > TOLERANCE + self.allowance(moved))
        };
        let within = |moved: &Moved<'_>| {
            let change = moved.drift.centred;
            change.is_some_and(|change| change + self.allowance(moved) <= TOLERANCE)
        };
        let open = self.reason(true).or_else(|| {
            if self.moved.iter().any(|moved| moved.drift.zeros > 0) {
                Some(DriftReason::Zeros)
            } else if self.without_probabilities > 0 {
                Some(DriftReason::NoProbabilities)
            } else if self.moved.iter().all(within) {
                None
            } else {
                Some(DriftReason::Rounded)
            }
        });
        let (numerically_invariant, reason) = if self.moved.iter().any(over) {
            (Some(false), None)
        } else if open.is_some() {
            (None, open)
        } else {
            (Some(true), None)
        };
        Invariance {
            numerically_invariant,
            tolerance: TOLERANCE,
            reason,
        }
    }
}

/// The drift between two answers with probabilities over one number of options, at least 2.
fn moved<'a>(case: &'a Case, own: &Answer, variant: &Answer) -> Option<Moved<'a>> {
    let (p, q) = (own.probabilities.as_ref()?, variant.probabilities.as_ref()?);
    if p.len() != q.len() || p.len() < 2 {
        return None;
    }
    let both: Vec<(f64, f64)> = p
        .iter()
        .zip(q)
        .map(|(p, q)| (p.max(0.0), q.max(0.0)))
        .collect();
    let reported = reported(own, variant)?;
    let best = best_of_answers(case, &both);
    let (p, q) = normalised(both);
    let mut drift = drift(&p, &q).ok()?;
    if let Some(best) = best {
        let (p, q) = normalised(best);
        drift.headroom = stats::drift::drift(&p, &q).ok()?.headroom;
    }
    let steepest = |values: &[f64]| 1.0 / values.iter().copied().fold(f64::INFINITY, f64::min);
    let hot = |values: &[f64]| values.iter().filter(|value| **value > 0.0).count() == 1;
    Some(Moved {
        id: &case.id.0,
        case,
        drift,
        reported,
        steepest: steepest(&p) + steepest(&q),
        own: confidence(&p)?,
        variant: confidence(&q)?,
        one_hot: hot(&p) && hot(&q),
    })
}

/// The likeliest option of each answer, where options are declared to be one answer: a flip is a move from one such option
/// to that of another answer, and headroom says how near that is. `None` without such options.
fn best_of_answers(case: &Case, both: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    if case.equal.is_empty() {
        return None;
    }
    let mut best: BTreeMap<OptionId, (f64, f64)> = BTreeMap::new();
    for (option, (p, q)) in (0..).map(OptionId).zip(both) {
        let known = best.entry(case.class_of(option)).or_insert((0.0, 0.0));
        *known = (known.0.max(*p), known.1.max(*q));
    }
    Some(best.into_values().collect())
}

/// Both sides of pairs of probabilities, each adding up to 1, in an order in which no sum depends on how options are
/// labelled.
fn normalised(mut both: Vec<(f64, f64)>) -> (Vec<f64>, Vec<f64>) {
    both.sort_unstable_by(|(p, q), (r, s)| p.total_cmp(r).then(q.total_cmp(s)));
    let (mut p, mut q): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    normalise(&mut p);
    normalise(&mut q);
    (p, q)
}

fn normalise(values: &mut [f64]) {
    let sum: f64 = values.iter().sum();
    for value in values {
        *value /= sum;
    }
}

/// Our own top probability, after renormalising a copy; `None` without probabilities over two or more options.
pub(crate) fn own_top(answer: &Answer) -> Option<f64> {
    let p = answer.probabilities.as_ref().filter(|p| p.len() > 1)?;
    let mut sorted: Vec<f64> = p.iter().map(|value| value.max(0.0)).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    confidence(&sorted).map(|confidence| confidence.top)
}

/// Whether an answer with our own top probability `top` is accepted without review.
pub(crate) fn accepted(top: f64, threshold: f64) -> bool {
    top >= threshold - FLOAT_NOISE
}

/// Mean and median of our own confidence in `answers`; `None` without one.
pub(crate) fn confidence_figure<'a>(
    answers: impl Iterator<Item = &'a Answer>,
) -> Option<ConfidenceFigure> {
    centre(answers.filter_map(|answer| {
        let mut sorted = answer.probabilities.clone().filter(|p| p.len() > 1)?;
        sorted.sort_unstable_by(f64::total_cmp);
        confidence(&sorted)
    }))
}

fn centre(confidences: impl Iterator<Item = Confidence>) -> Option<ConfidenceFigure> {
    let all: Vec<Confidence> = confidences.collect();
    let of = |value: fn(&Confidence) -> Option<f64>| {
        let mut values: Vec<f64> = all.iter().filter_map(value).collect();
        // Sorted, so that the sum does not depend on the order of the cases.
        values.sort_unstable_by(f64::total_cmp);
        #[expect(
            clippy::cast_precision_loss,
            reason = "answer counts are far below 2^52"
        )]
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let median = quantile::quantile(&values, 0.5).ok()?;
        Some(Centre { mean, median })
    };
    Some(ConfidenceFigure {
        answers: all.len() as u64,
        top: of(|confidence| Some(confidence.top))?,
        margin: of(|confidence| confidence.margin)?,
        above_chance: of(|confidence| confidence.above_chance)?,
        entropy: of(|confidence| confidence.entropy)?,
    })
}

/// One measure over pairs, with the id of each one's case.
fn summed_up(
    mut values: Vec<(f64, &str)>,
    reason: Option<DriftReason>,
    ranks: &mut RankDraws,
) -> DriftQuantity {
    values.sort_unstable_by(|(a, first), (b, second)| a.total_cmp(b).then(second.cmp(first)));
    let worst = values
        .last()
        .filter(|(value, _)| *value > 0.0)
        .map(|(_, id)| (*id).to_owned());
    let sorted: Vec<f64> = values.into_iter().map(|(value, _)| value).collect();
    let spread = quantile::spread(&sorted).ok().flatten();
    let [median_interval, p95_interval] = ranks.intervals(&sorted);
    DriftQuantity {
        pairs: sorted.len() as u64,
        mean: average(&sorted),
        median: spread.map(|spread| spread.median),
        median_interval,
        p95: spread.map(|spread| spread.p95),
        p95_interval,
        largest: spread.map(|spread| spread.largest),
        worst,
        reason,
    }
}

/// Bootstrap ranks of the median and the 95th percentile, drawn once for each number of pairs.
#[derive(Default)]
pub(crate) struct RankDraws {
    known: BTreeMap<usize, [Option<Ranks>; 2]>,
}

impl RankDraws {
    /// Intervals of the median and the 95th percentile; `None` under two values.
    fn intervals(&mut self, sorted: &[f64]) -> [Option<[f64; 2]>; 2] {
        let n = sorted.len();
        let ranks = self.known.entry(n).or_insert_with(|| {
            [(0.5, "median"), (0.95, "p95")].map(|(share, name)| {
                let mut stream = Stream::new(&[
                    Part::U64(SEED),
                    Part::Text("drift bootstrap"),
                    Part::Text(name),
                ]);
                Ranks::new(n, share, DRAWS, &mut stream).ok()
            })
        });
        ranks.each_ref().map(|ranks| {
            let estimate = ranks.as_ref()?.interval(sorted, LEVEL).ok()?;
            Some([estimate.lower, estimate.upper])
        })
    }
}
