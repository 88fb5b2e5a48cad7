//! Changes of ordered levels.

use super::number::length;

/// A change of level of at least this many is severe.
pub const SEVERE: u64 = 2;

/// Changes between the levels of two answers, over cases.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct LevelChanges {
    /// Share of answers whose level changed.
    pub flip_rate: f64,
    /// Mean absolute change, in levels.
    pub mean_change: f64,
    /// Share of answers that moved by at least [`SEVERE`] levels.
    pub severe: f64,
    /// Pairs of answers.
    pub n: u64,
}

/// Absolute change between two levels.
pub fn level_change(baseline: i64, changed: i64) -> u64 {
    baseline.abs_diff(changed)
}

/// Changes over (baseline, changed) pairs of levels; `None` without pairs.
///
/// Source: section 10 of the statistics page (golden `score`).
pub fn level_changes(pairs: &[(i64, i64)]) -> Option<LevelChanges> {
    if pairs.is_empty() {
        return None;
    }
    let n = length(pairs.len());
    let changes = || {
        pairs
            .iter()
            .map(|&(baseline, changed)| level_change(baseline, changed))
    };
    let share = |least: u64| length(changes().filter(|&change| change >= least).count()) / n;
    Some(LevelChanges {
        flip_rate: share(1),
        mean_change: changes().map(super::number::real).sum::<f64>() / n,
        severe: share(SEVERE),
        n: pairs.len() as u64,
    })
}

/// Half a level, less what sums of probabilities lose: 1.7 minus 1.2 is half a level.
const HALF: f64 = 0.5 - 1e-9;

/// Whether an expected-value score flipped: it moved by at least half a level.
pub fn expected_value_flips(baseline: f64, changed: f64) -> bool {
    (baseline - changed).abs() >= HALF
}
