//! How much of the flip rate's variance lies between cases and how much within, and how many orders a case is worth.

use super::Error;
use super::number::{check_finite, check_length, check_open, length};

/// One-way analysis of variance of cases by orders.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Components {
    /// Mean of all values.
    pub mean: f64,
    /// Mean square between cases.
    pub mean_square_between: f64,
    /// Mean square within cases.
    pub mean_square_within: f64,
    /// Variance of the case's own rate, cut off at 0.
    pub between: f64,
    /// Mean variance within a case.
    pub within: f64,
    /// Share of the variance that is between cases, the correlation rho of two orders of one case. `None` without variance.
    pub rho: Option<f64>,
    /// Standard error of the mean.
    pub standard_error: f64,
    /// Best number of changed orders per case, beside the one baseline ask. `None` if either part is 0.
    pub best_orders: Option<f64>,
}

/// Variance components of `rows`, one row per case and one column per order.
///
/// At least two cases and two orders, all rows of one length; flips are 0 and 1, or any finite values.
///
/// # Errors
/// [`Error::TooFew`] with under two cases or orders, [`Error::Length`] for ragged rows, [`Error::OutOfRange`] for a value
/// that is not finite.
///
/// Source: section 13 of the statistics page (golden `variance_components`).
pub fn components<T: AsRef<[f64]>>(rows: &[T]) -> Result<Components, Error> {
    let orders = check_table(rows)?;
    let (n, m) = (length(rows.len()), length(orders));
    let means: Vec<f64> = rows
        .iter()
        .map(|row| row.as_ref().iter().sum::<f64>() / m)
        .collect();
    let mean = means.iter().sum::<f64>() / n;
    let mean_square_between = m * means
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (n - 1.0);
    let mean_square_within = rows
        .iter()
        .zip(&means)
        .map(|(row, mean)| {
            row.as_ref()
                .iter()
                .map(|value| (value - mean).powi(2))
                .sum::<f64>()
        })
        .sum::<f64>()
        / (n * (m - 1.0));
    let between = ((mean_square_between - mean_square_within) / m).max(0.0);
    let within = mean_square_within;
    let rho = (between + within > 0.0).then(|| between / (between + within));
    Ok(Components {
        mean,
        mean_square_between,
        mean_square_within,
        between,
        within,
        rho,
        standard_error: ((between + within / m) / n).sqrt(),
        best_orders: (between > 0.0 && within > 0.0).then(|| (within / between).sqrt()),
    })
}

/// Best number of changed orders per case at a within-case correlation `rho`: `sqrt((1 - rho)/rho)`.
///
/// `rho` strictly between 0 and 1. Under 1 means that more cases beat a second order.
///
/// # Errors
/// [`Error::OutOfRange`] for `rho`.
///
/// Source: section 13 of the statistics page (golden `variance_components`).
pub fn best_orders(rho: f64) -> Result<f64, Error> {
    check_open("rho", rho)?;
    Ok(((1.0 - rho) / rho).sqrt())
}

/// Standard error of a flip rate over `cases` cases with `orders` changed orders each.
///
/// `rate` and `rho` strictly between 0 and 1.
///
/// # Errors
/// [`Error::Empty`] if a count is 0, [`Error::OutOfRange`] for `rate` or `rho`.
///
/// Source: section 13 of the statistics page.
pub fn standard_error(rate: f64, rho: f64, cases: u64, orders: u64) -> Result<f64, Error> {
    check_open("rate", rate)?;
    check_open("rho", rho)?;
    super::number::check_count("cases", cases)?;
    super::number::check_count("orders", orders)?;
    let variance = rate * (1.0 - rate);
    let (n, m) = (super::number::real(cases), super::number::real(orders));
    Ok((variance * (rho + (1.0 - rho) / m) / n).sqrt())
}

/// Checks a full table of finite values with at least two rows and two columns; returns the number of columns.
pub(in crate::stats) fn check_table<T: AsRef<[f64]>>(rows: &[T]) -> Result<usize, Error> {
    if rows.len() < 2 {
        return Err(Error::TooFew {
            what: "rows",
            found: rows.len() as u64,
            least: 2,
        });
    }
    let columns = rows[0].as_ref().len();
    if columns < 2 {
        return Err(Error::TooFew {
            what: "columns",
            found: columns as u64,
            least: 2,
        });
    }
    for row in rows.iter().map(AsRef::as_ref) {
        check_length("row", row.len(), columns)?;
        for &value in row {
            check_finite("rows", value)?;
        }
    }
    Ok(columns)
}
