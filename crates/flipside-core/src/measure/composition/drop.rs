//! One option less.

use std::collections::BTreeSet;

use super::attention::attention;
use super::equal_size::{Comparison, equal_size};
use super::share::share;
use super::shared::{Shared, Shows};
use super::single::single_options;
use super::summed::{Sum, other_options};
use crate::answer::{Answer, FLOAT_NOISE};
use crate::case::Case;
use crate::gate::Gates;
use crate::measure::clusters::Unit;
use crate::measure::pair::Said;
use crate::measure::table::{CasePair, Table};
use crate::order::OptionId;
use crate::perturb::Axis;
use crate::summary::{ChoiceDropped, DropComposition};

/// One planned pair: a list without an option and the list that it is compared with.
pub(super) struct Less<'a> {
    pub(super) pair: CasePair<'a>,
    out: OptionId,
    /// The answer to the full list.
    full: Option<&'a Answer>,
}

impl Less<'_> {
    fn choice_is_out(&self) -> bool {
        self.full.is_some_and(|full| full.choice == Some(self.out))
    }
}

/// What leaving options out showed, of which `sum` has the counts over all pairs.
pub(super) fn drop(table: &Table<'_>, gates: &Gates, sum: Sum) -> DropComposition {
    let asks = table.plan.asks.iter().enumerate();
    let planned: Vec<Less<'_>> = asks
        .filter(|(_, planned)| {
            let axis = table.plan.variant_of(planned).axis;
            axis == Axis::Drop && planned.against.is_some()
        })
        .filter_map(|(ask, planned)| {
            Some(Less {
                pair: table.pair(ask),
                out: table.plan.left_out(planned.variant as usize)?,
                full: table.answer(table.against(ask)),
            })
        })
        .collect();
    let shared = Shared::new(
        sum.grid,
        planned.iter().filter_map(|less| {
            Some(Shows {
                case: less.pair.case,
                answers: less.pair.answers?,
                options: other_options(less.pair.case, &[less.out]),
            })
        }),
    );
    let moved = [
        sum.figure.flips.unwrap_or(0),
        sum.figure.missing + sum.figure.unasked,
    ];
    let equal = equal_size(table, gates, sum.grid, comparisons(table, &planned));
    let (attention, attention_reason) =
        attention(&shared, moved, sum.came_again, equal.as_ref(), sum.noise);
    let cases: BTreeSet<u32> = planned
        .iter()
        .map(|less| table.plan.asks[less.pair.ask].case)
        .collect();
    DropComposition {
        cases: cases.len() as u64,
        vacuous_reasons: sum.vacuous_reasons,
        no_decision_flips: sum.no_decision_flips,
        other_version: sum.other_version,
        declared_same: sum.declared_same,
        choice_dropped: choice_dropped(&planned, gates),
        shared: shared.figure(gates),
        single_options: single_options(table, &planned),
        equal_size: equal.map(|equal| equal.figure),
        attention,
        attention_reason,
        figure: sum.figure,
    }
}

/// Pairs in which the choice itself was left out.
fn choice_dropped(planned: &[Less<'_>], gates: &Gates) -> ChoiceDropped {
    let mut counts = ChoiceDropped::default();
    let mut kept = Vec::new();
    for less in planned.iter().filter(|less| less.choice_is_out()) {
        let case = less.pair.case;
        counts.pairs += 1;
        let equal = |id: &OptionId| case.class_of(*id) == case.class_of(less.out);
        let others = other_options(case, &[less.out]);
        counts.equal_stayed += u64::from(others.iter().any(equal));
        let next = less
            .full
            .and_then(|full| most_probable(case, full, &others));
        match (less.pair.variant, next) {
            (Said::Missing, _) => counts.missing += 1,
            (Said::Unasked, _) => counts.unasked += 1,
            (Said::Nothing, _) => counts.no_decision += 1,
            (Said::Chose { .. }, None) => counts.no_runner_up += 1,
            (Said::Chose { id, tied }, Some(next)) => {
                // A tie that the lowest identity decided could have gone to any of them.
                let reply = less.pair.answers.filter(|_| tied);
                let reply = reply.and_then(|(_, reply)| most_probable(case, reply, &others));
                let reply = reply.unwrap_or_else(|| BTreeSet::from([id]));
                counts.tied += u64::from(next.len() > 1 || reply.len() > 1);
                let hit = !next.is_disjoint(&reply);
                kept.push((case, if hit { Unit::Hit } else { Unit::NoHit }));
            }
        }
    }
    counts.runner_up = share(gates, kept);
    counts
}

/// The most probable of `others`, by the answers that they are declared to be; several if they are equal up to float noise. `None`
/// without probabilities, or where nothing is left for any of them.
fn most_probable(case: &Case, answer: &Answer, others: &[OptionId]) -> Option<BTreeSet<OptionId>> {
    let probabilities = answer.probabilities.as_ref()?;
    let of = |id: &OptionId| probabilities.get(id.index()).copied().unwrap_or(0.0);
    let largest = others.iter().map(of).fold(0.0, f64::max);
    let next = others.iter().filter(|id| largest - of(id) <= FLOAT_NOISE);
    (largest > 0.0).then(|| next.map(|id| case.class_of(*id)).collect())
}

/// Lists of one case that lack neighbours of the own order: where one shows the other's missing option, and nothing else differs.
fn comparisons<'a>(table: &Table<'a>, planned: &[Less<'a>]) -> Vec<Comparison<'a>> {
    let mut found = Vec::new();
    for pair in planned.windows(2) {
        let [one, other] = pair else { continue };
        let asks = [one, other].map(|less| &table.plan.asks[less.pair.ask]);
        let lists = asks.map(|ask| ask.order.identities());
        let differ = lists[0].iter().zip(lists[1]).filter(|(a, b)| a != b);
        if asks[0].case != asks[1].case || lists[0].len() != lists[1].len() || differ.count() != 1 {
            continue;
        }
        let case = one.pair.case;
        found.push(Comparison {
            case,
            case_number: asks[0].case as usize,
            asks: [one.pair.ask, other.pair.ask],
            shown_by_one: [other.out, one.out],
            shared: other_options(case, &[one.out, other.out]),
        });
    }
    found
}
