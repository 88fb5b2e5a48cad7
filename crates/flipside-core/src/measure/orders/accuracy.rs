//! What orders do to accuracy, on labelled cases.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::Case;
use crate::measure::accuracy::right;
use crate::measure::orders::share::{Shows, no_share, share};
use crate::measure::orders::spread::{part, spread};
use crate::measure::orders::{CaseOrders, View, range, spoken};
use crate::measure::pair::Said;
use crate::order::Order;
use crate::stats::spread::min_consistency_accuracy;
use crate::summary::{
    CaseShare, Consistency, FormatSpread, OrderAccuracy, OrderShare, Sensitivity,
};

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
    let (circular_accuracy, circular_left_out) = circular(view, &labelled);
    OrderAccuracy {
        format_spread: format_spread(view, &labelled),
        sensitivity: sensitivity(view, &labelled),
        circular_accuracy,
        circular_left_out,
        min_consistency_accuracy: CONSISTENT
            .iter()
            .map(|&at_least| min_consistency(view, &labelled, at_least))
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
    let answered: Vec<(&Case, Vec<bool>)> = labelled
        .iter()
        .filter_map(|case| Some((case.case, of_case(case)?)))
        .collect();
    found.cases = answered.len() as u64;
    found.left_out = labelled.len() as u64 - found.cases;
    let Some(over_orders) = spread(view, &answered, orders.len(), "format_spread") else {
        found.reason = Some("no labelled case was answered in all of them".to_owned());
        return found;
    };
    found.orders = orders
        .iter()
        .enumerate()
        .filter_map(|(place, order)| {
            let rights = answered.iter().map(|(case, of)| (*case, of[place]));
            order_share(view, *order, rights)
        })
        .collect();
    found.value = Some(over_orders.value);
    if let Some(null) = over_orders.null {
        found.shuffled_mean = Some(null.mean);
        found.shuffled_at_least = Some(null.at_least_observed);
        found.shuffles = null.shuffles;
        found.seed = Some(view.seed);
    }
    found
}

fn order_share<'c>(
    view: &View<'_>,
    order: usize,
    rights: impl Iterator<Item = (&'c Case, bool)> + Clone,
) -> Option<OrderShare> {
    let part = part(view, rights)?;
    Some(OrderShare {
        order: view.name(order).to_owned(),
        right: part.count,
        of: part.of,
        rate: part.rate,
        interval: part.interval,
    })
}

fn sensitivity(view: &View<'_>, labelled: &[&CaseOrders<'_>]) -> Sensitivity {
    // Without what is lost, `None`.
    let cases: Vec<(&Case, Option<Vec<bool>>)> = labelled
        .iter()
        .map(|case| (case.case, (!case.lost()).then(|| rights(case))))
        .collect();
    let complete = || cases.iter().filter_map(|(_, rights)| rights.as_ref());
    let left_out = (labelled.len() - complete().count()) as u64;
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
    let Some(orders) = range(complete().map(|rights| rights.len() as u64)) else {
        return none("no labelled case was answered in all its orders");
    };
    if orders.least < orders.most {
        let orders = spoken(orders, "orders");
        return none(&format!(
            "cases were asked in {orders}, and both shares move with their number"
        ));
    }
    let count = |shows: &dyn Fn(&[bool]) -> bool| -> CaseShare {
        let of_case = |rights: &Option<Vec<bool>>| match rights {
            Some(rights) => Shows::from(shows(rights)),
            None => Shows::Unknown,
        };
        let shown = cases.iter().map(|(case, rights)| (*case, of_case(rights)));
        share(view, shown, UNLABELLED)
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
fn circular(view: &View<'_>, labelled: &[&CaseOrders<'_>]) -> (CaseShare, u64) {
    let mut rotations: BTreeMap<usize, Vec<Order>> = BTreeMap::new();
    let (mut shown, mut left_out) = (Vec::with_capacity(labelled.len()), 0);
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
        let shows = rights.map_or(Shows::Unknown, |rights| {
            Shows::from(!rights.contains(&false))
        });
        left_out += u64::from(shows == Shows::Unknown);
        shown.push((case.case, shows));
    }
    let reason = if labelled.is_empty() {
        UNLABELLED
    } else if left_out > 0 {
        "no labelled case was answered in all its rotations"
    } else {
        "no labelled case was asked in all its rotations"
    };
    (share(view, shown, reason), left_out)
}

fn min_consistency(view: &View<'_>, labelled: &[&CaseOrders<'_>], at_least: f64) -> Consistency {
    let answered = labelled.iter().map(|case| (case.case, rights(case)));
    let answered = answered.filter(|(_, rights)| rights.len() > 1);
    let reaches = |rights: &[bool]| {
        // One case, one row per order.
        let rows: Vec<Vec<bool>> = rights.iter().map(|right| vec![*right]).collect();
        min_consistency_accuracy(&rows, at_least).is_ok_and(|share| share > 0.5)
    };
    let shown = answered.map(|(case, rights)| (case, Shows::from(reaches(&rights))));
    let reason = if labelled.is_empty() {
        UNLABELLED
    } else {
        "no labelled case has two answers"
    };
    Consistency {
        at_least,
        share: share(view, shown, reason),
    }
}
