//! Where `--json` goes: opened before the work, written after it, and never over what the command reads or keeps.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use flipside_core::foreign::Foreign;

use crate::diagnostic::{self, Diagnostic};

/// Where `--json` goes.
pub(crate) enum JsonFile {
    /// To standard output.
    Standard,
    /// Into a file.
    File {
        /// The file, with what was in it.
        file: fs_err::File,
        /// Whether it was there before.
        existed: bool,
    },
}

/// What a command reads or keeps.
#[derive(Default)]
pub(crate) struct Kept<'a> {
    /// Files, by any of their names.
    pub(crate) files: Vec<&'a str>,
    /// Folders, with all that is in them.
    pub(crate) folders: Vec<&'a str>,
}

/// The arguments of the models `specs` that are named `prefix`, such as the runs that `replay:` reads.
pub(crate) fn arguments<'a>(specs: &[&'a str], prefix: &str) -> Vec<&'a str> {
    let arguments = specs.iter().filter_map(|spec| spec.strip_prefix(prefix));
    arguments.collect()
}

impl JsonFile {
    /// Opens `path`, or nothing for `-`, without touching what is in it.
    ///
    /// # Errors
    /// A file that cannot be written, or that the command reads or keeps.
    pub(crate) fn open(path: &str, kept: &Kept<'_>) -> Result<Self, Diagnostic> {
        if path == "-" {
            return Ok(Self::Standard);
        }
        let shown = Foreign(path);
        if kept.has(path) {
            let help = "name another file; the summary would replace what the run reads or keeps";
            let text = format!("`--json {shown}` is a file of this run");
            return Err(Diagnostic::new(text).help(help));
        }
        let existed = Path::new(path).exists();
        let mut options = fs_err::OpenOptions::new();
        let options = options.create(true).truncate(false).write(true);
        match options.open(path) {
            Ok(file) => Ok(Self::File { file, existed }),
            Err(error) => Err(Diagnostic::new(format!("`--json {shown}`: {error}"))),
        }
    }

    /// Whether standard output is taken.
    pub(crate) fn is_standard(&self) -> bool {
        matches!(self, Self::Standard)
    }

    /// Leaves nothing behind: a file that was not there before is removed.
    pub(crate) fn discard(self) {
        if let Self::File {
            file,
            existed: false,
        } = self
        {
            // What cannot be removed is empty.
            let _ = fs_err::remove_file(file.path());
        }
    }

    /// Writes what `write` writes.
    ///
    /// # Errors
    /// What keeps it from being written.
    pub(crate) fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Diagnostic> {
        let Self::File { file, .. } = self else {
            let mut out = BufWriter::new(io::stdout().lock());
            return diagnostic::written(write(&mut out).and_then(|()| out.flush()));
        };
        // Only a regular file has something to cut; a device or pipe takes what comes.
        let regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        let cut = if regular { file.set_len(0) } else { Ok(()) };
        let written = cut.and_then(|()| {
            let mut out = BufWriter::with_capacity(1 << 16, file);
            write(&mut out).and_then(|()| out.flush())
        });
        written.map_err(|error| Diagnostic::new(format!("`--json`: {error}")))
    }
}

impl Kept<'_> {
    fn has(&self, path: &str) -> bool {
        let target = identity(path);
        if target.is_some() && self.files.iter().any(|file| identity(file) == target) {
            return true;
        }
        let parent = match Path::new(path).parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let Ok(parent) = fs_err::canonicalize(parent) else {
            return false;
        };
        let inside = |folder: &&str| {
            fs_err::canonicalize(folder).is_ok_and(|folder| parent.starts_with(folder))
        };
        self.folders.iter().any(inside)
    }
}

/// What tells one file from another under all its names.
fn identity(path: &str) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs_err::metadata(path).ok()?;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}
