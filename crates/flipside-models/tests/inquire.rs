//! What servers say of themselves, over real sockets.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{block_on, environment, model};
use flipside_core::model::Inquired;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_standin::{Dialect, Policy, Standin};

fn asked(server: &Standin) -> Vec<Inquired> {
    let spec = ModelSpec::parse(&format!("systemone:{}", server.url())).unwrap();
    let model = build(&spec, &environment(&[]), &Options::default()).unwrap();
    block_on(model.inquire())
}

fn found(dialect: Dialect) -> Vec<Inquired> {
    let server = Standin::builder()
        .dialect(dialect)
        .policy(Policy::First)
        .start()
        .unwrap();
    let found = asked(&server);
    assert_eq!(
        server.count(),
        0,
        "what a server says of itself is no decision"
    );
    found
}

fn said<'a>(found: &'a [Inquired], place: &str) -> &'a Result<Vec<String>, String> {
    &found.iter().find(|one| one.place == place).unwrap().found
}

#[test]
fn models_are_listed_with_their_dates_and_what_does_not_answer_is_said() {
    let typesafe = found(Dialect::Typesafe);
    assert_eq!(
        said(&typesafe, "/v1/models"),
        &Ok(vec!["jev-1.14.0 (release date 2026-10-01)".to_owned()])
    );
    assert_eq!(said(&typesafe, "/health"), &Err("answered 404".to_owned()));
    let openrouter = found(Dialect::Openrouter);
    assert_eq!(openrouter.len(), 1);
    assert_eq!(
        said(&openrouter, "/api/v1/models"),
        &Ok(vec!["typesafe/jev-1.14".to_owned()])
    );
    assert_eq!(
        said(&found(Dialect::Laya), "/health"),
        &Ok(vec!["status ok".to_owned()])
    );
    assert_eq!(
        said(&found(Dialect::Predict), "/health"),
        &Ok(vec!["status ok".to_owned()])
    );
}

#[test]
fn a_dead_server_says_nothing_and_a_model_in_process_is_not_asked() {
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    server.stop();
    let found = asked(&server);
    assert!(!found.is_empty());
    for one in found {
        assert!(one.found.unwrap_err().ends_with("refused the connection"));
    }
    assert_eq!(block_on(model("overlap").inquire()), []);
}
