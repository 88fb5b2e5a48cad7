//! Cases of every kind, with everything in them that an axis can change.

use flipside_core::case::{
    Brought, Case, CaseId, CaseOption, Key, KeyBinding, Phrasing, Question, QuestionKind, Source,
};
use flipside_core::json::{Json, Number, Object};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::{Alternative, AxisSpec, Draws};
use flipside_core::shared::List;
use proptest::prelude::*;

pub(crate) fn text(text: impl Into<String>) -> Json {
    Json::String(text.into())
}

/// An object of these members, the first of each key.
pub(crate) fn object(members: Vec<(String, Json)>) -> Json {
    let mut kept: Vec<(String, Json)> = Vec::new();
    for (key, value) in members {
        if kept.iter().all(|(known, _)| *known != key) {
            kept.push((key, value));
        }
    }
    Json::Object(Object::new(kept).unwrap())
}

/// A choice about `state` between `a` and `b`.
pub(crate) fn choice(id: &str, state: Json) -> Case {
    let option = |key: &str| CaseOption {
        key: Key(key.to_owned()),
        text: Some(text(format!("text of {key}"))),
    };
    Case {
        id: CaseId(id.to_owned()),
        named: true,
        source: Source {
            format: "test".into(),
            file: "test".into(),
            line: 1,
        },
        state,
        question: Question {
            kind: QuestionKind::Choice,
            name: "q".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: vec![option("a"), option("b")].into(),
        keys: KeyBinding::Option,
        accept: List::new(),
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: Brought::default(),
    }
}

/// A rewording that is approved and says nothing yet.
pub(crate) fn phrasing(name: &str) -> Phrasing {
    Phrasing {
        name: name.to_owned(),
        state: None,
        instructions: None,
        texts: Vec::new(),
        negated: false,
        approved: true,
    }
}

/// Words, lines, and JSON inside a text.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-zA-ZßéΣςıİŉ]{1,6}( [a-zA-Z0-9_@]{1,4}){0,4}",
        2 => "[a-zA-Z \\r\\n\\t]{0,12}",
        1 => Just(r#"{"Key": [1.10,"Two words"],"other":{}}"#.to_owned()),
        1 => Just("see https://Example.org/Path and ask".to_owned()),
        1 => any::<String>(),
    ]
}

pub(crate) fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<u64>().prop_map(|number| Json::Number(Number::from(number))),
        words().prop_map(Json::String),
        words().prop_map(Json::String),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            prop::collection::vec(("[a-f]{1,2}", inner), 0..5).prop_map(object),
        ]
    })
}

/// Other questions of a request, their names begun with `prefix`.
fn siblings(prefix: &'static str) -> impl Strategy<Value = Vec<(String, Json)>> {
    prop::collection::vec(json(), 0..3).prop_map(move |questions| {
        let named = questions.into_iter().enumerate();
        named
            .map(|(place, question)| (format!("{prefix}{place}"), question))
            .collect()
    })
}

fn options(kind: QuestionKind, count: usize, turned: bool) -> Vec<CaseOption> {
    let mut keys: Vec<String> = match kind {
        QuestionKind::Choice => (0..count).map(|place| format!("key {place}")).collect(),
        QuestionKind::Score => (0..count).map(|place| place.to_string()).collect(),
        QuestionKind::Noul => vec!["true".to_owned(), "false".to_owned()],
    };
    if turned && kind != QuestionKind::Score {
        keys.reverse();
    }
    let option = |(place, key): (usize, String)| CaseOption {
        key: Key(key),
        text: Some(text(format!("Text {place} of it"))),
    };
    keys.into_iter().enumerate().map(option).collect()
}

prop_compose! {
    /// A case of any kind with two to five options, company, and two rewordings, the second without other texts of options.
    pub(crate) fn case()(
        kind in prop::sample::select(vec![QuestionKind::Choice, QuestionKind::Score, QuestionKind::Noul]),
        state in json(),
        instructions in prop::option::of(json()),
        before in siblings("b"),
        after in siblings("a"),
        count in 2..6_usize,
        turned in any::<bool>(),
        other_state in json(),
        other_instructions in json(),
        negated in any::<bool>(),
    ) -> Case {
        let options = options(kind, count, turned);
        let texts = (0u16..).take(options.len());
        let texts = texts.map(|id| (OptionId(id), text(format!("Other words {id}")))).collect();
        let phrasings = vec![
            Phrasing { instructions: Some(other_instructions), texts, negated: negated && kind == QuestionKind::Noul, ..phrasing("1") },
            Phrasing { state: Some(other_state), ..phrasing("2") },
        ];
        let base = choice("c-1", state);
        Case {
            question: Question { kind, instructions, before, after, ..(*base.question).clone() }.into(),
            keys: if kind == QuestionKind::Score { KeyBinding::Place } else { KeyBinding::Option },
            options: options.into(),
            brought: Brought { phrasings: phrasings.into(), ..Brought::default() },
            ..base
        }
        .checked()
        .unwrap()
    }
}

/// Any order of so many options.
pub(crate) fn order(options: usize) -> impl Strategy<Value = Order> {
    Just((0..options as u64).collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(|row| Order::new(&row).unwrap())
}

/// Every value of `axes`, as on the command line, for `case`.
pub(crate) fn values(axes: &str, case: &Case) -> Vec<Alternative> {
    let specs = AxisSpec::parse_list(axes).unwrap();
    let values = specs.iter().map(|spec| spec.alternatives(case, &[]));
    values.flatten().collect()
}

/// Draws of `case`.
pub(crate) fn draws(case: &Case) -> Draws<'_> {
    Draws {
        seed: 5,
        draw_key: &case.id.0,
    }
}
