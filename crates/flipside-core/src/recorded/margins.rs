//! What a browser run shows of its decisions, none of which can be asked again: how close they were, and where the targets stood.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::stats::quantile::quantile;

/// A best option that is ahead of the next by less than this is close: a tenth of all probability.
pub const CLOSE: f64 = 0.1;
/// Two margins that differ by less are equal: differences of decimals are not exact.
const EQUAL: f64 = 1e-9;

/// What is kept of one tick.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptTick {
    /// The largest probabilities of the question that is kept, each from 0 to 1.
    pub probabilities: Vec<f64>,
    /// Whether these are all that there were.
    pub all_kept: bool,
    /// What was chosen.
    pub target: Target,
}

/// Where a chosen target stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// In this place of the page, from 1.
    Place(u64),
    /// Nowhere: the act has no target in the page.
    None,
    /// It is named by a text that several of the kept options have.
    Ambiguous,
    /// None of the kept options has its name.
    Unknown,
}

/// How close the decisions of a browser run were, and where the chosen targets stood in their pages.
///
/// A page's order and what is right in it are confounded, and no tick was asked in another order. So the places say where targets
/// stood and nothing about why they were chosen.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Margins {
    /// Ticks.
    pub ticks: u64,
    /// Ticks of which every option of the kept question is on record; of the others, the most probable ones are.
    pub all_kept: u64,
    /// Ticks with two probabilities or more: the denominator of what follows. The best two of a tick are always kept.
    pub margins: u64,
    /// The median of how far the best option is ahead of the next, from 0 to 1; null without a margin.
    pub median: Option<f64>,
    /// The smallest such margin; null without one.
    pub lowest: Option<f64>,
    /// A margin below this is close, from 0 to 1.
    pub threshold: f64,
    /// Margins below it.
    pub below: u64,
    /// Where the chosen targets stood, in the page's own order.
    pub places: Vec<PlaceCount>,
    /// Ticks whose chosen target has a place: the sum over `places`.
    pub placed: u64,
    /// Ticks whose act has no target in the page.
    pub without_target: u64,
    /// Ticks whose target is named by a text that several kept options have, so that nobody knows which was chosen.
    pub ambiguous: u64,
    /// Ticks whose target is none of the kept options.
    pub unknown: u64,
}

/// How often a chosen target stood in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlaceCount {
    /// The place in the page, from 1.
    pub place: u64,
    /// Ticks.
    pub ticks: u64,
}

impl Margins {
    /// What `ticks` show; a margin below `threshold`, from 0 to 1, is close.
    pub fn of(ticks: &[KeptTick], threshold: f64) -> Self {
        let margins: Vec<f64> = ticks.iter().filter_map(margin).collect();
        let mut places: BTreeMap<u64, u64> = BTreeMap::new();
        for tick in ticks {
            if let Target::Place(place) = tick.target {
                *places.entry(place).or_default() += 1;
            }
        }
        let count =
            |of: &dyn Fn(&KeptTick) -> bool| ticks.iter().filter(|tick| of(tick)).count() as u64;
        let target = |target: Target| count(&|tick| tick.target == target);
        Self {
            ticks: ticks.len() as u64,
            all_kept: count(&|tick| tick.all_kept),
            margins: margins.len() as u64,
            median: quantile(&margins, 0.5).ok(),
            lowest: margins.iter().copied().reduce(f64::min),
            threshold,
            below: margins
                .iter()
                .filter(|margin| **margin < threshold - EQUAL)
                .count() as u64,
            placed: places.values().sum(),
            places: (places.into_iter())
                .map(|(place, ticks)| PlaceCount { place, ticks })
                .collect(),
            without_target: target(Target::None),
            ambiguous: target(Target::Ambiguous),
            unknown: target(Target::Unknown),
        }
    }
}

/// How far the best option is ahead of the next; `None` with fewer than two probabilities.
fn margin(tick: &KeptTick) -> Option<f64> {
    let mut sorted = tick.probabilities.clone();
    sorted.sort_by(|one, other| other.total_cmp(one));
    match sorted[..] {
        [best, next, ..] => Some(best - next),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tick(probabilities: &[f64], all_kept: bool, target: Target) -> KeptTick {
        KeptTick {
            probabilities: probabilities.to_vec(),
            all_kept,
            target,
        }
    }

    fn close(one: Option<f64>, other: f64) -> bool {
        one.is_some_and(|one| (one - other).abs() < 1e-12)
    }

    #[test]
    fn margins_are_between_the_best_two_whatever_their_order() {
        let ticks = [
            tick(&[0.2, 0.7, 0.1], true, Target::Place(2)),
            tick(&[0.45, 0.4], false, Target::Place(11)),
            tick(&[0.5, 0.4, 0.1], true, Target::Place(2)),
            tick(&[1.0], true, Target::None),
            tick(&[], false, Target::Unknown),
            tick(&[0.5, 0.5], false, Target::Ambiguous),
        ];
        let found = Margins::of(&ticks, CLOSE);
        // Margins 0.5, 0.05, 0.1 and 0: sorted 0, 0.05, 0.1, 0.5, the median (0.05 + 0.1) / 2. One of a tenth is not below a tenth,
        // though 0.5 - 0.4 is less than 0.1 in binary.
        assert_eq!(
            (found.ticks, found.all_kept, found.margins, found.below),
            (6, 3, 4, 2)
        );
        assert!(close(found.median, 0.075) && close(found.lowest, 0.0));
        let places = [(2, 2), (11, 1)].map(|(place, ticks)| PlaceCount { place, ticks });
        assert_eq!(found.places, places);
        let targets = [
            found.placed,
            found.without_target,
            found.ambiguous,
            found.unknown,
        ];
        assert_eq!(targets, [3, 1, 1, 1]);
    }

    #[test]
    fn without_a_tick_there_is_no_margin() {
        let found = Margins::of(&[], 0.2);
        assert_eq!((found.median, found.lowest, found.margins), (None, None, 0));
        assert!((found.threshold - 0.2).abs() < f64::EPSILON && found.places.is_empty());
    }

    fn any_tick() -> impl Strategy<Value = KeptTick> {
        let target = prop_oneof![
            (1..9_u64).prop_map(Target::Place),
            Just(Target::None),
            Just(Target::Ambiguous),
            Just(Target::Unknown),
        ];
        (
            prop::collection::vec(0.0..1.0_f64, 0..6),
            any::<bool>(),
            target,
        )
            .prop_map(|(probabilities, all_kept, target)| tick(&probabilities, all_kept, target))
    }

    proptest! {
        #[test]
        fn every_tick_is_counted_once_and_no_order_matters(
            ticks in prop::collection::vec(any_tick(), 0..12),
            threshold in 0.0..1.0_f64,
        ) {
            let found = Margins::of(&ticks, threshold);
            prop_assert_eq!(found.ticks, found.placed + found.without_target + found.ambiguous + found.unknown);
            prop_assert!(found.below <= found.margins && found.margins <= found.ticks);
            if let (Some(lowest), Some(median)) = (found.lowest, found.median) {
                prop_assert!((0.0..=1.0).contains(&lowest) && lowest <= median + 1e-12);
            }
            let mut turned = ticks;
            turned.reverse();
            for tick in &mut turned {
                tick.probabilities.reverse();
            }
            prop_assert_eq!(Margins::of(&turned, threshold), found);
        }
    }
}
