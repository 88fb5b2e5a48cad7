//! Confidence: one word, one formula per dialect.

use std::str::FromStr;

use crate::dialect::Dialect;
use crate::policy::ParseError;
use crate::request::Kind;
use crate::shares::float;

/// What a server means by the `confidence` of a choice or a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Confidence {
    /// `above-chance`: (n m - 1) / (n - 1), m the largest probability.
    AboveChance,
    /// `entropy`: 1 - H / ln n.
    Entropy,
    /// `max-p`: the largest probability.
    MaxP,
    /// `margin`: the largest probability less the second largest.
    Margin,
}

impl FromStr for Confidence {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "above-chance" => Ok(Self::AboveChance),
            "entropy" => Ok(Self::Entropy),
            "max-p" => Ok(Self::MaxP),
            "margin" => Ok(Self::Margin),
            _ => Err(ParseError(format!(
                "confidence `{text}`: expected one of `above-chance`, `entropy`, `max-p`, `margin`"
            ))),
        }
    }
}

impl Confidence {
    pub(crate) fn of(self, p: &[f64]) -> f64 {
        match self {
            Self::AboveChance => above_chance(p),
            Self::Entropy => entropy(p),
            Self::MaxP => top(p),
            Self::Margin => margin(p),
        }
    }
}

/// The largest share less the second largest; 1 for a single option.
fn margin(p: &[f64]) -> f64 {
    let mut sorted = p.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    match sorted.as_slice() {
        [first, second, ..] => first - second,
        _ => 1.0,
    }
}

/// The dialect's `confidence`, where it has one.
pub(crate) fn of(dialect: Dialect, kind: Kind, p: &[f64]) -> Option<f64> {
    match kind {
        Kind::Choice if dialect == Dialect::Agentjev => Some(margin(p)),
        _ if dialect == Dialect::Agentjev => None,
        Kind::Noul if dialect.is_laya() || dialect == Dialect::LayaPkg => Some(top(p)),
        Kind::Noul => None,
        _ if dialect.is_entropy() => Some(entropy(p)),
        Kind::Score if dialect != Dialect::Clm => Some(spread(p)),
        _ => Some(above_chance(p)),
    }
}

/// The largest share.
pub(crate) fn top(p: &[f64]) -> f64 {
    p.iter().copied().fold(0.0, f64::max)
}

/// (n m - 1) / (n - 1); 1 for a single option.
pub(crate) fn above_chance(p: &[f64]) -> f64 {
    let n = float(p.len());
    if p.len() < 2 {
        return 1.0;
    }
    ((n * top(p) - 1.0) / (n - 1.0)).clamp(0.0, 1.0)
}

/// 1 - H / ln n; 1 for a single option.
fn entropy(p: &[f64]) -> f64 {
    if p.len() < 2 {
        return 1.0;
    }
    let entropy: f64 = p.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum();
    (1.0 - entropy / float(p.len()).ln()).clamp(0.0, 1.0)
}

/// max(0, 1 - sum p |i - mode| / D), D the mean distance from the middle level.
fn spread(p: &[f64]) -> f64 {
    if p.len() < 2 {
        return 1.0;
    }
    let n = float(p.len());
    let mode = p
        .iter()
        .position(|share| *share >= top(p))
        .map_or(0.0, float);
    let away: f64 = p
        .iter()
        .enumerate()
        .map(|(at, p)| p * (float(at) - mode).abs())
        .sum();
    let middle = (n - 1.0) / 2.0;
    let distance: f64 = (0..p.len())
        .map(|at| (float(at) - middle).abs())
        .sum::<f64>()
        / n;
    (1.0 - away / distance).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: f64 = 5e-5; // the table gives four decimals

    #[test]
    fn the_formulas_give_the_documented_numbers() {
        let p = [0.71, 0.23, 0.06];
        assert!((above_chance(&p) - 0.5650).abs() < TOLERANCE);
        assert!((entropy(&p) - 0.3173).abs() < TOLERANCE);
        for (name, value) in [
            ("above-chance", 0.5650),
            ("entropy", 0.3173),
            ("max-p", 0.71),
            ("margin", 0.48),
        ] {
            let stated: Confidence = name.parse().unwrap();
            assert!((stated.of(&p) - value).abs() < TOLERANCE, "{name}");
        }
        let error = "sure".parse::<Confidence>().unwrap_err().to_string();
        assert!(
            error.starts_with("confidence `sure`: expected one of `above-chance`"),
            "{error}"
        );
        let levels = [0.05, 0.15, 0.55, 0.25];
        assert!((spread(&levels) - 0.5).abs() < TOLERANCE);
        assert!((above_chance(&levels) - 0.4).abs() < TOLERANCE);
        assert!((entropy(&levels) - 0.1995).abs() < TOLERANCE);
        assert!(spread(&[0.5, 0.0, 0.0, 0.5]).abs() < TOLERANCE);
    }
}
