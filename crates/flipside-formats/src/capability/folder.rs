//! Rows of run folders, whose summary must be that of the journal beside it.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::capability::CapabilityRow;
use flipside_core::record::Outcome;

use super::Error;
use super::stored;
use crate::folder::{Run, journal_path, read_run};
use crate::journal;

/// The row of the run folder at `path`; of a folder that holds the run folders of several models, those of each.
pub(super) fn read(path: &Utf8Path) -> Result<Vec<CapabilityRow>, Error> {
    runs(path)?.iter().map(|run| row(run)).collect()
}

/// The run folder at `path` itself, or those of several models in it, by name.
///
/// # Errors
/// [`Error::NoRun`] where there is none, [`Error::Io`].
pub(crate) fn runs(path: &Utf8Path) -> Result<Vec<Utf8PathBuf>, Error> {
    if path.join("run.json").exists() {
        return Ok(vec![path.to_owned()]);
    }
    let runs = runs_in(path)?;
    if runs.is_empty() {
        return Err(Error::NoRun {
            path: path.to_owned(),
        });
    }
    Ok(runs)
}

/// The run folders in a folder, by name.
fn runs_in(path: &Utf8Path) -> Result<Vec<Utf8PathBuf>, Error> {
    let io = |source| Error::Io {
        path: path.to_owned(),
        source,
    };
    let mut runs = Vec::new();
    for entry in fs_err::read_dir(path).map_err(io)? {
        // What is not UTF-8 is no folder of ours.
        if let Ok(inner) = Utf8PathBuf::from_path_buf(entry.map_err(io)?.path())
            && inner.join("run.json").exists()
        {
            runs.push(inner);
        }
    }
    runs.sort();
    Ok(runs)
}

fn row(path: &Utf8Path) -> Result<CapabilityRow, Error> {
    let (run, bytes) = ended(path)?;
    let summary: stored::Stored = stored::read_one(&path.join("summary.json"), &bytes)?;
    Ok(summary.row(path, Some(&run)))
}

/// `run.json` and the bytes of `summary.json` of a run that ended: what the summary counts is what the journal has.
///
/// # Errors
/// [`Error::NotEnded`] and [`Error::Stale`] for one that did not, and whatever keeps its files from being read.
pub(crate) fn ended(path: &Utf8Path) -> Result<(Run, Vec<u8>), Error> {
    let run = read_run(path)?;
    let file = path.join("summary.json");
    if !file.exists() {
        return Err(Error::NotEnded {
            path: path.to_owned(),
            command: command(path, &run),
        });
    }
    let bytes = fs_err::read(&file).map_err(|source| Error::Io {
        path: file.clone(),
        source,
    })?;
    let summary: stored::Stored = stored::read_one(&file, &bytes)?;
    let (counted, journaled) = (summary.recorded(), journaled(path)?);
    if counted != journaled {
        return Err(Error::Stale {
            path: path.to_owned(),
            summary: counted.text(),
            journal: journaled.text(),
            command: command(path, &run),
        });
    }
    Ok((run, bytes))
}

/// The command of the run, with the folder where it did not name one.
fn command(path: &Utf8Path, run: &Run) -> Vec<String> {
    let mut command = run.command.clone();
    let named = |word: &String| word == "--out" || word.starts_with("--out=");
    if !command.iter().any(named) {
        let models = command.iter().filter(|word| word.starts_with("--model"));
        // Several models of one command have a folder each in the one that goes on.
        let out = match path.parent() {
            Some(parent) if models.count() > 1 => parent,
            _ => path,
        };
        command.extend(["--out".to_owned(), out.to_string()]);
    }
    command
}

/// Asks that ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) answered: u64,
    pub(super) failed: u64,
    /// Those that repeat one to confirm a flip.
    pub(super) confirming: u64,
}

impl Ended {
    fn text(self) -> String {
        format!(
            "{} answered and {} failed asks, and {} that confirm flips",
            self.answered, self.failed, self.confirming
        )
    }
}

/// What the journal has; of several lines of one ask the last counts.
fn journaled(path: &Utf8Path) -> Result<Ended, Error> {
    let mut slots: BTreeMap<u32, (bool, bool)> = BTreeMap::new();
    journal::visit(&journal_path(path), |line| {
        let answered = matches!(*line.outcome, Outcome::Answered(_));
        slots.insert(line.ask, (line.confirms.is_some(), answered));
    })?;
    let mut ended = Ended::default();
    for (confirms, answered) in slots.into_values() {
        match (confirms, answered) {
            (true, _) => ended.confirming += 1,
            (false, true) => ended.answered += 1,
            (false, false) => ended.failed += 1,
        }
    }
    Ok(ended)
}
