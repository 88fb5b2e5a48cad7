//! A choice question: from keys as shown to identities.

use super::distribution::{SLACK, confidence_in_range, distribution, lowest_top, malformed, tied};
use super::kinds::Answer;
use crate::foreign::Foreign;
use crate::model::Rejection;
use crate::present::{Presentation, Shown};

/// How far below the largest probability a stated choice may lie (V9).
const PEAK: f64 = 0.005;

/// A choice as reported, by the places of `shown`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported<'a> {
    /// The key that the backend says it chose; `None` where we derive the choice.
    pub choice: Option<&'a str>,
    /// Keys and probabilities, in any order; `None` for a pick without probabilities.
    pub probabilities: Option<Vec<(&'a str, f64)>>,
    /// The backend's own confidence.
    pub confidence: Option<f64>,
}

/// The answer that `reported` gives to `shown`, after rules V5 to V10 of the wire page, 8.
///
/// A stated choice stands even when its probabilities tie. Without one, the largest probability decides and an exact
/// tie goes to the lowest identity, never to a position.
///
/// # Errors
/// [`Rejection::Malformed`] naming the rule.
pub fn choice(shown: &Presentation<'_>, reported: &Reported<'_>) -> Result<Answer, Rejection> {
    if let Some(confidence) = reported.confidence {
        confidence_in_range(confidence)?;
    }
    let stated = reported.choice.map(|key| offered(shown, key)).transpose()?;
    let Some(reports) = &reported.probabilities else {
        let Some(stated) = stated else {
            return Err(malformed(
                "choice",
                "the reply names no choice and gives no probabilities".to_owned(),
            ));
        };
        return Ok(Answer {
            choice: Some(stated.id),
            backend_confidence: reported.confidence,
            ..Answer::default()
        });
    };
    let by_identity = by_identity(shown, reports)?;
    let half_step = distribution(&by_identity)?;
    let top = by_identity
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    let choice = match stated {
        Some(stated) => {
            let p = by_identity[stated.id.index()];
            if p < top - PEAK - SLACK {
                return Err(malformed(
                    "choice-not-peak",
                    format!(
                        "the reply chose `{}` with probability {p}, the largest is {top}",
                        Foreign(&stated.key.0)
                    ),
                ));
            }
            stated.id
        }
        None => lowest_top(&by_identity),
    };
    let tied = tied(&by_identity);
    Ok(Answer {
        choice: Some(choice),
        tied,
        tie_broken: tied && stated.is_none(),
        rounding: half_step,
        probabilities: Some(by_identity),
        backend_confidence: reported.confidence,
        ..Answer::default()
    })
}

fn offered<'a>(shown: &Presentation<'a>, key: &str) -> Result<Shown<'a>, Rejection> {
    shown.at_key(key).ok_or_else(|| {
        let keys: Vec<String> = shown
            .options()
            .take(8)
            .map(|o| format!("`{}`", Foreign(&o.key.0)))
            .collect();
        let more = if shown.len() > 8 {
            format!(" and {} more", shown.len() - 8)
        } else {
            String::new()
        };
        malformed(
            "choice-offered",
            format!(
                "the reply chose `{}`, which was not offered ({}{more}){}",
                Foreign(key),
                keys.join(", "),
                nearly(shown, key)
            ),
        )
    })
}

/// What keeps `key` from being one that was offered, where it nearly is.
fn nearly(shown: &Presentation<'_>, key: &str) -> String {
    let offered: Vec<&str> = shown
        .options()
        .map(|option| option.key.0.as_str())
        .collect();
    if let Some(near) = offered.iter().find(|near| folded(near) == folded(key)) {
        return format!("; it differs from `{}` in case only", Foreign(near));
    }
    // Letters with their accents in one character, or apart.
    let apart = |text: &str| text.chars().any(is_combining);
    let whole = |text: &str| !text.is_ascii() && !apart(text);
    let other = if apart(key) {
        offered.iter().any(|offered| whole(offered))
    } else {
        whole(key) && offered.iter().any(|offered| apart(offered))
    };
    let words = if other {
        "; perhaps the server normalises Unicode"
    } else {
        ""
    };
    words.to_owned()
}

fn folded(key: &str) -> String {
    key.chars().flat_map(char::to_lowercase).collect()
}

/// Whether a character is an accent that stands behind its letter, as in decomposed Unicode.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// V6: the probability keys are exactly the option keys sent. Returns the values by identity.
fn by_identity(shown: &Presentation<'_>, reports: &[(&str, f64)]) -> Result<Vec<f64>, Rejection> {
    let mut values = vec![f64::NAN; shown.identities()];
    let mut unexpected = Vec::new();
    // Replies mostly keep the order that was sent, so the next option is tried before the search.
    let options: Vec<Shown<'_>> = shown.options().collect();
    for (place, (key, value)) in reports.iter().enumerate() {
        let found = match options.get(place) {
            Some(next) if next.key.0 == *key => Some(next),
            _ => options.iter().find(|option| option.key.0 == *key),
        };
        match found {
            Some(option) if !values[option.id.index()].is_nan() => {
                return Err(malformed(
                    "probability-keys",
                    format!("key `{}` has two probabilities", Foreign(key)),
                ));
            }
            Some(_) if !value.is_finite() => {
                return Err(malformed(
                    "finite",
                    format!("the probability of `{}` is {value}", Foreign(key)),
                ));
            }
            Some(option) => values[option.id.index()] = *value,
            None => unexpected.push(*key),
        }
    }
    let missing: Vec<&str> = options
        .iter()
        .filter(|option| values[option.id.index()].is_nan())
        .map(|option| option.key.0.as_str())
        .collect();
    if missing.is_empty() && unexpected.is_empty() {
        // An option that is not offered has no probability.
        values
            .iter_mut()
            .filter(|p| p.is_nan())
            .for_each(|p| *p = 0.0);
        return Ok(values);
    }
    Err(malformed(
        "probability-keys",
        keys_message(&missing, &unexpected),
    ))
}

fn keys_message(missing: &[&str], unexpected: &[&str]) -> String {
    let list = |keys: &[&str]| {
        let mut text: Vec<String> = keys
            .iter()
            .take(4)
            .map(|key| format!("`{}`", Foreign(key)))
            .collect();
        if keys.len() > 4 {
            text.push(format!("{} more", keys.len() - 4));
        }
        text.join(", ")
    };
    let mut message = match (missing, unexpected) {
        (_, []) => format!("no probability for {}", list(missing)),
        ([], _) => format!(
            "a probability for {}, which was not offered",
            list(unexpected)
        ),
        _ => format!(
            "no probability for {}, but one for {}",
            list(missing),
            list(unexpected)
        ),
    };
    if missing
        .iter()
        .any(|m| unexpected.iter().any(|u| folded(m) == folded(u)))
    {
        message.push_str("; they differ in case only");
    } else if missing.iter().any(|m| !m.is_ascii()) && missing.len() == unexpected.len() {
        message.push_str("; perhaps the server normalises Unicode");
    }
    message
}
