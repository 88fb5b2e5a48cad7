//! Laws of the axes that change options: keys, descriptions, drop and decoy, in every order and with each other.
//!
//! Every text of a drawn case bears a mark of its own option, so that a test finds an option by what it says and not by what the
//! code under test says that it is.

use flipside_core::answer::{self, Reported, ReportedScore};
use flipside_core::case::{
    Brought, Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::json::{Json, Object};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::decoy::Decoy;
use flipside_core::perturb::descriptions::Descriptions;
use flipside_core::perturb::drop::Drop;
use flipside_core::perturb::keys::Keys;
use flipside_core::perturb::{Altered, Change, Draws, alter};
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;
use flipside_core::shared::List;
use proptest::prelude::*;

/// How the keys of a drawn case are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyed {
    Names,
    Letters,
    LettersInPlace,
}

/// The mark of the option with this identity: no other text has it.
fn mark(id: usize) -> String {
    format!("<{id}>")
}

fn case(kind: QuestionKind, options: usize, keyed: Keyed, object: bool) -> Case {
    let letter = |id: usize| char::from(b"ABCDEFGH"[id]).to_string();
    let text = |id: usize| {
        let says = format!("says {}", mark(id));
        match kind {
            QuestionKind::Score => Json::String(format!("level{id}: {says}")),
            _ if object && id == 0 => {
                let members = vec![("duty".to_owned(), Json::String(says))];
                Json::Object(Object::new(members).unwrap())
            }
            _ => Json::String(says),
        }
    };
    let key = |id: usize| match (kind, keyed) {
        (QuestionKind::Score, _) => id.to_string(),
        (QuestionKind::Noul, _) => ["false", "true"][id].to_owned(),
        (QuestionKind::Choice, Keyed::Names) => format!("key {id}"),
        (QuestionKind::Choice, _) => letter(id),
    };
    let option = |id: usize| CaseOption {
        key: Key(key(id)),
        text: Some(text(id)),
    };
    let place = kind == QuestionKind::Score
        || (kind == QuestionKind::Choice && keyed == Keyed::LettersInPlace);
    Case {
        id: CaseId("c".to_owned()),
        named: true,
        source: Source {
            format: "test".into(),
            file: "test".into(),
            line: 1,
        },
        state: Json::String("a state".to_owned()),
        question: Question {
            kind,
            name: "q".to_owned(),
            instructions: Some(Json::String("Decide.".to_owned())),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: (0..options).map(option).collect(),
        keys: if place {
            KeyBinding::Place
        } else {
            KeyBinding::Option
        },
        accept: vec![OptionId(0)].into(),
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: Brought {
            decoys: vec![CaseOption {
                key: Key("weather".to_owned()),
                text: Some(Json::String("says rain".to_owned())),
            }]
            .into(),
            ..Brought::default()
        },
    }
    .checked()
    .unwrap()
}

fn drawn_case() -> impl Strategy<Value = Case> {
    let keyed = prop_oneof![
        Just(Keyed::Names),
        Just(Keyed::Letters),
        Just(Keyed::LettersInPlace)
    ];
    prop_oneof![
        4 => (1..=8_usize, keyed, any::<bool>())
            .prop_map(|(options, keyed, object)| case(QuestionKind::Choice, options, keyed, object)),
        1 => (1..=8_usize).prop_map(|levels| case(QuestionKind::Score, levels, Keyed::Names, false)),
        1 => Just(case(QuestionKind::Noul, 2, Keyed::Names, false)),
    ]
}

/// A case, and one of its orders.
fn drawn() -> impl Strategy<Value = (Case, Order)> {
    drawn_case().prop_flat_map(|case| {
        let own: Vec<u64> = (0..case.options.len() as u64).collect();
        let order = Just(own).prop_shuffle();
        (
            Just(case),
            order.prop_map(|order| Order::new(&order).unwrap()),
        )
    })
}

fn given() -> Decoy {
    Decoy::Given {
        key: "sand".to_owned(),
        text: "says sand".to_owned(),
    }
}

/// Every change of the four axes that a case of so many options can have.
fn changes(options: usize) -> Vec<Change> {
    let listed: Vec<String> = (0..options).map(|id| format!("listed {id}")).collect();
    let mut all: Vec<Change> = [
        Keys::Abstract,
        Keys::Letters,
        Keys::Numbers,
        Keys::Shuffled,
        Keys::Listed(listed.into()),
        Keys::Unlisted,
    ]
    .into_iter()
    .map(Change::Keys)
    .collect();
    all.extend(
        [Descriptions::Drop, Descriptions::Key, Descriptions::Swapped].map(Change::Descriptions),
    );
    all.extend([Decoy::NoneOfThese, Decoy::Own(0), Decoy::Own(1), given()].map(Change::Decoy));
    for id in (0u16..).map(OptionId).take(options) {
        all.extend([Drop::Last(id), Drop::Out(id)].map(Change::Drop));
    }
    all
}

/// One change of each of the axes in `chosen`, by a number that picks it.
fn some_of(case: &Case, chosen: &[u8]) -> Vec<Change> {
    let all = changes(case.options.len());
    let mut some: Vec<Change> = Vec::new();
    for pick in chosen {
        let change = all[usize::from(*pick) % all.len()].clone();
        let axis = std::mem::discriminant(&change);
        if some
            .iter()
            .all(|known| std::mem::discriminant(known) != axis)
        {
            some.push(change);
        }
    }
    some
}

fn altered(case: &Case, order: &Order, changes: &[Change]) -> Result<Altered, VacuousReason> {
    let draws = Draws {
        seed: 3,
        draw_key: "c",
    };
    alter(case, order, changes, &draws)
}

/// What a model sees: the key and the text of each option, in order.
fn wire(altered: &Altered) -> Vec<(String, String)> {
    let order = Order::listing(&altered.shown);
    let shown = Presentation::new(&altered.case, &order);
    let options = shown.options();
    let text = |text: Option<&Json>| text.map(Json::to_text).unwrap_or_default();
    options
        .map(|option| (option.key.0.clone(), text(option.text)))
        .collect()
}

/// The identity of the option that a model would say it sees in a text: by its mark, or a decoy.
fn seen(text: &str, options: usize) -> Option<usize> {
    (0..options)
        .find(|id| text.contains(&mark(*id)))
        .or_else(|| {
            (text.contains("sand") || text.contains("rain") || text.contains("none of"))
                .then_some(options)
        })
}

/// What answering with everything on the option in `place` is read as.
fn read(altered: &Altered, place: usize) -> Option<OptionId> {
    let order = Order::listing(&altered.shown);
    let shown = Presentation::new(&altered.case, &order);
    let keys: Vec<&str> = shown
        .options()
        .map(|option| option.key.0.as_str())
        .collect();
    let one_hot: Vec<f64> = (0..keys.len())
        .map(|other| f64::from(u8::from(other == place)))
        .collect();
    let answer = match altered.case.question.kind {
        QuestionKind::Choice => answer::choice(
            &shown,
            &Reported {
                choice: Some(keys[place]),
                probabilities: Some(keys.iter().copied().zip(one_hot).collect()),
                confidence: None,
            },
        ),
        QuestionKind::Score => answer::score(
            &shown,
            &ReportedScore {
                #[expect(clippy::cast_precision_loss, reason = "at most eight places")]
                score: place as f64,
                probabilities: one_hot,
                confidence: None,
            },
        ),
        QuestionKind::Noul => {
            answer::noul(&shown, f64::from(u8::from(keys[place] == "true")), None)
        }
    };
    answer.unwrap().choice
}

fn changes_texts(changes: &[Change]) -> bool {
    changes
        .iter()
        .any(|change| matches!(change, Change::Descriptions(_)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_answer_is_read_as_the_option_that_was_seen(
        (case, order) in drawn(),
        chosen in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        let changes = some_of(&case, &chosen);
        let Ok(altered) = altered(&case, &order, &changes) else {
            return Ok(());
        };
        let wire = wire(&altered);
        let mut keys: Vec<&String> = wire.iter().map(|(key, _)| key).collect();
        keys.sort();
        keys.dedup();
        prop_assert_eq!(keys.len(), wire.len(), "no two options have one key");
        let options = case.options.len();
        for (place, (_, text)) in wire.iter().enumerate() {
            let id = read(&altered, place).unwrap();
            prop_assert_eq!(id, altered.shown[place]);
            if !changes_texts(&changes) {
                prop_assert_eq!(Some(id.index()), seen(text, options), "{:?}", wire);
            }
        }
    }

    #[test]
    fn changes_come_to_the_same_in_every_sequence(
        (case, order) in drawn(),
        chosen in proptest::collection::vec(any::<u8>(), 2..5),
    ) {
        let mut changes = some_of(&case, &chosen);
        let forwards = altered(&case, &order, &changes);
        changes.reverse();
        prop_assert_eq!(forwards, altered(&case, &order, &changes));
    }

    #[test]
    fn other_keys_are_other_keys_and_nothing_else((case, order) in drawn(), pick in 0..6_usize) {
        let change = changes(case.options.len())[pick].clone();
        let Ok(altered) = altered(&case, &order, &[change]) else {
            return Ok(());
        };
        prop_assert_eq!(&altered.shown, order.identities());
        prop_assert_eq!(altered.case.keys, case.keys, "what a key is bound to");
        let mut renamed = 0;
        let mut back = altered.case.clone();
        for (option, own) in back.options.iter_mut().zip(&case.options) {
            if case.question.kind == QuestionKind::Score {
                let (before, after) = (own.text.as_ref().unwrap(), option.text.as_ref().unwrap());
                let description = |text: &Json| text.as_str().unwrap().split_once(": ").unwrap().1.to_owned();
                prop_assert_eq!(description(before), description(after));
                renamed += u32::from(before != after);
                option.text.clone_from(&own.text);
            } else {
                renamed += u32::from(option.key != own.key);
                option.key.clone_from(&own.key);
            }
        }
        prop_assert!(renamed > 0);
        prop_assert_eq!(back, case, "but for the names nothing is changed");
    }

    #[test]
    fn other_descriptions_are_other_texts_and_nothing_else((case, order) in drawn(), pick in 6..9_usize) {
        let change = changes(case.options.len())[pick].clone();
        let Ok(altered) = altered(&case, &order, std::slice::from_ref(&change)) else {
            return Ok(());
        };
        prop_assert_eq!(&altered.shown, order.identities());
        let swapped = change == Change::Descriptions(Descriptions::Swapped);
        for (id, option) in altered.case.options.iter().enumerate() {
            let text = option.text.as_ref().map(Json::to_text).unwrap_or_default();
            prop_assert!(!text.contains(&mark(id)), "no option keeps its description");
            let next = (id + 1) % case.options.len();
            prop_assert_eq!(swapped, text.contains(&mark(next)));
        }
        let mut back = altered.case;
        for (option, own) in back.options.iter_mut().zip(&case.options) {
            option.text.clone_from(&own.text);
        }
        prop_assert_eq!(back, case);
    }

    #[test]
    fn an_option_less_or_more_moves_and_renames_no_other((case, order) in drawn(), pick in 9..29_usize) {
        let all = changes(case.options.len());
        let change = all[9 + pick % (all.len() - 9)].clone();
        let Ok(altered) = altered(&case, &order, std::slice::from_ref(&change)) else {
            return Ok(());
        };
        let reference = match &change {
            Change::Drop(Drop::Out(id)) => {
                super::options::altered(&case, &order, &[Change::Drop(Drop::Last(*id))]).unwrap()
            }
            _ => super::options::altered(&case, &order, &[]).unwrap(),
        };
        let (now, before) = (wire(&altered), wire(&reference));
        match change {
            Change::Drop(Drop::Out(_)) => prop_assert_eq!(&now[..], &before[..before.len() - 1]),
            Change::Drop(Drop::Last(id)) => {
                prop_assert_eq!(altered.shown.last(), Some(&id));
                let mut stay = altered.shown.clone();
                stay.pop();
                let others: Vec<OptionId> =
                    order.identities().iter().copied().filter(|other| *other != id).collect();
                prop_assert_eq!(stay, others, "in their own sequence");
            }
            _ => prop_assert_eq!(&now[..now.len() - 1], &before[..]),
        }
        prop_assert_eq!(&altered.case.options[..case.options.len()], &case.options[..]);
        let back = Case { options: case.options.clone(), ..altered.case };
        prop_assert_eq!(back, case);
    }

    #[test]
    fn the_cases_own_order_is_only_one_of_its_orders(
        (case, order) in drawn(),
        relabelled in any::<prop::sample::Index>(),
        chosen in proptest::collection::vec(any::<u8>(), 1..4),
    ) {
        // The same options in another own order, asked in the sequence in which the first case shows them.
        let options = case.options.len();
        prop_assume!(case.question.kind == QuestionKind::Choice);
        let own = Order::rotate(options, relabelled.index(options));
        let mut other = case.clone();
        let moved = |id: OptionId| {
            own.position_of(id).map(|place| OptionId(place.0)).unwrap()
        };
        for (place, id) in own.identities().iter().enumerate() {
            let text = case.options[id.index()].text.clone();
            let key = case.options[case.keys.owner(*id, place)].key.clone();
            other.options[place] = CaseOption { key, text };
        }
        let sequence: Vec<u64> = order.identities().iter().map(|id| u64::from(moved(*id).0)).collect();
        let other_order = Order::new(&sequence).unwrap();
        // Those that name an option by its identity name it by its other one; those that go by the own order are left out.
        let changes: Vec<Change> = some_of(&case, &chosen)
            .into_iter()
            .filter(|change| !matches!(
                change,
                Change::Keys(_) | Change::Descriptions(Descriptions::Swapped)
            ))
            .collect();
        let renamed: Vec<Change> = changes
            .iter()
            .map(|change| match change {
                Change::Drop(Drop::Out(id)) => Change::Drop(Drop::Out(moved(*id))),
                Change::Drop(Drop::Last(id)) => Change::Drop(Drop::Last(moved(*id))),
                other => other.clone(),
            })
            .collect();
        // Letters that are names in another own order count no more.
        let counts = |change: &Change| *change == Change::Decoy(Decoy::NoneOfThese);
        prop_assume!(case.keys == KeyBinding::Place || !changes.iter().any(counts));
        let (one, two) = (altered(&case, &order, &changes), altered(&other, &other_order, &renamed));
        match (one, two) {
            (Ok(one), Ok(two)) => {
                prop_assert_eq!(wire(&one), wire(&two));
                for place in 0..one.shown.len() {
                    let (first, second) = (read(&one, place).unwrap(), read(&two, place).unwrap());
                    let expected = if first.index() < options { moved(first) } else { first };
                    prop_assert_eq!(second, expected);
                }
            }
            (one, two) => prop_assert_eq!(one.err(), two.err()),
        }
    }
}

#[test]
fn every_pair_of_changes_has_one_meaning_in_every_sequence() {
    for (kind, options, keyed) in [
        (QuestionKind::Choice, 4, Keyed::Names),
        (QuestionKind::Choice, 3, Keyed::LettersInPlace),
        (QuestionKind::Score, 3, Keyed::Names),
        (QuestionKind::Noul, 2, Keyed::Names),
    ] {
        let case = case(kind, options, keyed, false);
        let order = Order::rotate(options, 1);
        let all = changes(options);
        let mut refused = 0;
        for first in &all {
            for second in &all {
                let both = [first.clone(), second.clone()];
                let other = [second.clone(), first.clone()];
                let found = altered(&case, &order, &both);
                assert_eq!(found, altered(&case, &order, &other), "{both:?}");
                let keys = |change: &Change| matches!(change, Change::Keys(_));
                let lost = found == Err(VacuousReason::InformationLost);
                refused += u32::from(lost && both.iter().any(keys));
            }
        }
        let expected = match (kind, keyed) {
            // Five kinds of keys beside two of descriptions, in two sequences.
            (QuestionKind::Choice, Keyed::Names) | (QuestionKind::Score, _) => 5 * 2 * 2,
            // No description of theirs can be spared, whatever the six kinds of keys would be.
            (QuestionKind::Choice, _) => 6 * 3 * 2,
            (QuestionKind::Noul, _) => 0,
        };
        assert_eq!(refused, expected, "{kind:?} {keyed:?}");
    }
}

#[test]
fn keys_of_another_own_order_name_the_same_options_otherwise() {
    // `A1` is the first option of the own order, so that its own order decides who is called what, and nothing else.
    let case = case(QuestionKind::Choice, 3, Keyed::Names, false);
    let mut other = case.clone();
    other.options.reverse();
    let (own, reverse) = (Order::own(3), Order::reverse(3));
    let keys = [Change::Keys(Keys::Abstract)];
    let one = wire(&altered(&case, &own, &keys).unwrap());
    let two = wire(&altered(&other, &reverse, &keys).unwrap());
    let texts = |wire: &[(String, String)]| -> Vec<String> {
        wire.iter().map(|(_, text)| text.clone()).collect()
    };
    let named = |wire: &[(String, String)]| -> Vec<String> {
        wire.iter().map(|(key, _)| key.clone()).collect()
    };
    assert_eq!(texts(&one), texts(&two));
    assert_eq!(named(&one), ["A1", "A2", "A3"]);
    assert_eq!(named(&two), ["A3", "A2", "A1"]);
}
