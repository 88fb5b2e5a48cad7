//! Rows of the capability table: from run folders, and from the summaries that `--json` writes.

mod error;
pub(crate) mod folder;
pub(crate) mod stored;

use camino::Utf8Path;
use flipside_core::capability::CapabilityRow;

pub use error::Error;

/// The rows of what is at `path`: a run folder, a folder of run folders, or a file with a summary or several.
///
/// # Errors
/// [`Error`] for the first thing that keeps it from having rows.
pub fn read(path: &Utf8Path) -> Result<Vec<CapabilityRow>, Error> {
    if path.is_dir() {
        return folder::read(path);
    }
    let bytes = fs_err::read(path).map_err(|source| Error::Io {
        path: path.to_owned(),
        source,
    })?;
    let summaries: Vec<stored::Stored> = stored::read(path, &bytes)?;
    Ok(summaries
        .into_iter()
        .map(|summary| summary.row(path, None))
        .collect())
}
