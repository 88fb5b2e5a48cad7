//! The lines of drift, routing and levels.

use flipside_core::perturb::Axis;
use flipside_core::summary::{DriftReason, GateLine, Rule, ScoreReason, Summary, Verdict};

use super::*;
use crate::terminal::render;

fn quiet() -> Summary {
    content(30, &CHECK, false)
}

fn with(scales: [f64; 2], summary: &mut Summary) {
    for (line, scale) in summary.axes["order"].values_mut().zip(scales) {
        line.drift = Some(example::drift(scale, "case-17"));
    }
}

#[test]
fn the_order_that_moved_most_has_one_line() {
    let mut summary = quiet();
    with([0.5, 1.0], &mut summary);
    let text = render(&summary, &WIDE);
    let found: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("drift"))
        .collect();
    assert_eq!(
        found,
        [
            "drift  rotate:1    median 0.031 JS bits, p95 0.12, worst case case-17; headroom p95 0.82"
        ]
    );
}

#[test]
fn a_count_of_no_flips_has_its_headroom_beside_it_and_flips_have_none() {
    let mut summary = quiet();
    with([1.0, 0.0], &mut summary);
    let text = render(&summary, &WIDE);
    assert!(
        flat(line(&text, "order  reverse"))
            .ends_with("stable, headroom p50 0.02, p95 0.82, largest 0.9"),
        "{text}"
    );
    assert!(flat(line(&text, "order  rotate:1")).ends_with("stable, numerically invariant"));
    let moved = render(&example::moved(), &WIDE);
    assert!(!line(&moved, "order    reverse").contains("headroom"));
}

#[test]
fn orders_that_move_nothing_share_one_line() {
    let mut summary = quiet();
    with([0.0, 0.0], &mut summary);
    assert_eq!(
        flat(line(&render(&summary, &WIDE), "drift")),
        "drift order numerically invariant in 2 other orders: no log probability moved at all"
    );
    with([0.0, 1e-12], &mut summary);
    assert_eq!(
        flat(line(&render(&summary, &WIDE), "drift")),
        "drift order numerically invariant in 2 other orders: log probabilities moved by at most 1e-12"
    );
}

#[test]
fn one_hot_replies_have_no_line_and_verbose_says_why() {
    let mut summary = quiet();
    with([1.0, 1.0], &mut summary);
    for line in summary.axes["order"].values_mut() {
        let drift = line.drift.as_mut().unwrap();
        (drift.zeros, drift.one_hot) = (30, 30);
        drift.log_odds.median = None;
        drift.log_odds.reason = Some(DriftReason::OneHot);
    }
    assert!(!render(&summary, &WIDE).contains("drift"));
    let verbose = flat(&render(&summary, &VERBOSE));
    assert!(
        verbose.contains("log-odds every answer puts everything on one option"),
        "{verbose}"
    );
    assert!(verbose.contains("counted apart 30 pairs with a probability of 0 (30 one-hot)"));
}

#[test]
fn rounded_probabilities_say_their_step() {
    let mut summary = quiet();
    with([0.0, 0.0], &mut summary);
    for line in summary.axes["order"].values_mut() {
        let drift = line.drift.as_mut().unwrap();
        drift.step = Some(0.01);
        drift.invariance.numerically_invariant = None;
        drift.invariance.reason = Some(DriftReason::Rounded);
    }
    let text = render(&summary, &WIDE);
    assert_eq!(
        flat(line(&text, "drift")),
        "drift reverse no probability moved; in steps of 0.01"
    );
}

#[test]
fn a_baseline_that_ties_is_infinitely_far_and_said_apart() {
    let mut summary = quiet();
    with([1.0, 0.5], &mut summary);
    let headroom = &mut summary.axes["order"]["reverse"]
        .drift
        .as_mut()
        .unwrap()
        .headroom;
    headroom.infinite = 4;
    let text = render(&summary, &WIDE);
    assert!(
        flat(&text).contains("largest 0.9, infinite in 4 of 30"),
        "{text}"
    );
}

#[test]
fn everything_about_every_order_is_in_the_verbose_report() {
    insta::assert_snapshot!(render(&example::moved(), &VERBOSE));
}

#[test]
fn with_everything_that_moves_an_ordinary_run_stays_short() {
    let text = render(&example::moved(), &WIDE);
    let routed = text
        .lines()
        .filter(|line| line.starts_with("routing"))
        .count();
    assert_eq!(routed, 2, "one for each order");
    assert!(
        flat(&text).contains(
            "routing reverse 3/30 rerouted up to 23.9% in general at 90%: 2 to review, 1 from review; 20 accepted in \
             the own order, 19 in this one"
        ),
        "{text}"
    );
    assert!(
        flat(&text).contains(
            "score reverse 3/10 changed level, mean change 0.4 levels, 1/10 by 2 or more, quadratic kappa 0.807, 2/10 \
             expected levels moved by half a level; ICC(A,1) 0.92 (95% CI 0.85 to 0.97) over 10 cases and 3 orders"
        ),
        "{text}"
    );
}

#[test]
fn what_has_no_figure_of_levels_says_why() {
    let mut summary = example::moved();
    for line in summary.axes["order"].values_mut() {
        let score = line.score.as_mut().unwrap();
        score.weighted_kappa = None;
        score.kappa_reason = Some(ScoreReason::DifferentLevels);
        score.expectation.pairs = 0;
    }
    let labelled = summary.score.as_mut().unwrap().labelled.as_mut().unwrap();
    (labelled.value, labelled.interval) = (None, None);
    labelled.reason = Some(ScoreReason::NoVariance);
    let text = flat(&render(&summary, &WIDE));
    for expected in [
        "no kappa over different scales",
        "no expected levels",
        "no ICC(A,1) over 10 cases and 3 orders: no variance",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_gate_on_drift_has_a_line_with_its_figure_its_order_and_its_limit() {
    let mut summary = quiet();
    with([1.0, 0.5], &mut summary);
    summary.gates.push(GateLine {
        subject: "drift.js.p95".to_owned(),
        limit: 0.02,
        rule: Rule::File,
        verdict: Verdict::OverLimit,
        held: false,
        decided_by: Some("reverse".to_owned()),
        reason: Some("0.12 over 30 pairs".to_owned()),
    });
    let text = render(&summary, &WIDE);
    assert_eq!(
        flat(line(&text, "drift  js.p95")),
        "drift js.p95 over limit: 0.12 over 30 pairs in reverse, limit 0.02"
    );
    assert!(line(&text, "gates").contains("drift.js.p95: NOT HELD (reverse)"));
}

#[test]
fn routing_and_levels_of_another_axis_have_a_line_of_its_worst_variant_where_something_moved() {
    let variants = [
        Variants::Reverse,
        Variants::On(Axis::Keys, "abstract"),
        Variants::On(Axis::Keys, "letters"),
        Variants::On(Axis::Whitespace, "doubled"),
    ];
    let moved = example::moved();
    let full = &moved.axes["order"]["reverse"];
    let mut summary = content(30, &variants, false);
    let flips = [
        ("keys", "abstract", 1),
        ("keys", "letters", 3),
        ("whitespace", "doubled", 0),
    ];
    for (axis, name, flips) in flips {
        let line = &mut summary.axes[axis][name];
        (line.routing, line.score) = (full.routing.clone(), full.score.clone());
        let routing = line.routing.as_mut().unwrap();
        (
            routing.routing_flips,
            routing.to_review,
            routing.from_review,
        ) = (flips, flips, 0);
        line.score.as_mut().unwrap().mean_change = 0.1 * f64::from(u32::try_from(flips).unwrap());
    }
    let rows = |style| -> Vec<String> {
        let text = render(&summary, style);
        let rows = text
            .lines()
            .filter(|row| row.starts_with("routing") || row.starts_with("score"));
        rows.map(flat).collect()
    };
    assert_eq!(
        rows(&VERBOSE)[..3],
        [
            "routing keys 1/30 rerouted up to 23.9% in general abstract, at 90%: 1 to review, 0 from review; 20",
            "routing keys 3/30 rerouted up to 23.9% in general letters, at 90%: 3 to review, 0 from review; 20",
            "routing whitespace 0/30 rerouted up to 23.9% in general doubled, at 90%: 0 to review, 0 from review; 20",
        ]
    );
    let few = rows(&WIDE);
    assert_eq!(few.len(), 2, "{few:?}");
    assert!(few[0].starts_with("routing keys 3/30 rerouted"), "{few:?}");
    assert!(
        few[1].starts_with("score keys letters: 3/10 changed level, mean change 0.3 levels"),
        "{few:?}"
    );
    let text = flat(&render(&summary, &WIDE));
    assert!(
        text.contains("20 accepted as written, 19 in this one"),
        "{text}"
    );
}
