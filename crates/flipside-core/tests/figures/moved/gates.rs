//! Gates on drift, judged over the worst order.

use flipside_core::summary::{GateLine, Rule, Verdict};

use super::{Row, Run, Said, row};

fn gate(rows: &[Row], orders: &str, gates: &str) -> GateLine {
    let gates = format!("none:fit,none:order,{gates}");
    let run = Run {
        gates: &gates,
        ..Run::new(rows, orders)
    };
    run.summary().gates[0].clone()
}

fn two() -> Vec<Row> {
    let p = [0.7, 0.2, 0.1];
    vec![
        row(0, &[&p, &p, &[0.5, 0.3, 0.2]]),
        row(1, &[&p, &[0.6, 0.3, 0.1], &p]),
    ]
}

#[test]
fn the_order_that_drifts_most_decides_and_is_named() {
    // Total variation: reverse 0 and 0.1, rotate:1 0.2 and 0.
    let found = gate(&two(), "reverse,rotate:1", "drift.tv.max<=0.15");
    assert_eq!(found.subject, "drift.tv.max");
    assert_eq!(found.verdict, Verdict::OverLimit);
    assert_eq!(found.decided_by.as_deref(), Some("rotate:1"));
    assert_eq!(found.reason.as_deref(), Some("0.2 over 2 pairs"));
    assert_eq!(found.rule, Rule::File);
    let found = gate(&two(), "reverse,rotate:1", "drift.tv.max<=20.1%");
    assert!(found.held);
    assert_eq!(found.verdict, Verdict::WithinLimit);
    assert_eq!(found.decided_by.as_deref(), Some("rotate:1"));
}

#[test]
fn every_measure_and_every_statistic_can_be_gated() {
    // Of (0.7, 0.2, 0.1) against (0.5, 0.3, 0.2), the golden values of one pair.
    let rows = [row(0, &[&[0.7, 0.2, 0.1], &[0.5, 0.3, 0.2]])];
    for (name, value) in [
        ("tv", 0.2),
        ("dp", 0.2),
        ("js", 0.031_597),
        ("logodds", 1.029_62),
        ("logit", 0.590_519),
    ] {
        for stat in ["p50", "p95", "max"] {
            let at = |limit: f64| {
                let text = format!("drift.{name}.{stat}<={limit}");
                gate(&rows, "reverse", &text).held
            };
            assert!(at(value + 1e-4) && !at(value - 1e-4), "{name} {stat}");
        }
    }
}

#[test]
fn what_was_not_measured_does_not_hold() {
    let rows = two();
    let none = gate(&rows, "same:1", "drift.js.p95<=1");
    assert_eq!((none.held, none.verdict), (false, Verdict::NotMeasured));
    assert_eq!(none.reason.as_deref(), Some("no other order was asked"));
    let mut bare = two();
    for row in &mut bare {
        row.said[1] = Said::Bare(0);
    }
    let found = gate(&bare, "reverse", "drift.js.p95<=1");
    assert_eq!(found.verdict, Verdict::NotMeasured);
    assert_eq!(
        found.reason.as_deref(),
        Some("the answers carry no probabilities")
    );
    let hot = [row(0, &[&[1.0, 0.0], &[1.0, 0.0]])];
    let found = gate(&hot, "reverse", "drift.logit.max<=5");
    assert_eq!(found.verdict, Verdict::NotMeasured);
    assert_eq!(
        found.reason.as_deref(),
        Some("every answer puts everything on one option")
    );
}

#[test]
fn a_missing_pair_leaves_a_calm_order_undecided() {
    let mut rows = two();
    rows[1].said[1] = Said::Failed;
    let found = gate(&rows, "reverse", "drift.js.p95<=0.02");
    assert_eq!((found.held, found.verdict), (false, Verdict::Undecided));
    assert_eq!(
        found.reason.as_deref(),
        Some("0 over 1 pairs, 1 more have no value")
    );
}
