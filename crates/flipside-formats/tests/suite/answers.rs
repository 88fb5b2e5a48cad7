//! Answers of any engine to the rows of a suite: how a line finds its row, what it gives, and what is refused.

use flipside_core::case::QuestionKind;
use flipside_core::json::Json;
use flipside_core::suite::{SuiteCase, generate};
use flipside_formats::suite::{Given, SuiteAnswers, read_answers};

use crate::{base, in_file, told};

/// Eight rows of a choice and eight of a noul question.
fn suite() -> Vec<SuiteCase> {
    let bases = [
        base("news/1", QuestionKind::Choice, &["x", "y"], 1),
        base("gate", QuestionKind::Noul, &[], 1),
    ];
    generate(&bases, "f")
        .into_iter()
        .map(|row| row.suite)
        .collect()
}

fn read(text: &str) -> Result<SuiteAnswers, String> {
    in_file(text, |input| {
        read_answers(input, &suite()).map_err(|errors| told(&errors))
    })
}

fn text(value: &str) -> Given {
    Given::Answer(Json::String(value.to_owned()))
}

#[test]
fn a_line_finds_its_row_by_id_or_by_what_the_row_is_and_rows_without_one_stay_open() {
    let lines = [
        r#"{"id":"news/1/p0/reversed/abstract","answer":"A2","ms":12.5,"model":"m-1","confidence":0.4}"#,
        r#"{"base_id":"gate","phrasing":"p1","order":"forward","key_variant":"q1","answer":true,"family":"f"}"#,
        r#"{"id":"gate/p0/forward/q0","base_id":"gate","phrasing":"p0","order":"forward","key_variant":"q0","refusal":true}"#,
        r#"{"id":"news/1/p1/forward/semantic","error":"no answer in time","refusal":false,"answer":null}"#,
        r#"{"id":"news/1/p1/forward/abstract","error":{"code":500}}"#,
    ];
    let found = read(&lines.join("\n")).unwrap();
    let ids: Vec<String> = suite().iter().map(|row| row.case.id.0.clone()).collect();
    let given = |id: &str| {
        let place = ids.iter().position(|known| known == id).unwrap();
        found.rows[place].clone().unwrap()
    };
    let first = given("news/1/p0/reversed/abstract");
    assert_eq!((first.line, first.given), (1, text("A2")));
    assert_eq!(
        (first.ms, first.model.as_deref()),
        (Some(12.5), Some("m-1"))
    );
    assert_eq!(
        given("gate/p1/forward/q1").given,
        Given::Answer(Json::Bool(true))
    );
    assert_eq!(given("gate/p0/forward/q0").given, Given::Refusal);
    let failed = |text: &str| Given::Failed(text.to_owned());
    assert_eq!(
        given("news/1/p1/forward/semantic").given,
        failed("no answer in time")
    );
    assert_eq!(
        given("news/1/p1/forward/abstract").given,
        failed(r#"{"code":500}"#)
    );
    assert_eq!(
        found.rows.iter().filter(|row| row.is_none()).count(),
        16 - 5
    );
    assert_eq!(found.sha256.to_string().len(), 64);
}

#[test]
fn answers_that_cannot_be_read_are_refused_in_these_words() {
    let row = "news/1/p0/forward/semantic";
    let with = |rest: &str| format!("{{\"id\":\"{row}\",{rest}}}");
    let files = [
        ("empty", String::new()),
        ("no object", "7\n".to_owned()),
        ("no such row", r#"{"id":"news/9/p0/forward/semantic","answer":"x"}"#.to_owned()),
        (
            "a row that the suite does not have",
            r#"{"base_id":"gate","phrasing":"p7","order":"forward","key_variant":"q0","answer":true}"#
                .to_owned(),
        ),
        (
            "answered twice, by id and by place",
            with(r#""answer":"x""#)
                + "\n"
                + r#"{"base_id":"news/1","phrasing":"p0","order":"forward","key_variant":"semantic","answer":"y"}"#,
        ),
        ("two rows", with(r#""base_id":"gate","phrasing":"p0","order":"forward","key_variant":"q0","answer":true"#)),
        ("nothing that tells the row", r#"{"answer":"x"}"#.to_owned()),
        ("half of what tells the row", r#"{"base_id":"gate","phrasing":"p0","answer":true}"#.to_owned()),
        (
            "values that no row has",
            [
                r#"{"base_id":"gate","phrasing":"0","order":"forward","key_variant":"q0","answer":true}"#,
                r#"{"base_id":"gate","phrasing":"p0","order":"reverse","key_variant":"q0","answer":true}"#,
                r#"{"base_id":"gate","phrasing":"p0","order":"forward","key_variant":"keys","answer":true}"#,
                r#"{"base_id":1,"phrasing":"p0","order":"forward","key_variant":"q0","answer":true}"#,
            ]
            .join("\n"),
        ),
        ("no answer", with(r#""ms":1"#)),
        ("null and nothing else", with(r#""answer":null"#)),
        ("answer and refusal", with(r#""answer":"x","refusal":true"#)),
        ("a refusal that is none", with(r#""refusal":"yes""#)),
        ("a slip of the pen", with(r#""anwser":"x""#)),
        ("fields of the engine's own, near to known ones", with(r#""answer":"x","us":3,"order":7,"errors":0"#)),
        ("a time that is none", with(r#""answer":"x","ms":-1"#)),
        ("a time that is a text", with(r#""answer":"x","ms":"12""#)),
        ("a model that is none", with(r#""answer":"x","model":1"#)),
    ];
    let mut found = String::new();
    for (title, text) in &files {
        let outcome = read(text).map_or_else(|errors| errors, |_| "read\n".to_owned());
        found.extend([format!("== {title}\n{outcome}")]);
    }
    insta::assert_snapshot!(found);
}
