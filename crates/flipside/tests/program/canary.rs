//! The order canary over real HTTP: layers that drop the order are recognised and named, honest backends are not accused.

use std::path::Path;

use flipside_standin::{Dialect, Fault, Policy, Standin, When};
use serde_json::Value;

use crate::support::{
    Ran, eight_cases, faulty, flat, folder, json, json_lines, model, read, run, run_as_given,
    unlabelled,
};

pub(super) fn server(policy: &str) -> Standin {
    let policy: Policy = policy.parse().unwrap();
    Standin::builder().policy(policy).start().unwrap()
}

/// Probes `server` with its canary, into the folder `out`.
pub(super) fn probed(path: &Path, server: &Standin, more: &str) -> (Ran, Value) {
    let model = model(server);
    let mut words = vec!["probe", "cases.jsonl", "--model", &model, "--out", "out"];
    words.extend(more.split_whitespace());
    let ran = run_as_given(path, &words);
    let summary = json(path, "out/summary.json");
    (ran, summary)
}

pub(super) const REVERSE: &str = "--order reverse --gate none:fit --no-confirm";

/// What a policy behind a server is found to be, in a run of cases whose texts have 25 characters.
fn finding(policy: &str) -> (Ran, Value) {
    let (_guard, path) = folder(&eight_cases());
    let server = server(policy);
    let (ran, summary) = probed(&path, &server, REVERSE);
    let asks = summary["canary"]["asks"].as_u64().unwrap();
    assert!(asks <= 14, "{policy}: {asks}");
    assert_eq!(server.count() as u64, 16 + asks, "{policy}");
    assert_eq!(
        json(&path, "out/run.json")["canary"],
        summary["canary"],
        "{policy}"
    );
    let lines = json_lines(&read(&path, "out/canary.jsonl"));
    assert_eq!(lines.len() as u64, asks, "{policy}");
    (ran, summary["canary"].clone())
}

#[test]
fn each_layer_that_drops_the_order_is_named_under_the_verdict() {
    for (policy, order, said) in [
        (
            "sorted-order:first",
            "sorted",
            "order canary a layer sorts the options (or the model goes by its keys)",
        ),
        (
            "cached:first",
            "cached",
            "order canary a cache that leaves out order repeats its first answer",
        ),
    ] {
        let (ran, canary) = finding(policy);
        assert_eq!(canary["order"], order, "{policy}: {canary}");
        assert!(flat(&ran.out).contains(said), "{policy}: {}", ran.out);
        assert_eq!(ran.code, 0, "{policy}: about this file the gate holds");
    }
}

#[test]
fn honest_backends_are_not_accused() {
    for (policy, order) in [
        ("first", "arrives"),
        ("last", "arrives"),
        ("slot:2", "arrives"),
        ("mixed:0.5", "arrives"),
        ("uniform", "arrives"),
        ("content", "unmoved"),
        ("noisy:0", "unmoved"),
    ] {
        let (ran, canary) = finding(policy);
        assert_eq!(canary["order"], order, "{policy}: {canary}");
        assert_eq!(canary["cut_texts"], Value::Null, "{policy}");
        let text = flat(&ran.out);
        assert!(
            !text.contains("a layer") && !text.contains("a cache that leaves"),
            "{policy}: {text}"
        );
        let may = text.contains("order canary equivariant, or an order-dropping layer");
        assert_eq!(may, order == "unmoved", "{policy}: {text}");
    }
}

#[test]
fn a_model_that_disagrees_with_itself_is_not_known_and_says_nothing_in_the_report() {
    // Every answer is drawn, so that two asks of one thing agree in one of four.
    let (ran, canary) = finding("random:3");
    assert_eq!(canary["order"], "not-known", "{canary}");
    assert_eq!(
        canary["why"],
        "the same request brought another answer, so that equal answers tell nothing"
    );
    assert!(!ran.out.contains("canary"), "{}", ran.out);
}

#[test]
fn a_clm_server_that_does_not_care_about_order_is_not_accused() {
    let (_guard, path) = folder(&eight_cases());
    let builder = Standin::builder()
        .dialect(Dialect::Clm)
        .policy(Policy::Content);
    let (ran, summary) = probed(
        &path,
        &builder.start().unwrap(),
        &format!("{REVERSE} --model-name clm-latest"),
    );
    // It does not show keys to its model, so that options with one text are alike and the first listed one is chosen.
    assert_eq!(
        summary["canary"]["order"], "arrives",
        "{}",
        summary["canary"]
    );
    assert!(!ran.out.contains("canary"), "{}", ran.out);
}

#[test]
fn a_backend_that_cuts_option_texts_is_named() {
    // The longest option text is `payments invoices refunds` and the like.
    let (ran, canary) = finding("truncating:12");
    assert_eq!(canary["cut_texts"]["characters"], 25, "{canary}");
    assert_eq!(canary["cut_texts"]["alike"], 20, "{canary}");
    assert!(
        flat(&ran.out).contains(
            "order canary option texts are cut, or only how they begin counts: of 25 characters nothing after the first 20 changes an answer"
        ),
        "{}",
        ran.out
    );
    let (_, canary) = finding("truncating:200");
    assert_eq!(canary["cut_texts"], Value::Null, "{canary}");
}

#[test]
fn without_canary_nothing_more_is_asked_and_run_json_says_why() {
    let server = server("first");
    let (_guard, path) = folder(&unlabelled(4));
    let (_, summary) = probed(&path, &server, &format!("{REVERSE} --no-canary"));
    assert_eq!(server.count(), 8);
    assert_eq!(summary["canary"]["order"], "not-asked");
    assert_eq!(
        json(&path, "out/run.json")["canary"]["why"],
        "`--no-canary`"
    );
    let model = model(&server);
    let dry = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--order",
        "reverse",
        "--dry-run",
    ];
    let told = run_as_given(&path, &dry).err;
    assert!(
        told.contains(
            "not counted: up to 14 small asks tell first whether option order reaches the model"
        ),
        "{told}"
    );
    assert!(
        !run(&path, &dry).err.contains("small asks"),
        "`--no-canary`"
    );
    // Without another order or key there is nothing that could be lost.
    let (_guard, path) = folder(&unlabelled(4));
    let (_, summary) = probed(&path, &server, "--order same:1 --gate none:fit");
    assert_eq!(server.count(), 16);
    assert_eq!(summary["canary"], Value::Null);
    // Asks over the limit are not made for it.
    let (_guard, path) = folder(&unlabelled(4));
    let (ran, summary) = probed(&path, &server, &format!("{REVERSE} --max-asks 21"));
    assert_eq!((server.count(), ran.code), (24, 1));
    assert_eq!(
        summary["canary"]["why"],
        "`--max-asks` leaves no room for it"
    );
    let (_guard, path) = folder(&unlabelled(4));
    let (ran, summary) = probed(&path, &server, &format!("{REVERSE} --max-asks 22"));
    let asks = summary["canary"]["asks"].as_u64().unwrap();
    assert_eq!((server.count() as u64, ran.code), (32 + asks, 1));
    assert_eq!(summary["canary"]["order"], "arrives");
}

#[test]
fn models_behind_no_network_are_not_asked() {
    for (words, why) in [
        (
            "--model overlap",
            "nothing of this model goes over a network",
        ),
        ("--model first", "nothing of this model goes over a network"),
    ] {
        let (_guard, path) = folder(&unlabelled(4));
        let all = format!("probe cases.jsonl {words} {REVERSE} --out out");
        let ran = run_as_given(&path, &all.split_whitespace().collect::<Vec<_>>());
        assert_eq!(ran.code, i32::from(words.contains("first")), "{}", ran.err);
        let canary = &json(&path, "out/run.json")["canary"];
        assert_eq!(
            (&canary["order"], &canary["why"]),
            (&"not-asked".into(), &why.into())
        );
    }
}

#[test]
fn a_run_that_goes_on_does_not_ask_the_canary_again() {
    let (_guard, path) = folder(&unlabelled(4));
    let server = server("first");
    let (ran, summary) = probed(&path, &server, REVERSE);
    assert!(
        ran.err.contains("before the run up to 14 small asks tell"),
        "{}",
        ran.err
    );
    let asked = server.count();
    let found = summary["canary"].clone();
    std::fs::remove_file(path.join("out/asks.jsonl")).unwrap();
    let (ran, summary) = probed(&path, &server, REVERSE);
    assert_eq!(server.count(), asked + 8);
    assert_eq!(summary["canary"], found);
    assert!(!ran.err.contains("small asks"), "{}", ran.err);
    // Its asks count against the limit of the whole run.
    std::fs::remove_file(path.join("out/asks.jsonl")).unwrap();
    let asks = found["asks"].as_u64().unwrap();
    let (ran, _) = probed(
        &path,
        &server,
        &format!("{REVERSE} --max-asks {}", asks + 3),
    );
    assert_eq!((ran.code, server.count()), (3, asked + 8 + 3));
}

#[test]
fn a_canary_that_fails_does_not_fail_the_run() {
    let (_guard, path) = folder(&unlabelled(4));
    let server = faulty(Policy::First, Fault::Status(422), When::Nth(2));
    let (ran, summary) = probed(&path, &server, REVERSE);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(summary["counts"]["answered"], 8);
    let canary = &summary["canary"];
    assert_eq!(
        (&canary["order"], &canary["asks"]),
        (&"not-known".into(), &2.into())
    );
    assert_eq!(
        canary["why"],
        "answered 422: planned fault: 422 Unprocessable Content"
    );
    // The command that goes on asks it again, since an ask of it failed.
    std::fs::remove_file(path.join("out/asks.jsonl")).unwrap();
    let (_, summary) = probed(&path, &server, REVERSE);
    assert_eq!(summary["canary"]["order"], "arrives");
}

#[test]
fn the_warning_about_integer_keys_goes_where_their_orders_were_seen_to_arrive() {
    let numbered = "{\"id\":\"a\",\"state\":{\"n\":1},\"options\":{\"1\":\"x\",\"2\":\"y\"},\"rules\":\"Pick.\"}\n";
    let (_guard, path) = folder(numbered);
    let server = server("first");
    let model = model(&server);
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--order",
        "reverse",
    ];
    let blind = run(&path, &words);
    assert!(
        blind.err.contains("1 case has keys such as `1`"),
        "{}",
        blind.err
    );
    let seen = run_as_given(&path, &words);
    assert!(!seen.err.contains("keys such as"), "{}", seen.err);
}

/// What the canary finds of `builder`'s server as `spec` before its URL and `after` it asks.
fn at(builder: flipside_standin::Builder, spec: &str, after: &str, more: &str) -> (Ran, Value) {
    let (_guard, path) = folder(&eight_cases());
    let server = builder.start().unwrap();
    let model = format!("{spec}{}{after}", server.url());
    let line = format!("probe cases.jsonl --model {model} --out out {REVERSE} {more}");
    let ran = run_as_given(&path, &line.split_whitespace().collect::<Vec<_>>());
    let summary = json(&path, "out/summary.json");
    (ran, summary["canary"].clone())
}

#[test]
fn an_effect_that_two_decimals_hide_is_no_javascript() {
    let policy: Policy = "mixed:0.01".parse().unwrap();
    let builder = Standin::builder().policy(policy).round(2);
    let (ran, canary) = at(builder, "systemone:", "", "");
    assert_ne!(canary["order"], "integer-keys", "{canary}");
    assert!(!ran.out.contains("rewrites integer-like"), "{}", ran.out);
    let policy: Policy = "js-order:first".parse().unwrap();
    let builder = Standin::builder().policy(policy).round(2);
    let (_, canary) = at(builder, "systemone:", "", "");
    assert_eq!(canary["order"], "integer-keys", "{canary}");
}

#[test]
fn a_server_that_ignores_option_order_is_named() {
    let first = || Standin::builder().policy(Policy::First);
    let (ran, canary) = at(
        first().dialect(Dialect::Typesafe),
        "laya-served:",
        "?order=option_order",
        "--model-name jev-latest",
    );
    assert_eq!(canary["order"], "unmoved", "{canary}");
    let said = "order canary the server, or a hop before it, ignores `option_order`: under every set of keys answers follow the places of the options in the object";
    assert!(flat(&ran.out).contains(said), "{}", ran.out);
    assert!(!ran.err.contains("never flip is real"), "{}", ran.err);
    // So is a hop that rebuilds requests out of fields that it knows; what moves the options themselves passes it.
    let hop = || {
        first()
            .dialect(Dialect::Laya)
            .fault(Fault::KnownFields, When::Always)
    };
    let (ran, canary) = at(hop(), "laya-served:", "?order=option_order", "");
    assert_eq!(canary["order"], "unmoved", "{canary}");
    assert!(flat(&ran.out).contains(said), "{}", ran.out);
    let (_, canary) = at(hop(), "laya-served:", "", "");
    assert_eq!(canary["order"], "arrives", "{canary}");
    // A server that knows the field shows its model the order.
    let (_, canary) = at(
        first().dialect(Dialect::Laya),
        "laya-served:",
        "?order=option_order",
        "",
    );
    assert_eq!(canary["order"], "arrives", "{canary}");
}

#[test]
fn a_service_that_refuses_equal_texts_is_asked_with_words_in_other_orders() {
    for (policy, order) in [
        ("first", "arrives"),
        ("sorted-order:first", "sorted"),
        ("js-order:first", "integer-keys"),
        ("content", "unmoved"),
    ] {
        let builder = Standin::builder()
            .policy(policy.parse().unwrap())
            .dialect(Dialect::Agentjev);
        let (ran, canary) = at(builder, "agentjev-served:", "", "");
        assert_eq!(canary["order"], order, "{policy}: {canary} {}", ran.err);
    }
}

#[test]
fn what_never_flips_is_not_called_real_where_the_canary_saw_why() {
    for policy in ["sorted-order:first", "first"] {
        let (_guard, path) = folder(&unlabelled(12));
        let (ran, _) = probed(&path, &server(policy), REVERSE);
        let said =
            "may be no merit of the model, the order canary found this: a layer sorts the options";
        assert_eq!(ran.err.contains(said), policy != "first", "{}", ran.err);
        assert!(!ran.err.contains("never flip is real"), "{}", ran.err);
    }
}
