//! Compression, cost, keys, redirects and statuses at each host.

use flipside_core::model::Failure;
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::catalog::Options;
use flipside_standin::{Dialect, Fault, Policy, Standin, When};

use super::{HOSTED, asked, many, model_at, small, standin};

#[test]
fn compressed_requests_say_so_and_hold_the_planned_bytes() {
    let options = Options {
        compress: true,
        ..Options::default()
    };
    let standin = standin(Dialect::Typesafe, Policy::First);
    let model = model_at(&standin, "jev", "TYPESAFE_API_URL", &options);
    let plain = model_at(&standin, "jev", "TYPESAFE_API_URL", &Options::default());
    let header = |at: usize| {
        let seen = &standin.seen()[at];
        let mut headers = seen.headers.iter();
        let found = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-encoding"));
        found.map(|(_, value)| value.clone())
    };
    let case = many(100);
    let order = Order::reverse(100);
    let planned = plain.request(&Presentation::new(&case, &order)).unwrap();
    assert_eq!(
        model.request(&Presentation::new(&case, &order)).unwrap(),
        planned
    );
    let (_, answer) = asked(model.as_ref(), &case, &order).unwrap();
    assert_eq!(answer.choice, Some(OptionId(99)));
    assert_eq!(header(0).as_deref(), Some("zstd"));
    let body = standin.seen()[0].body.clone();
    assert!(body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) && body.len() < planned.len());
    assert_eq!(standin.seen()[0].keys[0], "k99");
    // 1,023 bytes stay as they are.
    asked(model.as_ref(), &small(), &Order::own(4)).unwrap();
    assert_eq!(header(1), None);
    asked(plain.as_ref(), &case, &order).unwrap();
    assert_eq!(header(2), None);
    let laya = self::standin(Dialect::Laya, Policy::First);
    let model = model_at(&laya, "laya-served", "LAYA_SERVED_URL", &options);
    match asked(model.as_ref(), &case, &order).unwrap_err() {
        Failure::Status {
            status: 415,
            message,
            ..
        } => assert_eq!(
            message,
            "this content encoding is not supported (the request was compressed; leave out `--compress`)"
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_reply_says_of_its_cost_counts_before_a_header_and_a_header_before_nothing() {
    let cost = |dialect: Dialect, spec: &str, variable: &str, header: &str| {
        let standin = Standin::builder()
            .dialect(dialect)
            .header("x-litellm-response-cost", header)
            .start()
            .unwrap();
        let model = model_at(&standin, spec, variable, &Options::default());
        asked(model.as_ref(), &many(100), &Order::own(100))
            .unwrap()
            .1
            .usage
    };
    let typesafe = cost(Dialect::Typesafe, "jev", "TYPESAFE_API_URL", "0.00123");
    assert_eq!(typesafe.cost_usd_picos, Some(1_230_000_000));
    let nothing = cost(Dialect::Typesafe, "jev", "TYPESAFE_API_URL", "None");
    assert_eq!(nothing.cost_usd_picos, None);
    let stated = cost(
        Dialect::Openrouter,
        "openrouter:a/b",
        "OPENROUTER_BASE_URL",
        "9",
    );
    // The stand-in charges 0.042 dollars a million tokens, in dollars to nine places.
    let tokens = stated.input_tokens.unwrap();
    assert_eq!(stated.cost_usd_picos, Some(tokens * 42_000));
}

#[test]
fn a_key_goes_out_to_each_host_and_comes_back_from_none() {
    for (spec, dialect, variable) in HOSTED {
        let standin = Standin::builder()
            .dialect(dialect)
            .key("sk-hush-sesame")
            .fault(Fault::EchoKey, When::Nth(2))
            .start()
            .unwrap();
        let model = model_at(&standin, spec, variable, &Options::default());
        assert_eq!(
            model.card().key_variable.as_deref(),
            Some("MY_KEY"),
            "{spec}"
        );
        asked(model.as_ref(), &small(), &Order::own(4)).unwrap();
        assert!(standin.seen()[0].authorization, "{spec}");
        match asked(model.as_ref(), &small(), &Order::own(4)).unwrap_err() {
            Failure::Status {
                status: 401,
                message,
                ..
            } => {
                assert_eq!(message, "no such key: Bearer [key]", "{spec}");
            }
            other => panic!("{spec}: {other:?}"),
        }
    }
}

#[test]
fn a_redirect_is_refused_and_a_status_has_its_message_at_each_host() {
    for (spec, dialect, variable) in HOSTED {
        let failing = |fault: Fault| {
            let standin = Standin::builder()
                .dialect(dialect)
                .fault(fault, When::Always)
                .start()
                .unwrap();
            let model = model_at(&standin, spec, variable, &Options::default());
            match asked(model.as_ref(), &small(), &Order::own(4)).unwrap_err() {
                Failure::Status {
                    status,
                    message,
                    retry_after,
                    ..
                } => (status, message, retry_after),
                other => panic!("{spec}: {other:?}"),
            }
        };
        let redirect = Fault::Redirect("http://elsewhere.invalid/".to_owned());
        let target = "a redirect to the host `elsewhere.invalid`, which is not followed; name that address if it is the one to ask".to_owned();
        assert_eq!(failing(redirect), (307, target, None), "{spec}");
        for status in [400, 401, 403, 404, 408, 413, 422, 429, 500, 503, 504, 529] {
            let (found, message, _) = failing(Fault::Status(status));
            assert_eq!(found, status, "{spec}");
            assert!(
                message.starts_with(&format!("planned fault: {status} ")),
                "{spec}: {message}"
            );
        }
        let wait = |retry| {
            failing(Fault::RetryAfter(429, retry))
                .2
                .unwrap()
                .as_millis()
        };
        assert_eq!(
            wait(flipside_standin::Retry::After("0.5".to_owned())),
            500,
            "{spec}"
        );
        assert_eq!(
            wait(flipside_standin::Retry::Milliseconds(50)),
            50,
            "{spec}"
        );
        assert!(wait(flipside_standin::Retry::Date) <= 2_000, "{spec}");
    }
}
