//! Votes over asks of one case: ties, and stopping once the rest cannot change the winner.

use std::collections::BTreeMap;

use super::Error;
use super::number::{check_count, check_length, check_unit, index, length, real};
use super::special::at_least;

/// What decided a vote.
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
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// One option had most votes.
    Votes,
    /// Of the tied ones, one had the largest mean probability.
    MeanProbability,
    /// The tied ones were taken in the case's own order.
    IdentityOrder,
}

/// The outcome of a vote.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Vote {
    /// The option that won.
    pub winner: usize,
    /// The options with most votes, in the case's own order; one if there is no tie.
    pub leaders: Vec<usize>,
    /// What decided.
    pub decided_by: DecidedBy,
}

/// The winner among `answers` (option indices), with ties broken by mean probability, then by the case's own order.
///
/// `probabilities` has one row per ask and one column per option, or is `None`.
///
/// # Errors
/// [`Error::Empty`] without answers, [`Error::Length`] if the rows do not match the answers or miss an option,
/// [`Error::OutOfRange`] for a probability.
///
/// Source: section 15.2 of the statistics page (goldens `vote`).
pub fn vote(answers: &[usize], probabilities: Option<&[Vec<f64>]>) -> Result<Vote, Error> {
    let counts = tally(answers);
    let most = counts.values().copied().max().unwrap_or(0);
    let leaders: Vec<usize> = counts
        .iter()
        .filter(|&(_, &count)| count == most)
        .map(|(&option, _)| option)
        .collect();
    let Some(&first) = leaders.first() else {
        return Err(Error::Empty { what: "answers" });
    };
    let mut means = Vec::new();
    if let Some(rows) = probabilities {
        check_length("probabilities", rows.len(), answers.len())?;
        for &option in &leaders {
            let mut sum = 0.0;
            for row in rows {
                let Some(&value) = row.get(option) else {
                    return Err(Error::Length {
                        what: "probabilities",
                        found: row.len(),
                        expected: option + 1,
                    });
                };
                check_unit("probabilities", value)?;
                sum += value;
            }
            means.push(sum / length(rows.len()));
        }
    }
    if leaders.len() == 1 {
        return Ok(Vote {
            winner: first,
            leaders,
            decided_by: DecidedBy::Votes,
        });
    }
    let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut likeliest = leaders
        .iter()
        .zip(&means)
        .filter(|(_, mean)| **mean >= best);
    let (winner, decided_by) = match (likeliest.next(), likeliest.next()) {
        (Some((&option, _)), None) => (option, DecidedBy::MeanProbability),
        (Some((&option, _)), Some(_)) => (option, DecidedBy::IdentityOrder),
        (None, _) => (first, DecidedBy::IdentityOrder),
    };
    Ok(Vote {
        winner,
        leaders,
        decided_by,
    })
}

fn tally(answers: &[usize]) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for &answer in answers {
        *counts.entry(answer).or_insert(0) += 1;
    }
    counts
}

/// Whether a lead of `first` over `second` votes cannot be caught up with `left` asks.
pub fn is_settled(first: u64, second: u64, left: u64) -> bool {
    first.saturating_sub(second) > left
}

/// Asks used out of `answers` until the vote is settled: all of them if it never is.
///
/// Source: Aggarwal et al. 2023, section 15.2 of the statistics page (golden `vote`).
pub fn asks_used(answers: &[usize]) -> usize {
    (0..=answers.len())
        .find(|&used| {
            let counts = tally(&answers[..used]);
            let mut ranked: Vec<usize> = counts.values().copied().collect();
            ranked.sort_unstable_by(|a, b| b.cmp(a));
            let at = |place: usize| ranked.get(place).map_or(0, |&count| count as u64);
            is_settled(at(0), at(1), (answers.len() - used) as u64)
        })
        .unwrap_or(answers.len())
}

/// Asks at most, in an expectation.
const MOST_ASKS: u64 = 64;
/// States at most: counts of every option.
const MOST_STATES: usize = 200_000;

/// Expected asks of a vote over `asks` asks that stops when settled, at answer probabilities that sum to 1.
///
/// # Errors
/// [`Error::Empty`] without asks, [`Error::TooMany`] above 64 or with too many options, [`Error::OutOfRange`] for the
/// probabilities.
///
/// Source: exact recursion, section 15.2 of the statistics page (goldens `early_exit`).
pub fn expected_asks(asks: u64, probabilities: &[f64]) -> Result<f64, Error> {
    check_count("asks", asks)?;
    if asks > MOST_ASKS {
        return Err(Error::TooMany {
            what: "asks",
            found: asks,
            most: MOST_ASKS,
        });
    }
    for &value in probabilities {
        check_unit("probabilities", value)?;
    }
    let sum: f64 = probabilities.iter().sum();
    if (sum - 1.0).abs() > 1e-6 {
        return Err(Error::OutOfRange {
            what: "sum of probabilities",
            value: sum,
            expected: "1",
        });
    }
    let mut open: BTreeMap<Vec<u64>, f64> = BTreeMap::from([(vec![0; probabilities.len()], 1.0)]);
    let mut expected = 0.0;
    for used in 0..asks {
        expected += open.values().sum::<f64>();
        let mut next: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
        for (counts, mass) in &open {
            for (option, &probability) in probabilities.iter().enumerate() {
                if probability <= 0.0 {
                    continue;
                }
                let mut counts = counts.clone();
                counts[option] += 1;
                let (mut first, mut second) = (0, 0);
                for &count in &counts {
                    if count > first {
                        (first, second) = (count, first);
                    } else {
                        second = second.max(count);
                    }
                }
                if !is_settled(first, second, asks - used - 1) {
                    *next.entry(counts).or_insert(0.0) += mass * probability;
                }
            }
        }
        if next.len() > MOST_STATES {
            return Err(Error::TooMany {
                what: "states",
                found: next.len() as u64,
                most: MOST_STATES as u64,
            });
        }
        open = next;
    }
    Ok(expected)
}

/// Chance that two independent votes over `asks` asks differ, for two options and an odd number of asks.
///
/// `modal` is the probability of one option; the answer is `2r(1 - r)` with `r` the chance that it wins.
///
/// # Errors
/// [`Error::Empty`] without asks, [`Error::OutOfRange`] for `modal` or an even number of asks.
///
/// Source: section 15.2 of the statistics page (goldens `early_exit`).
pub fn residual_flip(asks: u64, modal: f64) -> Result<f64, Error> {
    check_count("asks", asks)?;
    check_unit("modal", modal)?;
    if asks.is_multiple_of(2) {
        return Err(Error::OutOfRange {
            what: "asks",
            value: real(asks),
            expected: "an odd number",
        });
    }
    index("asks", asks)?;
    let wins = at_least(asks / 2 + 1, asks, modal);
    let loses = at_least(asks / 2 + 1, asks, 1.0 - modal);
    Ok(2.0 * wins * loses)
}
