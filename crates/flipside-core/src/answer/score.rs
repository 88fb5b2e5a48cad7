//! Score and noul questions: places as offered to identities.

use super::distribution::{
    FLOAT_NOISE, SLACK, confidence_in_range, distribution, lowest_top, malformed, rounding, tied,
};
use super::kinds::Answer;
use crate::case::KeyBinding;
use crate::model::Rejection;
use crate::present::Presentation;
use crate::stats::number::length;

/// A score as reported, by the places of `shown`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedScore {
    /// The expected place.
    pub score: f64,
    /// Probabilities by place as offered.
    pub probabilities: Vec<f64>,
    /// The backend's own confidence.
    pub confidence: Option<f64>,
}

/// The answer that a score question got, after rules V5, V7, V10 and V12 of the wire page, 8.
///
/// The answered level is the one with the largest probability, a tie going to the lowest level; the expectation is
/// kept beside it, over identities, whatever order was offered.
///
/// # Errors
/// [`Rejection::Malformed`] naming the rule.
pub fn score(shown: &Presentation<'_>, reported: &ReportedScore) -> Result<Answer, Rejection> {
    if let Some(confidence) = reported.confidence {
        confidence_in_range(confidence)?;
    }
    let places = &reported.probabilities;
    let half_step = distribution(places)?;
    let (n, expected) = (
        length(places.len()),
        places
            .iter()
            .enumerate()
            .map(|(place, p)| length(place) * p)
            .sum::<f64>(),
    );
    let tolerance = 0.02 + half_step * (1.0 + n * (n - 1.0) / 2.0);
    let off = (reported.score - expected).abs();
    if off.is_nan() || off > tolerance + SLACK {
        return Err(malformed(
            "score-expectation",
            format!(
                "the score is {}, the probabilities expect {expected:.4}",
                reported.score
            ),
        ));
    }
    let mut by_identity = vec![0.0; shown.identities()];
    for (option, p) in shown.options().zip(places) {
        by_identity[option.id.index()] = *p;
    }
    let canonical = by_identity
        .iter()
        .enumerate()
        .map(|(level, p)| length(level) * p)
        .sum();
    let tied = tied(&by_identity);
    Ok(Answer {
        choice: Some(lowest_top(&by_identity)),
        tied,
        tie_broken: tied,
        rounding: half_step,
        score: Some(canonical),
        probabilities: Some(by_identity),
        backend_confidence: reported.confidence,
        ..Answer::default()
    })
}

/// The answer that a noul question got: `true` at one half or more, tied within the reporting step of one half.
///
/// Of a statement that is asked as its opposite, `p` speaks about the opposite: what it says about the case is `1 - p`, and that
/// decides by the same rule.
///
/// # Errors
/// [`Rejection::Malformed`] if `p` is outside 0 to 1 or the options are not `true` and `false`.
pub fn noul(
    shown: &Presentation<'_>,
    p: f64,
    confidence: Option<f64>,
) -> Result<Answer, Rejection> {
    if let Some(confidence) = confidence {
        confidence_in_range(confidence)?;
    }
    if !(-SLACK..=1.0 + SLACK).contains(&p) {
        return Err(malformed(
            "probability-range",
            format!("`noul` is {p}, expected 0 to 1"),
        ));
    }
    let (Some(yes), Some(no)) = (shown.at_key("true"), shown.at_key("false")) else {
        return Err(malformed(
            "noul-options",
            "a noul question has the options `true` and `false`".to_owned(),
        ));
    };
    let mut by_identity = vec![0.0; shown.identities()];
    by_identity[yes.id.index()] = p;
    by_identity[no.id.index()] = 1.0 - p;
    let half_step = rounding(&[p]);
    let chosen = match shown.case().keys {
        KeyBinding::Opposite if p <= 0.5 => no,
        KeyBinding::Opposite => yes,
        _ if p >= 0.5 => yes,
        _ => no,
    };
    Ok(Answer {
        choice: Some(chosen.id),
        tied: (p - 0.5).abs() <= half_step.max(FLOAT_NOISE),
        rounding: half_step,
        probabilities: Some(by_identity),
        backend_confidence: confidence,
        ..Answer::default()
    })
}
