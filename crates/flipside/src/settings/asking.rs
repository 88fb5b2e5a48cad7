//! Which models are asked, and how: the flags that every command with a model has.

use std::time::Duration;

use flipside_core::model::Price;
use flipside_engine::{Limits, Policy};
use flipside_models::catalog::{ModelSpec, without_secrets};
use flipside_models::kept::Replies;

use super::values::{Check, dollars, duration, positive, price, whole};
use crate::defaults;
use crate::diagnostic::Diagnostic;
use crate::flags::ModelFlags;

/// Which models are asked, and how.
#[derive(Debug)]
pub(crate) struct Models {
    pub(crate) specs: Vec<ModelSpec>,
    pub(crate) concurrency: Option<usize>,
    pub(crate) timeout: Duration,
    pub(crate) policy: Policy,
    pub(crate) rate: Option<f64>,
    pub(crate) max_asks: Option<u64>,
    pub(crate) max_cost_usd_micros: Option<u64>,
    pub(crate) price: Option<Price>,
    pub(crate) name: Option<String>,
    /// The variable that holds the key of the host that is asked.
    pub(crate) key_from: Option<String>,
    /// Whether requests travel compressed.
    pub(crate) compress: bool,
    /// What the models run on, as the user says.
    pub(crate) hardware: Option<String>,
    /// Replies of earlier rounds of the same command, which are not asked for again; `None` unless there are rounds.
    pub(crate) kept: Option<Replies>,
}

pub(super) fn models(check: &mut Check, flags: &ModelFlags) -> Models {
    let default = [defaults::MODEL.to_owned()];
    let texts = if flags.model.is_empty() {
        &default[..]
    } else {
        &flags.model
    };
    let mut specs = Vec::new();
    for text in texts {
        match ModelSpec::parse(text) {
            Ok(spec) => specs.push(spec),
            Err(error) => {
                let diagnostic = Diagnostic::new(format!("`--model`: {error}"));
                check
                    .errors
                    .push(diagnostic.help("`flipside models` lists them with what each needs"));
            }
        }
    }
    for (place, text) in texts.iter().enumerate() {
        if texts[..place].contains(text) {
            check.errors.push(Diagnostic::new(format!(
                "`--model {}` is given twice",
                without_secrets(text)
            )));
        }
    }
    let concurrency = format!("a plain number from 1 to {}", defaults::MOST_CONCURRENCY);
    let concurrency = check.value(
        "--concurrency",
        flags.concurrency.as_deref(),
        &concurrency,
        |text| whole(text, 1, u64::from(defaults::MOST_CONCURRENCY)),
    );
    let retries = format!("a plain number from 0 to {}", defaults::MOST_RETRIES);
    let retries = check.value("--retries", flags.retries.as_deref(), &retries, |text| {
        whole(text, 0, u64::from(defaults::MOST_RETRIES))
    });
    let retries = retries
        .and_then(|retries| u32::try_from(retries).ok())
        .unwrap_or(defaults::RETRIES);
    let timeout = check.value(
        "--timeout",
        flags.timeout.as_deref(),
        "a time such as `10s` or `500ms`",
        duration,
    );
    let timeout = timeout.unwrap_or(defaults::TIMEOUT);
    Models {
        specs,
        concurrency: concurrency.and_then(|most| usize::try_from(most).ok()),
        timeout,
        policy: Policy {
            attempts: retries + 1,
            first_wait: defaults::FIRST_WAIT,
            longest_wait: defaults::LONGEST_WAIT,
            budget: timeout.saturating_mul(defaults::BUDGET_TIMEOUTS.max(retries + 1)),
        },
        rate: check.value(
            "--rate",
            flags.rate.as_deref(),
            "attempts per second such as `5` or `0.5`",
            positive,
        ),
        max_asks: check.value(
            "--max-asks",
            flags.max_asks.as_deref(),
            "a plain number, 1 or more",
            |text| whole(text, 1, u64::MAX),
        ),
        max_cost_usd_micros: check.value(
            "--max-cost",
            flags.max_cost.as_deref(),
            "US dollars over zero such as `1.50`",
            |text| dollars(text).filter(|micros| *micros > 0),
        ),
        price: check.value(
            "--price",
            flags.price.as_deref(),
            "US dollars such as `0.042` or `0.10,0.40`",
            price,
        ),
        name: named(check, flags.model_name.as_deref()),
        key_from: key_from(check, flags.key_from.as_deref()),
        compress: flags.compress,
        hardware: None,
        kept: None,
    }
}

/// The name of an environment variable.
fn key_from(check: &mut Check, text: Option<&str>) -> Option<String> {
    let expected = "the name of an environment variable such as `GATEWAY_KEY`, and not the key";
    let text = text?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let fits = !text.is_empty()
        && text.bytes().all(plain)
        && !text.starts_with(|first: char| first.is_ascii_digit());
    if !fits {
        // Whoever confuses the two would see the key repeated.
        let problem = Diagnostic::new(format!("`--key-from`: expected {expected}"));
        check.errors.push(problem);
        return None;
    }
    Some(text.to_owned())
}

/// Checks the name of a variable given alone.
///
/// # Errors
/// The bad name, not repeated.
pub(crate) fn key_variable(text: Option<&str>) -> Result<Option<String>, Vec<Diagnostic>> {
    let mut check = Check::default();
    let variable = key_from(&mut check, text);
    check.done(variable)
}

/// The name of a model that requests carry.
fn named(check: &mut Check, text: Option<&str>) -> Option<String> {
    check.value("--model-name", text, "a name", |text| {
        (!text.is_empty()).then(|| text.to_owned())
    })
}

/// Checks a model name given alone.
///
/// # Errors
/// The bad name.
pub(crate) fn model_name(text: Option<&str>) -> Result<Option<String>, Vec<Diagnostic>> {
    let mut check = Check::default();
    let name = named(&mut check, text);
    check.done(name)
}

/// Checks a timeout given alone.
///
/// # Errors
/// The bad value.
pub(crate) fn timeout(text: Option<&str>) -> Result<Duration, Vec<Diagnostic>> {
    let mut check = Check::default();
    let value = check.value(
        "--timeout",
        text,
        "a time such as `10s` or `500ms`",
        duration,
    );
    check.done(value.unwrap_or(defaults::TIMEOUT))
}

/// Limits for a few small asks, one after another.
pub(crate) fn small_limits(timeout: Duration) -> Limits {
    Limits {
        concurrency: 1,
        timeout,
        policy: Policy {
            attempts: defaults::RETRIES + 1,
            first_wait: defaults::FIRST_WAIT,
            longest_wait: defaults::LONGEST_WAIT,
            budget: timeout.saturating_mul(defaults::BUDGET_TIMEOUTS),
        },
        rate: None,
        max_asks: None,
        max_cost_usd_micros: None,
        price: None,
    }
}

/// What the user says that models run on.
pub(super) fn hardware(check: &mut Check, text: Option<&str>) -> Option<String> {
    let expected = "one line of text such as `H200`";
    check.value("--hardware", text, expected, |text| {
        let plain = !text.trim().is_empty() && !text.chars().any(char::is_control);
        plain.then(|| text.trim().to_owned())
    })
}
