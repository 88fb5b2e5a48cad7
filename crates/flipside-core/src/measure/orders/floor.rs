//! The flip rate of every pair of orders.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::Case;
use crate::measure::line::Tally;
use crate::measure::orders::{CaseOrders, LISTED, View};
use crate::measure::pair::{PairOutcome, Said, pair};
use crate::measure::units::share_interval;
use crate::stats::{calibration, order_set};
use crate::summary::{NoiseFloor, OrderPair, PublishedPair};

/// The flip rates of all pairs of orders, by number of options.
pub(super) fn noise_floors(view: &View<'_>) -> Vec<NoiseFloor> {
    let mut by_options: BTreeMap<usize, Vec<&CaseOrders<'_>>> = BTreeMap::new();
    for case in &view.cases {
        by_options.entry(case.options()).or_default().push(case);
    }
    let floor =
        |(options, cases): (usize, Vec<&CaseOrders<'_>>)| noise_floor(view, options, &cases);
    by_options.into_iter().map(floor).collect()
}

fn noise_floor(view: &View<'_>, options: usize, cases: &[&CaseOrders<'_>]) -> NoiseFloor {
    let orders: BTreeSet<usize> = cases
        .iter()
        .flat_map(|case| case.asks.iter().map(|ask| ask.variant))
        .collect();
    let orders: Vec<usize> = orders.into_iter().collect();
    let said: Vec<Vec<Option<Said>>> = cases
        .iter()
        .map(|case| {
            let of = |order: &usize| case.ask(*order).map(|ask| ask.said);
            orders.iter().map(of).collect()
        })
        .collect();
    let ceiling = !view.several_accepted();
    let mut pairs = Vec::new();
    for first in 0..orders.len() {
        for second in first + 1..orders.len() {
            let outcomes = cases.iter().zip(&said).filter_map(|(case, said)| {
                let (first, second) = said[first].zip(said[second])?;
                Some((case.case, pair(first, second)))
            });
            let names = [first, second].map(|place| view.name(orders[place]));
            pairs.push(order_pair(view, names, outcomes, ceiling));
        }
    }
    let rated: Vec<(usize, f64)> = pairs
        .iter()
        .enumerate()
        .filter_map(|(place, pair)| Some((place, pair.rate?)))
        .collect();
    let rates: Vec<f64> = rated.iter().map(|(_, rate)| *rate).collect();
    // The first pair is the own order against the first other one.
    let published = rated.iter().position(|(place, _)| *place == 0);
    let found = order_set::noise_of_rates(&rates, published.unwrap_or(0)).ok();
    let listed = orders.len() <= LISTED;
    let left_out = if listed { 0 } else { pairs.len() as u64 };
    NoiseFloor {
        options: options as u64,
        cases: cases.len() as u64,
        drawn_per_case: orders
            .iter()
            .filter(|order| view.drawn(**order))
            .map(|order| view.name(*order).to_owned())
            .collect(),
        orders: orders
            .iter()
            .map(|order| view.name(*order).to_owned())
            .collect(),
        order_pairs: rates.len() as u64,
        order_pairs_without_rate: (pairs.len() - rates.len()) as u64,
        mean: found.map(|found| found.mean),
        sd: found.map(|found| found.sd),
        range: found.map(|found| [found.smallest, found.largest]),
        published: published.zip(found).map(|(place, found)| PublishedPair {
            first: pairs[0].first.clone(),
            second: pairs[0].second.clone(),
            rate: rates[place],
            pairs_below: found.below_published,
        }),
        position_picker: order_set::picker_flip_rate(options as u64).ok(),
        random_answerer: order_set::random_flip_rate(options as u64).ok(),
        pairs: if listed { pairs } else { Vec::new() },
        pairs_left_out: left_out,
        reason: found
            .is_none()
            .then(|| "no case has a decided answer under two orders".to_owned()),
    }
}

fn order_pair<'c>(
    view: &View<'_>,
    [first, second]: [&str; 2],
    outcomes: impl Iterator<Item = (&'c Case, PairOutcome)> + Clone,
    ceiling: bool,
) -> OrderPair {
    let mut tally = Tally::default();
    outcomes.clone().for_each(|(_, outcome)| tally.add(outcome));
    let compared = outcomes.filter_map(|(case, outcome)| match outcome {
        PairOutcome::Flip { .. } => Some((case, true)),
        PairOutcome::Same => Some((case, false)),
        _ => None,
    });
    #[expect(clippy::cast_precision_loss, reason = "case counts are far below 2^52")]
    let rate = (tally.pairs() > 0).then(|| tally.flips as f64 / tally.pairs() as f64);
    OrderPair {
        first: first.to_owned(),
        second: second.to_owned(),
        flips: tally.flips,
        pairs: tally.pairs(),
        rate,
        interval: share_interval(view.cluster, compared),
        no_decision: tally.no_decision,
        missing: tally.missing + tally.unasked,
        accuracy_ceiling: rate
            .filter(|_| ceiling)
            .and_then(|rate| calibration::two_order_ceiling(rate).ok()),
    }
}
