//! Decisions on record, asked again: what is asked of which, what is left, and how the record compares with now.

use std::path::Path;
use std::time::{Duration, Instant};

use flipside_standin::{Builder, Policy, Standin};
use serde_json::Value;

use crate::schema::valid;
use crate::support::{
    Ran, count, eight_cases, flat, folder, json, model, probe, read, run_line, unlabelled,
};

/// Runs `reask` with `--json` and returns its summary too.
pub(crate) fn reask(folder: &Path, words: &str) -> (Ran, Value) {
    let ran = run_line(folder, &format!("reask {words} --json again.json"));
    let text = std::fs::read_to_string(folder.join("again.json"));
    let text = text.unwrap_or_else(|_| panic!("no summary: {}", ran.err));
    (ran, serde_json::from_str(&text).unwrap())
}

/// A server like `now` where `then` stood, which is stopped.
pub(crate) fn in_place_of(then: Standin, now: &Builder) -> Standin {
    let port = then.origin().rsplit(':').next().unwrap().parse().unwrap();
    then.stop();
    drop(then);
    // Another test's server may stand there for a moment.
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        match now.clone().port(port).start() {
            Ok(server) => return server,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
        std::thread::yield_now();
    }
}

/// Records the eight labelled cases, answered by `first`, in the run folder `a`.
fn of_first(path: &Path) {
    let (ran, _) = probe(
        path,
        &[
            "cases.jsonl",
            "--model",
            "first",
            "--order",
            "reverse",
            "--out",
            "a",
        ],
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
}

#[test]
fn the_model_of_a_run_asked_again_answers_as_recorded() {
    let (_guard, path) = folder(&eight_cases());
    of_first(&path);
    let (ran, summary) = reask(&path, "a --model first");
    assert_eq!(ran.code, 1, "{}", ran.err);
    valid("summary.schema.json", &summary);
    assert_eq!(summary["plan"]["orders"], serde_json::json!(["reverse"]));
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(8));
    let found = &summary["recorded"];
    assert_eq!(
        (&found["baseline"], &found["reason"]),
        (&"ask".into(), &Value::Null)
    );
    assert_eq!(
        (&found["line"]["flips"], &found["line"]["pairs"]),
        (&0.into(), &8.into())
    );
    assert_eq!(found["line"]["backends"], serde_json::json!(["first"]));
    let recording = &found["recordings"][0];
    assert_eq!(
        (&recording["name"], &recording["format"]),
        (&"a".into(), &"flipside-run".into())
    );
    assert_eq!(
        (&recording["decisions"], &recording["reask"]),
        (&8.into(), &8.into())
    );
    assert_eq!(
        ran.err.lines().next(),
        Some("a: 8 decisions of first (flipside-run): 8 can be asked again")
    );
    let out = flat(&ran.out);
    // `first` is right where the accepted option stands first: c0 and c4.
    assert!(out.contains("record own order 0/8 differ as recorded, 95% CI 0.0-32.4%, 2/8 right as recorded, 2/8 now"), "{out}");
}

#[test]
fn another_model_differs_from_the_record_and_verbose_lists_where() {
    let (_guard, path) = folder(&eight_cases());
    of_first(&path);
    let (ran, summary) = reask(
        &path,
        "a --model overlap --axis keys --order reverse --verbose",
    );
    assert_eq!(ran.code, 0, "{}", ran.out);
    let line = &summary["recorded"]["line"];
    // All but c0 and c4, where the accepted option stands first; every answer of `overlap` is right.
    assert_eq!((&line["flips"], &line["pairs"]), (&6.into(), &8.into()));
    assert_eq!(
        (&line["accuracy"]["right"], &line["accuracy"]["own_right"]),
        (&8.into(), &2.into())
    );
    assert_eq!(
        (&line["served_then"][0], &line["served_now"][0]),
        (&"first".into(), &"overlap".into())
    );
    assert_eq!(line["other_model"], 8);
    assert_eq!(line["verdict"], "no gate");
    assert!(summary["axes"]["keys"].is_object());
    let out = flat(&ran.out);
    assert!(
        out.contains(
            "6/8 differ differs from the record, 95% CI 40.9-92.9%, 2/8 right as recorded, 8/8 now"
        ),
        "{out}"
    );
    let listed = ran.out.split("differs from the record").last().unwrap();
    assert!(
        listed.contains("as recorded") && !listed.contains("c0 "),
        "{}",
        ran.out
    );
    assert!(flat(listed).contains("c1 billing 1st 0.90 ✗"), "{listed}");
    assert_eq!(summary["cases"][1]["recorded"]["flip"], true);
}

#[test]
fn decisions_without_what_a_request_needs_are_left_out_and_counted() {
    let (_guard, path) = folder(&eight_cases());
    of_first(&path);
    let cases = read(&path, "a/cases.jsonl");
    let unlisted = |line: &str| line.replacen("\"id\":", "\"unlisted\":true,\"id\":", 1);
    let mut lines: Vec<String> = cases.lines().map(str::to_owned).collect();
    for line in &mut lines[..3] {
        *line = unlisted(line);
    }
    std::fs::write(path.join("a/cases.jsonl"), lines.join("\n") + "\n").unwrap();
    let (ran, summary) = reask(&path, "a --model overlap");
    assert_eq!(summary["counts"]["cases"], 5);
    let recording = &summary["recorded"]["recordings"][0];
    let counts = ["decisions", "reask", "compare", "neither"].map(|name| &recording[name]);
    assert_eq!(counts, [8, 5, 3, 0]);
    let missing = serde_json::json!([{
        "what": "the order in which the options were offered is not on record",
        "decisions": 3,
        "supplied_by": "`--options-from CASES` with cases that list the options in order",
    }]);
    assert_eq!(recording["missing"], missing);
    assert!(
        ran.err.starts_with(
            "a: 8 decisions of first (flipside-run): 5 can be asked again, 3 only compared\n  \
             3: the order in which the options were offered is not on record; `--options-from CASES` with cases that list the \
             options in order\n"
        ),
        "{}",
        ran.err
    );
    assert!(
        flat(&ran.out).contains("5 can be asked again, 3 only compared; left: the order in which the options were offered is not on record (3)"),
        "{}",
        ran.out
    );

    let all: String = cases.lines().map(|line| unlisted(line) + "\n").collect();
    std::fs::write(path.join("a/cases.jsonl"), all).unwrap();
    let ran = run_line(&path, "reask a --model jev");
    assert_eq!(ran.code, 2);
    assert_eq!(ran.out, "");
    assert!(
        ran.err.ends_with(
            "error: `a`: none of its 8 decisions can be asked again: the order in which the options were offered is not on record \
             (8)\nhelp: `--options-from CASES` with cases that list the options in order; `flipside compare` reports what the \
             answers alone show\n"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn one_decision_in_two_runs_is_one_case_and_two_questions_of_one_id_are_two() {
    let (_guard, path) = folder(&eight_cases());
    of_first(&path);
    probe(&path, &["cases.jsonl", "--model", "last", "--out", "b"]);
    let (ran, summary) = reask(&path, "a b --model overlap");
    assert_eq!(
        (
            &summary["counts"]["cases"],
            &summary["counts"]["duplicates"]
        ),
        (&8.into(), &8.into())
    );
    let merged = summary["recorded"]["merged"].as_array().unwrap();
    assert_eq!(merged.len(), 8);
    assert_eq!(
        (&merged[0]["decisions"], &merged[0]["answers"]),
        (&2.into(), &2.into())
    );
    assert!(
        flat(&ran.out).contains(
            "8 cases stand for 16 recorded decisions; of 8 the recorded answers disagree (c0, c1, c2, …), the first valid one counts"
        ),
        "{}",
        ran.out
    );
    assert!(
        ran.err.contains("warning: figures are not split by `backend`: 8 decisions of one value asked the same as a decision of another"),
        "{}",
        ran.err
    );
    // Other questions under the same ids: all are asked, and figures are split by who answered.
    let other = eight_cases().replace("Pick the desk.", "Choose a desk.");
    std::fs::write(path.join("other.jsonl"), other).unwrap();
    probe(&path, &["other.jsonl", "--model", "last", "--out", "c"]);
    let (ran, summary) = reask(&path, "a c --model first");
    assert_eq!(summary["counts"]["cases"], 16, "{}", ran.err);
    let ids: Vec<&str> = summary["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case["id"].as_str().unwrap())
        .collect();
    assert_eq!((ids[0], ids[8]), ("a/c0", "c/c0"));
    let splits = summary["splits"]["by"].as_array().unwrap();
    let split = splits
        .iter()
        .find(|split| split["name"] == "backend")
        .unwrap();
    let values: Vec<(&str, u64)> = split["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| {
            let flips = &value["axes"]["order"]["reverse"];
            (
                value["value"].as_str().unwrap(),
                flips["hits"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(values, [("first", 8), ("last", 8)]);
    // As recorded where `first` answered, never where `last` did.
    assert_eq!(summary["recorded"]["line"]["flips"], 8);
    assert_eq!(
        summary["recorded"]["line"]["backends"],
        serde_json::json!(["first", "last"])
    );
}

#[test]
fn cases_that_bring_their_record_along_show_it_in_a_probe_too() {
    let (_guard, path) = folder(&eight_cases());
    of_first(&path);
    let (ran, _) = reask(&path, "a --model overlap --out b");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let run = json(&path, "b/run.json");
    assert_eq!(
        (&run["recordings"][0]["name"], &run["sources"][0]["name"]),
        (&"a".into(), &"a".into())
    );
    assert_eq!(run["baseline"], Value::Null);
    let (ran, summary) = probe(&path, &["b/cases.jsonl", "--model", "last"]);
    let line = &summary["recorded"]["line"];
    assert_eq!((&line["flips"], &line["pairs"]), (&8.into(), &8.into()));
    assert_eq!(summary["recorded"]["recordings"], serde_json::json!([]));
    assert!(
        flat(&ran.out).contains("record own order 8/8 differ"),
        "{}",
        ran.out
    );
    // Another model of the record's cases, and several models.
    let ran = run_line(&path, "reask b --model first --model overlap --verbose");
    assert_eq!(ran.code, 1, "{}", ran.err);
    // What `overlap` answered in `b` is recorded there: both reports of each model say how it compares.
    for (model, differ) in [("first", "6/8"), ("overlap", "0/8")] {
        let row = format!("record own order {differ} differ");
        assert_eq!(
            flat(&ran.out).matches(&row).count(),
            2,
            "{model}: {}",
            ran.out
        );
    }
}

#[test]
fn a_server_that_changed_since_answers_otherwise_than_recorded() {
    let (_guard, path) = folder(&unlabelled(10));
    let then = Standin::builder().policy(Policy::First).start().unwrap();
    let words = model(&then);
    probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            &words,
            "--gate",
            "none:fit",
            "--out",
            "a",
        ],
    );
    let now = in_place_of(then, &Standin::builder().policy(Policy::Last));
    let (ran, summary) = reask(
        &path,
        &format!("a --model {words} --no-confirm --gate none:fit --out b"),
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(now.count(), 20);
    let line = &summary["recorded"]["line"];
    assert_eq!(
        (&line["flips"], &line["pairs"], &line["other_model"]),
        (&10.into(), &10.into(), &0.into())
    );
    // 0.9 on the first against 0.9 on the last of three: half of 0.85 twice.
    let moved = line["drift"]["total_variation"]["median"].as_f64().unwrap();
    assert!((moved - 0.85).abs() < 1e-9, "{moved}");
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(10));
}

#[test]
fn values_that_cannot_be_are_all_refused_before_anything_is_read() {
    let (_guard, path) = folder(&eight_cases());
    let ran = run_line(
        &path,
        "reask a a --baseline mine --rules x --rules-from cases.jsonl --order reserve",
    );
    assert_eq!(ran.code, 2);
    for error in [
        "error: `a` is given twice",
        "error: `--baseline mine`: expected `ask` or `recorded`",
        "error: `--rules` and `--rules-from` both say what the rules were\nhelp: give one of them",
        "error: `--order`: `reserve`",
    ] {
        assert!(ran.err.contains(error), "{error}\n{}", ran.err);
    }
    of_first(&path);
    for (words, error) in [
        ("reask nowhere", "nowhere"),
        (
            "reask a --rules @nowhere.txt",
            "error: `--rules`: failed to open file `nowhere.txt`",
        ),
        ("reask a --rules-from nowhere.jsonl", "nowhere.jsonl"),
        (
            "reask a --out a",
            "error: `--out a` is a recording that is read\nhelp: name another folder",
        ),
        (
            "reask a --json a/x.json",
            "error: `--json a/x.json` is a file of this run",
        ),
        (
            "reask a --order reverse --adaptive planned --axis keys",
            "asking adaptively decides about one order",
        ),
    ] {
        let ran = run_line(&path, words);
        assert_eq!(ran.code, 2, "{words}: {}", ran.err);
        assert!(ran.err.contains(error), "{words}: {}", ran.err);
    }
    std::fs::write(path.join("empty.txt"), "\n").unwrap();
    let ran = run_line(&path, "reask a --rules @empty.txt");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "error: `--rules`: the text is empty\n")
    );
}

#[test]
fn what_no_decision_lacks_is_said_to_change_nothing() {
    let (_guard, path) = folder(&eight_cases());
    of_first(&path);
    let ran = run_line(
        &path,
        "reask a --rules x --options-from cases.jsonl --cases cases.jsonl",
    );
    for flag in ["--rules", "--options-from", "--cases"] {
        let warning =
            format!("warning: `{flag}` changes nothing: no decision lacks what it supplies");
        assert!(ran.err.contains(&warning), "{}", ran.err);
    }
    assert!(!run_line(&path, "reask a").err.contains("changes nothing"));
}
