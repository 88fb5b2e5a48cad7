//! Which position a model prefers, as the program says it, and the stand-ins of the statistics page, 18.

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::{Value, json};

use crate::support::{
    count, faulty, folder, four_options, lines, model, probe_line, run_line, unlabelled,
};

/// Thirty cases of three options, of which the first, second and third is right in turn.
fn labelled() -> String {
    let line = |(case, line): (usize, &str)| {
        let key = ["a", "b", "c"][case % 3];
        format!(
            "{},\"accept\":[\"{key}\"]}}",
            line.trim_end_matches('}').to_owned()
        )
    };
    lines(
        &unlabelled(30)
            .lines()
            .enumerate()
            .map(line)
            .collect::<Vec<_>>(),
    )
}

/// The group of the only number of options.
fn group(summary: &Value) -> &Value {
    let groups = summary["position"]["by_options"].as_array().unwrap();
    assert_eq!(groups.len(), 1);
    &groups[0]
}

fn positions(out: &str) -> Vec<&str> {
    out.lines()
        .filter(|line| line.starts_with("position"))
        .collect()
}

#[test]
fn first_and_last_are_named_and_other_positions_are_never_chosen() {
    let (_guard, path) = folder(&labelled());
    for (name, end, never, left, right) in [("first", 0, [1, 2], 30, 0), ("last", 2, [0, 1], 0, 30)]
    {
        let (ran, summary) =
            probe_line(&path, &format!("cases.jsonl --model {name} --order check"));
        let found = group(&summary);
        assert_eq!(found["chosen"][end], 90, "{name}");
        let named: Vec<u64> = found["never_chosen"]
            .as_array()
            .unwrap()
            .iter()
            .map(|each| each["position"].as_u64().unwrap())
            .collect();
        assert_eq!(named, never);
        assert_eq!(found["never_chosen"][0]["offered"], 90);
        assert_eq!(
            found["never_chosen"][0]["chance"],
            Value::Null,
            "asks of a case depend on each other"
        );
        assert_eq!(found["design"], "other");
        assert_eq!(found["uniformity"], Value::Null);
        assert_eq!(found["reverse_pairs"]["first_both"], left);
        assert_eq!(found["reverse_pairs"]["last_both"], right);
        assert_eq!(found["preferred"], json!([end]));
        let line = format!(
            "position  always the {name} in 90 answers (even is 33.3%); prefers the {name}, p <0.000001 (reversal: \
             {left} to {right})"
        );
        assert_eq!(positions(&ran.out), [line], "{}", ran.out);
        assert!(
            ran.err.contains(&format!(
                "all 120 answers, in every order asked, are in position {}",
                end + 1
            )),
            "{}",
            ran.err
        );
        assert!(
            ran.err
                .contains("(the best fixed position would get 10/30, the best fixed key 10/30)"),
            "{}",
            ran.err
        );
        // Its flips all follow the position, and its fit is what one position would get.
        let reverse = &summary["axes"]["order"]["reverse"];
        assert_eq!(reverse["position_following"], 30);
        assert_eq!(
            (&reverse["moved"], &reverse["moved_rate"]),
            (&json!(30), &json!(1.0))
        );
        assert_eq!(
            summary["fit"]["right"],
            summary["fit"]["position_baseline"]["right"]
        );
        let skew = &summary["fit"]["accepted_positions"][0];
        assert_eq!(
            (&skew["counts"], &skew["p"]),
            (&json!([10, 10, 10]), &json!(1.0))
        );
        // First in the own order is right for a third of the cases; both ends: recall 1, 0, 0.
        let recall = &found["recall"];
        assert_eq!(recall["recalls"][end], 1.0);
        let rstd = recall["rstd_percent"].as_f64().unwrap();
        assert!((rstd - 100.0 * 2.0_f64.sqrt() / 3.0).abs() < 1e-9, "{rstd}");
    }
}

#[test]
fn a_middle_picker_under_reversal_alone_is_not_clean_in_silence_and_fails_where_it_can_be_seen() {
    let (_guard, path) = folder(&unlabelled(80));
    let blind = "cases.jsonl --model slot:2 --order reverse,same:1 --gate none:fit";
    let (ran, summary) = probe_line(&path, blind);
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(0));
    assert!(
        ran.err.contains(
            "reversal cannot see a preference for both ends or for the middle; add `rotate:1`"
        ),
        "{}",
        ran.err
    );
    assert_eq!(
        group(&summary)["unseen"],
        json!({"symmetric": true, "neighbours": false, "fixed_positions": [1]})
    );
    assert_eq!(group(&summary)["reverse_pairs"]["blind_to_symmetric"], true);
    for orders in ["check", "random:1,same:1"] {
        let strict =
            format!("cases.jsonl --model slot:2 --order {orders} --gate none:fit --strict");
        let (ran, summary) = probe_line(&path, &strict);
        assert_eq!(ran.code, 1, "{orders}");
        assert_eq!(
            summary["gates"][0]["verdict"], "order-sensitive",
            "{orders}"
        );
        assert!(!ran.err.contains("cannot see"), "{}", ran.err);
    }
    let (ran, summary) = probe_line(
        &path,
        "cases.jsonl --model slot:2 --order random:1 --gate none:fit",
    );
    let found = group(&summary);
    assert_eq!(
        (&found["design"], &found["preferred"]),
        (&json!("random-order"), &json!([1]))
    );
    // All 80 in one of three positions: 80 * 2.
    let chi_square = found["uniformity"]["chi_square"].as_f64().unwrap();
    assert!((chi_square - 160.0).abs() < 1e-9, "{chi_square}");
    let chance = found["never_chosen"][0]["chance"].as_f64().unwrap();
    assert!((chance / (2.0_f64 / 3.0).powi(80) - 1.0).abs() < 1e-9);
    assert_eq!(
        positions(&ran.out),
        [
            "position  always position 2 in 80 answers (even is 33.3%); prefers position 2, p <0.000001"
        ]
    );
}

#[test]
fn a_prior_for_both_ends_is_named_by_a_balanced_set_and_not_by_its_reversal() {
    let (_guard, path) = folder(&four_options(40));
    let words = "cases.jsonl --model prior:.35,.15,.15,.35 --gate none:fit --order";
    let (ran, summary) = probe_line(&path, &format!("{words} balanced,same:1"));
    let found = group(&summary);
    assert_eq!(found["design"], "balanced-set");
    assert_eq!(found["balanced"]["cases"], 40);
    assert_eq!(found["preferred"], json!([0, 3]));
    assert_eq!(
        found["chosen"].as_array().unwrap()[1..3],
        [json!(0), json!(0)]
    );
    let shown = positions(&ran.out);
    assert_eq!(shown.len(), 1, "{}", ran.out);
    assert!(
        shown[0].contains("prefers the first and the last, p <0.000001"),
        "{}",
        ran.out
    );
    let (ran, summary) = probe_line(&path, &format!("{words} reverse,same:1"));
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(0));
    assert_eq!(group(&summary)["preferred"], json!([]));
    assert!(positions(&ran.out).is_empty(), "{}", ran.out);
    assert!(ran.err.contains("reversal cannot see"), "{}", ran.err);
}

#[test]
fn a_model_that_reads_content_has_no_line_and_exact_uniformity() {
    let (_guard, path) = folder(&labelled());
    let server = Standin::builder().policy(Policy::Content).start().unwrap();
    for spec in ["overlap".to_owned(), model(&server)] {
        let (ran, summary) = probe_line(
            &path,
            &format!("cases.jsonl --model {spec} --order balanced"),
        );
        assert!(positions(&ran.out).is_empty(), "{}", ran.out);
        let found = group(&summary);
        assert_eq!(found["chosen"], json!([60, 60, 60]));
        assert_eq!(
            found["balanced"]["reason"],
            "no position preference (all cases unanimous)"
        );
        assert_eq!(
            (&found["p"], &found["preferred"]),
            (&Value::Null, &json!([]))
        );
    }
    let verbose = run_line(
        &path,
        "probe cases.jsonl --model overlap --order balanced --verbose",
    );
    for expected in [
        "no position preference (all cases unanimous); 30 cases with all 6 orders answered",
        "one position always would flip under 80.0% of random other orders, a random answer",
        "accepted  3 options",
    ] {
        assert!(
            verbose.out.contains(expected),
            "{expected}\n{}",
            verbose.out
        );
    }
}

#[test]
fn chance_prefers_no_position() {
    let (_guard, path) = folder(&unlabelled(300));
    for orders in ["random:1", "balanced", "check"] {
        let (ran, summary) = probe_line(
            &path,
            &format!("cases.jsonl --model random --order {orders} --gate none:fit"),
        );
        let found = group(&summary);
        assert_eq!(found["preferred"], json!([]), "{orders} {found}");
        assert!(positions(&ran.out).is_empty(), "{}", ran.out);
        assert!(found["never_chosen"].as_array().unwrap().is_empty());
    }
}

#[test]
fn the_option_after_a_marked_one_hides_from_rotations_and_not_from_a_balanced_set() {
    let (_guard, path) = folder(&four_options(30));
    let words = "cases.jsonl --model next-to:b --gate none:fit --order";
    let (ran, summary) = probe_line(&path, &format!("{words} rotate"));
    for by in 1..4 {
        assert_eq!(
            count(&summary, &format!("/axes/order/rotate:{by}/flips")),
            Some(0)
        );
    }
    assert!(
        ran.err.contains("`rotate:1`, `rotate:2` and `rotate:3` are the only orders asked, and 30 cases have three"),
        "{}",
        ran.err
    );
    assert!(
        ran.err
            .contains("cannot see an effect of the option before or after"),
        "{}",
        ran.err
    );
    let (ran, summary) = probe_line(&path, &format!("{words} balanced"));
    let flips: Vec<_> = (1..4)
        .map(|n| count(&summary, &format!("/axes/order/balanced:{n}/flips")))
        .collect();
    // The rows are 1302, 3210 and 2031: after b comes d, then a, and in the last one, circularly, c as in the own order.
    assert_eq!(flips, [Some(30), Some(30), Some(0)]);
    assert_eq!(ran.code, 1);
    assert!(!ran.err.contains("cannot see"), "{}", ran.err);
}

#[test]
fn failures_after_case_twenty_are_missing_from_positions_too_and_never_stable_under_either_rule() {
    for rule in ["", " --strict"] {
        let (_guard, path) = folder(&unlabelled(120));
        let server = faulty(Policy::Content, Fault::Status(422), When::From(61));
        let words = format!(
            "cases.jsonl --model {} --order rotate --gate none:fit --concurrency 1{rule}",
            model(&server)
        );
        let (ran, summary) = probe_line(&path, &words);
        for line in ["rotate:1", "rotate:2"] {
            assert_ne!(
                summary["axes"]["order"][line]["verdict"], "stable",
                "{rule}"
            );
        }
        assert_eq!(ran.code, 1, "{}", ran.err);
        let test = &group(&summary)["balanced"];
        let (cases, left) = (
            test["cases"].as_u64().unwrap(),
            test["left_out"].as_u64().unwrap(),
        );
        assert_eq!(cases + left, 120);
        // Sixty answers complete at most twenty cases of three orders.
        assert!(cases <= 20, "{test}");
        assert_eq!(
            group(&summary)["answers"].as_u64().unwrap()
                + group(&summary)["missing"].as_u64().unwrap(),
            360
        );
    }
}

#[test]
fn a_server_that_sorts_and_a_reader_of_keys_never_flip_in_any_order() {
    let (_guard, path) = folder(&unlabelled(12));
    for policy in [
        Policy::SortedOrder(Box::new(Policy::First)),
        Policy::KeyBiased,
    ] {
        let server = Standin::builder().policy(policy).start().unwrap();
        let words = format!(
            "cases.jsonl --model {} --order balanced,rotate:1,same:1 --gate none:fit",
            model(&server)
        );
        let (ran, summary) = probe_line(&path, &words);
        for line in summary["axes"]["order"].as_object().unwrap().values() {
            assert_eq!(line["flips"], 0);
        }
        assert_eq!(count(&summary, "/control/flips"), Some(0));
        // A rate of 0 is real, and the answer is always one key.
        assert!(
            ran.err.contains("in every order asked, are `a`: that they never flip is real, and a model that reads nothing"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn refusals_when_reversed_are_flips_and_in_no_position() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = Standin::builder()
        .policy(Policy::RefuseReversed)
        .start()
        .unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse,rotate:1 --gate none:fit",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(10));
    assert_eq!(
        count(&summary, "/axes/order/reverse/no_decision_flips"),
        Some(10)
    );
    let found = group(&summary);
    assert!(found["no_decision"].as_u64() >= Some(10));
    assert_eq!(
        found["reverse_pairs"]["pairs"], 0,
        "a refusal stands nowhere"
    );
    assert_eq!(found["reverse_pairs"]["p"], Value::Null);
}
