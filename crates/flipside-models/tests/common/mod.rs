//! What several test files share.
#![allow(dead_code, reason = "each test file uses a part")]

use std::sync::Arc;

use flipside_core::answer::Answer;
use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::json::Json;
use flipside_core::model::{Failure, Model, Reply, Sending};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_core::shared::List;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_models::env::Environment;

pub(crate) fn json(text: &str) -> Json {
    flipside_formats::json::parse(text).unwrap()
}

/// A choice case `q` with these options, texts as JSON.
pub(crate) fn case(id: &str, state: &str, options: &[(&str, &str)]) -> Case {
    let options = options
        .iter()
        .map(|(key, text)| CaseOption {
            key: Key((*key).to_owned()),
            text: Some(json(text)).filter(|text| *text != Json::Null),
        })
        .collect();
    Case {
        id: CaseId(id.to_owned()),
        source: Source {
            format: "probe".into(),
            file: "test".into(),
            line: 1,
        },
        state: json(state),
        question: Question {
            kind: QuestionKind::Choice,
            name: "q".to_owned(),
            instructions: Some(json("\"Which team?\"")),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options,
        keys: KeyBinding::Option,
        accept: List::new(),
        named: true,
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: flipside_core::case::Brought::default(),
    }
    .checked()
    .unwrap()
}

/// The case of the wire page, 10.6.
pub(crate) fn golden() -> Case {
    case(
        "golden",
        r#"{"subject":"Charged twice","note":"naïve é / \"quoted\" \t tab"}"#,
        &[
            ("zeta", r#""payments""#),
            ("10", r#""errors""#),
            ("2", "null"),
            ("alpha", r#""é""#),
        ],
    )
}

pub(crate) fn model(spec: &str) -> Arc<dyn Model> {
    build(
        &ModelSpec::parse(spec).unwrap(),
        &Environment::default(),
        &Options::default(),
    )
    .unwrap()
}

pub(crate) fn environment(values: &[(&str, &str)]) -> Environment {
    Environment::read(|name| {
        values
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| (*value).to_owned())
    })
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// One attempt, in whatever runtime the caller is.
pub(crate) async fn send(
    model: &dyn Model,
    case: &Case,
    order: &Order,
    variant: &Variant,
) -> Result<Reply, Failure> {
    let shown = Presentation::new(case, order);
    let bytes = model.request(&shown).unwrap();
    model
        .send(Sending {
            shown: &shown,
            bytes: &bytes,
            case: &case.id,
            variant,
            again: false,
            attempt: 1,
        })
        .await
}

/// One ask, from request to answer.
pub(crate) fn ask(model: &dyn Model, case: &Case, order: &Order, variant: &Variant) -> Answer {
    let reply = block_on(send(model, case, order, variant)).unwrap();
    model.read(&Presentation::new(case, order), &reply).unwrap()
}

/// The choices of `model` in the own order, reversed, rotated by one, and asked again.
pub(crate) fn choices(model: &dyn Model, case: &Case) -> [Option<OptionId>; 4] {
    let n = case.options.len();
    let own = Order::own(n);
    [
        ask(model, case, &own, &Variant::baseline()).choice,
        ask(model, case, &Order::reverse(n), &Variant::order("reverse")).choice,
        ask(
            model,
            case,
            &Order::rotate(n, 1),
            &Variant::order("rotate:1"),
        )
        .choice,
        ask(model, case, &own, &Variant::same(1)).choice,
    ]
}

/// A score question of three levels.
pub(crate) fn levels() -> Case {
    let mut case = case(
        "s",
        r#""s""#,
        &[("0", r#""low""#), ("1", r#""mid""#), ("2", r#""high""#)],
    );
    case.question.kind = QuestionKind::Score;
    case
}

/// A noul question with these texts of its two sides.
pub(crate) fn noul(texts: [Option<&str>; 2]) -> Case {
    let mut case = case("n", r#""s""#, &[("x", "null")]);
    case.question.kind = QuestionKind::Noul;
    case.options = ["true", "false"]
        .into_iter()
        .zip(texts)
        .map(|(key, text)| CaseOption {
            key: Key(key.to_owned()),
            text: text.map(json),
        })
        .collect();
    case.checked().unwrap()
}

/// Three orders of six options, with the places that they list, by hand.
pub(crate) fn orders_of_six() -> [(Order, [usize; 6]); 3] {
    [
        (Order::own(6), [0, 1, 2, 3, 4, 5]),
        (Order::reverse(6), [5, 4, 3, 2, 1, 0]),
        (Order::rotate(6, 1), [1, 2, 3, 4, 5, 0]),
    ]
}
