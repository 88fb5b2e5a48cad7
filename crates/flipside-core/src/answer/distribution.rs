//! Rules of probabilities: range, sum, rounding, ties.

use crate::model::Rejection;
use crate::order::OptionId;
use crate::stats::number::length;

/// Two probabilities this close are equal up to float noise (the wire page, 8).
pub const FLOAT_NOISE: f64 = 1e-6;
/// Slack on bounds and on the peak rule (the wire page, 8, V5 and V9).
pub(super) const SLACK: f64 = 1e-9;
/// The least total probability that is still a distribution.
const LEAST_SUM: f64 = 0.5;

pub(super) fn malformed(rule: &'static str, message: String) -> Rejection {
    Rejection::Malformed { rule, message }
}

/// Half the step of the coarsest decimal grid of 2 to 6 digits on which all values lie, 0 if there is none.
///
/// Source: the wire page, 8.
pub fn rounding(values: &[f64]) -> f64 {
    const STEPS: [(f64, f64); 5] = [
        (1e2, 5e-3),
        (1e3, 5e-4),
        (1e4, 5e-5),
        (1e5, 5e-6),
        (1e6, 5e-7),
    ];
    let on_grid = |scale: f64| {
        values
            .iter()
            .all(|v| (v * scale - (v * scale).round()).abs() <= 1e-7 * scale)
    };
    STEPS
        .iter()
        .find(|(scale, _)| on_grid(*scale))
        .map_or(0.0, |(_, half)| *half)
}

/// V10: a confidence, where present, is in 0 to 1.
///
/// # Errors
/// [`Rejection::Malformed`].
pub fn confidence_in_range(confidence: f64) -> Result<(), Rejection> {
    if (-SLACK..=1.0 + SLACK).contains(&confidence) {
        return Ok(());
    }
    Err(malformed(
        "confidence-range",
        format!("confidence is {confidence}, expected 0 to 1"),
    ))
}

/// V5 and V7: each value in 0 to 1, the sum 1 within what rounding explains. Returns half the rounding step.
///
/// # Errors
/// [`Rejection::Malformed`].
pub fn distribution(values: &[f64]) -> Result<f64, Rejection> {
    if let Some(value) = values.iter().find(|v| !(-SLACK..=1.0 + SLACK).contains(*v)) {
        return Err(malformed(
            "probability-range",
            format!("a probability is {value}, expected 0 to 1"),
        ));
    }
    let half_step = rounding(values);
    let sum: f64 = values.iter().sum();
    let nonzero = values.iter().filter(|v| **v > 0.0).count();
    let (over, under) = (
        (length(nonzero) * half_step).max(0.05),
        (length(values.len()) * half_step).max(0.05),
    );
    if sum > 1.0 + over + SLACK || sum < 1.0 - under - SLACK || sum < LEAST_SUM {
        return Err(malformed(
            "probability-sum",
            format!("the probabilities add up to {sum:.6}, expected 1"),
        ));
    }
    Ok(half_step)
}

/// Whether the top two values are equal as reported, up to float noise.
pub fn tied(values: &[f64]) -> bool {
    let (first, second) = top_two(values);
    second.is_some_and(|second| first - second <= FLOAT_NOISE)
}

/// The lowest identity among those with the largest value; values within float noise of it count as equal.
pub fn lowest_top(values: &[f64]) -> OptionId {
    let (top, _) = top_two(values);
    let place = values
        .iter()
        .position(|v| top - v <= FLOAT_NOISE)
        .unwrap_or(0);
    OptionId(u16::try_from(place).expect("a case has at most Order::MOST options"))
}

pub(super) fn top_two(values: &[f64]) -> (f64, Option<f64>) {
    let mut first = f64::NEG_INFINITY;
    let mut second = None;
    for &value in values {
        if value > first {
            second = (first > f64::NEG_INFINITY).then_some(first);
            first = value;
        } else if second.is_none_or(|s| value > s) {
            second = Some(value);
        }
    }
    (first, second)
}
