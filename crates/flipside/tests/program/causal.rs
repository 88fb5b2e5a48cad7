//! Causal language models in process: asked like any other, case by case, with what each ask computed in the record.

use std::path::Path;

use serde_json::Value;

use crate::support::{count, folder, journal, json, probe, run};

fn golden(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../flipside-local/tests/goldens")
        .join(name);
    format!("gguf:{}/model.gguf", folder.display())
}

fn usage<'a>(line: &'a Value, name: &str) -> &'a Value {
    &line["outcome"]["answered"]["usage"][name]
}

#[test]
fn a_probe_goes_case_by_case_and_records_what_was_computed() {
    let (_guard, path) = folder("");
    let model = golden("causal-qwen2");
    let words = [
        "builtin:ticket-router",
        "--model",
        &model,
        "--order",
        "rotate,reverse,same:1",
        "--concurrency",
        "1",
        "--no-confirm",
        "--out",
        "runs/a",
    ];
    let (ran, summary) = probe(&path, &words);
    assert_eq!(
        count(&summary, "/axes/order/reverse/pairs"),
        Some(30),
        "{}",
        ran.err
    );
    assert_eq!(count(&summary, "/control/flips"), Some(0), "{}", ran.out);
    let lines = journal(&path, "runs/a");
    let asked: Vec<&Value> = lines
        .iter()
        .filter(|line| line["outcome"]["answered"].is_object())
        .collect();
    let mut cases: Vec<&str> = asked
        .iter()
        .map(|line| line["case"].as_str().unwrap())
        .collect();
    let (mut computed, mut naive, mut controls) = (0, 0, 0);
    for line in &asked {
        let all = usage(line, "input_tokens").as_u64().unwrap();
        let kept = usage(line, "cached_tokens").as_u64().unwrap();
        assert!(line["server_ms"].is_u64(), "{line}");
        if line["axis"] == "same" {
            assert_eq!(kept, 0, "a control has nothing of what was computed before");
            controls += 1;
        } else {
            computed += all - kept;
            naive += all;
        }
    }
    assert_eq!(controls, 30);
    assert!(computed * 2 < naive, "{computed} of {naive}");
    cases.dedup();
    assert_eq!(cases.len(), 30, "one case after the other");
}

#[test]
fn without_a_list_nothing_flips_and_a_study_says_invariant() {
    let (_guard, path) = folder("");
    let model = format!("{}?read=pointwise", golden("causal-llama"));
    let words = [
        "builtin:ticket-router",
        "--model",
        &model,
        "--order",
        "reverse,rotate:1",
    ];
    let (ran, summary) = probe(&path, &words);
    assert_eq!(
        count(&summary, "/axes/order/reverse/pairs"),
        Some(30),
        "{}",
        ran.err
    );
    for order in ["reverse", "rotate:1"] {
        let flips = count(&summary, &format!("/axes/order/{order}/flips"));
        assert_eq!(flips, Some(0), "{}", ran.out);
    }
    let words = [
        "invariance",
        "builtin:ticket-router",
        "--limit",
        "3",
        "--model",
        &model,
        "--passes",
        "4",
        "--require",
    ];
    let ran = run(&path, &words);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let letters = golden("causal-llama");
    let words = [
        "invariance",
        "builtin:ticket-router",
        "--limit",
        "3",
        "--model",
        &letters,
        "--passes",
        "4",
        "--require",
        "--json",
        "study.json",
    ];
    let ran = run(&path, &words);
    assert_eq!(ran.code, 1, "letters move: {}{}", ran.out, ran.err);
    let study = json(&path, "study.json");
    assert!(
        study.to_string().contains("\"slots\""),
        "letters have a bias of their own"
    );
}

#[test]
fn a_run_is_replayed_and_asked_again() {
    let (_guard, path) = folder("");
    let model = format!("{}?read=text", golden("causal-qwen3"));
    let words = [
        "builtin:ticket-router",
        "--model",
        &model,
        "--order",
        "reverse",
        "--out",
        "runs/a",
    ];
    let (first, summary) = probe(&path, &words);
    assert_eq!(
        count(&summary, "/axes/order/reverse/pairs"),
        Some(30),
        "{}",
        first.err
    );
    let words = [
        "builtin:ticket-router",
        "--model",
        "replay:runs/a",
        "--order",
        "reverse",
    ];
    let (again, replayed) = probe(&path, &words);
    assert_eq!(again.code, first.code, "{}", again.err);
    let flips = |summary| count(summary, "/axes/order/reverse/flips");
    assert_eq!(flips(&replayed), flips(&summary));
    let ran = run(
        &path,
        &["reask", "runs/a", "--model", &model, "--order", "reverse"],
    );
    assert!(ran.code == 0 || ran.code == 1, "{}", ran.err);
    let ran = run(&path, &["models", &model]);
    assert!(ran.out.contains("sha256"), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("the shape of a batch moves"),
        "{}",
        ran.out
    );
}

#[test]
fn a_file_that_is_none_is_refused_with_its_name() {
    let (_guard, path) = folder("");
    let ran = run(
        &path,
        &[
            "probe",
            "builtin:ticket-router",
            "--model",
            "gguf:nowhere.gguf",
        ],
    );
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("`nowhere.gguf` cannot be read"),
        "{}",
        ran.err
    );
}
