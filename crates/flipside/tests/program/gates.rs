//! Gates: which claim they make, and that nothing passes unseen.

use serde_json::Value;

use crate::support::{folder, lines, probe, probe_line, run, unlabelled};

fn gate<'a>(summary: &'a Value, subject: &str) -> Option<&'a Value> {
    summary["gates"]
        .as_array()
        .unwrap()
        .iter()
        .find(|gate| gate["subject"] == subject)
}

#[test]
fn in_general_one_flip_of_one_shows_nothing() {
    let (_guard, path) = folder(&unlabelled(1));
    let words = "cases.jsonl --model first --order reverse --gate none:fit --strict";
    let (ran, summary) = probe_line(&path, words);
    assert_eq!(ran.code, 1);
    assert_eq!(
        summary["axes"]["order"]["reverse"]["verdict"],
        "inconclusive"
    );
}

#[test]
fn in_general_fifty_nine_cases_without_a_flip_are_stable_and_fifty_eight_are_not() {
    for (cases, code, verdict) in [(59, 0, "stable"), (58, 1, "inconclusive")] {
        let (_guard, path) = folder(&unlabelled(cases));
        let words = "cases.jsonl --model overlap --order reverse --gate none:fit --strict";
        let (ran, summary) = probe_line(&path, words);
        assert_eq!(ran.code, code);
        assert_eq!(summary["axes"]["order"]["reverse"]["verdict"], verdict);
    }
}

#[test]
fn a_gate_on_one_order_replaces_the_general_one_for_it() {
    let (_guard, path) = folder(&unlabelled(10));
    let with = |gates: &str| {
        let words = format!("cases.jsonl --model first --order reverse,rotate:1 --gate {gates}");
        probe_line(&path, &words)
    };
    let (ran, summary) = with("none:fit,order.reverse<=100%");
    assert_eq!(ran.code, 1);
    assert_eq!(gate(&summary, "order").unwrap()["decided_by"], "rotate:1");
    assert_eq!(gate(&summary, "order.reverse").unwrap()["held"], true);
    let (ran, summary) = with("none:fit,order.reverse<=100%,order.rotate:1<=100%");
    assert_eq!(ran.code, 0);
    assert_eq!(
        gate(&summary, "order"),
        None,
        "nothing is left for it to speak about"
    );
}

#[test]
fn an_order_that_measured_nothing_does_not_pass_behind_the_others() {
    let two = "{\"id\":\"t\",\"state\":{\"n\":\"two\"},\"options\":{\"a\":\"1\",\"b\":\"2\"},\"rules\":\"r\"}"
        .to_owned();
    let three = "{\"id\":\"x\",\"state\":{},\"options\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"},\"rules\":\"r\"}".to_owned();
    let (_guard, path) = folder(&lines(&[two, three]));
    std::fs::write(
        path.join("rules.jsonl"),
        "{\"contains\":\"two\",\"choose\":\"a\"}\n",
    )
    .unwrap();
    std::fs::write(path.join("orders.jsonl"), "[1,0]\n[2,1,0]\n").unwrap();
    let words = "cases.jsonl --model rule:rules.jsonl --order list:orders.jsonl --gate none:fit";
    let (ran, summary) = probe_line(&path, words);
    assert_eq!(ran.code, 1);
    assert_eq!(gate(&summary, "order").unwrap()["verdict"], "not measured");
}

#[test]
fn a_figure_with_two_gates_is_refused() {
    let (_guard, path) = folder(&unlabelled(2));
    let ran = run(
        &path,
        &["probe", "cases.jsonl", "--gate", "order<=5%,order<=10%"],
    );
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: `--gate`: `order` has two gates\nhelp: give each figure one limit, or `none:`\n"
        )
    );
}

#[test]
fn the_missing_gate_speaks_about_the_run() {
    let (_guard, path) = folder(&unlabelled(2));
    let (ran, summary) = probe(
        &path,
        &["cases.jsonl", "--gate", "none:fit,missing<=1%", "--strict"],
    );
    assert_eq!(ran.code, 0);
    assert_eq!(gate(&summary, "missing").unwrap()["rule"], "file");
}
