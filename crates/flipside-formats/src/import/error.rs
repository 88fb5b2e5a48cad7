//! Why a recording cannot be read.

use flipside_core::case::CaseId;
use flipside_core::foreign::Foreign;

use crate::read::{self, At};
use crate::recorded;

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something is wrong with one of its files.
    #[error(transparent)]
    Read(#[from] read::Error),
    /// It is a run folder of ours that cannot be read back.
    #[error(transparent)]
    Folder(#[from] recorded::Error),
    /// A folder that is no recording.
    #[error("{}: expected a recording, found a folder that is none", Foreign(path))]
    NoRecording {
        /// The folder.
        path: String,
    },
    /// Cases that should supply the rules have different ones, and their states do not tell which are whose.
    #[error(
        "{at}: decision `{decision}`: the cases of `--rules-from` have different rules, and {}",
        matching_text(*matching)
    )]
    Rules {
        /// Where the decision was read.
        at: At,
        /// Its id.
        decision: CaseId,
        /// How many different rules stand in cases of its state.
        matching: u64,
    },
}

impl Error {
    /// What to do about it, where there is something.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Read(error) => error.help(),
            Self::Folder(error) => error.help().map(str::to_owned),
            Self::NoRecording { .. } => Some(
                "name a run folder of flipside or of system1-agents, or a file with answers in it".to_owned(),
            ),
            Self::Rules { .. } => Some(
                "pass `--rules TEXT`, or cases in which every decision's state has one set of rules".to_owned(),
            ),
        }
    }
}

fn matching_text(matching: u64) -> String {
    match matching {
        0 => "none of them has its state".to_owned(),
        _ => format!("there are {matching} for its state"),
    }
}
