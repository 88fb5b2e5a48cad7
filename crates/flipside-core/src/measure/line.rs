//! One variant against the baseline: its pairs, counted and judged.

use indexmap::IndexMap;

use crate::gate::{self, Counts, Gates, Judged, Kind};
use crate::measure::accuracy::{self, LEVEL};
use crate::measure::pair::{PairOutcome, Said, pair, transitions};
use crate::measure::table::CasePair;
use crate::order::{OptionId, Order};
use crate::plan::VacuousReason;
use crate::stats::proportion;
use crate::summary::{Figure, Line, MorePairs, Transitions, Verdict};

/// Counts of pair outcomes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) same: u64,
    pub(crate) flips: u64,
    pub(crate) tie_flips: u64,
    pub(crate) no_decision_flips: u64,
    pub(crate) no_decision: u64,
    pub(crate) missing: u64,
    pub(crate) unasked: u64,
    pub(crate) vacuous: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, outcome: PairOutcome) {
        match outcome {
            PairOutcome::Unasked => self.unasked += 1,
            PairOutcome::Missing => self.missing += 1,
            PairOutcome::NoDecision => self.no_decision += 1,
            PairOutcome::Same => self.same += 1,
            PairOutcome::Flip { tie, no_decision } => {
                self.flips += 1;
                self.tie_flips += u64::from(tie);
                self.no_decision_flips += u64::from(no_decision);
            }
        }
    }

    pub(crate) fn pairs(&self) -> u64 {
        self.same + self.flips
    }

    fn lost(&self) -> u64 {
        self.missing + self.unasked
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            pairs: self.pairs(),
            flips: self.flips,
            missing: self.lost(),
            unasked: self.unasked,
            no_decision: self.no_decision,
            vacuous: self.vacuous,
        }
    }

    /// The common fields, with a limit and the words that `words` finds for the judged kind.
    pub(crate) fn figure(
        &self,
        asked: u64,
        limit: Option<f64>,
        gates: &Gates,
        words: impl Fn(Kind) -> Verdict,
    ) -> (Figure, Option<MorePairs>) {
        let (pairs, all) = (self.pairs(), self.pairs() + self.lost());
        let share = proportion::wilson(self.flips, pairs, LEVEL).ok();
        let judged =
            limit.map(|limit| gate::judge_flips(self.counts(), limit, gates.strict, gates.alpha));
        let more = judged
            .as_ref()
            .and_then(|judged| judged.more_pairs.as_ref())
            .map(|more| MorePairs {
                if_no_flip: more.if_no_further_flip,
                if_same_rate: more.if_rate_persists,
            });
        let (verdict, reason) = match judged {
            Some(Judged { kind, reason, .. }) => (words(kind), reason),
            None => (self.ungated(), None),
        };
        let figure = Figure {
            applicable: all + self.no_decision,
            vacuous: self.vacuous,
            asked,
            pairs,
            missing: self.missing,
            unasked: self.unasked,
            no_decision: self.no_decision,
            flips: Some(self.flips),
            firm_flips: Some(self.flips - self.tie_flips),
            tie_flips: Some(self.tie_flips),
            rate: share.map(|share| share.value),
            interval: share.map(|share| [share.lower, share.upper]),
            lower: proportion::lower_bound(self.flips, all, gates.alpha).ok(),
            upper: proportion::upper_bound(self.flips + self.lost(), all, gates.alpha).ok(),
            limit,
            rule: gates.rule(),
            verdict,
            reason,
        };
        (figure, more)
    }

    fn ungated(&self) -> Verdict {
        if self.pairs() + self.lost() + self.no_decision > 0 {
            Verdict::NoGate
        } else if self.vacuous > 0 {
            Verdict::NotApplicable
        } else {
            Verdict::NotMeasured
        }
    }
}

/// The line of one variant.
pub(crate) fn line(
    pairs: &[CasePair<'_>],
    vacuous_reasons: IndexMap<VacuousReason, u64>,
    limit: Option<f64>,
    gates: &Gates,
    words: impl Fn(Kind) -> Verdict,
) -> Line {
    let mut tally = Tally {
        vacuous: vacuous_reasons.values().sum(),
        ..Tally::default()
    };
    let mut directions = Transitions::default();
    let (mut following, mut moved, mut moved_flips) = (0, 0, 0);
    for each in pairs {
        let outcome = pair(each.own, each.variant);
        tally.add(outcome);
        let flipped = matches!(outcome, PairOutcome::Flip { .. });
        let compared = flipped || outcome == PairOutcome::Same;
        if let (true, Said::Chose { id: before, .. }) = (compared, each.own) {
            if moves(each.order, before) {
                moved += 1;
                moved_flips += u64::from(flipped);
            }
            if let Said::Chose { id: after, .. } = each.variant {
                transitions(&mut directions, each.case, before, after);
                following += u64::from(flipped && follows_position(each.order, before, after));
            }
        }
    }
    let asked = pairs
        .iter()
        .filter(|each| each.variant != Said::Unasked)
        .count() as u64;
    let other_version = pairs.iter().filter(|each| each.other_version).count() as u64;
    let (mut figure, more_pairs) = tally.figure(asked, limit, gates, words);
    // Asking again brings nothing there: every ask was answered, by two models.
    if figure.reason.is_some()
        && other_version > 0
        && other_version == figure.missing + figure.unasked
    {
        let all = tally.pairs() + tally.lost();
        figure.reason = Some(format!(
            "{other_version} of {all} pairs compare two served models"
        ));
    }
    let all = tally.pairs() + tally.lost();
    #[expect(clippy::cast_precision_loss, reason = "pair counts are far below 2^52")]
    let share = |part: u64| (all > 0).then(|| part as f64 / all as f64);
    Line {
        figure,
        vacuous_reasons,
        no_decision_flips: tally.no_decision_flips,
        other_version,
        position_following: following,
        moved,
        moved_flips,
        rate_if_missing_same: share(tally.flips),
        rate_if_missing_flipped: share(tally.flips + tally.lost()),
        transitions: directions,
        accuracy: accuracy::accuracy(pairs.iter().map(|each| (each.case, each.own, each.variant))),
        more_pairs,
    }
}

/// Whether `order` shows `id` in another position than the own order does.
fn moves(order: &Order, id: OptionId) -> bool {
    order.identities().get(id.index()) != Some(&id)
}

/// Whether the variant's choice stands where the baseline's choice stood in the own order.
fn follows_position(order: &Order, before: OptionId, after: OptionId) -> bool {
    order.identities().get(before.index()) == Some(&after)
}

/// The words of the order axis. A failed gate is blamed on order only where no control flipped.
pub(crate) fn order_words(control_flipped: bool) -> impl Fn(Kind) -> Verdict + Copy {
    move |kind| match kind {
        Kind::Stable => Verdict::Stable,
        Kind::Sensitive if control_flipped => Verdict::CauseOpen,
        Kind::Sensitive => Verdict::OrderSensitive,
        Kind::Inconclusive => Verdict::Inconclusive,
        Kind::Undecided => Verdict::Undecided,
        Kind::NotApplicable => Verdict::NotApplicable,
        Kind::NotMeasured => Verdict::NotMeasured,
    }
}

/// The words of the control.
pub(crate) fn control_words(kind: Kind) -> Verdict {
    match kind {
        Kind::Stable => Verdict::Quiet,
        Kind::Sensitive => Verdict::NoisyBackend,
        Kind::Inconclusive => Verdict::NoiseInconclusive,
        Kind::Undecided => Verdict::Undecided,
        Kind::NotApplicable => Verdict::NotApplicable,
        Kind::NotMeasured => Verdict::NotMeasured,
    }
}

/// Which of several verdicts on one axis speaks for it: the worst, the first of equals.
pub(crate) fn severity(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::OrderSensitive | Verdict::CauseOpen | Verdict::NoisyBackend => 6,
        Verdict::Undecided => 5,
        Verdict::Inconclusive | Verdict::NoiseInconclusive => 4,
        // An order that was asked and measured nothing does not pass unseen behind the others.
        Verdict::NotMeasured => 3,
        Verdict::Stable | Verdict::Quiet => 2,
        Verdict::NotApplicable => 1,
        Verdict::Fits
        | Verdict::NotATask
        | Verdict::TooFewCases
        | Verdict::FitInconclusive
        | Verdict::WithinLimit
        | Verdict::OverLimit
        | Verdict::NoGate => 0,
    }
}
