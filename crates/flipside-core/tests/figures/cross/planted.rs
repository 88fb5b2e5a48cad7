//! Planted models: what each follows is all that is found.

#![expect(
    clippy::float_cmp,
    reason = "effects of planted models are sums of quarters, which are exact"
)]

use flipside_core::answer::Answer;
use flipside_core::case::{Case, KeyBinding};
use flipside_core::json::Json;
use flipside_core::present::Presentation;
use flipside_core::record::Outcome;
use flipside_core::stats::draw::{Part, Stream};
use flipside_core::summary::{SlotEffect, SlotsAndKeys};

use super::{answered, at, case, cases, four, near, near_each, slots};
use crate::common::chose;

const CASES: u64 = 20;

/// What is followed in all cases, and the parts of content, position, keys and interaction.
fn followed(found: &SlotsAndKeys) -> ([u64; 4], [f64; 4]) {
    assert_eq!((found.cases, found.decided), (CASES, CASES));
    let counts = [&found.content, &found.slot, &found.keys, &found.mixed].map(|share| share.cases);
    let parts = found.parts.as_ref().unwrap();
    let parts = [parts.content, parts.position, parts.keys, parts.interaction];
    (counts, parts.map(|part| part.value))
}

/// The means of position, keys and interaction.
fn effects(found: &SlotsAndKeys) -> [f64; 3] {
    let all = [
        &found.position_effect,
        &found.key_effect,
        &found.interaction,
    ];
    all.map(|effect| effect.as_ref().unwrap().value)
}

fn flips(found: &SlotsAndKeys) -> [u64; 4] {
    let all = [
        &found.order_flips,
        &found.order_flips_other_keys,
        &found.key_flips,
        &found.key_flips_other_order,
    ];
    assert!(all.iter().all(|flips| flips.pairs == CASES));
    all.map(|flips| flips.flips)
}

fn none(effect: Option<&SlotEffect>) {
    let effect = effect.unwrap();
    assert_eq!(
        (effect.value.to_bits(), effect.plus, effect.minus),
        (0.0_f64.to_bits(), 0, 0)
    );
    near(effect.p, 1.0);
}

/// Twenty two-option cases, their first key `a` or `b` in turn.
fn lettered() -> Vec<Case> {
    let turned = |number: usize| {
        let mut case = case(number, 2);
        let keys = if number.is_multiple_of(4) {
            ["b", "a"]
        } else {
            ["a", "b"]
        };
        for (option, key) in case.options.iter_mut().zip(keys) {
            key.clone_into(&mut option.key.0);
        }
        case
    };
    (0..20).map(turned).collect()
}

fn number(shown: &Presentation<'_>) -> usize {
    shown.case().id.0[1..].parse().unwrap()
}

#[test]
fn a_first_slot_picker_follows_the_slot_alone_under_every_set_of_keys() {
    for axis in ["shuffled", "abstract", "letters"] {
        let plan = four(cases(20, 2), &format!("keys:{axis}"));
        let summary = answered(&plan, |shown| at(shown, 0));
        let found = slots(&summary, axis);
        assert_eq!(followed(found), ([0, 20, 0, 0], [0.0, 1.0, 0.0, 0.0]));
        assert_eq!(effects(found), [1.0, 0.0, 0.0]);
        assert_eq!((found.first, found.last), (20, 0));
        assert_eq!(flips(found), [20, 20, 0, 0]);
        none(found.key_effect.as_ref());
        none(found.interaction.as_ref());
        // Twenty of one sign: 2 / 2^20.
        let position = found.position_effect.as_ref().unwrap();
        assert_eq!((position.plus, position.minus), (20, 0));
        near(position.p * f64::from(1 << 19), 1.0);
        assert_eq!((found.order_flips.plus, found.order_flips.minus), (20, 0));
        assert!(found.followed.is_empty());
    }
}

#[test]
fn a_last_slot_picker_has_the_opposite_sign() {
    let summary = answered(&four(cases(20, 2), "keys:shuffled"), |shown| at(shown, 1));
    let found = slots(&summary, "shuffled");
    assert_eq!(effects(found), [-1.0, 0.0, 0.0]);
    assert_eq!((found.first, found.last), (0, 20));
    assert_eq!((found.order_flips.plus, found.order_flips.minus), (0, 20));
}

#[test]
fn a_picker_of_one_key_follows_the_key_alone_where_keys_change_sides() {
    let summary = answered(&four(lettered(), "keys:shuffled"), |shown| {
        chose(shown.at_key("a").unwrap().id.0)
    });
    let found = slots(&summary, "shuffled");
    assert_eq!(followed(found), ([0, 0, 20, 0], [0.0, 0.0, 1.0, 0.0]));
    none(found.position_effect.as_ref());
    none(found.interaction.as_ref());
    assert_eq!(flips(found), [0, 0, 20, 20]);
    // `a` is the first option's key in the fifteen cases whose number four does not divide: (15 - 5) / 20.
    let keys = found.key_effect.as_ref().unwrap();
    assert_eq!((keys.plus, keys.minus), (15, 5));
    near(keys.value, 0.5);
    // 2 * P(Bin(20, 1/2) <= 5) = 2 * 21700 / 2^20.
    near(keys.p, 0.041_389_465);
    assert_eq!(found.same_key, 20);
    assert_eq!(
        found.followed.iter().collect::<Vec<_>>(),
        [(&"a".to_owned(), &20)]
    );
    assert!(found.table.iter().all(|row| row.keys_change_sides));
}

#[test]
fn a_reader_of_content_follows_it_alone() {
    let summary = answered(&four(cases(20, 2), "keys:shuffled"), |shown| {
        let wanted = format!("\"text {}\"", number(shown) % 2);
        let mut options = shown.options();
        let found = options.find(|option| option.text.map(Json::to_text) == Some(wanted.clone()));
        chose(found.unwrap().id.0)
    });
    let found = slots(&summary, "shuffled");
    assert_eq!(followed(found), ([20, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
    assert_eq!(flips(found), [0; 4]);
    for effect in [
        &found.position_effect,
        &found.key_effect,
        &found.interaction,
    ] {
        none(effect.as_ref());
    }
    // Wilson with no hit of twenty: z^2 / (20 + z^2).
    near_each(found.slot.interval.unwrap(), [0.0, 0.161_125]);
    assert_eq!(found.order_flips.p, None, "no flip has a direction");
}

#[test]
fn one_answer_per_set_of_keys_is_no_same_key_where_the_keys_are_others() {
    // The first option under its own keys, the second under abstract ones.
    let summary = answered(&four(cases(20, 2), "keys:abstract"), |shown| {
        chose(u16::from(shown.at_key("A1").is_some()))
    });
    let found = slots(&summary, "abstract");
    assert_eq!(followed(found), ([0, 0, 20, 0], [0.0, 0.0, 1.0, 0.0]));
    assert_eq!(found.same_key, 0);
    assert!(found.followed.is_empty());
    assert!(found.table.iter().all(|row| !row.keys_change_sides));
    assert_eq!(effects(found), [0.0, 1.0, 0.0]);
}

#[test]
fn a_slot_that_counts_under_abstract_keys_alone_is_an_interaction() {
    let summary = answered(&four(cases(20, 2), "keys:abstract"), |shown| {
        match shown.at_key("A1") {
            Some(_) => at(shown, 0),
            None => chose(u16::from(number(shown) % 2 == 1)),
        }
    });
    let found = slots(&summary, "abstract");
    // By hand, first option right: 1 1 / 1 -1 by order and keys, so that content, position and keys are 1/2 and the
    // interaction is (1 - 1 - 1 - 1) / 4. Second option right: -1 1 / -1 -1, so that content and keys are -1/2.
    assert_eq!(followed(found), ([0, 0, 0, 20], [0.25; 4]));
    assert_eq!(effects(found), [0.5, 0.0, -0.5]);
    assert_eq!(flips(found), [0, 20, 10, 10]);
    let difference = found.order_flips_difference.as_ref().unwrap();
    near(difference.value, 1.0);
    near(difference.p * f64::from(1 << 19), 1.0);
}

#[test]
fn a_fair_coin_has_a_quarter_of_everything() {
    let plan = four(cases(4000, 2), "keys:shuffled");
    let summary = answered(&plan, |shown| {
        let keys: Vec<&str> = shown
            .options()
            .map(|option| option.key.0.as_str())
            .collect();
        let parts = [
            Part::Text(&shown.case().id.0),
            Part::Text(keys[0]),
            Part::U64(u64::from(shown.order().is_own())),
        ];
        let second = Stream::new(&parts).below(2);
        chose(u16::try_from(second).unwrap())
    });
    let found = slots(&summary, "shuffled");
    // Of sixteen tables two follow each thing and ten follow none. Five standard errors of a share of 4,000.
    let expected = [0.125, 0.125, 0.125, 0.625];
    let shares = [&found.content, &found.slot, &found.keys, &found.mixed];
    for (share, expected) in shares.iter().zip(expected) {
        let within = 5.0 * (expected * (1.0 - expected) / 4000.0_f64).sqrt();
        assert!((share.rate.unwrap() - expected).abs() < within);
    }
    let parts = found.parts.as_ref().unwrap();
    for part in [parts.content, parts.position, parts.keys, parts.interaction] {
        // The sum S of four signs has E S^2 = 4 and E S^4 = 40, so that (S/4)^2 has the variance 40/256 - 1/16.
        assert!((part.value - 0.25).abs() < 5.0 * (0.09375 / 4000.0_f64).sqrt());
    }
    for effect in [
        &found.position_effect,
        &found.key_effect,
        &found.interaction,
    ] {
        let effect = effect.as_ref().unwrap();
        // A mean of four coins has a variance of a quarter.
        assert!(effect.value.abs() < 5.0 * (0.25 / 4000.0_f64).sqrt());
        assert!(effect.p > 1e-6);
    }
}

#[test]
fn only_choices_between_two_options_whose_keys_move_are_in_the_table() {
    let mut all = cases(6, 2);
    all[1] = case(1, 3);
    all[2].keys = KeyBinding::Place;
    all[3].options[0].text = None;
    all[4].position_dependent = Some("the above".to_owned());
    let summary = answered(&four(all, "keys:letters"), |shown| at(shown, 0));
    let found = slots(&summary, "letters");
    let rows: Vec<&str> = found.table.iter().map(|row| row.case.as_str()).collect();
    assert_eq!(rows, ["c0", "c5"]);
    assert_eq!(found.left_out.keys_stay, 1);
    assert_eq!(found.left_out.undrawn, 0);
    let vacuous: Vec<String> = found
        .left_out
        .vacuous
        .iter()
        .map(|(reason, cases)| format!("{cases}: {}", reason.text()))
        .collect();
    assert_eq!(
        vacuous,
        [
            "1: an option speaks about other options",
            "1: an option is nothing but its key"
        ]
    );
}

#[test]
fn without_both_axes_combined_there_is_no_table() {
    use flipside_core::plan::Cross;
    let answer = |shown: &Presentation<'_>| at(shown, 0);
    let plan = super::planned(cases(4, 2), "reverse", "keys", None, 5).unwrap();
    assert!(answered(&plan, answer).slots_and_keys.is_empty());
    let plan = super::full(cases(4, 2), "", "keys,state-keys");
    assert!(answered(&plan, answer).slots_and_keys.is_empty());
    let plan = super::full(cases(4, 3), "reverse", "keys,state-keys");
    assert!(answered(&plan, answer).slots_and_keys.is_empty());
    // Of four combinations one is drawn; cases without this one are counted.
    let cross = Some(Cross::Drawn(1));
    let plan = super::planned(cases(40, 2), "reverse", "keys,state-keys", cross, 5).unwrap();
    let summary = answered(&plan, answer);
    let found = slots(&summary, "abstract");
    assert!(found.cases > 0 && found.left_out.undrawn > 0);
    assert_eq!(found.cases + found.left_out.undrawn, 40);
}

#[test]
fn tied_answers_are_counted() {
    let summary = answered(&four(cases(3, 2), "keys:shuffled"), |shown| {
        let first = number(shown) == 0 && shown.order().is_own();
        Outcome::Answered(Answer {
            choice: shown.order().at(flipside_core::order::Position(0)),
            tied: first,
            ..Answer::default()
        })
    });
    let found = slots(&summary, "shuffled");
    assert_eq!(found.tied, 1);
    assert_eq!(found.order_flips.tie_flips, 1);
    assert_eq!(found.key_flips.tie_flips, 0);
}
