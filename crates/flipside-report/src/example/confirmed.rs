//! What asking flips once more shows in a run of these.

use flipside_core::perturb::Axis;
use flipside_core::summary::{AskSummary, CaseSummary, Confirmation, Line, Verdict};
use indexmap::IndexMap;

/// Every case that flips in a variant of `axis` that too many do comes again, or of a noisy model half of them.
pub(super) fn confirmed(
    axis: Axis,
    lines: &IndexMap<String, Line>,
    cases: &[CaseSummary],
    noisy: bool,
) -> Option<Confirmation> {
    let open: Vec<&String> = lines
        .iter()
        .filter(|(_, line)| {
            let verdict = &line.figure.verdict;
            verdict.is_sensitive() || *verdict == Verdict::CauseOpen
        })
        .map(|(name, _)| name)
        .collect();
    let flipped = |case: &CaseSummary| {
        let flips = |ask: &AskSummary| {
            ask.axis == axis
                && ask.flip == Some(true)
                && open.iter().any(|name| ***name == *ask.variant)
        };
        case.asks.iter().any(flips)
    };
    let flips = cases.iter().filter(|case| flipped(case)).count() as u64;
    if flips == 0 {
        return None;
    }
    let swapped = if noisy { flips / 2 } else { 0 };
    let replicated = flips - swapped;
    let of = cases.len() as u64;
    let effect = (replicated as f64 - swapped as f64) / of as f64;
    Some(Confirmation {
        flips,
        by_variant: IndexMap::from([(open[0].clone(), flips)]),
        replicated,
        swapped,
        neither: 0,
        missing: 0,
        unasked: 0,
        cases: of,
        effect: Some(effect),
        interval: [(effect - 0.1).max(-1.0), (effect + 0.1).min(1.0)],
        upper: (effect + 0.08).min(1.0),
        p: super::bounds::mcnemar(replicated, swapped),
        clusters: None,
        replications_needed: Some(6u64.saturating_sub(replicated)),
    })
}
