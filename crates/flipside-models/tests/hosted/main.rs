//! Hosted models over real sockets: what each refuses before sending, what it asks, and what it says of the answer.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

#[path = "../common/mod.rs"]
mod common;
mod flips;
mod limits;
mod traffic;
mod unread;
mod ways;

use std::sync::Arc;

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::model::{Failure, Model, Reply};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_standin::{Dialect, Fault, Policy, Standin, When};

use common::{block_on, case, environment, send};

/// Every hosted model, its stand-in, and the variables that lead there.
const HOSTED: [(&str, Dialect, &str); 8] = [
    ("jev", Dialect::Typesafe, "TYPESAFE_API_URL"),
    (
        "openrouter:typesafe/jev-1.14",
        Dialect::Openrouter,
        "OPENROUTER_BASE_URL",
    ),
    ("laya-served", Dialect::Laya, "LAYA_SERVED_URL"),
    (
        "laya-served?order=option_order",
        Dialect::Laya,
        "LAYA_SERVED_URL",
    ),
    ("laya-predict", Dialect::Predict, "LAYA_BASE_URL"),
    ("clm", Dialect::Clm, "CLM_URL"),
    ("cua-served:", Dialect::Cua, ""),
    (
        "cloudflare:clef",
        Dialect::Cloudflare,
        "CLOUDFLARE_BASE_URL",
    ),
];

fn model_at(standin: &Standin, spec: &str, variable: &str, options: &Options) -> Arc<dyn Model> {
    let base = match variable {
        "CLOUDFLARE_BASE_URL" => format!("{}/client/v4", standin.origin()),
        "LAYA_BASE_URL" => standin.origin(),
        _ => standin.url(),
    };
    let spec = if variable.is_empty() {
        format!("{spec}{base}")
    } else {
        spec.to_owned()
    };
    let values = [
        (variable, base.as_str()),
        ("CLOUDFLARE_ACCOUNT_ID", "standin"),
    ];
    let environment = environment(&values).naming("MY_KEY", "sk-hush-sesame".to_owned());
    build(&ModelSpec::parse(&spec).unwrap(), &environment, options).unwrap()
}

fn standin(dialect: Dialect, policy: Policy) -> Standin {
    Standin::builder()
        .dialect(dialect)
        .policy(policy)
        .start()
        .unwrap()
}

fn small() -> Case {
    case(
        "c",
        r#"{"t":"x"}"#,
        &[
            ("zeta", "\"one\""),
            ("10", "\"two\""),
            ("2", "null"),
            ("é", "\"four\""),
        ],
    )
}

fn asked(model: &dyn Model, case: &Case, order: &Order) -> Result<(Reply, Answer), Failure> {
    let reply = block_on(send(model, case, order, &Variant::baseline()))?;
    let answer = model.read(&Presentation::new(case, order), &reply).unwrap();
    Ok((reply, answer))
}

#[test]
fn every_hosted_model_asks_in_the_order_that_was_planned_and_is_answered_by_identity() {
    for (spec, dialect, variable) in HOSTED {
        for (policy, place) in [(Policy::First, 0), (Policy::Last, 3)] {
            let standin = standin(dialect, policy);
            let model = model_at(&standin, spec, variable, &Options::default());
            for order in [Order::own(4), Order::reverse(4), Order::rotate(4, 1)] {
                let case = small();
                let shown = Presentation::new(&case, &order);
                let (reply, answer) = asked(model.as_ref(), &case, &order).unwrap();
                assert_eq!(answer.choice, Some(order.identities()[place]), "{spec}");
                let seen = standin.seen().pop().unwrap();
                assert_eq!(seen.body, model.request(&shown).unwrap(), "{spec}");
                let own = spec.ends_with("option_order");
                let sent: Vec<String> = if own {
                    case.options
                        .iter()
                        .map(|option| option.key.0.clone())
                        .collect()
                } else {
                    shown.options().map(|option| option.key.0.clone()).collect()
                };
                assert_eq!(seen.keys, sent, "{spec}");
                assert_eq!(model.card().object_order, !own, "{spec}");
                assert!(
                    answer.served_model.is_some() && answer.remarks.is_empty(),
                    "{spec}: {:?}",
                    answer.remarks
                );
                assert!(answer.probabilities.is_some(), "{spec}");
                let id = matches!(dialect, Dialect::Typesafe | Dialect::Openrouter);
                assert_eq!(reply.request_id.is_some(), id, "{spec}");
                let timed = matches!(dialect, Dialect::Laya | Dialect::Predict);
                assert_eq!(reply.server_ms.is_some(), timed, "{spec}");
            }
        }
    }
}

#[test]
fn a_hop_that_sorts_keys_hides_a_bias_from_keys_and_not_from_option_order() {
    let standin = standin(Dialect::Laya, Policy::SortedOrder(Box::new(Policy::First)));
    let picks = |spec: &str| {
        let model = model_at(&standin, spec, "LAYA_SERVED_URL", &Options::default());
        let pick = |order: &Order| asked(model.as_ref(), &small(), order).unwrap().1.choice;
        (pick(&Order::own(4)), pick(&Order::reverse(4)))
    };
    // Sorted by bytes: 10, 2, zeta, é.
    assert_eq!(picks("laya-served"), (Some(OptionId(1)), Some(OptionId(1))));
    let js = Policy::JsOrder(Box::new(Policy::Last));
    let moved = self::standin(Dialect::Laya, js);
    let plain = model_at(
        &moved,
        "laya-served",
        "LAYA_SERVED_URL",
        &Options::default(),
    );
    let pick = |order: &Order| asked(plain.as_ref(), &small(), order).unwrap().1.choice;
    // JavaScript: 2, 10, zeta, é and 2, 10, é, zeta.
    assert_eq!(pick(&Order::own(4)), Some(OptionId(3)));
    assert_eq!(pick(&Order::reverse(4)), Some(OptionId(0)));
}

#[test]
fn a_pinned_route_is_followed_and_the_route_and_the_id_are_recorded() {
    let standin = standin(Dialect::Openrouter, Policy::First);
    let provider = |spec: &str| {
        let model = model_at(&standin, spec, "OPENROUTER_BASE_URL", &Options::default());
        let (reply, answer) = asked(model.as_ref(), &small(), &Order::own(4)).unwrap();
        (
            answer.provider.unwrap().to_string(),
            reply.request_id.unwrap(),
        )
    };
    assert_eq!(
        provider("openrouter:a/b"),
        ("TypeSafe".into(), "dec-1".to_owned())
    );
    assert_eq!(
        provider("openrouter:a/b?provider=Fireworks,TypeSafe"),
        ("Fireworks".into(), "dec-2".to_owned())
    );
    let body = String::from_utf8(standin.seen()[1].body.clone()).unwrap();
    assert!(
        body.ends_with(
            r#"}},"provider":{"order":["Fireworks","TypeSafe"],"allow_fallbacks":false}}"#
        ),
        "{body}"
    );
}

#[test]
fn a_pick_without_probabilities_is_an_answer_and_an_error_inside_a_success_is_none() {
    let fault = |fault: Fault| {
        let standin = Standin::builder()
            .dialect(Dialect::Openrouter)
            .fault(fault, When::Always)
            .start()
            .unwrap();
        let model = model_at(
            &standin,
            "openrouter:a/b",
            "OPENROUTER_BASE_URL",
            &Options::default(),
        );
        let (case, order) = (small(), Order::reverse(4));
        let reply = block_on(send(model.as_ref(), &case, &order, &Variant::baseline())).unwrap();
        model.read(&Presentation::new(&case, &order), &reply)
    };
    let answer = fault(Fault::PickOnly).unwrap();
    assert_eq!(
        (answer.choice, answer.probabilities),
        (Some(OptionId(3)), None)
    );
    assert_eq!(
        fault(Fault::ErrorInOk).unwrap_err().to_string(),
        "the reply is an error 429: too many requests upstream"
    );
}

/// `n` options with short texts.
fn many(n: usize) -> Case {
    let keys: Vec<String> = (0..n).map(|at| format!("k{at}")).collect();
    let options: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "\"t\"")).collect();
    case("many", r#"{"t":"x"}"#, &options)
}
