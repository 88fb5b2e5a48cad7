//! What the decoy axis does to single cases.

use super::{Decoy, DecoySpec};
use crate::case::{Case, CaseOption, KeyBinding};
use crate::json::{Json, Object};
use crate::order::{OptionId, Order};
use crate::perturb::Change;
use crate::perturb::example::{
    altered_in, choice, desks, noul, option, score, shown, shown_in, string,
};
use crate::perturb::keys::Keys;
use crate::plan::VacuousReason;

fn with(case: &Case, decoy: Decoy) -> Result<Vec<String>, VacuousReason> {
    shown(case, Change::Decoy(decoy))
}

fn given(key: &str, text: &str) -> Decoy {
    Decoy::Given {
        key: key.to_owned(),
        text: text.to_owned(),
    }
}

fn last(shown: Result<Vec<String>, VacuousReason>) -> String {
    shown.unwrap().pop().unwrap()
}

fn placed(options: &[(&str, &str)]) -> Case {
    let mut case = choice(options);
    case.keys = KeyBinding::Place;
    case
}

#[test]
fn the_decoy_stands_last_in_every_order_and_has_the_identity_after_all_others() {
    let decoy = [Change::Decoy(Decoy::NoneOfThese)];
    for order in [Order::own(3), Order::reverse(3), Order::rotate(3, 1)] {
        let altered = altered_in(&desks(), &order, &decoy).unwrap();
        let (decoy, others) = altered.shown.split_last().unwrap();
        assert_eq!((*decoy, others), (OptionId(3), order.identities()));
        assert_eq!(altered.case.options[..3], desks().options[..]);
        assert_eq!(
            altered.case.options[3],
            option("none", Some("none of these"))
        );
    }
}

#[test]
fn a_decoy_counts_on_where_keys_are_no_names() {
    let letters = [("A", "iron"), ("B", "cork")];
    assert_eq!(
        last(with(&choice(&letters), Decoy::NoneOfThese)),
        "C: none of these"
    );
    assert_eq!(last(with(&placed(&letters), given("x", "sand"))), "C: sand");
    assert_eq!(
        last(with(&choice(&letters), given("x", "sand"))),
        "x: sand",
        "letters that move may be names, and the key was asked for"
    );
    let numbers = [("1", "iron"), ("2", "cork")];
    assert_eq!(last(with(&placed(&numbers), given("x", "sand"))), "3: sand");
    let places = [("left", "iron"), ("right", "cork")];
    assert_eq!(last(with(&placed(&places), given("x", "sand"))), "x: sand");
    let renamed = |keys| {
        let changes = [Change::Decoy(given("x", "sand")), Change::Keys(keys)];
        last(shown_in(&desks(), &Order::reverse(3), &changes))
    };
    assert_eq!(renamed(Keys::Abstract), "A4: sand");
    assert_eq!(renamed(Keys::Numbers), "4: sand");
    assert_eq!(renamed(Keys::Shuffled), "x: sand");
}

#[test]
fn the_cases_own_decoys_are_offered_one_at_a_time() {
    let mut case = desks();
    case.brought.decoys = vec![option("weather", Some("rain")), option("moon", None)].into();
    let names: Vec<String> = DecoySpec::Own
        .alternatives(&case)
        .iter()
        .map(|each| each.variant.to_string())
        .collect();
    assert_eq!(names, ["decoy/own:1", "decoy/own:2"]);
    assert_eq!(last(with(&case, Decoy::Own(0))), "weather: rain");
    assert_eq!(last(with(&case, Decoy::Own(1))), "moon");
    assert_eq!(with(&case, Decoy::Own(2)), Err(VacuousReason::NoDecoy));
    let names = DecoySpec::Own.alternatives(&desks());
    assert_eq!(names[0].variant.to_string(), "decoy/own:1");
    assert_eq!(with(&desks(), Decoy::Own(0)), Err(VacuousReason::NoDecoy));
}

#[test]
fn a_key_that_an_option_has_is_taken_in_any_letter_case() {
    for key in ["deny", "DENY"] {
        assert_eq!(
            with(&desks(), given(key, "sand")),
            Err(VacuousReason::KeyTaken)
        );
    }
    let listed = Keys::Listed(["x", "y", "z"].map(str::to_owned).into());
    let both = [Change::Decoy(given("x", "sand")), Change::Keys(listed)];
    assert_eq!(
        shown_in(&desks(), &Order::own(3), &both),
        Err(VacuousReason::KeyTaken)
    );
}

#[test]
fn a_decoy_that_an_option_says_already_is_not_offered() {
    let none: [(&str, &str); 6] = [
        ("other", "None of these."),
        ("other", "NONE OF THE ABOVE"),
        ("none_of_these", "anything else"),
        ("None", "no desk is right"),
        ("none of these", ""),
        ("other", "neither"),
    ];
    for (key, text) in none {
        let case = choice(&[("refund", "money back"), (key, text)]);
        assert_eq!(
            with(&case, Decoy::NoneOfThese),
            Err(VacuousReason::DecoyOffered),
            "{key}: {text}"
        );
        assert!(with(&case, given("sand", "sand")).is_ok(), "{key}: {text}");
    }
    assert_eq!(
        with(&desks(), given("cash", "Money back!")),
        Err(VacuousReason::DecoyOffered)
    );
    assert!(with(&desks(), given("cash", "money")).is_ok());
    assert!(with(&choice(&[("a", "!"), ("b", "?")]), given("c", "#")).is_ok());
    let object = |text: &str| {
        let members = vec![("duty".to_owned(), string(text))];
        Some(Json::Object(Object::new(members).unwrap()))
    };
    let mut case = desks();
    case.options[0].text = object("money");
    let brought = |text: &str| CaseOption {
        text: object(text),
        ..option("cash", None)
    };
    case.brought.decoys = vec![brought("money"), brought("sand")].into();
    assert_eq!(with(&case, Decoy::Own(0)), Err(VacuousReason::DecoyOffered));
    assert!(with(&case, Decoy::Own(1)).is_ok());
}

#[test]
fn what_cannot_gain_an_option_is_told() {
    let mut dependent = desks();
    dependent.position_dependent = Some("all of the above".to_owned());
    let keys: Vec<String> = (0..Order::MOST).map(|place| format!("k{place}")).collect();
    let most: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "text")).collect();
    for (case, reason) in [
        (score(&["a", "b"]), VacuousReason::NotAChoice),
        (noul("no", "yes"), VacuousReason::NotAChoice),
        (dependent, VacuousReason::PositionDependent),
        (choice(&most), VacuousReason::TooManyOptions),
    ] {
        assert_eq!(with(&case, Decoy::NoneOfThese), Err(reason));
    }
    let one_place_left = with(&choice(&most[1..]), Decoy::NoneOfThese);
    assert_eq!(one_place_left.unwrap().len(), Order::MOST);
}
