//! Why rows do not make a suite.

use flipside_core::foreign::Foreign;

use crate::read::{At, Error, list};

/// Why rows do not make a suite. Lines are of the same file as the error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Base cases where rows are expected.
    #[error("this is a base case of a fragility suite, and no row that can be asked")]
    BaseFile,
    /// Rows where base cases are expected.
    #[error("this is a row of a fragility suite, and no base case")]
    RowsFile,
    /// Rows of a base case that are not there.
    #[error("base case `{}` has no row {}", Foreign(base), list(missing))]
    Missing {
        /// The base case.
        base: String,
        /// The rows, such as `p1/reversed/abstract`.
        missing: Vec<String>,
    },
    /// A row that stands twice.
    #[error(
        "base case `{}` has row `{row}` in line {first} already",
        Foreign(base)
    )]
    Doubled {
        /// The base case.
        base: String,
        /// The row, such as `p1/reversed/abstract`.
        row: String,
        /// The line of the first one.
        first: u64,
    },
    /// Rows that differ in more than they may.
    #[error(
        "base case `{}`: {what} is not that of line {first}, and {rows} may not differ in it",
        Foreign(base)
    )]
    Differs {
        /// The base case.
        base: String,
        /// What differs, such as `` `state` ``.
        what: &'static str,
        /// The line of the other row.
        first: u64,
        /// Which rows have to agree.
        rows: &'static str,
    },
    /// Options that do not stand as the row's order says.
    #[error(
        "base case `{}`: the row is `{order}`, but next to line {first} its {what} do not stand so",
        Foreign(base)
    )]
    Arrangement {
        /// The base case.
        base: String,
        /// The row's order.
        order: &'static str,
        /// What is out of place: option names or descriptions.
        what: &'static str,
        /// The line of the other row.
        first: u64,
    },
    /// A list of options that are not the row's.
    #[error(
        "base case `{}`: `gold.options` lists {}, the row offers {}",
        Foreign(base),
        list(listed),
        list(offered)
    )]
    Listed {
        /// The base case.
        base: String,
        /// What is listed.
        listed: Vec<String>,
        /// What the row offers, as shown.
        offered: Vec<String>,
    },
    /// A list of options in an order that no reading gives it.
    #[error(
        "base case `{}`: `gold.options` is neither in the row's own order nor in that of the forward row",
        Foreign(base)
    )]
    ListedOrder {
        /// The base case.
        base: String,
    },
    /// A base case that cannot be read in any way.
    #[error(
        "base case `{}`: whatever its aliases belong to and whatever order `gold.options` has, lines {first} and {other} do \
         not accept the same option",
        Foreign(base)
    )]
    NoReading {
        /// The base case.
        base: String,
        /// A line.
        first: u64,
        /// A line that does not agree with it under the reading that comes closest.
        other: u64,
    },
    /// Base cases that can be read, but not all in one way.
    #[error(
        "base cases `{}` and `{}` do not agree: the first can only be read so that {reading}, the second only so that {other}",
        Foreign(base),
        Foreign(second)
    )]
    TwoReadings {
        /// A base case.
        base: String,
        /// How it can be read.
        reading: String,
        /// Another base case.
        second: String,
        /// How that one can be read.
        other: String,
    },
    /// A base case that means one thing or another.
    #[error(
        "base case `{}` accepts option {} if {reading}, and option {} if {other}; no row of the file decides",
        Foreign(base),
        first + 1,
        second + 1
    )]
    Undecided {
        /// The base case.
        base: String,
        /// A canonical identity.
        first: u16,
        /// The reading under which it is accepted.
        reading: String,
        /// Another canonical identity.
        second: u16,
        /// The reading under which that one is accepted.
        other: String,
    },
    /// An answer to a row that the suite does not have.
    #[error("row `{}` is not in the suite", Foreign(row))]
    NoRow {
        /// The row's id.
        row: String,
    },
    /// A second answer to one row.
    #[error("row `{}` is answered in line {first} already", Foreign(row))]
    AnsweredTwice {
        /// The row's id.
        row: String,
        /// The line of the first answer.
        first: u64,
    },
    /// An answer that names two rows.
    #[error(
        "`id` names row `{}`, the other fields name row `{}`",
        Foreign(id),
        Foreign(row)
    )]
    TwoRows {
        /// The row that `id` names.
        id: String,
        /// The row that the other fields name.
        row: String,
    },
    /// A file of answers without one.
    #[error("the file has no answer")]
    NoAnswers,
}

impl Problem {
    /// The problem as an error of the line `at`.
    pub(crate) fn at(self, at: &At) -> Error {
        Error::Suite {
            at: at.clone(),
            why: Box::new(self),
        }
    }

    /// What to do about it, in the imperative.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            Self::BaseFile => "make its rows with `flipside suite generate`, and give those",
            Self::RowsFile => "give the file of base cases that the rows were made of",
            Self::Missing { .. } | Self::Doubled { .. } => {
                "a base case has one row for each wording, order and key variant that the file has"
            }
            Self::Differs { .. } => {
                "rows are compared in pairs, and a pair may differ in one thing only"
            }
            Self::Arrangement { .. } => {
                "list the options of a `reversed` row in the opposite order of those of its `forward` row"
            }
            Self::ListedOrder { .. } => "list the options in the order in which the row shows them",
            Self::Listed { .. } => "list the options by the names that the row shows",
            Self::NoReading { .. } | Self::TwoReadings { .. } => {
                "write `gold` in every row so that it names the same option of the base case, in one way for the whole file"
            }
            Self::Undecided { .. } => "add the `forward` rows, in which every reading is the same",
            Self::NoRow { .. } => {
                "answer the rows of the suite that is scored, by ids such as `news-01/p0/forward/semantic`"
            }
            Self::AnsweredTwice { .. } => {
                "leave one of them; answers of another engine or time are another file and column"
            }
            Self::TwoRows { .. } => "leave `id` out, or make them agree",
            Self::NoAnswers => {
                "write one line for each row, such as `{\"id\":\"news-01/p0/forward/semantic\",\"answer\":\"science\"}`"
            }
        }
    }
}
