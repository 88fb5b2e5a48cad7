//! What moves beside decisions, as a run could have it: figures written down, not counted.

use flipside_core::answer::Confidence;
use flipside_core::summary::{
    Centre, ConfidenceFigure, DriftBin, DriftFigure, DriftQuantity, ExpectationFlips, Headroom,
    IntraClass, Invariance, ReportedDrift, Routing, ScoreAgreement, ScoreFigure, Summary,
};

use super::ordinary;

/// A measure whose median, 95th percentile and largest value are `values`.
pub(super) fn quantity(values: [f64; 3], worst: &str) -> DriftQuantity {
    let [median, p95, largest] = values;
    DriftQuantity {
        pairs: 30,
        mean: Some(median * 1.5),
        median: Some(median),
        median_interval: Some([median / 2.0, median * 2.0]),
        p95: Some(p95),
        p95_interval: Some([p95 / 2.0, largest]),
        largest: Some(largest),
        worst: (largest > 0.0).then(|| worst.to_owned()),
        reason: None,
    }
}

fn confidence() -> ConfidenceFigure {
    let centre = |mean| Centre { mean, median: mean };
    ConfidenceFigure {
        answers: 30,
        top: centre(0.85),
        margin: centre(0.8),
        above_chance: centre(0.81),
        entropy: centre(0.6),
    }
}

/// All of `pairs` between a twentieth and a half.
fn bins(pairs: u64) -> Vec<DriftBin> {
    let bin = |from, to, pairs| DriftBin { from, to, pairs };
    vec![
        bin(0.0, Some(0.0), 0),
        bin(0.0, Some(0.05), 0),
        bin(0.05, Some(0.5), pairs),
        bin(0.5, None, 0),
    ]
}

/// Drift of thirty pairs, `scale` from 0 to 1, with the largest in the case `worst`.
pub(crate) fn drift(scale: f64, worst: &str) -> DriftFigure {
    let of = |values: [f64; 3]| quantity(values.map(|value| value * scale), worst);
    let headroom = [0.02, 0.82, 0.9].map(|value| value * scale);
    DriftFigure {
        pairs: 30,
        without_probabilities: 0,
        zeros: 0,
        one_hot: 0,
        reason: None,
        step: None,
        reported: ReportedDrift {
            pairs: 30,
            mean_total_variation: Some(0.075 * scale),
            mean_total_variation_interval: Some([0.05 * scale, 0.1 * scale]),
            mean_largest_change: Some(0.075 * scale),
            mean_largest_change_interval: Some([0.05 * scale, 0.1 * scale]),
            largest_change: Some(0.4 * scale),
            worst: (scale > 0.0).then(|| worst.to_owned()),
        },
        total_variation: of([0.05, 0.2, 0.4]),
        total_variation_bins: bins(30),
        largest_change: of([0.05, 0.2, 0.4]),
        jensen_shannon_bits: of([0.031, 0.12, 0.3]),
        jensen_shannon_distance: of([0.176, 0.346, 0.548]),
        log_odds: of([0.4, 1.2, 2.0]),
        centred_logit: of([0.2, 0.6, 1.0]),
        headroom: Headroom {
            pairs: 30,
            infinite: 0,
            median: Some(headroom[0]),
            p95: Some(headroom[1]),
            largest: Some(headroom[2]),
            reached: 0,
            reached_rate: Some(0.0),
            reached_interval: Some([0.0, 0.114]),
            bins: bins(30),
            reason: None,
        },
        invariance: Invariance {
            numerically_invariant: Some(scale <= 1e-5),
            tolerance: 1e-5,
            reason: None,
        },
        own_confidence: Some(confidence()),
        confidence: Some(confidence()),
        draws: 2000,
        seed: 1,
    }
}

/// Three of thirty answers routed elsewhere at 90 %.
fn routing() -> Routing {
    Routing {
        threshold: 0.9,
        pairs: 30,
        without_probabilities: 0,
        own_accepted: 20,
        variant_accepted: 19,
        decision_flips: 0,
        routing_flips: 3,
        to_review: 2,
        from_review: 1,
        rate: Some(0.1),
        interval: Some([0.035, 0.256]),
        lower: Some(0.028),
        upper: Some(0.239),
        reason: None,
    }
}

/// Changes of level of ten score questions.
fn score() -> ScoreFigure {
    ScoreFigure {
        pairs: 10,
        flips: 3,
        mean_change: 0.4,
        severe: 1,
        severe_rate: 0.1,
        severe_interval: [0.018, 0.404],
        weighted_kappa: Some(0.807),
        kappa_reason: None,
        expectation: ExpectationFlips {
            pairs: 10,
            flips: 2,
            rate: Some(0.2),
            interval: Some([0.057, 0.51]),
            reason: None,
        },
    }
}

/// The ordinary run with everything that can move.
pub(crate) fn moved() -> Summary {
    let mut summary = ordinary();
    for (place, line) in summary.axes["order"].values_mut().enumerate() {
        let scale = if place == 0 { 1.0 } else { 0.5 };
        line.drift = Some(drift(scale, "case-17"));
        line.routing = Some(routing());
        line.score = Some(score());
    }
    if let Some(control) = &mut summary.control {
        control.by_repeat["1"].drift = Some(drift(0.0, "-"));
    }
    summary.confidence = Some(confidence());
    summary.score = Some(ScoreAgreement {
        labelled: Some(IntraClass {
            cases: 10,
            orders: 3,
            left_out: 0,
            of_expectations: true,
            value: Some(0.92),
            interval: Some([0.85, 0.97]),
            reason: None,
        }),
        random: None,
    });
    summary.cases[0].asks[0].confidence = Some(Confidence {
        top: 0.87,
        margin: Some(0.8375),
        above_chance: Some(0.8375),
        entropy: Some(0.4),
    });
    summary
}
