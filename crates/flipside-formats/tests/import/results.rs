//! Results of sys1-eval that the real files do not have.

use flipside_formats::import::Supplements;

use super::{Folder, cases, lines, read};

const ROWS: &str = concat!(
    r#"{"id":"two","ok":true,"model":"m","answers":{"a":{"type":"choice","choice":"x","probabilities":{"y":0.25,"x":0.75}},"b":{"type":"choice","choice":"p","probabilities":{"p":1}}},"error":null,"usage":{"input_tokens":5}}"#,
    "\n",
    r#"{"id":"level","ok":true,"model":"m","answers":{"s":{"type":"score","score":0.5,"probabilities":{"0":0.5,"1":0.5},"legend":{"0":"low","1":"high"}}},"error":null}"#,
    "\n",
    r#"{"id":"bare","ok":true,"model":"m","answers":{"s":{"type":"score","score":0.25,"probabilities":{"0":0.75,"1":0.25}}},"error":null}"#,
    "\n",
    r#"{"id":"fact","ok":true,"model":"m","answers":{"n":{"type":"noul","noul":0.9}},"error":null}"#,
    "\n",
    r#"{"id":"pick","ok":true,"model":"m","answers":{"c":{"type":"choice","choice":"only"}},"error":null}"#,
    "\n",
    r#"{"id":"odd","ok":true,"model":"m","answers":{"c":"x"},"error":null}"#,
    "\n",
    r#"{"id":"gone","ok":false,"model":"m","answers":null,"error":"timed out","status":504}"#,
    "\n",
    r#"{"id":"lost","ok":false,"answers":null,"error":null}"#,
    "\n",
    r#"{"id":"wrong","ok":true,"model":"m","answers":{"c":{"type":"choice","choice":"x","probabilities":{"x":0.2,"y":0.8}}},"error":null}"#,
    "\n",
    r#"{"id":"fact","ok":true,"model":"m","answers":{"n":{"type":"noul","noul":0.1}},"error":null}"#,
    "\n",
);

#[test]
fn results_without_cases_are_what_their_answers_say() {
    insta::assert_snapshot!(lines(&Folder::new().read("results.jsonl", ROWS)));
}

#[test]
fn results_with_cases_fail_by_name_and_miss_by_name() {
    let choice = r#"{"type":"choice","criteria":{"x":"X","y":"Y"}}"#;
    let cases_of = concat!(
        r#"{"id":"two","track":"T","state":"s","questions":{"a":CHOICE,"b":{"type":"choice","criteria":{"p":"P"}}},"gold":{"a":"x"},"gold_alt":["y"]}"#,
        "\n",
        r#"{"id":"gone","track":"T","state":"s","questions":{"c":CHOICE},"gold":{"c":"y"}}"#,
        "\n",
        r#"{"id":"never","track":"T","state":"s","questions":{"c":CHOICE},"gold":{}}"#,
        "\n",
        r#"{"id":"wrong","track":"T","state":"s","questions":{"d":CHOICE},"gold":{"d":"y"}}"#,
        "\n",
        r#"{"id":"fact","track":"T","state":"s","questions":{"n":{"type":"noul"}},"gold":{"n":true}}"#,
        "\n",
    );
    let folder = Folder::new();
    let supplements = Supplements {
        cases: cases(&folder.write("cases.jsonl", &cases_of.replace("CHOICE", choice))),
        ..Supplements::default()
    };
    insta::assert_snapshot!(lines(&read(
        &folder.write("results.jsonl", ROWS),
        &supplements
    )));
}

#[test]
fn each_question_of_a_case_without_a_right_answer_has_its_result() {
    let folder = Folder::new();
    let case = r#"{"id":"two","track":"T","state":"s","questions":{"a":{"type":"choice","criteria":{"y":"Y","x":"X"}},"b":{"type":"choice","criteria":{"p":"P"}}},"gold":{}}"#;
    let cases = cases(&folder.write("cases.jsonl", case));
    let ids: Vec<&str> = cases.iter().map(|case| case.id.0.as_str()).collect();
    assert_eq!(ids, ["two#a", "two#b"]);
    let supplements = Supplements {
        cases,
        ..Supplements::default()
    };
    let first = ROWS.lines().next().unwrap();
    insta::assert_snapshot!(lines(&read(
        &folder.write("results.jsonl", first),
        &supplements
    )));
}
