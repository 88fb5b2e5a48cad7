//! Everything about slots and keys, by variant of the keys axis.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::effects::{effect, parts};
use super::figures::{Between, difference, flips, share};
use super::follow::{Chosen, Effect, cells, completions, decided, follows};
use super::rows::{Row, rows};
use crate::case::Case;
use crate::measure::pair::Said;
use crate::measure::table::Table;
use crate::order::OptionId;
use crate::summary::{Follows, SlotRow, SlotsAndKeys, SlotsLeftOut};

/// The two orders, by keys; the two sets of keys, by order. A cell is (order, keys).
const ORDERS: [Between; 2] = [[(0, 0), (1, 0)], [(0, 1), (1, 1)]];
const KEYS: [Between; 2] = [[(0, 0), (0, 1)], [(1, 0), (1, 1)]];

/// By variant of the keys axis that was combined with an order: what the answers of two-option cases follow. Variants without
/// such a case are left out.
///
/// `cluster` names the field by whose values cases depend on each other, if any.
pub(crate) fn slots_and_keys(
    table: &Table<'_>,
    cluster: Option<&str>,
) -> IndexMap<String, SlotsAndKeys> {
    let with_rows = rows(table)
        .into_iter()
        .filter(|(_, rows, _)| !rows.is_empty());
    let found = with_rows.map(|(name, rows, left_out)| {
        let found = summed_up(table, &rows, left_out, cluster);
        (name.to_owned(), found)
    });
    found.collect()
}

fn summed_up(
    table: &Table<'_>,
    rows: &[Row<'_>],
    left_out: SlotsLeftOut,
    cluster: Option<&str>,
) -> SlotsAndKeys {
    let four = |row: &Row<'_>| decided(&row.said);
    let known: Vec<(&Row<'_>, Chosen)> = rows
        .iter()
        .filter_map(|row| Some((row, four(row)?)))
        .collect();
    let chosen: Vec<(&Case, Chosen)> = known.iter().map(|(row, all)| (row.case, *all)).collect();
    let open = rows.iter().filter(|row| four(row).is_none());
    let missing: Vec<Vec<Chosen>> = open.filter_map(|row| completions(&row.said)).collect();
    let (n, lost) = (known.len() as u64, missing.len() as u64);
    let share = |what: Follows| {
        let hits: Vec<(&Case, bool)> = chosen
            .iter()
            .map(|(case, all)| (*case, follows(*all) == what))
            .collect();
        let could = missing
            .iter()
            .filter(|ways| ways.iter().any(|all| follows(*all) == what));
        share(cluster, &hits, lost, could.count() as u64)
    };
    let effect = |of: Effect| effect(of, &chosen, &missing, cluster);
    let flips = |between| flips(table, rows, between, cluster);
    let of_slot = |second: bool| {
        let picks = |all: &Chosen| follows(*all) == Follows::Slot && all[0][0] == second;
        chosen.iter().filter(|(_, all)| picks(all)).count() as u64
    };
    let followed = followed(&known);
    let tied = |row: &Row<'_>| {
        let mut said = row.said.as_flattened().iter();
        said.any(|said| matches!(said, Said::Chose { tied: true, .. }))
    };
    SlotsAndKeys {
        cases: rows.len() as u64,
        decided: n,
        undecided: rows.len() as u64 - n - lost,
        missing: lost,
        tied: known.iter().filter(|(row, _)| tied(row)).count() as u64,
        left_out,
        content: share(Follows::Content),
        slot: share(Follows::Slot),
        first: of_slot(false),
        last: of_slot(true),
        keys: share(Follows::Keys),
        same_key: followed.values().sum(),
        followed: followed.into_iter().collect(),
        mixed: share(Follows::Mixed),
        order_flips: flips(ORDERS[0]),
        order_flips_other_keys: flips(ORDERS[1]),
        order_flips_difference: difference(table, rows, [ORDERS[1], ORDERS[0]], cluster),
        key_flips: flips(KEYS[0]),
        key_flips_other_order: flips(KEYS[1]),
        position_effect: effect(Effect::Position),
        key_effect: effect(Effect::Keys),
        interaction: effect(Effect::Interaction),
        parts: parts(&chosen, cluster),
        table: rows.iter().map(table_row).collect(),
    }
}

/// How often each key was answered in all four cells.
fn followed(known: &[(&Row<'_>, Chosen)]) -> BTreeMap<String, u64> {
    let mut followed = BTreeMap::new();
    for (row, all) in known {
        if row.keys_change_sides && follows(*all) == Follows::Keys {
            // In the own order and under the own keys, an option stands under its own key.
            let key = &row.case.options[usize::from(all[0][0])].key;
            *followed.entry(key.0.clone()).or_insert(0) += 1;
        }
    }
    followed
}

fn table_row(row: &Row<'_>) -> SlotRow {
    let follows = match (decided(&row.said), completions(&row.said)) {
        (Some(all), _) => follows(all),
        (None, Some(_)) => Follows::Missing,
        (None, None) => Follows::Undecided,
    };
    let answer = |said: Said| -> Option<OptionId> {
        match said {
            Said::Chose { id, .. } => Some(id),
            Said::Nothing | Said::Missing | Said::Unasked => None,
        }
    };
    SlotRow {
        case: row.case.id.0.clone(),
        answers: cells(|order, keys| answer(row.said[order][keys])),
        keys_change_sides: row.keys_change_sides,
        follows,
    }
}
