//! `OpenAI` Decisions: the exact bytes out, and every rule that a reply must pass.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use std::time::Duration;

use common::{case, environment, json, levels, noul};
use flipside_core::answer::{Answer, Declined, Usage};
use flipside_core::case::Case;
use flipside_core::model::{Card, Failure, Rejection, Reply};
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_models::wire::openai_decisions::{OpenAiDecisions, read, request};
use flipside_models::wire::{Protocol, open};

fn bytes(case: &Case, order: &Order) -> String {
    let shown = Presentation::new(case, order);
    String::from_utf8(request(&shown, Some("gpt-6-luna")).unwrap()).unwrap()
}

fn refused(case: &Case) -> String {
    let order = Order::own(case.options.len());
    let shown = Presentation::new(case, &order);
    request(&shown, None).unwrap_err().reason
}

/// The six keys that hops move, drop or rewrite; `Ab` is written with an escape in the file it comes from.
fn six() -> Case {
    let escaped = json(r#""\u0041b""#);
    case(
        "six",
        r#"{"subject":"Charged twice","note":"naïve é / \"quoted\" \t tab"}"#,
        &[
            ("zeta", r#""payments""#),
            ("10", r#"{"z":1,"10":[1e2],"2":null}"#),
            ("2", "null"),
            ("alpha", r#""é""#),
            (escaped.as_str().unwrap(), r#""""#),
            ("é", r#""accent""#),
        ],
    )
}

const HEAD: &str = r#"{"model":"gpt-6-luna","input":[{"type":"message","role":"user","content":[{"type":"input_json","data":{"subject":"Charged twice","note":"naïve é / \"quoted\" \t tab"}}]}],"questions":[{"type":"choice","name":"q","instructions":"Which team?","choices":["#;

#[test]
fn the_golden_bytes_come_out_in_every_order() {
    let choices = [
        r#"{"value":"zeta","description":"payments"}"#,
        r#"{"value":"10","description":"{\"z\":1,\"10\":[1e2],\"2\":null}"}"#,
        r#"{"value":"2"}"#,
        r#"{"value":"alpha","description":"é"}"#,
        r#"{"value":"Ab","description":""}"#,
        r#"{"value":"é","description":"accent"}"#,
    ];
    for (order, places) in [
        (Order::own(6), [0, 1, 2, 3, 4, 5]),
        (Order::reverse(6), [5, 4, 3, 2, 1, 0]),
        (Order::rotate(6, 1), [1, 2, 3, 4, 5, 0]),
    ] {
        let expected = places.map(|place| choices[place]).join(",");
        assert_eq!(bytes(&six(), &order), format!("{HEAD}{expected}]}}]}}"));
    }
}

#[test]
fn forty_keys_keep_their_order() {
    let keys: Vec<String> = (0..40).map(|i| format!("k{}", (i * 7) % 40)).collect();
    let options: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "null")).collect();
    let listed: Vec<String> = keys
        .iter()
        .map(|key| format!(r#"{{"value":"{key}"}}"#))
        .collect();
    let expected = format!(
        r#"{{"model":"gpt-6-luna","input":"s","questions":[{{"type":"choice","name":"q","instructions":"Which team?","choices":[{}]}}]}}"#,
        listed.join(",")
    );
    let found = bytes(&case("c", r#""s""#, &options), &Order::own(40));
    assert_eq!(found, expected);
}

#[test]
fn booleans_and_strings_of_one_text_are_two_values() {
    let mut typed = case(
        "t",
        r#""s""#,
        &[
            ("true", r#""it holds""#),
            (r#""true""#, "null"),
            ("maybe", "null"),
        ],
    );
    typed.brought.typed_keys = true;
    let choices =
        r#""choices":[{"value":"maybe"},{"value":"true"},{"value":true,"description":"it holds"}]"#;
    assert!(bytes(&typed, &Order::reverse(3)).contains(choices));
    let order = Order::own(3);
    let shown = Presentation::new(&typed, &order);
    let answered = |choice: &str| {
        let answer = format!(
            r#"{{"type":"choice","name":"q","choice":{choice},"probabilities":[{{"value":"true","probability":0.4}},{{"value":true,"probability":0.4}},{{"value":"maybe","probability":0.2}}]}}"#
        );
        read(&shown, &reply(&answer)).map(|answer| answer.choice)
    };
    assert_eq!(answered("true").unwrap(), Some(OptionId(0)));
    assert_eq!(answered(r#""true""#).unwrap(), Some(OptionId(1)));
    assert_eq!(
        answered("1").unwrap_err().to_string(),
        "a choice value is 1, strings and booleans were offered (choice-value)"
    );
    typed.question.before = vec![(
        "beside".into(),
        json(
            r#"{"type":"choice","instructions":"Is it?","criteria":{"false":null,"\"false\"":null}}"#,
        ),
    )];
    let beside =
        r#""name":"beside","instructions":"Is it?","choices":[{"value":false},{"value":"false"}]"#;
    assert!(bytes(&typed, &order).contains(beside));
    typed.question.before = Vec::new();
    typed.brought.typed_keys = false;
    let shown = Presentation::new(&typed, &order);
    assert_eq!(
        read(
            &shown,
            &reply(r#"{"type":"choice","name":"q","choice":true}"#)
        )
        .unwrap_err()
        .to_string(),
        "a choice value is true, strings were offered (choice-value)"
    );
    assert!(bytes(&typed, &order).contains(r#"{"value":"true","description":"it holds"}"#));
}

#[test]
fn every_question_keeps_its_place_and_its_kind() {
    let mut case = case("c", r#""s""#, &[("b", "null"), ("a", r#""x""#)]);
    case.question.before = vec![
        (
            "angry".into(),
            json(r#"{"type":"noul","instructions":"The writer is angry."}"#),
        ),
        (
            "team".into(),
            json(r#"{"type":"choice","instructions":"Who?","criteria":{"2":"two","1":null}}"#),
        ),
    ];
    case.question.after = vec![(
        "soon".into(),
        json(r#"{"type":"score","instructions":{"ask":"How soon?"},"criteria":["later","now"]}"#),
    )];
    assert_eq!(
        bytes(&case, &Order::reverse(2)),
        r#"{"model":"gpt-6-luna","input":"s","questions":[{"type":"predicate","name":"angry","instructions":"The writer is angry."},{"type":"choice","name":"team","instructions":"Who?","choices":[{"value":"2","description":"two"},{"value":"1"}]},{"type":"choice","name":"q","instructions":"Which team?","choices":[{"value":"a","description":"x"},{"value":"b"}]},{"type":"score","name":"soon","instructions":[{"type":"input_json","data":{"ask":"How soon?"}}],"levels":[{"label":"later"},{"label":"now"}]}]}"#
    );
}

#[test]
fn levels_are_labels_in_shown_order_and_a_statement_is_a_predicate() {
    let scored = bytes(&levels(), &Order::rotate(3, 1));
    assert!(
        scored.ends_with(r#""levels":[{"label":"mid"},{"label":"high"},{"label":"low"}]}]}"#),
        "{scored}"
    );
    let statement = bytes(&noul([None, None]), &Order::reverse(2));
    assert!(
        statement.ends_with(r#"[{"type":"predicate","name":"q","instructions":"Which team?"}]}"#),
        "{statement}"
    );
}

#[test]
fn input_items_and_parts_go_as_they_are() {
    let input = r#"[{"role":"user","content":"Charged twice."},{"type":"function_call","call_id":"1","name":"f","arguments":"{}"}]"#;
    let mut given = case("i", input, &[("a", "null"), ("b", "null")]);
    given.question.instructions = Some(json(r#"[{"type":"input_text","text":"Who?"}]"#));
    let found = bytes(&given, &Order::own(2));
    assert!(found.contains(&format!(r#""input":{input},"#)), "{found}");
    assert!(
        found.contains(r#""instructions":[{"type":"input_text","text":"Who?"}],"#),
        "{found}"
    );
    // A list of other objects is data.
    let data = r#"[{"role":"user"},{"type":"choice"}]"#;
    let found = bytes(
        &case("i", data, &[("a", "null"), ("b", "null")]),
        &Order::own(2),
    );
    assert!(
        found.contains(&format!(r#"{{"type":"input_json","data":{data}}}"#)),
        "{found}"
    );
}

#[test]
fn what_the_protocol_cannot_say_is_refused_before_it_is_sent() {
    let many = |n: usize| {
        let keys: Vec<String> = (0..n).map(|i| i.to_string()).collect();
        let options: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "null")).collect();
        case("m", r#""s""#, &options)
    };
    assert_eq!(
        refused(&many(256)),
        "OpenAI Decisions takes 2 to 255 choices, question `q` has 256"
    );
    assert_eq!(
        refused(&many(1)),
        "OpenAI Decisions takes 2 to 255 choices, question `q` has 1"
    );
    let mut scored = many(11);
    scored.question.kind = flipside_core::case::QuestionKind::Score;
    assert_eq!(
        refused(&scored),
        "OpenAI Decisions takes 2 to 10 levels, question `q` has 11"
    );
    let beside = |n: usize, question: &str| {
        let mut case = many(2);
        let question = json(question);
        case.question.after = (0..n)
            .map(|i| (format!("s{i}"), question.clone()))
            .collect();
        case
    };
    let statement = r#"{"type":"noul","instructions":"It is."}"#;
    assert_eq!(
        refused(&beside(400, statement)),
        "OpenAI Decisions takes at most 400 questions in one request, this one has 401"
    );
    assert_eq!(
        bytes(&beside(399, statement), &Order::own(2))
            .matches("predicate")
            .count(),
        399
    );
    for (question, reason) in [
        (
            r#"{"type":"box"}"#,
            "the question `s0` beside it is none of choice, score and noul",
        ),
        ("7", "the question `s0` beside it is no object"),
        (
            r#"{"type":"choice","criteria":["a","b"]}"#,
            "the question `s0` beside it has no criteria that can be read",
        ),
        (
            r#"{"type":"noul"}"#,
            "OpenAI Decisions takes no question without instructions, `s0` has none",
        ),
        (
            r#"{"type":"noul","instructions":"It is.","criteria":{"true":"yes"}}"#,
            "a predicate of OpenAI Decisions has no words for `true` and `false`, question `s0` describes them",
        ),
    ] {
        assert_eq!(refused(&beside(1, question)), reason);
    }
    assert_eq!(
        refused(&noul([Some(r#""yes""#), None])),
        "a predicate of OpenAI Decisions has no words for `true` and `false`, question `q` describes them"
    );
    let state = |state: &str| refused(&case("s", state, &[("a", "null"), ("b", "null")]));
    let takes = "OpenAI Decisions takes a string, an object or an array of objects";
    assert_eq!(state("7"), format!("the state is a number, {takes}"));
    assert_eq!(
        state(r#"["a",{}]"#),
        format!("the state is an array with values other than objects, {takes}")
    );
    let mut worded = many(2);
    worded.question.instructions = Some(json("[1]"));
    assert_eq!(
        refused(&worded),
        format!("the instructions are an array with values other than objects, {takes}")
    );
}

#[test]
fn a_json_part_has_limits_of_depth_number_and_size() {
    let with = |state: String| case("s", &state, &[("a", "null"), ("b", "null")]);
    let of = |case: &Case| {
        let order = Order::own(2);
        request(&Presentation::new(case, &order), None).map_err(|unsupported| unsupported.reason)
    };
    let nested = |depth: usize| {
        with(format!(
            "{{\"a\":{}{}}}",
            "[".repeat(depth - 1),
            "]".repeat(depth - 1)
        ))
    };
    assert!(of(&nested(32)).is_ok());
    let part = "OpenAI Decisions takes a JSON part of at most";
    assert_eq!(
        of(&nested(33)).unwrap_err(),
        format!("{part} 32 levels, the state has 33")
    );
    // An object, an array, and so many numbers.
    let listed = |values: usize| with(format!("{{\"a\":[{}]}}", vec!["1"; values - 2].join(",")));
    assert!(of(&listed(10_000)).is_ok());
    assert_eq!(
        of(&listed(10_001)).unwrap_err(),
        format!("{part} 10000 values, the state has 10001")
    );
    // `{"a":""}` has 8 bytes.
    let long = |bytes: usize| with(format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8)));
    assert!(of(&long(262_144)).is_ok());
    assert_eq!(
        of(&long(262_145)).unwrap_err(),
        format!("{part} 262144 bytes, the state has 262145")
    );
}

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
fn answers_are_aligned_by_value_and_never_by_place() {
    let body = r#"{"model":"gpt-6-luna-2","answers":[{"type":"choice","name":"q","choice":"é","confidence":0.6,"probabilities":[{"value":"é","probability":0.7},{"value":"a","probability":0.2},{"value":"b","probability":0.1}]}],"usage":{"input_tokens":118,"input_tokens_details":{"cached_tokens":96,"cache_write_tokens":0},"output_tokens":0,"total_tokens":118}}"#;
    for order in [Order::own(3), Order::reverse(3), Order::rotate(3, 1)] {
        let found = answer(&three(), &order, body).unwrap();
        assert_eq!(found.choice, Some(OptionId(2)));
        assert_eq!(found.probabilities, Some(vec![0.2, 0.1, 0.7]));
        assert_eq!(found.backend_confidence, Some(0.6));
        assert_eq!(found.served_model.as_deref(), Some("gpt-6-luna-2"));
        assert_eq!(
            found.usage,
            Usage {
                input_tokens: Some(118),
                output_tokens: Some(0),
                cached_tokens: Some(96),
                cost_usd_micros: None
            }
            .into()
        );
        assert!(found.remarks.is_empty(), "{:?}", found.remarks);
    }
}

#[test]
fn a_refusal_is_that_of_one_question() {
    let mut case = three();
    case.question.before = vec![(
        "first".into(),
        json(r#"{"type":"noul","instructions":"It is."}"#),
    )];
    let both = r#"{"type":"refusal","name":"first"},{"type":"choice","name":"q","choice":"b"}"#;
    let found = answer(&case, &Order::own(3), &reply(both)).unwrap();
    assert_eq!((found.choice, found.declined), (Some(OptionId(1)), None));
    let own =
        r#"{"type":"predicate","name":"first","probability":0.5},{"type":"refusal","name":null}"#;
    let found = answer(&case, &Order::own(3), &reply(own)).unwrap();
    assert_eq!(
        (found.choice, found.declined),
        (None, Some(Declined::Refusal))
    );
    assert_eq!(
        found.remarks,
        ["the reply does not repeat every question's name; answers were taken in order"]
    );
}

#[test]
fn a_predicate_is_a_probability() {
    let found = answer(
        &noul([None, None]),
        &Order::own(2),
        &reply(r#"{"type":"predicate","name":"q","probability":0.34}"#),
    )
    .unwrap();
    assert_eq!(found.choice, Some(OptionId(1)));
    assert!((found.probabilities.unwrap()[0] - 0.34).abs() < 1e-12);
}

#[test]
fn levels_count_from_nought_or_one_and_stand_in_any_order() {
    // Shown as mid, high, low: places 0.1, 0.7, 0.2 expect 1.1; by identity low 0.2, mid 0.1, high 0.7 expect 1.5.
    let order = Order::rotate(3, 1);
    for (base, score) in [(0, 1.1), (1, 2.1)] {
        let entry = |place: usize, label: &str, p: f64| {
            format!(
                r#"{{"value":{},"label":"{label}","probability":{p}}}"#,
                place + base
            )
        };
        let entries = [
            entry(2, "low", 0.2),
            entry(0, "mid", 0.1),
            entry(1, "high", 0.7),
        ]
        .join(",");
        let body = reply(&format!(
            r#"{{"type":"score","name":"q","score":{score},"confidence":0.5,"probabilities":[{entries}]}}"#
        ));
        let found = answer(&levels(), &order, &body).unwrap();
        assert_eq!(found.probabilities, Some(vec![0.2, 0.1, 0.7]));
        assert!((found.score.unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(found.choice, Some(OptionId(2)));
    }
}

#[test]
fn every_broken_rule_is_named() {
    let choice = |rest: &str| reply(&format!(r#"{{"type":"choice","name":"q",{rest}}}"#));
    let ps = |entries: &str| choice(&format!(r#""choice":"a","probabilities":[{entries}]"#));
    for (body, message) in [
        (reply(""), "0 answers came for 1 questions (answer-missing)"),
        (
            reply(r#"{"type":"refusal"},{"type":"refusal"}"#),
            "2 answers came for 1 questions (answer-extra)",
        ),
        (
            reply(r#"{"type":"refusal","name":"p"}"#),
            "answer 1 is named the string `p`, its question `q` (answer-name)",
        ),
        (
            reply("7"),
            "an answer is 7, expected an object (answer-shape)",
        ),
        (
            r#"{"model":"m","answers":{"q":{}}}"#.to_owned(),
            "`answers` is an object, expected an array (answer-shape)",
        ),
        (
            r#"{"model":"m"}"#.to_owned(),
            "the reply has no `answers` (answer-shape)",
        ),
        (
            reply(r#"{"type":"predicate","name":"q","probability":1}"#),
            "the answer has type `predicate`, the question `choice` (answer-type)",
        ),
        (
            reply(r#"{"name":"q"}"#),
            "the answer has no `type` (answer-type)",
        ),
        (
            reply(r#"{"type":"unsupported","name":"q"}"#),
            "the model cannot answer this question: it answers `unsupported` to a choice question",
        ),
        (
            reply(r#"{"type":"unsupported","name":"q","reason":"no  choices"}"#),
            "the model cannot answer this question: no choices",
        ),
        (
            choice(r#""confidence":1"#),
            "the answer has no `choice` (choice)",
        ),
        (
            choice(r#""choice":"c""#),
            "the reply chose `c`, which was not offered (`a`, `b`, `é`) (choice-offered)",
        ),
        (
            ps("7"),
            "a probability is 7, expected an object (answer-shape)",
        ),
        (
            ps(r#"{"value":"a","probability":"1"}"#),
            "`probability` is the string `1`, expected a number (number)",
        ),
        (
            ps(r#"{"value":"a","probability":1e400}"#),
            "`probability` is 1e400, which is too large (number)",
        ),
        (
            ps(r#"{"value":"a"}"#),
            "the answer has no `probability` (number)",
        ),
        (
            ps(r#"{"value":"a","probability":1},{"value":"a","probability":0}"#),
            "key `a` has two probabilities (probability-keys)",
        ),
        (
            ps(r#"{"value":"a","probability":1},{"value":"b","probability":0}"#),
            "no probability for `é` (probability-keys)",
        ),
    ] {
        assert_eq!(
            answer(&three(), &Order::own(3), &body)
                .unwrap_err()
                .to_string(),
            message,
            "{body}"
        );
    }
    let error = r#"{"error":{"message":"slow down","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}"#;
    assert_eq!(
        answer(&three(), &Order::own(3), error)
            .unwrap_err()
            .to_string(),
        "the reply is an error: slow down"
    );
}

#[test]
fn every_broken_rule_of_levels_is_named() {
    let scored = |score: &str, entries: [&str; 3]| {
        reply(&format!(
            r#"{{"type":"score","name":"q","score":{score},"probabilities":[{}]}}"#,
            entries.join(",")
        ))
    };
    let low = r#"{"value":0,"label":"low","probability":0.5}"#;
    let mid = r#"{"value":1,"label":"mid","probability":0.5}"#;
    let high = r#"{"value":2,"label":"high","probability":0}"#;
    assert!(answer(&levels(), &Order::own(3), &scored("0.5", [low, mid, high])).is_ok());
    for (body, message) in [
        (
            scored("1.5", [low, mid, high]),
            "the score is 1.5, the probabilities expect 0.5000 (score-expectation)",
        ),
        (
            scored("0.5", [low, mid, mid]),
            "the level 1 is unknown or given twice, expected each of 3 (score-keys)",
        ),
        (
            scored(
                "0.5",
                [low, mid, r#"{"value":7,"label":"high","probability":0}"#],
            ),
            "the level 7 is unknown or given twice, expected each of 3 (score-keys)",
        ),
        (
            scored(
                "0.5",
                [low, mid, r#"{"value":"2","label":"high","probability":0}"#],
            ),
            "the value of a level is the string `2`, expected a whole number (score-keys)",
        ),
        (
            scored(
                "0.5",
                [low, mid, r#"{"value":2,"label":"High","probability":0}"#],
            ),
            "level 2 is labelled the string `High`, `high` was sent (score-label)",
        ),
        (
            reply(&format!(
                r#"{{"type":"score","name":"q","score":0,"probabilities":[{low}]}}"#
            )),
            "1 probabilities came for 3 levels (score-keys)",
        ),
    ] {
        assert_eq!(
            answer(&levels(), &Order::own(3), &body)
                .unwrap_err()
                .to_string(),
            message,
            "{body}"
        );
    }
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
