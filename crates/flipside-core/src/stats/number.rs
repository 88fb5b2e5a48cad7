//! Conversions between counts and floats, and the checks that every argument passes.

use super::Error;

/// The largest count that the exact bounds accept: far above any file, and low enough for every continued fraction to end.
pub(in crate::stats) const MOST: u64 = 1_000_000_000_000;

/// `n` as a float; exact up to 2^53, which [`MOST`] keeps far away.
#[expect(clippy::cast_precision_loss, reason = "counts stay under 2^53")]
pub(crate) const fn real(n: u64) -> f64 {
    n as f64
}

/// A length as a float.
pub(crate) fn length(n: usize) -> f64 {
    real(n as u64)
}

/// The whole part of `x` as a count; 0 for anything negative or not a number, and never above `u64::MAX`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what the doc says"
)]
pub(in crate::stats) const fn whole(x: f64) -> u64 {
    x as u64
}

/// A count as an index.
///
/// # Errors
/// [`Error::TooMany`] where the platform's `usize` is too small.
pub(in crate::stats) fn index(what: &'static str, n: u64) -> Result<usize, Error> {
    usize::try_from(n).map_err(|_| Error::TooMany {
        what,
        found: n,
        most: usize::MAX as u64,
    })
}

pub(in crate::stats) fn check_count(what: &'static str, n: u64) -> Result<(), Error> {
    if n == 0 {
        Err(Error::Empty { what })
    } else if n > MOST {
        Err(Error::TooMany {
            what,
            found: n,
            most: MOST,
        })
    } else {
        Ok(())
    }
}

pub(in crate::stats) fn check_hits(hits: u64, n: u64) -> Result<(), Error> {
    check_count("n", n)?;
    if hits > n {
        Err(Error::Hits { hits, n })
    } else {
        Ok(())
    }
}

pub(in crate::stats) fn check_level(level: f64) -> Result<(), Error> {
    if level > 0.0 && level < 1.0 {
        Ok(())
    } else {
        Err(Error::Level { level })
    }
}

/// Strictly between 0 and 1.
pub(in crate::stats) fn check_open(what: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value < 1.0 {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what,
            value,
            expected: "a number strictly between 0 and 1",
        })
    }
}

/// From 0 to 1, ends included.
pub(in crate::stats) fn check_unit(what: &'static str, value: f64) -> Result<(), Error> {
    if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what,
            value,
            expected: "a number from 0 to 1",
        })
    }
}

pub(in crate::stats) fn check_positive(what: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what,
            value,
            expected: "a finite number above 0",
        })
    }
}

pub(in crate::stats) fn check_finite(what: &'static str, value: f64) -> Result<(), Error> {
    if value.is_finite() {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what,
            value,
            expected: "a finite number",
        })
    }
}

pub(in crate::stats) fn check_length(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), Error> {
    if found == expected {
        Ok(())
    } else {
        Err(Error::Length {
            what,
            found,
            expected,
        })
    }
}

/// The last gate before a float leaves.
pub(in crate::stats) fn finite(what: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotFinite { what })
    }
}
