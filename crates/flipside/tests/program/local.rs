//! Models in process: asked like any other, recorded, replayed, and refused with the file and key that is wrong.

use std::path::Path;

use serde_json::Value;

use crate::support::{count, flat, folder, probe, probe_line, run, run_line};

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
