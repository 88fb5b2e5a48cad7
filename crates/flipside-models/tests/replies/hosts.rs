//! What single hosts add to a reply.

use flipside_core::answer::Usage;
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;

use super::{read, three};

#[test]
fn what_a_reply_says_of_input_that_was_not_seen_is_remarked() {
    const ZERO: &str = r#""probabilities":{"a":0.9,"b":0.1,"é":0.0}"#;
    const SOME: &str = r#""probabilities":{"a":0.8,"b":0.1,"é":0.1}"#;
    const TOURNAMENT: &str = "the answer comes from a tournament: options with probability 0 left in an earlier round, which measures none of them as 0";
    let case = three();
    let remarks = |answer: &str, usage: &str| {
        let body = format!(
            r#"{{"model":"m","answers":{{"q":{{"type":"choice","choice":"a",{answer}}}}},"usage":{usage}}}"#
        );
        read(&case, &body).unwrap().remarks
    };
    let held = |p: &str| format!(r#"{p},"x_tournament":{{"finalists":2,"rounds":1}}"#);
    assert_eq!(remarks(&held(ZERO), "{}"), [TOURNAMENT]);
    assert!(remarks(&held(SOME), "{}").is_empty(), "nobody left");
    assert!(remarks(ZERO, "{}").is_empty(), "a measured zero");
    assert!(remarks(&format!(r#"{ZERO},"x_tournament":null"#), "{}").is_empty());
    assert_eq!(
        remarks(
            SOME,
            r#"{"truncated":true,"details":{"option_truncations":[0,2],"Truncated_state":0},"truncated_inputs":0}"#
        ),
        [
            "the reply says that input was cut: `usage.details.option_truncations`",
            "the reply says that input was cut: `usage.truncated`",
        ]
    );
    for nothing in [
        r#"{"truncated":false}"#,
        r#"{"truncation":null}"#,
        r#"{"truncated":{"a":0,"b":""}}"#,
    ] {
        assert!(remarks(SOME, nothing).is_empty(), "{nothing}");
    }
}

#[test]
fn clefs_answer_is_read_out_of_its_envelope() {
    let case = three();
    let order = Order::own(3);
    let shown = Presentation::new(&case, &order);
    let wire = flipside_core::model::Wire {
        name: "clef".to_owned(),
        ..Default::default()
    };
    let clef = flipside_models::wire::open(&wire).unwrap();
    let read = |body: &str| {
        let reply = flipside_core::model::Reply {
            body: body.to_owned(),
            ..Default::default()
        };
        clef.read(&shown, &reply)
            .map_err(|rejection| rejection.to_string())
    };
    let inner = r#"{"model":"clef","answers":{"q":{"type":"choice","choice":"b"}}}"#;
    let answer = read(&format!(
        r#"{{"success":true,"errors":[],"result":{inner}}}"#
    ))
    .unwrap();
    assert_eq!(
        (answer.choice, answer.served_model.as_deref()),
        (Some(OptionId(1)), Some("clef"))
    );
    for (body, text) in [
        (
            r#"{"success":false,"errors":[{"code":5004,"message":"no such model"}],"result":null}"#
                .to_owned(),
            "the reply is an error: no such model",
        ),
        (
            r#"{"success":false}"#.to_owned(),
            "the reply is an error: no reason given",
        ),
        (inner.to_owned(), "the reply has no `result` (envelope)"),
        (
            r#"{"success":true,"result":null}"#.to_owned(),
            "the reply has no `result` (envelope)",
        ),
        (
            r#"{"result":[1]}"#.to_owned(),
            "`result` is an array, expected an object (envelope)",
        ),
    ] {
        assert_eq!(read(&body).unwrap_err(), text);
    }
}

#[test]
fn openrouter_and_laya_say_more_about_who_answered() {
    let case = three();
    let answer = read(
        &case,
        r#"{"id":"dec-1","model":"typesafe/jev-1.14","provider":"TypeSafe","answers":{"q":{"type":"choice","choice":"a"}},"usage":{"input_tokens":118,"output_tokens":0,"input_tokens_details":{"cached_tokens":96},"cost":0.000005}}"#,
    )
    .unwrap();
    assert_eq!(answer.provider.as_deref(), Some("TypeSafe"));
    assert_eq!(
        answer.usage,
        Usage {
            input_tokens: Some(118),
            output_tokens: Some(0),
            cached_tokens: Some(96),
            cost_usd_picos: Some(5_000_000)
        }
        .into()
    );
    let laya = read(
        &case,
        r#"{"model":"laya-rl-agent","answers":{"q":{"type":"choice","choice":"a","probabilities":{"a":0.71,"b":0.23,"é":0.06},"confidence":0.3173,"answer_confidence":0.71,"action":{"act_probability":0.9021}}},"routing":{"model":"english","repo":"r"}}"#,
    )
    .unwrap();
    assert_eq!(
        (laya.served_model.as_deref(), laya.backend_confidence),
        (Some("english"), Some(0.3173))
    );
}
