//! What recorded answers must not be compared for.

use crate::foreign::Foreign;

/// Why recorded answers make no pairs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Two models answered, and they were shown other things.
    #[error(
        "the two sides differ in two things at once: `{}` answered one and `{}` the other, and {other} of {of} common cases were shown \
         otherwise",
        Foreign(baseline),
        Foreign(variant)
    )]
    TwoThings {
        /// The baseline's model.
        baseline: String,
        /// The variant's.
        variant: String,
        /// Common cases that were not shown alike.
        other: u64,
        /// Common cases.
        of: u64,
    },
    /// Two models answered, and what they were shown is not on record.
    #[error(
        "`{}` answered one side and `{}` the other, and what {unlisted} of {of} common cases were shown is not on record",
        Foreign(baseline),
        Foreign(variant)
    )]
    Unseen {
        /// The baseline's model.
        baseline: String,
        /// The variant's.
        variant: String,
        /// Common cases without an order of their options on record.
        unlisted: u64,
        /// Common cases.
        of: u64,
    },
    /// No case is on both sides.
    #[error("no case is in both: {only_baseline} only in the baseline, {only_variant} only in the variant{}", repeated_text(*repeated))]
    NoCommonCase {
        /// Cases only in the baseline.
        only_baseline: u64,
        /// Cases only in the variant.
        only_variant: u64,
        /// Ids that one side has several times, with different content or answers.
        repeated: u64,
    },
    /// Cases are on both sides, and their options or questions are others.
    #[error(
        "no common case can be compared: {other_options} offered other options, {other_types} asked another type of question"
    )]
    NothingAlike {
        /// Cases with other options.
        other_options: u64,
        /// Cases with another type of question.
        other_types: u64,
    },
    /// One set, with one answer to each case.
    #[error("`{}` holds one answer to each case", Foreign(name))]
    OneOrder {
        /// The set.
        name: String,
    },
}

fn repeated_text(repeated: u64) -> String {
    match repeated {
        0 => String::new(),
        1 => ", 1 id stands several times with different answers".to_owned(),
        n => format!(", {n} ids stand several times with different answers"),
    }
}

impl Refusal {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::TwoThings { .. } => {
                "compare one model's answers to two presentations, or two models' answers to one"
            }
            Self::Unseen { .. } => {
                "give the cases of both sides with `--cases CASES`, and `--variant-cases CASES` where they differ"
            }
            Self::NoCommonCase { .. } => {
                "compare answers to the same cases; those are told by their ids"
            }
            Self::NothingAlike { .. } => {
                "compare answers to the same cases; options are the same by key and text, by text or by key"
            }
            Self::OneOrder { .. } => {
                "name a second file to compare it with, or one file that holds several orders of each case"
            }
        }
    }
}
