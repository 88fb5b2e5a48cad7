//! Quantiles of a list, as medians and 95th percentiles are reported.

use super::Error;
use super::number::{check_finite, check_unit, length, whole};

/// The `share` quantile of `values`: linear between the two nearest of the sorted values.
///
/// `share` from 0 (the smallest) to 1 (the largest); 0.5 is the median. In the unit of the values.
///
/// # Errors
/// [`Error::Empty`] if there are none, [`Error::OutOfRange`] if one is not finite or `share` is not from 0 to 1.
///
/// Source: Hyndman & Fan 1996, type 7, which is numpy's default.
pub fn quantile(values: &[f64], share: f64) -> Result<f64, Error> {
    for &value in values {
        check_finite("values", value)?;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    of_sorted(&sorted, share)
}

/// [`quantile`] of a list that is already sorted and finite.
pub(in crate::stats) fn of_sorted(sorted: &[f64], share: f64) -> Result<f64, Error> {
    check_unit("share", share)?;
    let Some(Place { below, above, part }) = Place::of(sorted.len(), share) else {
        return Err(Error::Empty { what: "values" });
    };
    // Two products instead of a difference, so that huge values of both signs do not overflow.
    Ok(sorted[below] * (1.0 - part) + sorted[above] * part)
}

/// Where a quantile lies between two of the sorted values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    /// The place of the value below, from 0.
    pub(crate) below: usize,
    /// The place of the value above; the same at the end.
    pub(crate) above: usize,
    /// How much of the way from below to above, from 0 to less than 1.
    pub(crate) part: f64,
}

impl Place {
    /// The place of the `share` quantile of `n` values, `share` from 0 to 1; `None` without a value.
    pub(crate) fn of(n: usize, share: f64) -> Option<Self> {
        let last = n.checked_sub(1)?;
        let place = share * length(last);
        let below = usize::try_from(whole(place)).unwrap_or(last).min(last);
        Some(Self {
            below,
            above: (below + 1).min(last),
            part: place - length(below),
        })
    }
}

/// Median, 95th percentile and largest of a list: how drift and headroom are summarised.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Spread {
    /// The 50th percentile.
    pub median: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The largest value.
    pub largest: f64,
}

/// Median, 95th percentile and largest value; `None` for an empty list.
///
/// # Errors
/// [`Error::OutOfRange`] if a value is not finite.
pub fn spread(values: &[f64]) -> Result<Option<Spread>, Error> {
    if values.is_empty() {
        return Ok(None);
    }
    Ok(Some(Spread {
        median: quantile(values, 0.5)?,
        p95: quantile(values, 0.95)?,
        largest: quantile(values, 1.0)?,
    }))
}
