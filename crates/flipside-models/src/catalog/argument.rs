//! What stands after the colon of a spec.

use url::Url;

use super::spec::{Kind, Problem, expected};
use crate::exec::words;

/// Digits without sign or leading zero.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0')
}

pub(super) fn slot(argument: &str) -> Result<Kind, Problem> {
    match argument.parse() {
        Ok(slot) if is_plain(argument) => Ok(Kind::Slot(slot)),
        _ => expected("a position from 1, such as `slot:2`"),
    }
}

/// A decimal number as JSON or a person writes it: no sign, no `inf`, no `nan`.
fn decimal(text: &str) -> Option<f64> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain {
        text.parse().ok().filter(|value: &f64| value.is_finite())
    } else {
        None
    }
}

pub(super) fn prior(argument: &str) -> Result<Kind, Problem> {
    let weights: Option<Vec<f64>> = argument
        .split(',')
        .map(|weight| decimal(weight.trim()))
        .collect();
    match weights {
        Some(weights)
            if weights.iter().any(|weight| *weight > 0.0)
                && weights.iter().sum::<f64>().is_finite() =>
        {
            Ok(Kind::Prior(weights))
        }
        Some(_) => expected("at least one weight above 0"),
        None => expected("one weight per option, none negative, such as `prior:.35,.15,.15,.35`"),
    }
}

pub(super) fn noisy(argument: &str) -> Result<Kind, Problem> {
    match decimal(argument).filter(|p| *p <= 1.0) {
        Some(p) => Ok(Kind::Noisy(p)),
        None => expected("a probability from 0 to 1, such as `noisy:0.1`"),
    }
}

pub(super) fn jev(argument: Option<&str>) -> Result<Kind, Problem> {
    match argument {
        None => Ok(Kind::Jev(None)),
        Some(name) if name.contains('?') => {
            expected("`jev` or `jev:NAME`, which take no settings after `?`")
        }
        Some(name) if !name.trim().is_empty() => Ok(Kind::Jev(Some(name.to_owned()))),
        Some(_) => expected("a model name after `jev:`, such as `jev:jev-1.14.0`, or `jev` alone"),
    }
}

pub(super) fn systemone(argument: &str) -> Result<Kind, Problem> {
    const FORM: &str =
        "a URL with http:// or https://, such as `systemone:http://127.0.0.1:8000/v1/systemone`";
    match Url::parse(argument) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
            if !url.username().is_empty() || url.password().is_some() {
                return expected(
                    "a URL without user name and password; a key comes from its environment variable",
                );
            }
            own_query(&url)?;
            Ok(Kind::SystemOne(url))
        }
        _ => expected(FORM),
    }
}

/// Names of settings after `?`, whichever model has them.
const SETTINGS: [&str; 15] = [
    "api",
    "cache",
    "deeper",
    "length",
    "order",
    "provider",
    "read",
    "reasoning",
    "scores",
    "temperature",
    "template",
    "thinking",
    "tokens",
    "top",
    "tournament",
];

/// Whether some model has a setting of this name.
pub(super) fn is_setting(name: &str) -> bool {
    SETTINGS.contains(&name)
}

/// A model without settings keeps a URL's query as it is, unless a setting of another model is in it: nothing would read that.
pub(super) fn own_query(url: &Url) -> Result<(), Problem> {
    match url
        .query_pairs()
        .find(|(name, _)| SETTINGS.contains(&&**name))
    {
        None => Ok(()),
        Some((name, _)) => Err(Problem {
            problem: format!(
                "no setting `{name}` here, expected a URL without one of the settings of other models: {}",
                SETTINGS.map(|name| format!("`{name}`")).join(" ")
            ),
            help: None,
        }),
    }
}

pub(super) fn exec(argument: &str) -> Result<Kind, Problem> {
    match words::split(argument) {
        Ok(words) => Ok(Kind::Exec(words)),
        Err(problem) => Err(Problem {
            problem: problem.to_string(),
            help: Some("write a command such as `exec:python3 examples/exec_adapter.py`; no shell reads it".to_owned()),
        }),
    }
}
