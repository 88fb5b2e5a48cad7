//! Baselines that ignore content, preference for the ends, and reverse pairs.

use super::super::Error;
use super::super::number::{check_hits, length, real};
use super::super::paired::sign_test;

/// The best that a picker of one fixed position can do.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
pub struct BestPosition {
    /// The position, from 0; the smallest of equals.
    pub position: u64,
    /// Cases it gets right.
    pub hits: u64,
    /// Cases looked at.
    pub n: u64,
}

/// The position that holds the accepted option most often, from the number of cases with it in each position.
///
/// `None` without cases.
///
/// Source: section 6.5 of the statistics page (goldens `position_baseline`).
pub fn best_constant_position(accepted: &[u64]) -> Option<BestPosition> {
    let hits = accepted.iter().copied().max().filter(|&hits| hits > 0)?;
    let position = accepted.iter().position(|&count| count == hits)? as u64;
    let n = accepted
        .iter()
        .fold(0_u64, |sum, &count| sum.saturating_add(count));
    Some(BestPosition { position, hits, n })
}

/// How far answers prefer one end of the list.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct EndPreference {
    /// Share of answers in the first position minus what chance gives: from -1 to 1.
    pub primacy: f64,
    /// The same for the last position.
    pub recency: f64,
}

/// Primacy and recency from one (position from 0, number of options) pair per answer; fine for mixed numbers of options.
///
/// `None` without answers.
///
/// # Errors
/// [`Error::Empty`] for an answer without options, [`Error::Hits`] if a position is not under its number of options.
///
/// Source: section 7 of the statistics page.
pub fn end_preference(answers: &[(u64, u64)]) -> Result<Option<EndPreference>, Error> {
    let (mut first, mut last, mut chance) = (0.0, 0.0, 0.0);
    for &(position, options) in answers {
        check_hits(position.saturating_add(1), options)?;
        if position == 0 {
            first += 1.0;
        }
        if position == options - 1 {
            last += 1.0;
        }
        chance += 1.0 / real(options);
    }
    let n = length(answers.len());
    Ok((n > 0.0).then(|| EndPreference {
        primacy: (first - chance) / n,
        recency: (last - chance) / n,
    }))
}

/// Which end the flips under reversal stayed at.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct ReversePairs {
    /// Two-sided exact sign test of first against last.
    pub p: f64,
    /// From -1 (always the last) to 1 (always the first). `None` without such flips.
    pub index: Option<f64>,
}

/// Flips that chose the first-listed option both times against those that chose the last-listed both times.
///
/// Complete for two options, blind to a symmetric preference for more.
///
/// Source: section 7 of the statistics page (goldens `position_preference_pair`).
pub fn reverse_pairs(first_both: u64, last_both: u64) -> ReversePairs {
    let (first, last) = (real(first_both), real(last_both));
    let sum = first + last;
    ReversePairs {
        p: sign_test(first_both, last_both),
        index: (sum > 0.0).then(|| (first - last) / sum),
    }
}
