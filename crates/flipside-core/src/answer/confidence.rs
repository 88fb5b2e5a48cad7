//! Our own confidence, by one formula for every backend.

use serde::{Deserialize, Serialize};

use super::distribution::top_two;
use crate::stats::number::length;

/// Our own confidences, by one formula for every backend.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
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
/// `None` without a positive sum. Source: the wire page, 9.1.
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
    let n = length(p.len());
    let several = p.len() > 1;
    let entropy: f64 = p.iter().filter(|v| **v > 0.0).map(|v| -v * v.ln()).sum();
    Some(Confidence {
        top,
        margin: second.map(|second| top - second),
        above_chance: several.then(|| (n * top - 1.0) / (n - 1.0)),
        entropy: several.then(|| 1.0 - entropy / n.ln()),
    })
}

/// What a backend computes and calls confidence.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ConfidenceKind {
    /// The largest probability minus the mean of the rest.
    AboveChance,
    /// `1 - H / ln n`.
    Entropy,
    /// The largest probability.
    Largest,
    /// The largest probability minus the second largest.
    Margin,
}

impl ConfidenceKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [
        Self::AboveChance,
        Self::Entropy,
        Self::Largest,
        Self::Margin,
    ];

    /// The name that reports print.
    pub fn name(self) -> &'static str {
        match self {
            Self::AboveChance => "above-chance",
            Self::Entropy => "entropy",
            Self::Largest => "largest",
            Self::Margin => "margin",
        }
    }

    /// Whether `stated` is this kind of confidence in a distribution rounded to steps of twice `half_step`.
    ///
    /// `None` where the kind does not exist. Source: V15 of the wire page, 8.
    pub fn fits(self, stated: f64, probabilities: &[f64], half_step: f64) -> Option<bool> {
        let ours = confidence(probabilities)?;
        let value = match self {
            Self::AboveChance => ours.above_chance?,
            Self::Entropy => ours.entropy?,
            Self::Largest => ours.top,
            Self::Margin => ours.margin?,
        };
        let tolerance = 0.02 + half_step / (1.0 - 1.0 / length(probabilities.len()));
        Some((stated - value).abs() <= tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published values, to four decimals.
    const TOLERANCE: f64 = 5e-5;

    fn check(p: &[f64], expected: [f64; 4]) {
        let found = confidence(p).unwrap();
        let found = [
            found.top,
            found.margin.unwrap(),
            found.above_chance.unwrap(),
            found.entropy.unwrap(),
        ];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < TOLERANCE, "{found} {expected}");
        }
    }

    #[test]
    fn each_confidence_has_its_published_value() {
        check(&[0.71, 0.23, 0.06], [0.71, 0.48, 0.5650, 0.3173]);
        check(&[0.9, 0.1], [0.9, 0.8, 0.8, 0.5310]);
        let mut many = vec![0.1 / 76.0; 77];
        many[5] = 0.9;
        check(&many, [0.9, 0.8987, 0.8987, 0.8255]);
    }

    #[test]
    fn one_option_has_no_margin_and_nothing_has_no_confidence() {
        let one = confidence(&[1.0]).unwrap();
        assert_eq!(
            (one.margin, one.above_chance, one.entropy),
            (None, None, None)
        );
        assert_eq!(confidence(&[0.0, 0.0]), None);
        assert_eq!(confidence(&[]), None);
    }

    #[test]
    fn a_rounded_distribution_is_renormalised_first() {
        check(
            &[0.71 * 1.01, 0.23 * 1.01, 0.06 * 1.01],
            [0.71, 0.48, 0.5650, 0.3173],
        );
    }

    #[test]
    fn a_stated_confidence_is_told_by_its_formula() {
        let p = [0.71, 0.23, 0.06];
        let kinds = |stated: f64| -> Vec<&str> {
            let fits = |kind: &&ConfidenceKind| kind.fits(stated, &p, 0.0) == Some(true);
            ConfidenceKind::ALL
                .iter()
                .filter(fits)
                .map(|kind| kind.name())
                .collect()
        };
        assert_eq!(kinds(0.565), ["above-chance"]);
        assert_eq!(kinds(0.3173), ["entropy"]);
        assert_eq!(kinds(0.71), ["largest"]);
        assert_eq!(kinds(0.48), ["margin"]);
        assert_eq!(kinds(0.9), Vec::<&str>::new());
        assert_eq!(ConfidenceKind::Margin.fits(1.0, &[1.0], 0.0), None);
    }
}
