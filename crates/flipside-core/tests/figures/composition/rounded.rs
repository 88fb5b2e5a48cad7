//! Probabilities that are rounded do not look like composition.

use flipside_core::summary::{Attention, AttentionReason, DriftReason};
use proptest::prelude::*;

use super::{Run, Shown, Told, close};

/// Weights of each case's options.
fn weight(weights: &[Vec<f64>], shown: &Shown<'_>) -> Vec<f64> {
    let of_case = &weights[shown.number()];
    let weights: Vec<f64> = shown.list.iter().map(|id| of_case[id.index()]).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// To so many decimals, or to so many bits where negative.
fn rounded(p: &[f64], digits: i32) -> Vec<f64> {
    let one = |p: &f64| {
        if digits >= 0 {
            let scale = 10_f64.powi(digits);
            (p * scale).round() / scale
        } else {
            let scale = (-f64::from(digits) - 1.0 - p.log2().floor()).exp2();
            (p * scale).round() / scale
        }
    };
    p.iter().map(one).collect()
}

#[test]
fn two_decimals_of_a_scorer_of_single_options_show_no_excess() {
    let weights = vec![
        vec![0.62, 0.21, 0.09, 0.05, 0.03],
        vec![0.31, 0.29, 0.21, 0.11, 0.08],
        vec![0.94, 0.031, 0.019, 0.006, 0.004],
    ];
    let found = Run::new(3, 5).drop(|shown| Told::Reported(rounded(&weight(&weights, shown), 2)));
    let shared = &found.shared;
    // In raw log-odds it looks like a great deal: .09 to .03 is a third, .24 to .08 as well, and .01 to .02 is none.
    assert!(shared.log_odds.largest.unwrap() > 0.1);
    assert_eq!(
        (shared.beyond_rounding.of, shared.beyond_rounding.hits),
        (15, 0)
    );
    close(shared.step, 0.01);
    assert_eq!(found.attention_reason, Some(AttentionReason::Rounded));
    let equal = found.equal_size.unwrap();
    assert_eq!(equal.shared.beyond_rounding.hits, 0);
    // A rounded 0 has no log-odds and still has bounds.
    assert!(shared.zeros > 0);
    assert_eq!(
        shared.log_odds.pairs + shared.zeros,
        shared.with_probabilities
    );
}

#[test]
fn what_moves_more_than_two_decimals_can_is_found_behind_them() {
    let weights = vec![vec![5.0, 4.0, 2.0, 1.0]; 10];
    let found = Run::new(10, 4).drop(|shown| {
        let mut p = weight(&weights, shown);
        if !shown.shows(3) {
            p[1] *= 4.0;
        }
        let sum: f64 = p.iter().sum();
        let p: Vec<f64> = p.iter().map(|p| p / sum).collect();
        Told::Reported(rounded(&p, 2))
    });
    assert_eq!(
        (
            found.shared.beyond_rounding.of,
            found.shared.beyond_rounding.hits
        ),
        (40, 10)
    );
    assert_eq!(found.attention, Attention::Attentive);
}

#[test]
fn one_hot_replies_have_no_log_odds_and_bare_decimals_of_them_some_bounds() {
    let hot = |shown: &Shown<'_>| {
        let first = shown.list.iter().min();
        Told::Reported(
            shown
                .list
                .iter()
                .map(|id| f64::from(u8::from(Some(id) == first)))
                .collect(),
        )
    };
    let found = Run::new(2, 4).drop(hot);
    assert_eq!(
        (found.shared.with_probabilities, found.shared.zeros),
        (8, 8)
    );
    assert_eq!(found.shared.log_odds.reason, Some(DriftReason::OneHot));
    assert_eq!(
        (
            found.choice_dropped.pairs,
            found.choice_dropped.no_runner_up
        ),
        (2, 2)
    );
    // Where the choice is left out nothing is left of the others, and Luce's rule says nothing.
    assert_eq!(found.shared.luce_distance.pairs, 6);
    assert_eq!(found.shared.beyond_rounding.hits, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_rounding_of_a_scorer_of_single_options_is_ever_beyond_rounding(
        weights in (4..7_usize).prop_flat_map(|options| {
            proptest::collection::vec(proptest::collection::vec(1e-3..1.0_f64, options), 1..6)
        }),
        digits in prop_oneof![Just(2), Just(3), Just(4), Just(6), Just(12), Just(-8), Just(-11)],
    ) {
        let found = Run::new(weights.len(), weights[0].len())
            .drop(|shown| Told::Reported(rounded(&weight(&weights, shown), digits)));
        prop_assert_eq!(found.shared.beyond_rounding.hits, 0);
        prop_assert_ne!(found.attention, Attention::Attentive);
        let equal = found.equal_size.unwrap();
        prop_assert_eq!(equal.shared.beyond_rounding.hits, 0);
        prop_assert_eq!(equal.flips - equal.tie_flips, 0);
        // Rounding keeps the order of probabilities, ties apart.
        let dropped = &found.choice_dropped;
        prop_assert_eq!(dropped.runner_up.hits, dropped.runner_up.of);
        prop_assert_eq!(found.figure.firm_flips, Some(0));
    }
}
