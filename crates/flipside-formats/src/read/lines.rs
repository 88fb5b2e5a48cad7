//! A large file that has one row a line, read line by line: its text does not lie in memory beside what is made of it.

use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;

use camino::Utf8Path;
use flipside_core::digest::{Digest, Digesting};

use super::rows::{Before, Take, line, of_json};
use super::{Error, Out};
use crate::json::{self, MOST_BYTES, utf8};

/// Files of fewer bytes are read whole.
const LARGE: u64 = 1 << 20;
/// A first line of more bytes is none.
const LONGEST_FIRST: usize = 1 << 20;
/// Bytes that are read at once.
const AT_ONCE: usize = 1 << 17;
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What is known of such a file before its rows are read.
pub(crate) struct InLines {
    /// Its first line.
    pub(crate) first: String,
    /// How many lines it has.
    pub(crate) lines: usize,
    /// Digest of its bytes.
    pub(crate) sha256: Digest,
}

/// Whether the file at `path` is large, not packed, and begins with an object in one line; `None` where it is not or cannot be
/// read, which reading it whole then says.
pub(crate) fn in_lines(path: &Utf8Path) -> Option<InLines> {
    let file = fs_err::File::open(path).ok()?;
    let about = file.metadata().ok()?;
    if !about.is_file() || !(LARGE..=MOST_BYTES as u64).contains(&about.len()) {
        return None;
    }
    let mut reader = BufReader::with_capacity(AT_ONCE, file);
    let (mut first, mut lines, mut digest) = (Vec::new(), 1, Digesting::default());
    let mut open = true;
    loop {
        let bytes = reader.fill_buf().ok()?;
        if bytes.is_empty() {
            break;
        }
        digest.add(bytes);
        lines += bytes.split(|byte| *byte == b'\n').count() - 1;
        if open {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            first.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            open = end.is_none();
            if first.len() > LONGEST_FIRST {
                return None;
            }
        }
        let read = bytes.len();
        reader.consume(read);
    }
    let first = String::from_utf8(first).ok()?;
    let row = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&first);
    let is_row = row.trim_start().starts_with('{') && json::parse(row.trim_end()).is_ok();
    is_row.then(|| InLines {
        first,
        lines,
        sha256: digest.done(),
    })
}

/// Hands every row of the file at `path`, called `file`, to `take` until it wants no more; what is no row becomes an error in `out`.
pub(crate) fn each_line(path: &Utf8Path, file: &str, out: &mut Out, take: Take<'_>) {
    if let Err(source) = read(path, file, out, take) {
        let file = file.to_owned();
        out.error(Error::Unreadable { file, source });
    }
}

fn read(path: &Utf8Path, file: &str, out: &mut Out, take: Take<'_>) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(AT_ONCE, fs_err::File::open(path)?);
    let mut before = Before { lines: 0, bytes: 0 };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let text = match utf8(&bytes) {
            Ok(text) => text,
            Err(error) => {
                out.error(of_json(file, before.lines, before.bytes, error));
                return Ok(());
            }
        };
        let text = match before.lines {
            0 => text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text),
            _ => text,
        };
        if let ControlFlow::Break(()) = line(file, before, text, out, take) {
            return Ok(());
        }
        before = Before {
            lines: before.lines + 1,
            bytes: before.bytes + text.len(),
        };
    }
}
