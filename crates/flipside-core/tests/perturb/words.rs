//! Laws of the axes that change words: each changes its own thing alone, and every answer finds its way back.

#![expect(clippy::float_cmp, reason = "0 and 1, passed through unchanged")]

use std::collections::BTreeSet;

use flipside_core::answer::{self, Answer, Reported, ReportedScore};
use flipside_core::case::{Case, KeyBinding, Question, QuestionKind};
use flipside_core::json::Json;
use flipside_core::order::Order;
use flipside_core::perturb::{Altered, Change, alter};
use flipside_core::present::{Presentation, Shown};
use proptest::prelude::*;

use crate::cases::{case, draws, object, order, values};

const WORDS: &str =
    "phrasing,state-keys,state-keys:shuffle:3,whitespace,letter-case:lower,letter-case:upper,batch";

/// `value` with every string and every object's members changed.
fn mapped(value: &Json, string: &dyn Fn(&str) -> String, sort: bool) -> Json {
    match value {
        Json::String(text) => Json::String(string(text)),
        Json::Array(items) => Json::Array(
            items
                .iter()
                .map(|item| mapped(item, string, sort))
                .collect(),
        ),
        Json::Object(members) => {
            let members = members.members().iter();
            let mut members: Vec<(String, Json)> = members
                .map(|(key, value)| (key.clone(), mapped(value, string, sort)))
                .collect();
            if sort {
                members.sort_by(|(one, _), (other, _)| one.cmp(other));
            }
            object(members)
        }
        other => other.clone(),
    }
}

fn sorted(value: &Json) -> Json {
    mapped(value, &str::to_owned, true)
}

fn without_space(value: &Json) -> Json {
    mapped(value, &|text| text.split_whitespace().collect(), false)
}

fn folded(value: &Json) -> Json {
    // Small letters first: some capitals are the capital of several small ones.
    mapped(value, &|text| text.to_lowercase().to_uppercase(), false)
}

/// The case with what `axis` may change made alike: equal for a case and any value of it on that axis.
fn alike(axis: &str, case: &Case) -> Case {
    let mut case = case.clone();
    let question = &mut case.question;
    match axis {
        "state-keys" => case.state = sorted(&case.state),
        "whitespace" | "letter-case" => {
            let same = if axis == "whitespace" {
                without_space
            } else {
                folded
            };
            case.state = same(&case.state);
            question.instructions = question.instructions.as_ref().map(same);
        }
        "batch" => {
            question.before.clear();
            question.after.clear();
        }
        "phrasing" => {
            case.state = Json::Null;
            question.instructions = None;
            // A negated statement stands under the keys of the other side.
            if case.keys == KeyBinding::Opposite {
                case.keys = KeyBinding::Option;
            }
            case.options
                .iter_mut()
                .for_each(|option| option.text = None);
        }
        other => unreachable!("{other}"),
    }
    case
}

fn names(question: &Question) -> Vec<&str> {
    let before = question.before.iter().map(|(name, _)| name.as_str());
    let after = question.after.iter().map(|(name, _)| name.as_str());
    before
        .chain([question.name.as_str()])
        .chain(after)
        .collect()
}

/// What a model that is sure of the option shown as `wanted` replies, aligned.
fn aligned(shown: &Presentation<'_>, wanted: &Shown<'_>) -> Answer {
    let p = |option: &Shown<'_>| f64::from(u8::from(option.position == wanted.position));
    match shown.case().question.kind {
        QuestionKind::Choice => {
            let options: Vec<Shown<'_>> = shown.options().collect();
            let probabilities = options
                .iter()
                .map(|option| (option.key.0.as_str(), p(option)));
            let reported = Reported {
                choice: Some(&wanted.key.0),
                probabilities: Some(probabilities.collect()),
                confidence: None,
            };
            answer::choice(shown, &reported).unwrap()
        }
        QuestionKind::Score => {
            let reported = ReportedScore {
                score: f64::from(wanted.position.0),
                probabilities: shown.options().map(|option| p(&option)).collect(),
                confidence: None,
            };
            answer::score(shown, &reported).unwrap()
        }
        QuestionKind::Noul => {
            answer::noul(shown, f64::from(u8::from(wanted.key.0 == "true")), None).unwrap()
        }
    }
}

/// Whether each option that `altered` shows is found again from the answer that picks it, and says what it should.
fn finds_back(case: &Case, altered: &Altered, changes: &[&Change]) -> Result<(), TestCaseError> {
    let order = Order::listing(&altered.shown);
    let shown = Presentation::new(&altered.case, &order);
    let reworded = changes.contains(&&Change::Phrasing("1".to_owned()));
    let negated = reworded && case.brought.phrasings[0].negated;
    for option in shown.options() {
        let own = &case.options[option.id.index()];
        let said = if reworded {
            Json::String(format!("Other words {}", option.id.0))
        } else {
            own.text.clone().unwrap()
        };
        prop_assert_eq!(option.text, Some(&said), "each identity keeps its text");
        if case.question.kind != QuestionKind::Score {
            prop_assert_eq!(option.key == &own.key, !negated, "only negation turns keys");
        }
        let answer = aligned(&shown, &option);
        prop_assert_eq!(answer.choice, Some(option.id));
        let probabilities = answer.probabilities.unwrap();
        prop_assert_eq!(probabilities[option.id.index()], 1.0);
        prop_assert_eq!(probabilities.iter().sum::<f64>(), 1.0);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn each_value_changes_its_own_axis_and_nothing_else(
        (case, order) in case().prop_flat_map(|case| (Just(case.clone()), order(case.options.len())))
    ) {
        for value in values(WORDS, &case) {
            let Ok(altered) = alter(&case, &order, std::slice::from_ref(&value.change), &draws(&case)) else {
                continue;
            };
            let axis = value.variant.axis.name();
            prop_assert_eq!(altered.shown.as_slice(), order.identities(), "{}", &value.variant);
            prop_assert_ne!(&altered.case, &case, "{}", &value.variant);
            let found = alike(axis, &altered.case);
            prop_assert_eq!(found, alike(axis, &case), "{}", &value.variant);
        }
    }

    #[test]
    fn every_answer_finds_its_way_back_through_every_value_and_order(
        (case, order) in case().prop_flat_map(|case| (Just(case.clone()), order(case.options.len())))
    ) {
        for value in values(WORDS, &case) {
            if let Ok(altered) = alter(&case, &order, std::slice::from_ref(&value.change), &draws(&case)) {
                finds_back(&case, &altered, &[&value.change])?;
            }
        }
    }

    #[test]
    fn values_of_several_axes_compose_whatever_order_they_are_named_in(
        (case, order) in case().prop_flat_map(|case| (Just(case.clone()), order(case.options.len()))),
        picked in any::<u16>(),
    ) {
        let mut axes = BTreeSet::new();
        let one_each: Vec<Change> = values(WORDS, &case)
            .into_iter()
            .enumerate()
            .filter(|(place, _)| picked >> (place % 16) & 1 == 1)
            .filter(|(_, value)| axes.insert(value.variant.axis))
            .map(|(_, value)| value.change)
            .collect();
        let Ok(altered) = alter(&case, &order, &one_each, &draws(&case)) else {
            return Ok(());
        };
        finds_back(&case, &altered, &one_each.iter().collect::<Vec<_>>())?;
        let turned: Vec<Change> = one_each.iter().rev().cloned().collect();
        prop_assert_eq!(alter(&case, &order, &turned, &draws(&case)), Ok(altered));
    }

    #[test]
    fn backwards_twice_is_the_case_again_and_letters_change_once(case in case()) {
        let own = Order::own(case.options.len());
        for value in values("state-keys,batch:reverse,letter-case,whitespace", &case) {
            let once = alter(&case, &own, std::slice::from_ref(&value.change), &draws(&case));
            let Ok(once) = once else { continue };
            let twice = alter(&once.case, &own, std::slice::from_ref(&value.change), &draws(&case));
            match value.variant.to_string().as_str() {
                "state-keys/reverse" | "batch/reverse" => {
                    prop_assert_eq!(&twice.unwrap().case, &case);
                }
                "whitespace/trailing" => prop_assert!(twice.is_ok(), "a line takes more blanks"),
                // Line ends that were mixed are alike after one change, and turn round with the next.
                "whitespace/line-ends" => prop_assert!(twice.is_ok()),
                name => prop_assert!(twice.is_err(), "{name}: nothing is left to change"),
            }
        }
    }

    #[test]
    fn company_turns_round_with_the_question_in_it_or_leaves(case in case()) {
        let own = Order::own(case.options.len());
        let alone = case.question.before.is_empty() && case.question.after.is_empty();
        for value in values("batch", &case) {
            let altered = alter(&case, &own, &[value.change], &draws(&case));
            prop_assert_eq!(altered.is_err(), alone);
            let Ok(altered) = altered else { continue };
            let mut expected = names(&case.question);
            if value.variant.name == "reverse" {
                expected.reverse();
                let mut questions: Vec<_> = altered.case.question.before.iter().chain(&altered.case.question.after).collect();
                let mut own: Vec<_> = case.question.before.iter().chain(&case.question.after).collect();
                questions.sort_by(|(one, _), (other, _)| one.cmp(other));
                own.sort_by(|(one, _), (other, _)| one.cmp(other));
                prop_assert_eq!(questions, own, "each sibling as it was read");
            } else {
                expected = vec!["q"];
            }
            prop_assert_eq!(names(&altered.case.question), expected);
        }
    }

    #[test]
    fn draws_of_members_never_repeat_and_never_show_the_own_order(case in case(), wanted in 1..8_u32) {
        let own = Order::own(case.options.len());
        let states: Vec<Json> = values(&format!("state-keys:shuffle:{wanted}"), &case)
            .into_iter()
            .filter_map(|value| alter(&case, &own, &[value.change], &draws(&case)).ok())
            .map(|altered| altered.case.state)
            .collect();
        for (place, state) in states.iter().enumerate() {
            prop_assert_ne!(state, &case.state);
            prop_assert!(!states[..place].contains(state));
        }
    }
}
