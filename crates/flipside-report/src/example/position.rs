//! Position preference, counted as simply as possible: the orders of these runs never make a balanced set.

use std::collections::BTreeMap;

use flipside_core::perturb::Axis;
use flipside_core::summary::{
    AskSummary, CaseSummary, PlaceCell, PositionDesign, PositionPairs, PositionPreference,
    PositionRecall, PositionSummary, PositionTest, Unseen,
};

use indexmap::IndexMap;

use super::bounds::mcnemar;

/// Positions of the answers of `cases`; none without another order.
pub(super) fn position(cases: &[CaseSummary]) -> Option<PositionSummary> {
    let mut groups: BTreeMap<usize, Vec<&CaseSummary>> = BTreeMap::new();
    for case in cases {
        if case.asks.iter().any(|ask| ask.axis == Axis::Order) {
            groups.entry(case.keys.len()).or_default().push(case);
        }
    }
    let by_options: Vec<_> = groups
        .into_iter()
        .map(|(k, cases)| preference(k, &cases))
        .collect();
    (!by_options.is_empty()).then_some(PositionSummary {
        primacy: None,
        recency: None,
        by_options,
        by_order: IndexMap::new(),
    })
}

fn place(ask: &AskSummary) -> Option<usize> {
    Some(ask.order.position_of(ask.choice?)?.index())
}

fn preference(options: usize, cases: &[&CaseSummary]) -> PositionPreference {
    let asks = || {
        cases
            .iter()
            .flat_map(|case| &case.asks)
            .filter(|ask| matches!(ask.axis, Axis::Baseline | Axis::Order))
    };
    let count = |at: usize| asks().filter(|ask| place(ask) == Some(at)).count() as u64;
    let chosen: Vec<u64> = (0..options).map(count).collect();
    let names = || {
        asks()
            .filter(|ask| ask.axis == Axis::Order)
            .map(|ask| &*ask.variant)
    };
    let both = |end: usize| {
        let stays = |case: &&&CaseSummary| {
            let of = |name: &str| {
                case.asks
                    .iter()
                    .find(|ask| *ask.variant == *name)
                    .and_then(place)
            };
            of("own") == Some(end) && of("reverse") == Some(end)
        };
        cases.iter().filter(stays).count() as u64
    };
    let (first, last) = (both(0), both(options - 1));
    let pairs = names()
        .any(|name| name == "reverse")
        .then(|| PositionPairs {
            pairs: cases.len() as u64,
            flips: first + last,
            first_both: first,
            last_both: last,
            index: (first + last > 0).then(|| (first as f64 - last as f64) / (first + last) as f64),
            p: (first + last > 0).then(|| mcnemar(first, last)),
            clusters: None,
            blind_to_symmetric: options > 2,
        });
    let p = pairs.as_ref().and_then(|pairs| pairs.p);
    let end = u16::try_from(if first > last { 0 } else { options - 1 }).unwrap();
    PositionPreference {
        options: options as u64,
        cases: cases.len() as u64,
        asks: asks().count() as u64,
        answers: chosen.iter().sum(),
        no_decision: 0,
        missing: asks().filter(|ask| ask.failed.is_some()).count() as u64,
        grid: grid(options, cases),
        never_chosen: Vec::new(),
        chosen,
        design: PositionDesign::Other,
        shares: Vec::new(),
        uniformity: None,
        balanced: None,
        reverse_pairs: pairs,
        reason: Some("the orders mix content and position".to_owned()),
        p,
        p_of: p.map(|_| PositionTest::ReversePairs),
        p_adjusted: p,
        preferred: p.filter(|p| *p < 0.05).map(|_| end).into_iter().collect(),
        recall: unlabelled(),
        recall_all_orders: unlabelled(),
        constant_position_flip_rate: {
            let orders: f64 = (1..=options).map(|n| n as f64).product();
            1.0 - (orders / options as f64 - 1.0) / (orders - 1.0)
        },
        random_flip_rate: 1.0 - 1.0 / options as f64,
        unseen: Unseen {
            symmetric: options > 2 && names().all(|name| name == "reverse"),
            neighbours: options > 2 && names().all(|name| name.starts_with("rotate")),
            fixed_positions: Vec::new(),
        },
    }
}

/// Every option in every position where it was shown.
fn grid(options: usize, cases: &[&CaseSummary]) -> Vec<PlaceCell> {
    let mut cells = Vec::new();
    let asks = cases.iter().flat_map(|case| &case.asks);
    let asks: Vec<&AskSummary> = asks
        .filter(|ask| matches!(ask.axis, Axis::Baseline | Axis::Order) && ask.choice.is_some())
        .collect();
    for (position, option) in (0..options).flat_map(|p| (0..options).map(move |o| (p, o))) {
        let here = asks
            .iter()
            .filter(|ask| ask.order.identities()[position].index() == option);
        let shown = here.clone().count() as u64;
        if shown > 0 {
            cells.push(PlaceCell {
                position: u16::try_from(position).unwrap(),
                option: u16::try_from(option).unwrap(),
                shown,
                chosen: here.filter(|ask| place(ask) == Some(position)).count() as u64,
            });
        }
    }
    cells
}

fn unlabelled() -> PositionRecall {
    PositionRecall {
        cases: 0,
        answers: 0,
        no_decision: 0,
        several_accepted: 0,
        table: Vec::new(),
        recalls: Vec::new(),
        recall_intervals: Vec::new(),
        left_out: Vec::new(),
        rstd_percent: None,
        rstd_corrected_percent: None,
        rstd_interval_percent: None,
        rstd_draws: None,
        chi_square: None,
        df: None,
        p: None,
        reason: Some("no case says which options are right".to_owned()),
    }
}
