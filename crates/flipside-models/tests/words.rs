//! Axes of words over the wire: from the bytes of a request to the identity that a reply means.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{case, json, levels, noul};
use flipside_core::case::{Case, KeyBinding, Phrasing, QuestionKind};
use flipside_core::json::Json;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::{Altered, AxisSpec, Draws, alter};
use flipside_core::present::Presentation;
use flipside_models::wire::systemone;

const WORDS: &str = "phrasing,state-keys,state-keys:shuffle:2,whitespace,letter-case,batch";

/// The texts under which an identity is known: its own and that of the rewording.
fn texts(case: &Case, id: usize) -> [Json; 2] {
    let own = case.options[id].text.clone().unwrap();
    let (_, other) = &case.brought.phrasings[0].texts[id];
    [own, other.clone()]
}

/// What a server says that finds the option it wants by its text, in the bytes that it got, wherever and under whatever key.
fn served(body: &Json, case: &Case, wanted: usize) -> String {
    let wanted = texts(case, wanted);
    let questions = body
        .as_object()
        .unwrap()
        .get("questions")
        .unwrap()
        .as_object()
        .unwrap();
    let answers = questions.members().iter().map(|(name, question)| {
        if *name != case.question.name {
            return format!("\"{name}\":{{\"type\":\"unsupported\"}}");
        }
        let criteria = question.as_object().unwrap().get("criteria").unwrap();
        match criteria {
            Json::Array(levels) => {
                let place = levels
                    .iter()
                    .position(|level| wanted.contains(level))
                    .unwrap();
                let p = |at: usize| format!("\"{at}\":{}", u8::from(at == place));
                let all: Vec<String> = (0..levels.len()).map(p).collect();
                format!(
                    "\"{name}\":{{\"type\":\"score\",\"score\":{place},\"probabilities\":{{{}}}}}",
                    all.join(",")
                )
            }
            Json::Object(sides) if case.question.kind == QuestionKind::Noul => {
                let holds = wanted.contains(sides.get("true").unwrap());
                format!(
                    "\"{name}\":{{\"type\":\"noul\",\"noul\":{}}}",
                    u8::from(holds)
                )
            }
            Json::Object(options) => {
                let mut options = options.members().iter();
                let (key, _) = options.find(|(_, text)| wanted.contains(text)).unwrap();
                format!("\"{name}\":{{\"type\":\"choice\",\"choice\":\"{key}\"}}")
            }
            other => panic!("{other}"),
        }
    });
    format!(
        "{{\"answers\":{{{}}}}}",
        answers.collect::<Vec<_>>().join(",")
    )
}

/// Every order of so many options.
fn orders(options: u64) -> Vec<Order> {
    let mut rows: Vec<Vec<u64>> = vec![Vec::new()];
    for _ in 0..options {
        let longer = |row: Vec<u64>| {
            let rest = (0..options)
                .filter(|id| !row.contains(id))
                .collect::<Vec<_>>();
            rest.into_iter()
                .map(move |id| [row.clone(), vec![id]].concat())
                .collect::<Vec<_>>()
        };
        rows = rows.into_iter().flat_map(longer).collect();
    }
    rows.iter().map(|row| Order::new(row).unwrap()).collect()
}

/// A case of each kind with a rewording of everything, the statement's negated, and with two siblings.
fn all_kinds() -> Vec<Case> {
    let choice = case(
        "c",
        r#"{"subject":"Charged twice","inner":{"to":"us all","by":"Ann"}}"#,
        &[
            ("pay", r#""payments""#),
            ("err", r#""errors""#),
            ("new", r#""wishes""#),
        ],
    );
    let statement = noul([Some(r#""it is""#), Some(r#""it is not""#)]);
    let mut cases = vec![choice, levels(), statement];
    for case in &mut cases {
        if case.question.kind == QuestionKind::Score {
            case.keys = KeyBinding::Place;
        }
        let sibling = json(r#"{"type":"noul","instructions":"It is so."}"#);
        case.question.before = vec![("before".to_owned(), sibling.clone())];
        case.question.after = vec![("after".to_owned(), sibling)];
        let ids = (0u16..).take(case.options.len());
        case.brought.phrasings = vec![Phrasing {
            name: "other".to_owned(),
            state: Some(json(r#""other words""#)),
            instructions: Some(json(r#""Say it.""#)),
            texts: ids
                .map(|id| (OptionId(id), Json::String(format!("other {id}"))))
                .collect(),
            negated: case.question.kind == QuestionKind::Noul,
            approved: true,
        }]
        .into();
    }
    cases
}

#[test]
fn a_server_that_finds_an_option_by_its_text_is_read_as_that_option_under_every_axis_and_order() {
    let mut asked = 0;
    for case in all_kinds() {
        let specs = AxisSpec::parse_list(WORDS).unwrap();
        let values: Vec<_> = specs
            .iter()
            .flat_map(|spec| spec.alternatives(&case, &[]))
            .collect();
        let draws = Draws {
            seed: 3,
            draw_key: &case.id.0,
        };
        for order in orders(case.options.len() as u64) {
            for value in &values {
                let Ok(Altered {
                    case: altered,
                    shown,
                }) = alter(&case, &order, std::slice::from_ref(&value.change), &draws)
                else {
                    continue;
                };
                let order = Order::listing(&shown);
                let shown = Presentation::new(&altered, &order);
                let bytes = systemone::request(&shown, None);
                let body = flipside_formats::json::parse_bytes(&bytes).unwrap();
                for wanted in 0..case.options.len() {
                    let answer = systemone::read(&shown, &served(&body, &case, wanted)).unwrap();
                    let found = answer.choice.map(OptionId::index);
                    assert_eq!(found, Some(wanted), "{} {}", case.id, value.variant);
                    asked += 1;
                }
            }
        }
    }
    // Values: the choice has 10 (a rewording, 3 of its members, 2 each of white space, letters and company), the two others 7
    // (no members). Times orders times options.
    assert_eq!(asked, 10 * 6 * 3 + 7 * 6 * 3 + 7 * 2 * 2);
}
