//! Where the answers of each order stood.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::rows::chosen;
use crate::case::Case;
use crate::measure::pair::Said;
use crate::measure::table::Table;
use crate::order::Order;
use crate::perturb::Axis;
use crate::stats::number::real;
use crate::summary::{OrderPlaces, PlaceCounts};

/// Decided answers of one order by number of options, by position.
type Counts = BTreeMap<usize, Vec<u64>>;

/// Where the answers of each order stood, the own one first, over cases with two options or more that were to be asked in another
/// order. Cases whose own order is not on record have no places.
///
/// Source: the statistics page, 7: even choice puts one over the number of options at each end.
pub(crate) fn by_order(table: &Table<'_>) -> IndexMap<String, OrderPlaces> {
    let plan = table.plan;
    let mut counted: BTreeMap<usize, Counts> = BTreeMap::new();
    let mut asked_in_another = vec![false; plan.cases.len()];
    for (variant, _) in orders(table) {
        let counts = counted.entry(variant).or_default();
        for pair in table.pairs(variant) {
            let place = plan.asks[pair.ask].case as usize;
            if !has_places(pair.case) {
                continue;
            }
            asked_in_another[place] = true;
            let answer = table.answer(pair.ask).filter(|_| !pair.other_version);
            count(counts, pair.case, pair.order, chosen(pair.variant, answer));
        }
    }
    let mut own = Counts::new();
    for (place, said) in table.own().into_iter().enumerate() {
        let case = &plan.cases[place];
        if asked_in_another[place] {
            let said = chosen(said, table.baseline_answer(place));
            count(&mut own, case, &Order::own(case.options.len()), said);
        }
    }
    let named = orders(table).map(|(variant, name)| (name, counted.remove(&variant)));
    std::iter::once(("own", Some(own)))
        .chain(named)
        .map(|(name, counts)| (name.to_owned(), places(counts.unwrap_or_default())))
        .filter(|(_, found)| !found.by_options.is_empty())
        .collect()
}

fn orders<'a>(table: &Table<'a>) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
    let variants = table.plan.variants.iter().enumerate();
    let orders = variants.filter(|(_, variant)| variant.axis == Axis::Order);
    orders.map(|(place, variant)| (place, variant.name.as_str()))
}

fn has_places(case: &Case) -> bool {
    case.options.len() > 1 && !case.brought.unlisted
}

fn count(counts: &mut Counts, case: &Case, order: &Order, said: Said) {
    let options = case.options.len();
    let all = counts.entry(options).or_insert_with(|| vec![0; options]);
    if let Said::Chose { id, .. } = said
        && let Some(place) = order.position_of(id)
    {
        all[place.index()] += 1;
    }
}

fn places(counts: Counts) -> OrderPlaces {
    let end = |of: fn(&Vec<u64>) -> Option<&u64>| counts.values().filter_map(of).sum();
    // Sums by number of options depend on no order of the cases.
    let even = |(options, all): (&usize, &Vec<u64>)| real(all.iter().sum()) / real(*options as u64);
    OrderPlaces {
        answers: counts.values().flatten().sum(),
        first: end(|all| all.first()),
        last: end(|all| all.last()),
        expected: counts.iter().map(even).sum(),
        by_options: counts
            .into_iter()
            .map(|(options, counts)| PlaceCounts {
                options: options as u64,
                counts,
            })
            .collect(),
    }
}
