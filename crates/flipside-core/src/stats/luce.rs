//! What dropping an option should do to the others, if each were scored for itself.

use super::Error;
use super::drift::{check_probabilities, drift};
use super::number::check_length;

/// The probabilities of the options that stay, by Luce's rule: renormalised.
///
/// `dropped` is an index into `full`.
///
/// # Errors
/// [`Error::Length`] if there is no such option, [`Error::OutOfRange`] for a probability or if nothing is left.
///
/// Source: Luce 1959, section 9 of the statistics page (golden `loo`).
pub fn without(full: &[f64], dropped: usize) -> Result<Vec<f64>, Error> {
    check_probabilities("full", full)?;
    if dropped >= full.len() {
        return Err(Error::Length {
            what: "full",
            found: full.len(),
            expected: dropped + 1,
        });
    }
    let mut rest = full.to_vec();
    rest.remove(dropped);
    let sum: f64 = rest.iter().sum();
    if sum <= 0.0 {
        return Err(Error::OutOfRange {
            what: "full",
            value: sum,
            expected: "probability left",
        });
    }
    for value in &mut rest {
        *value /= sum;
    }
    Ok(rest)
}

/// How far a reply without an option is from Luce's rule.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct DropDrift {
    /// What the rule expects of the options that stay.
    pub expected: Vec<f64>,
    /// Largest change of log-odds between two of them; 0 for a per-option scorer. `None` with any zero, or one survivor.
    pub log_odds: Option<f64>,
    /// Total variation from the expected.
    pub total_variation: f64,
}

/// Distance of `reply`, over the options that stay in their order, from the rule for `full` without `dropped`.
///
/// # Errors
/// As [`without`]; [`Error::Length`] if the reply is not over the options that stay, [`Error::TooFew`] under two of them.
///
/// Source: section 9 of the statistics page (golden `loo`).
pub fn drop_drift(full: &[f64], dropped: usize, reply: &[f64]) -> Result<DropDrift, Error> {
    let expected = without(full, dropped)?;
    check_length("reply", reply.len(), expected.len())?;
    let distance = drift(&expected, reply)?;
    Ok(DropDrift {
        log_odds: distance.log_odds,
        total_variation: distance.total_variation,
        expected,
    })
}

/// The option that should be chosen once the chosen one is dropped: the second largest, the first of equals.
///
/// An index into `full`; `None` under two options.
///
/// # Errors
/// [`Error::OutOfRange`] for a probability.
///
/// Source: section 9 of the statistics page (golden `loo`).
pub fn runner_up(full: &[f64]) -> Result<Option<usize>, Error> {
    check_probabilities("full", full)?;
    let Some(chosen) = largest(full, None) else {
        return Ok(None);
    };
    Ok(largest(full, Some(chosen)))
}

fn largest(values: &[f64], but: Option<usize>) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (index, &value) in values.iter().enumerate() {
        if Some(index) != but && best.is_none_or(|best| value > values[best]) {
            best = Some(index);
        }
    }
    best
}
