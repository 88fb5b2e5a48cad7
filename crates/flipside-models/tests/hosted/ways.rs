//! One question by two ways for option order.

use flipside_core::canary::{Content, Question, Turn, Wording, differ};
use flipside_core::order::Order;
use flipside_models::catalog::Options;
use flipside_standin::{Dialect, Fault, Policy, Standin, When};

use crate::common::{block_on, environment};

/// What the other way of `spec` at `standin` is and whether its answers differ; `None` where there is no other.
fn found(standin: &Standin, spec: &str) -> Option<Result<(&'static str, bool), String>> {
    let spec = spec.replace("URL", &standin.url());
    let spec = flipside_models::catalog::ModelSpec::parse(&spec).unwrap();
    let options = Options::default();
    let model = flipside_models::catalog::build(&spec, &environment(&[]), &options).unwrap();
    let question = Question {
        content: Content::Plain,
        turn: Turn::Own,
        again: false,
    };
    let case = question.case(Wording::Same);
    let orders: [Order; 3] = [Turn::Own, Turn::Turned, Turn::Reversed].map(Turn::order);
    let way = model.other_way(&case, &orders)?;
    let answers = block_on(way.answers);
    Some(answers.map(|answers| (way.other, differ(&answers))))
}

#[test]
fn another_way_tells_a_model_that_is_blind_from_order_that_is_lost() {
    let at = |dialect, policy: Policy| Standin::builder().dialect(dialect).policy(policy);
    for (policy, moves) in [(Policy::First, true), (Policy::Content, false)] {
        let laya = at(Dialect::Laya, policy.clone()).start().unwrap();
        assert_eq!(
            found(&laya, "laya-served:URL"),
            Some(Ok(("`option_order`", moves)))
        );
        assert_eq!(
            found(&laya, "laya-served:URL?order=option_order"),
            Some(Ok(("the order of keys", moves)))
        );
        // One request per order.
        assert_eq!(laya.count(), 6);
        let kev = at(Dialect::Kev, policy).start().unwrap();
        assert_eq!(
            found(&kev, "systemone:URL"),
            Some(Ok(("`/permute`", moves)))
        );
        assert_eq!(kev.count(), 1);
        let seen = kev.seen().remove(0);
        assert_eq!(seen.path, "/v1/systemone/permute");
        let body = String::from_utf8(seen.body).unwrap();
        assert!(
            body.starts_with(r#"{"request":{"model":"jev-latest","state":{"note":"#),
            "{body}"
        );
        assert!(
            body.ends_with(r#"}}}},"question":"pick","n_perm":6,"seed":0}"#),
            "{body}"
        );
    }
    // Behind a hop that drops the field both answers are those of one order.
    let hop = at(Dialect::Laya, Policy::First)
        .fault(Fault::KnownFields, When::Always)
        .start()
        .unwrap();
    assert_eq!(
        found(&hop, "laya-served:URL"),
        Some(Ok(("`option_order`", false)))
    );
    let other = at(Dialect::Typesafe, Policy::First).start().unwrap();
    let refused = found(&other, "systemone:URL").unwrap().unwrap_err();
    assert!(refused.starts_with("answered 404"), "{refused}");
    assert_eq!(found(&other, "openai-decisions:m@URL"), None);
}
