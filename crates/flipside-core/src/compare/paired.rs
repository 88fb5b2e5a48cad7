//! A yes or no of the same cases in both: counts, shares, difference, test, power.

use super::figures::{Paired, Share};
use super::report::POWER;
use crate::measure::{LEVEL, PairOutcome};
use crate::stats::number::real;
use crate::stats::power::paired_size;
use crate::stats::{paired, proportion};

/// What each side says about each case; `None` where it is missing.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    cells: Vec<(Option<bool>, Option<bool>)>,
    no_decision: u64,
}

/// Yes in both, in the baseline only, in the variant only, in neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) both: u64,
    pub(super) baseline_only: u64,
    pub(super) variant_only: u64,
    pub(super) neither: u64,
}

impl Counts {
    fn add(&mut self, baseline: bool, variant: bool) {
        let count = match (baseline, variant) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.baseline_only,
            (false, true) => &mut self.variant_only,
            (false, false) => &mut self.neither,
        };
        *count += 1;
    }

    pub(super) fn of(self) -> u64 {
        self.both + self.baseline_only + self.variant_only + self.neither
    }

    /// As `stats` takes them, so that the difference is variant minus baseline.
    pub(super) fn variant_first(self) -> [u64; 4] {
        [
            self.both,
            self.variant_only,
            self.baseline_only,
            self.neither,
        ]
    }

    /// As `stats` takes them, so that the difference is baseline minus variant.
    pub(super) fn baseline_first(self) -> [u64; 4] {
        [
            self.both,
            self.baseline_only,
            self.variant_only,
            self.neither,
        ]
    }
}

impl Cells {
    pub(super) fn add(&mut self, baseline: Option<bool>, variant: Option<bool>) {
        self.cells.push((baseline, variant));
    }

    /// Counts a case in which a side did not decide in either order: it is no pair and not missing.
    pub(super) fn add_no_decision(&mut self) {
        self.no_decision += 1;
    }

    /// Counts the pair of each side as flipped or not.
    pub(super) fn add_flips(&mut self, sides: [PairOutcome; 2]) {
        if sides.contains(&PairOutcome::NoDecision) {
            self.add_no_decision();
            return;
        }
        let [baseline, variant] = sides.map(|outcome| match outcome {
            PairOutcome::Flip { .. } => Some(true),
            PairOutcome::Same => Some(false),
            _ => None,
        });
        self.add(baseline, variant);
    }

    /// The cases measured in both.
    pub(super) fn measured(&self) -> Counts {
        let mut counts = Counts::default();
        for (baseline, variant) in &self.cells {
            if let (Some(baseline), Some(variant)) = (baseline, variant) {
                counts.add(*baseline, *variant);
            }
        }
        counts
    }

    /// All cases, where a missing variant says `variant` and a missing baseline the opposite.
    pub(super) fn if_missing(&self, variant: bool) -> Counts {
        let mut counts = Counts::default();
        for (baseline, known) in &self.cells {
            counts.add(baseline.unwrap_or(!variant), known.unwrap_or(variant));
        }
        counts
    }

    pub(super) fn missing(&self) -> u64 {
        self.cells.len() as u64 - self.measured().of()
    }

    pub(super) fn no_decision(&self) -> u64 {
        self.no_decision
    }

    /// Whether there is no case at all.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.no_decision == 0
    }

    /// The figures. `alpha` is that of the two-sided test which `pairs_needed` is for.
    pub(super) fn figures(&self, alpha: f64) -> Paired {
        let counts = self.measured();
        let [both, variant_only, baseline_only, neither] = counts.variant_first();
        let of = counts.of();
        let difference =
            paired::newcombe_paired(both, variant_only, baseline_only, neither, LEVEL).ok();
        let measured = (of > 0).then_some(());
        Paired {
            of,
            both,
            baseline_only,
            variant_only,
            neither,
            missing: self.missing(),
            no_decision: self.no_decision,
            baseline: share(both + baseline_only, of),
            variant: share(both + variant_only, of),
            difference: difference.map(|difference| difference.value),
            difference_interval: difference.map(|difference| [difference.lower, difference.upper]),
            mcnemar_p: measured.map(|()| paired::mcnemar_exact(baseline_only, variant_only)),
            mcnemar_mid_p: measured.map(|()| paired::mcnemar_mid(baseline_only, variant_only)),
            pairs_needed: pairs_needed(counts, alpha),
        }
    }
}

/// Cases that would show a difference of the observed size; `None` where none is observed.
///
/// Source: the statistics page, 13.
fn pairs_needed(counts: Counts, alpha: f64) -> Option<u64> {
    let [of, more, less] = [counts.of(), counts.variant_only, counts.baseline_only].map(real);
    if of <= 0.0 {
        return None;
    }
    // A difference of nothing is refused there, and needs no number here.
    paired_size((more + less) / of, (more - less) / of, alpha, POWER).ok()
}

/// A share with its Wilson interval; without a rate of none.
pub(super) fn share(count: u64, of: u64) -> Share {
    let share = proportion::wilson(count, of, LEVEL).ok();
    Share {
        count,
        of,
        rate: share.map(|share| share.value),
        interval: share.map(|share| [share.lower, share.upper]),
    }
}
