//! What a record lacks, in words that a user can act on.

use std::fmt;

use crate::foreign::Foreign;

/// What is not on record and would be needed to ask a decision again, or to compare it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Missing {
    /// What the model was told about how to decide.
    Rules,
    /// The whole request: state, question and options.
    Request,
    /// The state as it was sent.
    State,
    /// A plan text that stood in the state.
    Plan,
    /// Notices that stood in the state.
    Notices,
    /// Pictures that stood in the state.
    Images,
    /// The order in which the options were offered.
    Order,
    /// Options beyond those that are kept.
    Options {
        /// How many are kept.
        kept: u64,
        /// How many there were, where that is on record.
        of: Option<u64>,
    },
    /// What stood before the model at this decision: no recorded view, or more than one, has these options.
    View,
    /// The question: which of several a probability belongs to, or its text.
    Question,
    /// The answer, which failed or was left out.
    Answer {
        /// Why, as the record has it.
        why: String,
    },
}

impl Missing {
    /// Whether its lack keeps the answer from being compared too.
    pub fn bars_comparison(&self) -> bool {
        matches!(
            self,
            Self::Options { .. } | Self::View | Self::Answer { .. }
        )
    }

    /// What supplies it, where something does.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Rules => Some(
                "`--rules TEXT`, `--rules @FILE`, or `--rules-from CASES` with cases of the same agent",
            ),
            Self::Request => Some("`--cases CASES` with the cases that the answers belong to"),
            Self::Order => Some("`--options-from CASES` with cases that list the options in order"),
            _ => None,
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => f.write_str("the rules that the model was given are not on record"),
            Self::Request => f.write_str("the request is not on record"),
            Self::State => f.write_str("the state is not on record"),
            Self::Plan => f.write_str("a plan stood in the state, its text is not on record"),
            Self::Notices => f.write_str("notices stood in the state, their text is not on record"),
            Self::Images => f.write_str("pictures stood in the state and are not on record"),
            Self::Order => {
                f.write_str("the order in which the options were offered is not on record")
            }
            Self::Options { kept, of: None } => {
                write!(f, "only {kept} of the options are on record")
            }
            Self::Options { kept, of: Some(of) } => {
                write!(f, "only {kept} of the {of} options are on record")
            }
            Self::View => f.write_str("no single recorded view has the options of this decision"),
            Self::Question => f.write_str("the question is not on record"),
            Self::Answer { why } => write!(f, "there is no answer: {}", Foreign(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_says_what_is_missing_and_what_supplies_it() {
        let all = [
            Missing::Rules,
            Missing::Request,
            Missing::State,
            Missing::Plan,
            Missing::Notices,
            Missing::Images,
            Missing::Order,
            Missing::Options { kept: 6, of: None },
            Missing::Options {
                kept: 6,
                of: Some(21),
            },
            Missing::View,
            Missing::Question,
            Missing::Answer {
                why: "status 422".to_owned(),
            },
        ];
        let told: Vec<_> = all
            .iter()
            .map(|missing| (missing.to_string(), missing.bars_comparison()))
            .collect();
        let expected = [
            (
                "the rules that the model was given are not on record",
                false,
            ),
            ("the request is not on record", false),
            ("the state is not on record", false),
            (
                "a plan stood in the state, its text is not on record",
                false,
            ),
            (
                "notices stood in the state, their text is not on record",
                false,
            ),
            ("pictures stood in the state and are not on record", false),
            (
                "the order in which the options were offered is not on record",
                false,
            ),
            ("only 6 of the options are on record", true),
            ("only 6 of the 21 options are on record", true),
            (
                "no single recorded view has the options of this decision",
                true,
            ),
            ("the question is not on record", false),
            ("there is no answer: status 422", true),
        ];
        let expected: Vec<_> = expected
            .iter()
            .map(|(text, bars)| ((*text).to_owned(), *bars))
            .collect();
        assert_eq!(told, expected);
        let helped = all.iter().filter(|missing| missing.help().is_some());
        assert_eq!(helped.count(), 3);
    }
}
