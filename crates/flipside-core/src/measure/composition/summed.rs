//! Both axes summed up.

use indexmap::IndexMap;

use super::attention::noise;
use super::decoy::decoy;
use super::drop::drop;
use super::shared::Grid;
use crate::case::Case;
use crate::gate::{Gates, Judged};
use crate::measure::axis::words;
use crate::measure::confirm::comes_again;
use crate::measure::pair::{PairOutcome, pair};
use crate::measure::pooled::Pooled;
use crate::measure::table::Table;
use crate::order::{OptionId, Order};
use crate::perturb::Axis;
use crate::plan::VacuousReason;
use crate::summary::{CompositionSummary, Confirmation, Figure};

/// What the pairs of one axis come to, whatever the axis.
pub(super) struct Sum {
    pub(super) figure: Figure,
    pub(super) vacuous_reasons: IndexMap<VacuousReason, u64>,
    pub(super) no_decision_flips: u64,
    pub(super) other_version: u64,
    pub(super) declared_same: u64,
    /// Whether flips were shown to come again.
    pub(super) came_again: bool,
    /// Whether the control moves.
    pub(super) noise: Option<bool>,
    /// What probabilities are rounded to.
    pub(super) grid: Grid,
}

/// What one option less and one more showed; `None` where neither was asked.
///
/// `pooled` has the axes that are judged as a whole, `confirmed` what asking flips again showed.
pub(crate) fn composition(
    table: &Table<'_>,
    gates: &Gates,
    pooled: &[Pooled<'_>],
    confirmed: &IndexMap<String, Confirmation>,
) -> Option<CompositionSummary> {
    if pooled.is_empty() {
        return None;
    }
    let grid = Grid::of((0..table.plan.asks.len()).filter_map(|ask| table.answer(ask)));
    let noise = noise(table, grid);
    let sum = |axis: Axis| {
        let pooled = pooled.iter().find(|pooled| pooled.axis == axis)?;
        let confirmation = confirmed.get(axis.name());
        let said =
            |judged: &Judged| words(axis, judged, pooled.ruling.limit, confirmation, gates.alpha);
        let count = |wanted: &dyn Fn(PairOutcome) -> bool| {
            let outcomes = pooled.pairs.iter().map(|each| pair(each.own, each.variant));
            outcomes.filter(|outcome| wanted(*outcome)).count() as u64
        };
        let same = pooled.pairs.iter().filter(|each| {
            let chosen = each
                .answers
                .map(|(own, variant)| own.choice != variant.choice);
            pair(each.own, each.variant) == PairOutcome::Same && chosen == Some(true)
        });
        Some(Sum {
            figure: pooled.figure(said),
            vacuous_reasons: pooled.vacuous_reasons.clone(),
            no_decision_flips: count(&|outcome| {
                matches!(
                    outcome,
                    PairOutcome::Flip {
                        no_decision: true,
                        ..
                    }
                )
            }),
            other_version: pooled.other_version(),
            declared_same: same.count() as u64,
            // A flip to the decoy itself says nothing about the others.
            came_again: axis == Axis::Drop
                && confirmation.is_some_and(|found| comes_again(found, gates.alpha)),
            noise,
            grid,
        })
    };
    Some(CompositionSummary {
        drop: sum(Axis::Drop).map(|sum| drop(table, gates, sum)),
        decoy: sum(Axis::Decoy).map(|sum| decoy(table, gates, sum)),
    })
}

/// The case's own options but for `out`.
pub(super) fn other_options(case: &Case, out: &[OptionId]) -> Vec<OptionId> {
    let own = Order::own(case.options.len());
    let others = own.identities().iter().filter(|id| !out.contains(id));
    others.copied().collect()
}
