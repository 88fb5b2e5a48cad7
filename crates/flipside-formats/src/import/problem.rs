//! What can be wrong with a recording, line by line.

use flipside_core::foreign::Foreign;

use crate::read::{At, Error, Format, fields_text, list};

/// What can be wrong with a recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// No row at all.
    #[error("the file has no decision")]
    Empty,
    /// Cases, to which nobody answered yet.
    #[error("this is a case of format `{format}`, it holds no answer")]
    CaseFile {
        /// The format.
        format: Format,
    },
    /// Fields by which no format is known.
    #[error(
        "expected the fields of a recorded answer, found {}",
        fields_text(fields)
    )]
    Unknown {
        /// The fields.
        fields: Vec<String>,
    },
    /// A row of another kind than the rows before it.
    #[error("this row is {found}, the rows before it are each {before}")]
    Mixed {
        /// What it is.
        found: &'static str,
        /// What they are.
        before: &'static str,
    },
    /// A request without a response in the file of responses.
    #[error(
        "this request has no response: the file beside it has {responses}, one for each request before it"
    )]
    NoResponse {
        /// How many responses there are.
        responses: u64,
    },
    /// A response without a request in the file of requests.
    #[error("this response has no request in the file beside it")]
    NoRequest,
    /// A column that stands twice.
    #[error("column `{}` stands twice", Foreign(column))]
    RepeatedColumn {
        /// The column.
        column: String,
    },
    /// A row with more or fewer cells than there are columns.
    #[error("the row has {found} cells, the header {columns} columns")]
    Cells {
        /// How many cells.
        found: u64,
        /// How many columns.
        columns: u64,
    },
    /// Columns of no table that is known.
    #[error(
        "expected a column `chosen`, `chosen_canonical` or `choice_original`, found {}",
        list(found)
    )]
    Columns {
        /// The columns.
        found: Vec<String>,
    },
    /// A place that is not that of the chosen option.
    #[error(
        "`chosen_position` is {position}, but option {chosen} of {options} stands in place {expected} of the {order} order"
    )]
    Position {
        /// The place, from 1.
        position: u16,
        /// Where the option stands, from 1.
        expected: u16,
        /// The order.
        order: &'static str,
        /// The chosen option, from 1.
        chosen: u16,
        /// How many options there are.
        options: u16,
    },
    /// Two rows of a decision that do not say the same of it.
    #[error(
        "`{column}` is `{}`, in line {first} of the same decision it is `{}`",
        Foreign(found).cut(40),
        Foreign(other).cut(40)
    )]
    Differs {
        /// The column.
        column: &'static str,
        /// What it is.
        found: String,
        /// The line of the other row.
        first: u64,
        /// What it is there.
        other: String,
    },
    /// A case with another number of options than its answers count.
    #[error("`n_options` is {counted}, the case of that id lists {listed} options")]
    Options {
        /// How many the table counts.
        counted: u16,
        /// How many the case lists.
        listed: u64,
    },
    /// A case whose options have other keys than its answers name.
    #[error(
        "option {number} has the key `{}`, in the case of that id it is `{}`",
        Foreign(key).cut(40),
        Foreign(own).cut(40)
    )]
    OtherKey {
        /// The option, from 1.
        number: u16,
        /// Its key in the table.
        key: String,
        /// Its key in the case.
        own: String,
    },
    /// A table between two options that names another number of them.
    #[error("expected the keys of two options, found {}", list(found))]
    TwoOptions {
        /// The keys.
        found: Vec<String>,
    },
    /// A case between other options than its answers name.
    #[error(
        "the options are {}, those of its case are {}",
        list(found),
        list(listed)
    )]
    OtherOptions {
        /// The keys in the record.
        found: Vec<String>,
        /// The keys in the case, or in the row of the same id before it.
        listed: Vec<String>,
    },
    /// Two rows of one decision in one order.
    #[error("decision `{}` was answered in this order before", Foreign(id))]
    SameOrder {
        /// The id.
        id: String,
    },
    /// Two rows of one decision.
    #[error("id `{}` stands in line {first} too", Foreign(id))]
    Repeated {
        /// The id.
        id: String,
        /// The line of the first one.
        first: u64,
    },
}

impl Problem {
    /// The problem as an error of the line `at`.
    pub(crate) fn at(self, at: &At) -> Error {
        Error::Record {
            at: at.clone(),
            why: Box::new(self),
        }
    }

    /// What to do about it, in the imperative, where there is something.
    pub(crate) fn help(&self) -> Option<&'static str> {
        match self {
            Self::Empty => Some("give a file with one recorded answer a row"),
            Self::CaseFile { .. } => {
                Some("`flipside probe` asks cases; give the file with the answers to them")
            }
            Self::Unknown { .. } => Some(
                "give a run folder, System One exchanges, sys1-eval results, or a table with `id` and `chosen`",
            ),
            Self::Mixed { .. } => Some("put rows of one kind into one file"),
            Self::NoResponse { .. } | Self::NoRequest => {
                Some("the two files have one row for each exchange, in the same order")
            }
            Self::RepeatedColumn { .. } => Some("give each column its own name"),
            Self::Cells { .. } => Some("quote a cell that holds a comma or a line end"),
            Self::Columns { .. } => Some(
                "a table has `id` with `chosen`; or with `order`, `n_options` and `chosen_canonical`; or with `choice_original` and `choice_reversed`",
            ),
            Self::Position { .. } => Some(
                "count both from 1, `chosen_canonical` in the original order and `chosen_position` as offered",
            ),
            Self::OtherOptions { .. } => {
                Some("a decision has the same options in its case and in every row")
            }
            Self::Options { .. } | Self::OtherKey { .. } => {
                Some("give the cases that these answers belong to")
            }
            Self::TwoOptions { .. } => {
                Some("name both options somewhere in the table, and no third")
            }
            Self::Differs { .. } => None,
            Self::Repeated { .. } | Self::SameOrder { .. } => {
                Some("keep one of the two; flipside never picks one")
            }
        }
    }
}
