//! Drift of probabilities and our own confidence.

use flipside_core::summary::DriftReason;

use super::{Row, Run, Said, close, drift, golden, numbers, reversed, row};

#[test]
fn the_goldens_come_out_of_the_summary() {
    let toy = golden("drift", "toy3");
    let (p, q) = (numbers(&toy["inputs"]["p"]), numbers(&toy["inputs"]["q"]));
    let found = drift(&[row(0, &[&p, &q])]);
    let expected = |name: &str| toy["expected"][name].as_f64().unwrap();
    for (quantity, name) in [
        (&found.total_variation, "tv"),
        (&found.largest_change, "max_abs_dp"),
        (&found.jensen_shannon_bits, "js_bits"),
        (&found.jensen_shannon_distance, "js_distance"),
        (&found.log_odds, "max_abs_log_odds"),
        (&found.centred_logit, "max_abs_clr"),
    ] {
        assert_eq!(quantity.pairs, 1, "{name}");
        for value in [quantity.median, quantity.p95, quantity.largest] {
            close(value, expected(name));
        }
        assert_eq!(quantity.worst.as_deref(), Some("c0"));
        assert_eq!(quantity.median_interval, None, "one case has no interval");
    }
    close(found.headroom.largest, expected("headroom"));
    assert_eq!((found.headroom.reached, found.headroom.pairs), (0, 1));
    close(
        found.own_confidence.unwrap().margin.mean.into(),
        expected("margin_p"),
    );
}

#[test]
fn what_does_not_move_is_numerically_invariant_with_a_headroom_of_zero() {
    let third = 1.0 / 3.0;
    let p = [third, 0.5, 1.0 - third - 0.5];
    let found = drift(&[row(0, &[&p, &p]), row(1, &[&p, &p])]);
    assert_eq!(found.total_variation.largest, Some(0.0));
    assert_eq!(found.total_variation.worst, None);
    assert_eq!(found.headroom.largest, Some(0.0));
    assert_eq!(found.invariance.numerically_invariant, Some(true));
    assert_eq!(found.total_variation.p95_interval, Some([0.0, 0.0]));
    assert_eq!((found.step, found.draws, found.seed), (None, 2000, 1));
}

#[test]
fn rounded_probabilities_say_their_step_and_cannot_show_that_nothing_moved() {
    let found = drift(&[
        row(0, &[&[0.71, 0.23, 0.06], &[0.71, 0.23, 0.06]]),
        row(1, &[&[0.5, 0.25, 0.25], &[0.5, 0.25, 0.25]]),
    ]);
    close(found.step, 0.01);
    assert_eq!(found.invariance.numerically_invariant, None);
    assert_eq!(found.invariance.reason, Some(DriftReason::Rounded));
    // From 0.70 to 0.50 no rounding leads.
    let found = drift(&[row(0, &[&[0.7, 0.2, 0.1], &[0.5, 0.3, 0.2]])]);
    assert_eq!(found.invariance.numerically_invariant, Some(false));
    // One answer off the grid shows that the others lie on it by chance.
    let fine = 1.0 / 3.0;
    let found = drift(&[
        row(0, &[&[0.5, 0.5], &[0.5, 0.5]]),
        row(1, &[&[fine, 1.0 - fine], &[fine, 1.0 - fine]]),
    ]);
    assert_eq!(found.step, None);
    assert_eq!(found.invariance.numerically_invariant, Some(true));
}

#[test]
fn probabilities_that_do_not_add_up_are_renormalised_in_a_copy() {
    let whole = drift(&[row(0, &[&[0.7, 0.2, 0.1], &[0.5, 0.3, 0.2]])]);
    let rows = [row(0, &[&[0.693, 0.198, 0.099], &[0.51, 0.306, 0.204]])];
    let scaled = drift(&rows);
    close(scaled.total_variation.largest, 0.2);
    close(
        scaled.centred_logit.largest,
        whole.centred_logit.largest.unwrap(),
    );
    let kept = &Run::new(&rows, "reverse").summary().cases[0].asks[0];
    assert_eq!(
        kept.probabilities.as_deref(),
        Some(&[0.693, 0.198, 0.099][..])
    );
    close(kept.confidence.unwrap().top.into(), 0.7);
}

#[test]
fn one_hot_replies_have_no_log_measure_and_say_so() {
    let found = drift(&[
        row(0, &[&[1.0, 0.0], &[1.0, 0.0]]),
        row(1, &[&[1.0, 0.0], &[0.0, 1.0]]),
    ]);
    assert_eq!((found.pairs, found.zeros, found.one_hot), (2, 2, 2));
    assert_eq!(found.jensen_shannon_bits.largest, Some(1.0));
    assert_eq!(found.total_variation.median, Some(0.5));
    assert_eq!(found.total_variation.worst.as_deref(), Some("c1"));
    for quantity in [&found.log_odds, &found.centred_logit] {
        assert_eq!((quantity.pairs, quantity.median), (0, None));
        assert_eq!(quantity.reason, Some(DriftReason::OneHot));
    }
    assert_eq!(found.headroom.reason, Some(DriftReason::OneHot));
    assert_eq!(found.headroom.reached_rate, None);
    assert_eq!(found.invariance.reason, Some(DriftReason::OneHot));
}

#[test]
fn zeros_ties_failures_and_bare_answers_are_counted_apart() {
    let mut rows = vec![
        row(0, &[&[0.7, 0.3, 0.0], &[0.6, 0.4, 0.0]]),
        row(1, &[&[0.4, 0.4, 0.2], &[0.5, 0.3, 0.2]]),
        row(2, &[&[0.4, 0.4, 0.2], &[0.4, 0.4, 0.2]]),
        row(3, &[&[0.6, 0.3, 0.1], &[0.3, 0.6, 0.1]]),
    ];
    let mut bare = row(4, &[&[0.6, 0.3, 0.1]]);
    bare.said.push(Said::Bare(0));
    let mut lost = row(5, &[&[0.6, 0.3, 0.1]]);
    lost.said.push(Said::Failed);
    rows.extend([bare, lost]);
    let found = drift(&rows);
    assert_eq!((found.pairs, found.without_probabilities), (4, 1));
    assert_eq!((found.zeros, found.one_hot, found.reason), (1, 0, None));
    assert_eq!(found.total_variation.pairs, 4);
    assert_eq!((found.log_odds.pairs, found.log_odds.reason), (3, None));
    // c1 ties and moves: infinite; c2 ties and does not; c3 swaps its first two: 2 ln 2 over ln 2.
    let headroom = &found.headroom;
    assert_eq!((headroom.pairs, headroom.infinite), (3, 1));
    close(headroom.median, 1.0);
    close(headroom.largest, 2.0);
    assert_eq!(headroom.reached, 2);
    close(headroom.reached_rate, 2.0 / 3.0);
}

#[test]
fn nothing_to_measure_has_its_reason() {
    let bare = |number, said: [Said; 2]| Row {
        said: said.to_vec(),
        ..row(number, &[&[0.5, 0.5]])
    };
    let found = drift(&[bare(0, [Said::Bare(0), Said::Bare(1)])]);
    assert_eq!(found.reason, Some(DriftReason::NoProbabilities));
    assert_eq!(found.jensen_shannon_bits.reason, found.reason);
    assert_eq!((found.own_confidence, found.confidence), (None, None));
    let found = drift(&[bare(0, [Said::Bare(0), Said::Failed])]);
    assert_eq!(found.reason, Some(DriftReason::NoAnswers));
    assert_eq!(found.invariance.numerically_invariant, None);
}

#[test]
fn medians_and_percentiles_are_those_of_the_pairs() {
    // Total variations 0.00, 0.01, .., 0.20: the median is 0.10, the 95th percentile 0.19.
    let rows: Vec<Row> = (0..21_u32)
        .map(|n| {
            let moved = f64::from(n) / 100.0;
            row(n as usize, &[&[0.5, 0.5], &[0.5 + moved, 0.5 - moved]])
        })
        .collect();
    let found = drift(&rows).total_variation;
    close(found.median, 0.1);
    close(found.p95, 0.19);
    close(found.largest, 0.2);
    assert_eq!(found.worst.as_deref(), Some("c20"));
    let [low, high] = found.median_interval.unwrap();
    // Of the closed form P(Binomial(21, i/21) >= 11), 2.5 % lie under the 7th and over the 15th value.
    assert!(
        (0.05..=0.07).contains(&low) && (0.13..=0.15).contains(&high),
        "{low} {high}"
    );
    let [low, high] = found.p95_interval.unwrap();
    assert!(
        (0.15..=0.17).contains(&low) && (0.199..=0.2001).contains(&high),
        "{low} {high}"
    );
}

#[test]
fn our_own_confidence_has_one_formula_beside_what_the_backend_says() {
    let rows = [
        row(0, &[&[0.71, 0.23, 0.06], &[0.9, 0.05, 0.05]]),
        row(1, &[&[0.9, 0.05, 0.05], &[0.71, 0.23, 0.06]]),
        row(2, &[&[0.71, 0.23, 0.06], &[0.71, 0.23, 0.06]]),
    ];
    let summary = Run::new(&rows, "reverse,same:1").summary_of_two();
    // Published for (0.71, 0.23, 0.06): 0.71, 0.48, 0.5650, 0.3173.
    let ours = summary.cases[0].asks[0].confidence.unwrap();
    for (found, expected) in [
        (Some(ours.top), 0.71),
        (ours.margin, 0.48),
        (ours.above_chance, 0.565),
        (ours.entropy, 0.3173),
    ] {
        assert!((found.unwrap() - expected).abs() < 5e-5);
    }
    let own = summary.confidence.unwrap();
    assert_eq!(own.answers, 3);
    close(own.top.mean.into(), (0.71 + 0.9 + 0.71) / 3.0);
    close(own.top.median.into(), 0.71);
    let line = &summary.axes["order"]["reverse"];
    let reverse = line.drift.as_ref().unwrap().confidence.as_ref().unwrap();
    close(reverse.top.mean.into(), (0.9 + 0.71 + 0.71) / 3.0);
    let control = summary.control.unwrap();
    let same = control.by_repeat["1"].drift.as_ref().unwrap();
    assert_eq!(same.total_variation.largest, Some(0.0));
}

impl Run<'_> {
    /// The summary where the control repeats what the own order said.
    fn summary_of_two(&self) -> flipside_core::summary::Summary {
        let rows: Vec<Row> = self.rows.to_vec();
        let rows: Vec<Row> = rows
            .into_iter()
            .map(|mut row| {
                row.said.push(row.said[0].clone());
                row
            })
            .collect();
        Run::new(&rows, self.orders).summary()
    }
}

#[test]
fn a_zero_count_of_flips_keeps_its_headroom_beside_it() {
    let line = reversed(&[row(0, &[&[0.7, 0.2, 0.1], &[0.5, 0.3, 0.2]])]);
    assert_eq!(line.figure.flips, Some(0));
    close(line.drift.unwrap().headroom.p95, 0.821_878_873);
}
