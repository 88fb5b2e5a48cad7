//! Drift, our own confidence, routing and levels of the real program, recomputed from the asks that it wrote.

use flipside_standin::{Policy, Standin};
use serde_json::Value;

use crate::support::{folder, four_options, lines, model, probe_line, run_line, unlabelled};

/// Renormalised probabilities of the baseline and of `variant`, by case.
fn pairs(summary: &Value, variant: &str) -> Vec<(Vec<f64>, Vec<f64>)> {
    let spread = |ask: &Value| -> Vec<f64> {
        let numbers = ask["probabilities"].as_array().unwrap().iter();
        let p: Vec<f64> = numbers.map(|number| number.as_f64().unwrap()).collect();
        let sum: f64 = p.iter().sum();
        p.iter().map(|value| value / sum).collect()
    };
    let cases = summary["cases"].as_array().unwrap().iter();
    let pair = |case: &Value| {
        let asks = case["asks"].as_array().unwrap();
        let other = asks.iter().find(|ask| ask["variant"] == variant).unwrap();
        (spread(&asks[0]), spread(other))
    };
    cases.map(pair).collect()
}

/// Jensen-Shannon divergence in bits, from entropies.
fn bits((p, q): &(Vec<f64>, Vec<f64>)) -> f64 {
    let entropy =
        |p: &[f64]| -> f64 { p.iter().filter(|v| **v > 0.0).map(|v| -v * v.log2()).sum() };
    let mean: Vec<f64> = p
        .iter()
        .zip(q)
        .map(|(p, q)| f64::midpoint(*p, *q))
        .collect();
    entropy(&mean) - f64::midpoint(entropy(p), entropy(q))
}

/// The 95th percentile, linear between neighbours.
fn p95(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = 0.95 * f64::from(u32::try_from(values.len() - 1).unwrap());
    let below = values[..values.len() - 1]
        .iter()
        .zip(0..)
        .filter(|(_, n)| f64::from(*n) <= place)
        .count()
        - 1;
    let part = place - f64::from(u32::try_from(below).unwrap());
    values[below] + (values[below + 1] - values[below]) * part
}

#[test]
fn drift_is_what_the_asks_of_the_summary_give_in_process_and_over_http() {
    let (_guard, path) = folder(&four_options(25));
    let prior = "prior:.35,.15,.15,.35";
    let rounding = Standin::builder()
        .policy(prior.parse().unwrap())
        .round(2)
        .start()
        .unwrap();
    for (spec, step) in [(prior.to_owned(), None), (model(&rounding), Some(0.01))] {
        let words =
            format!("cases.jsonl --model {spec} --order reverse,rotate:1,same:1 --gate none:fit");
        let (_, summary) = probe_line(&path, &words);
        for variant in ["reverse", "rotate:1"] {
            let drift = &summary["axes"]["order"][variant]["drift"];
            let expected = p95(pairs(&summary, variant).iter().map(bits).collect());
            let found = drift["jensen_shannon_bits"]["p95"].as_f64().unwrap();
            assert!(
                (found - expected).abs() < 1e-9,
                "{spec} {variant} {found} {expected}"
            );
            assert_eq!(drift["pairs"], 25);
            assert_eq!(drift["step"].as_f64(), step, "{spec}");
        }
        let rotated = &summary["axes"]["order"]["rotate:1"]["drift"];
        // Every option moves by a factor of 0.35/0.15 or back, or stays.
        let logit = rotated["centred_logit"]["median"].as_f64().unwrap();
        let within = if step.is_some() { 0.05 } else { 1e-9 };
        assert!(
            (logit - (0.35_f64 / 0.15).ln()).abs() < within,
            "{spec} {logit}"
        );
        assert_eq!(rotated["invariance"]["numerically_invariant"], false);
        let same = &summary["control"]["by_repeat"]["1"]["drift"];
        assert_eq!(same["total_variation"]["largest"], 0.0, "{spec}");
    }
}

#[test]
fn a_content_control_has_no_drift_and_a_headroom_of_zero() {
    let (_guard, path) = folder(&unlabelled(12));
    let words = "cases.jsonl --model overlap --order reverse,rotate,same:1 --gate none:fit,drift.logit.max<=0.00001,drift.tv.max<=0";
    let (ran, summary) = probe_line(&path, words);
    assert_eq!(ran.code, 0, "{}", ran.out);
    for line in summary["axes"]["order"].as_object().unwrap().values() {
        let drift = &line["drift"];
        assert_eq!(drift["headroom"]["largest"], 0.0);
        assert_eq!(drift["total_variation"]["largest"], 0.0);
        assert_eq!(drift["invariance"]["numerically_invariant"], true);
    }
    assert!(
        ran.out
            .contains("numerically invariant in 3 other orders: no log probability moved at all"),
        "{}",
        ran.out
    );
}

#[test]
fn a_gate_on_drift_names_the_order_that_decides_and_ends_in_1() {
    let (_guard, path) = folder(&four_options(20));
    let words = "cases.jsonl --model prior:.35,.15,.15,.35 --order reverse,rotate:2 \
                 --gate none:fit,none:order,drift.js.p95<=0.02,drift.logodds.max<=2";
    let (ran, summary) = probe_line(&path, words);
    assert_eq!(ran.code, 1);
    let gate = &summary["gates"][0];
    assert_eq!(gate["subject"], "drift.js.p95");
    assert_eq!(gate["verdict"], "over limit");
    assert_eq!(gate["decided_by"], "rotate:2");
    // The prior alone moves log-odds by 2 ln(0.35/0.15) = 1.69.
    assert_eq!(summary["gates"][1]["held"], true);
    assert!(
        ran.out.contains("drift.js.p95: NOT HELD (rotate:2)"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("in rotate:2, limit 0.02"), "{}", ran.out);
}

#[test]
fn a_threshold_counts_the_answers_that_another_order_routes_elsewhere() {
    let (_guard, path) = folder(&unlabelled(10));
    let words = "cases.jsonl --model prior:.5,.3,.2 --order reverse --gate none:fit,none:order --threshold 40%";
    let (ran, summary) = probe_line(&path, words);
    let routing = &summary["axes"]["order"]["reverse"]["routing"];
    assert_eq!(routing["threshold"], 0.4);
    assert_eq!(routing["pairs"], 10);
    let tops = summary["cases"].as_array().unwrap().iter().map(|case| {
        let top = |ask: usize| case["asks"][ask]["confidence"]["top"].as_f64().unwrap() >= 0.4;
        let flip = case["asks"][1]["flip"] == true;
        (top(0), top(1), flip)
    });
    let expected = tops
        .filter(|(own, variant, flip)| own != variant && !flip)
        .count();
    assert_eq!(
        routing["routing_flips"].as_u64(),
        u64::try_from(expected).ok()
    );
    assert!(ran.out.contains("at 40%"), "{}", ran.out);
    let plain = run_line(&path, "probe cases.jsonl --order reverse --gate none:fit");
    assert!(!plain.out.contains("routing"), "{}", plain.out);
}

#[test]
fn score_questions_have_a_line_of_levels() {
    let body = |n: usize| {
        format!(
            "{{\"state\":{{\"n\":{n}}},\"questions\":{{\"s\":{{\"type\":\"score\",\"instructions\":\"How much?\",\
             \"criteria\":[\"low {n}\",\"middle\",\"high\"]}}}}}}"
        )
    };
    let (_guard, path) = folder(&lines(&(0..8).map(body).collect::<Vec<_>>()));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    let score = &summary["axes"]["order"]["reverse"]["score"];
    // The first place is level 0 in the own order and level 2 reversed.
    assert_eq!(score["flips"], 8, "{}", ran.out);
    assert_eq!(score["severe"], 8);
    assert_eq!(score["mean_change"], 2.0);
    assert_eq!(score["expectation"]["flips"], 8);
    assert!(
        ran.out.contains("8/8 changed level, mean change 2 levels"),
        "{}",
        ran.out
    );
}
