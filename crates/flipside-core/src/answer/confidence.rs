//! Our own confidence, by one formula for every backend.

use serde::Serialize;

use super::distribution::top_two;

/// Our own confidences, by one formula for every backend.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Confidence {
    /// The largest probability.
    pub top: f64,
    /// The largest minus the second largest; `None` for one option.
    pub margin: Option<f64>,
    /// `(n m - 1) / (n - 1)`, the largest minus the mean of the rest; `None` for one option.
    pub above_chance: Option<f64>,
    /// `1 - H / ln n`; `None` for one option.
    pub entropy: Option<f64>,
}

/// Our own confidences in a distribution by identity, after renormalising a copy.
///
/// `None` without a positive sum. Source: `wire.md` 9.1.
pub fn confidence(probabilities: &[f64]) -> Option<Confidence> {
    let sum: f64 = probabilities.iter().sum();
    if !(sum.is_finite() && sum > 0.0) {
        return None;
    }
    let p: Vec<f64> = probabilities
        .iter()
        .map(|value| (value / sum).max(0.0))
        .collect();
    let (top, second) = top_two(&p);
    #[expect(
        clippy::cast_precision_loss,
        reason = "option counts are far below 2^52"
    )]
    let n = p.len() as f64;
    let several = p.len() > 1;
    let entropy: f64 = p.iter().filter(|v| **v > 0.0).map(|v| -v * v.ln()).sum();
    Some(Confidence {
        top,
        margin: second.map(|second| top - second),
        above_chance: several.then(|| (n * top - 1.0) / (n - 1.0)),
        entropy: several.then(|| 1.0 - entropy / n.ln()),
    })
}
