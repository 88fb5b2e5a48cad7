//! Figures of each order that both asked.

use indexmap::IndexMap;

use super::between::between;
use super::figures::{Differing, LeftOut, OrderComparison};
use super::matching::{Both, MatchedCase, OWN, Side};
use super::named::changes;
use super::paired::{Cells, share};
use crate::measure::{PairOutcome, RankDraws, pair, right};

/// The own order, then every one of `flips`, which are the other orders with their flips.
pub(super) fn compared(
    cases: &[MatchedCase<'_>],
    accuracy_own: &Cells,
    flips: &[(String, Cells)],
    alpha: f64,
) -> IndexMap<String, OrderComparison> {
    let figures = |cells: &Cells| (!cells.is_empty()).then(|| cells.figures(alpha));
    let mut left_out = LeftOut::default();
    for case in cases {
        leave_out(&mut left_out, case.own);
    }
    let mut ranks = RankDraws::default();
    let pairs = || cases.iter().map(|case| (case, case.own));
    let own = OrderComparison {
        left_out,
        answers: differing(cases.iter().map(|case| case.own)),
        accuracy: figures(accuracy_own),
        flips: None,
        drift: between(pairs(), &mut ranks),
        cases: changes(pairs()),
    };
    let mut orders = IndexMap::from([(OWN.to_owned(), own)]);
    for (name, cells) in flips {
        let pairs = || {
            cases
                .iter()
                .filter_map(|case| Some((case, case.row(name)?)))
        };
        let order = OrderComparison {
            left_out: left_out_of(cases, name),
            answers: differing(cases.iter().filter_map(|case| case.row(name))),
            accuracy: figures(&accuracy(cases, |case| case.row(name))),
            flips: Some(cells.figures(alpha)),
            drift: between(pairs(), &mut ranks),
            cases: changes(pairs()),
        };
        orders.insert(name.clone(), order);
    }
    orders
}

/// Accepted answers in both, of the cases with common labels, in the order that `of` finds.
pub(super) fn accuracy<'a>(
    cases: &'a [MatchedCase<'a>],
    of: impl Fn(&'a MatchedCase<'a>) -> Option<Both<'a>>,
) -> Cells {
    let mut cells = Cells::default();
    for case in cases.iter().filter(|case| case.is_labelled()) {
        let Some(both) = of(case).filter(|both| both.is_present()) else {
            continue;
        };
        let (baseline, variant) = both.said();
        cells.add(right(case.case, baseline), right(case.case, variant));
    }
    cells
}

/// Flips from the own order to the one called `name` in both.
pub(super) fn flips(cases: &[MatchedCase<'_>], name: &str) -> Cells {
    let mut cells = Cells::default();
    for case in cases {
        let Some(other) = case.row(name).map(Both::said) else {
            continue;
        };
        let own = case.own.said();
        cells.add_flips([pair(own.0, other.0), pair(own.1, other.1)]);
    }
    cells
}

pub(super) fn differing<'a>(pairs: impl Iterator<Item = Both<'a>>) -> Differing {
    let (mut differ, mut of, mut within_tie, mut no_decision) = (0, 0, 0, 0);
    for both in pairs {
        let (baseline, variant) = both.said();
        match pair(baseline, variant) {
            PairOutcome::Flip { tie, .. } => {
                differ += 1;
                of += 1;
                within_tie += u64::from(tie);
            }
            PairOutcome::Same => of += 1,
            PairOutcome::NoDecision => no_decision += 1,
            PairOutcome::Missing | PairOutcome::Unasked => {}
        }
    }
    Differing {
        share: share(differ, of),
        within_tie,
        no_decision,
    }
}

fn left_out_of(cases: &[MatchedCase<'_>], name: &str) -> LeftOut {
    let mut left_out = LeftOut::default();
    for case in cases {
        let mut entries = case.orders.iter().filter(|entry| entry.is_called(name));
        // A name that showed another order on each side stands here once for each of them.
        if entries.clone().any(|entry| entry.other_order) {
            left_out.other_order += 1;
        } else if let Some(entry) = entries.next() {
            leave_out(&mut left_out, entry.both);
        }
    }
    left_out
}

/// Counts why the two are no pair, if they are none.
pub(super) fn leave_out(left_out: &mut LeftOut, both: Both<'_>) {
    let count = match (both.baseline, both.variant) {
        (Side::Answered(_), Side::Answered(_))
        | (Side::Absent | Side::Unasked, Side::Absent | Side::Unasked) => return,
        (Side::Absent, _) => &mut left_out.only_variant,
        (_, Side::Absent) => &mut left_out.only_baseline,
        (Side::Unasked, _) => &mut left_out.unasked_baseline,
        (_, Side::Unasked) => &mut left_out.unasked_variant,
        (Side::OtherVersion, _) | (_, Side::OtherVersion) => &mut left_out.other_version,
        (Side::Failed, Side::Failed) => &mut left_out.failed_both,
        (Side::Failed, _) => &mut left_out.failed_baseline,
        (_, Side::Failed) => &mut left_out.failed_variant,
    };
    *count += 1;
}
