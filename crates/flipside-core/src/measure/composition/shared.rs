//! How far the options that two lists share moved against each other.

use std::collections::BTreeMap;

use super::share::share;
use crate::answer::Answer;
use crate::case::Case;
use crate::gate::Gates;
use crate::measure::accuracy::LEVEL;
use crate::measure::clusters::{Unit, independent_unit};
use crate::measure::mean::average;
use crate::order::OptionId;
use crate::stats::cluster::{affordable, bootstrap_weighted, weighted_quantiles};
use crate::stats::draw::{Part, Stream};
use crate::stats::luce::{ChangeBounds, change_bounds, shared_drift};
use crate::stats::quantile::spread;
use crate::summary::{DriftQuantity, DriftReason, SharedOptions};

/// What float error explains of a change of log-odds, in nats: twice that of a centred logit, of which a log-odds has two.
/// Source: the statistics page, 8.
const TOLERANCE: f64 = 2e-5;
/// The same for 16-bit floats.
const TOLERANCE_16_BIT: f64 = 0.1;
/// Half of the smallest step of a 16-bit float: those next to 0 are that far apart.
const HALF_STEP_16_BIT: f64 = 1.0 / 33_554_432.0;
/// The seed of the bootstrap: fixed, as that of drift.
const SEED: u64 = 1;

/// Two answers of one case and the options that both lists show.
pub(super) struct Shows<'a> {
    pub(super) case: &'a Case,
    pub(super) answers: (&'a Answer, &'a Answer),
    pub(super) options: Vec<OptionId>,
}

/// What all probabilities of a run are rounded to. Grids nest: one answer that is finer shows that a coarse one lies on its grid by
/// chance.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    /// Half the step of the decimal grid, 0 if there is none.
    decimal: f64,
    sixteen_bit: bool,
}

impl Grid {
    /// The grid of all of `answers`.
    pub(super) fn of<'a>(answers: impl Iterator<Item = &'a Answer>) -> Self {
        let (mut decimal, mut floats) = (None, Floats::all());
        for answer in answers {
            if let Some(values) = &answer.probabilities {
                decimal = Some(answer.rounding.min(decimal.unwrap_or(f64::INFINITY)));
                floats.narrow(values);
            }
        }
        Self {
            decimal: decimal.unwrap_or(0.0),
            sixteen_bit: decimal.is_some() && floats.sixteen_bit(),
        }
    }

    fn half_step(self) -> f64 {
        if self.sixteen_bit {
            self.decimal.max(HALF_STEP_16_BIT)
        } else {
            self.decimal
        }
    }

    fn tolerance(self) -> f64 {
        if self.sixteen_bit {
            TOLERANCE_16_BIT
        } else {
            TOLERANCE
        }
    }
}

/// Pairs of answers over the options that both lists show.
pub(super) struct Shared<'a> {
    moved: Vec<Moved<'a>>,
    without_probabilities: u64,
    grid: Grid,
}

/// How far one pair moved.
struct Moved<'a> {
    case: &'a Case,
    log_odds: Option<f64>,
    luce_distance: Option<f64>,
    bounds: Option<ChangeBounds>,
    one_hot: bool,
}

impl<'a> Shared<'a> {
    /// The pairs among `pairs` that share two options or more.
    pub(super) fn new(grid: Grid, pairs: impl Iterator<Item = Shows<'a>>) -> Self {
        let (mut found, mut without_probabilities) = (Vec::new(), 0);
        for shows in pairs.filter(|shows| shows.options.len() > 1) {
            let (one, other) = shows.answers;
            let (Some(p), Some(q)) = (&one.probabilities, &other.probabilities) else {
                without_probabilities += 1;
                continue;
            };
            let of =
                |values: &[f64], id: &OptionId| values.get(id.index()).map_or(0.0, |p| p.max(0.0));
            let both = shows.options.iter().map(|id| (of(p, id), of(q, id)));
            let mut both: Vec<(f64, f64)> = both.collect();
            // No sum may depend on how options are labelled.
            both.sort_unstable_by(|(p, q), (r, s)| p.total_cmp(r).then(q.total_cmp(s)));
            let hot = |values: &[f64]| values.iter().filter(|value| **value > 0.0).count() == 1;
            found.push(moved(shows.case, both, hot(p) && hot(q), grid.half_step()));
        }
        Self {
            moved: found,
            without_probabilities,
            grid,
        }
    }

    /// Everything about these pairs.
    pub(super) fn figure(&self, gates: &Gates) -> SharedOptions {
        let values = |of: fn(&Moved<'a>) -> Option<f64>| {
            let values = self.moved.iter();
            values
                .filter_map(|moved| Some((of(moved)?, moved.case)))
                .collect::<Vec<(f64, &Case)>>()
        };
        let beyond = self.moved.iter().filter_map(|moved| {
            let beyond = moved.bounds?.least > self.grid.tolerance();
            Some((moved.case, if beyond { Unit::Hit } else { Unit::NoHit }))
        });
        SharedOptions {
            with_probabilities: self.moved.len() as u64,
            without_probabilities: self.without_probabilities,
            zeros: self
                .moved
                .iter()
                .filter(|moved| moved.log_odds.is_none())
                .count() as u64,
            log_odds: self.quantity(values(|moved| moved.log_odds), "log-odds", gates),
            luce_distance: self.quantity(values(|moved| moved.luce_distance), "luce", gates),
            beyond_rounding: share(gates, beyond.collect()),
            step: (self.grid.decimal > 0.0).then_some(2.0 * self.grid.decimal),
            tolerance: self.grid.tolerance(),
        }
    }

    /// Whether some pair moved beyond what rounding and float error explain.
    pub(super) fn moves(&self) -> bool {
        let mut bounds = self.moved.iter().filter_map(|moved| moved.bounds);
        bounds.any(|bounds| bounds.least > self.grid.tolerance())
    }

    /// Whether there is a pair with probabilities.
    pub(super) fn is_measured(&self) -> bool {
        !self.moved.is_empty()
    }

    /// Why it is not known that no pair moved; `None` if it is.
    pub(super) fn unknown(&self) -> Option<DriftReason> {
        if self.without_probabilities > 0 {
            return Some(DriftReason::NoProbabilities);
        }
        if self.moved.is_empty() {
            return Some(DriftReason::NoAnswers);
        }
        if self.moved.iter().any(|moved| moved.bounds.is_none()) {
            return Some(DriftReason::Zeros);
        }
        let within = |moved: &Moved<'_>| {
            let most = moved.bounds.and_then(|bounds| bounds.most);
            most.is_some_and(|most| most <= self.grid.tolerance())
        };
        (!self.moved.iter().all(within)).then_some(DriftReason::Rounded)
    }

    fn quantity(
        &self,
        mut values: Vec<(f64, &Case)>,
        name: &'static str,
        gates: &Gates,
    ) -> DriftQuantity {
        values.sort_unstable_by(|(a, one), (b, other)| a.total_cmp(b).then(other.id.cmp(&one.id)));
        let worst = values.last().filter(|(value, _)| *value > 0.0);
        let reason = values.is_empty().then(|| self.reason());
        let sorted: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
        let spread = spread(&sorted).ok().flatten();
        let [median_interval, p95_interval] = intervals(&values, name, gates);
        DriftQuantity {
            pairs: sorted.len() as u64,
            mean: average(&sorted),
            median: spread.map(|spread| spread.median),
            median_interval,
            p95: spread.map(|spread| spread.p95),
            p95_interval,
            largest: spread.map(|spread| spread.largest),
            worst: worst.map(|(_, case)| case.id.0.clone()),
            reason,
        }
    }

    /// Why no pair has a measure.
    fn reason(&self) -> DriftReason {
        if self.moved.is_empty() {
            return if self.without_probabilities > 0 {
                DriftReason::NoProbabilities
            } else {
                DriftReason::NoAnswers
            };
        }
        if self.moved.iter().all(|moved| moved.one_hot) {
            DriftReason::OneHot
        } else {
            DriftReason::Zeros
        }
    }
}

fn moved(case: &Case, both: Vec<(f64, f64)>, one_hot: bool, half_step: f64) -> Moved<'_> {
    let (one, other): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    // Nothing is left for the options of one side: by Luce's rule nothing can be said about the other.
    let distance = shared_drift(&one, &other).ok();
    Moved {
        case,
        log_odds: distance.and_then(|distance| distance.log_odds),
        luce_distance: distance.map(|distance| distance.total_variation),
        bounds: change_bounds(&one, &other, half_step).ok().flatten(),
        one_hot,
    }
}

/// Intervals of the median and the 95th percentile of `sorted`, over resampled cases or declared clusters; `None` under two.
fn intervals(sorted: &[(f64, &Case)], name: &'static str, gates: &Gates) -> [Option<[f64; 2]>; 2] {
    let mut by_unit: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, (_, case)) in sorted.iter().enumerate() {
        let unit = by_unit.entry(independent_unit(gates, case)).or_default();
        unit.push(place);
    }
    if by_unit.len() < 2 {
        return [None, None];
    }
    // Numbered by their values, so that neither the order of cases nor names matter.
    let mut units: Vec<(Vec<u64>, Vec<usize>)> = by_unit
        .into_values()
        .map(|places| {
            let bits = places.iter().map(|place| sorted[*place].0.to_bits());
            (bits.collect(), places)
        })
        .collect();
    units.sort_unstable();
    let mut numbered = vec![(0.0, 0); sorted.len()];
    for (number, (_, places)) in (0..).zip(&units) {
        for place in places {
            numbered[*place] = (sorted[*place].0, number);
        }
    }
    let mut stream = Stream::new(&[
        Part::U64(SEED),
        Part::Text("composition bootstrap"),
        Part::Text(name),
    ]);
    let quantiles = |weights: &[f64]| weighted_quantiles(&numbered, weights, [0.5, 0.95]).to_vec();
    let draws = affordable(units.len());
    let found = bootstrap_weighted(units.len(), draws, LEVEL, &mut stream, quantiles);
    let found = found.unwrap_or_default();
    let ends = |place: usize| {
        let (lower, upper) = found.get(place).copied().flatten()?;
        Some([lower, upper])
    };
    [ends(0), ends(1)]
}

/// Which 16-bit floats all values so far could be.
struct Floats {
    /// 8 bits of precision.
    bfloat: bool,
    /// 11 bits of precision, fewer next to 0.
    half: bool,
}

impl Floats {
    fn all() -> Self {
        Self {
            bfloat: true,
            half: true,
        }
    }

    fn narrow(&mut self, values: &[f64]) {
        // Every number of 8 or 11 bits that a probability can be is a 32-bit float whose other bits are 0.
        let bits = |value: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "whether anything is lost is the question"
            )]
            let single = value as f32;
            (f64::from(single).to_bits() == value.to_bits()).then(|| single.to_bits())
        };
        let smallest = 2.0 * HALF_STEP_16_BIT;
        for &value in values {
            let bits = bits(value);
            self.bfloat &= bits.is_some_and(|bits| bits.trailing_zeros() >= 16);
            let steps = value / smallest;
            self.half &= bits.is_some_and(|bits| bits.trailing_zeros() >= 13)
                && steps.to_bits() == steps.round().to_bits();
        }
    }

    fn sixteen_bit(&self) -> bool {
        self.bfloat || self.half
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sixteen_bit(values: &[f64]) -> bool {
        let mut floats = Floats::all();
        floats.narrow(values);
        floats.sixteen_bit()
    }

    #[test]
    fn sixteen_bit_floats_are_told_from_others() {
        // 0.62 and 0.38 as bfloat16 and as binary16, by Python's struct and by cutting 32-bit floats.
        assert!(sixteen_bit(&[0.621_093_75, 0.378_906_25]));
        assert!(sixteen_bit(&[0.620_117_187_5, 0.379_882_812_5]));
        assert!(sixteen_bit(&[0.0, 1.0]));
        // One of each kind, decimals, and a 32-bit float.
        assert!(!sixteen_bit(&[0.620_117_187_5, 1e-8_f64]));
        assert!(!sixteen_bit(&[0.62, 0.38]));
        assert!(!sixteen_bit(&[f64::from(0.62_f32)]));
        // The smallest binary16 is 2^-24; half of it is only a bfloat16, and 0.6201... only a binary16.
        assert!(sixteen_bit(&[0.5_f64.powi(24)]));
        assert!(!sixteen_bit(&[0.5_f64.powi(25), 0.620_117_187_5]));
    }
}
