//! Demands on differences, and what the cases show of them.

use super::demand::{Demand, Subject};
use super::figures::{Claim, VerdictLine, Word};
use super::matching::OWN;
use super::paired::{Cells, Counts};
use crate::gate::UNDECIDED_SHARE;
use crate::stats::number::real;
use crate::stats::paired::{equivalence, newcombe_paired, not_worse};

/// The cells that demands are about.
pub(super) struct Judged<'a> {
    pub(super) accuracy: &'a Cells,
    /// By other order that both asked.
    pub(super) flips: &'a [(String, Cells)],
    pub(super) alpha: f64,
    /// The rule by which flips ended the asking of a side, if they did.
    pub(super) stopped_by: Option<&'a str>,
}

impl Judged<'_> {
    /// One line per demand and order.
    pub(super) fn lines(&self, claim: Claim, demand: &Demand) -> Vec<VerdictLine> {
        let mut lines = Vec::new();
        if let Some(margin) = demand.of(Subject::Accuracy) {
            lines.push(self.line(claim, Subject::Accuracy, OWN, margin, self.accuracy));
        }
        if let Some(margin) = demand.of(Subject::Flips) {
            for (name, cells) in self.flips {
                lines.push(self.line(claim, Subject::Flips, name, margin, cells));
            }
            if self.flips.is_empty() {
                let none = Cells::default();
                lines.push(self.line(claim, Subject::Flips, "-", margin, &none));
            }
        }
        lines
    }

    fn line(
        &self,
        claim: Claim,
        subject: Subject,
        order: &str,
        margin: f64,
        cells: &Cells,
    ) -> VerdictLine {
        let measured = cells.measured();
        let [a, b, c, d] = measured.variant_first();
        let difference = newcombe_paired(a, b, c, d, 1.0 - 2.0 * self.alpha).ok();
        let (word, reason) = self.word(claim, subject, margin, cells);
        VerdictLine {
            claim,
            subject: subject.name().to_owned(),
            order: order.to_owned(),
            margin,
            difference: difference.map(|difference| difference.value),
            interval: difference.map(|difference| [difference.lower, difference.upper]),
            missing: cells.missing(),
            held: word.holds(),
            word,
            reason,
        }
    }

    fn word(
        &self,
        claim: Claim,
        subject: Subject,
        margin: f64,
        cells: &Cells,
    ) -> (Word, Option<String>) {
        let measured = cells.measured();
        if measured.of() == 0 {
            return (Word::NotMeasured, Some(nothing(subject, cells).to_owned()));
        }
        // The loss is what must not exceed the margin: accepted answers lost, or flips gained.
        let loss = |counts: Counts| match subject {
            Subject::Accuracy => counts.baseline_first(),
            Subject::Flips => counts.variant_first(),
        };
        let bad = subject == Subject::Flips;
        let (worst, best) = (cells.if_missing(bad), cells.if_missing(!bad));
        let within =
            |counts| not_worse(loss(counts), margin, self.alpha).is_ok_and(|said| said.shown);
        let alike =
            |counts| equivalence(loss(counts), margin, self.alpha).is_ok_and(|said| said.shown);
        let shown = |counts| match (claim, subject) {
            (Claim::Equivalent, Subject::Accuracy) => alike(counts),
            _ => within(counts),
        };
        let over = |counts: Counts| {
            let said = not_worse(loss(counts), margin, self.alpha);
            said.is_ok_and(|said| said.difference.lower > margin)
        };
        let undecided = undecided(cells);
        let stopped = self.stopped_by.filter(|_| subject == Subject::Flips);
        let reason = if let Some(rule) = stopped {
            Some(format!(
                "a side stopped asking by the rule `{rule}`, and bounds for a fixed number of cases do not hold then"
            ))
        } else if shown(measured) && undecided {
            Some(format!(
                "cases without a decision on a side: {}",
                cells.no_decision()
            ))
        } else if shown(measured) && !(shown(worst) && shown(best)) {
            Some(format!(
                "cases missing on a side: {}; ask them again first",
                cells.missing()
            ))
        } else {
            None
        };
        let holds = shown(measured) && reason.is_none();
        let word = match (claim, subject, holds) {
            (Claim::Equivalent, Subject::Accuracy, true) => Word::Equivalent,
            (Claim::Equivalent, Subject::Accuracy, false) => Word::NotEquivalent,
            (Claim::Equivalent, Subject::Flips, true) => Word::FlipsKept,
            (Claim::Equivalent, Subject::Flips, false) => Word::FlipsNotKept,
            (Claim::NotWorse, _, true) => Word::NotWorse,
            (Claim::NotWorse, _, false) if stopped.is_none() && over(measured) && over(best) => {
                Word::Worse
            }
            (Claim::NotWorse, _, false) => Word::NotShown,
        };
        (word, reason)
    }
}

/// Whether so many cases have no decision that nothing is called alike: a model that always declines never flips.
fn undecided(cells: &Cells) -> bool {
    let undecided = real(cells.no_decision());
    let all = real(cells.measured().of()) + real(cells.missing()) + undecided;
    undecided > UNDECIDED_SHARE * all
}

fn nothing(subject: Subject, cells: &Cells) -> &'static str {
    match subject {
        _ if cells.missing() > 0 => "no case was answered by both",
        Subject::Accuracy => "no common case says which options are right",
        Subject::Flips if cells.is_empty() => "no other order was asked by both",
        Subject::Flips => "no case was decided by both",
    }
}
