//! Accuracy over labelled orders: its spread, and what any and every order get right.

use super::Error;
use super::draw::Stream;
use super::number::{check_length, check_unit, length, real};

/// Accuracy of the same cases in several orders, labelled alike for all cases.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct OrderSpread {
    /// Share of right cases by order.
    pub accuracy: Vec<f64>,
    /// Largest minus smallest of them. Noise alone makes it positive.
    pub format_spread: f64,
    /// Mean of them: order-averaged accuracy.
    pub mean_accuracy: f64,
    /// Share of cases right in at least one order.
    pub any_right: f64,
    /// Share of cases right in every order; over all rotations, circular accuracy.
    pub every_right: f64,
    /// Their difference; grows with the number of orders.
    pub sensitivity_gap: f64,
}

/// Spread of accuracy; `right` has one row per order and one entry per case.
///
/// # Errors
/// [`Error::Empty`] without orders or cases, [`Error::Length`] for ragged rows.
///
/// Source: Sclar et al. 2023, Pezeshkpour & Hruschka 2023, section 11 of the statistics page (golden `spread`).
pub fn order_spread(right: &[Vec<bool>]) -> Result<OrderSpread, Error> {
    let cases = check_orders(right)?;
    let accuracy = accuracies(right);
    let hits = hits_by_case(right, cases);
    let n = length(cases);
    let share = |count: usize| length(count) / n;
    let any_right = share(hits.iter().filter(|&&hits| hits > 0).count());
    let every_right = share(hits.iter().filter(|&&hits| hits == right.len()).count());
    Ok(OrderSpread {
        format_spread: range(&accuracy),
        mean_accuracy: accuracy.iter().sum::<f64>() / length(accuracy.len()),
        accuracy,
        any_right,
        every_right,
        sensitivity_gap: any_right - every_right,
    })
}

/// Share of cases right in at least a share `least` of the orders.
///
/// `least` from 0 to 1; shares within 1e-9 of it count as reaching it, so that two of three reach 0.6667.
///
/// # Errors
/// As [`order_spread`]; [`Error::OutOfRange`] for `least`.
///
/// Source: Cavalin et al. 2025, section 11 of the statistics page (golden `spread`).
pub fn min_consistency_accuracy(right: &[Vec<bool>], least: f64) -> Result<f64, Error> {
    let cases = check_orders(right)?;
    check_unit("least", least)?;
    let needed = least * length(right.len()) - 1e-9;
    let reaching = hits_by_case(right, cases)
        .iter()
        .filter(|&&hits| length(hits) >= needed)
        .count();
    Ok(length(reaching) / length(cases))
}

/// What spread noise alone gives.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct SpreadNull {
    /// Mean spread when the order labels are shuffled within each case.
    pub mean: f64,
    /// Share of shuffles with at least the observed spread.
    pub at_least_observed: f64,
    /// Shuffles.
    pub shuffles: u32,
}

/// Spread under `shuffles` shuffles of the order labels within each case; the page asks for 200.
///
/// # Errors
/// As [`order_spread`]; [`Error::TooFew`] without shuffles.
///
/// Source: section 11 of the statistics page.
pub fn spread_null(
    right: &[Vec<bool>],
    shuffles: u32,
    stream: &mut Stream,
) -> Result<SpreadNull, Error> {
    let sizes = vec![1; check_orders(right)?];
    spread_null_over(right, &sizes, shuffles, stream)
}

/// The most clusters that are shuffled whether or not that moves anything.
const MOST_SHUFFLED: usize = 5_000;

/// The same with one shuffle for all cases of a cluster, which depend on each other: `sizes` says how many cases, one after
/// the other, each cluster has.
///
/// # Errors
/// As [`spread_null`]; [`Error::Length`] if the sizes do not add up to the cases.
///
/// Source: as [`spread_null`]; where orders do nothing, their labels may change places in whole clusters at once.
pub fn spread_null_over(
    right: &[Vec<bool>],
    sizes: &[usize],
    shuffles: u32,
    stream: &mut Stream,
) -> Result<SpreadNull, Error> {
    let cases = check_orders(right)?;
    check_length("sizes", sizes.iter().sum(), cases)?;
    if shuffles == 0 {
        return Err(Error::TooFew {
            what: "shuffles",
            found: 0,
            least: 1,
        });
    }
    let observed = range(&accuracies(right));
    // Right answers of each cluster by order: a shuffle of labels moves these numbers.
    let mut next = 0;
    let mut hits: Vec<Vec<u32>> = Vec::with_capacity(sizes.len());
    for &size in sizes {
        let of_cluster = next..next + size;
        let of_order = |row: &Vec<bool>| {
            let of_cluster = row[of_cluster.clone()].iter();
            of_cluster.map(|right| u32::from(*right)).sum()
        };
        hits.push(right.iter().map(of_order).collect());
        next += size;
    }
    let n = length(cases);
    // A cluster that has as many in every order adds as much to each, however it is shuffled, and moves no range.
    if hits.len() > MOST_SHUFFLED {
        hits.retain(|of_cluster| of_cluster.iter().any(|hits| *hits != of_cluster[0]));
    }
    let (mut sum, mut reaching) = (0.0, 0_u32);
    for _ in 0..shuffles {
        let mut by_order = vec![0_u64; right.len()];
        for of_cluster in &mut hits {
            stream.shuffle(of_cluster);
            for (sum, hits) in by_order.iter_mut().zip(of_cluster.iter()) {
                *sum += u64::from(*hits);
            }
        }
        let accuracies: Vec<f64> = by_order.into_iter().map(|hits| real(hits) / n).collect();
        let spread = range(&accuracies);
        sum += spread;
        if spread >= observed - 1e-12 {
            reaching += 1;
        }
    }
    let count = f64::from(shuffles);
    Ok(SpreadNull {
        mean: sum / count,
        at_least_observed: f64::from(reaching) / count,
        shuffles,
    })
}

fn check_orders(right: &[Vec<bool>]) -> Result<usize, Error> {
    let Some(first) = right.first() else {
        return Err(Error::Empty { what: "orders" });
    };
    if first.is_empty() {
        return Err(Error::Empty { what: "cases" });
    }
    for row in right {
        check_length("row", row.len(), first.len())?;
    }
    Ok(first.len())
}

fn accuracies(right: &[Vec<bool>]) -> Vec<f64> {
    right
        .iter()
        .map(|row| length(row.iter().filter(|&&right| right).count()) / length(row.len()))
        .collect()
}

fn hits_by_case(right: &[Vec<bool>], cases: usize) -> Vec<usize> {
    (0..cases)
        .map(|case| right.iter().filter(|row| row[case]).count())
        .collect()
}

fn range(values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    high - low
}
