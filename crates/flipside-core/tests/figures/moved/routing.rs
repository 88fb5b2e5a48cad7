//! Answers that a threshold accepts in one of two orders only.

use flipside_core::summary::{DriftReason, Routing};

use super::{Row, Run, Said, close, row};

fn routing(rows: &[Row], threshold: f64) -> Routing {
    let run = Run {
        threshold: Some(threshold),
        ..Run::new(rows, "reverse")
    };
    run.summary().axes["order"]["reverse"]
        .routing
        .clone()
        .unwrap()
}

#[test]
fn only_a_kept_decision_that_crosses_the_threshold_is_a_routing_flip() {
    let mut rows = vec![
        row(0, &[&[0.95, 0.05], &[0.85, 0.15]]),
        row(1, &[&[0.2, 0.8], &[0.08, 0.92]]),
        row(2, &[&[0.95, 0.05], &[0.93, 0.07]]),
        row(3, &[&[0.95, 0.05], &[0.05, 0.95]]),
        row(4, &[&[0.95, 0.05], &[0.4, 0.6]]),
    ];
    for (number, said) in [(5, Said::Bare(0)), (6, Said::Failed)] {
        let mut other = row(number, &[&[0.95, 0.05]]);
        other.said.push(said);
        rows.push(other);
    }
    let found = routing(&rows, 0.9);
    assert_eq!((found.pairs, found.without_probabilities), (5, 1));
    assert_eq!((found.to_review, found.from_review), (1, 1));
    assert_eq!((found.routing_flips, found.decision_flips), (2, 2));
    assert_eq!((found.own_accepted, found.variant_accepted), (4, 3));
    close(found.rate, 0.4);
    // Wilson of 2/5 by hand: centre (2 + 1.920729)/(5 + 3.841459), half-width 1.959964 sqrt(1.2 + 0.960365)/8.841459.
    let [low, high] = found.interval.unwrap();
    close(Some(low), 0.117_621);
    close(Some(high), 0.769_276);
    // 5 pairs and 2 unknown ones: at least the lower bound of 2/7, at most the upper one of 4/7.
    close(found.lower, 0.053_375);
    close(found.upper, 0.871_244);
    assert_eq!(found.reason, None);
}

#[test]
fn a_probability_at_the_threshold_is_accepted_whatever_its_last_bits_are() {
    let single = f64::from(0.9_f32);
    let rows = [
        row(0, &[&[0.9, 0.1], &[single, 1.0 - single]]),
        row(1, &[&[0.9, 0.1], &[0.899, 0.101]]),
    ];
    let found = routing(&rows, 0.9);
    assert_eq!((found.routing_flips, found.to_review), (1, 1));
}

#[test]
fn the_threshold_is_held_against_our_own_top_after_renormalising() {
    let found = routing(&[row(0, &[&[0.9, 0.11], &[0.9, 0.1]])], 0.9);
    assert_eq!((found.own_accepted, found.from_review), (0, 1));
}

#[test]
fn without_probabilities_there_is_no_rate_and_anything_is_possible() {
    let mut bare = row(0, &[&[0.9, 0.1]]);
    bare.said = vec![Said::Bare(0), Said::Bare(0)];
    let found = routing(&[bare], 0.9);
    assert_eq!((found.rate, found.interval), (None, None));
    assert_eq!((found.lower, found.upper), (Some(0.0), Some(1.0)));
    assert_eq!(found.reason, Some(DriftReason::NoProbabilities));
}

#[test]
fn without_a_threshold_nothing_is_routed() {
    let rows = [row(0, &[&[0.9, 0.1], &[0.8, 0.2]])];
    let summary = Run::new(&rows, "reverse").summary();
    assert_eq!(summary.axes["order"]["reverse"].routing, None);
}
