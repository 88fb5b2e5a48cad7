//! What can be wrong with a recording, line by line.

use flipside_core::foreign::Foreign;

use crate::read::{At, Error, Format, list};

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
    #[error("expected the fields of a recorded answer, found {}", list(fields))]
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
            Self::Repeated { .. } => Some("keep one of the two; flipside never picks one"),
        }
    }
}
