//! Why a checkpoint cannot be loaded, or a question not be asked of it.

use flipside_core::foreign::Foreign;

/// Why a checkpoint cannot be loaded. Every message names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file of the folder cannot be read.
    #[error("`{file}` cannot be read")]
    Read {
        /// The file.
        file: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A file holds something that this architecture does not have.
    #[error("{file}: {problem}")]
    Invalid {
        /// The file.
        file: String,
        /// What was found and expected.
        problem: String,
    },
    /// The weights lack a tensor.
    #[error("{file}: no tensor `{name}`, expected one of shape {expected:?}")]
    Missing {
        /// The file.
        file: String,
        /// The tensor.
        name: String,
        /// Its shape.
        expected: Vec<usize>,
    },
    /// A tensor has another shape.
    #[error("{file}: tensor `{name}` has shape {found:?}, expected {expected:?}")]
    Shape {
        /// The file.
        file: String,
        /// The tensor.
        name: String,
        /// Its shape in the file.
        found: Vec<usize>,
        /// The shape that the configuration and the other tensors ask for.
        expected: Vec<usize>,
    },
    /// The weights hold tensors that this architecture does not have.
    #[error("{file}: {}, which this architecture does not have", unknown(names))]
    Unknown {
        /// The file.
        file: String,
        /// The tensors with their shapes, in byte order of their names.
        names: Vec<(String, Vec<usize>)>,
    },
}

impl LoadError {
    pub(crate) fn invalid(file: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid {
            file: file.into(),
            problem: problem.into(),
        }
    }
}

/// Names of unknown tensors that a message lists.
const LISTED: usize = 3;

fn unknown(names: &[(String, Vec<usize>)]) -> String {
    let listed: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|(name, shape)| format!("`{}` of shape {shape:?}", Foreign(name)))
        .collect();
    let more = names.len() - listed.len();
    let noun = if names.len() == 1 {
        "tensor"
    } else {
        "tensors"
    };
    let listed = listed.join(", ");
    if more == 0 {
        format!("{noun} {listed}")
    } else {
        format!("{noun} {listed} and {more} more")
    }
}

/// Why a model in process does not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The question is one that this model cannot be asked, or is too large for it.
    #[error("{0}")]
    Refused(String),
    /// A forward pass failed.
    #[error("the forward pass failed: {0}")]
    Forward(#[from] candle_core::Error),
}

impl AskError {
    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }

    /// The same, of the question called `id`.
    pub(crate) fn of_question(self, id: &str) -> Self {
        match self {
            Self::Refused(reason) => {
                Self::Refused(format!("question `{}`: {reason}", Foreign(id).cut(40)))
            }
            other => other,
        }
    }
}
