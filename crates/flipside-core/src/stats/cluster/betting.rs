//! The mixture betting interval for means of values in 0..=1.

use super::super::number::{check_open, check_unit, length, real};
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
    betting_interval_over(&singles(values), alpha)
}

/// The same mean over clusters of values, each given as its sum and its number of values; `n` counts clusters.
///
/// A bet of a cluster on the candidate mean `m` pays `sum - number * m` over the largest number of a cluster, which lies
/// between `-m` and `1 - m` as a single value's does. So clusters of one value, and clusters that repeat one value equally
/// often, have the interval of [`betting_interval`] over those values. The mean is that of a value drawn from the
/// clusters' population, where the largest cluster's size bounds all sizes.
///
/// # Errors
/// [`Error::Empty`] without clusters or for one without values, [`Error::OutOfRange`] if a cluster's mean is not from 0
/// to 1, or for `alpha`.
///
/// Source: as [`betting_interval`], on cluster totals as in the ratio estimator of section 4.3; the scaling is ours.
pub fn betting_interval_over(clusters: &[(f64, u64)], alpha: f64) -> Result<Estimate, Error> {
    check_open("alpha", alpha)?;
    let grouped = grouped(clusters)?;
    let (sum, n) = grouped.iter().fold((0.0, 0.0), |(sum, n), each| {
        (sum + each.sum * each.times, n + each.n * each.times)
    });
    let mean = (sum / n).clamp(0.0, 1.0);
    // Wealth is convex in the candidate, and at most 1 at the mean: the kept ones are an interval around it.
    let most = -alpha.ln();
    let kept = |candidate: f64| ln_wealth(&grouped, candidate) < most;
    let lower = boundary(mean, 0.0, kept);
    let upper = boundary(mean, 1.0, kept);
    Estimate::new(
        mean,
        (lower, upper),
        1.0 - alpha,
        clusters.len() as u64,
        Method::Betting,
    )
}

fn singles(values: &[f64]) -> Vec<(f64, u64)> {
    values.iter().map(|&value| (value, 1)).collect()
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
    Ok((-ln_wealth(&grouped(&singles(values))?, mean))
        .exp()
        .min(1.0))
}

/// Clusters that are alike: sum and number over the largest number of any cluster, and how often they occur.
struct Alike {
    sum: f64,
    n: f64,
    times: f64,
}

/// Distinct clusters with how often each occurs: flips are mostly 0 and 1, and a logarithm per value is all the cost.
fn grouped(clusters: &[(f64, u64)]) -> Result<Vec<Alike>, Error> {
    let Some(most) = clusters.iter().map(|(_, n)| *n).max() else {
        return Err(Error::Empty { what: "values" });
    };
    for &(sum, n) in clusters {
        if n == 0 {
            return Err(Error::Empty { what: "cluster" });
        }
        // Sums of a cluster's values may be rounded a little beyond their number.
        let mean = sum / real(n);
        if !(n > 1 && mean > 1.0 && mean < 1.0 + 1e-9) {
            check_unit("values", mean)?;
        }
    }
    let mut sorted = clusters.to_vec();
    sorted.sort_by(|(a, n), (b, m)| a.total_cmp(b).then(n.cmp(m)));
    let (mut groups, mut last): (Vec<Alike>, Option<(f64, u64)>) = (Vec::new(), None);
    let most = real(most);
    for (sum, n) in sorted {
        match groups.last_mut() {
            Some(known) if last.is_some_and(|(s, m)| sum <= s && n == m) => known.times += 1.0,
            _ => groups.push(Alike {
                sum: sum.min(real(n)) / most,
                n: real(n) / most,
                times: 1.0,
            }),
        }
        last = Some((sum, n));
    }
    Ok(groups)
}

/// Logarithm of the mean wealth over all bets against a candidate strictly between 0 and 1.
fn ln_wealth(groups: &[Alike], candidate: f64) -> f64 {
    let mut logs = Vec::with_capacity(2 * BETS as usize);
    for bet in 1..=BETS {
        let share = f64::from(bet) / f64::from(BETS + 1);
        for stake in [share / candidate, -share / (1.0 - candidate)] {
            let log: f64 = groups
                .iter()
                .map(|each| each.times * (stake * (each.sum - each.n * candidate)).ln_1p())
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
    fn clusters_that_repeat_one_value_have_the_interval_of_their_values() {
        let values = [0.0, 0.5, 1.0, 0.0, 0.25, 0.0, 0.0, 1.0];
        let alone = betting_interval(&values, 0.05).unwrap();
        let three = values.map(|value| (3.0 * value, 3));
        let found = betting_interval_over(&three, 0.05).unwrap();
        assert!((alone.value - found.value).abs() < 1e-12);
        assert!((alone.lower - found.lower).abs() < 1e-9, "{found:?}");
        assert!((alone.upper - found.upper).abs() < 1e-9, "{found:?}");
        // One cluster of two and two of one: the mean is that of the four values, and sizes that differ cost width.
        let mixed = betting_interval_over(&[(1.0, 2), (0.0, 1), (1.0, 1)], 0.05).unwrap();
        assert!((mixed.value - 0.5).abs() < 1e-12 && mixed.covers(0.5));
        assert!(betting_interval_over(&[(1.5, 1)], 0.05).is_err());
        assert!(betting_interval_over(&[(0.0, 0)], 0.05).is_err());
        assert!(betting_interval_over(&[], 0.05).is_err());
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
