//! `flipside invariance`: the order study below the answer.

use crate::support::{flat, folder, json, run, run_line};

#[test]
fn the_two_kinds_of_model_are_told_apart() {
    let (_guard, path) = folder("");
    let ran = run_line(
        &path,
        "invariance builtin:ticket-router --limit 6 --json study.json",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let study = json(&path, "study.json");
    assert_eq!(study["schema"], "flipside.invariance/1");
    let set = &study["models"][0];
    assert_eq!(set["model"], "tiny-agentjev");
    assert_eq!(set["questions"]["choice"], 6);
    let all = &set["all"];
    assert_eq!(all["identical_vectors"], 6);
    assert_eq!(all["reverse_vectors"]["worst"], 0.0);
    // Six questions of five options: 120 orders, 20 left out, 30 swaps each.
    assert_eq!(all["permutations"]["orders"], 720);
    assert_eq!(all["by_head"], 720);
    assert_eq!(all["permutations"]["changed"], 0);
    assert_eq!(all["leave_one_out"]["values"], 120);
    assert_eq!(all["swap"]["values"], 180);
    assert_eq!(set["statement"]["invariant"], true);
    assert!(
        set["statement"]["composition_over_order"]
            .as_f64()
            .is_none_or(|times| times > 100.0)
    );
    let listwise = &study["models"][1];
    assert_eq!(listwise["model"], "tiny-laya");
    assert_eq!(listwise["all"]["by_head"], 0);
    assert_eq!(listwise["all"]["permutations"]["orders"], 6 * 24);
    assert_eq!(listwise["all"]["drawn"], 6);
    assert_eq!(listwise["statement"]["invariant"], false);
    assert!(listwise["statement"]["moved"].as_f64().unwrap() > 1e-3);
    assert_eq!(listwise["slots"][0]["logits"].as_array().unwrap().len(), 5);
    for said in [
        "numerically invariant in f32: no answer changed in 6 reversals and 720 orders",
        "vectors bit-identical 6 of 6",
        "720 of 6 questions; at the head, from the vectors of one pass",
        "144 of 6 questions, drawn for 6 questions; whole passes",
    ] {
        assert!(flat(&ran.out).contains(said), "{said} in {}", ran.out);
    }
}

#[test]
fn scored_one_by_one_no_neighbour_moves_anything() {
    let (_guard, path) = folder("");
    let words = "invariance builtin:ticket-router --limit 3 --model tiny-agentjev?set=alone --json study.json --require";
    let ran = run_line(&path, words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all = &json(&path, "study.json")["models"][0]["all"];
    assert_eq!(all["leave_one_out"]["worst"], 0.0);
    assert_eq!(all["swap"]["worst"], 0.0);
    let ran = run_line(
        &path,
        "invariance builtin:ticket-router --limit 1 --model tiny-laya --require",
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
}

#[test]
fn questions_get_as_many_options_as_are_asked_for() {
    let (_guard, path) = folder("");
    let words = [
        "invariance",
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../data/banking77-77way.jsonl"
        ),
        "--model",
        "tiny-agentjev",
        "--limit",
        "2",
        "--options",
        "20,2,78",
        "--orders",
        "30",
        "--markdown",
        "--json",
        "study.json",
    ];
    let ran = run(&path, &words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err
            .contains("too few different options for questions of 78"),
        "{}",
        ran.err
    );
    let study = json(&path, "study.json");
    let sizes = study["models"][0]["by_options"].as_array().unwrap();
    assert_eq!(
        (&sizes[0]["options"], &sizes[1]["options"]),
        (&2.into(), &20.into())
    );
    assert_eq!(sizes[0]["changes"]["permutations"]["orders"], 4);
    assert_eq!(sizes[1]["changes"]["permutations"]["orders"], 60);
    assert_eq!(sizes[1]["changes"]["drawn"], 2);
    assert!(ran.out.starts_with('|'), "{}", ran.out);
    assert!(ran.out.contains("of 20 options"), "{}", ran.out);
}

#[test]
fn wrong_flags_are_refused_together() {
    let (_guard, path) = folder("");
    for (words, said) in [
        (
            "--model overlap",
            "`--model overlap`: expected a model in process: `tiny-laya`, `tiny-agentjev`, `laya:DIR`, `agentjev:DIR`, `embed:DIR` or `gguf:FILE`; others show nothing below their answer",
        ),
        (
            "--model tiny-laya --model tiny-laya",
            "`--model tiny-laya` is given twice",
        ),
        (
            "--options 1",
            "`--options 1`: expected different plain numbers from 2 to 255, comma-separated",
        ),
        (
            "--options 3,3",
            "`--options 3,3`: expected different plain numbers from 2 to 255, comma-separated",
        ),
        (
            "--limit 0",
            "`--limit 0`: expected a plain number from 1 to 4294967295",
        ),
        (
            "--seed x",
            "`--seed x`: expected a plain number from 0 to 18446744073709551615",
        ),
        (
            "--options 200",
            "no question has as many different options to draw from",
        ),
    ] {
        let ran = run_line(&path, &format!("invariance builtin:ticket-router {words}"));
        assert_eq!(ran.code, 2, "{words}: {}", ran.err);
        assert!(flat(&ran.err).contains(said), "{words}: {}", ran.err);
    }
}

#[test]
fn a_file_of_questions_that_no_model_can_be_asked_is_an_error() {
    let (_guard, path) = folder(
        "{\"id\":\"bare\",\"state\":\"x\",\"instructions\":[],\"options\":{\"a\":\"one\",\"b\":\"two\"}}\n",
    );
    let ran = run_line(&path, "invariance cases.jsonl --model tiny-laya");
    assert_eq!(ran.code, 2, "{}", ran.err);
    let said = "`tiny-laya` can be asked none of these questions: question";
    assert!(flat(&ran.err).contains(said), "{}", ran.err);
}
