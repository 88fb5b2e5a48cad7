//! Drift, routing and levels in words.

use flipside_core::drift_gate::digits;
use flipside_core::perturb::Axis;
use flipside_core::summary::{
    ConfidenceFigure, DriftFigure, DriftQuantity, DriftReason, GateLine, Headroom, IntraClass,
    Invariance, Line, Routing, ScoreAgreement, ScoreFigure, ScoreReason, Verdict,
};

use super::axis::variants;
use super::number::{count, limit, percent, range};
use super::text::{foreign, list, plural};

/// The drift of the variant that moved most, in one line.
pub fn drift_line(drift: &DriftFigure) -> String {
    let still = is_still(drift);
    let mut parts = vec![if still {
        "no probability moved".to_owned()
    } else {
        drift_of(&drift.jensen_shannon_bits)
    }];
    if !still && let Some(p95) = drift.headroom.p95 {
        parts.push(format!("headroom p95 {}", digits(p95)));
    }
    parts.extend(step(drift));
    parts.join("; ")
}

/// Whether no reported probability moved.
pub(crate) fn is_still(drift: &DriftFigure) -> bool {
    drift.total_variation.largest == Some(0.0)
}

fn drift_of(bits: &DriftQuantity) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), digits);
    let worst = bits
        .worst
        .as_deref()
        .map(|id| format!(", worst case {}", foreign(id)))
        .unwrap_or_default();
    format!(
        "median {} JS bits, p95 {}{worst}",
        number(bits.median),
        number(bits.p95)
    )
}

fn step(drift: &DriftFigure) -> Option<String> {
    let step = drift.step?;
    Some(format!("in steps of {}", digits(step)))
}

/// How much of the way to a flip was gone: `p50 0.02, p95 0.4, largest 0.9`.
pub fn headroom(headroom: &Headroom) -> String {
    let infinite = |sign: &str| match headroom.infinite {
        0 => String::new(),
        n => format!(
            "{sign}infinite in {} of {}",
            count(n),
            count(headroom.pairs)
        ),
    };
    match (headroom.median, headroom.p95, headroom.largest) {
        (Some(median), Some(p95), Some(largest)) => format!(
            "p50 {}, p95 {}, largest {}{}",
            digits(median),
            digits(p95),
            digits(largest),
            infinite(", ")
        ),
        _ => infinite(""),
    }
}

/// What stands beside a count of no flips: how close the closest pairs came to one. A zero with a headroom of 0.0001 says
/// far more than one with 0.9.
pub fn no_flips(line: &Line) -> Option<String> {
    let drift = line.drift.as_ref()?;
    let zero = line.figure.flips == Some(0) && drift.headroom.pairs > 0;
    let flat = drift.invariance.numerically_invariant == Some(true);
    match (zero, flat) {
        (false, _) => None,
        (true, true) => Some("numerically invariant".to_owned()),
        (true, false) if is_still(drift) => Some("no probability moved".to_owned()),
        (true, false) => Some(format!("headroom {}", headroom(&drift.headroom))),
    }
}

/// Variants of one axis that are the same to within float error.
pub fn invariant(axis: &str, n: u64, largest: f64) -> String {
    let variants = variants(axis, n);
    format!(
        "numerically invariant in {variants}: {}",
        by_at_most(largest)
    )
}

/// Several axes whose variants are the same to within float error.
pub fn invariant_axes(axes: &[&str], largest: f64) -> String {
    let axes = list(axes);
    format!(
        "numerically invariant under {axes}: {}",
        by_at_most(largest)
    )
}

fn by_at_most(largest: f64) -> String {
    if largest == 0.0 {
        "no log probability moved at all".to_owned()
    } else {
        format!("log probabilities moved by at most {}", digits(largest))
    }
}

/// Several axes in which no reported probability moved, with the coarsest step that they were reported in.
pub fn still_axes(axes: &[&str], step: Option<f64>) -> String {
    let step = step.map(|step| format!("; in steps of {}", digits(step)));
    let step = step.unwrap_or_default();
    format!("no probability moved under {}{step}", list(axes))
}

/// Whether log probabilities are the same to within float error, or why nobody can tell.
pub fn invariance(invariance: &Invariance) -> String {
    let within = digits(invariance.tolerance);
    match (invariance.numerically_invariant, invariance.reason) {
        (Some(true), _) => format!("numerically invariant: within {within}"),
        (Some(false), _) => format!("not numerically invariant: over {within}"),
        (None, Some(reason)) => format!("not known to be numerically invariant: {}", why(reason)),
        (None, None) => "not known to be numerically invariant".to_owned(),
    }
}

/// A measure over pairs: `median 0.031 (95% CI 0.01-0.05), p95 0.12 (95% CI 0.1-0.3), largest 0.3 (case-4), 30 pairs`.
pub fn quantity(quantity: &DriftQuantity) -> String {
    let (Some(median), Some(p95), Some(largest)) =
        (quantity.median, quantity.p95, quantity.largest)
    else {
        return quantity
            .reason
            .map_or_else(|| "no pairs".to_owned(), |reason| why(reason).to_owned());
    };
    let interval = |ends: Option<[f64; 2]>| {
        ends.map(|[lower, upper]| format!(" (95% CI {} to {})", digits(lower), digits(upper)))
            .unwrap_or_default()
    };
    let worst = quantity
        .worst
        .as_deref()
        .map(|id| format!(" ({})", foreign(id)))
        .unwrap_or_default();
    format!(
        "median {}{}, p95 {}{}, largest {}{worst}, {}",
        digits(median),
        interval(quantity.median_interval),
        digits(p95),
        interval(quantity.p95_interval),
        digits(largest),
        plural(quantity.pairs, "pair", "pairs")
    )
}

/// What is in no measure, or coarser than one: `2 pairs with a zero, 1 without probabilities, steps of 0.01`.
pub fn drift_notes(drift: &DriftFigure) -> Option<String> {
    let mut notes = Vec::new();
    if drift.zeros > 0 {
        let hot = match drift.one_hot {
            0 => String::new(),
            n => format!(" ({} one-hot)", count(n)),
        };
        notes.push(format!(
            "{} with a probability of 0{hot}",
            plural(drift.zeros, "pair", "pairs")
        ));
    }
    if drift.without_probabilities > 0 {
        notes.push(format!(
            "{} without probabilities",
            plural(drift.without_probabilities, "pair", "pairs")
        ));
    }
    notes.extend(step(drift).map(|step| format!("probabilities {step}, and no drift is finer")));
    (!notes.is_empty()).then(|| notes.join(", "))
}

/// Our own confidence: `top 0.87 (median 0.9), margin 0.81, above chance 0.83, entropy 0.6`.
pub fn confidence(own: &ConfidenceFigure, variant: &ConfidenceFigure) -> String {
    let both = |name: &str, own: f64, variant: f64| {
        format!("{name} {} and {}", digits(own), digits(variant))
    };
    format!(
        "own order and variant, means: {}, {}, {}, {}",
        both("top", own.top.mean, variant.top.mean),
        both("margin", own.margin.mean, variant.margin.mean),
        both(
            "above chance",
            own.above_chance.mean,
            variant.above_chance.mean
        ),
        both("entropy", own.entropy.mean, variant.entropy.mean)
    )
}

pub(super) fn why(reason: DriftReason) -> &'static str {
    match reason {
        DriftReason::NoAnswers => "no pair has two answers",
        DriftReason::NoProbabilities => "answers without probabilities",
        DriftReason::OneHot => "every answer puts everything on one option",
        DriftReason::Zeros => "probabilities of 0 have no logarithm",
        DriftReason::Rounded => "the probabilities are rounded too coarsely to tell",
    }
}

/// Routing flips of the pairs: `3/30 rerouted`.
pub fn rerouted(routing: &Routing) -> String {
    match routing.pairs {
        0 => "0/0".to_owned(),
        pairs => format!("{}/{} rerouted", count(routing.routing_flips), count(pairs)),
    }
}

/// What at most reroutes in general.
pub fn rerouted_bound(routing: &Routing) -> String {
    match routing.upper.filter(|_| routing.pairs > 0) {
        Some(upper) => format!("up to {} in general", percent(upper)),
        None => "nothing to compare".to_owned(),
    }
}

/// Which way the answers of a variant of `axis` went: `at 90%: 2 to review, 1 from review; 25 accepted in the own order, 24
/// in this one`.
pub fn routes(routing: &Routing, axis: &str) -> String {
    let at = limit(routing.threshold);
    let without = match routing.without_probabilities {
        0 => String::new(),
        n => format!(", {} without probabilities", plural(n, "pair", "pairs")),
    };
    if let Some(reason) = routing.reason {
        return format!("at {at}: {}{without}", why(reason));
    }
    let (own, this) = if axis == Axis::Order.name() {
        ("in the own order", "in this one")
    } else {
        ("as written", "in this one")
    };
    format!(
        "at {at}: {} to review, {} from review; {} accepted {own}, {} {this}{without}",
        count(routing.to_review),
        count(routing.from_review),
        count(routing.own_accepted),
        count(routing.variant_accepted)
    )
}

/// Changes of level, in one line.
pub fn score(score: &ScoreFigure) -> String {
    let of = |part: u64, whole: u64| format!("{}/{}", count(part), count(whole));
    let kappa = match (score.weighted_kappa, score.kappa_reason) {
        (Some(kappa), _) => format!("quadratic kappa {}", digits(kappa)),
        (None, Some(ScoreReason::DifferentLevels)) => "no kappa over different scales".to_owned(),
        (None, _) => "no kappa with one level".to_owned(),
    };
    let expected = match score.expectation.pairs {
        0 => "no expected levels".to_owned(),
        pairs => format!(
            "{} expected levels moved by half a level",
            of(score.expectation.flips, pairs)
        ),
    };
    format!(
        "{} changed level, mean change {} levels, {} by 2 or more, {kappa}, {expected}",
        of(score.flips, score.pairs),
        digits(score.mean_change),
        of(score.severe, score.pairs),
    )
}

/// Agreement across orders: `ICC(A,1) 0.92 (95% CI 0.85 to 0.97) over 30 cases and 3 orders`.
pub fn agreement(agreement: &ScoreAgreement) -> Vec<String> {
    let each = |name: &str, found: &IntraClass| {
        let over = format!(
            "over {} and {}",
            plural(found.cases, "case", "cases"),
            plural(found.orders, "order", "orders")
        );
        if let (Some(value), Some([lower, upper])) = (found.value, found.interval) {
            let [value, lower, upper] = [value, lower, upper].map(digits);
            return format!("{name} {value} (95% CI {lower} to {upper}) {over}");
        }
        if let (Some(value), Some(ScoreReason::Clustered)) = (found.value, found.reason) {
            return format!(
                "{name} {} (no interval over clusters) {over}",
                digits(value)
            );
        }
        let why = match found.reason {
            Some(ScoreReason::TooFewCases) => "too few cases in every order",
            _ => "no variance",
        };
        format!("no {name} {over}: {why}")
    };
    let labelled = agreement.labelled.iter().map(|icc| each("ICC(A,1)", icc));
    let random = agreement.random.iter().map(|icc| each("ICC(1)", icc));
    labelled.chain(random).collect()
}

/// The word on a gate on drift, and what follows it: `: 0.12 over 30 pairs in reverse, limit 0.02`.
pub fn drift_gate(gate: &GateLine) -> String {
    let reason = gate.reason.as_deref().map(foreign).unwrap_or_default();
    let by = match (&gate.decided_by, &gate.verdict) {
        (Some(by), Verdict::WithinLimit | Verdict::OverLimit | Verdict::Undecided) => {
            format!(" in {}", foreign(by))
        }
        _ => String::new(),
    };
    format!(": {reason}{by}, limit {}", digits(gate.limit))
}

/// The share that reaches a headroom of 1, with its interval.
pub fn reached(headroom: &Headroom) -> Option<String> {
    let rate = headroom.reached_rate?;
    let interval = headroom.reached_interval.map(range)?;
    Some(format!(
        "at least 1 in {}/{} ({}, 95% CI {interval})",
        count(headroom.reached),
        count(headroom.pairs),
        percent(rate)
    ))
}
