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

/// p value of the hypothesis that values in 0..=1 have the mean `mean`: one over the wealth of the interval's bets against it.
///
/// Two-sided, from 0 to 1. It is under `alpha` exactly where [`betting_interval`] at `alpha` leaves `mean` out.
///
/// # Errors
/// [`Error::Empty`] without values, [`Error::OutOfRange`] if one is not from 0 to 1, or if `mean` is not strictly between.
///
/// Source: Ville's inequality; Waudby-Smith & Ramdas 2024, section 4.4 of the statistics page.
pub fn betting_p(values: &[f64], mean: f64) -> Result<f64, Error> {
    check_open("mean", mean)?;
    if values.is_empty() {
        return Err(Error::Empty { what: "values" });
    }
    for &value in values {
        check_unit("values", value)?;
    }
    Ok((-ln_wealth(&grouped(values), mean)).exp().min(1.0))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bets_on_one_value_have_the_wealth_that_is_worked_by_hand() {
        // One value of 1 against a mean of 1/2: stakes 2g/21 up and down, wealth 1 + g/21 and 1 - g/21, whose mean is 1.
        assert!((betting_p(&[1.0], 0.5).unwrap() - 1.0).abs() < 1e-12);
        // Two of them: the mean of (1 + g/21)^2 and (1 - g/21)^2 over g = 1..20 is 1 + (20 * 21 * 41 / 6) / (20 * 441).
        let wealth = 1.0 + 2870.0 / 8820.0;
        assert!((betting_p(&[1.0, 1.0], 0.5).unwrap() - 1.0 / wealth).abs() < 1e-12);
    }

    #[test]
    fn the_p_value_and_the_interval_draw_one_line() {
        // The page's example: 50 zeros give [0, 0.102927].
        let zeros = [0.0; 50];
        assert!(betting_p(&zeros, 0.102_8).unwrap() > 0.05);
        assert!(betting_p(&zeros, 0.103_1).unwrap() < 0.05);
        assert!(betting_p(&[], 0.5).is_err());
        assert!(betting_p(&zeros, 0.0).is_err());
        assert!(betting_p(&[1.1], 0.5).is_err());
    }
}
