//! What the keys axis does to single cases.

use super::{Keys, KeysSpec};
use crate::case::{Case, KeyBinding};
use crate::json::{Json, Object};
use crate::order::Order;
use crate::perturb::Change;
use crate::perturb::example::{choice, desks, noul, score, shown, shown_in, string};
use crate::plan::VacuousReason;

fn keys(case: &Case, keys: Keys) -> Result<Vec<String>, VacuousReason> {
    shown(case, Change::Keys(keys))
}

fn listed(keys: &[&str]) -> Keys {
    let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    Keys::Listed(keys.into())
}

/// Three options that are called A, B and C by their places.
fn lettered() -> Case {
    let mut case = choice(&[("A", "iron"), ("B", "cork"), ("C", "lead")]);
    case.keys = KeyBinding::Place;
    case
}

#[test]
fn every_form_names_the_same_options_otherwise() {
    let case = desks();
    assert_eq!(
        keys(&case, Keys::Abstract).unwrap(),
        ["A1: money back", "A2: no money", "A3: a person looks"]
    );
    assert_eq!(
        keys(&case, Keys::Letters).unwrap(),
        ["A: money back", "B: no money", "C: a person looks"]
    );
    assert_eq!(
        keys(&case, Keys::Numbers).unwrap(),
        ["1: money back", "2: no money", "3: a person looks"]
    );
    assert_eq!(
        keys(&case, listed(&["x", "y", "z"])).unwrap(),
        ["x: money back", "y: no money", "z: a person looks"]
    );
}

#[test]
fn a_name_moves_with_its_option_in_every_order() {
    let order = Order::new(&[2, 0, 1]).unwrap();
    assert_eq!(
        shown_in(&desks(), &order, &[Change::Keys(Keys::Abstract)]).unwrap(),
        ["A3: a person looks", "A1: money back", "A2: no money"]
    );
}

#[test]
fn a_letter_that_stays_is_replaced_by_a_key_that_stays() {
    let (case, order) = (lettered(), Order::reverse(3));
    assert_eq!(
        shown_in(&case, &order, &[Change::Keys(Keys::Abstract)]).unwrap(),
        ["A1: lead", "A2: cork", "A3: iron"]
    );
    assert_eq!(keys(&case, Keys::Letters), Err(VacuousReason::OwnKeys));
    assert_eq!(
        shown_in(&case, &order, &[Change::Keys(Keys::Letters)]),
        Err(VacuousReason::OwnKeys),
        "in no order is anything renamed"
    );
}

#[test]
fn two_lettered_options_have_every_combination_of_place_and_letter() {
    // The two by two table: which option stands first, and which is called A.
    let mut case = choice(&[("A", "iron"), ("B", "cork")]);
    case.keys = KeyBinding::Place;
    let shuffled = [Change::Keys(Keys::Shuffled)];
    let cell = |order: &Order, changes: &[Change]| shown_in(&case, order, changes).unwrap();
    let (own, reverse) = (Order::own(2), Order::reverse(2));
    assert_eq!(cell(&own, &[]), ["A: iron", "B: cork"]);
    assert_eq!(cell(&reverse, &[]), ["A: cork", "B: iron"]);
    assert_eq!(cell(&own, &shuffled), ["B: iron", "A: cork"]);
    assert_eq!(cell(&reverse, &shuffled), ["B: cork", "A: iron"]);
}

#[test]
fn shuffled_keys_are_the_cases_own_and_none_stays() {
    for options in 2..9_usize {
        let names: Vec<String> = (0..options).map(|place| format!("k{place}")).collect();
        let pairs: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "text")).collect();
        for number in 0..20 {
            let mut case = choice(&pairs);
            case.id.0 = format!("c{number}");
            let shown = keys(&case, Keys::Shuffled).unwrap();
            let mut found: Vec<&str> = shown.iter().map(|shown| &shown[..2]).collect();
            assert!(found.iter().zip(&names).all(|(found, own)| found != own));
            found.sort_unstable();
            assert_eq!(found, names, "{options} options");
        }
    }
}

#[test]
fn shuffled_keys_are_drawn_by_case_and_over_all_cycles() {
    // Of three keys there are two cycles, each as likely.
    let mut first = 0;
    for number in 0..400 {
        let mut case = desks();
        case.id.0 = format!("c{number}");
        let shown = keys(&case, Keys::Shuffled).unwrap();
        assert_eq!(shown, keys(&case, Keys::Shuffled).unwrap());
        first += u32::from(shown[0].starts_with("deny"));
    }
    // Four standard deviations of a fair coin are 40.
    assert!((160..=240).contains(&first), "{first}");
}

#[test]
fn named_levels_are_renamed_in_their_texts() {
    let case = score(&["routine: can wait", "soon: this week", "now: today"]);
    assert_eq!(
        keys(&case, Keys::Abstract).unwrap(),
        ["0: L0: can wait", "1: L1: this week", "2: L2: today"]
    );
    assert_eq!(
        keys(&case, Keys::Letters).unwrap(),
        ["0: A: can wait", "1: B: this week", "2: C: today"]
    );
    let order = Order::reverse(3);
    assert_eq!(
        shown_in(&case, &order, &[Change::Keys(Keys::Abstract)]).unwrap(),
        ["0: L2: today", "1: L1: this week", "2: L0: can wait"],
        "a name moves with its level, the number of a place stays"
    );
    let abstract_already = score(&["L0: can wait", "L1: today"]);
    assert_eq!(
        keys(&abstract_already, Keys::Abstract),
        Err(VacuousReason::OwnKeys)
    );
}

#[test]
fn keys_that_the_kind_of_question_gives_stay() {
    for case in [
        score(&["can wait", "today"]),
        noul("it is late", "it is not"),
    ] {
        for form in [Keys::Abstract, Keys::Shuffled, Keys::Unlisted] {
            assert_eq!(keys(&case, form), Err(VacuousReason::FixedKeys));
        }
    }
}

#[test]
fn an_option_that_is_nothing_but_its_key_keeps_all_keys() {
    let mut case = desks();
    for nothing in [None, Some(Json::Null), Some(string(""))] {
        case.options[1].text = nothing;
        assert_eq!(keys(&case, Keys::Abstract), Err(VacuousReason::KeysAreText));
    }
    let object = Object::new(vec![("duty".to_owned(), string("no money"))]).unwrap();
    case.options[1].text = Some(Json::Object(object));
    assert_eq!(
        keys(&case, Keys::Letters).unwrap()[1],
        r#"B: {"duty":"no money"}"#
    );
}

#[test]
fn options_that_name_others_by_their_keys_keep_them() {
    let mut case = lettered();
    case.position_dependent = Some("Both A and B".to_owned());
    assert_eq!(
        keys(&case, Keys::Abstract),
        Err(VacuousReason::PositionDependent)
    );
    case.position_dependent = Some("all of the above".to_owned());
    assert!(keys(&case, Keys::Abstract).is_ok());
}

#[test]
fn what_changes_no_key_and_what_cannot_be_given_is_told() {
    let one = choice(&[("A1", "alone")]);
    assert_eq!(keys(&one, Keys::Abstract), Err(VacuousReason::OwnKeys));
    assert_eq!(keys(&one, Keys::Shuffled), Err(VacuousReason::OneOption));
    let case = desks();
    assert_eq!(
        keys(&case, listed(&["refund", "deny", "ask"])),
        Err(VacuousReason::OwnKeys)
    );
    assert_eq!(
        keys(&case, Keys::Unlisted),
        Err(VacuousReason::NoListedKeys)
    );
    assert_eq!(
        keys(&case, listed(&["x", "y"])),
        Err(VacuousReason::NoListedKeys)
    );
    assert_eq!(
        keys(&case, listed(&["x", "x", "y"])),
        Err(VacuousReason::KeyTaken)
    );
}

#[test]
fn each_list_of_as_many_keys_is_a_variant_by_its_number_in_the_file() {
    let list =
        |keys: &[&str]| -> Vec<String> { keys.iter().map(|key| (*key).to_owned()).collect() };
    let lists = [(
        "k.jsonl".to_owned(),
        vec![
            list(&["a", "b"]),
            list(&["x", "y", "z"]),
            list(&["r", "s", "t"]),
        ],
    )];
    let spec = KeysSpec::List("k.jsonl".to_owned());
    let names = |case: &Case| -> Vec<String> {
        let found = spec.alternatives(case, &lists);
        found.iter().map(|each| each.variant.to_string()).collect()
    };
    assert_eq!(names(&desks()), ["keys/list:2", "keys/list:3"]);
    let one = choice(&[("a", "alone")]);
    assert_eq!(names(&one), ["keys/list:1"]);
    let found = spec.alternatives(&one, &lists);
    assert_eq!(found[0].change, Change::Keys(Keys::Unlisted));
}
