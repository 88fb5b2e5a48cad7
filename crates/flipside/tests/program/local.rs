//! Models in process: asked like any other, recorded, replayed, and refused with the file and key that is wrong.

use std::path::Path;

use serde_json::Value;

use crate::support::{count, flat, folder, json, probe, probe_line, run, run_line};

const KINDS: &str = concat!(
    r#"{"id":"level","state":"my card was charged twice","type":"score","rules":"How urgent is it?","options":["not urgent","soon","at once"]}"#,
    "\n",
    r#"{"id":"side","state":"my card was charged twice","type":"noul","rules":"Is it about money?","options":{"true":"about money","false":"about something else"}}"#,
    "\n",
    r#"{"id":"choice","state":"my card was charged twice","rules":"Which team?","options":{"billing":"charges and refunds","bugs":"crashes"}}"#,
    "\n",
);

/// Files below the tests of the crate that runs them.
fn golden(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../flipside-local/tests/goldens")
        .join(name);
    folder.to_str().unwrap().to_owned()
}

#[test]
fn a_model_that_reads_options_one_by_one_never_flips() {
    let (_guard, path) = folder("");
    let words = "builtin:ticket-router --model tiny-agentjev --order check --no-confirm";
    let (ran, summary) = probe_line(&path, words);
    for order in ["reverse", "rotate:1"] {
        let path = format!("/axes/order/{order}");
        assert_eq!(
            count(&summary, &format!("{path}/pairs")),
            Some(30),
            "{}",
            ran.err
        );
        assert_eq!(
            count(&summary, &format!("{path}/flips")),
            Some(0),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_run_is_replayed_without_its_model() {
    let (_guard, path) = folder(KINDS);
    let (first, summary) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            "tiny-laya",
            "--order",
            "reverse",
            "--out",
            "runs/a",
        ],
    );
    assert!(
        first.err.is_empty() || !first.err.contains("error"),
        "{}",
        first.err
    );
    let (_, again) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            "replay:runs/a",
            "--order",
            "reverse",
        ],
    );
    assert_eq!(summary["axes"], again["axes"]);
    assert_eq!(summary["position"], again["position"]);
}

#[test]
fn the_order_of_levels_and_sides_is_asked_too() {
    let (_guard, path) = folder(KINDS);
    let (ran, summary) = probe_line(
        &path,
        "cases.jsonl --model tiny-laya --order reverse --no-confirm",
    );
    // The sides of a statement and the numbers of levels have an order of their own here.
    assert_eq!(
        count(&summary, "/axes/order/reverse/pairs"),
        Some(3),
        "{}",
        ran.err
    );
    let (_, keyed) = probe_line(
        &path,
        "cases.jsonl --model tiny-laya?order=keys --order reverse --no-confirm",
    );
    assert_eq!(
        count(&keyed, "/axes/order/reverse/pairs"),
        Some(3),
        "{}",
        ran.err
    );
    let chosen = |summary: &Value| summary["cases"][0]["asks"][1]["probabilities"].clone();
    assert_ne!(
        chosen(&summary),
        chosen(&keyed),
        "a level that is renumbered is another text"
    );
}

#[test]
fn a_checkpoint_folder_is_loaded_and_says_what_it_is() {
    let (_guard, path) = folder("");
    for (spec, said) in [
        (
            format!("laya:{}", golden("laya-a")),
            ["says checkpoint: sha256 ", "Laya on ", "computes in f32"],
        ),
        (
            format!("agentjev:{}?mode=path&precision=bf16", golden("agentjev-a")),
            [
                "says checkpoint: sha256 ",
                "each path run whole",
                "computes in bf16",
            ],
        ),
        (
            format!("embed:{}?readout=together", golden("embed-a")),
            [
                "sentence encoder, width 32, reads 40 tokens",
                "a control: reads state and options, and no instructions; a logit is 20 times a cosine",
                "all texts in one sequence: their order can change everything",
            ],
        ),
        (
            format!("embed:{}?precision=bf16", golden("embed-a")),
            [
                "says checkpoint: sha256 cbf69bea59a6",
                "each text in a sequence of its own: order can change nothing but rounding",
                "computes in bf16",
            ],
        ),
    ] {
        let ran = run(&path, &["models", &spec]);
        assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
        for line in said {
            assert!(flat(&ran.out).contains(line), "{line} in {}", ran.out);
        }
    }
}

#[test]
fn what_is_wrong_with_a_local_model_is_said_before_anything_is_asked() {
    let (_guard, path) = folder(KINDS);
    for (spec, said) in [
        (
            "laya",
            "`laya`: expected a checkpoint folder after `laya:`, such as `laya:models/laya`",
        ),
        (
            "tiny-laya:x",
            "`tiny-laya:x`: expected `tiny-laya` alone or with settings, such as `tiny-laya?precision=bf16`",
        ),
        (
            "tiny-laya?precision=f16",
            "expected `?precision=f32` or `?precision=bf16`",
        ),
        (
            "tiny-laya?order=back",
            "expected `?order=option_order` or `?order=keys`",
        ),
        (
            "tiny-laya?mode=path",
            "expected a setting `precision` or `order` of `tiny-laya`, found `mode`",
        ),
        (
            "tiny-agentjev?mode=x",
            "expected `?mode=path` or `?mode=shared`",
        ),
        (
            "tiny-agentjev?set=x",
            "expected `?set=together` or `?set=alone`",
        ),
        (
            "tiny-agentjev?set_heads=0",
            "expected a whole number from 1 to 64, such as `?set_heads=4`",
        ),
        (
            "tiny-agentjev?order=keys",
            "expected a setting `precision`, `mode`, `set` or `set_heads` of `tiny-agentjev`, found `order`",
        ),
        (
            "embed",
            "`embed`: expected a checkpoint folder after `embed:`, such as `embed:models/embed`",
        ),
        (
            "embed:x?readout=one",
            "expected `?readout=apart` or `?readout=together`",
        ),
        (
            "embed:x?order=back",
            "expected `?order=option_order` or `?order=keys`",
        ),
        (
            "embed:x?set=alone",
            "expected a setting `precision`, `readout` or `order` of `embed`, found `set`",
        ),
        (
            "laya:x?readout=apart",
            "expected a setting `precision` or `order` of `laya`, found `readout`",
        ),
        ("embed:nowhere", "`nowhere/config.json` cannot be read"),
        (
            "laya:nowhere",
            "`laya:nowhere`: the checkpoint cannot be loaded",
        ),
        (
            "laya:nowhere",
            "`nowhere/rl_agent_config.json` cannot be read",
        ),
        ("agentjev:nowhere", "`nowhere/config.json` cannot be read"),
    ] {
        let ran = run(&path, &["probe", "cases.jsonl", "--model", spec]);
        assert_eq!(ran.code, 2, "{spec}: {}", ran.err);
        assert!(flat(&ran.err).contains(said), "{spec}: {}", ran.err);
    }
}

/// Words that the tiny encoder knows, so that three options fit into its 40 tokens.
const THREE: &str = concat!(
    r#"{"id":"choice","state":"my card was charged twice","rules":"Which team?","options":{"pay":"money","tech":"bugs","app":"crash"}}"#,
    "\n",
);
const LEVELS: &str = concat!(
    r#"{"id":"level","state":"my card was charged twice","type":"score","rules":"How urgent is it?","options":["not urgent","soon","at once"]}"#,
    "\n",
);

/// The study of the only model, the tiny encoder with `settings`, over `cases`.
fn studied(cases: &str, settings: &str) -> Value {
    let (_guard, path) = folder(cases);
    let model = format!("embed:{}?{settings}", golden("embed-a"));
    let words = [
        "invariance",
        "cases.jsonl",
        "--json",
        "study.json",
        "--model",
        &model,
    ];
    let ran = run(&path, &words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    json(&path, "study.json")["models"][0].clone()
}

#[test]
fn a_sentence_encoder_moves_with_order_in_one_sequence_alone() {
    let apart = studied(THREE, "readout=apart");
    let all = &apart["all"];
    assert_eq!(all["permutations"]["orders"], 6);
    assert_eq!(all["permutations"]["logits"]["worst"], 0.0);
    assert_eq!(all["reverse_vectors"]["worst"], 0.0);
    assert_eq!(all["leave_one_out"]["values"], 6);
    assert_eq!(all["leave_one_out"]["worst"], 0.0);
    assert_eq!(all["swap"]["worst"], 0.0);
    assert_eq!(apart["statement"]["invariant"], true);
    let together = studied(THREE, "readout=together");
    let all = &together["all"];
    assert_eq!(together["statement"]["invariant"], false);
    for moved in ["reverse_vectors", "leave_one_out", "swap"] {
        let worst = all[moved]["worst"].as_f64().unwrap();
        assert!(worst > 0.01, "{moved}: {worst}");
    }
}

/// Levels are numbered in their texts: `option_order` keeps the numbers, another list and a list without one level do not.
#[test]
fn levels_that_are_renumbered_are_other_texts_for_a_sentence_encoder() {
    let kept = studied(LEVELS, "order=option_order");
    assert_eq!(kept["all"]["reverse_vectors"]["worst"], 0.0);
    assert!(kept["all"]["leave_one_out"]["worst"].as_f64().unwrap() > 0.01);
    let renumbered = studied(LEVELS, "order=keys");
    assert!(
        renumbered["all"]["reverse_vectors"]["worst"]
            .as_f64()
            .unwrap()
            > 0.01
    );
}

#[test]
fn a_sentence_encoder_is_probed_and_replayed_like_any_model() {
    let (_guard, path) = folder(KINDS);
    let model = format!("embed:{}?readout=together", golden("embed-a"));
    let order = [
        "cases.jsonl",
        "--order",
        "reverse",
        "--no-confirm",
        "--model",
    ];
    let (ran, summary) = probe(&path, &[&order[..], &[&model, "--out", "runs/a"]].concat());
    let pairs = count(&summary, "/axes/order/reverse/pairs");
    assert_eq!(pairs, Some(3), "{}", ran.err);
    let (_, again) = probe(&path, &[&order[..], &["replay:runs/a"]].concat());
    assert_eq!(summary["axes"], again["axes"]);
}

/// A model that needs instructions says so, and names the case.
#[test]
fn a_question_that_a_checkpoint_cannot_be_asked_is_named() {
    let (_guard, path) = folder(
        "{\"id\":\"bare\",\"state\":\"x\",\"instructions\":[],\"options\":{\"a\":\"one\",\"b\":\"two\"}}\n",
    );
    let ran = run_line(&path, "probe cases.jsonl --model tiny-laya");
    assert_eq!(ran.code, 2, "{}", ran.err);
    let said = "the question has no `instructions`";
    assert!(flat(&ran.err).contains(said), "{}", ran.err);
    assert!(flat(&ran.err).contains("`bare`"), "{}", ran.err);
}
