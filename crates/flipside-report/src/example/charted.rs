//! A run in which every chart of a page has something to show.

use flipside_core::summary::{ConfidenceBin, PositionRecall, Summary};

use super::{moved, sweep};

/// The ordinary run with drift, recalls of five positions, and answers by confidence.
pub(crate) fn charted() -> Summary {
    let mut summary = moved();
    let mut orders = sweep();
    let found = &mut orders.calibration;
    for order in found.by_order.iter_mut().chain(&mut found.pooled) {
        order.bins = vec![
            bin(0.4, 2, 5, 0.46),
            bin(0.7, 9, 12, 0.75),
            bin(0.9, 22, 23, 0.96),
        ];
    }
    if let Some(pooled) = &mut found.pooled {
        pooled.bins.iter_mut().for_each(|bin| bin.interval = None);
    }
    summary.orders = Some(Box::new(orders));
    if let Some(position) = &mut summary.position {
        position.by_options[0].recall = recall(1);
        position.by_options[0].recall_all_orders = recall(3);
    }
    summary
}

fn bin(from: f64, right: u64, answers: u64, mean_confidence: f64) -> ConfidenceBin {
    let rate = right as f64 / answers as f64;
    ConfidenceBin {
        from,
        to: from + 0.1,
        answers,
        right,
        rate,
        interval: Some([rate / 2.0, 1.0 - (1.0 - rate) / 2.0]),
        mean_confidence,
    }
}

/// Five positions with six cases each of which so many asks count: the first is always recalled, the last half of the time, the third
/// never held what is accepted.
fn recall(asks: u64) -> PositionRecall {
    let right = [6, 5, 0, 4, 3].map(|cases| cases * asks);
    let of = [6, 6, 0, 6, 6].map(|cases| cases * asks);
    let row = |place: usize| {
        let mut row = vec![0; 5];
        row[place] = right[place];
        row[0] += of[place] - right[place];
        row
    };
    let share = |place: usize| (of[place] > 0).then(|| right[place] as f64 / of[place] as f64);
    let interval = |place: usize| Some([share(place)? / 2.0, 1.0]);
    PositionRecall {
        cases: 24,
        answers: 24 * asks,
        no_decision: 0,
        several_accepted: 0,
        table: (0..5).map(row).collect(),
        recalls: (0..5).map(share).collect(),
        recall_intervals: if asks == 1 {
            (0..5).map(interval).collect()
        } else {
            Vec::new()
        },
        left_out: vec![2],
        rstd_percent: Some(19.0),
        rstd_corrected_percent: Some(10.0),
        rstd_interval_percent: Some([4.0, 31.0]),
        rstd_draws: Some(2_000),
        chi_square: Some(5.0),
        df: Some(3),
        p: (asks == 1).then_some(0.17),
        reason: (asks > 1)
            .then(|| "no p value: the answers of one case depend on each other".to_owned()),
    }
}
