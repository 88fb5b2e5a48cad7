//! Cases or orders: where the variance of a flip rate is, and what the next asks should buy.

use std::collections::BTreeMap;

use crate::measure::accuracy::LEVEL;
use crate::measure::orders::share::resamples_vary;
use crate::measure::orders::{CaseOrders, View};
use crate::measure::pair::{PairOutcome, pair};
use crate::stats::{cluster, order_set, variance};
use crate::summary::{AskChoice, OrderVariance};

/// A pilot has at least this many cases.
const CASES: u64 = 20;
/// Why clusters have no standard errors of choices.
const CLUSTERED: &str = "no choices: cases of one cluster are not independent, and their standard errors take them to be";
/// And each in at least this many other orders.
const ORDERS: u64 = 3;

/// Variance components of flips against the own order.
pub(super) fn variance(view: &View<'_>) -> OrderVariance {
    let mut by_orders: BTreeMap<usize, Vec<(&CaseOrders<'_>, Vec<f64>)>> = BTreeMap::new();
    for case in &view.cases {
        if let Some(flips) = flips(case) {
            by_orders
                .entry(flips.len())
                .or_default()
                .push((case, flips));
        }
    }
    // The largest table; of equal ones the one with more orders.
    let table = by_orders.into_iter().max_by_key(|(_, rows)| rows.len());
    let (orders, rows) = table.unwrap_or_default();
    let every = |case: &CaseOrders<'_>| {
        order_set::other_orders(case.options()).is_some_and(|others| others == orders as u64)
    };
    let all_orders = !rows.is_empty() && rows.iter().all(|(case, _)| every(case));
    let (cases, orders) = (rows.len() as u64, orders as u64);
    let mut found = OrderVariance {
        cases,
        other_orders: (cases > 0).then_some(orders),
        left_out: view.cases.len() as u64 - cases,
        all_orders,
        flip_rate: None,
        between: None,
        within: None,
        rho: None,
        rho_interval: None,
        seed: None,
        best_orders: None,
        choices: Vec::new(),
        reason: None,
    };
    if cases < CASES || orders < ORDERS {
        found.reason = Some(format!(
            "needs {CASES} cases compared in {ORDERS} other orders: {cases} in {orders}"
        ));
        return found;
    }
    // Rows that flip equally often are alike to every figure here.
    let sum = |row: &[f64]| row.iter().sum::<f64>();
    let units = rows.into_iter().map(|(case, row)| (case.case, row));
    let units = view.units(units, |a, b| sum(a).total_cmp(&sum(b)));
    let rows: Vec<Vec<f64>> = units.iter().flatten().cloned().collect();
    let Ok(parts) = variance::components(&rows) else {
        found.reason = Some("the flips make no table".to_owned());
        return found;
    };
    found.flip_rate = Some(parts.mean);
    found.between = Some(parts.between);
    found.within = Some(parts.within);
    found.rho = parts.rho;
    found.best_orders = parts.best_orders;
    if parts.rho.is_none() {
        found.reason = Some("all pairs say the same, so that nothing varies".to_owned());
        return found;
    }
    let sums = |unit: &Vec<Vec<f64>>| unit.iter().map(|row| sum(row)).collect();
    let sums: Vec<Vec<f64>> = units.iter().map(sums).collect();
    if resamples_vary(&sums) {
        found.rho_interval = rho_interval(&units, view);
        found.seed = found.rho_interval.map(|_| view.seed);
    }
    if view.cluster.is_some() {
        found.reason = Some(CLUSTERED.to_owned());
    } else {
        found.choices = choices(parts.between, parts.within, cases, orders, all_orders);
    }
    found
}

/// Whether each other order flips the case; `None` if some pair was not compared.
fn flips(case: &CaseOrders<'_>) -> Option<Vec<f64>> {
    let own = case.asks[0].said;
    let of = |outcome| match outcome {
        PairOutcome::Flip { .. } => Some(1.0),
        PairOutcome::Same => Some(0.0),
        PairOutcome::Missing | PairOutcome::Unasked | PairOutcome::NoDecision => None,
    };
    let others = case.asks[1..].iter();
    others.map(|ask| of(pair(own, ask.said))).collect()
}

fn rho_interval(units: &[Vec<Vec<f64>>], view: &View<'_>) -> Option<[f64; 2]> {
    let mut stream = view.stream("rho");
    let mut resample: Vec<&[f64]> = Vec::new();
    let statistic = |chosen: &[usize]| {
        resample.clear();
        resample.extend(
            chosen
                .iter()
                .flat_map(|&place| units[place].iter().map(Vec::as_slice)),
        );
        variance::components(&resample).ok()?.rho
    };
    let draws = cluster::affordable(units.len());
    let found = cluster::bootstrap(units.len(), draws, LEVEL, &mut stream, statistic);
    let estimate = found.ok().flatten()?.estimate;
    Some([estimate.lower, estimate.upper])
}

/// What this run's asks buy in two orders per case, and in all that it asked.
///
/// A case asked in every order has a known rate: nothing within it is left to chance.
pub(super) fn choices(
    between: f64,
    within: f64,
    cases: u64,
    other_orders: u64,
    all_orders: bool,
) -> Vec<AskChoice> {
    let asks = cases * (other_orders + 1);
    #[expect(clippy::cast_precision_loss, reason = "case counts are far below 2^52")]
    let choice = |orders: u64, cases: u64, within: f64| AskChoice {
        cases,
        orders,
        asks: cases * orders,
        standard_error: ((between + within / (orders - 1) as f64) / cases as f64).sqrt(),
    };
    let left = if all_orders { 0.0 } else { within };
    vec![
        choice(2, asks / 2, within),
        choice(other_orders + 1, cases, left),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_of_40_cases_in_all_six_orders_buy_what_the_published_sweep_says() {
        // The statistics page, 13: D 0.112, rho 0.48, 240 asks.
        let (rate, rho) = (0.112, 0.48);
        let spread = rate * (1.0 - rate);
        let found = choices(spread * rho, spread * (1.0 - rho), 40, 5, true);
        let texts: Vec<String> = found
            .iter()
            .map(|choice| {
                let AskChoice {
                    cases,
                    orders,
                    asks,
                    standard_error,
                } = choice;
                format!("{asks} asks: {cases} cases x {orders} orders se {standard_error:.4}")
            })
            .collect();
        assert_eq!(
            texts,
            [
                "240 asks: 120 cases x 2 orders se 0.0288",
                "240 asks: 40 cases x 6 orders se 0.0345"
            ]
        );
        let one_pair = choices(spread * rho, spread * (1.0 - rho), 40, 1, false);
        assert!((one_pair[1].standard_error - 0.0499).abs() < 1e-4);
    }
}
