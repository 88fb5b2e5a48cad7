//! What became of one ask.

use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::model::Rejection;

/// What became of one ask: an answer by identity, or a failed ask under its own name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The model answered; declining to decide is an answer too.
    Answered(Answer),
    /// No valid answer: the pair is missing.
    Failed(Failed),
}

/// A failed ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The kind of failure.
    pub kind: FailedKind,
    /// What was found, for a person.
    pub message: String,
    /// Whether no answer came at all (a dead connection, a timeout, a busy or broken server), so that going on with the
    /// run asks it again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswered: bool,
}

impl From<&Rejection> for Failed {
    /// The failed ask that a rejected reply is.
    fn from(rejection: &Rejection) -> Self {
        let kind = match rejection {
            Rejection::Malformed { .. } => FailedKind::Malformed,
            Rejection::Backend { .. } => FailedKind::Status,
            Rejection::Unsupported { .. } => FailedKind::Unsupported,
        };
        Self {
            kind,
            message: rejection.to_string(),
            unanswered: false,
        }
    }
}

/// Kinds of failed ask.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailedKind {
    /// The reply broke a rule of the protocol.
    Malformed,
    /// The backend answered with an error.
    Status,
    /// No connection, or one that broke.
    Connection,
    /// No complete reply in time.
    Timeout,
    /// The model cannot answer this kind of question.
    Unsupported,
    /// Nothing recorded for this ask.
    Unavailable,
}

/// An ask with everything that a figure needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What became of it.
    pub outcome: Outcome,
    /// How long the last attempt took, in milliseconds.
    pub ms: f64,
    /// How many attempts were made; 0 for an ask that shares another's bytes.
    pub attempts: u32,
}
