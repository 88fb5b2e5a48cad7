//! What is refused, in our words, and how values are rendered.

use std::collections::BTreeMap;

use flipside_core::json::Json;
use flipside_local::laya::{State, only};

use crate::golden::Golden;
use crate::support::open;

#[test]
fn values_are_rendered_as_python_writes_them() {
    let golden = Golden::open("laya-a");
    assert!(golden.list("renders").len() > 10);
    for render in golden.list("renders") {
        let text = render["json"].as_str().unwrap();
        let Ok(value) = flipside_formats::json::parse(text) else {
            assert!(text.contains("NaN"), "{text}");
            continue;
        };
        let Ok(state) = State::of(&value) else {
            assert!(text.contains("e400"), "{text}");
            continue;
        };
        assert_eq!(state.text, render["text"].as_str().unwrap());
    }
}

/// A System One request of one question.
fn request(state: &str, id: &str, question: &str) -> Json {
    let id = serde_json::to_string(id).unwrap();
    let text = format!(r#"{{"state":{state},"questions":{{{id}:{question}}}}}"#);
    flipside_formats::json::parse(&text).unwrap()
}

/// What is said of each question that the package refuses, behind the question's name where it has one.
const REFUSED: [(&str, &str); 37] = [
    (
        "type-missing",
        "`type` is null, expected `choice`, `score` or `noul`",
    ),
    (
        "type-unknown",
        "`type` is `bool`, expected `choice`, `score` or `noul`",
    ),
    (
        "type-number",
        "`type` is a number, expected `choice`, `score` or `noul`",
    ),
    (
        "not-an-object",
        "the question is an array, expected an object",
    ),
    ("instructions-missing", "the question has no `instructions`"),
    ("instructions-null", "the question has no `instructions`"),
    ("instructions-blank", "the question has no `instructions`"),
    (
        "instructions-empty-list",
        "the question has no `instructions`",
    ),
    (
        "instructions-empty-object",
        "the question has no `instructions`",
    ),
    (
        "choice-no-criteria",
        "`criteria` is null, expected an object or an array of labels",
    ),
    (
        "choice-empty-object",
        "`criteria` is empty, expected an option or more",
    ),
    (
        "choice-empty-list",
        "`criteria` is empty, expected an option or more",
    ),
    (
        "choice-text",
        "`criteria` is a string, expected an object or an array of labels",
    ),
    (
        "choice-null-label",
        "a label of `criteria` is null, expected a scalar",
    ),
    (
        "choice-nested-label",
        "a label of `criteria` is an array, expected a scalar",
    ),
    (
        "choice-repeated",
        "the label `a` stands twice in `criteria`",
    ),
    (
        "choice-repeated-number",
        "the label `1.0` stands twice in `criteria`",
    ),
    (
        "score-object",
        "`criteria` is an object, expected an array of levels",
    ),
    (
        "score-empty",
        "`criteria` is empty, expected a level or more",
    ),
    ("score-null", "level 1 is null, expected a text"),
    (
        "noul-list",
        "`criteria` is an array, expected an object of `true` and `false`",
    ),
    (
        "noul-other-key",
        "`criteria` has the key `yes`, expected `true` and `false`",
    ),
    ("order-short", "`option_order` is no permutation of 0 to 3"),
    (
        "order-repeats",
        "`option_order` is no permutation of 0 to 3",
    ),
    ("order-range", "`option_order` is no permutation of 0 to 3"),
    (
        "order-text",
        "`option_order` is a string, expected an array of indices",
    ),
    (
        "order-boolean",
        "`option_order` is no permutation of 0 to 1",
    ),
    ("noul-order-3", "`option_order` is no permutation of 0 to 1"),
    (
        "labels-on-choice",
        "`labels` belong to `noul` questions, whose sides have no other words",
    ),
    ("labels-one", "`labels.false` is null, expected a word"),
    (
        "labels-same",
        "`labels` has to hold `true` and `false` with different words, and nothing else",
    ),
    (
        "labels-blank",
        "`labels.false` is a string, expected a word",
    ),
    (
        "labels-number",
        "`labels.false` is a number, expected a word",
    ),
    ("id-0-blanks", "a question's name must not be blank"),
    ("id-2-blanks", "a question's name must not be blank"),
    (
        "markers-many",
        "78 of 200 options fit into 320 tokens; offer fewer, or shorter ones",
    ),
    (
        "markers",
        "78 of 79 options fit into 320 tokens; offer fewer, or shorter ones",
    ),
];

#[test]
fn what_the_package_refuses_is_refused_in_these_words() {
    let golden = Golden::open("laya-a");
    let (_kept, folder) = golden.checkpoint();
    let laya = open(&folder);
    let expected = BTreeMap::from(REFUSED);
    assert_eq!(golden.list("errors").len(), expected.len());
    for error in golden.list("errors") {
        let text = |member: &str| error[member].as_str().unwrap();
        let (id, name) = (text("question_id"), text("name"));
        let request = request(text("state_json"), id, text("question_json"));
        let said = laya.check(&request).unwrap_err().to_string();
        let of = format!("question `{id}`: ");
        let named = if id.trim().is_empty() { "" } else { &of };
        assert_eq!(said, format!("{named}{}", expected[name]), "{name}");
        assert_eq!(laya.reply("m", &request).unwrap_err().to_string(), said);
    }
}

#[test]
fn what_no_package_would_be_sent_is_refused_too() {
    let golden = Golden::open("laya-a");
    let (_kept, folder) = golden.checkpoint();
    let laya = open(&folder);
    for (state, question, said) in [
        (
            "[1e400]",
            r#"{"type":"noul","instructions":"x"}"#,
            "the state holds the number 1e400, which is too large",
        ),
        (
            "1",
            r#"{"type":"noul","instructions":[-1e999]}"#,
            "question `q`: `instructions` holds the number -1e999, which is too large",
        ),
        (
            "1",
            r#"{"type":"choice","instructions":"x","criteria":{"a":{"b":1e400}}}"#,
            "question `q`: option `a` holds the number 1e400, which is too large",
        ),
        (
            "1",
            r#"{"type":"choice","instructions":"x","criteria":[1e400]}"#,
            "question `q`: a label of `criteria` holds the number 1e400, which is too large",
        ),
        (
            "1",
            r#"{"type":"score","instructions":"x","criteria":["a",1e400]}"#,
            "question `q`: level 1 holds the number 1e400, which is too large",
        ),
        (
            "1",
            r#"{"type":"noul","instructions":"x","criteria":{"TRUE":1e400}}"#,
            "question `q`: criterion `true` holds the number 1e400, which is too large",
        ),
        (
            "1",
            r#"{"type":"noul","instructions":"x","labels":["a","b"]}"#,
            "question `q`: `labels` is an array, expected an object of `true` and `false`",
        ),
        (
            "1",
            r#"{"type":"noul","instructions":"x","labels":{"true":"a","false":"b","maybe":"c"}}"#,
            "question `q`: `labels` has to hold `true` and `false` with different words, and nothing else",
        ),
    ] {
        let request = request(state, "q", question);
        assert_eq!(laya.check(&request).unwrap_err().to_string(), said);
    }
    let whole = "the request needs `state` and an object of `questions`";
    for text in [
        "[]",
        r#"{"questions":{"q":{"type":"noul","instructions":"x"}}}"#,
        r#"{"state":1}"#,
        r#"{"state":1,"questions":{}}"#,
        r#"{"state":1,"questions":[]}"#,
    ] {
        let request = flipside_formats::json::parse(text).unwrap();
        assert_eq!(laya.check(&request).unwrap_err().to_string(), whole);
        assert_eq!(only(&request).unwrap_err().to_string(), whole);
    }
}
