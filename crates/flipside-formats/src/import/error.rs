//! Why a recording cannot be read.

use crate::read;
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
}

impl Error {
    /// What to do about it, where there is something.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Read(error) => error.help(),
            Self::Folder(error) => error.help().map(str::to_owned),
        }
    }
}
