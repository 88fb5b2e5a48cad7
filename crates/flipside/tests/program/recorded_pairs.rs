//! `flipside compare` over what other programs recorded: pairs of two presentations, judged like a probe's.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::schema::valid;
use crate::support::{Ran, eight_cases, flat, folder, lines, run, run_line};

/// A folder with the recorded answers of sys1-eval.
fn recorded() -> (tempfile::TempDir, PathBuf) {
    let (guard, path) = folder("");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sys1-eval");
    for entry in std::fs::read_dir(data).unwrap() {
        let entry = entry.unwrap();
        let bytes = std::fs::read(entry.path()).unwrap();
        std::fs::write(path.join(entry.file_name()), bytes).unwrap();
    }
    (guard, path)
}

/// A comparison with the summary of its pairs.
fn compare(path: &Path, words: &str) -> (Ran, Value) {
    let ran = run_line(path, &format!("compare {words} --json pairs-for-test.json"));
    let text = std::fs::read_to_string(path.join("pairs-for-test.json"));
    let text = text.unwrap_or_else(|_| panic!("no summary: {}", ran.err));
    let value = serde_json::from_str(&text).unwrap();
    valid("summary.schema.json", &value);
    (ran, value)
}

fn refused(path: &Path, words: &str) -> String {
    let ran = run_line(path, &format!("compare {words}"));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    ran.err
}

/// The ids of flipped cases, in byte order.
fn flipped(summary: &Value) -> Vec<String> {
    let cases = summary["cases"].as_array().unwrap().iter();
    let flips = |case: &&Value| {
        case["asks"]
            .as_array()
            .unwrap()
            .iter()
            .any(|ask| ask["flip"] == true)
    };
    let mut ids: Vec<String> = cases
        .filter(flips)
        .map(|case| case["id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids
}

fn expected(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path.join("expected.json")).unwrap()).unwrap()
}

#[test]
fn a_table_with_both_orders_gives_the_published_figures_of_its_400_pairs() {
    let (_guard, path) = recorded();
    // The columns say that one order is the other reversed, and not which option came first.
    let (bare, unplaced) = compare(&path, "laya-router-400.csv");
    assert_eq!(unplaced["axes"]["order"]["reverse"]["flips"], 121);
    assert_eq!(
        (&unplaced["position"], &unplaced["fit"]["position_baseline"]),
        (&Value::Null, &Value::Null)
    );
    assert!(
        flat(&bare.out)
            .contains("position not told: no order of the options is on record for 400 cases"),
        "{}",
        bare.out
    );
    let listed =
        "{\"state\":{},\"options\":{\"cheap\":\"\",\"strong\":\"\"},\"rules\":\"Pick.\"}\n";
    std::fs::write(path.join("listed.jsonl"), listed).unwrap();
    let (ran, found) = compare(&path, "laya-router-400.csv --options-from listed.jsonl");
    let line = &found["axes"]["order"]["reverse"];
    assert_eq!(
        (line["flips"].as_u64(), line["pairs"].as_u64()),
        (Some(121), Some(400))
    );
    assert_eq!(found["fit"]["right"], 194);
    assert_eq!(line["accuracy"]["right"], 197);
    assert_eq!(line["accuracy"]["of"], 400);
    // First-listed 234 times in the own order and 71 times reversed: 305 of 800, and 495 in the last place.
    let group = &found["position"]["by_options"][0];
    assert_eq!(group["chosen"], serde_json::json!([305, 495]));
    let place = |case: &Value, ask: usize| {
        let ask = &case["asks"][ask];
        let order = ask["order"].as_array().unwrap();
        order.iter().position(|id| *id == ask["choice"]).unwrap()
    };
    let cases = found["cases"].as_array().unwrap();
    let first = |ask: usize| cases.iter().filter(|case| place(case, ask) == 0).count();
    assert_eq!((first(0), first(1)), (234, 71));
    assert_eq!(ran.code, 1);
    let text = flat(&ran.out);
    assert!(
        text.contains("recorded laya-router-400.csv: 400 cases, 800 answers")
            && text.contains("model not on record"),
        "{text}"
    );
    assert!(text.contains("121/400 flipped"), "{text}");
    assert!(
        text.contains("cause open: its flips were not asked once more"),
        "{text}"
    );
    assert!(text.contains("fit own order 194/400 right"), "{text}");
    assert!(
        !text.contains("request") && !text.contains("asked again"),
        "{text}"
    );
    assert!(
        ran.err.contains("nothing on record was asked twice"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("--no-confirm"), "{}", ran.err);
}

#[test]
fn results_without_their_cases_tell_flips_by_key_and_nothing_of_positions() {
    let (_guard, path) = recorded();
    let (ran, found) = compare(&path, "laya.jsonl laya-flip.jsonl --by track");
    let expected = expected(&path);
    let figure = &found["axes"]["unrecorded"]["variant"];
    assert_eq!(
        (figure["flips"].as_u64(), figure["pairs"].as_u64()),
        (Some(21), Some(60))
    );
    assert_eq!(
        Value::from(flipped(&found)),
        expected["laya_pilot"]["ALL"]["flipped_ids"]
    );
    // By track: the ids that expected.json lists for each.
    for (track, letter) in [
        ("A_model_router", "A"),
        ("B_tool_selection", "B"),
        ("F_cardinality_multilingual", "F"),
    ] {
        let (_, part) = compare(
            &path,
            &format!("laya.jsonl laya-flip.jsonl --where track={track}"),
        );
        let whole = &expected["laya_pilot"][letter];
        let figure = &part["axes"]["unrecorded"]["variant"];
        assert_eq!(figure["pairs"], whole["pairs"], "{track}");
        assert_eq!(Value::from(flipped(&part)), whole["flipped_ids"], "{track}");
        let drift = &part["axes"]["unrecorded"]["variant"]["drift"];
        let mean = drift["total_variation"]["mean"].as_f64().unwrap();
        // Theirs is not renormalised: 2 to 77 probabilities of 4 decimals.
        assert!(
            (mean - whole["mean_tv"].as_f64().unwrap()).abs() < 1e-3,
            "{track}: {mean}"
        );
    }
    assert_eq!(ran.code, 0, "nothing is gated: {}", ran.out);
    assert_eq!(found["position"], Value::Null);
    assert_eq!(found["fit"]["position_baseline"], Value::Null);
    let text = flat(&ran.out);
    assert!(
        text.contains("also company 25 pairs: 2 questions in one request, 1 in the other"),
        "{text}"
    );
    assert!(
        text.contains(
            "position not told: no order of the options is on record for 60 cases; `--cases`"
        ),
        "{text}"
    );
    assert!(
        !text.contains("1st") && !text.contains("followed the position"),
        "{text}"
    );
    let gated = |gate: &str| {
        run(
            &path,
            &["compare", "laya.jsonl", "laya-flip.jsonl", "--gate", gate],
        )
        .code
    };
    // 21 of 60 is 35 %.
    assert_eq!((gated("unrecorded<=35%"), gated("unrecorded<=34%")), (0, 1));
}

#[test]
fn the_cases_of_both_sides_bring_orders_labels_and_positions() {
    let (_guard, path) = recorded();
    let words = "laya.jsonl laya-flip.jsonl --cases cases.jsonl --variant-cases cases-flip.jsonl";
    let (ran, found) = compare(&path, words);
    let line = &found["axes"]["order"]["reverse"];
    // 25 tool choices, 9 of them flipped, and the three of 77 options, of which c067 is none.
    assert_eq!(
        (line["flips"].as_u64(), line["pairs"].as_u64()),
        (Some(10), Some(28))
    );
    let sizes: u64 = found["position"]["by_options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group["cases"].as_u64().unwrap())
        .sum();
    assert_eq!(sizes, 28);
    // Of the tool choices 14 right in the own order and 13 reversed, of the other three two each.
    assert_eq!(
        (
            found["fit"]["right"].as_u64(),
            line["accuracy"]["right"].as_u64()
        ),
        (Some(16), Some(15))
    );
    let pairs = &found["recorded_pairs"];
    assert_eq!(
        (pairs["joined"].as_u64(), pairs["unlisted"].as_u64()),
        (Some(60), Some(32))
    );
    assert_eq!(pairs["quoted"]["state"], 25);
    assert_eq!(ran.code, 1);
    let text = flat(&ran.out);
    assert!(
        text.contains("also state the state of 25 cases lists the options too, and kept its order"),
        "{text}"
    );
    assert!(text.contains("28 labelled"), "{text}");
}

#[test]
fn a_model_that_follows_content_holds_every_gate_from_its_records() {
    let (_guard, path) = recorded();
    let words = "jev.jsonl jev-flip.jsonl --cases cases.jsonl --variant-cases cases-flip.jsonl";
    let (ran, found) = compare(&path, words);
    let figure = &found["axes"]["order"]["reverse"];
    assert_eq!(
        (figure["flips"].as_u64(), figure["pairs"].as_u64()),
        (Some(0), Some(25))
    );
    assert_eq!(found["fit"]["right"], 24);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(flat(&ran.out).contains("0/25 flipped"), "{}", ran.out);
    // In general 25 pairs without a flip show 11.3 % at most.
    let strict = run_line(&path, &format!("compare {words} --strict"));
    assert_eq!(strict.code, 1, "{}", strict.out);
}

#[test]
fn two_models_on_one_presentation_are_a_comparison_and_on_two_they_are_refused() {
    let (_guard, path) = recorded();
    let ran = run_line(
        &path,
        "compare laya.jsonl jev.jsonl --cases cases.jsonl --json both.json",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let both: Value =
        serde_json::from_str(&std::fs::read_to_string(path.join("both.json")).unwrap()).unwrap();
    assert_eq!(both["schema"], "flipside.comparison/1");
    let refusal = refused(
        &path,
        "jev.jsonl laya-flip.jsonl --where track=B_tool_selection --cases cases.jsonl --variant-cases cases-flip.jsonl",
    );
    assert!(
        refusal.contains("differ in two things at once: `jev-1.13.0` answered one"),
        "{refusal}"
    );
    assert!(refusal.ends_with("help: compare one model's answers to two presentations, or two models' answers to one\n"), "{refusal}");
}

#[test]
fn what_failed_is_missing_and_what_one_side_lacks_is_left_out() {
    let (_guard, path) = recorded();
    let text = std::fs::read_to_string(path.join("laya-flip.jsonl")).unwrap();
    let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
    rows[0] = "{\"id\": \"c001\", \"track\": \"B_tool_selection\", \"ok\": false, \"answers\": null, \"error\": \"timed out\"}".to_owned();
    rows.remove(1);
    std::fs::write(path.join("part.jsonl"), lines(&rows)).unwrap();
    let (ran, found) = compare(&path, "laya.jsonl part.jsonl");
    let figure = &found["axes"]["unrecorded"]["variant"];
    // c002 flipped and is on one side only now; c001 did not.
    assert_eq!(
        (
            figure["flips"].as_u64(),
            figure["pairs"].as_u64(),
            figure["missing"].as_u64()
        ),
        (Some(20), Some(58), Some(1))
    );
    let text = flat(&ran.out);
    assert!(
        text.contains("left out 1 case only in the baseline"),
        "{text}"
    );
    assert!(
        text.contains("but 1 case without an answer on the variant's side"),
        "{text}"
    );
}

#[test]
fn every_refusal_says_what_was_found_and_what_to_do() {
    let (_guard, path) = recorded();
    let told = [
        (
            "laya.jsonl",
            "error: `laya.jsonl` holds one answer to each case\n\
             help: name a second file to compare it with, or one file that holds several orders of each case\n",
        ),
        (
            "laya.jsonl laya-flip.jsonl --margin 5% --order own",
            "error: `--margin`, `--order` do not apply: what 60 of 60 common cases were shown is not on record\n\
             help: leave them out; `flipside compare --help` lists what judges answers to the same presentations and to others\n",
        ),
        (
            "laya-router-400.csv --not-worse 2%",
            "error: `--not-worse` does not apply: `laya-router-400.csv` alone is read for several presentations of each case\n\
             help: leave it out; `flipside compare --help` lists what judges answers to the same presentations and to others\n",
        ),
        (
            "laya.jsonl jev.jsonl --cases cases.jsonl --where track=B_tool_selection --strict",
            "error: `--strict` does not apply: both sides were shown the same\n\
             help: leave it out; `flipside compare --help` lists what judges answers to the same presentations and to others\n",
        ),
        (
            "laya-router-400.csv --variant-cases cases.jsonl --where track --gate order=5",
            "error: `--gate`: `order=5`: expected a limit such as `order<=5%`\n\
             help: nothing was read or asked; `flipside compare --help` lists the forms\n\
             error: `--variant-cases` is about VARIANT, and there is none\n\
             help: name the cases of BASELINE with `--cases`\n\
             error: `--where track`: expected a field and its value, such as `track=billing`\n",
        ),
        (
            "laya.jsonl laya-flip.jsonl --where lang=fr",
            "error: `--where lang=fr`: no case of `laya.jsonl` has that value\n\
             error: `--where lang=fr`: no case of `laya-flip.jsonl` has that value\n\
             help: its values are `ar`, `de`, `en`, `ja`, `zh-CN`\n",
        ),
        (
            "laya.jsonl laya-flip.jsonl --json laya.jsonl",
            "error: `--json laya.jsonl` is a file of this run\n\
             help: name another file; the summary would replace what the run reads or keeps\n",
        ),
        (
            "laya.jsonl laya-flip.jsonl --cluster nowhere --where track=F_cardinality_multilingual",
            "error: no case has the field `nowhere`\n",
        ),
    ];
    for (words, text) in told {
        let found = refused(&path, words);
        let warned = |line: &&str| !line.starts_with("warning: ");
        let mut shown: Vec<&str> = found.lines().filter(warned).collect();
        if words.contains("nowhere") {
            shown.truncate(1);
        }
        let start = shown.join("\n") + "\n";
        assert_eq!(start, text, "{words}");
    }
}

#[test]
fn runs_of_ours_over_one_file_and_its_reversal_are_pairs_and_need_no_cases() {
    let (_guard, path) = folder(&eight_cases());
    let text = std::fs::read_to_string(path.join("cases.jsonl")).unwrap();
    let backwards = |line: &str| {
        let (head, rest) = line.split_once("\"options\":{").unwrap();
        let (options, tail) = rest.split_once('}').unwrap();
        let mut options: Vec<&str> = options.split(',').collect();
        options.reverse();
        format!("{head}\"options\":{{{}}}{tail}", options.join(","))
    };
    let reversed: Vec<String> = text.lines().map(backwards).collect();
    std::fs::write(path.join("reversed.jsonl"), lines(&reversed)).unwrap();
    for (model, flips, code) in [("first", 8, 1), ("overlap", 0, 0)] {
        for (file, out) in [("cases", "own"), ("reversed", "other")] {
            let words = format!("probe {file}.jsonl --model {model} --out {model}-{out}");
            assert!(run_line(&path, &words).code < 2);
        }
        let (ran, found) = compare(&path, &format!("{model}-own {model}-other"));
        let figure = &found["axes"]["order"]["reverse"];
        assert_eq!(
            (figure["flips"].as_u64(), figure["pairs"].as_u64()),
            (Some(flips), Some(8))
        );
        assert_eq!(ran.code, code, "{}", ran.out);
    }
    let cases = refused(&path, "first-own first-other --cases cases.jsonl");
    assert_eq!(
        cases,
        "error: `--cases`: `first-own` is a run folder, which holds its cases\nhelp: leave it out\n"
    );
    let models = refused(&path, "first-own overlap-other");
    assert!(
        models.contains("`first` answered one and `overlap` the other, and 8 of 8 common cases"),
        "{models}"
    );
    // One run holds several orders too, and its own summary has the same figures.
    run_line(
        &path,
        "probe cases.jsonl --model first --order reverse --out first-both --no-confirm",
    );
    let (_, alone) = compare(&path, "first-both");
    let probe: Value = serde_json::from_str(
        &std::fs::read_to_string(path.join("first-both/summary.json")).unwrap(),
    )
    .unwrap();
    assert_eq!(alone["axes"], probe["axes"]);
    assert_eq!(alone["position"], probe["position"]);
}

#[test]
fn tables_of_choices_tell_no_number_of_options() {
    let (_guard, path) = folder("");
    // Six decisions with one wrong answer each way: what was chosen and what is right are one key or two.
    let table = |chosen: [&str; 6]| {
        let rows = chosen.iter().enumerate();
        let rows = rows.map(|(place, chosen)| format!("q{place},{chosen},a"));
        format!("id,chosen,gold\n{}\n", rows.collect::<Vec<_>>().join("\n"))
    };
    std::fs::write(path.join("one.csv"), table(["a", "a", "a", "b", "b", "a"])).unwrap();
    std::fs::write(path.join("two.csv"), table(["a", "a", "b", "b", "a", "a"])).unwrap();
    let (_, found) = compare(&path, "one.csv two.csv");
    let figure = &found["axes"]["unrecorded"]["variant"];
    assert_eq!((&figure["flips"], &figure["pairs"]), (&2.into(), &6.into()));
    let splits = found["splits"]["by"].as_array().unwrap();
    assert!(
        splits.iter().all(|split| split["kind"] != "options"),
        "{splits:?}"
    );
}
