//! Composition: what an option less, or one more, does to the choice among the others.
//!
//! Attending to the other options is legitimate where attending to their order is not, so nothing here is a verdict.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::measure::accuracy::LEVEL;
use crate::order::OptionId;
use crate::stats::cluster::{Cluster, korn_graubard};
use crate::stats::quantile::{Spread, spread};
use crate::stats::{luce, proportion};

/// One case asked with all its options and once without one of them. A decoy is the same read backwards: the list with the
/// decoy is the full one.
#[derive(Clone, Copy, Debug)]
pub struct Dropped<'a> {
    /// The independent unit: the case, or its cluster.
    pub unit: usize,
    /// The option that is left out.
    pub dropped: OptionId,
    /// What was chosen of all options; `None` if the model did not decide.
    pub full: Option<OptionId>,
    /// What was chosen of the others, by its identity among all; `None` if the model did not decide.
    pub reply: Option<OptionId>,
    /// Probabilities of all options by identity, if there are any.
    pub full_probabilities: Option<&'a [f64]>,
    /// Probabilities of the others, in the order of their identities.
    pub reply_probabilities: Option<&'a [f64]>,
    /// How many options all are.
    pub options: usize,
}

/// What dropping options showed (the statistics page, 9).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Composition {
    /// Cases with fewer than three options, to which it does not apply.
    pub not_applicable: u64,
    /// Pairs in which an option other than the choice was dropped and both answers decided.
    pub pairs: u64,
    /// Pairs in which neither answer decided.
    pub no_decision: u64,
    /// Pairs in which the choice was still listed and no longer chosen; to or from no decision among them.
    pub flips: u64,
    /// Their share of the pairs; null without one.
    pub rate: Option<f64>,
    /// Two-sided 95 % Wilson interval, which takes the pairs as independent.
    pub interval: Option<[f64; 2]>,
    /// One-sided lower bound over units, by Korn and Graubard; null with fewer than two units.
    pub lower: Option<f64>,
    /// One-sided upper bound over units.
    pub upper: Option<f64>,
    /// Pairs in which the choice itself was dropped, which is never a flip, and whose runner-up is known.
    pub choice_dropped: u64,
    /// Pairs among them in which the runner-up was chosen.
    pub runner_up_kept: u64,
    /// Largest change of the log-odds between two options that stay, in nats: 0 for a model that scores each for itself.
    /// Null where no pair has log-odds.
    pub log_odds: Option<Spread>,
    /// Total variation from what Luce's rule expects of the options that stay.
    /// Null without probabilities.
    pub luce_distance: Option<Spread>,
    /// Pairs with probabilities.
    pub with_probabilities: u64,
    /// Pairs among them with a probability of 0, so that they have no log-odds.
    pub zeros: u64,
}

/// What `asks` show about composition; bounds at `alpha`. `None` without an ask.
pub fn composition(asks: &[Dropped<'_>], alpha: f64) -> Option<Composition> {
    if asks.is_empty() {
        return None;
    }
    let mut units: BTreeMap<usize, Cluster> = BTreeMap::new();
    let (mut not_applicable, mut no_decision, mut zeros) = (0, 0, 0);
    let (mut choice_dropped, mut runner_up_kept) = (0, 0);
    let (mut log_odds, mut distances) = (Vec::new(), Vec::new());
    for ask in asks {
        if ask.options < 3 {
            not_applicable += 1;
            continue;
        }
        let drift = ask
            .full_probabilities
            .zip(ask.reply_probabilities)
            .and_then(|(full, reply)| luce::drop_drift(full, ask.dropped.index(), reply).ok());
        if let Some(drift) = drift {
            zeros += u64::from(drift.log_odds.is_none());
            log_odds.extend(drift.log_odds);
            distances.push(drift.total_variation);
        }
        if ask.full == Some(ask.dropped) {
            let next = ask
                .full_probabilities
                .and_then(|full| luce::runner_up(full).ok()?);
            if let (Some(next), Some(reply)) = (next, ask.reply) {
                choice_dropped += 1;
                runner_up_kept += u64::from(reply.index() == next);
            }
            continue;
        }
        if ask.full.is_none() && ask.reply.is_none() {
            no_decision += 1;
            continue;
        }
        let unit = units.entry(ask.unit).or_insert(Cluster { hits: 0, n: 0 });
        unit.n += 1;
        unit.hits += u64::from(ask.full != ask.reply);
    }
    let units: Vec<Cluster> = units.into_values().collect();
    let pairs = units.iter().map(|unit| unit.n).sum();
    let flips = units.iter().map(|unit| unit.hits).sum();
    let share = proportion::wilson(flips, pairs, LEVEL).ok();
    let bounds = korn_graubard(&units, alpha).ok();
    Some(Composition {
        not_applicable,
        pairs,
        no_decision,
        flips,
        rate: share.map(|share| share.value),
        interval: share.map(|share| [share.lower, share.upper]),
        lower: bounds.map(|bounds| bounds.lower),
        upper: bounds.map(|bounds| bounds.upper),
        choice_dropped,
        runner_up_kept,
        log_odds: spread(&log_odds).ok().flatten(),
        luce_distance: spread(&distances).ok().flatten(),
        with_probabilities: distances.len() as u64,
        zeros,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: [f64; 3] = [0.5, 0.3, 0.2];

    fn ask(unit: usize, dropped: u16, full: u16, reply: u16, left: &[f64]) -> Dropped<'_> {
        Dropped {
            unit,
            dropped: OptionId(dropped),
            full: Some(OptionId(full)),
            reply: Some(OptionId(reply)),
            full_probabilities: Some(&FULL),
            reply_probabilities: Some(left),
            options: 3,
        }
    }

    #[test]
    fn an_option_less_is_held_to_luces_rule() {
        // Golden `loo/drop_c`: expected (.625, .375).
        let found = composition(&[ask(0, 2, 0, 0, &[0.55, 0.45])], 0.05).unwrap();
        assert_eq!((found.pairs, found.flips, found.rate), (1, 0, Some(0.0)));
        assert!((found.log_odds.unwrap().largest - 0.310_154_928_304).abs() < 1e-9);
        assert!((found.luce_distance.unwrap().largest - 0.075).abs() < 1e-12);
        assert_eq!(found.upper, None, "one unit bounds nothing");
    }

    #[test]
    fn dropping_the_choice_is_never_a_flip_and_asks_for_the_runner_up() {
        // Golden `loo/drop_chosen`: b was expected, c came.
        let other = ask(0, 0, 0, 2, &[0.3, 0.7]);
        let kept = ask(1, 0, 0, 1, &[0.6, 0.4]);
        let found = composition(&[other, kept], 0.05).unwrap();
        assert_eq!((found.pairs, found.flips, found.rate), (0, 0, None));
        assert_eq!((found.choice_dropped, found.runner_up_kept), (2, 1));
    }

    #[test]
    fn a_scorer_of_single_options_has_no_drift_and_no_flip() {
        let left = [[0.375, 0.625], [5.0 / 7.0, 2.0 / 7.0]];
        let full = [0.3, 0.5, 0.2];
        let asks: Vec<Dropped<'_>> = [(2, &left[0]), (0, &left[1])]
            .into_iter()
            .map(|(dropped, left)| Dropped {
                full_probabilities: Some(&full),
                ..ask(0, dropped, 1, 1, left)
            })
            .collect();
        let found = composition(&asks, 0.05).unwrap();
        assert_eq!(found.flips, 0);
        assert!(found.log_odds.unwrap().largest < 1e-12);
        assert!(found.luce_distance.unwrap().largest < 1e-12);
    }

    #[test]
    fn bounds_are_those_of_cases_and_not_of_asks() {
        // 40 cases, three drops each, none flips: the bound is that of 40, the published 0.072158.
        let left = [0.625, 0.375];
        let asks: Vec<Dropped<'_>> = (0..120).map(|n| ask(n / 3, 2, 0, 0, &left)).collect();
        let found = composition(&asks, 0.05).unwrap();
        assert!((found.upper.unwrap() - 0.072_158).abs() < 1e-6);
        let mut backwards = asks;
        backwards.reverse();
        assert_eq!(composition(&backwards, 0.05).unwrap(), found);
    }

    #[test]
    fn two_options_zeros_and_declined_answers_are_counted_under_their_own_names() {
        let left = [1.0, 0.0];
        let two = Dropped {
            options: 2,
            ..ask(0, 1, 0, 0, &left)
        };
        let zero = ask(1, 2, 0, 0, &left);
        let declined = Dropped {
            full: None,
            reply: None,
            ..zero
        };
        let to_nothing = Dropped {
            reply: None,
            unit: 2,
            ..zero
        };
        let found = composition(&[two, zero, declined, to_nothing], 0.05).unwrap();
        assert_eq!(found.not_applicable, 1);
        assert_eq!((found.pairs, found.flips, found.no_decision), (2, 1, 1));
        assert_eq!((found.zeros, found.with_probabilities), (3, 3));
        assert_eq!(found.log_odds, None);
        assert_eq!(composition(&[], 0.05), None);
    }
}
