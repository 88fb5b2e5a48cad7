//! Hosted models over real sockets: what each refuses before sending, what it asks, and what it says of the answer.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use std::sync::Arc;

use common::{block_on, case, environment, json, levels, send};
use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::model::{Failure, Model, Reply};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_standin::{Dialect, Fault, Policy, Standin, When};

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

/// `n` levels.
fn scale(n: usize) -> Case {
    let mut scale = many(n);
    scale.question.kind = levels().question.kind;
    scale
}

/// A case with `n` further questions that are `question`.
fn beside(n: usize, question: &str) -> Case {
    let mut case = small();
    case.question.after = (0..n)
        .map(|at| (format!("s{at}"), json(question)))
        .collect();
    case
}

fn refusal(spec: &str, case: &Case) -> Option<String> {
    let values = [
        ("TYPESAFE_API_KEY", "k"),
        ("OPENROUTER_API_KEY", "k"),
        ("CLM_URL", "http://127.0.0.1:1/"),
        ("CLOUDFLARE_API_TOKEN", "k"),
        ("CLOUDFLARE_ACCOUNT_ID", "a"),
    ];
    let model = build(
        &ModelSpec::parse(spec).unwrap(),
        &environment(&values),
        &Options::default(),
    );
    let order = Order::own(case.options.len());
    let request = model.unwrap().request(&Presentation::new(case, &order));
    request.err().map(|unsupported| unsupported.reason)
}

#[test]
fn what_a_backend_is_known_to_refuse_is_not_sent_and_named_with_its_limit() {
    const LAYA: &str = "laya-served:http://127.0.0.1:1/";
    const PREDICT: &str = "laya-predict:http://127.0.0.1:1/?tournament=on";
    const CUA: &str = "cua-served:http://127.0.0.1:1/";
    let state = |text: String| {
        let mut case = small();
        case.state = flipside_core::json::Json::String(text);
        case
    };
    let mut number = small();
    number.options[1].text = Some(json("7"));
    let mut named = small();
    named.question.name = "which team".to_owned();
    let noul = r#"{"type":"noul"}"#;
    let of_100 = {
        let members: Vec<String> = (0..100).map(|at| format!("\"{at}\":null")).collect();
        format!(
            r#"{{"type":"choice","criteria":{{{}}}}}"#,
            members.join(",")
        )
    };
    let allowed = [
        ("jev", many(255)),
        ("jev", scale(10)),
        ("openrouter:typesafe/jev-1.14", many(255)),
        ("openrouter:other/model", many(256)),
        (LAYA, many(100)),
        (LAYA, scale(32)),
        (LAYA, beside(63, noul)),
        (LAYA, beside(5, &of_100)),
        // With its quotes.
        (LAYA, state("é".repeat(49_998))),
        (PREDICT, many(255)),
        (CUA, many(26)),
        ("clm", many(300)),
        ("clm", scale(40)),
        ("cloudflare:clef", beside(63, noul)),
        ("systemone:http://127.0.0.1:1/", many(300)),
        ("systemone:http://127.0.0.1:1/", scale(40)),
    ];
    for (spec, case) in allowed {
        assert_eq!(refusal(spec, &case), None, "{spec}");
    }
    let refused = [
        (
            "jev",
            many(256),
            "Jev takes at most 255 options and is asked with 256; shorten the list",
        ),
        (
            "jev",
            scale(11),
            "Jev takes at most 10 levels and is asked with 11; take fewer levels",
        ),
        (
            "openrouter:~typesafe/jev-latest",
            many(256),
            "Jev takes at most 255 options and is asked with 256; shorten the list",
        ),
        (
            "jev",
            state("x".repeat(32 << 20)),
            "Jev takes at most 32 MiB in one request and this one has 33554588 bytes; shorten the state or the options",
        ),
        (
            LAYA,
            many(101),
            "Laya's server takes at most 100 options and is asked with 101; shorten the list, or say `?tournament=on` of a server with LAYA_TOURNAMENT_GROUP, which takes 255",
        ),
        (
            PREDICT,
            many(256),
            "Laya's server takes at most 255 options and is asked with 256; shorten the list",
        ),
        (
            LAYA,
            scale(33),
            "Laya's server takes at most 32 levels and is asked with 33; take fewer levels",
        ),
        (
            LAYA,
            beside(64, noul),
            "Laya's server takes at most 64 questions in one request and is asked 65; ask fewer at once",
        ),
        // 4 and 6 times 100 options.
        (
            LAYA,
            beside(6, &of_100),
            "Laya's server takes at most 512 options in one request and is asked with 604; ask fewer questions at once",
        ),
        (
            LAYA,
            beside(1, &of_100.replace("\"7\"", "\"a\":null,\"7\"")),
            "Laya's server takes at most 100 options and is asked with 101; shorten the list, or say `?tournament=on` of a server with LAYA_TOURNAMENT_GROUP, which takes 255",
        ),
        (
            LAYA,
            state("é".repeat(49_999)),
            "Laya's server takes at most 50000 characters of state and is asked with 50001; shorten the state",
        ),
        (
            CUA,
            many(27),
            "Cua-S1 takes at most 26 options and is asked with 27; shorten the list: it answers with a letter from A to Z",
        ),
        (
            CUA,
            scale(3),
            "Cua-S1 answers choice questions only and question `q` is a score; leave it out",
        ),
        (
            CUA,
            beside(1, noul),
            "Cua-S1 answers choice questions only and question `s0` is a noul; leave it out",
        ),
        (
            CUA,
            state(" ".to_owned()),
            "Cua-S1 takes no empty state; say what the decision is about",
        ),
        (
            CUA,
            number,
            "Cua-S1 takes texts of options and that of `10` is a number; write it as a string",
        ),
        (
            "cloudflare:clef",
            many(1),
            "Clef takes at least 2 options and is asked with 1; leave the question out",
        ),
        (
            "cloudflare:clef",
            beside(64, noul),
            "Clef takes at most 64 questions in one request and is asked 65; ask fewer at once",
        ),
        (
            "cloudflare:clef",
            named,
            "Clef takes question names of 1 to 100 letters, digits, `_`, `.` and `-`, found `which team`; rename it",
        ),
    ];
    for (spec, case, text) in refused {
        assert_eq!(refusal(spec, &case).as_deref(), Some(text), "{spec}");
    }
}

#[test]
fn texts_that_laya_cuts_are_told_and_options_that_become_one_are_told_too() {
    const CUT: &str = "by an estimate of ours some option texts are longer than what Laya reads of each, so that their ends were cut";
    const ALIKE: &str =
        "by an estimate of ours Laya cut options to the same text: choosing between them is a tie";
    const FULL: &str =
        "`usage.input_tokens` is all that Laya reads of a question: the end of the state was cut";
    let remarks_of = |served: &str, max_len: Option<&str>, case: &Case| {
        let standin = Standin::builder()
            .dialect(Dialect::Laya)
            .model(served)
            .start()
            .unwrap();
        let url = standin.url();
        let mut values = vec![("LAYA_SERVED_URL", url.as_str())];
        values.extend(max_len.map(|most| ("LAYA_SERVED_MAX_LEN", most)));
        let spec = ModelSpec::parse("laya-served").unwrap();
        let model = build(&spec, &environment(&values), &Options::default()).unwrap();
        let order = Order::reverse(case.options.len());
        asked(model.as_ref(), case, &order).unwrap().1.remarks
    };
    let with_texts = |n: usize, text: &dyn Fn(usize) -> String| {
        let mut case = many(n);
        for (at, option) in case.options.iter_mut().enumerate() {
            option.text = Some(flipside_core::json::Json::String(text(at)));
        }
        case
    };
    // 48 tokens of 4 bytes, `k0: ` among them: 188 bytes more are read whole, 189 are not.
    let long = |bytes: usize| with_texts(2, &|_| "x".repeat(bytes));
    assert!(remarks_of("english", None, &long(188)).is_empty());
    assert_eq!(remarks_of("english", None, &long(189)), [CUT]);
    // The same 192 bytes first, then what tells them apart.
    let twins = {
        let mut case = with_texts(2, &|at| "x".repeat(188) + ["a", "b"][at]);
        case.options[0].key.0 = "k".to_owned();
        case.options[1].key.0 = "k".to_owned() + "x";
        case
    };
    assert_eq!(
        remarks_of("english", None, &twins),
        [CUT],
        "their keys differ"
    );
    // 77 options of 8 tokens each are more than 192 and more than 256: 4 tokens are left of each, `k10: opt`.
    let crowd = with_texts(77, &|at| format!("option number {at:03}"));
    let prefixed = {
        let mut case = crowd.clone();
        for (at, option) in case.options.iter_mut().enumerate() {
            option.key.0 = format!("the_same_start_of_{at}");
        }
        case
    };
    assert_eq!(remarks_of("english", None, &crowd), [CUT]);
    assert_eq!(remarks_of("multilingual", None, &prefixed), [CUT, ALIKE]);
    // 30 options of 8 tokens: 240 and 3 of instructions fit 256 and not 192.
    let some = with_texts(30, &|at| {
        format!("{at:02} {}", "y".repeat(24 - at.to_string().len().min(2)))
    });
    assert!(remarks_of("multilingual", None, &some).is_empty());
    assert_eq!(remarks_of("english", None, &some), [CUT]);
    // 31 options of 6 tokens and 3 of instructions fit 192; 32 do not, and (192 - 16) / 32 leaves 5 of each.
    let even = |n: usize| with_texts(n, &|at| "z".repeat(24 - format!("k{at}: ").len()));
    assert!(remarks_of("english", None, &even(31)).is_empty());
    assert_eq!(remarks_of("english", None, &even(32)), [CUT]);
    let full = |chars: usize| {
        let mut case = small();
        case.state = flipside_core::json::Json::String("x".repeat(chars));
        case
    };
    assert_eq!(remarks_of("english", None, &full(3_000)), [FULL]);
    assert!(remarks_of("multilingual", None, &full(3_000)).is_empty());
    assert_eq!(remarks_of("multilingual", None, &full(5_000)), [FULL]);
    assert_eq!(
        remarks_of("multilingual", Some("700"), &full(3_000)),
        [FULL]
    );
    assert!(remarks_of("english", Some("1024"), &full(3_000)).is_empty());
    // Two questions have two windows.
    let mut two = full(3_000);
    two.question.after = vec![("s".to_owned(), json(r#"{"type":"noul"}"#))];
    assert_eq!(remarks_of("english", None, &two), [FULL]);
    assert!(remarks_of("english", None, &full(1_000)).is_empty());
}

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
    assert_eq!(typesafe.cost_usd_micros, Some(1_230));
    let nothing = cost(Dialect::Typesafe, "jev", "TYPESAFE_API_URL", "None");
    assert_eq!(nothing.cost_usd_micros, None);
    let stated = cost(
        Dialect::Openrouter,
        "openrouter:a/b",
        "OPENROUTER_BASE_URL",
        "9",
    );
    // The stand-in charges 0.042 dollars a million tokens, in dollars to nine places.
    let tokens = stated.input_tokens.unwrap();
    assert_eq!(stated.cost_usd_micros, Some((tokens * 42 + 500) / 1_000));
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
