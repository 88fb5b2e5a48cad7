//! The journal's writing end: one whole line per ask, handed to the system before anything else happens.

use std::collections::BTreeSet;
use std::io::{Seek, SeekFrom, Write};

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::digest::Digest;
use flipside_formats::journal::Line;

/// The journal could not be written.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` could not be written")]
pub struct AppendError {
    /// The journal.
    pub path: Utf8PathBuf,
    /// What went wrong.
    #[source]
    pub source: std::io::Error,
}

/// An open journal.
#[derive(Debug)]
pub struct Append {
    path: Utf8PathBuf,
    file: fs_err::File,
    whole: u64,
    pending: Vec<u8>,
    requests: BTreeSet<Digest>,
}

impl Append {
    /// Opens the journal at `path` after its whole lines, which end at `whole_bytes`; what follows was cut short and goes.
    ///
    /// # Errors
    /// [`AppendError`] if it cannot be opened for writing.
    pub fn open(
        path: &Utf8Path,
        whole_bytes: u64,
        requests: BTreeSet<Digest>,
    ) -> Result<Self, AppendError> {
        let error = |source| AppendError {
            path: path.to_owned(),
            source,
        };
        let mut options = fs_err::OpenOptions::new();
        let mut file = options
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(error)?;
        file.set_len(whole_bytes).map_err(error)?;
        file.seek(SeekFrom::Start(whole_bytes)).map_err(error)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            whole: whole_bytes,
            pending: Vec::new(),
            requests,
        })
    }

    /// Whether the request of this digest is to be kept with the next line: true the first time.
    pub(crate) fn keeps_request(&mut self, digest: Digest) -> bool {
        self.requests.insert(digest)
    }

    /// Adds a line; [`Append::flush`] writes it.
    pub(crate) fn add(&mut self, line: &Line<'_>) -> Result<(), AppendError> {
        let start = self.pending.len();
        line.write(&mut self.pending).map_err(|error| {
            self.pending.truncate(start);
            self.error(error.into())
        })
    }

    /// Hands all added lines to the system. After an error the lines stay, and the next call tries them again.
    pub(crate) fn flush(&mut self) -> Result<(), AppendError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        if let Err(error) = self.file.write_all(&self.pending) {
            // A part may have been written: back to the last whole line, so that the file stays readable.
            let back = self
                .file
                .set_len(self.whole)
                .and_then(|()| self.file.seek(SeekFrom::Start(self.whole)));
            return Err(self.error(back.err().unwrap_or(error)));
        }
        self.whole += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Waits until the system has stored everything.
    ///
    /// # Errors
    /// [`AppendError`].
    pub fn finish(mut self) -> Result<(), AppendError> {
        self.flush()?;
        self.file.sync_all().map_err(|source| self.error(source))
    }

    fn error(&self, source: std::io::Error) -> AppendError {
        AppendError {
            path: self.path.clone(),
            source,
        }
    }
}
