//! Intraclass correlations of scores, cases by orders.

use super::super::number::length;
use super::super::special::f_quantile_upper;
use super::super::variance::check_table;
use super::super::{Error, Estimate, Method};

/// Intraclass correlations with the mean squares behind them.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Icc {
    /// ICC(1): orders drawn at random for each case.
    pub one: Estimate,
    /// ICC(A,1): the same labelled orders for all cases, absolute agreement.
    pub agreement: Estimate,
    /// ICC(C,1): the same, but a constant shift of an order does not count.
    pub consistency: Estimate,
    /// Mean square between cases.
    pub cases: f64,
    /// Mean square within cases.
    pub within: f64,
    /// Mean square between orders.
    pub orders: f64,
    /// Residual mean square.
    pub residual: f64,
}

/// Intraclass correlations of `rows`, one row per case and one column per order.
///
/// At least two cases and two orders, all rows of one length, all values finite. `None` without variance, or where the
/// residual leaves no interval. Values run from `-1/(m - 1)` to 1.
///
/// # Errors
/// [`Error::TooFew`] with under two cases or orders, [`Error::Length`] for ragged rows, [`Error::OutOfRange`] for a value
/// that is not finite, [`Error::Level`] for the level.
///
/// Source: Shrout & Fleiss 1979, `McGraw` & Wong 1996. Compared with their published example and the intervals that R's
/// psych prints for it (golden `icc`).
pub fn icc(rows: &[Vec<f64>], level: f64) -> Result<Option<Icc>, Error> {
    super::super::number::check_level(level)?;
    let columns = check_table(rows)?;
    let (n, k) = (length(rows.len()), length(columns));
    let row_means: Vec<f64> = rows.iter().map(|row| row.iter().sum::<f64>() / k).collect();
    let column_means: Vec<f64> = (0..columns)
        .map(|column| rows.iter().map(|row| row[column]).sum::<f64>() / n)
        .collect();
    let mean = row_means.iter().sum::<f64>() / n;
    let cases = k * row_means
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (n - 1.0);
    let orders = n * column_means
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (k - 1.0);
    let (mut inside, mut left) = (0.0, 0.0);
    for (row, row_mean) in rows.iter().zip(&row_means) {
        for (value, column_mean) in row.iter().zip(&column_means) {
            inside += (value - row_mean).powi(2);
            left += (value - row_mean - column_mean + mean).powi(2);
        }
    }
    let within = inside / (n * (k - 1.0));
    let residual = left / ((n - 1.0) * (k - 1.0));
    let squares = Squares {
        n,
        k,
        cases,
        within,
        orders,
        residual,
        level,
    };
    let Some((one, agreement, consistency)) = squares.estimates(rows.len() as u64)? else {
        return Ok(None);
    };
    Ok(Some(Icc {
        one,
        agreement,
        consistency,
        cases,
        within,
        orders,
        residual,
    }))
}

struct Squares {
    n: f64,
    k: f64,
    cases: f64,
    within: f64,
    orders: f64,
    residual: f64,
    level: f64,
}

impl Squares {
    fn estimates(&self, count: u64) -> Result<Option<(Estimate, Estimate, Estimate)>, Error> {
        let &Self {
            n,
            k,
            cases,
            within,
            orders,
            residual,
            level,
        } = self;
        let scale = cases.max(orders).max(within);
        if scale <= 0.0 || within <= scale * 1e-14 || residual <= scale * 1e-14 {
            return Ok(None);
        }
        let tail = (1.0 - level) / 2.0;
        let estimate = |value: f64, lower: f64, upper: f64| {
            Estimate::new(value, (lower, upper), level, count, Method::Anova)
        };
        // ICC(1) and ICC(C,1) are the same function of an F ratio with different degrees of freedom below.
        let from_ratio = |below: f64, df2: f64| {
            let df1 = n - 1.0;
            let ratio = cases / below;
            let low = ratio / f_quantile_upper(tail, df1, df2)?;
            let high = ratio * f_quantile_upper(tail, df2, df1)?;
            let of = |f: f64| (f - 1.0) / (f + k - 1.0);
            estimate(
                (cases - below) / (cases + (k - 1.0) * below),
                of(low),
                of(high),
            )
        };
        let one = from_ratio(within, n * (k - 1.0))?;
        let consistency = from_ratio(residual, (n - 1.0) * (k - 1.0))?;
        let value =
            (cases - residual) / (cases + (k - 1.0) * residual + k * (orders - residual) / n);
        let room = n * (1.0 - value);
        let a = k * value / room;
        let b = 1.0 + k * value * (n - 1.0) / room;
        let parts = (a * orders, b * residual);
        let df = (parts.0 + parts.1).powi(2)
            / (parts.0.powi(2) / (k - 1.0) + parts.1.powi(2) / ((n - 1.0) * (k - 1.0)));
        if !(df > 0.0 && df.is_finite()) {
            return Ok(None);
        }
        let rest = k * orders + (k * n - k - n) * residual;
        // With a tiny df the quantile overflows; the ends are then their limits for an F without bound.
        let lower = match f_quantile_upper(tail, n - 1.0, df) {
            Ok(low) => n * (cases - low * residual) / (low * rest + n * cases),
            Err(Error::NotFinite { .. }) => -n * residual / rest,
            Err(error) => return Err(error),
        };
        let upper = match f_quantile_upper(tail, df, n - 1.0) {
            Ok(high) => n * (high * cases - residual) / (rest + n * high * cases),
            Err(Error::NotFinite { .. }) => 1.0,
            Err(error) => return Err(error),
        };
        if !(lower.is_finite() && upper.is_finite()) {
            return Ok(None);
        }
        // Those approximate ends can miss the value itself.
        let agreement = estimate(value, lower.min(value), upper.max(value))?;
        Ok(Some((one, agreement, consistency)))
    }
}
