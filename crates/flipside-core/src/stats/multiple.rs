//! p values adjusted for having been asked together.

use super::Error;
use super::number::{check_unit, length};

/// Holm's step-down adjustment: controls the chance of any false claim.
///
/// One adjusted p value for each given, in the order given, from 0 to 1. An empty list gives an empty list.
///
/// # Errors
/// [`Error::OutOfRange`] if a p value is not from 0 to 1.
///
/// Source: Holm 1979. Compared with statsmodels' `multipletests` (golden `multiplicity`).
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, Error> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        largest = largest.max((p_values[index] * length(p_values.len() - rank)).min(1.0));
        adjusted[index] = largest;
    }
    Ok(adjusted)
}

/// Benjamini and Hochberg's step-up adjustment: controls the expected share of false claims. For exploration.
///
/// Range, order and errors as [`holm`].
///
/// # Errors
/// [`Error::OutOfRange`] if a p value is not from 0 to 1.
///
/// Source: Benjamini & Hochberg 1995. Compared with statsmodels' `multipletests` (golden `multiplicity`).
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>, Error> {
    let order = ascending(p_values)?;
    let count = length(p_values.len());
    let mut adjusted = vec![0.0; p_values.len()];
    let mut smallest = 1.0_f64;
    for (rank, &index) in order.iter().enumerate().rev() {
        smallest = smallest.min(p_values[index] * count / length(rank + 1));
        adjusted[index] = smallest;
    }
    Ok(adjusted)
}

/// Bonferroni's adjustment: each p value times their number. For comparison with [`holm`], which is never worse.
///
/// # Errors
/// [`Error::OutOfRange`] if a p value is not from 0 to 1.
pub fn bonferroni(p_values: &[f64]) -> Result<Vec<f64>, Error> {
    ascending(p_values)?;
    let count = length(p_values.len());
    Ok(p_values.iter().map(|p| (p * count).min(1.0)).collect())
}

/// Indices from the smallest p value to the largest; equal ones stay in their order.
fn ascending(p_values: &[f64]) -> Result<Vec<usize>, Error> {
    for &p in p_values {
        check_unit("p_values", p)?;
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    Ok(order)
}
