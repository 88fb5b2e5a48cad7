//! What orders do to accuracy, on labelled cases.

use std::collections::{BTreeMap, BTreeSet};

use crate::measure::accuracy::{LEVEL, right};
use crate::measure::orders::share::{no_share, share};
use crate::measure::orders::{CaseOrders, View, range, spoken};
use crate::measure::pair::Said;
use crate::order::Order;
use crate::stats::{proportion, spread};
use crate::summary::{
    CaseShare, Consistency, FormatSpread, OrderAccuracy, OrderShare, Sensitivity,
};

/// Shuffles of the orders within each case.
const SHUFFLES: u32 = 200;
/// Shares of answers that have to be right for a case to count as consistent.
const CONSISTENT: [f64; 3] = [0.5, 0.8, 1.0];
const UNLABELLED: &str = "no case asked in several orders says which options are right";

/// Accuracy over orders of the cases of `view`.
pub(super) fn accuracy(view: &View<'_>) -> OrderAccuracy {
    let labelled: Vec<&CaseOrders<'_>> = view
        .cases
        .iter()
        .filter(|case| case.case.is_labelled())
        .collect();
    let (circular_accuracy, circular_left_out) = circular(&labelled, view.alpha);
    OrderAccuracy {
        format_spread: format_spread(view, &labelled),
        sensitivity: sensitivity(&labelled, view.alpha),
        circular_accuracy,
        circular_left_out,
        min_consistency_accuracy: CONSISTENT
            .iter()
            .map(|&at_least| min_consistency(&labelled, at_least, view.alpha))
            .collect(),
    }
}

/// Whether each answer of a case is accepted, missing ones left out.
fn rights(case: &CaseOrders<'_>) -> Vec<bool> {
    let asks = case.asks.iter();
    asks.filter_map(|ask| right(case.case, ask.said)).collect()
}

/// Orders that all of `cases` were to be asked in and that mean one thing for all of them.
fn alike(view: &View<'_>, cases: &[&CaseOrders<'_>]) -> Vec<usize> {
    let options: BTreeSet<usize> = cases.iter().map(|case| case.options()).collect();
    // The third of all orders is another thing for three options than for four; the reverse is the reverse for both.
    let any_size = |name: &str| name == "own" || name == "reverse" || name.starts_with("rotate:");
    let one_thing = |variant: &usize| {
        (options.len() < 2 || any_size(view.name(*variant))) && !view.drawn(*variant)
    };
    let everywhere = |variant: &usize| cases.iter().all(|case| case.ask(*variant).is_some());
    (0..view.variants.len())
        .filter(|variant| everywhere(variant) && one_thing(variant))
        .collect()
}

fn format_spread(view: &View<'_>, labelled: &[&CaseOrders<'_>]) -> FormatSpread {
    let mut found = FormatSpread {
        orders: Vec::new(),
        cases: 0,
        left_out: 0,
        value: None,
        shuffled_mean: None,
        shuffled_at_least: None,
        shuffles: 0,
        seed: None,
        reason: None,
    };
    if labelled.is_empty() {
        found.reason = Some(UNLABELLED.to_owned());
        return found;
    }
    let orders = alike(view, labelled);
    if orders.len() < 2 {
        found.reason = Some("no other order means one thing for all labelled cases".to_owned());
        return found;
    }
    let of_case = |case: &&CaseOrders<'_>| -> Option<Vec<bool>> {
        let of = |order: &usize| right(case.case, case.ask(*order)?.said);
        orders.iter().map(of).collect()
    };
    let mut columns: Vec<Vec<bool>> = labelled.iter().filter_map(of_case).collect();
    // The same shuffles whatever order the cases stand in.
    columns.sort_unstable();
    found.cases = columns.len() as u64;
    found.left_out = labelled.len() as u64 - found.cases;
    let rows: Vec<Vec<bool>> = (0..orders.len())
        .map(|order| columns.iter().map(|column| column[order]).collect())
        .collect();
    let Ok(over_orders) = spread::order_spread(&rows) else {
        found.reason = Some("no labelled case was answered in all of them".to_owned());
        return found;
    };
    found.orders = orders
        .iter()
        .zip(&rows)
        .filter_map(|(order, row)| order_share(view.name(*order), row))
        .collect();
    found.value = Some(over_orders.format_spread);
    let mut stream = view.stream("format_spread");
    if let Ok(null) = spread::spread_null(&rows, SHUFFLES, &mut stream) {
        found.shuffled_mean = Some(null.mean);
        found.shuffled_at_least = Some(null.at_least_observed);
        found.shuffles = null.shuffles;
        found.seed = Some(view.seed);
    }
    found
}

fn order_share(order: &str, row: &[bool]) -> Option<OrderShare> {
    let right = row.iter().filter(|right| **right).count() as u64;
    let share = proportion::wilson(right, row.len() as u64, LEVEL).ok()?;
    Some(OrderShare {
        order: order.to_owned(),
        right,
        of: row.len() as u64,
        rate: share.value,
        interval: [share.lower, share.upper],
    })
}

fn sensitivity(labelled: &[&CaseOrders<'_>], alpha: f64) -> Sensitivity {
    let complete: Vec<Vec<bool>> = labelled
        .iter()
        .filter(|case| !case.lost())
        .map(|case| rights(case))
        .collect();
    let left_out = (labelled.len() - complete.len()) as u64;
    let none = |reason: &str| Sensitivity {
        orders: None,
        left_out,
        any_right: no_share(reason),
        every_right: no_share(reason),
        gap: no_share(reason),
    };
    if labelled.is_empty() {
        return none(UNLABELLED);
    }
    let Some(orders) = range(complete.iter().map(|rights| rights.len() as u64)) else {
        return none("no labelled case was answered in all its orders");
    };
    if orders.least < orders.most {
        let orders = spoken(orders, "orders");
        return none(&format!(
            "cases were asked in {orders}, and both shares move with their number"
        ));
    }
    let of = complete.len() as u64;
    let count = |shows: &dyn Fn(&[bool]) -> bool| -> CaseShare {
        let count = complete.iter().filter(|rights| shows(rights)).count() as u64;
        share(count, of, left_out, alpha, UNLABELLED)
    };
    let any = |rights: &[bool]| rights.contains(&true);
    let every = |rights: &[bool]| !rights.contains(&false);
    Sensitivity {
        orders: Some(orders.most),
        left_out,
        any_right: count(&any),
        every_right: count(&every),
        gap: count(&|rights| any(rights) && !every(rights)),
    }
}

/// Cases right in every rotation, and how many are left out because an answer is lost.
fn circular(labelled: &[&CaseOrders<'_>], alpha: f64) -> (CaseShare, u64) {
    let mut rotations: BTreeMap<usize, Vec<Order>> = BTreeMap::new();
    let (mut count, mut of, mut left_out) = (0, 0, 0);
    for case in labelled {
        let options = case.options();
        let rotations = rotations
            .entry(options)
            .or_insert_with(|| (0..options).map(|by| Order::rotate(options, by)).collect());
        let said = |order: &Order| {
            let ask = case.asks.iter().find(|ask| ask.order == order);
            ask.map(|ask| ask.said)
        };
        let Some(said) = rotations.iter().map(said).collect::<Option<Vec<Said>>>() else {
            continue;
        };
        let rights: Option<Vec<bool>> = said.iter().map(|said| right(case.case, *said)).collect();
        match rights {
            Some(rights) => {
                of += 1;
                count += u64::from(!rights.contains(&false));
            }
            None => left_out += 1,
        }
    }
    let reason = if labelled.is_empty() {
        UNLABELLED
    } else if left_out > 0 {
        "no labelled case was answered in all its rotations"
    } else {
        "no labelled case was asked in all its rotations"
    };
    (share(count, of, left_out, alpha, reason), left_out)
}

fn min_consistency(labelled: &[&CaseOrders<'_>], at_least: f64, alpha: f64) -> Consistency {
    let answered = labelled.iter().map(|case| rights(case));
    let answered: Vec<Vec<bool>> = answered.filter(|rights| rights.len() > 1).collect();
    let reaches = |rights: &&Vec<bool>| {
        // One case, one row per order.
        let rows: Vec<Vec<bool>> = rights.iter().map(|right| vec![*right]).collect();
        spread::min_consistency_accuracy(&rows, at_least).is_ok_and(|share| share > 0.5)
    };
    let count = answered.iter().filter(reaches).count() as u64;
    let reason = if labelled.is_empty() {
        UNLABELLED
    } else {
        "no labelled case has two answers"
    };
    Consistency {
        at_least,
        share: share(count, answered.len() as u64, 0, alpha, reason),
    }
}
