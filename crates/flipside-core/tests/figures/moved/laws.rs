//! Laws of drift, routing and levels.

use flipside_core::case::QuestionKind;
use flipside_core::summary::Line;
use proptest::prelude::*;

use super::{Row, Run, Said, row};

/// Weights of options, now and then 0, as probabilities.
fn spread(options: usize) -> impl Strategy<Value = Vec<f64>> {
    let weight = prop_oneof![9 => 1..1000_u32, 1 => Just(0)];
    proptest::collection::vec(weight, options).prop_map(|mut weights| {
        weights[0] += 1;
        let sum: u32 = weights.iter().sum();
        let p = weights
            .iter()
            .map(|weight| f64::from(*weight) / f64::from(sum));
        p.collect()
    })
}

fn said(options: usize) -> impl Strategy<Value = Said> {
    prop_oneof![
        10 => spread(options).prop_map(Said::Spread),
        1 => Just(Said::Bare(0)),
        1 => Just(Said::Failed),
    ]
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let one = (3..6_usize).prop_flat_map(|options| {
        proptest::collection::vec(said(options), 3).prop_map(move |said| (options, said))
    });
    proptest::collection::vec(one, 1..12).prop_map(|drawn| {
        let row = |(number, (options, said)): (usize, (usize, Vec<Said>))| Row {
            number,
            options,
            kind: QuestionKind::Choice,
            said,
        };
        drawn.into_iter().enumerate().map(row).collect()
    })
}

fn lines(rows: &[Row]) -> Vec<Line> {
    let run = Run {
        threshold: Some(0.6),
        ..Run::new(rows, "reverse,rotate:1")
    };
    run.summary().axes["order"].values().cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn permuting_cases_moves_no_bit(rows in rows(), by in 0..12_usize) {
        let mut moved = rows.clone();
        moved.rotate_left(by % rows.len());
        moved.reverse();
        let run = |rows: &[Row]| Run::new(rows, "reverse,rotate:1").summary();
        let (a, b) = (run(&rows), run(&moved));
        prop_assert_eq!(a.axes, b.axes);
        prop_assert_eq!(a.confidence, b.confidence);
        prop_assert_eq!(a.score, b.score);
    }

    #[test]
    fn relabelling_options_moves_no_bit_of_drift(rows in rows(), by in 1..5_usize) {
        let mut relabelled = rows.clone();
        for row in &mut relabelled {
            for said in &mut row.said {
                if let Said::Spread(p) = said {
                    let by = by % p.len();
                    p.rotate_left(by);
                }
            }
        }
        for (a, b) in lines(&rows).iter().zip(lines(&relabelled)) {
            prop_assert_eq!(&a.drift, &b.drift);
            let routed = |line: &Line| {
                let routing = line.routing.clone().unwrap();
                (routing.pairs, routing.own_accepted, routing.variant_accepted)
            };
            prop_assert_eq!(routed(a), routed(&b));
        }
    }

    #[test]
    fn a_vacuous_case_changes_nothing(rows in rows()) {
        let mut more = rows.clone();
        more.push(Row { said: vec![Said::Bare(0); 3], ..row(99, &[&[1.0]]) });
        for (a, b) in lines(&rows).iter().zip(lines(&more)) {
            prop_assert_eq!(&a.drift, &b.drift);
            prop_assert_eq!(&a.routing, &b.routing);
        }
    }

    #[test]
    fn measures_keep_their_order_and_their_range(rows in rows()) {
        for line in lines(&rows) {
            let drift = line.drift.unwrap();
            for bounded in [&drift.total_variation, &drift.largest_change, &drift.jensen_shannon_bits] {
                prop_assert_eq!(bounded.pairs, drift.pairs);
                if let (Some(median), Some(p95), Some(largest)) = (bounded.median, bounded.p95, bounded.largest) {
                    prop_assert!(0.0 <= median && median <= p95 && p95 <= largest && largest <= 1.0 + 1e-12);
                }
            }
            prop_assert_eq!(drift.log_odds.pairs + drift.zeros, drift.pairs);
            prop_assert_eq!(drift.headroom.pairs + drift.zeros, drift.pairs);
            let routing = line.routing.unwrap();
            let compared = routing.pairs + routing.without_probabilities;
            prop_assert_eq!(compared, line.figure.pairs);
            prop_assert_eq!(routing.pairs == 0, routing.rate.is_none());
        }
    }

    #[test]
    fn no_flip_without_a_headroom_of_one(options in 3..6_usize, seed in proptest::collection::vec(1..1000_u32, 10)) {
        let p = |from: usize| {
            let weights: Vec<f64> = (0..options).map(|n| f64::from(seed[from + n])).collect();
            let sum: f64 = weights.iter().sum();
            weights.iter().map(|weight| weight / sum).collect::<Vec<f64>>()
        };
        let line = super::reversed(&[row(0, &[&p(0), &p(5)])]);
        let headroom = line.drift.unwrap().headroom;
        if line.figure.flips == Some(1) {
            prop_assert_eq!(headroom.reached, 1);
        }
    }

    #[test]
    fn a_lost_answer_never_makes_a_gate_on_drift_hold(rows in rows(), at in 0..12_usize, ask in 0..3_usize) {
        let held = |rows: &[Row]| {
            let run = Run { gates: "none:fit,none:order,drift.tv.p95<=0.3,drift.logit.p50<=0.4", ..Run::new(rows, "reverse,rotate:1") };
            let gates = run.summary().gates;
            gates.iter().map(|gate| gate.held).collect::<Vec<bool>>()
        };
        let before = held(&rows);
        let mut lost = rows.clone();
        let place = at % rows.len();
        lost[place].said[ask] = Said::Failed;
        for (before, after) in before.iter().zip(held(&lost)) {
            prop_assert!(*before || !after);
        }
    }
}
