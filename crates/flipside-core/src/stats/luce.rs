//! What dropping an option should do to the others, if each were scored for itself.

use super::Error;
use super::drift::{check_probabilities, drift};
use super::number::{check_finite, check_length, finite};

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
    renormalise("full", &mut rest)?;
    Ok(rest)
}

fn renormalise(what: &'static str, values: &mut [f64]) -> Result<(), Error> {
    let sum: f64 = values.iter().sum();
    if sum <= 0.0 {
        return Err(Error::OutOfRange {
            what,
            value: sum,
            expected: "probability left",
        });
    }
    for value in values {
        *value /= sum;
    }
    Ok(())
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
    let distance = shared_drift(&expected, reply)?;
    Ok(DropDrift {
        log_odds: distance.log_odds,
        total_variation: distance.total_variation,
        expected,
    })
}

/// How far two replies about the options that two lists share are from one another.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct SharedDrift {
    /// Largest change of log-odds between two of them; 0 for a per-option scorer. `None` with any zero.
    pub log_odds: Option<f64>,
    /// Total variation, each side renormalised.
    pub total_variation: f64,
}

/// Distances between what two lists say about the options that both show, at least two, whatever else each of them shows. By
/// Luce's rule both are 0.
///
/// # Errors
/// [`Error::Length`], [`Error::TooFew`], or [`Error::OutOfRange`] for a probability or if one side has nothing on them.
///
/// Source: Luce 1959, section 9 of the statistics page.
pub fn shared_drift(one: &[f64], other: &[f64]) -> Result<SharedDrift, Error> {
    let (mut one, mut other) = (one.to_vec(), other.to_vec());
    check_probabilities("one", &one)?;
    check_probabilities("other", &other)?;
    renormalise("one", &mut one)?;
    renormalise("other", &mut other)?;
    let distance = drift(&one, &other)?;
    Ok(SharedDrift {
        log_odds: distance.log_odds,
        total_variation: distance.total_variation,
    })
}

/// What is known of the largest change of log-odds where probabilities are rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangeBounds {
    /// It is at least this.
    pub least: f64,
    /// It is at most this; `None` without a bound.
    pub most: Option<f64>,
}

/// Bounds of the largest change of log-odds between two options, of which each probability is known to within `half_step` on
/// both sides. Vectors of one length; without rounding, 0, both bounds are the change itself.
///
/// The logarithm of each option's ratio lies in an interval. One ratio for all of them means no change, so the change is at
/// least what keeps those intervals apart: the largest lower end minus the smallest upper one. A rounded 0 bounds its
/// interval on one side. `None` where a probability is exactly 0.
///
/// # Errors
/// [`Error::Length`], or [`Error::OutOfRange`] for a probability or for `half_step`.
///
/// Source: interval arithmetic on section 9's `iia_drift` of the statistics page; own construction.
pub fn change_bounds(
    one: &[f64],
    other: &[f64],
    half_step: f64,
) -> Result<Option<ChangeBounds>, Error> {
    check_length("other", other.len(), one.len())?;
    check_finite("half_step", half_step)?;
    if half_step < 0.0 {
        return Err(Error::OutOfRange {
            what: "half_step",
            value: half_step,
            expected: "a number from 0",
        });
    }
    check_probabilities("one", one)?;
    check_probabilities("other", other)?;
    let exact_zero = |value: &f64| half_step <= 0.0 && *value <= 0.0;
    if one.iter().chain(other).any(exact_zero) {
        return Ok(None);
    }
    let ends = |value: f64| [(value - half_step).max(0.0).ln(), (value + half_step).ln()];
    let mut lowest = [f64::INFINITY; 2];
    let mut highest = [f64::NEG_INFINITY; 2];
    for (p, q) in one.iter().zip(other) {
        let ([p_low, p_high], [q_low, q_high]) = (ends(*p), ends(*q));
        for (end, value) in [p_low - q_high, p_high - q_low].into_iter().enumerate() {
            lowest[end] = lowest[end].min(value);
            highest[end] = highest[end].max(value);
        }
    }
    let most = highest[1] - lowest[0];
    Ok(Some(ChangeBounds {
        least: finite("least", (highest[0] - lowest[1]).max(0.0))?,
        most: most.is_finite().then_some(most),
    }))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(one: &[f64], other: &[f64], half_step: f64) -> ChangeBounds {
        change_bounds(one, other, half_step).unwrap().unwrap()
    }

    #[test]
    fn without_rounding_both_bounds_are_the_change() {
        // Golden `loo/drop_c`.
        let found = bounds(&[0.5, 0.3], &[0.55, 0.45], 0.0);
        assert!((found.least - 0.310_154_928_304).abs() < 1e-9);
        assert!((found.most.unwrap() - found.least).abs() < 1e-12);
    }

    #[test]
    fn rounding_is_given_what_it_can_explain_and_no_more() {
        // By hand: ln(.495/.555) = -0.114410 is the largest lower end, ln(.305/.445) = -0.377763 the smallest upper one.
        let found = bounds(&[0.5, 0.3], &[0.55, 0.45], 0.005);
        assert!((found.least - 0.263_352).abs() < 1e-6);
        // ln(.505/.545) - ln(.295/.455) = -0.076227 + 0.433322.
        assert!((found.most.unwrap() - 0.357_095).abs() < 1e-6);
        // Two thirds and a third of 0.06 and 0.03 rounded to whole hundredths: nothing moved.
        let found = bounds(&[0.06, 0.03], &[0.67, 0.33], 0.005);
        assert!(found.least <= 0.0 && found.most.unwrap() > 0.0);
    }

    #[test]
    fn a_rounded_zero_has_a_bound_and_an_exact_one_has_none() {
        assert_eq!(change_bounds(&[1.0, 0.0], &[0.5, 0.5], 0.0), Ok(None));
        // At least ln(.995/.505) - ln(.005/.495) = 0.678184 + 4.595120.
        let found = bounds(&[1.0, 0.0], &[0.5, 0.5], 0.005);
        assert!((found.least - 5.273_304).abs() < 1e-6);
        assert_eq!(found.most, None);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let text = |found: Result<Option<ChangeBounds>, Error>| found.unwrap_err().to_string();
        assert_eq!(
            text(change_bounds(&[0.5, 0.5], &[1.0], 0.0)),
            "`other` has 1 items: expected 2"
        );
        assert_eq!(
            text(change_bounds(&[0.5], &[1.0], -0.1)),
            "`half_step` is -0.1: expected a number from 0"
        );
        assert!(shared_drift(&[0.0, 0.0], &[0.5, 0.5]).is_err());
        assert!(shared_drift(&[0.5], &[0.5]).is_err());
    }
}
