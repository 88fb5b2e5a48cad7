//! Replies: every rule that one must pass, violated once.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

#[path = "../common/mod.rs"]
mod common;
mod hosts;

use flipside_core::answer::{Answer, Declined, Usage};
use flipside_core::case::Case;
use flipside_core::model::Rejection;
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::wire::systemone;

use common::{case, json, levels, noul};

fn three() -> Case {
    case(
        "c",
        r#""s""#,
        &[("a", "null"), ("b", "null"), ("é", "null")],
    )
}

fn read(case: &Case, body: &str) -> Result<Answer, Rejection> {
    let order = Order::own(case.options.len());
    systemone::read(&Presentation::new(case, &order), body)
}

/// A reply with this answer to `q`.
fn reply(answer: &str) -> String {
    format!(r#"{{"model":"m","answers":{{"q":{answer}}}}}"#)
}

#[track_caller]
fn refused(case: &Case, body: &str, text: &str) {
    assert_eq!(
        read(case, body).expect_err(body).to_string(),
        text,
        "{body}"
    );
}

#[test]
fn v1_the_body_is_one_json_value_without_repeated_keys() {
    let case = three();
    refused(&case, "", "the reply is empty, expected JSON (json)");
    refused(
        &case,
        "<html>oops</html>",
        "the reply is an HTML page, expected JSON (json)",
    );
    refused(
        &case,
        "[]",
        "the reply is an array, expected an object (json)",
    );
    let twice =
        reply(r#"{"type":"choice","choice":"a","probabilities":{"a":1,"a":0,"b":0,"é":0}}"#);
    let message = read(&case, &twice).unwrap_err().to_string();
    assert!(
        message.contains("key `a` is given twice") && message.ends_with("(json)"),
        "{message}"
    );
    for broken in [
        "{\"answers\":",
        "{} x",
        "ok {}",
        r#"{"answers":{"q":{"p":NaN}}}"#,
    ] {
        assert!(
            matches!(
                read(&case, broken),
                Err(Rejection::Malformed { rule: "json", .. })
            ),
            "{broken}"
        );
    }
    let marked = format!("\u{feff}{}", reply(r#"{"type":"choice","choice":"a"}"#));
    assert_eq!(read(&case, &marked).unwrap().choice, Some(OptionId(0)));
}

#[test]
fn v2_an_error_is_a_backend_error_even_in_a_success() {
    let case = three();
    let body = r#"{"error":{"code":429,"message":"too \u001b[1mmany","metadata":{}},"answers":{}}"#;
    assert_eq!(
        read(&case, body),
        Err(Rejection::Backend {
            status: Some(429),
            message: "too \\u{1b}[1mmany".to_owned()
        })
    );
    assert_eq!(
        read(&case, r#"{"error":"x"}"#),
        Err(Rejection::Backend {
            status: None,
            message: "x".to_owned()
        })
    );
    let nothing = r#"{"model":"m","error":null,"answers":{"q":{"type":"choice","choice":"b"}}}"#;
    assert_eq!(read(&case, nothing).unwrap().choice, Some(OptionId(1)));
}

#[test]
fn v3_there_is_an_answer_for_exactly_each_question() {
    let mut case = three();
    refused(
        &case,
        r#"{"model":"m"}"#,
        "the reply has no `answers` (answers)",
    );
    refused(
        &case,
        r#"{"answers":[]}"#,
        "`answers` is an array, expected an object (answers)",
    );
    refused(
        &case,
        r#"{"answers":{}}"#,
        "no answer for question `q` (answer-missing)",
    );
    let extra = r#"{"answers":{"q":{"type":"choice","choice":"a"},"x\u202e":{}}}"#;
    refused(
        &case,
        extra,
        "an answer for question `x\\u{202e}`, which was not asked (answer-extra)",
    );
    case.question.after = vec![("more".to_owned(), json("{}"))];
    refused(
        &case,
        &reply(r#"{"type":"choice","choice":"a"}"#),
        "no answer for question `more` (answer-missing)",
    );
}

#[test]
fn v4_the_answer_has_the_type_of_the_question() {
    let case = three();
    refused(
        &case,
        &reply("7"),
        "the answer is a number, expected an object (answer-type)",
    );
    refused(
        &case,
        &reply("{}"),
        "the answer has no `type` (answer-type)",
    );
    refused(
        &case,
        &reply(r#"{"type":1}"#),
        "the answer's `type` is a number, expected a string (answer-type)",
    );
    refused(
        &case,
        &reply(r#"{"type":"oracle"}"#),
        "the answer has type `oracle`, the question `choice` (answer-type)",
    );
    refused(
        &case,
        &reply(r#"{"type":"unsupported","reason":"no choices here"}"#),
        "the model cannot answer this question: no choices here",
    );
    refused(
        &case,
        &reply(r#"{"type":"unsupported"}"#),
        "the model cannot answer this question: it answers `unsupported` to a choice question",
    );
    for (found, declined) in [
        ("refusal", Declined::Refusal),
        ("abstention", Declined::Abstention),
    ] {
        let answer = read(&case, &reply(&format!(r#"{{"type":"{found}"}}"#))).unwrap();
        assert_eq!((answer.choice, answer.declined), (None, Some(declined)));
        assert_eq!(answer.served_model.as_deref(), Some("m"));
    }
}

fn probabilities(p: &str) -> String {
    reply(&format!(
        r#"{{"type":"choice","choice":"a","probabilities":{p}}}"#
    ))
}

#[test]
fn v5_numbers_are_numbers_in_range() {
    let case = three();
    let text = "the probability of `a` is the string `1`, expected a number (number)";
    refused(&case, &probabilities(r#"{"a":"1","b":0,"é":0}"#), text);
    refused(
        &case,
        &probabilities(r#"{"a":1e400,"b":0,"é":0}"#),
        "the probability of `a` is 1e400, which is too large (number)",
    );
    refused(
        &case,
        &probabilities(r#"{"a":1.5,"b":-0.5,"é":0}"#),
        "a probability is 1.5, expected 0 to 1 (probability-range)",
    );
    refused(
        &case,
        &probabilities("[1,0,0]"),
        "`probabilities` is an array, expected an object (answer-shape)",
    );
    assert!(read(&case, &probabilities(r#"{"a":1,"b":-0.0,"é":0}"#)).is_ok());
}

#[test]
fn v6_probability_keys_are_exactly_the_keys_sent() {
    let case = three();
    refused(
        &case,
        &probabilities(r#"{"a":1,"b":0}"#),
        "no probability for `é` (probability-keys)",
    );
    refused(
        &case,
        &probabilities("{\"a\":1,\"b\":0,\"e\u{301}\":0}"),
        "no probability for `é`, but one for `e\u{301}`; perhaps the server normalises Unicode (probability-keys)",
    );
    let reversed = read(&case, &probabilities(r#"{"é":0.06,"b":0.23,"a":0.71}"#)).unwrap();
    assert_eq!(reversed.probabilities, Some(vec![0.71, 0.23, 0.06]));
}

#[test]
fn v7_probabilities_add_up_to_one_as_far_as_rounding_allows() {
    let case = three();
    for sum in [
        r#"{"a":0.9,"b":0.05,"é":0.04}"#,
        r#"{"a":0.9,"b":0.05,"é":0.06}"#,
    ] {
        assert!(read(&case, &probabilities(sum)).is_ok(), "{sum}");
    }
    refused(
        &case,
        &probabilities(r#"{"a":0.9,"b":0.2,"é":0.1}"#),
        "the probabilities add up to 1.200000, expected 1 (probability-sum)",
    );
}

#[test]
fn honest_rounding_of_77_options_to_two_decimals_is_accepted() {
    let keys: Vec<String> = (0..77).map(|i| format!("intent-{i}")).collect();
    let options: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "null")).collect();
    let case = case("b", r#""s""#, &options);
    // 0.7 on the first, the rest equal at 0.0039, which rounds to 0.
    let members: Vec<String> = keys
        .iter()
        .enumerate()
        .map(|(i, key)| format!("\"{key}\":{}", if i == 0 { "0.7" } else { "0.00" }))
        .collect();
    let body = reply(&format!(
        r#"{{"type":"choice","choice":"intent-0","probabilities":{{{}}}}}"#,
        members.join(",")
    ));
    let answer = read(&case, &body).unwrap();
    assert!((answer.rounding - 0.005).abs() < 1e-15 && !answer.tied);
}

#[test]
fn v8_v9_the_choice_is_offered_and_at_the_peak_and_ties_are_flagged() {
    let case = three();
    refused(
        &case,
        &reply(r#"{"type":"choice"}"#),
        "the answer has no `choice` (choice)",
    );
    refused(
        &case,
        &reply(r#"{"type":"choice","choice":null}"#),
        "`choice` is null, expected a string (choice)",
    );
    refused(
        &case,
        &reply(r#"{"type":"choice","choice":"refunds"}"#),
        "the reply chose `refunds`, which was not offered (`a`, `b`, `é`) (choice-offered)",
    );
    refused(
        &case,
        &reply(r#"{"type":"choice","choice":"É"}"#),
        "the reply chose `É`, which was not offered (`a`, `b`, `é`); it differs from `é` in case only (choice-offered)",
    );
    refused(
        &case,
        &reply(r#"{"type":"choice","choice":"e\u0301"}"#),
        "the reply chose `e\u{301}`, which was not offered (`a`, `b`, `é`); perhaps the server normalises Unicode (choice-offered)",
    );
    refused(
        &case,
        &probabilities(r#"{"a":0.2,"b":0.7,"é":0.1}"#),
        "the reply chose `a` with probability 0.2, the largest is 0.7 (choice-not-peak)",
    );
    let tie = read(&case, &probabilities(r#"{"a":0.4,"b":0.4,"é":0.2}"#)).unwrap();
    assert!(tie.tied && tie.choice == Some(OptionId(0)));
    let pick = read(&case, &reply(r#"{"type":"choice","choice":"é"}"#)).unwrap();
    assert_eq!((pick.choice, pick.probabilities), (Some(OptionId(2)), None));
}

#[test]
fn v10_confidence_is_a_number_in_range_where_present() {
    let case = three();
    let with = |confidence: &str| {
        reply(&format!(
            r#"{{"type":"choice","choice":"a","confidence":{confidence}}}"#
        ))
    };
    refused(
        &case,
        &with("1.5"),
        "confidence is 1.5, expected 0 to 1 (confidence-range)",
    );
    refused(
        &case,
        &with("\"high\""),
        "`confidence` is the string `high`, expected a number (number)",
    );
    assert_eq!(read(&case, &with("null")).unwrap().backend_confidence, None);
    assert_eq!(
        read(&case, &with("0.57")).unwrap().backend_confidence,
        Some(0.57)
    );
}

fn score(legend: &str, probabilities: &str, score: &str) -> String {
    reply(&format!(
        r#"{{"type":"score","score":{score},"legend":{legend},"probabilities":{probabilities},"confidence":0.5}}"#
    ))
}

const LEGEND: &str = r#"{"0":"low","1":"mid","2":"high"}"#;

const SPREAD: &str = r#"{"2":0.25,"0":0.25,"1":0.5}"#;

#[test]
fn v11_v12_levels_are_numbered_from_zero_and_the_score_is_their_expectation() {
    let case = levels();
    let answer = read(&case, &score(LEGEND, SPREAD, "1.0")).unwrap();
    assert_eq!(
        (answer.choice, answer.score),
        (Some(OptionId(1)), Some(1.0))
    );
    assert!(read(&case, &score("null", SPREAD, "1")).is_ok());
    assert!(read(&case, &score(r#"["low","mid","high"]"#, SPREAD, "1")).is_ok());
    refused(
        &case,
        &score(r#"{"1":"low","2":"mid","3":"high"}"#, SPREAD, "1"),
        "`legend` has the level `3`, expected \"0\" to \"2\" (score-keys)",
    );
    refused(
        &case,
        &score(r#"{"0":"low","1":"mid"}"#, SPREAD, "1"),
        "the legend has 2 levels, 3 were sent (score-legend)",
    );
    refused(
        &case,
        &score(r#"{"0":"low","1":"high","2":"mid"}"#, SPREAD, "1"),
        "level 1 is the string `high` in the legend, `mid` was sent (score-legend)",
    );
    refused(
        &case,
        &score(LEGEND, r#"{"0":1,"1":0}"#, "0"),
        "no probability for level \"2\" (score-keys)",
    );
    refused(
        &case,
        &score(LEGEND, r#"{"0":1,"01":0,"2":0}"#, "0"),
        "`probabilities` has the level `01`, expected \"0\" to \"2\" (score-keys)",
    );
    refused(
        &case,
        &score(LEGEND, SPREAD, "1.4"),
        "the score is 1.4, the probabilities expect 1.0000 (score-expectation)",
    );
    refused(
        &case,
        &score(LEGEND, SPREAD, "\"1\""),
        "`score` is the string `1`, expected a number (number)",
    );
    refused(
        &case,
        &reply(r#"{"type":"score","score":1}"#),
        "the score has no `probabilities` (score-keys)",
    );
}

#[test]
fn a_score_in_another_order_is_aligned_to_levels() {
    let case = levels();
    let order = Order::reverse(3);
    let body = score(
        r#"{"0":"high","1":"mid","2":"low"}"#,
        r#"{"0":0.7,"1":0.2,"2":0.1}"#,
        "0.4",
    );
    let answer = systemone::read(&Presentation::new(&case, &order), &body).unwrap();
    assert_eq!(
        (answer.choice, answer.probabilities),
        (Some(OptionId(2)), Some(vec![0.1, 0.2, 0.7]))
    );
}

#[test]
fn a_noul_is_one_number() {
    let case = noul([None, None]);
    let with = |p: &str| reply(&format!(r#"{{"type":"noul","noul":{p}}}"#));
    assert_eq!(
        read(&case, &with("0.34")).unwrap().choice,
        Some(OptionId(1))
    );
    refused(
        &case,
        &with("1.2"),
        "`noul` is 1.2, expected 0 to 1 (probability-range)",
    );
    refused(
        &case,
        &with("true"),
        "`noul` is true, expected a number (number)",
    );
    refused(
        &case,
        &reply(r#"{"type":"noul"}"#),
        "the answer has no `noul` (number)",
    );
}

#[test]
fn v13_v14_usage_and_model_that_are_none_are_remarked_and_unknown() {
    let case = three();
    let with = |rest: &str| {
        read(
            &case,
            &format!(r#"{{"answers":{{"q":{{"type":"choice","choice":"a"}}}}{rest}}}"#),
        )
        .unwrap()
    };
    let answer = with(r#","model":"","usage":{"input_tokens":1.5,"output_tokens":-1}"#);
    assert_eq!(
        answer.remarks,
        [
            "the reply does not say which model answered",
            "`usage.input_tokens` is 1.5, expected a whole number",
            "`usage.output_tokens` is -1, expected a whole number",
        ]
    );
    assert_eq!(answer.usage, Usage::default().into());
    assert_eq!(
        with(r#","model":"m","usage":7"#).remarks,
        ["`usage` is 7, expected an object"]
    );
    assert!(with(r#","model":"m","x_new":[{}]"#).remarks.is_empty());
}
