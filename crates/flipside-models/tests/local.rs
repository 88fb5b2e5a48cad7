//! Checkpoints in process: what they are sent, and how their replies are aligned.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use flipside_core::case::{
    Brought, Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::invariance::Inside;
use flipside_core::json::Json;
use flipside_core::model::{Model, Sending};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_models::catalog::{Kind, ModelSpec, load};
use flipside_models::local::InProcess;
use flipside_models::wire;

fn model(text: &str) -> InProcess {
    let spec = ModelSpec::parse(text).unwrap();
    let Kind::Local(local) = spec.kind() else {
        panic!("{text} is no model in process");
    };
    load(text, local).unwrap()
}

fn case(kind: QuestionKind, options: &[(&str, &str)]) -> Case {
    let options: Vec<CaseOption> = options
        .iter()
        .map(|(key, text)| CaseOption {
            key: Key((*key).to_owned()),
            text: Some(Json::String((*text).to_owned())),
        })
        .collect();
    Case {
        id: CaseId("c".to_owned()),
        named: true,
        source: Source {
            format: "probe".into(),
            file: "-".into(),
            line: 1,
        },
        state: Json::String("charged twice".to_owned()),
        question: Question {
            kind,
            name: "q".to_owned(),
            instructions: Some(Json::String("Which?".to_owned())),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: options.into(),
        keys: KeyBinding::Option,
        accept: Vec::new().into(),
        position_dependent: None,
        note: None,
        fields: Vec::new().into(),
        equal: Vec::new().into(),
        brought: Brought::default(),
    }
}

fn three(kind: QuestionKind) -> Case {
    case(kind, &[("a", "one"), ("b", "two"), ("c", "three")])
}

fn order(list: &[u64]) -> Order {
    Order::new(list).unwrap()
}

fn sent(model: &InProcess, case: &Case, list: &[u64]) -> String {
    let order = order(list);
    String::from_utf8(model.request(&Presentation::new(case, &order)).unwrap()).unwrap()
}

#[test]
fn the_order_travels_beside_the_options_of_every_kind() {
    let laya = model("tiny-laya");
    let head = r#"{"state":"charged twice","questions":{"q":{"type":"#;
    assert_eq!(
        sent(&laya, &three(QuestionKind::Choice), &[2, 0, 1]),
        format!(
            r#"{head}"choice","instructions":"Which?","criteria":{{"a":"one","b":"two","c":"three"}},"option_order":[2,0,1]}}}}}}"#
        )
    );
    assert_eq!(
        sent(&laya, &three(QuestionKind::Score), &[2, 0, 1]),
        format!(
            r#"{head}"score","instructions":"Which?","criteria":["one","two","three"],"option_order":[2,0,1]}}}}}}"#
        )
    );
    // False is the first side for Laya, whichever a case names first.
    let sides = case(QuestionKind::Noul, &[("true", "yes"), ("false", "no")]);
    assert_eq!(
        sent(&laya, &sides, &[0, 1]),
        format!(
            r#"{head}"noul","instructions":"Which?","criteria":{{"true":"yes","false":"no"}},"option_order":[1,0]}}}}}}"#
        )
    );
    let keys = model("tiny-laya?order=keys");
    assert_eq!(
        sent(&keys, &three(QuestionKind::Score), &[2, 0, 1]),
        format!(r#"{head}"score","instructions":"Which?","criteria":["three","one","two"]}}}}}}"#)
    );
    for model in [&laya, &keys, &model("tiny-agentjev")] {
        let wire = model.card().protocol.clone().unwrap();
        assert_eq!(
            wire::open(&wire).unwrap().wire(),
            wire,
            "found again from a record"
        );
        assert!(!model.card().object_order && !model.card().remote);
    }
}

/// Probabilities by identity belong to the same texts in every order, for a model that cannot see order and for one that can.
#[tokio::test]
async fn answers_are_aligned_to_identities() {
    for text in ["tiny-agentjev", "tiny-laya"] {
        let model = model(text);
        for kind in [QuestionKind::Choice, QuestionKind::Score] {
            let case = three(kind);
            for list in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
                let order = order(&list);
                let shown = Presentation::new(&case, &order);
                let bytes = model.request(&shown).unwrap();
                let reply = model
                    .send(Sending {
                        shown: &shown,
                        bytes: &bytes,
                        case: &case.id,
                        variant: &Variant::baseline(),
                        again: false,
                        attempt: 1,
                    })
                    .await
                    .unwrap();
                let answer = model.read(&shown, &reply).unwrap();
                let seen = model.see(&shown).unwrap();
                let found = answer.probabilities.unwrap();
                for (place, id) in list.iter().enumerate() {
                    let expected = f64::from(seen.probabilities[place]);
                    let found = found[usize::try_from(*id).unwrap()];
                    assert!(
                        (found - expected).abs() < 1e-4,
                        "{text} {kind:?} {list:?}: {found} {expected}"
                    );
                }
                let chosen = OptionId(u16::try_from(list[seen.choice]).unwrap());
                assert_eq!(answer.choice, Some(chosen), "{text} {kind:?} {list:?}");
                assert!(
                    answer
                        .served_model
                        .unwrap()
                        .starts_with(&format!("{text}@"))
                );
            }
        }
    }
}

#[test]
fn equal_texts_are_told_apart_by_their_slot_alone() {
    let case = three(QuestionKind::Choice);
    let own = Order::own(3);
    let shown = Presentation::new(&case, &own);
    let spread = |model: &InProcess| {
        let logits = model.equal_slots(&shown).unwrap().unwrap();
        let (least, most) = logits
            .iter()
            .fold((f32::MAX, f32::MIN), |(least, most), z| {
                (least.min(*z), most.max(*z))
            });
        assert_eq!(logits.len(), 3);
        most - least
    };
    assert!(spread(&model("tiny-agentjev")) < 1e-5);
    assert!(spread(&model("tiny-laya")) > 1e-4);
}
