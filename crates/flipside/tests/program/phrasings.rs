//! Rewordings that cases bring: the example file, what each kind of model does under it, and what a run folder keeps.

use flipside_standin::{Policy, Standin};
use serde_json::{Value, json};

use crate::support::{count, flat, folder, model, probe, probe_line, read};

const EXAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/phrasings.jsonl"
);

fn example(model: &str, more: &[&str]) -> (crate::support::Ran, Value) {
    let (_guard, path) = folder("");
    let words = [&[EXAMPLE, "--model", model, "--axis", "phrasing"], more].concat();
    probe(&path, &words)
}

#[test]
fn a_model_that_reads_positions_alone_does_not_flip_where_the_words_change() {
    let (_, summary) = example("first", &["--gate", "none:fit"]);
    for name in ["1", "2", "3"] {
        let line = &summary["axes"]["phrasing"][name];
        assert_eq!(
            (&line["pairs"], &line["flips"]),
            (&json!(8), &json!(0)),
            "{name}"
        );
        assert_eq!(line["verdict"], "stable");
    }
    assert_eq!(summary["phrasing"]["any_flip"]["count"], 0);
}

#[test]
fn a_model_that_always_says_false_flips_where_a_statement_is_negated_and_nowhere_else() {
    let server = Standin::builder()
        .policy(Policy::KeyBiased)
        .start()
        .unwrap();
    let (ran, summary) = example(&model(&server), &["--gate", "none:fit", "--no-confirm"]);
    let flips = |name: &str| count(&summary, &format!("/axes/phrasing/{name}/flips"));
    // Two of the eight cases are statements, negated by their third rewording.
    assert_eq!(
        [flips("1"), flips("2"), flips("3")],
        [Some(0), Some(0), Some(2)]
    );
    let phrasing = &summary["phrasing"];
    assert_eq!(
        phrasing["different_answers"],
        json!([{"answers": 1, "cases": 6}, {"answers": 2, "cases": 2}])
    );
    // It takes `loans`, level 0 and `false`: right for two choices and one of the two statements, whichever way both are put.
    let rights: Vec<&Value> = phrasing["accuracy"]["wordings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| &each["count"])
        .collect();
    assert_eq!(rights, [3, 3, 3, 3]);
    assert_eq!(phrasing["accuracy"]["value"], 0.0);
    assert_eq!(phrasing["flips"]["value"], 0.25);
    // 0.9 that the opposite holds is 0.1 that the statement does.
    let statement = summary["cases"]
        .as_array()
        .unwrap()
        .iter()
        .find(|case| case["id"] == "open")
        .unwrap();
    let probabilities = |ask: usize| &statement["asks"][ask]["probabilities"];
    let (low, high) = (0.1, 0.9);
    let close = |found: &Value, expected: [f64; 2]| {
        let found: Vec<f64> = found
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p.as_f64().unwrap())
            .collect();
        assert!(
            found
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-9),
            "{found:?}"
        );
    };
    // Identities: `false`, then `true`.
    close(probabilities(0), [high, low]);
    close(probabilities(1), [high, low]);
    close(probabilities(3), [low, high]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(
        flat(&ran.out).contains(
            "phrasing spread 0.0 points 37.5-37.5% right over own words and 3 rewordings, 8 cases"
        ),
        "{}",
        ran.out
    );
    assert!(
        flat(&ran.out).contains("2/8 cases gave more than one answer"),
        "{}",
        ran.out
    );
}

#[test]
fn a_run_folder_keeps_rewordings_so_that_its_cases_ask_the_same_again() {
    let (_guard, path) = folder("");
    let words = [
        EXAMPLE, "--model", "overlap", "--axis", "phrasing", "--gate", "none:fit", "--out", "run",
    ];
    let (_, first) = probe(&path, &words);
    let (again, resumed) = probe(&path, &words);
    assert_eq!(first["plan"]["digest"], resumed["plan"]["digest"]);
    assert!(!again.err.contains("error"), "{}", again.err);
    let (_, copied) = probe_line(
        &path,
        "run/cases.jsonl --model overlap --axis phrasing --gate none:fit",
    );
    assert_eq!(first["plan"]["digest"], copied["plan"]["digest"]);
    assert_eq!(first["axes"], copied["axes"]);
    assert_eq!(
        read(&path, "run/cases.jsonl")
            .matches("\"phrasings\":[{\"name\":\"1\"")
            .count(),
        8
    );
}

#[test]
fn what_is_not_approved_or_not_brought_is_never_asked_and_is_counted() {
    let case = |id: &str, phrasings: &str| {
        format!(
            "{{\"id\":\"{id}\",\"state\":\"{id}\",\"options\":{{\"a\":\"x\",\"b\":\"y\"}},\"rules\":\"r\"{phrasings}}}\n"
        )
    };
    let cases = [
        case(
            "both",
            r#","phrasings":[{"name":"long","rules":"R"},{"name":"short","rules":"S"}]"#,
        ),
        case(
            "waiting",
            r#","phrasings":[{"name":"short","rules":"S","approved":false},{"name":"long","rules":"R"}]"#,
        ),
        case("none", ""),
    ];
    let (_guard, path) = folder(&cases.concat());
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --axis phrasing --gate none:fit",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(
        server.count(),
        3 + 3,
        "three baselines and three rewordings"
    );
    let line = |name: &str| &summary["axes"]["phrasing"][name];
    assert_eq!(line("long")["vacuous_reasons"], json!({"no-phrasing": 1}));
    assert_eq!(
        line("short")["vacuous_reasons"],
        json!({"no-phrasing": 1, "not-approved": 1})
    );
    assert_eq!(
        (&line("long")["pairs"], &line("short")["pairs"]),
        (&json!(2), &json!(1))
    );
}

#[test]
fn rewordings_with_errors_are_refused_before_anything_is_asked() {
    let (_guard, path) = folder(
        "{\"state\":\"s\",\"options\":{\"a\":\"x\",\"b\":\"y\"},\"rules\":\"r\",\"phrasings\":[{\"rules\":\"r\"}]}\n\
         {\"state\":\"t\",\"options\":{\"a\":\"x\",\"b\":\"y\"},\"rules\":\"r\",\"phrasings\":[{\"rules\":\"R\",\"negated\":true}]}\n",
    );
    let ran = crate::support::run_line(&path, "probe cases.jsonl --axis phrasing");
    assert_eq!(ran.code, 2);
    for said in [
        "cases.jsonl:1: expected `phrasings[0]` to be words other than the case's own, found `{\"rules\":\"r\"}`",
        "cases.jsonl:2: expected `phrasings[0].negated` to be left out: only the statement of a noul question has an opposite",
    ] {
        assert!(flat(&ran.err).contains(said), "{}", ran.err);
    }
}

#[test]
fn the_case_of_the_examples_page_is_asked_in_all_its_wordings() {
    let page = include_str!("../../../../examples/README.md");
    let (_, rest) = page.split_once("## Rewordings of your own").unwrap();
    let (_, rest) = rest.split_once("```json").unwrap();
    let (case, _) = rest.split_once("```").unwrap();
    let line: String = case.lines().map(str::trim).collect();
    let (_guard, path) = folder(&(line + "\n"));
    let (_, summary) = probe_line(
        &path,
        "cases.jsonl --model first --axis phrasing --gate none:fit",
    );
    let lines = summary["axes"]["phrasing"].as_object().unwrap();
    let names: Vec<&str> = lines.keys().map(String::as_str).collect();
    assert_eq!(names, ["negated", "question", "story"]);
    assert!(lines.values().all(|line| line["pairs"] == 1), "{summary}");
}
