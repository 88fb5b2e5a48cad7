//! How far the probabilities of keys moved.

use flipside_core::case::KeyBinding;
use flipside_core::gate::Gates;
use flipside_core::perturb::AxisSpec;
use flipside_core::plan::{Plan, PlanInput, Planned, distinct};
use flipside_core::stats::Method;
use flipside_core::summary::KeyChange;

use super::{Row, Said, asked, grouped, levels, near, picks, reversed, routes, row, run};
use crate::common::Bytes;
use crate::made::summary;

fn key(rows: &[Row], name: &str) -> KeyChange {
    let found = reversed(rows).key_changes.unwrap().keys;
    found.into_iter().find(|found| found.key == name).unwrap()
}

#[test]
fn the_mean_change_of_a_key_is_over_the_cases_that_offer_it() {
    let rows = [
        routes(0, &[0.5, 0.75]),
        routes(1, &[0.5, 0.25]),
        routes(2, &[0.5, 1.0]),
        routes(3, &[0.5, 0.500_000_5]),
        row(
            4,
            &["cheap", "middle", "strong"],
            vec![
                Said::Spread(vec![0.2, 0.3, 0.5]),
                Said::Spread(vec![0.3, 0.3, 0.4]),
            ],
        ),
    ];
    let cheap = key(&rows, "cheap");
    // 0.25, -0.25, 0.5, 0.0000005 and 0.1 over five.
    near(cheap.mean, 0.120_000_1);
    assert_eq!(
        (cheap.cases, cheap.up, cheap.down, cheap.same),
        (5, 3, 1, 1)
    );
    assert_eq!((cheap.own_chosen, cheap.chosen), (4, 3));
    assert_eq!(cheap.interval_method, Method::Betting, "five cases are few");
    // Python, by the statistics page, 4.4, on (x + 1) / 2: the wealth of 40 bets, bisected.
    near(cheap.interval[0], BETS[0]);
    near(cheap.interval[1], BETS[1]);
    let found = reversed(&rows).key_changes.unwrap();
    let names: Vec<&str> = found.keys.iter().map(|key| key.key.as_str()).collect();
    assert_eq!(names, ["cheap", "strong"], "one case offers `middle`");
    assert_eq!((found.keys_left_out, found.seed), (0, 1));
}

/// Bounds of the mean of [`the_mean_change_of_a_key_is_over_the_cases_that_offer_it`].
const BETS: [f64; 2] = [-0.602_920_401, 0.692_916_203];

#[test]
fn what_has_no_probabilities_on_both_sides_changes_nothing() {
    let rows = [
        routes(0, &[0.5, 0.75]),
        routes(1, &[0.5, 0.75]),
        picks(2, &["cheap", "strong"], &[0, 1]),
        Row {
            said: vec![Said::Spread(vec![0.5, 0.5]), Said::Bare(0)],
            ..routes(3, &[])
        },
        Row {
            said: vec![Said::Spread(vec![0.5, 0.5]), Said::Failed],
            ..routes(4, &[])
        },
    ];
    let cheap = key(&rows, "cheap");
    assert_eq!((cheap.cases, cheap.up), (2, 2));
    near(cheap.mean, 0.25);
    assert_eq!(
        reversed(&rows[1..]).key_changes,
        None,
        "one case is not several"
    );
}

#[test]
fn levels_have_means_and_letters_have_none() {
    let spread = |p: [f64; 3]| Said::Spread(p.to_vec());
    let said = vec![spread([0.5, 0.3, 0.2]), spread([0.2, 0.3, 0.5])];
    let level = |number| Row {
        said: said.clone(),
        ..levels(number, 3, &[])
    };
    let rows: Vec<Row> = (0..2).map(level).collect();
    near(key(&rows, "2").mean, 0.3);
    let letter = |number| Row {
        binding: KeyBinding::Place,
        ..row(number, &["A", "B", "C"], said.clone())
    };
    let letters: Vec<Row> = (0..2).map(letter).collect();
    assert_eq!(reversed(&letters).key_changes, None);
}

#[test]
fn probabilities_are_as_reported_and_not_renormalised() {
    let said = || {
        vec![
            Said::Spread(vec![0.49, 0.49]),
            Said::Spread(vec![0.49, 0.51]),
        ]
    };
    let rows: Vec<Row> = (0..2).map(|n| row(n, &["a", "b"], said())).collect();
    assert_eq!(key(&rows, "a").same, 2);
    near(key(&rows, "a").mean, 0.0);
    near(key(&rows, "b").mean, 0.02);
}

#[test]
fn from_ten_cases_that_differ_on_the_interval_is_a_bootstrap() {
    let with = |moved: usize| {
        let change = |number: usize| {
            let by = if number < moved {
                (number + 1) as f64 / 100.0
            } else {
                0.0
            };
            routes(number, &[0.5, 0.5 + by])
        };
        let rows: Vec<Row> = (0..20).map(change).collect();
        key(&rows, "cheap")
    };
    let (few, many) = (with(9), with(10));
    assert_eq!(few.interval_method, Method::Betting);
    assert_eq!(many.interval_method, Method::ClusterBootstrap);
    // 0.01 to 0.10 and ten zeros: mean 0.0275, population deviation 0.033 634; the percentiles of 20 draws are near
    // 0.0275 ± 1.96 * 0.033 634 / sqrt(20).
    near(many.mean, 0.0275);
    let half = 0.014_741;
    for (end, expected) in many.interval.iter().zip([0.0275 - half, 0.0275 + half]) {
        assert!((end - expected).abs() < 0.003, "{end} {expected}");
    }
    assert!(few.interval[0] < few.mean && few.mean < few.interval[1]);
}

#[test]
fn clusters_are_resampled_as_a_whole() {
    // Twenty clusters of three cases that move alike: the interval is that of twenty cases and not of sixty.
    let by = |cluster: usize| 0.01 * cluster as f64;
    let each = |cluster: usize, number: usize| {
        routes(number, &[0.5, 0.5 + by(cluster)]).field("group", cluster)
    };
    let threes: Vec<Row> = (0..60).map(|number| each(number / 3, number)).collect();
    let ones: Vec<Row> = (0..20).map(|number| each(number, number)).collect();
    let of = |rows: &[Row], cluster| {
        let summary = grouped(rows, "reverse", cluster, &[]);
        let line = summary.axes["order"]["reverse"].clone();
        (
            line.key_changes.unwrap().keys[0].clone(),
            line.drift.unwrap().reported,
        )
    };
    let (threes, drift_of_threes) = of(&threes, Some("group"));
    let (ones, drift_of_ones) = of(&ones, None);
    assert_eq!((threes.cases, ones.cases), (60, 20));
    near(threes.interval[0], ones.interval[0]);
    near(threes.interval[1], ones.interval[1]);
    let interval =
        |drift: flipside_core::summary::ReportedDrift| drift.mean_total_variation_interval.unwrap();
    let (a, b) = (interval(drift_of_threes), interval(drift_of_ones));
    near(a[0], b[0]);
    near(a[1], b[1]);
}

#[test]
fn the_fifty_keys_with_most_cases_are_listed() {
    let all: Vec<String> = (0..60).map(|key| format!("k{key:02}")).collect();
    let keys: Vec<&str> = all.iter().map(String::as_str).collect();
    let even = |n: usize| Said::Spread(vec![1.0 / n as f64; n]);
    let wide = |number| row(number, &keys, vec![even(60), even(60)]);
    let mut rows: Vec<Row> = (0..2).map(wide).collect();
    rows.push(row(2, &keys[58..], vec![even(2), even(2)]));
    let found = run(&rows, "reverse").axes["order"]["reverse"]
        .key_changes
        .clone()
        .unwrap();
    assert_eq!((found.keys.len(), found.keys_left_out), (50, 10));
    let first: Vec<(&str, u64)> = found.keys[..3]
        .iter()
        .map(|key| (key.key.as_str(), key.cases))
        .collect();
    assert_eq!(first, [("k58", 3), ("k59", 3), ("k00", 2)]);
}

#[test]
fn an_option_less_or_more_has_neither_direction_nor_change() {
    let axes = AxisSpec::parse_list("drop,keys:abstract,decoy").unwrap();
    let input = PlanInput {
        axes: &axes,
        ..PlanInput::orders(&[], 5)
    };
    let cases = (0..3).map(|number| picks(number, &["a", "b", "c"], &[]).case());
    let cases = distinct(cases.collect()).unwrap();
    let plan = Plan::build(&cases, &input, &Bytes::new()).unwrap();
    // The last of all that are offered, with a probability of its own.
    let last = |ask: &Planned| {
        let id = ask.order.identities().last().copied().unwrap();
        let offered = ask.order.len().max(3);
        let of = |place| if place == id.index() { 0.9 } else { 0.05 };
        let p = (0..offered).map(of).collect();
        asked(&Said::With(id.0, p))
    };
    let answers = plan.asks.iter().map(last).collect();
    let gates = Gates::resolve(&[], false, &[], false);
    let summary = summary(&plan, answers, &gates);
    for (axis, lines) in &summary.axes {
        let told = axis == "keys";
        for line in lines.values() {
            assert_eq!(line.direction.is_some(), told, "{axis}");
            assert_eq!(line.key_changes.is_some(), told, "{axis}");
        }
    }
    let described = &summary.splits.by[0].values[0].axes;
    assert_eq!(described["decoy"][0].drift, None);
    assert_eq!(described["keys"][0].drift.as_ref().unwrap().pairs, 3);
}
