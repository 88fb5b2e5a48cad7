//! Answers by identity, the rules that a reply must pass, and our own confidence.

use serde::{Deserialize, Serialize};

use crate::foreign::Foreign;
use crate::model::Rejection;
use crate::order::OptionId;
use crate::present::{Presentation, Shown};

/// Two probabilities this close are equal up to float noise (`wire.md` 8).
pub const FLOAT_NOISE: f64 = 1e-6;
/// Slack on bounds and on the peak rule (`wire.md` 8, V5 and V9).
const SLACK: f64 = 1e-9;
/// How far below the largest probability a stated choice may lie (V9).
const PEAK: f64 = 0.005;
/// The least total probability that is still a distribution.
const LEAST_SUM: f64 = 0.5;

/// What a model answered, aligned to identities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// The chosen option; `None` if the model did not decide.
    pub choice: Option<OptionId>,
    /// Why it did not decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declined: Option<Declined>,
    /// Probabilities by identity, as received and not renormalised; `None` if the model gave none.
    pub probabilities: Option<Vec<f64>>,
    /// Whether the top two probabilities are equal as reported.
    pub tied: bool,
    /// Half of the step to which the probabilities are rounded, 0 if they are not.
    #[serde(skip_serializing_if = "is_zero")]
    pub rounding: f64,
    /// Expected level, for a score question, by identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The backend's own confidence, kept and never compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_confidence: Option<f64>,
    /// The model that served, as it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub served_model: Option<String>,
    /// The provider behind a gateway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Tokens and cost, each only where it is known.
    #[serde(skip_serializing_if = "Usage::is_unknown")]
    pub usage: Usage,
    /// Things about the reply that deserve a warning but do not invalidate it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde's skip_serializing_if calls"
)]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Why a model did not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Declined {
    /// It refused.
    Refusal,
    /// It abstained.
    Abstention,
    /// No option could be read in free text.
    Unreadable,
}

/// Tokens and cost of one ask; unknown is `None` and never 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Cost as the backend states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd_micros: Option<u64>,
}

impl Usage {
    fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

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

fn malformed(rule: &'static str, message: String) -> Rejection {
    Rejection::Malformed { rule, message }
}

/// Half the step of the coarsest decimal grid of 2 to 6 digits on which all values lie, 0 if there is none.
///
/// Source: `wire.md` 8.
pub fn rounding(values: &[f64]) -> f64 {
    const STEPS: [(f64, f64); 5] = [
        (1e2, 5e-3),
        (1e3, 5e-4),
        (1e4, 5e-5),
        (1e5, 5e-6),
        (1e6, 5e-7),
    ];
    let on_grid = |scale: f64| {
        values
            .iter()
            .all(|v| (v * scale - (v * scale).round()).abs() <= 1e-7 * scale)
    };
    STEPS
        .iter()
        .find(|(scale, _)| on_grid(*scale))
        .map_or(0.0, |(_, half)| *half)
}

/// The answer that `reported` gives to `shown`, after rules V5 to V10 of `wire.md` 8.
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
    Ok(Answer {
        choice: Some(choice),
        tied: tied(&by_identity),
        rounding: half_step,
        probabilities: Some(by_identity),
        backend_confidence: reported.confidence,
        ..Answer::default()
    })
}

/// V10: a confidence, where present, is in 0 to 1.
///
/// # Errors
/// [`Rejection::Malformed`].
pub fn confidence_in_range(confidence: f64) -> Result<(), Rejection> {
    if (-SLACK..=1.0 + SLACK).contains(&confidence) {
        return Ok(());
    }
    Err(malformed(
        "confidence-range",
        format!("confidence is {confidence}, expected 0 to 1"),
    ))
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
                "the reply chose `{}`, which was not offered ({}{more})",
                Foreign(key),
                keys.join(", ")
            ),
        )
    })
}

/// V6: the probability keys are exactly the option keys sent. Returns the values by identity.
fn by_identity(shown: &Presentation<'_>, reports: &[(&str, f64)]) -> Result<Vec<f64>, Rejection> {
    let mut values = vec![f64::NAN; shown.len()];
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
    let folded = |key: &str| key.chars().flat_map(char::to_lowercase).collect::<String>();
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

/// V5 and V7: each value in 0 to 1, the sum 1 within what rounding explains. Returns half the rounding step.
///
/// # Errors
/// [`Rejection::Malformed`].
pub fn distribution(values: &[f64]) -> Result<f64, Rejection> {
    if let Some(value) = values.iter().find(|v| !(-SLACK..=1.0 + SLACK).contains(*v)) {
        return Err(malformed(
            "probability-range",
            format!("a probability is {value}, expected 0 to 1"),
        ));
    }
    let half_step = rounding(values);
    let sum: f64 = values.iter().sum();
    let nonzero = values.iter().filter(|v| **v > 0.0).count();
    #[expect(
        clippy::cast_precision_loss,
        reason = "option counts are far below 2^52"
    )]
    let (over, under) = (
        (nonzero as f64 * half_step).max(0.05),
        (values.len() as f64 * half_step).max(0.05),
    );
    if sum > 1.0 + over + SLACK || sum < 1.0 - under - SLACK || sum < LEAST_SUM {
        return Err(malformed(
            "probability-sum",
            format!("the probabilities add up to {sum:.6}, expected 1"),
        ));
    }
    Ok(half_step)
}

/// Whether the top two values are equal as reported, up to float noise.
pub fn tied(values: &[f64]) -> bool {
    let (first, second) = top_two(values);
    second.is_some_and(|second| first - second <= FLOAT_NOISE)
}

/// The lowest identity among those with the largest value; values within float noise of it count as equal.
pub fn lowest_top(values: &[f64]) -> OptionId {
    let (top, _) = top_two(values);
    let place = values
        .iter()
        .position(|v| top - v <= FLOAT_NOISE)
        .unwrap_or(0);
    OptionId(u16::try_from(place).expect("a case has at most Order::MOST options"))
}

fn top_two(values: &[f64]) -> (f64, Option<f64>) {
    let mut first = f64::NEG_INFINITY;
    let mut second = None;
    for &value in values {
        if value > first {
            second = (first > f64::NEG_INFINITY).then_some(first);
            first = value;
        } else if second.is_none_or(|s| value > s) {
            second = Some(value);
        }
    }
    (first, second)
}

/// Our own confidences, by one formula for every backend.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, schemars::JsonSchema)]
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
/// `None` without a positive sum. Source: `wire.md` 9.1.
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
    #[expect(
        clippy::cast_precision_loss,
        reason = "option counts are far below 2^52"
    )]
    let n = p.len() as f64;
    let several = p.len() > 1;
    let entropy: f64 = p.iter().filter(|v| **v > 0.0).map(|v| -v * v.ln()).sum();
    Some(Confidence {
        top,
        margin: second.map(|second| top - second),
        above_chance: several.then(|| (n * top - 1.0) / (n - 1.0)),
        entropy: several.then(|| 1.0 - entropy / n.ln()),
    })
}

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

/// The answer that a score question got, after rules V5, V7, V10 and V12 of `wire.md` 8.
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
    #[expect(
        clippy::cast_precision_loss,
        reason = "level counts are far below 2^52"
    )]
    let (n, expected) = (
        places.len() as f64,
        places
            .iter()
            .enumerate()
            .map(|(place, p)| place as f64 * p)
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
    let mut by_identity = vec![0.0; places.len()];
    for (option, p) in shown.options().zip(places) {
        by_identity[option.id.index()] = *p;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "level counts are far below 2^52"
    )]
    let canonical = by_identity
        .iter()
        .enumerate()
        .map(|(level, p)| level as f64 * p)
        .sum();
    Ok(Answer {
        choice: Some(lowest_top(&by_identity)),
        tied: tied(&by_identity),
        rounding: half_step,
        score: Some(canonical),
        probabilities: Some(by_identity),
        backend_confidence: reported.confidence,
        ..Answer::default()
    })
}

/// The answer that a noul question got: `true` at one half or more, tied within the reporting step of one half.
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
    let mut by_identity = vec![0.0; shown.len()];
    by_identity[yes.id.index()] = p;
    by_identity[no.id.index()] = 1.0 - p;
    let half_step = rounding(&[p]);
    let chosen = if p >= 0.5 { yes } else { no };
    Ok(Answer {
        choice: Some(chosen.id),
        tied: (p - 0.5).abs() <= half_step.max(FLOAT_NOISE),
        rounding: half_step,
        probabilities: Some(by_identity),
        backend_confidence: confidence,
        ..Answer::default()
    })
}
