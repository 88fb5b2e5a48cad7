//! Pairs of a finished summary, one by one: what was asked, what it is compared with, and what that says.

use flipside_core::perturb::Axis;
use flipside_core::summary::{AskStatus, AskSummary, CaseSummary, Summary};

/// An ask beside the one that it is compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) case: &'a CaseSummary,
    /// The baseline, or for an option less the list in which that option stands last.
    pub(crate) own: &'a AskSummary,
    pub(crate) variant: &'a AskSummary,
    pub(crate) outcome: PairSays,
}

/// What a pair says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairSays {
    /// Another option was chosen.
    Flip,
    /// The same answer.
    Same,
    /// An ask failed, its answer cannot be read, or another model served it.
    Missing,
    /// An ask was not made.
    Unasked,
    /// Neither answer decided.
    NoDecision,
    /// The choice itself was left out, so that it could not be chosen again.
    LeftOut,
}

impl PairSays {
    /// The word in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Flip => "flip",
            Self::Same => "same",
            Self::Missing => "missing",
            Self::Unasked => "unasked",
            Self::NoDecision => "no-decision",
            Self::LeftOut => "choice-left-out",
        }
    }
}

impl Pair<'_> {
    /// Whether the top two probabilities of either answer are equal as reported.
    pub(crate) fn tied(&self) -> bool {
        self.own.tied || self.variant.tied
    }

    /// The name of its axis.
    pub(crate) fn axis(&self) -> &'static str {
        self.variant.axis.name()
    }
}

/// Every pair of every case, in the order of the plan. What others are only compared with is in none.
pub(crate) fn pairs(summary: &Summary) -> impl Iterator<Item = Pair<'_>> {
    let cases = summary.cases.iter();
    cases.flat_map(|case| of_case(summary, case))
}

/// The pairs of one case.
pub(crate) fn of_case<'a>(
    summary: &'a Summary,
    case: &'a CaseSummary,
) -> impl Iterator<Item = Pair<'a>> {
    let baseline = case.asks.iter().find(|ask| ask.axis == Axis::Baseline);
    case.asks.iter().filter_map(move |variant| {
        if !is_compared(summary, variant) {
            return None;
        }
        let against = variant.against.as_ref();
        let own = match against {
            None => baseline?,
            Some(name) => case
                .asks
                .iter()
                .find(|other| other.axis == variant.axis && other.variant == *name)?,
        };
        Some(Pair {
            case,
            own,
            variant,
            outcome: says(own, variant),
        })
    })
}

/// Whether some figure counts the ask.
fn is_compared(summary: &Summary, ask: &AskSummary) -> bool {
    let lines = match ask.axis {
        Axis::Baseline => return false,
        Axis::Same => summary.control.as_ref().map(|control| &control.by_repeat),
        axis => summary.axes.get(axis.name()),
    };
    lines.is_some_and(|lines| lines.contains_key(&*ask.variant))
}

fn says(own: &AskSummary, variant: &AskSummary) -> PairSays {
    let both = [own, variant];
    let any = |status: AskStatus| both.iter().any(|ask| ask.status == status);
    let decided = both.iter().any(|ask| ask.status == AskStatus::Answered);
    let out = own
        .choice
        .filter(|choice| variant.order.position_of(*choice).is_none());
    match variant.flip {
        Some(true) => PairSays::Flip,
        Some(false) => PairSays::Same,
        None if out.is_some() => PairSays::LeftOut,
        None if any(AskStatus::Failed) => PairSays::Missing,
        None if any(AskStatus::Unasked) => PairSays::Unasked,
        None if decided || both.iter().any(|ask| unreadable(ask)) => PairSays::Missing,
        None => PairSays::NoDecision,
    }
}

fn unreadable(ask: &AskSummary) -> bool {
    ask.declined == Some(flipside_core::answer::Declined::Unreadable)
}

#[cfg(test)]
mod tests {
    use flipside_core::summary::Figure;

    use super::*;
    use crate::example;

    fn count(found: &[Pair<'_>], axis: &str, variant: &str, says: PairSays) -> u64 {
        let of = |pair: &&Pair<'_>| {
            pair.axis() == axis && *pair.variant.variant == *variant && pair.outcome == says
        };
        found.iter().filter(of).count() as u64
    }

    fn check(found: &[Pair<'_>], axis: &str, variant: &str, figure: &Figure) {
        use PairSays::{Flip, Missing, NoDecision, Same, Unasked};
        let of = |says| count(found, axis, variant, says);
        assert_eq!(Some(of(Flip)), figure.flips, "{axis}/{variant}");
        assert_eq!(of(Flip) + of(Same), figure.pairs, "{axis}/{variant}");
        let lost = [Missing, Unasked, NoDecision].map(of);
        let counted = [figure.missing, figure.unasked, figure.no_decision];
        assert_eq!(lost, counted, "{axis}/{variant}");
    }

    #[test]
    fn pairs_one_by_one_add_up_to_the_figures() {
        for example in [example::troubled, example::ordinary, example::many] {
            let summary = example();
            let found: Vec<Pair<'_>> = pairs(&summary).collect();
            for (axis, lines) in &summary.axes {
                for (variant, line) in lines {
                    check(&found, axis, variant, &line.figure);
                }
            }
            for (repeat, line) in summary.control.iter().flat_map(|found| &found.by_repeat) {
                check(&found, "same", repeat, &line.figure);
            }
        }
    }

    #[test]
    fn a_choice_that_was_left_out_is_no_flip_and_nothing_is_missing() {
        let mut summary = example::first(&[example::Variants::Reverse]);
        let line = summary.axes["order"]["reverse"].clone();
        summary
            .axes
            .insert("drop".to_owned(), [("1".to_owned(), line)].into());
        let case = &mut summary.cases[0];
        let mut dropped = case.asks[0].clone();
        dropped.axis = Axis::Drop;
        dropped.variant = "1".into();
        dropped.flip = None;
        let chosen = case.asks[0].choice.unwrap();
        let left: Vec<_> = (case.asks[0].order.identities().iter())
            .filter(|id| **id != chosen)
            .map(|id| id.0)
            .collect();
        dropped.order = serde_json::from_value(serde_json::json!(left)).unwrap();
        dropped.choice = Some(dropped.order.identities()[0]);
        case.asks.push(dropped);
        let found: Vec<PairSays> = (pairs(&summary))
            .filter(|pair| pair.axis() == "drop")
            .map(|pair| pair.outcome)
            .collect();
        assert_eq!(found, [PairSays::LeftOut]);
    }
}
