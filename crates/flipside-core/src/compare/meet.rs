//! Which order of a case in one answer set is which in the other.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::answers::{CaseAnswers, RecordedAsk};
use super::matching::{Both, MatchedCase, MatchedOrder, Side};
use crate::order::Order;
use crate::perturb::Axis;

pub(super) fn others(answers: &CaseAnswers) -> impl Iterator<Item = &RecordedAsk> {
    let other = |ask: &&RecordedAsk| ask.variant.axis == Axis::Order && !ask.order.is_own();
    answers.asks.iter().filter(other)
}

pub(super) fn own(answers: &CaseAnswers) -> Option<&RecordedAsk> {
    let own = |ask: &&RecordedAsk| ask.variant.axis == Axis::Baseline;
    answers.asks.iter().find(own)
}

/// What a recorded ask is, given the own order's.
pub(super) fn side<'a>(ask: &'a RecordedAsk, own: Option<&RecordedAsk>) -> Side<'a> {
    let Some(answer) = ask.answer() else {
        return Side::Failed;
    };
    let served = own.and_then(|own| own.answer()?.served_model.as_deref());
    match (served, answer.served_model.as_deref()) {
        (Some(own), Some(now)) if own != now => Side::OtherVersion,
        _ => Side::Answered(answer),
    }
}

pub(super) fn missing(complete: bool) -> Side<'static> {
    if complete {
        Side::Absent
    } else {
        Side::Unasked
    }
}

/// The other orders of a case: by order, the first ask in it and every name that it was asked under.
type ByOrder<'a> = BTreeMap<&'a Order, (&'a RecordedAsk, Vec<&'a str>)>;

fn by_order(answers: &CaseAnswers) -> ByOrder<'_> {
    let mut found: ByOrder<'_> = BTreeMap::new();
    for ask in others(answers) {
        let entry = found.entry(&ask.order).or_insert((ask, Vec::new()));
        // Of several asks in one order, a valid answer speaks for it.
        if entry.0.answer().is_none() && ask.answer().is_some() {
            entry.0 = ask;
        }
        entry.1.push(&ask.variant.name);
    }
    found
}

pub(super) fn matched_case<'a>(
    first: &'a CaseAnswers,
    second: &'a CaseAnswers,
    complete: [bool; 2],
    asked: &[IndexSet<String>; 2],
) -> MatchedCase<'a> {
    let owns = [own(first), own(second)];
    let own_side = |place: usize| match owns[place] {
        Some(ask) => side(ask, None),
        None => missing(complete[place]),
    };
    let orders = [by_order(first), by_order(second)];
    // An order of `place`, with what the other side is in it.
    let entry = |place: usize, order: &Order, (ask, names): &(&'a RecordedAsk, Vec<&str>)| {
        let mine = side(ask, owns[place]);
        let other = 1 - place;
        let (names, theirs, other_order) = if let Some((ask, others)) = orders[other].get(order) {
            (labels(names, others), side(ask, owns[other]), false)
        } else {
            alone(names, &orders[other], complete[other], &asked[other])
        };
        let (baseline, variant) = if place == 0 {
            (mine, theirs)
        } else {
            (theirs, mine)
        };
        MatchedOrder {
            names,
            both: Both { baseline, variant },
            other_order,
        }
    };
    let only_second = orders[1]
        .iter()
        .filter(|(order, _)| !orders[0].contains_key(*order));
    let mut found: Vec<MatchedOrder<'a>> = orders[0]
        .iter()
        .map(|(order, asked)| entry(0, order, asked))
        .chain(only_second.map(|(order, asked)| entry(1, order, asked)))
        .collect();
    // By the plan of the baseline, so that rows stand as they were asked for.
    let place = |entry: &MatchedOrder<'_>| {
        let place = |name: &String| asked[0].get_index_of(name.split(" = ").next().unwrap_or(name));
        entry
            .names
            .iter()
            .filter_map(place)
            .min()
            .unwrap_or(usize::MAX)
    };
    found.sort_by_key(place);
    MatchedCase {
        case: &first.case,
        sides: [first, second],
        same_labels: first.case.accept == second.case.accept,
        own: Both {
            baseline: own_side(0),
            variant: own_side(1),
        },
        orders: found,
    }
}

/// The rows of an order that both asked: the names that they share, else the first of each.
fn labels(first: &[&str], second: &[&str]) -> Vec<String> {
    let shared: Vec<String> = (first.iter())
        .filter(|name| second.contains(name))
        .map(|name| (*name).to_owned())
        .collect();
    if shared.is_empty() {
        vec![format!("{} = {}", first[0], second[0])]
    } else {
        shared
    }
}

/// An order that one side asked under `names`: those names, what the other side is there, and whether it showed another
/// order under one of them.
fn alone(
    names: &[&str],
    other: &ByOrder<'_>,
    complete: bool,
    asked: &IndexSet<String>,
) -> (Vec<String>, Side<'static>, bool) {
    let mut used = other.values().flat_map(|(_, names)| names);
    let other_order = used.any(|name| names.contains(name));
    let planned = names.iter().any(|name| asked.contains(*name));
    let side = missing(complete || other_order || !planned);
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    (names, side, other_order)
}
