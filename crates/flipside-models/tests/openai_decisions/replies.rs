//! Replies of OpenAI Decisions: aligned, and refused by name.

use flipside_core::answer::{Declined, Usage};
use flipside_core::order::{OptionId, Order};

use super::{answer, reply, three};
use crate::common::{json, levels, noul};

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
                cost_usd_picos: None
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
