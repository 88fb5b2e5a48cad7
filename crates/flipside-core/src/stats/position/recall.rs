//! Recall per position of the accepted option, and its spread.

use super::super::Error;
use super::super::number::{check_length, length, real};
use super::super::special::raw_chi_square_upper;

/// Recall per position and how unequal it is.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Recall {
    /// Share of right answers by position of the accepted option; `None` where it never stood.
    pub recalls: Vec<Option<f64>>,
    /// Positions with a recall.
    pub positions_used: u64,
    /// Population standard deviation of the recalls, as a fraction (the literature prints percent). `None` under two.
    pub rstd: Option<f64>,
    /// Mean sampling variance of a recall. `None` if a used position has under two cases.
    pub noise_variance: Option<f64>,
    /// `rstd` with the noise taken out, cut off at 0.
    pub rstd_debiased: Option<f64>,
    /// Chi-square of equal recalls. `None` if all answers are right, or none.
    pub chi_square: Option<f64>,
    /// Its degrees of freedom.
    pub df: u64,
    /// Its p value.
    pub p: Option<f64>,
    /// Share of right answers over all positions.
    pub accuracy: f64,
    /// Share of answers by position.
    pub answer_share: Vec<f64>,
    /// Share of accepted options by position.
    pub accepted_share: Vec<f64>,
    /// Kullback-Leibler divergence of answers from accepted positions, in nats. `None` if a position with accepted
    /// options is never answered.
    pub divergence: Option<f64>,
}

/// Recall from a square table: rows the accepted option's position, columns the answered position.
///
/// # Errors
/// [`Error::Empty`] without answers, [`Error::Length`] if the table is not square.
///
/// Source: Zheng et al. 2024, section 7 of the statistics page (goldens `rstd`).
pub fn recall(table: &[Vec<u64>]) -> Result<Recall, Error> {
    let positions = table.len();
    let mut right = Vec::with_capacity(positions);
    let mut answered = vec![0.0; positions];
    let mut total = 0.0;
    for (position, row) in table.iter().enumerate() {
        check_length("row", row.len(), positions)?;
        let held: f64 = row.iter().map(|&count| real(count)).sum();
        for (sum, &count) in answered.iter_mut().zip(row) {
            *sum += real(count);
        }
        right.push((real(row[position]), held));
        total += held;
    }
    if total <= 0.0 {
        return Err(Error::Empty { what: "table" });
    }
    let used: Vec<(f64, f64)> = right
        .iter()
        .copied()
        .filter(|&(_, held)| held > 0.0)
        .collect();
    let count = length(used.len());
    let rates: Vec<f64> = used.iter().map(|(hits, held)| hits / held).collect();
    let mean = rates.iter().sum::<f64>() / count;
    let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / count;
    let enough = used.len() > 1;
    let noise_variance = (enough && used.iter().all(|&(_, held)| held > 1.0)).then(|| {
        let sum: f64 = used
            .iter()
            .zip(&rates)
            .map(|((_, held), rate)| rate * (1.0 - rate) / (held - 1.0))
            .sum();
        sum / count
    });
    let hits: f64 = used.iter().map(|(hits, _)| hits).sum();
    let accuracy = hits / total;
    let chi_square = (enough && hits > 0.0 && hits < total).then(|| {
        used.iter()
            .map(|(hits, held)| {
                (hits - held * accuracy).powi(2) / (held * accuracy * (1.0 - accuracy))
            })
            .sum::<f64>()
    });
    let df = (used.len() as u64).saturating_sub(1);
    let answer_share: Vec<f64> = answered.iter().map(|count| count / total).collect();
    let accepted_share: Vec<f64> = right.iter().map(|(_, held)| held / total).collect();
    Ok(Recall {
        recalls: right
            .iter()
            .map(|&(hits, held)| (held > 0.0).then(|| hits / held))
            .collect(),
        positions_used: used.len() as u64,
        rstd: enough.then(|| variance.sqrt()),
        noise_variance,
        rstd_debiased: noise_variance
            .map(|noise| (variance - (1.0 - 1.0 / count) * noise).max(0.0).sqrt()),
        chi_square,
        df,
        p: chi_square.map(|value| raw_chi_square_upper(value, real(df))),
        accuracy,
        divergence: divergence(&accepted_share, &answer_share),
        answer_share,
        accepted_share,
    })
}

fn divergence(accepted: &[f64], answered: &[f64]) -> Option<f64> {
    let mut sum = 0.0;
    for (&p, &q) in accepted.iter().zip(answered) {
        if p > 0.0 {
            if q <= 0.0 {
                return None;
            }
            sum += p * (p / q).ln();
        }
    }
    Some(sum.max(0.0))
}
