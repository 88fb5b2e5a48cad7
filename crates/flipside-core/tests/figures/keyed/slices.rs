//! How far probabilities moved as reported, in the whole and by slice.

use flipside_core::perturb::Axis;
use flipside_core::summary::{ReportedDrift, Slice, Summary};

use super::{Row, Said, grouped, near, reversed, row, run};

/// Three options whose reversal says so.
fn moved(number: usize, own: [f64; 3], other: [f64; 3]) -> Row {
    let said = [own, other].map(|p| Said::Spread(p.to_vec()));
    row(number, &["a", "b", "c"], said.to_vec())
}

/// Two of track A, three of track B, one of neither.
fn rows() -> Vec<Row> {
    vec![
        moved(0, [0.7, 0.2, 0.1], [0.5, 0.3, 0.2]).field("track", "A"),
        moved(1, [0.6, 0.3, 0.1], [0.6, 0.3, 0.1]).field("track", "A"),
        // The copies would be renormalised by 0.97 and 1.02.
        moved(2, [0.9, 0.05, 0.02], [0.4, 0.6, 0.02]).field("track", "B"),
        moved(3, [0.2, 0.3, 0.5], [0.3, 0.4, 0.3]).field("track", "B"),
        row(4, &["a", "b", "c"], vec![Said::Bare(0), Said::Bare(1)]).field("track", "B"),
        moved(5, [0.1, 0.1, 0.8], [0.1, 0.8, 0.1]),
    ]
}

fn slice<'a>(summary: &'a Summary, value: &str) -> &'a Slice {
    let split = summary.splits.by.iter().find(|split| split.name == "track");
    let mut values = split.unwrap().values.iter();
    let found = values.find(|found| found.value == value).unwrap();
    &found.axes["order"]["reverse"]
}

#[track_caller]
fn check(
    found: &ReportedDrift,
    pairs: u64,
    [mean_tv, mean_largest, largest]: [f64; 3],
    worst: &str,
) {
    assert_eq!(found.pairs, pairs);
    near(found.mean_total_variation, mean_tv);
    near(found.mean_largest_change, mean_largest);
    near(found.largest_change, largest);
    assert_eq!(found.worst.as_deref(), Some(worst));
}

#[test]
fn every_slice_has_the_means_of_its_own_pairs_as_reported() {
    let summary = grouped(&rows(), "reverse", None, &["track"]);
    // Total variations 0.2 and 0; largest changes 0.2 and 0.
    let [a, b] = ["A", "B"].map(|track| slice(&summary, track).drift.clone().unwrap());
    check(&a, 2, [0.1, 0.1, 0.2], "c0");
    // (0.5 + 0.55 + 0) / 2 and 0.2; largest 0.55 and 0.2.
    check(&b, 2, [0.3625, 0.375, 0.55], "c2");
    assert_eq!(a.mean_total_variation_interval, None);
    let line = &summary.axes["order"]["reverse"];
    let drift = line.drift.as_ref().unwrap();
    let mean_tv = (0.2 + 0.0 + 0.525 + 0.2 + 0.7) / 5.0;
    check(&drift.reported, 5, [mean_tv, 1.65 / 5.0, 0.7], "c5");
    // The renormalised copies of c2: |0.9/0.97 - 0.4/1.02|, |0.05/0.97 - 0.6/1.02|, |0.02/0.97 - 0.02/1.02|.
    near(
        drift.total_variation.mean,
        (0.2 + 0.2 + 0.7 + 0.536_689_913) / 5.0,
    );
    assert_eq!(drift.total_variation.pairs, 5);
}

#[test]
fn the_flipped_cases_of_a_slice_stand_in_the_list_of_cases() {
    let summary = grouped(&rows(), "reverse", None, &["track"]);
    for track in ["A", "B"] {
        let of_track = summary
            .cases
            .iter()
            .filter(|case| case.fields.get("track").map(String::as_str) == Some(track));
        let flipped: Vec<&str> = of_track
            .filter(|case| {
                let mut asks = case.asks.iter();
                asks.any(|ask| ask.axis == Axis::Order && ask.flip == Some(true))
            })
            .map(|case| case.id.as_str())
            .collect();
        assert_eq!(flipped.len() as u64, slice(&summary, track).hits);
        let expected: &[&str] = if track == "A" {
            &[]
        } else {
            &["c2", "c3", "c4"]
        };
        assert_eq!(flipped, expected);
    }
}

#[test]
fn a_slice_without_probabilities_has_no_drift_and_fit_has_none() {
    let rows: Vec<Row> = rows()
        .into_iter()
        .map(|mut row| {
            if row.number < 2 {
                row.said = vec![Said::Bare(0), Said::Failed];
            }
            row.accept(0)
        })
        .collect();
    let summary = grouped(&rows, "reverse", None, &["track"]);
    assert_eq!(slice(&summary, "A").drift, None);
    assert!(slice(&summary, "B").drift.is_some());
    for value in summary.splits.by.iter().flat_map(|split| &split.values) {
        assert_eq!(value.fit.as_ref().unwrap().drift, None);
    }
}

#[test]
fn without_a_pair_everything_is_null_and_without_a_move_nothing_is_worst() {
    let bare = row(0, &["a", "b"], vec![Said::Bare(0), Said::Bare(0)]);
    let found = reversed(&[bare]).drift.unwrap();
    assert_eq!(found.reported, ReportedDrift::default());
    assert_eq!(
        (found.total_variation.mean, found.log_odds.mean),
        (None, None)
    );
    let still = reversed(&rows()[1..2]).drift.unwrap().reported;
    assert_eq!((still.pairs, still.worst), (1, None));
    near(still.mean_total_variation, 0.0);
}

#[test]
fn the_mean_of_every_measure_is_over_the_pairs_that_have_it() {
    // c5 has no zero, and one more with a zero has no log measure.
    let rows = [
        moved(0, [0.7, 0.2, 0.1], [0.5, 0.3, 0.2]),
        moved(1, [0.5, 0.25, 0.25], [0.25, 0.5, 0.25]),
        moved(2, [1.0, 0.0, 0.0], [0.9, 0.1, 0.0]),
    ];
    let summary = run(&rows, "reverse");
    let drift = summary.axes["order"]["reverse"].drift.as_ref().unwrap();
    near(drift.total_variation.mean, (0.2 + 0.25 + 0.1) / 3.0);
    // The page's 1.029619, and 2 ln 2.
    near(
        drift.log_odds.mean,
        f64::midpoint(1.029_619_417, 2.0 * 2.0_f64.ln()),
    );
    assert_eq!((drift.log_odds.pairs, drift.total_variation.pairs), (2, 3));
}

#[test]
fn an_interval_stands_beside_the_means_of_the_whole() {
    let rows: Vec<Row> = (0..40)
        .map(|number| {
            let by = 0.005 * number as f64;
            moved(number, [0.5, 0.3, 0.2], [0.5 - by, 0.3 + by, 0.2])
        })
        .collect();
    let found = reversed(&rows).drift.unwrap().reported;
    // 0 to 0.195 in steps of 0.005: mean 0.0975, population deviation 0.057 717.
    near(found.mean_total_variation, 0.0975);
    let half = 1.96 * 0.057_717 / 40.0_f64.sqrt();
    for interval in [
        found.mean_total_variation_interval,
        found.mean_largest_change_interval,
    ] {
        let [lower, upper] = interval.unwrap();
        assert!((lower - (0.0975 - half)).abs() < 0.1 * half, "{lower}");
        assert!((upper - (0.0975 + half)).abs() < 0.1 * half, "{upper}");
    }
}
