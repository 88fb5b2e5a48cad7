//! Which way flips went, how far keys moved, averaged answers, and where each order's answers stood.

use flipside_core::case::QuestionKind;
use flipside_core::summary::{ClusterSigns, Line, PlaceCounts, ReportedDrift, Summary};

use super::{NARROW, VERBOSE, WIDE, flat, line};
use crate::example::{self, Variants, change, pair};
use crate::terminal::render;
use crate::wording;

fn reverse(summary: &mut Summary) -> &mut Line {
    &mut summary.axes["order"]["reverse"]
}

#[test]
fn a_clear_direction_is_one_line_of_the_order_with_what_its_key_gained() {
    let text = render(&example::routed(), &WIDE);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("direction"))
        .collect();
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("order  direction"), "{}", lines[0]);
    assert!(flat(&text).contains(
        "order direction strong to cheap 108, cheap to strong 13 (exact test adjusted p <0.000001), p(cheap) +0.0407 on \
         average (95% CI +0.035 to +0.0464)"
    ));
    let narrow = render(&example::routed(), &NARROW);
    assert!(flat(&narrow).contains("order direction strong to cheap 108"));
}

#[test]
fn without_a_clear_direction_the_report_is_as_long_as_before() {
    let bare = render(&example::first(&[Variants::Reverse]), &WIDE);
    let mut summary = example::routed();
    let found = reverse(&mut summary).direction.as_mut().unwrap();
    // Adjusted p exactly 5 %.
    found.pairs = vec![pair(["strong", "cheap"], [9, 2], 0.025)];
    assert_eq!(render(&summary, &WIDE), bare);
    found_with(&mut summary, 0.024_9);
    assert_ne!(render(&summary, &WIDE), bare);
}

fn found_with(summary: &mut Summary, p: f64) {
    let found = reverse(summary).direction.as_mut().unwrap();
    found.pairs = vec![pair(["strong", "cheap"], [9, 2], p)];
}

#[test]
fn the_three_clearest_pairs_are_told_and_the_rest_are_counted() {
    let mut summary = example::routed();
    let keys = ["a", "b", "c", "d", "e"];
    let pairs = keys.iter().zip(1..).map(|(key, n)| {
        let p = 0.01 / f64::from(n);
        pair([key, "z"], [9, 0], p)
    });
    reverse(&mut summary).direction.as_mut().unwrap().pairs = pairs.collect();
    let text = flat(&render(&summary, &WIDE));
    assert!(text.contains(
        "order direction e to z 9, z to e 0 (exact test adjusted p 0.00400); d to z 9, z to d 0 (exact test adjusted p \
         0.00500); c to z 9, z to c 0 (exact test adjusted p 0.00667); and 2 more pairs of keys, --verbose lists them"
    ), "{text}");
    let text = render(&summary, &VERBOSE);
    let rows = text
        .lines()
        .filter(|line| line.starts_with("direction  reverse"));
    assert_eq!(rows.count(), 5);
    assert!(!text.contains("order  direction"));
}

#[test]
fn of_several_orders_each_says_which_it_is() {
    let mut summary = example::first(&[Variants::Reverse, Variants::Rotate(1)]);
    let told = example::routed().axes["order"]["reverse"].direction.clone();
    summary.axes["order"]["rotate:1"].direction = told;
    let text = flat(&render(&summary, &WIDE));
    assert!(
        text.contains("order direction rotate:1: strong to cheap 108"),
        "{text}"
    );
}

#[test]
fn levels_clusters_and_a_single_test_have_their_words() {
    let mut found = pair(["2", "0"], [9, 2], 0.012);
    found.question = QuestionKind::Score;
    found.clusters = Some(ClusterSigns {
        first: 7,
        second: 1,
    });
    found.holm_p = found.p;
    assert_eq!(
        wording::ways(&found),
        "level 2 to level 0 9, level 0 to level 2 2 (exact sign test over clusters p 0.0120)"
    );
}

#[test]
fn verbose_has_every_key_with_its_counts_and_both_ways_of_averaging() {
    let text = flat(&render(&example::routed(), &VERBOSE));
    for expected in [
        "direction reverse strong to cheap 108, cheap to strong 13 (exact test adjusted p <0.000001)",
        "key reverse p(cheap) +0.0407 on average (95% CI +0.035 to +0.0464), up in 309, down in 91 and the same in 0 of 400 \
         cases; chosen 234 times, then 329",
        "key reverse p(strong) -0.0407 on average (95% CI -0.0464 to -0.035)",
        "averaged by mean 198/400 right own order 194/400; +1.0 points (95% CI -3.2 to +5.2), exact McNemar p 0.724; 72/400 \
         changed, 0 ties",
        "averaged by vote 198/400 right",
        "72/400 changed, 121 ties",
        "averaged answers cheap 234 in the own order, 298 by mean, 298 by vote of 400 cases",
        "averaged left out 1 case left out with an order missing, 2 cases left out without probabilities",
        "position own ends first 234, last 166 of 400 answers (even choice would put 200 at each end)",
        "position reverse ends first 71, last 329 of 400 answers (even choice would put 200 at each end)",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn averaging_has_a_line_of_fit_only_where_it_is_right_another_number_of_times() {
    let mut summary = example::routed();
    assert!(!render(&summary, &WIDE).contains("averaged"));
    let found = summary.averaged_answer.as_mut().unwrap();
    let accuracy = found.mean.accuracy.as_mut().unwrap();
    (accuracy.right, accuracy.difference, accuracy.mcnemar_p) = (260, 0.165, 0.000_12);
    accuracy.difference_interval = [0.12, 0.21];
    let text = render(&summary, &WIDE);
    assert!(
        line(&text, "fit    averaged").contains("260/400 right"),
        "{text}"
    );
    assert!(flat(&text).contains(
        "own order 194/400; +16.5 points (95% CI +12.0 to +21.0), exact McNemar p 0.000120; 72/400 changed, 0 ties"
    ));
    // Without labels nothing is right; what changes is told in full.
    let found = summary.averaged_answer.as_mut().unwrap();
    (found.mean.accuracy, found.vote.accuracy) = (None, None);
    assert!(!render(&summary, &WIDE).contains("averaged"));
    let text = flat(&render(&summary, &VERBOSE));
    assert!(text.contains("averaged by mean 72/400 changed from the own order's answer; 0 ties"));
}

#[test]
fn long_lists_end_with_how_much_more_there_is() {
    let mut summary = example::routed();
    let line = reverse(&mut summary);
    let keys = (0..14).map(|n| change(&format!("k{n}"), 0.01));
    let found = line.key_changes.as_mut().unwrap();
    (found.keys, found.keys_left_out) = (keys.collect(), 3);
    let found = line.direction.as_mut().unwrap();
    let pairs = (0..13).map(|n| pair([&format!("k{n}"), "z"], [1, 0], 1.0));
    (found.pairs, found.pairs_left_out) = (pairs.collect(), 0);
    let text = flat(&render(&summary, &VERBOSE));
    assert!(text.contains("key reverse and 5 more keys; --json has them"));
    assert!(text.contains("direction reverse and 1 more pair of keys; --json has them"));
    // A key that nowhere moved has no row.
    let mut still = example::routed();
    let found = reverse(&mut still).key_changes.as_mut().unwrap();
    for key in &mut found.keys {
        (key.up, key.down, key.same, key.mean) = (0, 0, 400, 0.0);
    }
    assert!(!render(&still, &VERBOSE).contains("key  "));
}

#[test]
fn keys_from_outside_are_escaped() {
    let mut summary = example::routed();
    let line = reverse(&mut summary);
    line.direction.as_mut().unwrap().pairs = vec![pair(["\u{1b}[2J", "\u{202e}x"], [9, 0], 0.001)];
    line.key_changes.as_mut().unwrap().keys = vec![change("\u{202e}x", 0.1)];
    let found = summary.averaged_answer.as_mut().unwrap();
    found.keys[0].key = "\u{1b}[2J".to_owned();
    for style in [WIDE, VERBOSE] {
        let text = render(&summary, &style);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        assert!(text.contains("\\u{1b}[2J"));
    }
}

#[test]
fn drift_as_reported_stands_in_full_and_beside_each_slice() {
    let mut drift = example::drift(1.0, "case-17").reported;
    assert_eq!(
        wording::reported(&drift),
        "mean total variation 0.075 (95% CI 0.05 to 0.1), mean largest change 0.075 (95% CI 0.05 to 0.1), largest 0.4 \
         (case-17), 30 pairs"
    );
    drift.mean_total_variation_interval = None;
    drift.worst = None;
    assert!(wording::reported(&drift).starts_with("mean total variation 0.075, mean largest"));
    assert_eq!(wording::reported(&ReportedDrift::default()), "no pairs");
    assert!(
        flat(&render(&example::moved(), &VERBOSE))
            .contains("drift reverse as reported mean total variation 0.075 (95% CI 0.05 to 0.1)")
    );
}

#[test]
fn the_table_of_all_slices_has_a_column_of_drift_where_there_is_any() {
    use flipside_core::summary::SplitKind;
    let slices = |drift| super::splits::with_drift(SplitKind::Field, "track", drift);
    let found = ReportedDrift {
        pairs: 10,
        mean_total_variation: Some(0.28999),
        largest_change: Some(0.9375),
        ..ReportedDrift::default()
    };
    let text = render(&slices(Some(&found)), &VERBOSE);
    assert!(flat(&text).contains("adjusted mean drift, largest"));
    assert!(flat(&text).contains("0.600 0.29, 0.938"), "{text}");
    assert!(!render(&slices(None), &VERBOSE).contains("mean drift"));
}

#[test]
fn one_number_of_options_from_three_on_has_its_counts_by_position() {
    let mut summary = example::routed();
    let own = &mut summary.position.as_mut().unwrap().by_order["own"];
    own.by_options = vec![PlaceCounts {
        options: 3,
        counts: vec![200, 34, 166],
    }];
    (own.first, own.expected) = (200, 133.333);
    let text = flat(&render(&summary, &VERBOSE));
    assert!(text.contains(
        "first 200, last 166 of 400 answers (even choice would put 133 at each end); 200, 34, 166 by position"
    ));
}
