//! One pair: a baseline ask and a variant ask of one case.

use crate::answer::Version;
use crate::case::Case;
use crate::order::OptionId;
use crate::record::{Asked, Outcome};
use crate::summary::Transitions;

/// What one ask contributes to a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// An option, by identity.
    Chose {
        /// The option.
        id: OptionId,
        /// Whether the answer's top two probabilities are equal as reported.
        tied: bool,
    },
    /// The model answered and did not decide.
    Nothing,
    /// The ask failed, or its answer cannot be read.
    Missing,
    /// The ask was not made.
    Unasked,
}

impl Said {
    /// The same, naming an option by the smallest identity that is declared to be the same answer: what is compared.
    #[must_use]
    pub fn within(self, case: &Case) -> Self {
        match self {
            Self::Chose { id, tied } => Self::Chose {
                id: case.class_of(id),
                tied,
            },
            other => other,
        }
    }
}

/// What a pair says (the statistics page, 2.2, without the vacuous ones, which are never asked).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairOutcome {
    /// An ask of it was not made.
    Unasked,
    /// An ask of it failed.
    Missing,
    /// Neither answer decided.
    NoDecision,
    /// The outcomes differ.
    Flip {
        /// Whether either answer is tied.
        tie: bool,
        /// Whether one of the two did not decide.
        no_decision: bool,
    },
    /// The same option.
    Same,
}

/// What an ask says, if it was made.
pub fn said(asked: Option<&Asked>) -> Said {
    asked.map_or(Said::Unasked, |asked| said_of(&asked.outcome))
}

/// What an outcome says.
pub(crate) fn said_of(outcome: &Outcome) -> Said {
    match outcome {
        Outcome::Failed(_) => Said::Missing,
        // Text that nobody can read says nothing about the decision behind it, neither that it changed nor that it did not.
        Outcome::Answered(answer) if answer.is_unreadable() => Said::Missing,
        Outcome::Answered(answer) => match answer.choice {
            Some(id) => Said::Chose {
                id,
                tied: answer.tied,
            },
            None => Said::Nothing,
        },
    }
}

/// Whether two answers name different models that served them, by name, provider, revision or fingerprint: such a pair compares
/// two models and not two orders. What one of them does not say is no difference.
pub fn other_version(baseline: Option<&Asked>, variant: Option<&Asked>) -> bool {
    match (version(baseline), version(variant)) {
        (Some(a), Some(b)) => a.differs_from(&b),
        _ => false,
    }
}

/// What answered an ask, if it was answered.
fn version(asked: Option<&Asked>) -> Option<Version<'_>> {
    match asked.map(|asked| &asked.outcome) {
        Some(Outcome::Answered(answer)) => Some(answer.version()),
        _ => None,
    }
}

/// The outcome of a pair; the first rule that fits wins.
pub fn pair(baseline: Said, variant: Said) -> PairOutcome {
    match (baseline, variant) {
        (Said::Missing, _) | (_, Said::Missing) => PairOutcome::Missing,
        (Said::Unasked, _) | (_, Said::Unasked) => PairOutcome::Unasked,
        (Said::Nothing, Said::Nothing) => PairOutcome::NoDecision,
        (Said::Chose { tied, .. }, Said::Nothing) | (Said::Nothing, Said::Chose { tied, .. }) => {
            PairOutcome::Flip {
                tie: tied,
                no_decision: true,
            }
        }
        (
            Said::Chose {
                id: a,
                tied: tied_a,
            },
            Said::Chose {
                id: b,
                tied: tied_b,
            },
        ) => {
            if a == b {
                PairOutcome::Same
            } else {
                PairOutcome::Flip {
                    tie: tied_a || tied_b,
                    no_decision: false,
                }
            }
        }
    }
}

/// Counts one labelled pair of decided answers by its direction. An unlabelled case counts nowhere.
pub fn transitions(counts: &mut Transitions, case: &Case, baseline: OptionId, variant: OptionId) {
    let (Some(before), Some(after)) = (case.accepts(baseline), case.accepts(variant)) else {
        return;
    };
    let count = match (before, after, baseline == variant) {
        (true, true, true) => &mut counts.kept_right,
        (true, true, false) => &mut counts.lateral_accepted,
        (true, false, _) => &mut counts.harmful,
        (false, true, _) => &mut counts.repairing,
        (false, false, true) => &mut counts.kept_wrong,
        (false, false, false) => &mut counts.lateral_wrong,
    };
    *count += 1;
}
