//! What a full factorial asks, and what of it is vacuous.

use flipside_core::case::{Case, KeyBinding, Phrasing, QuestionKind};
use flipside_core::gate::Gates;
use flipside_core::json::{Json, Object};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::{Axis, Change, Draws, Variant, alter};
use flipside_core::plan::{Cross, Plan, PlanError, VacuousReason};
use flipside_core::preflight::preflight;
use flipside_core::present::Presentation;

use super::{SEED, answered, at, case, cases, combined, full, planned};
use crate::common::card;

/// Two orders, two sets of keys, one order of the state: 3 * 3 * 2 - 1 - 2 - 2 - 1 = 12 combinations.
const ORDERS: &str = "reverse,rotate:1";
const AXES: &str = "keys:abstract,keys:letters,state-keys";

/// Vacuous combinations with their reasons.
fn vacuous(plan: &Plan) -> Vec<(&str, VacuousReason)> {
    let crossed = plan.vacuous.iter().filter_map(|each| {
        let variant = &plan.variants[each.variant as usize];
        (variant.axis == Axis::Cross).then_some((variant.name.as_str(), each.reason))
    });
    crossed.collect()
}

#[test]
fn a_full_factorial_has_every_combination_after_the_single_variants() {
    let plan = full(cases(2, 3), ORDERS, AXES);
    let expected = [
        "order/reverse+keys/abstract",
        "order/reverse+keys/letters",
        "order/reverse+state-keys/reverse",
        "order/rotate:1+keys/abstract",
        "order/rotate:1+keys/letters",
        "order/rotate:1+state-keys/reverse",
        "keys/abstract+state-keys/reverse",
        "keys/letters+state-keys/reverse",
        "order/reverse+keys/abstract+state-keys/reverse",
        "order/reverse+keys/letters+state-keys/reverse",
        "order/rotate:1+keys/abstract+state-keys/reverse",
        "order/rotate:1+keys/letters+state-keys/reverse",
    ];
    assert_eq!(combined(&plan), expected);
    // The baseline, two orders, two sets of keys, one order of the state, twelve combinations; two cases.
    assert_eq!(plan.variants.len(), 18);
    assert_eq!(plan.asks.len(), 36);
    assert_eq!(plan.requests(), 36);
    assert!(plan.vacuous.is_empty());
    assert!(!plan.seed_used);
}

#[test]
fn a_combination_shows_what_its_parts_change_and_is_compared_with_the_baseline() {
    let plan = full(cases(1, 3), ORDERS, AXES);
    let name = "order/rotate:1+keys/letters+state-keys/reverse";
    let ask = |name: &str| {
        let mut asks = plan.asks.iter();
        asks.find(|ask| plan.variant_of(ask).name == name).unwrap()
    };
    let found = ask(name);
    assert_eq!(found.against, Some(0));
    assert_eq!(found.order, Order::rotate(3, 1));
    let shown = plan.shown_case(found);
    let shown = Presentation::new(&shown, &found.order);
    let options = shown
        .options()
        .map(|option| (option.id.0, option.key.0.clone()));
    let options: Vec<(u16, String)> = options.collect();
    // Keys go with their options: the second option is `B` wherever it stands.
    let expected = [
        (1, "B".to_owned()),
        (2, "C".to_owned()),
        (0, "A".to_owned()),
    ];
    assert_eq!(options, expected);
    assert_eq!(shown.state().to_text(), r#"{"other":7,"n":0}"#);
    assert_eq!(
        plan.variants[found.variant as usize].parts(),
        [
            Variant::order("rotate:1"),
            Variant::on(Axis::Keys, "letters"),
            Variant::on(Axis::StateKeys, "reverse"),
        ]
    );
}

#[test]
fn a_decoy_stands_last_in_every_order() {
    let plan = full(cases(1, 3), "reverse", "decoy,keys:letters");
    let asks = plan.asks.iter();
    let orders: Vec<(&str, Vec<u16>)> = asks
        .map(|ask| {
            let order = ask.order.identities().iter().map(|id| id.0);
            (plan.variant_of(ask).name.as_str(), order.collect())
        })
        .filter(|(name, _)| name.contains("order/"))
        .collect();
    let expected = [
        ("order/reverse+keys/letters", vec![2, 1, 0]),
        ("order/reverse+decoy/none", vec![2, 1, 0, 3]),
        ("order/reverse+keys/letters+decoy/none", vec![2, 1, 0, 3]),
    ];
    assert_eq!(orders, expected);
    // Probabilities move with the number of options, so that drift says nothing there.
    let summary = answered(&plan, |shown| at(shown, 0));
    let lines = &summary.axes["cross"];
    assert!(lines["order/reverse+keys/letters"].drift.is_some());
    assert!(lines["order/reverse+decoy/none"].drift.is_none());
}

#[test]
fn a_combination_with_a_vacuous_part_has_the_reason_of_its_first_one() {
    let mut one = case(0, 1);
    one.state = Json::String("no members".to_owned());
    let plan = full(vec![one], "reverse", "keys:letters,state-keys");
    let expected = [
        ("order/reverse+keys/letters", VacuousReason::OneOption),
        ("order/reverse+state-keys/reverse", VacuousReason::OneOption),
        ("keys/letters+state-keys/reverse", VacuousReason::NoMembers),
        (
            "order/reverse+keys/letters+state-keys/reverse",
            VacuousReason::OneOption,
        ),
    ];
    assert_eq!(vacuous(&plan), expected);

    let mut dependent = case(0, 3);
    dependent.position_dependent = Some("the above".to_owned());
    let plan = full(vec![dependent], "reverse", "keys:letters,state-keys");
    assert_eq!(combined(&plan).len(), 4);
    let reasons: Vec<VacuousReason> = vacuous(&plan)
        .into_iter()
        .map(|(_, reason)| reason)
        .collect();
    assert_eq!(reasons, [VacuousReason::PositionDependent; 3]);
    // The one that shows no other order is asked.
    let asked = plan.asks.last().unwrap();
    assert_eq!(
        plan.variant_of(asked).name,
        "keys/letters+state-keys/reverse"
    );
}

#[test]
fn changes_that_exclude_each_other_are_vacuous_together() {
    // Neither the keys nor the descriptions would be left to say which option is which.
    let plan = full(cases(1, 3), "", "descriptions:drop,keys:letters");
    let name = "keys/letters+descriptions/drop";
    assert_eq!(vacuous(&plan), [(name, VacuousReason::InformationLost)]);
}

/// The case with a rewording that gives its options these texts.
fn reworded(mut case: Case, name: &str, texts: &[(u16, &str)]) -> Case {
    let texts = texts.iter();
    let text = |(id, text): &(u16, &str)| (OptionId(*id), Json::String((*text).to_owned()));
    case.brought.phrasings = vec![Phrasing {
        name: name.to_owned(),
        state: None,
        instructions: None,
        texts: texts.map(text).collect(),
        negated: false,
        approved: true,
    }]
    .into();
    case
}

#[test]
fn a_combination_that_undoes_itself_is_vacuous_beside_whatever_it_leaves() {
    // The two keys change sides, the two texts do, and the two options do: the request is the baseline's, and the
    // same two lines would be two other identities.
    let turned = reworded(case(0, 2), "turned", &[(0, "text 1"), (1, "text 0")]);
    let plan = full(vec![turned], "reverse", "keys:shuffled,phrasing,state-keys");
    let undone = "order/reverse+keys/shuffled+phrasing/turned";
    let all = format!("{undone}+state-keys/reverse");
    let expected = [
        (undone, VacuousReason::EqualBytes),
        (all.as_str(), VacuousReason::EqualParts),
    ];
    assert_eq!(vacuous(&plan), expected);
    // Any two of the three are the third, which is asked once.
    let mut digests: Vec<_> = plan.asks.iter().map(|ask| ask.digest).collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!((digests.len(), plan.asks.len()), (plan.requests(), 14));
    assert_eq!(plan.requests(), 8);
}

#[test]
fn a_part_that_changes_nothing_beside_another_makes_no_combination() {
    let terse = reworded(case(0, 3), "terse", &[(1, "one")]);
    // Without descriptions their rewording is gone.
    let plan = full(vec![terse], "reverse", "phrasing,descriptions:drop");
    let expected = [
        (
            "descriptions/drop+phrasing/terse",
            VacuousReason::EqualParts,
        ),
        (
            "order/reverse+descriptions/drop+phrasing/terse",
            VacuousReason::EqualParts,
        ),
    ];
    assert_eq!(vacuous(&plan), expected);
    let text = VacuousReason::EqualParts.text();
    assert_eq!(text, "the request is that of some of its parts");
}

#[test]
fn a_case_without_the_rewordings_of_others_is_told_in_their_combinations() {
    let with = reworded(case(0, 3), "terse", &[(1, "one")]);
    let plan = full(vec![with, case(1, 3)], "reverse", "phrasing,keys:letters");
    let lost = VacuousReason::NoPhrasing;
    let expected = [
        ("order/reverse+phrasing/terse", lost),
        ("keys/letters+phrasing/terse", lost),
        ("order/reverse+keys/letters+phrasing/terse", lost),
    ];
    assert_eq!(vacuous(&plan), expected);
    assert!(plan.vacuous.iter().all(|each| each.case == 1));
    // Both cases stand in every line, compared or vacuous.
    let summary = answered(&plan, |shown| at(shown, 0));
    for line in summary.axes.values().flat_map(|lines| lines.values()) {
        assert_eq!(line.figure.pairs + line.figure.vacuous, 2);
    }
    // What is drawn for a case is what it can be asked.
    let with = reworded(case(0, 3), "terse", &[(1, "one")]);
    let cross = Some(Cross::Drawn(9));
    let axes = "phrasing,keys:letters";
    let plan = planned(vec![with, case(1, 3)], "reverse", axes, cross, SEED).unwrap();
    assert!(vacuous(&plan).is_empty());
}

#[test]
fn controls_and_left_out_options_are_no_part_of_a_combination() {
    let plan = full(cases(1, 3), "reverse,same:2", "drop,keys:letters");
    assert_eq!(combined(&plan), ["order/reverse+keys/letters"]);
    let plan = full(cases(1, 3), "same:2", "drop,keys:letters");
    assert!(combined(&plan).is_empty());
    let plan = planned(cases(1, 3), "reverse", "keys:letters", None, SEED).unwrap();
    assert!(combined(&plan).is_empty());
}

#[test]
fn the_digest_of_a_plan_tells_how_axes_are_combined() {
    let of = |cross| {
        planned(cases(3, 3), ORDERS, AXES, cross, SEED)
            .unwrap()
            .digest()
    };
    let digests = [
        None,
        Some(Cross::Full),
        Some(Cross::Drawn(2)),
        Some(Cross::Drawn(3)),
    ]
    .map(of);
    for (place, digest) in digests.iter().enumerate() {
        assert!(!digests[..place].contains(digest));
        // Built anew it is the same.
        let again = [
            None,
            Some(Cross::Full),
            Some(Cross::Drawn(2)),
            Some(Cross::Drawn(3)),
        ][place];
        assert_eq!(*digest, of(again));
    }
}

#[test]
fn a_preflight_counts_the_asks_of_every_combination() {
    let mut all = cases(4, 3);
    // One case has no members to put into another order.
    all[3].state = Json::String("none".to_owned());
    let plan = full(all, "reverse", "keys:letters,state-keys");
    let gates = Gates::resolve(
        &[],
        true,
        &[Axis::Keys, Axis::StateKeys, Axis::Cross],
        false,
    );
    let found = preflight(&plan, &card(), &gates);
    let cross = found
        .variants
        .iter()
        .filter(|each| each.axis == Axis::Cross);
    let counts: Vec<(&str, u64, u64, Option<f64>)> = cross
        .map(|each| (each.variant.as_str(), each.asks, each.vacuous, each.limit))
        .collect();
    let expected = [
        ("order/reverse+keys/letters", 4, 0, None),
        ("order/reverse+state-keys/reverse", 3, 1, None),
        ("keys/letters+state-keys/reverse", 3, 1, None),
        ("order/reverse+keys/letters+state-keys/reverse", 3, 1, None),
    ];
    assert_eq!(counts, expected, "asked and not gated");
    // 4 baselines, 4 + 4 + 3 single variants, 13 combinations.
    assert_eq!(found.asks, 28);
}

#[test]
fn more_combinations_than_memory_is_kept_for_are_refused_before_they_are_made() {
    // 4! - 1 = 23 orders, 4 sets of keys, 50 orders of the state: 24 * 5 * 51 - 1 - 23 - 4 - 50 = 6,042 are all asked.
    let mut large = case(0, 4);
    // Five members have 5! - 1 = 119 other orders.
    let members = ["a", "b", "c", "d", "e"].map(|name| (name.to_owned(), Json::Null));
    large.state = Json::Object(Object::new(members.into()).unwrap());
    let keys = "keys:abstract,keys:letters,keys:numbers,keys:shuffled";
    let build = |rest: &str| {
        let axes = format!("{keys},state-keys:shuffle:50{rest}");
        planned(vec![large.clone()], "all", &axes, Some(Cross::Full), SEED)
    };
    // The letter case has two values: 24 * 5 * 51 * 3 - 1 - 23 - 4 - 50 - 2.
    let errors = build(",letter-case").unwrap_err();
    let expected = "test:1: case `c0` has 18280 combinations of variants, the most that are all asked is 10000; `--cross=N` draws N of them";
    assert_eq!(
        errors.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [expected]
    );
    assert!(matches!(errors[0], PlanError::Combinations { .. }));
    assert!(build("").is_ok());
}

#[test]
fn figures_of_combinations_stand_apart_and_are_not_gated() {
    let plan = full(cases(20, 3), "reverse", "keys:letters");
    let gates = Gates::resolve(&[], true, &[Axis::Keys, Axis::Cross], false);
    let subjects: Vec<String> = gates
        .limits
        .iter()
        .map(|(subject, _)| subject.name())
        .collect();
    assert_eq!(subjects, ["fit", "order", "keys"]);
    // The first position but under letters, where it is the last.
    let summary = answered(&plan, |shown| {
        let letters = shown.at_key("A").is_some();
        at(shown, if letters { 2 } else { 0 })
    });
    let flips = |axis: &str, variant: &str| summary.axes[axis][variant].figure.flips;
    // Reversed, the last position is the option that the own order has first.
    assert_eq!(flips("order", "reverse"), Some(20));
    assert_eq!(flips("keys", "letters"), Some(20));
    let cross = &summary.axes["cross"]["order/reverse+keys/letters"];
    assert_eq!(cross.figure.flips, Some(0));
    assert_eq!((cross.figure.pairs, cross.figure.limit), (20, None));
    assert!(
        summary
            .gates
            .iter()
            .all(|gate| !gate.subject.starts_with("cross"))
    );
    // No figure over all orders has them, and no slice.
    assert_eq!(summary.position.as_ref().unwrap().by_options[0].asks, 40);
    let sliced = summary.splits.by.iter().flat_map(|split| &split.values);
    assert!(sliced.clone().count() > 0);
    assert!(
        sliced
            .clone()
            .all(|value| !value.axes.contains_key("cross"))
    );
}

#[test]
fn levels_and_place_bound_keys_are_combined_as_they_are_asked_alone() {
    let mut score = case(0, 3);
    score.question.kind = QuestionKind::Score;
    let mut place = case(1, 3);
    place.keys = KeyBinding::Place;
    let plan = full(vec![score, place], "reverse", "keys:letters");
    assert_eq!(
        vacuous(&plan),
        [("order/reverse+keys/letters", VacuousReason::FixedKeys)]
    );
    let ask = plan.asks.last().unwrap();
    // By hand: the case with letters, reversed.
    let own = &plan.cases[1];
    let draws = Draws {
        seed: SEED,
        draw_key: "c1",
    };
    let letters = flipside_core::perturb::keys::Keys::Letters;
    let by_hand = alter(own, &Order::reverse(3), &[Change::Keys(letters)], &draws).unwrap();
    assert_eq!(*plan.shown_case(ask), by_hand.case);
    assert_eq!(ask.order, Order::listing(&by_hand.shown));
}
