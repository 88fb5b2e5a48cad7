//! Warnings about recorded answers, of which none can be asked again here.

use std::fmt;

use flipside_core::summary::Summary;

use super::find::{blamed, failed_share, unseen};
use super::kind::{Flipping, Warning};
use crate::wording::{count, list, percent_of, plural, sentence};

/// Something in a summary of recorded answers that weakens what its figures say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RecordedWarning {
    /// Gates failed, and nothing on record was asked twice.
    Once {
        /// The variant that flips most of each such axis.
        worst: Vec<Flipping>,
    },
    /// More asks failed than can be shrugged off.
    Failed {
        /// Failed asks.
        failed: u64,
        /// Asks on record.
        made: u64,
    },
    /// A reversal alone cannot see a preference for both ends or for the middle.
    ReversalAlone {
        /// Cases with three options or more.
        cases: u64,
    },
}

/// Those of a summary of recorded answers.
pub(super) fn warnings(summary: &Summary) -> Vec<Warning> {
    let counts = &summary.counts;
    let made = counts.failed + counts.answered;
    let failed = failed_share(counts.failed, made).then_some(RecordedWarning::Failed {
        failed: counts.failed,
        made,
    });
    let worst = blamed(summary);
    let once = (!worst.is_empty()).then_some(RecordedWarning::Once { worst });
    let cases = unseen(summary, |unseen| unseen.symmetric);
    let reversal = (cases > 0).then_some(RecordedWarning::ReversalAlone { cases });
    let found = [failed, once, reversal];
    found.into_iter().flatten().map(Warning::Recorded).collect()
}

impl fmt::Display for RecordedWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seen, matters, act) = match self {
            Self::Once { worst } => {
                let flipped = worst
                    .iter()
                    .map(|each| format!("{} flipped {}", each.name(), each.share()));
                (
                    format!(
                        "{}, and nothing on record was asked twice",
                        list(&flipped.collect::<Vec<_>>())
                    ),
                    "a backend that disagrees with itself would flip too",
                    "record the same presentations once more, and compare those",
                )
            }
            Self::Failed { failed, made } => (
                format!(
                    "{} of {} on record failed ({})",
                    count(*failed),
                    plural(*made, "ask", "asks"),
                    percent_of(*failed, *made)
                ),
                "what they would have said is in no rate, and bounds count it against the model",
                "have them answered, and compare again",
            ),
            Self::ReversalAlone { cases } => (
                format!(
                    "a reversal is the only order on record of {} with three options or more",
                    plural(*cases, "case", "cases")
                ),
                "it cannot see a preference for both ends or for the middle",
                "record another order too, such as a rotation",
            ),
        };
        f.write_str(&sentence(&seen, matters, act))
    }
}
