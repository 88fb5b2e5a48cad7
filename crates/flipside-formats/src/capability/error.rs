//! Why something has no row.

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;

use super::stored::SCHEMA;
use crate::{folder, journal};

/// Why something has no row in the capability table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read.
    #[error("`{path}` cannot be read")]
    Io {
        /// The file.
        path: Utf8PathBuf,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
    /// A folder that holds no run.
    #[error("`{path}` is no run folder: it has no `run.json`, and no folder in it has one")]
    NoRun {
        /// The folder.
        path: Utf8PathBuf,
    },
    /// A file that is no summary, or one that lacks something.
    #[error("`{path}` is no summary of a run")]
    NoSummary {
        /// The file.
        path: Utf8PathBuf,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// A file that does not say what it is.
    #[error("`{path}` is no summary of a run: it has no `schema`")]
    NoSchema {
        /// The file.
        path: Utf8PathBuf,
    },
    /// A file of another shape.
    #[error("`{path}` is `{}`, expected `{SCHEMA}`", Foreign(found))]
    Schema {
        /// The file.
        path: Utf8PathBuf,
        /// Its shape.
        found: String,
    },
    /// A run folder's own files cannot be read.
    #[error(transparent)]
    Folder(#[from] folder::Error),
    /// A run folder's journal cannot be read.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// A run without a summary: it was killed, or is still going on.
    #[error("`{path}` has no `summary.json`: its run did not end")]
    NotEnded {
        /// The folder.
        path: Utf8PathBuf,
        /// The command of the run, to be repeated.
        command: Vec<String>,
    },
    /// A summary of another state than the journal's.
    #[error(
        "`{path}`: `summary.json` counts {summary}, the journal has {journal}: something was asked after it was written"
    )]
    Stale {
        /// The folder.
        path: Utf8PathBuf,
        /// What the summary counts.
        summary: String,
        /// What the journal has.
        journal: String,
        /// The command of the run, to be repeated.
        command: Vec<String>,
    },
}

impl Error {
    /// The command that completes the run, as its words, where one does.
    pub fn command(&self) -> Option<&[String]> {
        match self {
            Self::NotEnded { command, .. } | Self::Stale { command, .. } => Some(command),
            _ => None,
        }
    }

    /// What to do about it, where there is something and it is no command.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NoRun { .. } => Some("name a folder that `flipside probe --out DIR` wrote"),
            Self::Schema { found, .. } if found.starts_with("flipside.comparison/") => {
                Some("a comparison of two runs is no run; name the two run folders")
            }
            Self::NoSummary { .. } | Self::NoSchema { .. } | Self::Schema { .. } => {
                Some("name a run folder, or a file that `flipside probe --json FILE` wrote")
            }
            _ => None,
        }
    }
}
