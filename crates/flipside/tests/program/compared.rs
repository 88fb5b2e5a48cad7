//! `flipside compare` in detail: cases by name, fields, other axes, and distances, against the journals themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::compare::compare;
use crate::support::{eight_cases, flat, folder, journal, json_lines, read, run_line};

/// The eight cases, each hard or easy.
fn with_levels() -> String {
    let level = |(number, line): (usize, &str)| {
        let level = if number % 2 == 0 { "hard" } else { "easy" };
        line.replacen('{', &format!("{{\"fields\":{{\"level\":\"{level}\"}},"), 1) + "\n"
    };
    eight_cases().lines().enumerate().map(level).collect()
}

/// Runs of the cases, `a` by `first` and `b` by `overlap`, on other axes too.
fn two_runs() -> (tempfile::TempDir, std::path::PathBuf) {
    let (guard, path) = folder(&with_levels());
    for (model, out) in [("first", "a"), ("overlap", "b")] {
        let words = format!(
            "probe cases.jsonl --order check --axis keys:abstract,keys:shuffled,drop --model {model} --out {out} --no-confirm"
        );
        assert!(run_line(&path, &words).code < 2);
    }
    (guard, path)
}

/// The chosen identity by case and variant, from the journal itself.
fn chosen(path: &Path, run: &str) -> BTreeMap<(String, String), u64> {
    let ask = |line: &Value| {
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        let variant = format!("{}/{}", text("axis"), text("variant"));
        let choice = line["outcome"]["answered"]["choice"].as_u64();
        ((text("case"), variant), choice.unwrap())
    };
    journal(path, run).iter().map(ask).collect()
}

#[test]
fn cases_fields_and_axes_are_those_counted_from_the_two_journals() {
    let (_guard, path) = two_runs();
    let (ran, found) = compare(&path, "a b --by level");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (a, b) = (chosen(&path, "a"), chosen(&path, "b"));
    let cases = json_lines(&read(&path, "a/cases.jsonl"));
    let id = |case: &Value| case["id"].as_str().unwrap().to_owned();
    let at = |run: &BTreeMap<(String, String), u64>, case: &Value, variant: &str| {
        run.get(&(id(case), variant.to_owned())).copied()
    };
    let right = |run, case: &Value, variant: &str| {
        let choice = at(run, case, variant).unwrap();
        case["accept"].as_array().unwrap().contains(&choice.into())
    };
    for (row, variant) in [("own", "baseline/own"), ("reverse", "order/reverse")] {
        let ids = |holds: &dyn Fn(&Value) -> bool| -> BTreeSet<String> {
            cases.iter().filter(|case| holds(case)).map(id).collect()
        };
        let listed = |kind: &str| -> BTreeSet<String> {
            let list = found["orders"][row]["cases"][kind].as_array().unwrap();
            list.iter()
                .map(|change| change["case"].as_str().unwrap().to_owned())
                .collect()
        };
        let repaired = ids(&|case| !right(&a, case, variant) && right(&b, case, variant));
        assert_eq!(listed("repaired"), repaired);
        let regressed = ids(&|case| right(&a, case, variant) && !right(&b, case, variant));
        assert_eq!(listed("regressed"), regressed);
        let differ = ids(&|case| at(&a, case, variant) != at(&b, case, variant));
        assert_eq!(listed("changed"), differ);
    }
    let change = &found["orders"]["own"]["cases"]["repaired"][0];
    let case = cases
        .iter()
        .find(|case| id(case) == change["case"].as_str().unwrap())
        .unwrap();
    let key = |choice: Option<u64>| {
        case["options"][usize::try_from(choice.unwrap()).unwrap()]["key"].clone()
    };
    assert_eq!(change["baseline"], key(at(&a, case, "baseline/own")));
    assert_eq!(change["variant"], key(at(&b, case, "baseline/own")));

    let level = |case: &Value| case["fields"]["level"].as_str().unwrap().to_owned();
    for part in found["by"]["fields"][0]["values"].as_array().unwrap() {
        let of = |holds: &dyn Fn(&Value) -> bool| {
            let cases = cases
                .iter()
                .filter(|case| level(case) == part["value"].as_str().unwrap());
            cases.filter(|case| holds(case)).count()
        };
        assert_eq!(part["cases"], of(&|_| true));
        let differ = of(&|case| at(&a, case, "baseline/own") != at(&b, case, "baseline/own"));
        assert_eq!(part["answers"]["count"], differ);
        assert_eq!(
            part["accuracy"]["variant"]["count"],
            of(&|case| right(&b, case, "baseline/own"))
        );
        let flips = of(&|case| at(&a, case, "baseline/own") != at(&a, case, "order/reverse"));
        assert_eq!(
            part["orders"]["reverse"]["flips"]["baseline"]["count"],
            flips
        );
    }
    // Accuracy, reverse and rotate:1 of two values.
    assert_eq!(found["by"]["tests"], 6);

    let keys = &found["axes"]["keys/abstract"];
    let differ = cases
        .iter()
        .filter(|case| at(&a, case, "keys/abstract") != at(&b, case, "keys/abstract"));
    assert_eq!(keys["answers"]["count"], differ.count());
    assert_eq!(keys["flips"]["of"], 8);
    // An option left out is compared with the list in which it stands last; of the last one that is the own order.
    for out in 0..3_u64 {
        let line = &found["axes"][format!("drop/{out}")];
        let mut flips = [0, 0];
        let mut chose = 0;
        for case in &cases {
            let of_all = [&a, &b].map(|run| {
                at(run, case, &format!("drop/last:{out}")).or_else(|| at(run, case, "baseline/own"))
            });
            if of_all.contains(&Some(out)) {
                chose += 1;
                continue;
            }
            for (place, run) in [&a, &b].into_iter().enumerate() {
                flips[place] += u64::from(at(run, case, &format!("drop/{out}")) != of_all[place]);
            }
        }
        assert_eq!(line["chose_left_out"], chose, "{out}");
        assert_eq!(line["flips"]["baseline"]["count"], flips[0], "{out}");
        assert_eq!(line["flips"]["variant"]["count"], flips[1], "{out}");
        assert_eq!(line["flips"]["of"], 8 - chose, "{out}");
    }
    assert_eq!(found["axes"]["same/1"]["flips"]["both"], 0);
    let left = &found["axes_left_out"][0];
    assert_eq!(
        (&left["name"], &left["baseline"]),
        (&"keys/shuffled".into(), &8.into())
    );
    let said = "keys/shuffled (8 and 8 asks): drawn or given by the user: whether both showed the same is not on record";
    assert!(flat(&ran.out).contains(said), "{}", ran.out);
}

#[test]
fn the_distance_is_that_of_the_two_journals_probabilities() {
    let (_guard, path) = two_runs();
    let (_, found) = compare(&path, "a b");
    let vector = |line: &Value| -> Vec<f64> {
        let p = line["outcome"]["answered"]["probabilities"]
            .as_array()
            .unwrap();
        p.iter().map(|p| p.as_f64().unwrap()).collect()
    };
    let own = |run: &str| -> BTreeMap<String, Vec<f64>> {
        let lines = journal(&path, run);
        let own = lines.iter().filter(|line| line["axis"] == "baseline");
        own.map(|line| (line["case"].as_str().unwrap().to_owned(), vector(line)))
            .collect()
    };
    let (a, b) = (own("a"), own("b"));
    let apart = |id: &String| -> f64 {
        let pairs = a[id].iter().zip(&b[id]);
        pairs.map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
    };
    let all: Vec<f64> = a.keys().map(apart).collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let drift = &found["orders"]["own"]["drift"];
    let printed = drift["total_variation"]["mean"].as_f64().unwrap();
    assert!(
        (printed - mean).abs() < 1e-9 && mean > 0.0,
        "{printed} {mean}"
    );
    assert_eq!(drift["pairs"], 8);
}

#[test]
fn a_field_that_there_is_not_is_refused_before_anything_is_written() {
    let (_guard, path) = two_runs();
    let ran = run_line(&path, "compare a b --by track --json out.json");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: no common case has the field `track`\nhelp: the fields are `level`\n"
        )
    );
    assert!(!path.join("out.json").exists());
    let ran = run_line(&path, "compare a b --by level --by level");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "error: `--by level` is given twice\n")
    );
}

#[test]
fn another_field_of_the_same_case_is_said_and_changes_nothing() {
    let (_guard, path) = two_runs();
    let known = compare(&path, "a b").1;
    let cases = with_levels().replace("easy", "simple");
    std::fs::write(path.join("cases.jsonl"), cases).unwrap();
    let words = "probe cases.jsonl --order check --axis keys:abstract,keys:shuffled,drop --model overlap --out c --no-confirm";
    assert!(run_line(&path, words).code < 2);
    let (ran, found) = compare(&path, "a c --by level");
    assert_eq!(found["orders"], known["orders"]);
    assert_eq!(found["cases"]["other_fields"], 4);
    assert_eq!(
        found["other_fields"][0],
        serde_json::json!({"field": "level", "cases": 4})
    );
    assert!(
        flat(&ran.out).contains(
            "fields `level` in 4 cases: another value in each; answers are compared all the same"
        ),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("easy to simple"), "{}", ran.out);
}
