//! The cases that have the four asks, and what became of them.

use std::collections::BTreeMap;

use super::follow::{Cells, cells};
use crate::case::{Case, Key, KeyBinding, QuestionKind};
use crate::measure::pair::{Said, other_version};
use crate::measure::table::Table;
use crate::order::Order;
use crate::perturb::Axis;
use crate::plan::VacuousReason;
use crate::summary::SlotsLeftOut;

/// A case whose four asks were planned.
#[derive(Clone, Debug)]
pub(super) struct Row<'a> {
    pub(super) case: &'a Case,
    /// Their places in the plan.
    asks: Cells<usize>,
    /// What each said; missing where another model served it than the first of them that was answered.
    pub(super) said: Cells<Said>,
    /// Whether the two keys change sides.
    pub(super) keys_change_sides: bool,
}

impl Row<'_> {
    /// What two cells said to each other: missing where two models served them.
    pub(super) fn pair(
        &self,
        table: &Table<'_>,
        [one, other]: [(usize, usize); 2],
    ) -> (Said, Said) {
        let [one, other] = [one, other].map(|(order, keys)| self.asks[order][keys]);
        let asked = |ask: usize| table.asked[ask].as_ref();
        let other_said = if other_version(asked(one), asked(other)) {
            Said::Missing
        } else {
            table.said(other)
        };
        (table.said(one), other_said)
    }
}

/// The asks of one case that rows are made of.
#[derive(Clone, Debug, Default)]
struct Asks {
    own: usize,
    reversed: Option<usize>,
    /// By variant of the plan.
    by_variant: BTreeMap<u32, usize>,
}

/// By variant of the keys axis: its rows, and what has none. Variants that no combination with an order has are left out.
pub(super) fn rows<'a>(table: &Table<'a>) -> Vec<(&'a str, Vec<Row<'a>>, SlotsLeftOut)> {
    let plan = table.plan;
    let by_case = asks(table);
    let keys = (0u32..).zip(&plan.variants);
    let keys = keys.filter(|(_, variant)| variant.axis == Axis::Keys);
    keys.filter_map(|(place, keys)| {
        // Combinations of these keys with an order and nothing else.
        let crossed: Vec<u32> = (0u32..)
            .zip(&plan.variants)
            .filter(|(_, variant)| variant.axis == Axis::Cross)
            .filter(|(_, variant)| {
                matches!(&variant.parts()[..], [order, other] if order.axis == Axis::Order && other == keys)
            })
            .map(|(place, _)| place)
            .collect();
        if crossed.is_empty() {
            return None;
        }
        let vacuous = vacuous(table, &crossed);
        let (mut rows, mut left_out) = (Vec::new(), SlotsLeftOut::default());
        for (number, case) in plan.cases.iter().enumerate() {
            if case.options.len() != 2 || case.question.kind != QuestionKind::Choice {
                continue;
            }
            if case.keys == KeyBinding::Place {
                left_out.keys_stay += 1;
                continue;
            }
            let asks = &by_case[number];
            let crossed = crossed.iter().find_map(|variant| asks.by_variant.get(variant));
            let four = || Some([[asks.own, *asks.by_variant.get(&place)?], [asks.reversed?, *crossed?]]);
            match (four(), vacuous.get(&number)) {
                (Some(four), _) => rows.push(row(table, case, four)),
                (None, Some(reason)) => *left_out.vacuous.entry(*reason).or_insert(0) += 1,
                (None, None) => left_out.undrawn += 1,
            }
        }
        left_out.vacuous.sort_keys();
        Some((keys.name.as_str(), rows, left_out))
    })
    .collect()
}

fn row<'a>(table: &Table<'a>, case: &'a Case, asks: Cells<usize>) -> Row<'a> {
    let asked = |ask: usize| table.asked[ask].as_ref();
    let first = asks.as_flattened().iter();
    let first = first.copied().find(|ask| {
        let answer = table.answer(*ask);
        answer.is_some_and(|answer| answer.served_model.is_some())
    });
    let said = cells(|order, keys| {
        let ask = asks[order][keys];
        match first {
            Some(first) if other_version(asked(first), asked(ask)) => Said::Missing,
            _ => table.said(ask),
        }
    });
    let shown = table.plan.shown_case(&table.plan.asks[asks[0][1]]);
    let keys = |case: &Case, places: [usize; 2]| -> Vec<Key> {
        let keys = places.iter().map(|place| case.options[*place].key.clone());
        keys.collect()
    };
    Row {
        case,
        asks,
        said,
        keys_change_sides: keys(case, [0, 1]) == keys(&shown, [1, 0]),
    }
}

/// By case: the baseline, the first ask of its two options in the other order, and that of every variant.
fn asks(table: &Table<'_>) -> Vec<Asks> {
    let plan = table.plan;
    let mut by_case = vec![Asks::default(); plan.cases.len()];
    for (place, ask) in plan.asks.iter().enumerate() {
        let of_case = &mut by_case[ask.case as usize];
        match plan.variant_of(ask).axis {
            Axis::Baseline => of_case.own = place,
            Axis::Order if ask.order == Order::reverse(2) => {
                of_case.reversed.get_or_insert(place);
            }
            Axis::Keys | Axis::Cross => {
                of_case.by_variant.insert(ask.variant, place);
            }
            _ => {}
        }
    }
    by_case
}

/// By case: why the first of these variants that is vacuous is.
fn vacuous(table: &Table<'_>, variants: &[u32]) -> BTreeMap<usize, VacuousReason> {
    let mut found = BTreeMap::new();
    for each in &table.plan.vacuous {
        if variants.contains(&each.variant) {
            found.entry(each.case as usize).or_insert(each.reason);
        }
    }
    found
}
