//! Values of flags, and the errors about them, collected.

use std::time::Duration;

use flipside_core::model::Price;

use crate::diagnostic::Diagnostic;

/// Collects errors while values are read.
#[derive(Default)]
pub(super) struct Check {
    pub(super) errors: Vec<Diagnostic>,
}

impl Check {
    pub(super) fn refuse(&mut self, flag: &str, value: &str, expected: &str) {
        let value = flipside_core::foreign::Foreign(value);
        self.errors.push(Diagnostic::new(format!(
            "`{flag} {value}`: expected {expected}"
        )));
    }

    /// The value of a flag read by `read`, an error if it cannot.
    pub(super) fn value<T>(
        &mut self,
        flag: &str,
        text: Option<&str>,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = text?;
        let value = read(text);
        if value.is_none() {
            self.refuse(flag, text, expected);
        }
        value
    }

    pub(super) fn done<T>(self, settings: T) -> Result<T, Vec<Diagnostic>> {
        if self.errors.is_empty() {
            Ok(settings)
        } else {
            Err(self.errors)
        }
    }
}

/// A whole number in plain decimals, without sign or leading zero, from `least` to `most`.
pub(super) fn whole(text: &str, least: u64, most: u64) -> Option<u64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let number = text.parse().ok()?;
    (plain && (least..=most).contains(&number)).then_some(number)
}

/// A decimal number over zero.
pub(super) fn positive(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number = text.parse::<f64>().ok()?;
    (plain && number.is_finite() && number > 0.0).then_some(number)
}

/// US dollars as millionths, rounded to the nearest.
pub(super) fn dollars(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number = text.parse::<f64>().ok()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be in range"
    )]
    (plain && (0.0..1e12).contains(&number)).then(|| (number * 1e6).round() as u64)
}

pub(super) fn duration(text: &str) -> Option<Duration> {
    let span: jiff::SignedDuration = text.parse().ok()?;
    let duration = Duration::try_from(span).ok()?;
    (!duration.is_zero()).then_some(duration)
}

pub(super) fn price(text: &str) -> Option<Price> {
    let (input, output) = text.split_once(',').unwrap_or((text, "0"));
    Some(Price {
        input_usd_micros: dollars(input)?,
        output_usd_micros: dollars(output)?,
    })
}
