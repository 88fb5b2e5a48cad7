//! The mixture betting interval for means of values in 0..=1.

use super::super::number::{check_open, check_unit, length};
use super::super::root::boundary;
use super::super::{Error, Estimate, Method};

/// Bets on each side.
const BETS: u32 = 20;

/// Mean of values in 0..=1 with an interval that holds at any stopping time, at coverage `1 - alpha`.
///
/// Keeps a candidate mean while the mean wealth of 20 bets on each side is under `1/alpha`. Values must come in the order
/// in which they were seen only for the claim about stopping; the interval does not depend on it.
///
/// # Errors
/// [`Error::Empty`] without values, [`Error::OutOfRange`] if one is not from 0 to 1, or for `alpha`.
///
/// Source: Waudby-Smith & Ramdas 2024, section 4.4 of the statistics page (goldens `betting_interval`).
pub fn betting_interval(values: &[f64], alpha: f64) -> Result<Estimate, Error> {
    check_open("alpha", alpha)?;
    if values.is_empty() {
        return Err(Error::Empty { what: "values" });
    }
    for &value in values {
        check_unit("values", value)?;
    }
    let grouped = grouped(values);
    let n = length(values.len());
    let mean = grouped
        .iter()
        .map(|(value, times)| value * times)
        .sum::<f64>()
        / n;
    let mean = mean.clamp(0.0, 1.0);
    // Wealth is convex in the candidate, and at most 1 at the mean: the kept ones are an interval around it.
    let most = -alpha.ln();
    let kept = |candidate: f64| ln_wealth(&grouped, candidate) < most;
    let lower = boundary(mean, 0.0, kept);
    let upper = boundary(mean, 1.0, kept);
    Estimate::new(
        mean,
        (lower, upper),
        1.0 - alpha,
        values.len() as u64,
        Method::Betting,
    )
}

/// Distinct values with how often each occurs: flips are mostly 0 and 1, and a logarithm per value is all the cost.
fn grouped(values: &[f64]) -> Vec<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut groups: Vec<(f64, f64)> = Vec::new();
    for value in sorted {
        match groups.last_mut() {
            Some((known, times)) if value <= *known => *times += 1.0,
            _ => groups.push((value, 1.0)),
        }
    }
    groups
}

/// Logarithm of the mean wealth over all bets against a candidate strictly between 0 and 1.
fn ln_wealth(groups: &[(f64, f64)], candidate: f64) -> f64 {
    let mut logs = Vec::with_capacity(2 * BETS as usize);
    for bet in 1..=BETS {
        let share = f64::from(bet) / f64::from(BETS + 1);
        for stake in [share / candidate, -share / (1.0 - candidate)] {
            let log: f64 = groups
                .iter()
                .map(|(value, times)| times * (stake * (value - candidate)).ln_1p())
                .sum();
            logs.push(log);
        }
    }
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
    largest + (sum / length(logs.len())).ln()
}
