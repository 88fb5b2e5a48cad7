//! Gates on drift, judged over the worst order asked.

use crate::drift_gate::{DriftStat, Judged, Measure, digits, judge};
use crate::measure::drift::Measured;
use crate::measure::table::Table;
use crate::perturb::Axis;
use crate::stats::drift::Drift;
use crate::summary::{DriftReason, Verdict};

/// The verdict on one order.
struct Order<'a> {
    name: &'a str,
    verdict: Verdict,
    value: Option<f64>,
    reason: Option<String>,
}

/// What a gate on drift says: the verdict, the order that decided it, and why.
///
/// About this file only: percentiles of drift have no exact bound that a few cases could keep.
pub(crate) fn verdict(
    table: &Table<'_>,
    stat: DriftStat,
    limit: f64,
) -> (Verdict, Option<String>, Option<String>) {
    let variants = table.plan.variants.iter().enumerate();
    let orders: Vec<Order<'_>> = variants
        .filter(|(_, variant)| variant.axis == Axis::Order)
        .map(|(place, variant)| order(table, place, &variant.name, stat, limit))
        .collect();
    let rank = |order: &Order<'_>| match order.verdict {
        Verdict::OverLimit => 4,
        Verdict::Undecided => 3,
        Verdict::NotMeasured => 2,
        Verdict::WithinLimit => 1,
        _ => 0,
    };
    let mut worst: Option<&Order<'_>> = None;
    for order in &orders {
        let worse = |known: &&Order<'_>| {
            (rank(order), order.value.unwrap_or(0.0)) > (rank(known), known.value.unwrap_or(0.0))
        };
        if worst.as_ref().is_none_or(worse) {
            worst = Some(order);
        }
    }
    match worst {
        Some(order) => (
            order.verdict.clone(),
            (orders.len() > 1).then(|| order.name.to_owned()),
            order.reason.clone(),
        ),
        None => (
            Verdict::NotMeasured,
            None,
            Some("no other order was asked".to_owned()),
        ),
    }
}

fn order<'a>(
    table: &Table<'_>,
    variant: usize,
    name: &'a str,
    stat: DriftStat,
    limit: f64,
) -> Order<'a> {
    let pairs = table.pairs(variant);
    let measured = Measured::new(&pairs);
    let mut sorted: Vec<f64> = measured
        .moved
        .iter()
        .filter_map(|moved| value(stat.measure, &moved.drift))
        .collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let unknown = pairs.len() - sorted.len();
    let judged = judge(stat, &sorted, unknown, limit);
    let logs = matches!(stat.measure, Measure::LogOdds | Measure::Logit);
    let why = || match measured.reason(logs) {
        Some(DriftReason::NoProbabilities) => "the answers carry no probabilities",
        Some(DriftReason::OneHot) => "every answer puts everything on one option",
        Some(DriftReason::Zeros) => "every pair has a probability of 0",
        _ => "no pair has two answers",
    };
    let figure = |value: f64| format!("{} over {} pairs", digits(value), sorted.len());
    let (verdict, value, reason) = match judged {
        None => (
            Verdict::NotApplicable,
            None,
            "every pair is vacuous".to_owned(),
        ),
        Some(Judged::Undecided(None)) => (Verdict::NotMeasured, None, why().to_owned()),
        Some(Judged::Within(value)) => (Verdict::WithinLimit, Some(value), figure(value)),
        Some(Judged::Over(value)) => (Verdict::OverLimit, Some(value), figure(value)),
        Some(Judged::Undecided(Some(value))) => (
            Verdict::Undecided,
            Some(value),
            format!("{}, {unknown} more have no value", figure(value)),
        ),
    };
    Order {
        name,
        verdict,
        value,
        reason: Some(reason),
    }
}

fn value(measure: Measure, drift: &Drift) -> Option<f64> {
    match measure {
        Measure::TotalVariation => Some(drift.total_variation),
        Measure::LargestChange => Some(drift.largest_change),
        Measure::JensenShannon => Some(drift.jensen_shannon_bits),
        Measure::LogOdds => drift.log_odds,
        Measure::Logit => drift.centred,
    }
}
