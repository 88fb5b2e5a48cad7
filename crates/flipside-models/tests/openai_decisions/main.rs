//! `OpenAI` Decisions: the exact bytes out, and every rule that a reply must pass.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

#[path = "../common/mod.rs"]
mod common;
mod replies;
mod requests;

use std::time::Duration;

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::model::{Card, Failure, Rejection, Reply};
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_models::wire::openai_decisions::{OpenAiDecisions, read};
use flipside_models::wire::{Protocol, open};

use common::{case, environment};

fn reply(answers: &str) -> String {
    format!(r#"{{"model":"gpt-6-luna","answers":[{answers}]}}"#)
}

fn three() -> Case {
    case(
        "c",
        r#""s""#,
        &[("a", "null"), ("b", "null"), ("é", "null")],
    )
}

fn answer(case: &Case, order: &Order, body: &str) -> Result<Answer, Rejection> {
    read(&Presentation::new(case, order), body)
}

#[test]
fn a_conflict_is_worth_another_attempt_and_a_very_long_wait_is_not() {
    let hint = |status, wait: Option<u64>, should_retry| {
        let failure = OpenAiDecisions.failure(Failure::Status {
            status,
            message: String::new(),
            retry_after: wait.map(Duration::from_secs),
            should_retry,
        });
        match failure {
            Failure::Status { should_retry, .. } => should_retry,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(hint(409, None, None), Some(true));
    assert_eq!(hint(409, None, Some(false)), Some(false));
    assert_eq!(hint(409, Some(121), None), Some(false));
    assert_eq!(hint(429, Some(120), None), None);
    assert_eq!(hint(429, Some(121), None), Some(false));
    assert_eq!(hint(503, Some(121), Some(true)), Some(false));
    assert_eq!(hint(400, None, None), None);
    let broken = Failure::Broken {
        message: "cut".into(),
    };
    assert_eq!(OpenAiDecisions.failure(broken.clone()), broken);
}

#[test]
fn a_record_opens_the_protocol_again() {
    let protocol = open(&OpenAiDecisions.wire()).unwrap();
    assert_eq!(protocol.wire(), OpenAiDecisions.wire());
    assert!(!protocol.object_order() && protocol.whole_replies());
    let (case, order) = (three(), Order::own(3));
    let shown = Presentation::new(&case, &order);
    let body = reply(r#"{"type":"choice","name":"q","choice":"b"}"#);
    let found = protocol
        .read(
            &shown,
            &Reply {
                body,
                ..Reply::default()
            },
        )
        .unwrap();
    assert_eq!(found.choice, Some(OptionId(1)));
}

fn card(spec: &str, values: &[(&str, &str)]) -> Result<Card, String> {
    let spec = ModelSpec::parse(spec).map_err(|error| error.to_string())?;
    match build(&spec, &environment(values), &Options::default()) {
        Ok(model) => Ok(model.card().clone()),
        Err(error) => Err(format!("{error} / {}", error.help().unwrap_or_default())),
    }
}

#[test]
fn the_endpoint_is_below_the_base_url_and_a_key_goes_to_its_own_host() {
    const KEY: (&str, &str) = ("OPENAI_API_KEY", "sk-1");
    const BASE: (&str, &str) = ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1/");
    for (spec, values, endpoint, key, price) in [
        (
            "m",
            &[KEY][..],
            "https://api.openai.com/v1/decisions",
            true,
            None,
        ),
        (
            "gpt-6-luna",
            &[KEY],
            "https://api.openai.com/v1/decisions",
            true,
            Some(100_000),
        ),
        (
            "m",
            &[KEY, BASE],
            "http://127.0.0.1:9/v1/decisions",
            true,
            None,
        ),
        ("m", &[BASE], "http://127.0.0.1:9/v1/decisions", false, None),
        (
            "gpt-6-luna@https://h",
            &[KEY, BASE],
            "https://h/v1/decisions",
            false,
            None,
        ),
        (
            "a/b:c@https://h/inference/v1",
            &[KEY],
            "https://h/inference/v1/decisions",
            false,
            None,
        ),
        (
            "m@https://h/x/decisions",
            &[],
            "https://h/x/decisions",
            false,
            None,
        ),
        (
            "m@https://api.openai.com/v1",
            &[KEY],
            "https://api.openai.com/v1/decisions",
            true,
            None,
        ),
    ] {
        let card = card(&format!("openai-decisions:{spec}"), values).unwrap();
        assert_eq!(card.endpoint.as_deref(), Some(endpoint), "{spec}");
        assert_eq!(
            card.key_variable.as_deref(),
            key.then_some("OPENAI_API_KEY"),
            "{spec}"
        );
        assert_eq!(card.requested.as_deref(), spec.split('@').next(), "{spec}");
        assert_eq!(
            card.price.map(|price| price.input_usd_micros),
            price,
            "{spec}"
        );
        assert_eq!(card.protocol, Some(OpenAiDecisions.wire()));
    }
}

#[test]
fn what_cannot_be_built_says_what_was_expected() {
    let form = "expected a model, and a base URL where it is not OpenAI's, such as `openai-decisions:gpt-6-luna` or `openai-decisions:m@http://127.0.0.1:8080/v1`";
    for spec in [
        "openai-decisions",
        "openai-decisions:",
        "openai-decisions:@http://h",
        "openai-decisions:m@h",
    ] {
        assert_eq!(card(spec, &[]).unwrap_err(), format!("`{spec}`: {form}"));
    }
    let secret = card("openai-decisions:m@https://me:hush@h/v1", &[]).unwrap_err();
    assert!(!secret.contains("hush"), "{secret}");
    assert_eq!(
        card("openai-decisions:m", &[]).unwrap_err(),
        "`openai-decisions:m` needs `OPENAI_API_KEY`, which is not set / set it, or name another server as `openai-decisions:MODEL@URL`"
    );
    assert_eq!(
        card("openai-decisions:m", &[("OPENAI_BASE_URL", "h")]).unwrap_err(),
        "`OPENAI_BASE_URL`: expected a URL with http:// or https:// / "
    );
    let open = card(
        "openai-decisions:m",
        &[
            ("OPENAI_API_KEY", "sk-1"),
            ("OPENAI_BASE_URL", "http://h/v1"),
        ],
    );
    assert_eq!(
        open.unwrap_err(),
        "`OPENAI_API_KEY` would go to `h` over http://, where others can read it / use https://, or a loopback address"
    );
}
