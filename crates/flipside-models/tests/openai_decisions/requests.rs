//! Requests of OpenAI Decisions: bytes, and what it has no words for.

use flipside_core::case::Case;
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::wire::openai_decisions::{read, request};

use super::reply;
use crate::common::{case, json, levels, noul, orders_of_six};

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
    for (order, places) in orders_of_six() {
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
