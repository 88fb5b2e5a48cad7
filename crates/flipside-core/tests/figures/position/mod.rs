//! Position preference from a plan's answers: which test the orders allow, and its numbers.

#![expect(
    clippy::float_cmp,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are small, some numbers pass through unchanged"
)]

mod grid;
mod laws;
mod recalls;
mod run;

use flipside_core::order::Order;
use flipside_core::summary::{BalancedMethod, PositionDesign, PositionTest};
use run::{Say, labelled, one, shapes, summary};
use serde_json::Value;

use crate::made::goldens;

pub(crate) fn near(found: impl Into<Option<f64>>, expected: f64) {
    let found: f64 = found.into().unwrap();
    let within = 1e-6 * expected.abs().clamp(1e-30, 1.0);
    assert!((found - expected).abs() <= within, "{found} {expected}");
}

/// Cases by position: `[2, 1]` is 0, 0, 1.
fn places(counts: &[u64]) -> Vec<usize> {
    let each = counts.iter().enumerate();
    each.flat_map(|(place, &count)| vec![place; usize::try_from(count).unwrap()])
        .collect()
}

#[test]
fn one_random_order_per_case_is_tested_for_uniformity_with_the_golden_numbers() {
    let entries = goldens("position_uniformity");
    for entry in entries
        .iter()
        .filter(|entry| entry["inputs"]["counts"].is_array())
    {
        let counts: Vec<u64> = serde_json::from_value(entry["inputs"]["counts"].clone()).unwrap();
        let chosen = places(&counts);
        let found = one(summary(
            &shapes(chosen.len(), 3),
            "random:1",
            |case, _, _| Say::At(chosen[case]),
        ));
        assert_eq!(found.design, PositionDesign::RandomOrder);
        assert_eq!(found.p_of, Some(PositionTest::Uniformity));
        let test = found.uniformity.unwrap();
        assert_eq!(test.counts, counts);
        let expected = &entry["expected"];
        near(test.chi_square, expected["chi2"].as_f64().unwrap());
        near(test.g, expected["g"].as_f64().unwrap());
        near(test.p_g, expected["p_g"].as_f64().unwrap());
        near(test.p, expected["p_chi2"].as_f64().unwrap());
        near(found.p, expected["p_chi2"].as_f64().unwrap());
        assert!(found.balanced.is_none() && found.reverse_pairs.is_none());
    }
}

#[test]
fn a_balanced_set_is_tested_over_cases_with_the_golden_numbers() {
    let entries = goldens("position_uniformity");
    let rows = |id: &str| -> (Vec<Vec<f64>>, Value) {
        let entry = entries.iter().find(|entry| entry["id"] == id).unwrap();
        let rows = entry["inputs"]["per_case_position_shares"].clone();
        (
            serde_json::from_value(rows).unwrap(),
            entry["expected"].clone(),
        )
    };
    let (shares, expected) = rows("balanced_cluster_wald");
    // Three orders: two thirds of them are two answers.
    let chosen: Vec<Vec<usize>> = shares
        .iter()
        .map(|row| {
            places(
                &row.iter()
                    .map(|share| (share * 3.0).round() as u64)
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let found = one(summary(&shapes(8, 3), "rotate", |case, _, order| {
        Say::At(chosen[case][order.identities()[0].index()])
    }));
    assert_eq!(found.design, PositionDesign::BalancedSet);
    assert!(
        found.uniformity.is_none(),
        "asks of one case are not independent"
    );
    let test = found.balanced.unwrap();
    assert_eq!((test.cases, test.left_out, test.orders), (8, 0, 3));
    assert_eq!(test.method, BalancedMethod::Hotelling);
    near(test.wald, expected["wald"].as_f64().unwrap());
    near(test.f, expected["hotelling_F"].as_f64().unwrap());
    near(test.p, expected["p_F"].as_f64().unwrap());
    assert_eq!(test.df, Some([2, 6]));
    let mean: Vec<f64> = serde_json::from_value(expected["mean_share"].clone()).unwrap();
    for (share, mean) in found.shares.iter().zip(mean) {
        near(share.value, mean);
    }
    let (shares, _) = rows("all_unanimous");
    let found = one(summary(&shapes(shares.len(), 3), "rotate", |case, _, _| {
        Say::Is(case % 3)
    }));
    let test = found.balanced.unwrap();
    assert_eq!(test.method, BalancedMethod::Unanimous);
    assert_eq!(
        test.reason.as_deref(),
        Some("no position preference (all cases unanimous)")
    );
    assert_eq!((test.p, found.p, found.preferred), (None, None, Vec::new()));
}

#[test]
fn a_case_without_every_order_of_its_set_is_left_out_and_counted() {
    let says = |case: usize, variant: &str, _: &Order| match (case, variant) {
        (0, "rotate:2") => Say::Fails,
        (1, "own") => Say::Nothing,
        _ => Say::Is(case % 3),
    };
    let found = one(summary(&shapes(6, 3), "rotate", says));
    let test = found.balanced.unwrap();
    assert_eq!((test.cases, test.left_out, test.no_decision), (4, 1, 1));
    assert_eq!(test.method, BalancedMethod::Unanimous);
    assert_eq!((found.asks, found.answers), (18, 16));
    assert_eq!((found.missing, found.no_decision), (1, 1));
    let none = one(summary(
        &shapes(6, 3),
        "rotate",
        |_, variant, _| match variant {
            "own" => Say::Is(0),
            _ => Say::Fails,
        },
    ));
    let test = none.balanced.unwrap();
    assert_eq!(
        (test.cases, test.p, test.method),
        (0, None, BalancedMethod::None)
    );
    assert!(none.shares.is_empty());
}

#[test]
fn which_test_applies_follows_from_the_orders_asked() {
    use PositionDesign::{BalancedSet, Other, RandomOrder};
    let design = |orders: &str, options: usize| {
        let found = one(summary(&shapes(9, options), orders, |case, _, _| {
            Say::Is(case % options)
        }));
        let orders = found.balanced.as_ref().map(|test| test.orders);
        (found.design, orders, found.reverse_pairs.is_some())
    };
    assert_eq!(design("rotate", 3), (BalancedSet, Some(3), false));
    assert_eq!(design("balanced", 3), (BalancedSet, Some(6), true));
    assert_eq!(design("balanced", 4), (BalancedSet, Some(4), true));
    assert_eq!(design("all", 3), (BalancedSet, Some(6), true));
    assert_eq!(
        design("reverse,rotate", 3),
        (BalancedSet, Some(3), true),
        "the rotations in it"
    );
    assert_eq!(design("reverse", 2), (BalancedSet, Some(2), true));
    assert_eq!(
        design("random:1", 2),
        (BalancedSet, Some(2), true),
        "the only other order"
    );
    assert_eq!(design("random:1", 4).0, RandomOrder);
    assert_eq!(design("reverse,rotate:1,random:2,same:1", 5).0, RandomOrder);
    assert_eq!(design("check", 3), (Other, None, true));
    assert_eq!(design("reverse", 3), (Other, None, true));
    assert_eq!(design("rotate:1", 3), (Other, None, false));
    assert_eq!(design("all", 6), (RandomOrder, None, false), "sampled");
    let found = one(summary(&shapes(9, 3), "check", |_, _, _| Say::At(0)));
    assert!(
        found
            .reason
            .unwrap()
            .contains("what is preferred may be content")
    );
    let none = summary(&shapes(9, 3), "same:1", |_, _, _| Say::At(0));
    assert!(none.position.is_none(), "no other order");
}

#[test]
fn flips_that_stay_at_an_end_have_the_golden_sign_test() {
    for entry in goldens("position_preference_pair") {
        let count = |name: &str| entry["inputs"][name].as_u64().unwrap() as usize;
        let (first, last) = (count("first_both"), count("last_both"));
        // And seven that keep their option, three that flip to the middle.
        let says = |case: usize, variant: &str, _: &Order| match case {
            case if case < first => Say::At(0),
            case if case < first + last => Say::At(2),
            case if case < first + last + 7 => Say::Is(case % 3),
            _ if variant == "own" => Say::Is(0),
            _ => Say::Is(1),
        };
        let found = one(summary(&shapes(first + last + 10, 3), "reverse", says));
        let pairs = found.reverse_pairs.unwrap();
        let n = (first + last) as u64;
        assert_eq!((pairs.pairs, pairs.flips), (n + 10, n + 3));
        assert_eq!(
            (pairs.first_both, pairs.last_both),
            (first as u64, last as u64)
        );
        assert!(pairs.blind_to_symmetric);
        let expected = &entry["expected"];
        assert_eq!(pairs.index, expected["index"].as_f64());
        match pairs.index {
            Some(_) => near(pairs.p, expected["p_exact"].as_f64().unwrap()),
            None => assert_eq!(
                pairs.p, None,
                "without such a flip there is nothing to test"
            ),
        }
    }
}

#[test]
fn two_options_reversed_give_the_published_preference_for_the_last() {
    // The routing data: 400 cases, 121 flips, 13 of them first both times.
    let says = |case: usize, _: &str, _: &Order| match case {
        0..13 => Say::At(0),
        13..121 => Say::At(1),
        _ => Say::Is(case % 2),
    };
    let found = one(summary(&shapes(400, 2), "reverse", says));
    let pairs = found.reverse_pairs.unwrap();
    assert_eq!((pairs.pairs, pairs.flips), (400, 121));
    assert!(!pairs.blind_to_symmetric);
    near(pairs.index, -95.0 / 121.0);
    assert!((pairs.p.unwrap() / 8.4e-20 - 1.0).abs() < 0.01);
    assert_eq!(
        (found.p, found.p_of),
        (pairs.p, Some(PositionTest::ReversePairs))
    );
    assert_eq!(found.preferred, [1]);
}

#[test]
fn a_position_that_is_always_chosen_is_shown_by_bets_where_nothing_varies() {
    let found = one(summary(&shapes(30, 4), "balanced", |_, _, _| Say::At(1)));
    assert_eq!(found.chosen, [0, 120, 0, 0]);
    let test = found.balanced.unwrap();
    assert_eq!((test.method, test.f), (BalancedMethod::Betting, None));
    // Thirty values of 1 against 1/4: stakes 4g/21 and -(4/3)g/21 give factors 1 + g/7 and 1 - g/21.
    let wealth: f64 = (1..=20)
        .map(|g| (1.0 + f64::from(g) / 7.0).powi(30) + (1.0 - f64::from(g) / 21.0).powi(30))
        .sum::<f64>()
        / 40.0;
    near(test.p, 4.0 / wealth);
    assert_eq!(found.preferred, [1]);
    let never: Vec<u16> = found
        .never_chosen
        .iter()
        .map(|each| each.position)
        .collect();
    assert_eq!(never, [0, 2, 3]);
    assert!(
        found
            .never_chosen
            .iter()
            .all(|each| each.offered == 120 && each.chance.is_none())
    );
}

#[test]
fn both_ends_are_named_where_a_balanced_set_shows_them() {
    let says =
        |case: usize, _: &str, _: &Order| Say::At(if case.is_multiple_of(2) { 0 } else { 3 });
    let found = one(summary(&shapes(40, 4), "balanced", says));
    assert_eq!(
        found.balanced.as_ref().unwrap().method,
        BalancedMethod::Betting
    );
    assert!(found.p.unwrap() < 0.05);
    assert_eq!(found.preferred, [0, 3]);
    assert!(!found.unseen.symmetric && !found.unseen.neighbours);
}

#[test]
fn a_content_model_on_a_file_with_the_right_option_first_prefers_no_position() {
    // The drawn orders leave the own one out: they alone show the first option there in 1 of 5 draws.
    let found = one(summary(
        &labelled(3, &vec![0; 3000]),
        "random:1",
        |_, _, _| Say::Is(0),
    ));
    let test = found.uniformity.unwrap();
    assert!(test.p.unwrap() > 0.01, "{test:?}");
    // One case in 3! counts by its own order: 500 of 3000 and five standard errors.
    assert!((398..602).contains(&test.own_orders), "{test:?}");
    let drawn: Vec<u64> = found
        .chosen
        .iter()
        .zip([3000, 0, 0])
        .map(|(all, own)| all - own)
        .collect();
    let expected = 1000.0;
    let alone: f64 = drawn
        .iter()
        .map(|&c| (c as f64 - expected).powi(2) / expected)
        .sum();
    assert!(
        alone > 100.0,
        "the drawn orders alone would have accused it: {drawn:?}"
    );
}

#[test]
fn a_position_that_is_never_chosen_is_named_with_its_chance() {
    let found = one(summary(&shapes(10, 3), "random:1", |case, _, _| {
        Say::At(case % 2)
    }));
    let never = found.never_chosen[0];
    assert_eq!((never.position, never.offered), (2, 20));
    near(never.chance, (2.0_f64 / 3.0).powi(10));
    // Ten answers of three positions are under 5 each, so the exact test speaks: 5, 5 and 0 have 252 / 3^10 ways.
    let test = found.uniformity.unwrap();
    assert_eq!(test.p, test.p_exact);
    assert_ne!(test.p, test.p_chi_square);
}

#[test]
fn the_exact_test_speaks_below_five_expected() {
    // Four answers in one of two... of three positions: 3 of 81 ways are as extreme.
    let found = one(summary(&shapes(4, 3), "random:1", |_, _, _| Say::At(1)));
    near(found.uniformity.unwrap().p, 3.0 / 81.0);
}

#[test]
fn the_ends_are_compared_with_each_cases_own_chance() {
    // Two options and three, always the first: 1 - 1/2 and 1 - 1/3.
    let mut mixed = shapes(10, 2);
    let mut three = shapes(20, 3);
    for shape in &mut three {
        shape.number += 100;
    }
    mixed.extend(three);
    let found = summary(&mixed, "rotate", |_, _, _| Say::At(0))
        .position
        .unwrap();
    let primacy = found.primacy.unwrap();
    near(primacy.value, (10.0 * 0.5 + 20.0 * 2.0 / 3.0) / 30.0);
    assert!(primacy.content_balanced && primacy.cases == 30);
    assert!(primacy.interval[0] > 0.0 && primacy.interval[1] <= 2.0 / 3.0 + 1e-9);
    near(found.recency.unwrap().value, (-5.0 - 20.0 / 3.0) / 30.0);
    let options: Vec<u64> = found.by_options.iter().map(|each| each.options).collect();
    assert_eq!(options, [2, 3]);
    // One K: the interval is the betting interval of the shares less 1/K; fifty zeros give 0.102927.
    let last = summary(&shapes(50, 3), "rotate", |_, _, _| Say::At(0))
        .position
        .unwrap();
    let recency = last.recency.unwrap();
    near(recency.value, -1.0 / 3.0);
    near(recency.interval[1] + 1.0 / 3.0, 0.102_926_7);
    let content = summary(&shapes(50, 3), "check", |_, _, _| Say::Is(0))
        .position
        .unwrap();
    assert!(!content.primacy.unwrap().content_balanced);
}

#[test]
fn a_middle_picker_is_flagged_as_unseen_by_reversal_and_seen_by_rotation() {
    let found = summary(&shapes(30, 3), "reverse", |_, _, _| Say::At(1));
    assert_eq!(found.axes["order"]["reverse"].figure.flips, Some(0));
    let unseen = one(found).unseen;
    assert!(unseen.symmetric);
    assert_eq!(unseen.fixed_positions, [1]);
    let found = summary(&shapes(30, 3), "rotate:1", |_, _, _| Say::At(1));
    assert_eq!(found.axes["order"]["rotate:1"].figure.flips, Some(30));
    let unseen = one(found).unseen;
    assert!(!unseen.symmetric && unseen.neighbours && unseen.fixed_positions.is_empty());
    // A draw that happens to be the reversal does not blind the draws of the other cases.
    let unseen = one(summary(&shapes(30, 3), "random:1", |_, _, _| Say::At(1))).unseen;
    assert!(!unseen.symmetric && !unseen.neighbours);
}

#[test]
fn the_rate_given_moved_has_its_interval_and_the_pickers_their_rates() {
    // Reversing three options leaves the middle: 8 of 12 choices move, all of them flip.
    let says = |case: usize, _: &str, _: &Order| Say::At([0, 2, 1][case % 3]);
    let found = summary(&shapes(12, 3), "reverse", says);
    let line = &found.axes["order"]["reverse"];
    assert_eq!((line.moved, line.moved_flips), (8, 8));
    assert_eq!(
        (line.moved_rate, line.figure.rate),
        (Some(1.0), Some(8.0 / 12.0))
    );
    // The page's Wilson interval of 8/8.
    near(line.moved_interval.map(|ends| ends[0]), 0.675_592);
    near(line.moved_interval.map(|ends| ends[1]), 1.0);
    let found = one(found);
    near(found.constant_position_flip_rate, 0.8);
    near(found.random_flip_rate, 2.0 / 3.0);
    let four = one(summary(&shapes(4, 4), "reverse", |_, _, _| Say::At(0)));
    near(four.constant_position_flip_rate, 0.782_608_695_652);
    near(four.random_flip_rate, 0.75);
    let still = summary(&shapes(4, 3), "reverse", |_, _, _| Say::At(1));
    assert_eq!(still.axes["order"]["reverse"].moved_rate, None);
}
