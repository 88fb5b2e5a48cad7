//! Combinations drawn per case.

use std::collections::BTreeMap;

use flipside_core::case::Case;
use flipside_core::json::Json;
use flipside_core::perturb::Axis;
use flipside_core::plan::{Cross, Plan, VacuousReason};

use super::{SEED, case, cases, planned};

const ORDERS: &str = "reverse,rotate:1";
const AXES: &str = "keys:abstract,keys:letters,state-keys";

fn drawn(cases: Vec<Case>, draws: u32, seed: u64) -> Plan {
    planned(cases, ORDERS, AXES, Some(Cross::Drawn(draws)), seed).unwrap()
}

/// The combinations of one case, in the order in which they were planned.
fn of<'a>(plan: &'a Plan, id: &str) -> Vec<&'a str> {
    let asks = plan.asks.iter();
    let asks = asks.filter(|ask| plan.case_of(ask).id.0 == id);
    let variants = asks.map(|ask| plan.variant_of(ask));
    let crossed = variants.filter(|variant| variant.axis == Axis::Cross);
    crossed.map(|variant| variant.name.as_str()).collect()
}

#[test]
fn the_draws_are_those_of_another_program() {
    // From a few lines of Python's standard library: SHA-256 in counter mode over (seed, "cross", case), per draw one
    // number under each axis's number of values plus one, again where fewer than two axes come out or a combination repeats.
    let plan = drawn(cases(2, 3), 5, 5);
    let expected = [
        "order/rotate:1+state-keys/reverse",
        "keys/letters+state-keys/reverse",
        "order/reverse+keys/abstract+state-keys/reverse",
        "order/rotate:1+keys/abstract+state-keys/reverse",
        "order/reverse+state-keys/reverse",
    ];
    assert_eq!(of(&plan, "c0"), expected);
    let expected = [
        "order/reverse+keys/letters+state-keys/reverse",
        "order/rotate:1+keys/abstract+state-keys/reverse",
        "order/rotate:1+state-keys/reverse",
        "order/reverse+state-keys/reverse",
        "order/rotate:1+keys/letters",
    ];
    assert_eq!(of(&plan, "c1"), expected);
    assert!(plan.seed_used);
    let other = drawn(cases(2, 3), 5, 6);
    assert_eq!(of(&other, "c0")[0], "keys/abstract+state-keys/reverse");
}

#[test]
fn a_case_has_its_draws_whatever_the_other_cases_and_a_shorter_list_begins_a_longer_one() {
    let all = drawn(cases(8, 3), 5, SEED);
    let mut some = cases(8, 3);
    some.reverse();
    some.truncate(5);
    // Another number of options is another case.
    some.push(case(90, 2));
    let fewer = drawn(some, 3, SEED);
    for number in 3..8 {
        let id = format!("c{number}");
        assert_eq!(of(&all, &id)[..3], of(&fewer, &id)[..]);
    }
    assert_eq!(of(&fewer, "c90").len(), 3);
}

#[test]
fn every_combination_is_as_likely_as_any_other() {
    let plan = drawn(cases(1200, 3), 1, SEED);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for number in 0..1200 {
        let found = of(&plan, &format!("c{number}"));
        assert_eq!(found.len(), 1);
        *counts.entry(found[0]).or_default() += 1;
    }
    // A hundred of each of twelve; five standard deviations are 5 * sqrt(1200 * 11 / 144) = 47.9.
    assert_eq!(counts.len(), 12);
    assert!(
        counts.values().all(|count| (53..=147).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn as_many_draws_as_there_are_combinations_are_all_of_them_without_a_draw() {
    let full = planned(cases(3, 3), ORDERS, AXES, Some(Cross::Full), SEED).unwrap();
    let all = drawn(cases(3, 3), 12, SEED);
    assert_eq!(all.asks, full.asks);
    assert_eq!(all.variants, full.variants);
    assert!(!all.seed_used);
    // One fewer is drawn.
    let eleven = drawn(cases(3, 3), 11, SEED);
    assert!(eleven.seed_used);
    let mut found = of(&eleven, "c2");
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 11, "no combination is drawn twice");
}

#[test]
fn what_a_case_cannot_be_asked_alone_is_not_drawn_for_it() {
    let mut plain = case(0, 3);
    plain.state = Json::String("no members".to_owned());
    let plan = drawn(vec![plain], 3, SEED);
    // Four combinations of an order and keys are left.
    assert_eq!(of(&plan, "c0").len(), 3);
    assert!(
        of(&plan, "c0")
            .iter()
            .all(|name| !name.contains("state-keys"))
    );
    let crossed = plan.vacuous.iter();
    let crossed = crossed.filter(|each| plan.variants[each.variant as usize].axis == Axis::Cross);
    assert_eq!(crossed.count(), 0);
}

#[test]
fn a_case_without_any_combination_says_why() {
    let mut one = case(0, 1);
    one.state = Json::String("no members".to_owned());
    let plan = drawn(vec![one], 2, SEED);
    assert!(of(&plan, "c0").is_empty());
    let crossed = plan.vacuous.iter();
    let crossed = crossed.filter(|each| plan.variants[each.variant as usize].axis == Axis::Cross);
    let reasons: Vec<VacuousReason> = crossed.map(|each| each.reason).collect();
    assert_eq!(reasons.len(), 2);
    let known = [VacuousReason::OneOption, VacuousReason::NoMembers];
    assert!(
        reasons.iter().all(|reason| known.contains(reason)),
        "{reasons:?}"
    );
}

#[test]
fn a_factorial_too_large_to_be_listed_can_be_drawn_from() {
    // 119 orders of five options, 50 orders of the state, 3 sets of keys, 4 kinds of white space, 2 letter cases.
    let axes =
        "keys:abstract,keys:letters,keys:numbers,state-keys:shuffle:50,whitespace,letter-case";
    let plan = planned(cases(3, 5), "all", axes, Some(Cross::Drawn(20)), SEED).unwrap();
    for number in 0..3 {
        let asked = of(&plan, &format!("c{number}"));
        let vacuous = plan.vacuous.iter().filter(|each| {
            each.case == number && plan.variants[each.variant as usize].axis == Axis::Cross
        });
        assert_eq!(asked.len() + vacuous.count(), 20);
    }
}
