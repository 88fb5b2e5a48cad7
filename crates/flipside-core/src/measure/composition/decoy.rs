//! One option more.

use std::collections::BTreeSet;

use super::attention::attention;
use super::equal_size::{Comparison, equal_size};
use super::share::share;
use super::shared::{Shared, Shows};
use super::summed::{Sum, other_options};
use crate::case::Case;
use crate::gate::Gates;
use crate::measure::clusters::Unit;
use crate::measure::line;
use crate::measure::pair::{Said, pair, said};
use crate::measure::table::{CasePair, Table};
use crate::order::OptionId;
use crate::perturb::Axis;
use crate::summary::DecoyComposition;

/// The identity of a decoy: that after the last of the case's own options.
fn decoy_of(case: &Case) -> OptionId {
    OptionId(u16::try_from(case.options.len()).expect("a case has at most Order::MOST options"))
}

/// What adding decoys showed, of which `sum` has the counts over all pairs.
pub(super) fn decoy(table: &Table<'_>, gates: &Gates, sum: Sum) -> DecoyComposition {
    let asks = table.plan.asks.iter().enumerate();
    let planned: Vec<CasePair<'_>> = asks
        .filter(|(_, planned)| {
            table.plan.variant_of(planned).axis == Axis::Decoy && planned.against.is_some()
        })
        .map(|(ask, _)| table.pair(ask))
        .collect();
    let took = |each: &CasePair<'_>| {
        let answer = table.answer(each.ask);
        answer.is_some_and(|answer| answer.choice == Some(decoy_of(each.case)))
    };
    // What the baseline said does not matter to how often the decoy is chosen.
    let chosen = planned.iter().filter_map(|each| {
        let unit = match said(table.asked[each.ask].as_ref()) {
            Said::Chose { .. } if took(each) => Unit::Hit,
            Said::Chose { .. } => Unit::NoHit,
            Said::Missing | Said::Unasked => Unit::Lost,
            Said::Nothing => return None,
        };
        Some((each.case, unit))
    });
    let others = planned.iter().filter(|each| !took(each));
    let others =
        others.filter_map(|each| Some((each.case, line::unit(pair(each.own, each.variant))?)));
    let shared = Shared::new(
        sum.grid,
        planned.iter().filter_map(|each| {
            Some(Shows {
                case: each.case,
                answers: each.answers?,
                options: other_options(each.case, &[]),
            })
        }),
    );
    let moved_others = share(gates, others.collect());
    let moved = [moved_others.hits, sum.figure.missing + sum.figure.unasked];
    let equal = equal_size(table, gates, sum.grid, comparisons(table, &planned));
    let (attention, attention_reason) =
        attention(&shared, moved, sum.came_again, equal.as_ref(), sum.noise);
    let cases: BTreeSet<u32> = planned
        .iter()
        .map(|each| table.plan.asks[each.ask].case)
        .collect();
    DecoyComposition {
        cases: cases.len() as u64,
        vacuous_reasons: sum.vacuous_reasons,
        no_decision_flips: sum.no_decision_flips,
        other_version: sum.other_version,
        declared_same: sum.declared_same,
        chosen: share(gates, chosen.collect()),
        moved_others,
        shared: shared.figure(gates),
        equal_size: equal.map(|equal| equal.figure),
        attention,
        attention_reason,
        figure: sum.figure,
    }
}

/// Every two lists of one case with different decoys.
fn comparisons<'a>(table: &Table<'a>, planned: &[CasePair<'a>]) -> Vec<Comparison<'a>> {
    let case_of = |each: &CasePair<'_>| table.plan.asks[each.ask].case;
    let mut found = Vec::new();
    for (place, one) in planned.iter().enumerate() {
        let others = planned[place + 1..].iter();
        for other in others.take_while(|other| case_of(other) == case_of(one)) {
            let decoy = decoy_of(one.case);
            found.push(Comparison {
                case: one.case,
                case_number: case_of(one) as usize,
                asks: [one.ask, other.ask],
                shown_by_one: [decoy, decoy],
                shared: other_options(one.case, &[]),
            });
        }
    }
    found
}
