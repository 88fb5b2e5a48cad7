//! Hosted models by known preferences: exact bytes out, order kept, answers aligned, and flips exactly as planted.

use std::sync::Arc;

use flipside_core::case::Case;
use flipside_core::model::Model;
use flipside_core::order::Order;
use flipside_core::perturb::Variant;
use flipside_models::catalog::Options;
use flipside_standin::{Dialect, Policy, Standin};

use crate::common::{ask, case};
use crate::model_at;

const CASES: usize = 5;

/// Keys in no order that anybody would sort them into, two of which JavaScript moves. Texts begin alike.
const KEYS: [&str; 4] = ["zeta", "10", "2", "alpha"];

fn cases() -> Vec<Case> {
    let one = |at: usize| {
        let texts: Vec<String> = (0..4)
            .map(|n| format!("\"text {n} of {at}, weight {}\"", 10 * n + at))
            .collect();
        let options: Vec<(&str, &str)> = KEYS
            .iter()
            .copied()
            .zip(texts.iter().map(String::as_str))
            .collect();
        case(&format!("c{at}"), &format!("{{\"n\":{at}}}"), &options)
    };
    (0..CASES).map(one).collect()
}

fn served(standin: &Standin, spec: &str, variable: &str) -> Arc<dyn Model> {
    model_at(standin, spec, variable, &Options::default())
}

/// Flips of all cases under this order.
fn flips(model: &dyn Model, order: &Order) -> usize {
    let own = Order::own(4);
    let flipped = |case: &&Case| {
        let baseline = ask(model, case, &own, &Variant::baseline()).choice.unwrap();
        let variant = ask(model, case, order, &Variant::order("other"))
            .choice
            .unwrap();
        baseline != variant
    };
    cases().iter().filter(flipped).count()
}

/// Spec, stand-in, the variable that leads to it, and what the body says of the model.
const HOSTED: [(&str, Dialect, &str, &str); 9] = [
    (
        "jev",
        Dialect::Typesafe,
        "TYPESAFE_API_URL",
        r#""model":"jev-latest","#,
    ),
    (
        "openrouter:a/b",
        Dialect::Openrouter,
        "OPENROUTER_BASE_URL",
        r#""model":"a/b","#,
    ),
    (
        "laya-served",
        Dialect::Laya,
        "LAYA_SERVED_URL",
        r#""model":"english","#,
    ),
    (
        "laya-served?order=option_order",
        Dialect::Laya,
        "LAYA_SERVED_URL",
        r#""model":"english","#,
    ),
    (
        "laya-predict",
        Dialect::Predict,
        "LAYA_BASE_URL",
        r#""model":"typed-decisions","#,
    ),
    ("clm", Dialect::Clm, "CLM_URL", r#""model":"clm-latest","#),
    (
        "cua-served:",
        Dialect::Cua,
        "",
        r#""model":"cua-s1-4b-0.2","#,
    ),
    (
        "cloudflare:clef",
        Dialect::Cloudflare,
        "CLOUDFLARE_BASE_URL",
        "",
    ),
    (
        "systemone:",
        Dialect::Runware,
        "",
        r#""model":"jev-latest","#,
    ),
];

#[test]
fn flips_are_those_that_were_planted_in_every_dialect() {
    // Under the reverse, and under a rotation by one.
    let planted: [(Policy, usize, usize); 12] = [
        (Policy::First, CASES, CASES),
        (Policy::Last, CASES, CASES),
        (Policy::Slot(2), CASES, CASES),
        (Policy::Uniform, CASES, CASES),
        // The texts begin alike, so that what is left of them ties and the first listed one is chosen.
        (Policy::Truncating { chars: 4 }, CASES, CASES),
        // The neighbour of an option is another one in the reverse, and the same in a circle.
        (Policy::NextTo("2".to_owned()), CASES, 0),
        (Policy::Content, 0, 0),
        (Policy::KeyBiased, 0, 0),
        (Policy::Weighed, 0, 0),
        (Policy::SortedOrder(Box::new(Policy::First)), 0, 0),
        (Policy::JsOrder(Box::new(Policy::First)), 0, 0),
        (Policy::Cached(Box::new(Policy::First)), 0, 0),
    ];
    for (spec, dialect, variable, _) in HOSTED {
        for (policy, reverse, rotate) in &planted {
            let standin = Standin::builder()
                .dialect(dialect)
                .policy(policy.clone())
                .start()
                .unwrap();
            let model = served(&standin, spec, variable);
            let found = (
                flips(model.as_ref(), &Order::reverse(4)),
                flips(model.as_ref(), &Order::rotate(4, 1)),
            );
            assert_eq!(found, (*reverse, *rotate), "{spec} {policy:?}");
            assert_eq!(standin.count(), 4 * CASES, "{spec}: one ask is one request");
        }
    }
}

#[test]
fn the_bytes_are_written_out_for_every_dialect_and_order() {
    for (spec, dialect, variable, model_member) in HOSTED {
        let standin = Standin::builder().dialect(dialect).start().unwrap();
        let model = served(&standin, spec, variable);
        for (order, places) in [
            (Order::own(4), [0, 1, 2, 3]),
            (Order::reverse(4), [3, 2, 1, 0]),
            (Order::rotate(4, 1), [1, 2, 3, 0]),
            (Order::rotate(4, 3), [3, 0, 1, 2]),
        ] {
            let case = &cases()[1];
            ask(model.as_ref(), case, &order, &Variant::baseline());
            let (listed, tail) = if spec.ends_with("option_order") {
                (
                    [0, 1, 2, 3],
                    format!(",\"option_order\":{places:?}").replace(' ', ""),
                )
            } else {
                (places, String::new())
            };
            let criteria: Vec<String> = (listed.iter())
                .map(|at| {
                    format!(
                        "\"{}\":\"text {at} of 1, weight {}\"",
                        KEYS[*at],
                        10 * at + 1
                    )
                })
                .collect();
            let expected = format!(
                r#"{{{model_member}"state":{{"n":1}},"questions":{{"q":{{"type":"choice","instructions":"Which team?","criteria":{{{}}}{tail}}}}}}}"#,
                criteria.join(",")
            );
            let sent = standin.seen().pop().unwrap().body;
            assert_eq!(String::from_utf8(sent).unwrap(), expected, "{spec}");
        }
    }
}
