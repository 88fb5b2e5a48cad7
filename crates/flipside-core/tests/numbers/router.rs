//! The golden `laya_router_400` from the file itself: 400 routing pairs of one model, `cheap` listed first, then `strong` first.

use flipside_core::stats::drift::{Headroom, drift};
use flipside_core::stats::position::reverse_pairs;
use flipside_core::stats::prior::{debias, geometric_mean, position_prior, prior_spread};
use flipside_core::stats::quantile::spread;

use crate::golden::Entry;

struct Row {
    cheap_is_right: bool,
    chose_cheap: [bool; 2],
    cheap: [f64; 2],
}

fn rows() -> Vec<Row> {
    include_str!("../data/laya-router-400.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            Row {
                cheap_is_right: cells[1] == "cheap",
                chose_cheap: [cells[2] == "cheap", cells[4] == "cheap"],
                cheap: [cells[3].parse().unwrap(), cells[5].parse().unwrap()],
            }
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts to 400")]
fn share(rows: &[Row], holds: impl Fn(&Row) -> bool) -> f64 {
    rows.iter().filter(|row| holds(row)).count() as f64 / rows.len() as f64
}

pub(crate) fn check(entry: &Entry) {
    let rows = rows();
    let count = |holds: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| holds(row)).count() as u64;
    entry.same("pairs", rows.len());
    entry.same(
        "flips",
        count(&|row| row.chose_cheap[0] != row.chose_cheap[1]),
    );
    // Cheap stands first in the original and last in the reversed request.
    let first = count(&|row| row.chose_cheap == [true, false]);
    let last = count(&|row| row.chose_cheap == [false, true]);
    entry.same("first_both", first);
    entry.same("last_both", last);
    entry.close_or_none("preference_index", reverse_pairs(first, last).index);
    entry.close("position_following", 1.0);
    let right = |row: &Row, order: usize| row.chose_cheap[order] == row.cheap_is_right;
    entry.same("harmful", count(&|row| right(row, 0) && !right(row, 1)));
    entry.same("repairing", count(&|row| !right(row, 0) && right(row, 1)));

    let (mut variation, mut log_odds, mut headroom) = (Vec::new(), Vec::new(), Vec::new());
    let mut priors = Vec::new();
    for row in &rows {
        let [original, reversed] = row.cheap.map(|cheap| [cheap, 1.0 - cheap]);
        let distance = drift(&original, &reversed).unwrap();
        variation.push(distance.total_variation);
        log_odds.push(distance.log_odds.unwrap());
        headroom.push(match distance.headroom {
            Headroom::Ratio(ratio) => ratio,
            Headroom::Tie => f64::MAX,
            Headroom::Undefined => panic!("a zero"),
        });
        let by_position = [original.to_vec(), vec![reversed[1], reversed[0]]];
        priors.push(position_prior(&by_position).unwrap().unwrap());
    }
    let summary = spread(&variation).unwrap().unwrap();
    let mean: f64 = variation.iter().sum::<f64>() / 400.0;
    entry.close("mean_tv", mean);
    entry.close("median_tv", summary.median);
    entry.close("max_tv", summary.largest);
    entry.close(
        "median_abs_log_odds",
        spread(&log_odds).unwrap().unwrap().median,
    );
    entry.close(
        "headroom_median",
        spread(&headroom).unwrap().unwrap().median,
    );
    entry.same(
        "headroom_at_least_1",
        headroom.iter().filter(|ratio| **ratio >= 1.0).count(),
    );
    for (row, ratio) in rows.iter().zip(&headroom) {
        assert!(
            row.chose_cheap[0] == row.chose_cheap[1] || *ratio >= 1.0,
            "{ratio}"
        );
    }

    let prior = prior_spread(&priors).unwrap();
    entry.close("prior_first_position", prior.prior[0]);
    entry.close("prior_sd_over_cases", prior.sd[0]);
    assert!(!prior.common, "{prior:?}");
    let repaired = |row: &Row, order: usize| {
        let [cheap, strong] = [row.cheap[order], 1.0 - row.cheap[order]];
        if order == 0 {
            let by_position = debias(&[cheap, strong], &prior.prior).unwrap();
            by_position[0] > by_position[1]
        } else {
            let by_position = debias(&[strong, cheap], &prior.prior).unwrap();
            by_position[1] > by_position[0]
        }
    };
    entry.same(
        "pride_flips_in_sample",
        count(&|row| repaired(row, 0) != repaired(row, 1)),
    );
    let accuracy = |order| share(&rows, |row| repaired(row, order) == row.cheap_is_right);
    entry.close("pride_accuracy_original", accuracy(0));
    entry.close("pride_accuracy_reversed", accuracy(1));
    let averaged = |row: &Row| {
        let by_option = row.cheap.map(|cheap| vec![cheap, 1.0 - cheap]);
        let mean = geometric_mean(&by_option).unwrap().unwrap();
        mean[0] > mean[1]
    };
    let accuracy = share(&rows, |row| averaged(row) == row.cheap_is_right);
    entry.close("geometric_pair_accuracy", accuracy);
}
