//! First level of evidence that order survives (the wire page, 10.5): every client that carries order in an object sends to a server
//! that reads the raw bytes itself, and says in which order it saw the keys.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use std::sync::Arc;

use common::{block_on, case, environment, send};
use flipside_core::case::Case;
use flipside_core::model::Model;
use flipside_core::order::Order;
use flipside_core::perturb::Variant;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_standin::{Dialect, Policy, Standin};

/// Keys that some parser sorts, moves, merges or rewrites: plain, integer-like, escaped, outside ASCII.
const KEYS: [&str; 6] = ["zeta", "10", "2", "alpha", "\u{1}b", "é"];

fn keyed(keys: &[String]) -> Case {
    let options: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), r#""one""#)).collect();
    case(
        "c",
        r#"{"z":{"y":1,"10":2,"2":3},"a":[{"b":1,"a":2}]}"#,
        &options,
    )
}

/// A description is an object whose own members must stay in order too.
fn nested() -> Case {
    case(
        "c",
        r#"{"z":1,"a":2}"#,
        &[
            (
                "zeta",
                r#"{"zz":1,"10":{"b":1,"a":2},"2":[{"y":1,"x":2}],"aa":null}"#,
            ),
            ("10", r#"{"b":"x","a":"y"}"#),
            ("alpha", "null"),
        ],
    )
}

/// Every model whose options travel as members of an object, with the server that it asks.
fn clients() -> Vec<(&'static str, Standin, Arc<dyn Model>)> {
    let of = |dialect| {
        Standin::builder()
            .dialect(dialect)
            .policy(Policy::First)
            .start()
            .unwrap()
    };
    let make = |spec: &str, variables: &[(&str, &str)]| {
        build(
            &ModelSpec::parse(spec).unwrap(),
            &environment(variables),
            &Options::default(),
        )
        .unwrap()
    };
    let mut clients = Vec::new();
    for (name, dialect) in [
        ("typesafe", Dialect::Typesafe),
        ("openrouter", Dialect::Openrouter),
    ] {
        let server = of(dialect);
        let model = make(
            "jev",
            &[
                ("TYPESAFE_API_URL", &server.url()),
                ("TYPESAFE_API_KEY", "secret-key"),
            ],
        );
        clients.push((name, server, model));
    }
    let server = of(Dialect::Laya);
    let model = make("laya-served", &[("LAYA_SERVED_URL", &server.url())]);
    clients.push(("laya", server, model));
    let server = of(Dialect::Predict);
    let model = make(&format!("laya-predict:{}", server.url()), &[]);
    clients.push(("predict", server, model));
    let server = of(Dialect::Clm);
    let model = make("clm", &[("CLM_URL", &server.url())]);
    clients.push(("clm", server, model));
    let server = of(Dialect::Typesafe);
    let model = make(&format!("systemone:{}", server.url()), &[]);
    clients.push(("systemone", server, model));
    clients
}

#[test]
fn every_client_sends_options_in_the_order_that_was_asked() {
    let own: Vec<String> = KEYS.map(str::to_owned).to_vec();
    // From 33 keys on some parsers scramble.
    let many: Vec<String> = (0..40).map(|n| format!("k{}", (n * 27) % 40)).collect();
    for (name, server, model) in clients() {
        assert!(model.card().object_order, "{name}");
        for keys in [&own, &many] {
            let case = keyed(keys);
            let n = keys.len();
            for (turn, order) in [
                ("own", Order::own(n)),
                ("reverse", Order::reverse(n)),
                ("rotate", Order::rotate(n, 3)),
            ] {
                block_on(send(model.as_ref(), &case, &order, &Variant::order(turn))).unwrap();
                let seen = server.seen().pop().unwrap();
                let expected: Vec<String> = order
                    .identities()
                    .iter()
                    .map(|id| keys[id.index()].clone())
                    .collect();
                assert_eq!(seen.keys, expected, "{name} {turn}");
                let state = r#"{"z":{"y":1,"10":2,"2":3},"a":[{"b":1,"a":2}]}"#;
                let body = String::from_utf8(seen.body).unwrap();
                assert!(body.contains(state), "{name} {turn}: {body}");
            }
        }
    }
}

#[test]
fn every_client_keeps_the_members_of_a_description_as_they_were_written() {
    for (name, server, model) in clients() {
        block_on(send(
            model.as_ref(),
            &nested(),
            &Order::reverse(3),
            &Variant::order("reverse"),
        ))
        .unwrap();
        let body = String::from_utf8(server.seen().pop().unwrap().body).unwrap();
        let options = r#"{"alpha":null,"10":{"b":"x","a":"y"},"zeta":{"zz":1,"10":{"b":1,"a":2},"2":[{"y":1,"x":2}],"aa":null}}"#;
        assert!(body.contains(options), "{name}: {body}");
    }
}
