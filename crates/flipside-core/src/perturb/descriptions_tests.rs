//! What the descriptions axis does to single cases.

use super::Descriptions;
use crate::case::{Case, KeyBinding, Phrasing};
use crate::json::Json;
use crate::order::Order;
use crate::perturb::Change;
use crate::perturb::decoy::Decoy;
use crate::perturb::example::{choice, desks, noul, score, shown, shown_in, string};
use crate::perturb::keys::Keys;
use crate::plan::VacuousReason;

fn described(case: &Case, kind: Descriptions) -> Result<Vec<String>, VacuousReason> {
    shown(case, Change::Descriptions(kind))
}

#[test]
fn descriptions_are_dropped_or_replaced_and_keys_stay() {
    let case = desks();
    assert_eq!(
        described(&case, Descriptions::Drop).unwrap(),
        ["refund", "deny", "ask"]
    );
    assert_eq!(
        described(&case, Descriptions::Key).unwrap(),
        ["refund: refund", "deny: deny", "ask: ask"]
    );
    assert_eq!(
        described(&case, Descriptions::Swapped).unwrap(),
        [
            "refund: no money",
            "deny: a person looks",
            "ask: money back"
        ]
    );
    let order = Order::reverse(3);
    assert_eq!(
        shown_in(
            &case,
            &order,
            &[Change::Descriptions(Descriptions::Swapped)]
        )
        .unwrap(),
        [
            "ask: money back",
            "deny: a person looks",
            "refund: no money"
        ],
        "what an option says does not depend on where it stands"
    );
}

#[test]
fn the_description_of_a_named_level_is_what_follows_its_name() {
    let case = score(&["routine: can wait", "soon: this week", "now: today"]);
    assert_eq!(
        described(&case, Descriptions::Drop).unwrap(),
        ["0: routine", "1: soon", "2: now"]
    );
    assert_eq!(
        described(&case, Descriptions::Key).unwrap(),
        ["0: routine: routine", "1: soon: soon", "2: now: now"]
    );
    assert_eq!(
        described(&case, Descriptions::Swapped).unwrap(),
        [
            "0: routine: this week",
            "1: soon: today",
            "2: now: can wait"
        ]
    );
    let all = [Descriptions::Drop, Descriptions::Key, Descriptions::Swapped];
    for kind in all {
        assert_eq!(
            described(&score(&["can wait", "today"]), kind),
            Err(VacuousReason::LevelsAreText)
        );
    }
}

#[test]
fn a_statement_loses_the_descriptions_of_its_sides() {
    let case = noul("it is late", "it is early");
    assert_eq!(
        described(&case, Descriptions::Drop).unwrap(),
        ["false", "true"]
    );
    assert_eq!(
        described(&case, Descriptions::Swapped).unwrap(),
        ["false: it is early", "true: it is late"]
    );
}

#[test]
fn the_sides_of_an_opposite_are_described_by_the_keys_that_they_are_shown_under() {
    let mut case = noul("it is late", "it is early");
    case.brought.phrasings = vec![Phrasing {
        name: "negated".to_owned(),
        state: None,
        instructions: Some(string("It is not so.")),
        texts: Vec::new(),
        negated: true,
        approved: true,
    }]
    .into();
    let both = [
        Change::Phrasing("negated".to_owned()),
        Change::Descriptions(Descriptions::Key),
    ];
    assert_eq!(
        shown_in(&case, &Order::own(2), &both).unwrap(),
        ["true: true", "false: false"]
    );
    let order = Order::reverse(2);
    assert_eq!(
        shown_in(&case, &order, &both).unwrap(),
        ["false: false", "true: true"]
    );
}

#[test]
fn what_has_no_description_or_keeps_it_is_told() {
    let mut bare = choice(&[("refund", ""), ("deny", "")]);
    let all = [Descriptions::Drop, Descriptions::Key, Descriptions::Swapped];
    for nothing in [None, Some(Json::Null), Some(string(""))] {
        bare.options[0].text = nothing;
        for kind in all {
            assert_eq!(described(&bare, kind), Err(VacuousReason::NoDescription));
        }
    }
    let alike = choice(&[("a", "a"), ("b", "b")]);
    assert_eq!(
        described(&alike, Descriptions::Key),
        Err(VacuousReason::Unchanged)
    );
    let one = choice(&[("a", "alone")]);
    assert_eq!(
        described(&one, Descriptions::Swapped),
        Err(VacuousReason::Unchanged)
    );
    let one_of_two = choice(&[("refund", "money back"), ("deny", "")]);
    assert_eq!(
        described(&one_of_two, Descriptions::Swapped).unwrap(),
        ["refund", "deny: money back"]
    );
}

#[test]
fn letters_in_their_places_say_nothing_without_descriptions() {
    let mut case = choice(&[("A", "iron"), ("B", "cork")]);
    assert_eq!(described(&case, Descriptions::Drop).unwrap(), ["A", "B"]);
    case.keys = KeyBinding::Place;
    for kind in [Descriptions::Drop, Descriptions::Key, Descriptions::Swapped] {
        assert_eq!(described(&case, kind), Err(VacuousReason::InformationLost));
    }
}

#[test]
fn other_keys_without_the_own_description_are_refused() {
    let order = Order::own(3);
    let levels = score(&["routine: can wait", "soon: this week", "now: today"]);
    let listed = Keys::Listed(["x", "y", "z"].map(str::to_owned).into());
    for keys in [Keys::Abstract, Keys::Letters, Keys::Shuffled, listed] {
        for kind in [Descriptions::Drop, Descriptions::Swapped] {
            let both = [Change::Keys(keys.clone()), Change::Descriptions(kind)];
            for case in [&desks(), &levels] {
                assert_eq!(
                    shown_in(case, &order, &both),
                    Err(VacuousReason::InformationLost)
                );
            }
        }
    }
    let both = [
        Change::Keys(Keys::Abstract),
        Change::Descriptions(Descriptions::Key),
    ];
    assert_eq!(
        shown_in(&desks(), &order, &both).unwrap(),
        ["A1: refund", "A2: deny", "A3: ask"],
        "the old key still says which option is which"
    );
}

#[test]
fn a_change_that_says_nothing_alone_has_its_own_reason_in_a_combination() {
    let both = [
        Change::Keys(Keys::Abstract),
        Change::Descriptions(Descriptions::Drop),
    ];
    for (case, reason) in [
        (noul("it is late", "it is early"), VacuousReason::FixedKeys),
        (
            choice(&[("refund", ""), ("deny", "")]),
            VacuousReason::NoDescription,
        ),
        (score(&["can wait", "today"]), VacuousReason::LevelsAreText),
        (
            choice(&[("A1", "one"), ("A2", "two")]),
            VacuousReason::OwnKeys,
        ),
    ] {
        let own = Order::own(case.options.len());
        assert_eq!(shown_in(&case, &own, &both), Err(reason));
    }
}

#[test]
fn a_decoy_keeps_what_it_says() {
    let both = [
        Change::Decoy(Decoy::NoneOfThese),
        Change::Descriptions(Descriptions::Drop),
    ];
    assert_eq!(
        shown_in(&desks(), &Order::own(3), &both).unwrap(),
        ["refund", "deny", "ask", "none: none of these"]
    );
}
