//! Models over real sockets, against the stand-in.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{block_on, case, environment, golden, send};
use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::model::{Failure, Model, Rejection};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_standin::{Dialect, Fault, Policy, Retry, Standin, When};

fn served(standin: &Standin) -> Arc<dyn Model> {
    served_as(standin, "jev-latest")
}

fn served_as(standin: &Standin, model: &str) -> Arc<dyn Model> {
    let spec = ModelSpec::parse(&format!("systemone:{}", standin.url())).unwrap();
    let options = Options {
        model_name: Some(model.to_owned()),
        ..Options::default()
    };
    build(&spec, &environment(&[]), &options).unwrap()
}

fn standin(fault: Fault) -> Standin {
    Standin::builder()
        .policy(Policy::First)
        .fault(fault, When::Always)
        .start()
        .unwrap()
}

fn small() -> Case {
    case(
        "c",
        r#"{"t":"x"}"#,
        &[("b", "\"one\""), ("é", "\"two\""), ("a", "null")],
    )
}

fn attempt(model: &dyn Model, case: &Case) -> Result<Answer, Failure> {
    let order = Order::own(case.options.len());
    let reply = block_on(send(model, case, &order, &Variant::baseline()))?;
    Ok(model
        .read(&Presentation::new(case, &order), &reply)
        .unwrap())
}

fn failure(fault: Fault) -> Failure {
    attempt(served(&standin(fault)).as_ref(), &small()).unwrap_err()
}

fn rejection(fault: Fault) -> String {
    let (standin, case, order) = (standin(fault), small(), Order::own(3));
    let model = served(&standin);
    let reply = block_on(send(model.as_ref(), &case, &order, &Variant::baseline())).unwrap();
    model
        .read(&Presentation::new(&case, &order), &reply)
        .unwrap_err()
        .to_string()
}

fn host(standin: &Standin) -> String {
    standin.origin().trim_start_matches("http://").to_owned()
}

#[test]
fn the_bytes_and_keys_that_arrive_are_those_that_were_planned() {
    let standin = Standin::builder().policy(Policy::First).start().unwrap();
    let (model, case) = (served(&standin), golden());
    for order in [Order::own(4), Order::reverse(4), Order::rotate(4, 1)] {
        let shown = Presentation::new(&case, &order);
        let planned = model.request(&shown).unwrap();
        let reply = block_on(send(model.as_ref(), &case, &order, &Variant::baseline())).unwrap();
        assert_eq!(
            model.read(&shown, &reply).unwrap().choice,
            Some(order.identities()[0])
        );
        let seen = standin.seen().pop().unwrap();
        assert_eq!(seen.body, planned);
        assert_eq!(
            seen.keys,
            shown
                .options()
                .map(|option| option.key.0.clone())
                .collect::<Vec<_>>()
        );
        assert_eq!(
            (seen.method.as_str(), seen.path.as_str()),
            ("POST", "/v1/systemone")
        );
        assert!(!seen.authorization);
    }
}

#[test]
fn forty_keys_arrive_in_order() {
    let standin = Standin::builder().policy(Policy::Last).start().unwrap();
    let keys: Vec<String> = (0..40).map(|i| format!("k{}", (i * 7) % 40)).collect();
    let options: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "null")).collect();
    let answer = attempt(served(&standin).as_ref(), &case("c", "\"s\"", &options)).unwrap();
    assert_eq!(answer.choice, Some(OptionId(39)));
    assert_eq!(standin.seen()[0].keys, keys);
}

#[test]
fn headers_ask_for_json_uncompressed_and_say_who_asks() {
    let standin = Standin::builder().start().unwrap();
    attempt(served(&standin).as_ref(), &small()).unwrap();
    let seen = standin.seen().pop().unwrap();
    let header = |name: &str| {
        let found = seen
            .headers
            .iter()
            .find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    };
    assert_eq!(header("accept"), Some("application/json"));
    assert_eq!(header("content-type"), Some("application/json"));
    assert_eq!(
        header("user-agent"),
        Some(concat!("flipside/", env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(
        header("content-length"),
        Some(seen.body.len().to_string().as_str())
    );
    for absent in [
        "accept-encoding",
        "content-encoding",
        "authorization",
        "referer",
        "cookie",
    ] {
        assert_eq!(header(absent), None, "{absent}");
    }
}

#[test]
fn connections_are_kept_and_a_reply_has_its_id() {
    let standin = Standin::builder().start().unwrap();
    let (model, case, order) = (served(&standin), small(), Order::own(3));
    block_on(async {
        for _ in 0..3 {
            let reply = send(model.as_ref(), &case, &order, &Variant::baseline())
                .await
                .unwrap();
            assert!(reply.request_id.is_some(), "{reply:?}");
        }
    });
    assert_eq!(standin.count(), 3);
}

#[test]
fn harmless_oddities_of_a_server_change_no_answer() {
    for fault in [
        Fault::Gzip,
        Fault::ByteOrderMark,
        Fault::Chunked,
        Fault::ReversedProbabilities,
        Fault::MinusZero,
        Fault::PickOnly,
        Fault::Rounded(2),
        Fault::Sum(1.03),
        Fault::Sum(0.97),
        Fault::NoUsage,
        Fault::Late(Duration::from_millis(5)),
    ] {
        let answer = attempt(served(&standin(fault.clone())).as_ref(), &small()).unwrap();
        assert_eq!(answer.choice, Some(OptionId(0)), "{fault:?}");
    }
}

#[test]
fn a_status_is_a_failure_with_the_servers_message() {
    for code in [
        400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503, 504, 529,
    ] {
        for dialect in [
            Dialect::Typesafe,
            Dialect::Openrouter,
            Dialect::Vercel,
            Dialect::Laya,
            Dialect::Clm,
        ] {
            let standin = Standin::builder()
                .dialect(dialect)
                .fault(Fault::Status(code), When::Always)
                .start()
                .unwrap();
            match attempt(served(&standin).as_ref(), &small()).unwrap_err() {
                Failure::Status {
                    status,
                    message,
                    retry_after: None,
                    should_retry: None,
                } => {
                    assert_eq!(status, code);
                    assert!(
                        !message.is_empty() && !message.contains(['{', '<']),
                        "{dialect:?} {code}: {message}"
                    );
                }
                other => panic!("{dialect:?} {code}: {other:?}"),
            }
        }
    }
    match failure(Fault::Status(502)) {
        Failure::Status {
            status: 502,
            message,
            ..
        } => assert_eq!(message, "an HTML page"),
        other => panic!("{other:?}"),
    }
}

fn wait(retry: Retry) -> Option<Duration> {
    match failure(Fault::RetryAfter(429, retry)) {
        Failure::Status {
            status: 429,
            retry_after,
            ..
        } => retry_after,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_wait_that_a_server_asks_for_is_passed_on() {
    assert_eq!(wait(Retry::After("0".to_owned())), Some(Duration::ZERO));
    assert_eq!(
        wait(Retry::After("0.5".to_owned())),
        Some(Duration::from_millis(500))
    );
    assert_eq!(
        wait(Retry::Milliseconds(50)),
        Some(Duration::from_millis(50))
    );
    assert!(wait(Retry::Absurd).unwrap() > Duration::from_hours(1));
    assert!(wait(Retry::Date).unwrap() <= Duration::from_secs(2));
    for hint in [true, false] {
        match failure(Fault::ShouldRetry(500, hint)) {
            Failure::Status { should_retry, .. } => assert_eq!(should_retry, Some(hint)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_redirect_is_not_followed_and_names_its_target() {
    let target = Standin::builder().start().unwrap();
    let redirect = Fault::Redirect("http://elsewhere.invalid/v1/systemone".to_owned());
    match failure(redirect) {
        Failure::Status {
            status, message, ..
        } => {
            assert_eq!(status, 307);
            assert_eq!(
                message,
                "a redirect to the host `elsewhere.invalid`, which is not followed; name that address if it is the one to ask"
            );
        }
        other => panic!("{other:?}"),
    }
    failure(Fault::Redirect(target.url()));
    assert_eq!(target.count(), 0);
}

#[test]
fn a_reply_that_is_cut_short_is_broken_and_never_an_answer() {
    for fault in [
        Fault::CloseMidHeader,
        Fault::CloseMidBody,
        Fault::LengthTooLong,
        Fault::AcceptAndClose,
    ] {
        match failure(fault.clone()) {
            Failure::Broken { message } => {
                assert!(
                    message.contains("broke off before a complete reply: "),
                    "{fault:?}: {message}"
                );
            }
            other => panic!("{fault:?}: {other:?}"),
        }
    }
    assert!(rejection(Fault::LengthTooShort).ends_with("(json)"));
}

#[test]
fn nine_mebibytes_are_not_read() {
    match failure(Fault::HugeBody) {
        Failure::Status {
            status: 200,
            message,
            should_retry: Some(false),
            ..
        } => {
            assert_eq!(message, "the reply is longer than 8 MiB");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_dead_server_and_an_unknown_host_are_told_apart() {
    let standin = Standin::builder().start().unwrap();
    let (model, host) = (served(&standin), host(&standin));
    standin.stop();
    match attempt(model.as_ref(), &small()).unwrap_err() {
        Failure::Connect { message } => {
            assert_eq!(message, format!("`{host}` refused the connection"));
        }
        other => panic!("{other:?}"),
    }
    match attempt(
        common::model("systemone:http://nowhere.invalid:1/v1/systemone").as_ref(),
        &small(),
    )
    .unwrap_err()
    {
        Failure::Connect { message } => assert_eq!(message, "unknown host `nowhere.invalid`"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn plain_http_behind_an_https_url_is_a_connect_failure() {
    let standin = Standin::builder().start().unwrap();
    let model = common::model(&format!(
        "systemone:https://{}/v1/systemone",
        host(&standin)
    ));
    match attempt(model.as_ref(), &small()).unwrap_err() {
        Failure::Connect { message } => assert!(message.contains("TLS"), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_page_for_people_in_a_success_is_no_answer_of_the_server() {
    let standin = Standin::builder().fault(Fault::HtmlOk, When::Always);
    let standin = standin.start().unwrap();
    let model = common::model(&format!("systemone:{}", standin.url()));
    match attempt(model.as_ref(), &small()).unwrap_err() {
        Failure::Status {
            status,
            message,
            should_retry,
            ..
        } => assert_eq!(
            (status, message.as_str(), should_retry),
            (200, "an HTML page in place of JSON", Some(true))
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_wrong_in_a_success_is_left_to_the_reader() {
    for (fault, rule) in [
        (Fault::EmptyBody, "(json)"),
        (Fault::Prefix, "(json)"),
        (Fault::TrailingGarbage, "(json)"),
        (Fault::DuplicateProbability, "(json)"),
        (Fault::NotANumber, "(json)"),
        (Fault::NanExtra, "(json)"),
        (Fault::Infinite, "(number)"),
        (Fault::NumbersAsText, "(number)"),
        (Fault::MissingOption, "(probability-keys)"),
        (Fault::ExtraOption, "(probability-keys)"),
        (Fault::NfdKeys, "(probability-keys)"),
        (Fault::Sum(0.8), "(probability-sum)"),
        (Fault::UnknownType, "(answer-type)"),
        (Fault::SecondBest, "(choice-not-peak)"),
        (Fault::ChoiceNotOffered, "(choice-offered)"),
        (Fault::AnswerNobodyAsked, "(answer-extra)"),
        (Fault::MissingAnswer, "(answer-missing)"),
        (Fault::Confidence(1.5), "(confidence-range)"),
    ] {
        let text = rejection(fault.clone());
        assert!(text.ends_with(rule), "{fault:?}: {text}");
    }
    assert!(rejection(Fault::ErrorInOk).starts_with("the reply is an error"));
    assert!(rejection(Fault::Unsupported).starts_with("the model cannot answer this question"));
}

#[test]
fn a_two_hundred_with_an_error_keeps_its_code() {
    let standin = Standin::builder()
        .dialect(Dialect::Openrouter)
        .fault(Fault::ErrorInOk, When::Always)
        .start()
        .unwrap();
    let (model, case, order) = (served(&standin), small(), Order::own(3));
    let reply = block_on(send(model.as_ref(), &case, &order, &Variant::baseline())).unwrap();
    let rejection = model
        .read(&Presentation::new(&case, &order), &reply)
        .unwrap_err();
    assert!(
        matches!(
            rejection,
            Rejection::Backend {
                status: Some(_),
                ..
            }
        ),
        "{rejection:?}"
    );
}

#[test]
fn the_key_goes_out_and_never_comes_back() {
    const KEY: &str = "sk-hush-sesame";
    let standin = Standin::builder()
        .key(KEY)
        .fault(Fault::EchoKey, When::Nth(2))
        .start()
        .unwrap();
    let environment = environment(&[
        ("TYPESAFE_API_KEY", KEY),
        ("TYPESAFE_API_URL", &standin.origin()),
    ]);
    let model = build(
        &ModelSpec::parse("jev").unwrap(),
        &environment,
        &Options::default(),
    )
    .unwrap();
    let card = model.card().clone();
    assert_eq!(card.key_variable.as_deref(), Some("TYPESAFE_API_KEY"));
    assert_eq!(card.endpoint, Some(standin.url()));
    assert_eq!(card.requested.as_deref(), Some("jev-latest"));
    attempt(model.as_ref(), &small()).unwrap();
    assert!(standin.seen()[0].authorization);
    let echoed = attempt(model.as_ref(), &small()).unwrap_err();
    assert!(
        matches!(&echoed, Failure::Status { message, .. } if message.contains("[key]")),
        "{echoed}"
    );
    assert!(!format!("{echoed:?} {card:?} {environment:?}").contains("sesame"));
}

#[test]
fn a_key_that_a_success_echoes_is_cut_out_of_the_reply() {
    const KEY: &str = "sk-hush-sesame";
    let standin = Standin::builder().model(KEY).start().unwrap();
    let environment = environment(&[("CLM_URL", &standin.url()), ("CLM_API_KEY", KEY)]);
    let model = build(
        &ModelSpec::parse("clm").unwrap(),
        &environment,
        &Options::default(),
    )
    .unwrap();
    assert_eq!(
        attempt(model.as_ref(), &small())
            .unwrap()
            .served_model
            .as_deref(),
        Some("[key]")
    );
}

#[test]
fn each_dialect_of_system_one_is_read() {
    for (dialect, name) in [
        (Dialect::Typesafe, "jev-latest"),
        (Dialect::Openrouter, "typesafe/jev-1.14"),
        (Dialect::Vercel, "jev-latest"),
        (Dialect::Laya, "english"),
        (Dialect::Clm, "clm-latest"),
    ] {
        let standin = Standin::builder()
            .dialect(dialect)
            .policy(Policy::Last)
            .start()
            .unwrap();
        let answer = attempt(served_as(&standin, name).as_ref(), &small()).unwrap();
        assert_eq!(answer.choice, Some(OptionId(2)), "{dialect:?}");
        assert!(answer.served_model.is_some());
    }
}
