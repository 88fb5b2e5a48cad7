//! `flipside compare` on the published answers of sys1-eval, from the files as they are: every figure that their authors' own
//! numbers come to.

use std::path::Path;

use serde_json::Value;

use crate::support::{folder, run_line};

/// The summary of `flipside compare` in the folder of the recorded answers.
fn compared(words: &str) -> Value {
    let (_guard, out) = folder("");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sys1-eval");
    let file = out.join("summary.json");
    let ran = run_line(&data, &format!("compare {words} --json {}", file.display()));
    assert!(ran.code <= 1, "{}", ran.err);
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn expected() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sys1-eval/expected.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Theirs are written with six decimals.
fn near(found: &Value, expected: &Value) {
    let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
}

fn near_drift(found: &Value, expected: &Value) {
    near(&found["mean_total_variation"], &expected["mean_tv"]);
    near(&found["mean_largest_change"], &expected["mean_max_abs_dp"]);
    near(&found["largest_change"], &expected["largest_max_abs_dp"]);
}

/// The slice of `value` in the split by the field `name`.
fn slice<'a>(summary: &'a Value, name: &str, value: &str) -> &'a Value {
    let find = |list: &'a Value, member: &str, wanted: &str| {
        let mut items = list.as_array().unwrap().iter();
        items.find(|item| item[member] == wanted).unwrap()
    };
    let split = find(&summary["splits"]["by"], "name", name);
    find(&split["values"], "value", value)
}

#[test]
fn the_routing_pairs_come_to_the_published_figures() {
    let (found, expected) = (compared("laya-router-400.csv"), expected());
    let router = &expected["laya_router_400"];
    let line = &found["axes"]["order"]["reverse"];
    assert_eq!(line["flips"], router["flips"]);
    let way = &line["direction"]["pairs"][0];
    assert_eq!(
        (&way["from"], &way["to"]),
        (&Value::from("strong"), &Value::from("cheap"))
    );
    assert_eq!(way["forth"], router["strong_to_cheap"]);
    assert_eq!(way["back"], router["cheap_to_strong"]);
    // Twice the chance of 13 or fewer of 121 fair coins.
    let p = way["p"].as_f64().unwrap();
    assert!((p / 8.369_427_446_252_143e-20 - 1.0).abs() < 1e-9, "{p}");
    assert_eq!(found["fit"]["right"], router["correct_original"]);
    assert_eq!(line["accuracy"]["right"], router["correct_reversed"]);
    let cheap = &line["key_changes"]["keys"][0];
    assert_eq!(cheap["key"], "cheap");
    near(&cheap["mean"], &router["mean_dp_cheap"]);
    for (ours, theirs) in [
        ("up", "up"),
        ("down", "down"),
        ("same", "same"),
        ("own_chosen", "cheap_original"),
        ("chosen", "cheap_reversed"),
    ] {
        assert_eq!(cheap[ours], router[theirs], "{ours}");
    }
    let averaged = &found["averaged_answer"];
    assert_eq!(
        averaged["mean"]["accuracy"]["right"],
        router["mean_vote_correct"]
    );
    assert_eq!(averaged["mean"]["ties"], router["mean_vote_tie"]);
    let drift = line["drift"]["reported"]["largest_change"].clone();
    near(&drift, &router["max_abs_dp"]);
}

#[test]
fn the_pilots_drift_is_the_published_one_for_each_track() {
    let (found, expected) = (
        compared("laya.jsonl laya-flip.jsonl --by track"),
        expected(),
    );
    let pilot = &expected["laya_pilot"];
    let line = &found["axes"]["unrecorded"]["variant"];
    near_drift(&line["drift"]["reported"], &pilot["ALL"]);
    for (track, letter) in [
        ("A_model_router", "A"),
        ("B_tool_selection", "B"),
        ("F_cardinality_multilingual", "F"),
    ] {
        let part = &slice(&found, "track", track)["axes"]["unrecorded"]["variant"];
        assert_eq!(part["pairs"], pilot[letter]["pairs"], "{track}");
        assert_eq!(part["hits"], pilot[letter]["flips"], "{track}");
        near_drift(&part["drift"], &pilot[letter]);
    }
    let jev =
        compared("jev.jsonl jev-flip.jsonl --cases cases.jsonl --variant-cases cases-flip.jsonl");
    let line = &jev["axes"]["order"]["reverse"];
    let theirs = &expected["jev_pilot"]["B"];
    assert_eq!(
        (&line["flips"], &line["pairs"]),
        (&theirs["flips"], &theirs["pairs"])
    );
    near_drift(&line["drift"]["reported"], theirs);
}

#[test]
fn the_order_table_tells_how_often_the_first_listed_was_chosen() {
    let expected = expected();
    for (name, system, track) in [
        ("laya_A", "laya", "A"),
        ("laya_B", "laya", "B"),
        ("laya_F", "laya", "F"),
        ("laya_A400", "laya", "A400"),
        ("jev_B", "jev", "B"),
    ] {
        let found = compared(&format!(
            "order-table.csv --where system={system} --where track={track}"
        ));
        let theirs = &expected["position"][name];
        let line = &found["axes"]["order"]["reverse"];
        for (ours, order, right) in [
            ("own", "original", &found["fit"]["right"]),
            ("reverse", "reversed", &line["accuracy"]["right"]),
        ] {
            let places = &found["position"]["by_order"][ours];
            assert_eq!(places["answers"], theirs[order]["n"], "{name}");
            assert_eq!(places["first"], theirs[order]["first_listed"], "{name}");
            assert_eq!(places["last"], theirs[order]["last_listed"], "{name}");
            let even = theirs[order]["expected_first_if_uniform"].as_f64().unwrap();
            let found = places["expected"].as_f64().unwrap();
            // Written with four decimals.
            assert!((found - even).abs() < 1e-4, "{name} {found} {even}");
            if theirs[order]["gold_known"] != 0 {
                assert_eq!(*right, theirs[order]["correct"], "{name}");
            }
        }
    }
}
