//! Figures across all orders, written down by hand.

use flipside_core::stats::Method;
use flipside_core::summary::{
    Agreement, Allowed, AskChoice, Calibrated, CalibrationChange, CaseMean, CaseShare,
    ChanceAdjusted, Coefficient, Consistency, Drawn, FormatSpread, LabelFreeBounds, NoiseFloor,
    OrderAccuracy, OrderCalibration, OrderPair, OrderShare, OrderVariance, Orders, PublishedPair,
    Range, Sensitivity,
};

fn even(count: u64) -> Range {
    Range {
        least: count,
        most: count,
    }
}

fn share(count: u64, of: u64, interval: [f64; 2], [lower, upper]: [f64; 2]) -> CaseShare {
    CaseShare {
        count,
        of,
        rate: Some(count as f64 / of as f64),
        interval: Some(interval),
        lower: Some(lower),
        upper: Some(upper),
        reason: None,
    }
}

fn mean(value: f64, interval: [f64; 2], method: Method) -> CaseMean {
    CaseMean {
        value: Some(value),
        cases: 40,
        interval: Some(interval),
        method: Some(method),
        seed: None,
        reason: None,
    }
}

fn drawn(value: f64, interval: Option<[f64; 2]>) -> Drawn {
    Drawn { value, interval }
}

fn coefficient(value: f64, chance: f64, interval: Option<[f64; 2]>) -> Coefficient {
    Coefficient {
        value: Some(value),
        cases: 40,
        observed: Some(0.888_333),
        chance: Some(chance),
        interval,
        reason: interval
            .is_none()
            .then(|| "no interval: all but a few cases are alike".to_owned()),
    }
}

fn calibrated(order: &str, right: u64, answers: u64) -> Calibrated {
    Calibrated {
        order: order.to_owned(),
        cases: 40,
        answers,
        right,
        mean_confidence: drawn(0.81, Some([0.79, 0.83])),
        ece: None,
        brier_top: drawn(0.152, Some([0.1, 0.21])),
        brier: Some(drawn(0.304, Some([0.2, 0.42]))),
        brier_answers: answers,
        bins: Vec::new(),
        reason: Some("ece needs 100 cases: 40".to_owned()),
    }
}

/// The public six-order sweep, as far as it is known; the rest is made up.
pub(crate) fn sweep() -> Orders {
    let names = ["own", "all:1", "all:2", "all:3", "all:4", "all:5"];
    let counts = [6, 7, 6, 6, 5, 1, 4, 5, 5, 3, 4, 4, 5, 5, 1];
    let places = (0..6).flat_map(|first| (first + 1..6).map(move |second| (first, second)));
    let pairs = places
        .zip(counts)
        .map(|((first, second), flips)| OrderPair {
            first: names[first].to_owned(),
            second: names[second].to_owned(),
            flips,
            pairs: 40,
            rate: Some(flips as f64 / 40.0),
            interval: Some([0.05, 0.3]),
            no_decision: 0,
            missing: 0,
            accuracy_ceiling: Some(1.0 - flips as f64 / 80.0),
        });
    Orders {
        cases: 40,
        planned: even(6),
        missing: 0,
        unasked: 0,
        no_decision: 0,
        agreement: Agreement {
            cases: 40,
            answers: 240,
            orders: Some(even(6)),
            options: Some(even(3)),
            no_decision: 0,
            too_few_answers: 0,
            pairwise_disagreement: mean(0.111_667, [0.039, 0.211], Method::Betting),
            any_flip: share(9, 40, [0.123_195, 0.375_025], [0.123, 0.36]),
            any_flip_open: 0,
            modal_share: mean(0.933_333, [0.8, 0.98], Method::Betting),
            allowed: Some(Allowed {
                least: 0.075,
                most: 0.18,
                holds: true,
            }),
            chance_adjusted: ChanceAdjusted {
                brennan_prediger: coefficient(0.8325, 1.0 / 3.0, Some([0.68, 0.94])),
                fleiss: coefficient(0.821, 0.376, None),
            },
        },
        noise_floor: vec![NoiseFloor {
            options: 3,
            cases: 40,
            orders: names.map(str::to_owned).to_vec(),
            drawn_per_case: Vec::new(),
            order_pairs: 15,
            order_pairs_without_rate: 0,
            mean: Some(0.111_667),
            sd: Some(0.0417),
            range: Some([0.025, 0.175]),
            published: Some(PublishedPair {
                first: "own".to_owned(),
                second: "all:1".to_owned(),
                rate: 0.15,
                pairs_below: 11,
            }),
            position_picker: Some(0.8),
            random_answerer: Some(2.0 / 3.0),
            pairs: pairs.collect(),
            pairs_left_out: 0,
            reason: None,
        }],
        accuracy: accuracy(),
        calibration: calibration(),
        variance: OrderVariance {
            cases: 40,
            other_orders: Some(5),
            left_out: 0,
            all_orders: true,
            flip_rate: Some(0.15),
            between: Some(0.0612),
            within: Some(0.0663),
            rho: Some(0.48),
            rho_interval: Some([0.1, 0.7]),
            seed: Some(0),
            best_orders: Some(1.04),
            choices: vec![
                AskChoice {
                    cases: 120,
                    orders: 2,
                    asks: 240,
                    standard_error: 0.0288,
                },
                AskChoice {
                    cases: 40,
                    orders: 6,
                    asks: 240,
                    standard_error: 0.0345,
                },
            ],
            reason: None,
        },
    }
}

fn accuracy() -> OrderAccuracy {
    OrderAccuracy {
        format_spread: FormatSpread {
            orders: vec![OrderShare {
                order: "own".to_owned(),
                right: 30,
                of: 40,
                rate: 0.75,
                interval: [0.598, 0.858],
            }],
            cases: 40,
            left_out: 0,
            value: Some(0.075),
            shuffled_mean: Some(0.06),
            shuffled_at_least: Some(0.325),
            shuffles: 200,
            seed: Some(0),
            reason: None,
        },
        sensitivity: Sensitivity {
            orders: Some(6),
            left_out: 0,
            any_right: share(34, 40, [0.709, 0.929], [0.725, 0.932]),
            every_right: share(26, 40, [0.495, 0.779], [0.508, 0.775]),
            gap: share(8, 40, [0.105, 0.348], [0.104, 0.333]),
        },
        circular_accuracy: share(27, 40, [0.52, 0.799], [0.533, 0.796]),
        circular_left_out: 1,
        min_consistency_accuracy: vec![Consistency {
            at_least: 0.8,
            share: share(29, 40, [0.572, 0.839], [0.586, 0.84]),
        }],
    }
}

fn calibration() -> OrderCalibration {
    OrderCalibration {
        by_order: vec![calibrated("own", 30, 40)],
        orders_left_out: 0,
        pooled: Some(calibrated("pooled", 181, 240)),
        changes: vec![CalibrationChange {
            order: "all:1".to_owned(),
            cases: 40,
            mean_confidence: drawn(-0.013, Some([-0.02, -0.002])),
            ece: None,
            brier_top: drawn(0.021, None),
            brier: None,
            reason: Some("ece needs 100 cases: 40".to_owned()),
        }],
        without_probabilities: 3,
        draws: 2_000,
        seed: Some(0),
        label_free: LabelFreeBounds {
            cases: 40,
            orders: Some(even(6)),
            accuracy_ceiling: Some(0.8125),
            mean_confidence: Some(0.8875),
            overconfidence_at_least: Some(0.075),
            reason: None,
        },
        reason: None,
    }
}

/// Nothing of it exists, and every figure says why.
pub(crate) fn nothing() -> Orders {
    let mut found = sweep();
    let why = || Some("every answer failed".to_owned());
    let agreement = &mut found.agreement;
    for mean in [
        &mut agreement.pairwise_disagreement,
        &mut agreement.modal_share,
    ] {
        (mean.value, mean.interval, mean.method) = (None, None, None);
        mean.reason = why();
    }
    let accuracy = &mut found.accuracy;
    for share in [
        &mut agreement.any_flip,
        &mut accuracy.sensitivity.any_right,
        &mut accuracy.sensitivity.every_right,
        &mut accuracy.sensitivity.gap,
        &mut accuracy.circular_accuracy,
        &mut accuracy.min_consistency_accuracy[0].share,
    ] {
        (share.count, share.of, share.rate) = (0, 0, None);
        (share.interval, share.lower, share.upper) = (None, None, None);
        share.reason = why();
    }
    (agreement.allowed, agreement.orders, agreement.options) = (None, None, None);
    for kappa in [
        &mut agreement.chance_adjusted.brennan_prediger,
        &mut agreement.chance_adjusted.fleiss,
    ] {
        (kappa.value, kappa.observed, kappa.chance, kappa.interval) = (None, None, None, None);
        kappa.reason = why();
    }
    let floor = &mut found.noise_floor[0];
    (floor.mean, floor.sd, floor.range, floor.published) = (None, None, None, None);
    floor.reason = why();
    (accuracy.format_spread.value, accuracy.format_spread.reason) = (None, why());
    accuracy.format_spread.orders.clear();
    let calibration = &mut found.calibration;
    (calibration.pooled, calibration.reason) = (None, why());
    calibration.by_order.clear();
    calibration.changes.clear();
    let bounds = &mut calibration.label_free;
    (bounds.accuracy_ceiling, bounds.overconfidence_at_least) = (None, None);
    bounds.reason = why();
    let variance = &mut found.variance;
    (variance.rho, variance.reason) = (None, why());
    variance.choices.clear();
    (found.missing, found.unasked) = (240, 3);
    found
}
