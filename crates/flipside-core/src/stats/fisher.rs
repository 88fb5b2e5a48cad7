//! Two shares of different units, compared exactly.

use super::Error;
use super::number::{check_hits, real};

/// Tables this much more probable than the observed one still count as equally probable: they differ by rounding.
const EQUAL: f64 = 1.0 + 1e-7;

/// Fisher's exact two-sided p value that two shares, `first.0` hits of `first.1` units and `second.0` of `second.1` other
/// units, are one share.
///
/// The probability, given both sizes and all hits, of every split of the hits that is at most as probable as the one
/// observed. From above 0 to 1; 1 where nothing or everything hit. Symmetric in the two shares and in hit and miss. A p value
/// under the smallest positive float is that float.
///
/// # Errors
/// [`Error::Empty`] without units, [`Error::Hits`] for more hits than units, [`Error::TooMany`] above 10^12 units.
///
/// Source: Fisher 1935, two-sided by probability as in R and scipy. The statistics page, 6.3, asks for a test of slices.
pub fn fisher_exact(first: (u64, u64), second: (u64, u64)) -> Result<f64, Error> {
    check_hits(first.0, first.1)?;
    check_hits(second.0, second.1)?;
    check_hits(first.0 + second.0, first.1 + second.1)?;
    let (units, others) = (first.1, second.1);
    let hits = first.0 + second.0;
    let least = hits.saturating_sub(others);
    let most = hits.min(units);
    // P(x + 1) / P(x), where x is the number of hits among the first units.
    let ratio = |x: u64| {
        let up = real(units - x) * real(hits - x);
        let down = real(x + 1) * real(others - (hits - x) + 1);
        up / down
    };
    let mode = u128::from(hits + 1) * u128::from(units + 1) / u128::from(units + others + 2);
    let mode = u64::try_from(mode).unwrap_or(most).clamp(least, most);
    // Every table's weight is relative to the most probable one's, so that nothing overflows and only what is too
    // improbable to matter underflows.
    let mut above = vec![1.0_f64];
    for x in mode..most {
        let weight = above[above.len() - 1] * ratio(x);
        if weight == 0.0 {
            break;
        }
        above.push(weight);
    }
    let mut below = vec![1.0_f64];
    for x in (least..mode).rev() {
        let weight = below[below.len() - 1] / ratio(x);
        if weight == 0.0 {
            break;
        }
        below.push(weight);
    }
    let observed = if first.0 >= mode {
        weight(&above, first.0 - mode)
    } else {
        weight(&below, mode - first.0)
    };
    // From the smallest weights up, for the digits of small sums.
    let (mut total, mut extreme) = (0.0, 0.0);
    let mut weights: Vec<f64> = above.into_iter().chain(below.into_iter().skip(1)).collect();
    weights.sort_by(f64::total_cmp);
    for weight in weights {
        total += weight;
        if weight <= observed * EQUAL {
            extreme += weight;
        }
    }
    Ok((extreme / total).clamp(f64::MIN_POSITIVE, 1.0))
}

/// The weight `steps` from the mode; 0 where it underflowed.
fn weight(weights: &[f64], steps: u64) -> f64 {
    let place = usize::try_from(steps).unwrap_or(usize::MAX);
    weights.get(place).copied().unwrap_or(0.0)
}
