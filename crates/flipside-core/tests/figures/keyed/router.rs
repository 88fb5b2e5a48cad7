//! The 400 routing decisions of one model, `cheap` listed first and then last, against figures computed by another program.

use flipside_core::case::QuestionKind;
use flipside_core::summary::Summary;

use super::{Row, Said, near, row, run, ways};

fn rows() -> Vec<Row> {
    let lines = include_str!("../../data/laya-router-400.csv").lines();
    let of = |(number, line): (usize, &str)| {
        let cells: Vec<&str> = line.split(',').collect();
        let id = |key: &str| u16::from(key == "strong");
        let said = |at: usize| {
            let cheap: f64 = cells[at + 1].parse().unwrap();
            Said::With(id(cells[at]), vec![cheap, 1.0 - cheap])
        };
        row(number, &["cheap", "strong"], vec![said(2), said(4)]).accept(id(cells[1]))
    };
    lines.skip(1).enumerate().map(of).collect()
}

fn summary() -> Summary {
    run(&rows(), "reverse")
}

#[test]
fn flips_went_from_strong_to_cheap() {
    let summary = summary();
    let line = &summary.axes["order"]["reverse"];
    assert_eq!((line.figure.pairs, line.figure.flips), (400, Some(121)));
    let found = line.direction.as_ref().unwrap();
    assert_eq!((found.flips, found.place_keys, found.unshared), (121, 0, 0));
    let [pair] = &found.pairs[..] else {
        panic!("{found:?}");
    };
    assert_eq!(ways(pair), ("strong", "cheap", 108, 13));
    assert_eq!((pair.question, pair.cases), (QuestionKind::Choice, 400));
    // Python, in whole numbers: 2 * sum(comb(121, k) for k in range(14)) / 2**121.
    assert!(
        (pair.p / 8.369_427_446_252_163e-20 - 1.0).abs() < 1e-9,
        "{}",
        pair.p
    );
    assert_eq!(
        pair.holm_p.to_bits(),
        pair.p.to_bits(),
        "one pair is one test"
    );
    assert_eq!(pair.clusters, None);
}

#[test]
fn cheap_gained_four_points_of_probability() {
    let summary = summary();
    let found = summary.axes["order"]["reverse"]
        .key_changes
        .clone()
        .unwrap();
    let [cheap, strong] = &found.keys[..] else {
        panic!("{found:?}");
    };
    assert_eq!(
        (cheap.key.as_str(), strong.key.as_str()),
        ("cheap", "strong")
    );
    near(cheap.mean, 0.040_657_25);
    near(strong.mean, -0.040_657_25);
    assert_eq!(
        (cheap.cases, cheap.up, cheap.down, cheap.same),
        (400, 309, 91, 0)
    );
    assert_eq!((strong.up, strong.down, strong.same), (91, 309, 0));
    assert_eq!((cheap.own_chosen, cheap.chosen), (234, 329));
    assert_eq!((strong.own_chosen, strong.chosen), (166, 71));
    // The standard error, by Python's statistics.stdev over the square root of 400, is 0.003 126; the bootstrap has its own
    // noise of some percent of the width.
    let [lower, upper] = cheap.interval;
    let half = 1.959_964 * 0.002_915_54;
    assert!((lower - (cheap.mean - half)).abs() < 0.1 * half, "{lower}");
    assert!((upper - (cheap.mean + half)).abs() < 0.1 * half, "{upper}");
}

#[test]
fn the_averaged_answer_is_right_198_times() {
    let summary = summary();
    let found = summary.averaged_answer.unwrap();
    assert_eq!(
        (found.cases, found.left_out, found.without_probabilities),
        (400, 0, 0)
    );
    assert_eq!(
        found.orders.map(|orders| (orders.least, orders.most)),
        Some((2, 2))
    );
    let [cheap, strong] = &found.keys[..] else {
        panic!("{found:?}");
    };
    assert_eq!((cheap.own, cheap.mean, strong.mean), (234, 298, 102));
    for by in [&found.mean, &found.vote] {
        let accuracy = by.accuracy.as_ref().unwrap();
        assert_eq!(
            (accuracy.right, accuracy.of, accuracy.own_right),
            (198, 400, 194)
        );
        near(accuracy.rate, 0.495);
    }
    assert_eq!(found.mean.ties, 0);
    // By vote both options have one order wherever the two disagree.
    assert_eq!(
        (found.vote.ties, found.vote.changed),
        (121, found.mean.changed)
    );
    // Python: 38 gained and 34 lost of 72 whose answer changed; 2 * sum(comb(72, k) for k in range(35)) / 2**72.
    assert_eq!(found.mean.changed, 72);
    near(
        found.mean.accuracy.map(|found| found.mcnemar_p),
        0.723_948_146,
    );
}

#[test]
fn the_means_of_drift_are_those_of_the_probabilities_as_reported() {
    let summary = summary();
    let drift = summary.axes["order"]["reverse"].drift.clone().unwrap();
    // Python: the mean of |p - q| over the 400 rows; with two options both measures are that.
    near(drift.reported.mean_total_variation, 0.057_383_75);
    near(drift.reported.mean_largest_change, 0.057_383_75);
    near(drift.reported.largest_change, 0.2674);
    near(drift.total_variation.mean, 0.057_383_75);
    assert_eq!(drift.reported.pairs, 400);
    // The largest, in the file's row L0284.
    assert_eq!(drift.reported.worst.as_deref(), Some("c283"));
    let [lower, upper] = drift.reported.mean_total_variation_interval.unwrap();
    assert!(lower < 0.057_4 && 0.057_4 < upper && upper - lower < 0.01);
}

#[test]
fn the_first_listed_was_chosen_234_times_and_71_times() {
    let position = summary().position.unwrap();
    let [own, reverse] = ["own", "reverse"].map(|name| &position.by_order[name]);
    assert_eq!((own.answers, own.first, own.last), (400, 234, 166));
    assert_eq!(
        (reverse.answers, reverse.first, reverse.last),
        (400, 71, 329)
    );
    near(own.expected, 200.0);
    near(reverse.expected, 200.0);
    assert_eq!(reverse.by_options[0].counts, [71, 329]);
}
