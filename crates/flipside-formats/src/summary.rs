//! Whole summaries of runs that ended, as they were stored.

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::case::Case;
use flipside_core::summary::Summary;

use crate::capability::{folder, stored};
use crate::folder::Run;
use crate::recorded;

/// Why a stored summary cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The run did not end, or its summary cannot be read.
    #[error(transparent)]
    Summary(#[from] crate::capability::Error),
    /// Its cases cannot be read.
    #[error(transparent)]
    Cases(#[from] recorded::Error),
}

impl Error {
    /// The command that completes the run, as its words, where one does.
    pub fn command(&self) -> Option<&[String]> {
        match self {
            Self::Summary(error) => error.command(),
            Self::Cases(_) => None,
        }
    }

    /// What to do about it, where there is something and it is no command.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Summary(error) => error.help(),
            Self::Cases(_) => None,
        }
    }
}

/// A summary as it was stored, with what stands beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSummary {
    /// The run folder, or the file that holds the summary.
    pub path: Utf8PathBuf,
    /// `run.json`; `None` for a file.
    pub run: Option<Run>,
    /// The summary.
    pub summary: Summary,
    /// The cases of a run folder; empty for a file.
    pub cases: Vec<Case>,
}

/// The summaries of what is at `path`: a run folder, a folder of run folders, or a file with a summary or several.
///
/// # Errors
/// [`Error`] for the first thing that keeps one from being read.
pub fn read(path: &Utf8Path) -> Result<Vec<StoredSummary>, Error> {
    if path.is_dir() {
        let runs = folder::runs(path)?;
        return runs.into_iter().map(read_folder).collect();
    }
    let bytes = fs_err::read(path).map_err(|source| crate::capability::Error::Io {
        path: path.to_owned(),
        source,
    })?;
    let summaries = stored::read(path, &bytes)?.into_iter();
    let alone = |summary| StoredSummary {
        path: path.to_owned(),
        run: None,
        summary,
        cases: Vec::new(),
    };
    Ok(summaries.map(alone).collect())
}

fn read_folder(path: Utf8PathBuf) -> Result<StoredSummary, Error> {
    let (run, bytes) = folder::ended(&path)?;
    let summary = stored::read_one(&path.join("summary.json"), &bytes)?;
    let cases = recorded::read_cases(&path)?;
    Ok(StoredSummary {
        path,
        run: Some(run),
        summary,
        cases,
    })
}
