//! What the order canary withholds from a claim in general, and what it leaves about this file.

use flipside_standin::{Dialect, Policy, Standin};

use crate::canary::{REVERSE, probed, server};
use crate::support::{flat, folder, json, run_as_given, unlabelled};

#[test]
fn javascript_matters_where_keys_look_like_integers() {
    let numbered = |keys: [&str; 3]| {
        let line = |case: usize| {
            let [a, b, c] = keys;
            format!(
                "{{\"id\":\"u{case}\",\"state\":{{\"n\":{case}}},\"options\":{{\"{a}\":\"x\",\"{b}\":\"y\",\"{c}\":\"z\"}},\"rules\":\"Pick.\"}}\n"
            )
        };
        (0..60).map(line).collect::<String>()
    };
    let strict = format!("{REVERSE} --strict");
    let server = server("js-order:first");
    let (_guard, path) = folder(&numbered(["1", "2", "3"]));
    let (ran, summary) = probed(&path, &server, &strict);
    assert_eq!(summary["canary"]["order"], "integer-keys");
    let line = &summary["axes"]["order"]["reverse"];
    assert_eq!(line["flips"], 0, "no order of such keys arrives");
    assert_eq!(line["verdict"], "undecided");
    assert_eq!(
        line["reason"],
        "something on the way to the model drops the order"
    );
    assert_eq!((ran.code, &summary["exit"]), (1, &1.into()), "{}", ran.out);
    let said = "order canary a layer rewrites integer-like keys (as JavaScript does)";
    assert!(flat(&ran.out).contains(said), "{}", ran.out);
    // About this file the word stands, and the line stands beneath it.
    let (_guard, path) = folder(&numbered(["1", "2", "3"]));
    let (ran, summary) = probed(&path, &server, REVERSE);
    assert_eq!(summary["axes"]["order"]["reverse"]["verdict"], "stable");
    assert_eq!(ran.code, 0);
    assert!(flat(&ran.out).contains(said), "{}", ran.out);
    // Keys with a letter arrive, so that the layer is no matter of this run.
    let (_guard, path) = folder(&numbered(["k1", "k2", "k3"]));
    let (ran, summary) = probed(&path, &server, &strict);
    assert_eq!(summary["canary"]["order"], "integer-keys");
    assert_eq!(summary["axes"]["order"]["reverse"]["flips"], 60);
    assert!(!ran.out.contains("canary"), "{}", ran.out);
}

#[test]
fn strict_does_not_call_stable_what_a_layer_made_so() {
    let strict = format!("{REVERSE} --strict");
    let drops = "something on the way to the model drops the order";
    let unseen = "no order was seen to reach the model";
    for (policy, more, reason) in [
        ("sorted-order:first", "", Some(drops)),
        ("cached:first", "", Some(drops)),
        ("content", "", Some(unseen)),
        // Who knows the way to the model says so.
        ("content", "--no-canary", None),
    ] {
        let (_guard, path) = folder(&unlabelled(60));
        let (ran, summary) = probed(&path, &server(policy), &format!("{strict} {more}"));
        let line = &summary["axes"]["order"]["reverse"];
        let verdict = reason.map_or("stable", |_| "undecided");
        assert_eq!(line["verdict"], verdict, "{policy} {more}");
        assert_eq!(line["reason"].as_str(), reason, "{policy} {more}");
        let code = i32::from(reason.is_some());
        assert_eq!(ran.code, code, "{policy} {more}: {}", ran.out);
    }
    // About this file the word stands, with the line beneath it.
    let (_guard, path) = folder(&unlabelled(60));
    let (ran, summary) = probed(&path, &server("content"), REVERSE);
    let line = &summary["axes"]["order"]["reverse"];
    assert_eq!((ran.code, &line["verdict"]), (0, &"stable".into()));
    assert!(
        flat(&ran.out).contains("order canary equivariant, or an order-dropping layer"),
        "{}",
        ran.out
    );
}

#[test]
fn strict_does_not_call_stable_what_a_server_made_so_that_ignores_option_order() {
    let first = || Standin::builder().policy(Policy::First);
    for (dialect, named, order, reason) in [
        (
            Dialect::Typesafe,
            "--model-name jev-latest",
            "unmoved",
            Some("`option_order` was not seen to reach the model"),
        ),
        // What flips is order-sensitive, whatever the canary saw.
        (
            Dialect::Laya,
            "",
            "arrives",
            Some("its flips were not asked once more"),
        ),
    ] {
        let (_guard, path) = folder(&unlabelled(60));
        let server = first().dialect(dialect).start().unwrap();
        let model = format!("laya-served:{}?order=option_order", server.url());
        let line =
            format!("probe cases.jsonl --model {model} --out out {REVERSE} --strict {named}");
        let ran = run_as_given(&path, &line.split_whitespace().collect::<Vec<_>>());
        let summary = json(&path, "out/summary.json");
        assert_eq!(summary["canary"]["order"], order);
        let figure = &summary["axes"]["order"]["reverse"];
        let (flips, verdict) = match order {
            "unmoved" => (0, "undecided"),
            _ => (60, "cause open"),
        };
        assert_eq!(figure["flips"], flips);
        assert_eq!(figure["verdict"], verdict);
        assert_eq!(figure["reason"].as_str(), reason, "{order}");
        assert_eq!(ran.code, 1, "{}", ran.out);
    }
}
