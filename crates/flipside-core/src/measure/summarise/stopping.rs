//! Where adaptive asking stopped.

use crate::course::{Course, Sequential, State};
use crate::plan::Plan;
use crate::stats::number::real;
use crate::stats::sequential::confidence_sequence;
use crate::summary;

/// Where adaptive asking ended, for the summary.
pub(super) fn sequential(
    plan: &Plan,
    course: &Course<'_>,
    standing: &Sequential,
) -> summary::Sequential {
    let needed = &course.needed()[..plan.asks.len()];
    let asked_cases = plan.baselines().iter().filter(|ask| needed[**ask]).count();
    let answered = standing.pairs - standing.missing;
    let sequence = |flips| confidence_sequence(flips, standing.pairs, standing.alpha).ok();
    let bounds = sequence(standing.flips).zip(sequence(standing.flips + standing.missing));
    let (stable, sensitive) = standing
        .planned
        .as_ref()
        .map(|planned| planned.boundaries.steps())
        .unwrap_or_default();
    let wealth = match &standing.state {
        State::Open(run) => Some((run.e_stable(), run.e_sensitive())),
        State::Planned { .. } => None,
    };
    let rate = (answered > 0).then(|| real(standing.flips) / real(answered));
    summary::Sequential {
        rule: standing.rule,
        variant: plan.variants[standing.variant].name.clone(),
        limit: standing.limit,
        alpha: standing.alpha,
        decision: standing.decision,
        units: standing.units,
        observed: standing.observed,
        pairs: standing.pairs,
        flips: standing.flips,
        missing: standing.missing,
        rate_at_stopping: rate,
        interval: bounds
            .filter(|_| standing.pairs == standing.observed)
            .map(|(least, most)| [least.lower, most.upper]),
        stable,
        sensitive,
        e_stable: wealth.map(|(stable, _)| stable),
        e_sensitive: wealth.map(|(_, sensitive)| sensitive),
        spared_cases: (plan.cases.len() - asked_cases) as u64,
        spared_asks: needed.iter().filter(|needed| !**needed).count() as u64,
    }
}
