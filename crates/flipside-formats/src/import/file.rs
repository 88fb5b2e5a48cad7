//! One file of a recording.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use camino::Utf8Path;
use flipside_core::case::Source;
use flipside_core::digest::Digest;

use super::{Kind, Problem};
use crate::json::utf8;
use crate::read::{
    At, Error, InLines, Input, Out, Row, each_line, each_row, in_lines, load, of_json,
};

/// One file of a recording, unpacked.
pub(super) struct File<'a> {
    pub(super) path: &'a Utf8Path,
    /// The file as the user named it.
    pub(super) name: &'a str,
    /// SHA-256 of its bytes as read.
    pub(super) sha256: Digest,
    text: Text,
}

/// The bytes of a file, as far as they lie in memory.
enum Text {
    Whole(Vec<u8>),
    /// Rows are read line by line, and all of it only where somebody wants all of it.
    Lines {
        first: String,
        lines: usize,
        whole: OnceCell<Vec<u8>>,
    },
}

impl<'a> File<'a> {
    pub(super) fn load(path: &'a Utf8Path) -> Result<Self, Error> {
        let name = path.as_str();
        if let Some(InLines {
            first,
            lines,
            sha256,
        }) = in_lines(path)
        {
            let whole = OnceCell::new();
            let text = Text::Lines {
                first,
                lines,
                whole,
            };
            return Ok(Self {
                path,
                name,
                sha256,
                text,
            });
        }
        let loaded = load(&Input::Path(path.to_owned()))?;
        Ok(Self {
            path,
            name,
            sha256: loaded.sha256,
            text: Text::Whole(loaded.bytes),
        })
    }

    /// Its text.
    ///
    /// # Errors
    /// The place of the first byte that is no UTF-8.
    pub(super) fn text(&self) -> Result<&str, Vec<Error>> {
        let bytes = match &self.text {
            Text::Whole(bytes) => bytes,
            Text::Lines { whole, .. } => {
                if whole.get().is_none() {
                    let loaded = load(&Input::Path(self.path.to_owned()));
                    let bytes = loaded.map_err(|error| vec![error])?.bytes;
                    whole.get_or_init(|| bytes);
                }
                whole.get().expect("it was read above")
            }
        };
        utf8(bytes).map_err(|error| vec![of_json(self.name, 0, 0, error)])
    }

    /// Its text, or of a large file with one row a line the first line.
    ///
    /// # Errors
    /// As [`File::text`].
    pub(super) fn beginning(&self) -> Result<&str, Vec<Error>> {
        match &self.text {
            Text::Whole(_) => self.text(),
            Text::Lines { first, .. } => Ok(first),
        }
    }

    /// How many rows it has at most, where they stand one a line.
    pub(super) fn rows_at_most(&self) -> usize {
        /// No row of any format has fewer bytes.
        const SHORTEST: usize = 24;
        match &self.text {
            Text::Whole(bytes) => {
                let lines = bytes.split(|byte| *byte == b'\n').count();
                lines.min(bytes.len() / SHORTEST + 1)
            }
            Text::Lines { lines, .. } => *lines,
        }
    }

    /// What ids begin with where rows have none: the file's name without its endings.
    pub(super) fn stem(&self) -> &'a str {
        let name = self.path.file_name().unwrap_or(self.name);
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let name = name.strip_suffix(".zst").unwrap_or(name);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    pub(super) fn at(&self, line: u64) -> At {
        At {
            file: self.name.into(),
            line,
        }
    }

    /// Where a decision of the row at `at` was read.
    pub(super) fn source(&self, format: &str, at: &At) -> Source {
        Source {
            format: format.into(),
            file: self.name.into(),
            line: at.line,
        }
    }

    /// Hands every row to `take`, until it wants no more.
    pub(super) fn each_row(
        &self,
        text: &str,
        out: &mut Out,
        take: &mut dyn FnMut(Row, &mut Out) -> ControlFlow<()>,
    ) {
        each_row(self.name, text, out, take);
    }

    /// Hands every row to `take`; one of another kind than `kind` is an error and ends the reading.
    ///
    /// # Errors
    /// Every error that is in `out` at the end, by line.
    pub(super) fn rows(
        &self,
        kind: Kind,
        out: &mut Out,
        take: &mut dyn FnMut(Row, &mut Out),
    ) -> Result<(), Vec<Error>> {
        let text = self.beginning()?;
        let take = &mut |row: Row, out: &mut Out| {
            let problem = match Kind::of_row(&row.object) {
                Ok(found) if found == kind => {
                    take(row, out);
                    return ControlFlow::Continue(());
                }
                Ok(found) => Problem::Mixed {
                    found: found.words(),
                    before: kind.words(),
                },
                Err(problem) => problem,
            };
            out.error(problem.at(&row.at));
            ControlFlow::Break(())
        };
        match &self.text {
            Text::Whole(_) => self.each_row(text, out, take),
            Text::Lines { .. } => each_line(self.path, self.name, out, take),
        }
        done(out)
    }
}

/// The errors in `out`, if there are some, in the order of their lines.
pub(super) fn done(out: &mut Out) -> Result<(), Vec<Error>> {
    if out.error_count() == 0 {
        return Ok(());
    }
    let mut all = std::mem::take(out);
    all.sort_errors(0);
    Err(all.into_errors())
}
