//! The bytes of an input, decompressed.

use std::io::{self, Read};

use camino::Utf8Path;
use flipside_core::digest::Digest;

use super::{Error, Input};
use crate::builtin::{BUILTINS, Builtin, builtin};
use crate::json::MOST_BYTES;

/// A file as it was read.
pub(crate) struct Loaded {
    /// The bytes after decompression.
    pub(crate) bytes: Vec<u8>,
    /// How many bytes were read.
    pub(crate) read_bytes: u64,
    /// Digest of the bytes that were read.
    pub(crate) sha256: Digest,
}

pub(crate) fn load(input: &Input) -> Result<Loaded, Error> {
    let file = input.to_string();
    let raw = match input {
        Input::Path(path) => read_path(path)?,
        Input::Stdin => bounded(io::stdin().lock(), &file, 0)?,
        Input::Builtin(name) => known(name)?.text().as_bytes().to_vec(),
    };
    let (read_bytes, sha256) = (raw.len() as u64, Digest::of(&raw));
    Ok(Loaded {
        bytes: decompress(raw, &file)?,
        read_bytes,
        sha256,
    })
}

fn known(name: &str) -> Result<&'static Builtin, Error> {
    builtin(name).ok_or_else(|| Error::UnknownBuiltin {
        name: name.to_owned(),
        known: BUILTINS
            .iter()
            .map(|builtin| builtin.name.to_owned())
            .collect(),
    })
}

fn read_path(path: &Utf8Path) -> Result<Vec<u8>, Error> {
    let file = path.to_string();
    if path.is_dir() {
        return Err(directory(path));
    }
    match fs_err::File::open(path) {
        Ok(open) => {
            // A file of 40 MB that grows into its place needs 100.
            let size = open.metadata().map_or(0, |about| about.len());
            bounded(open, &file, size)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Error::Missing { file }),
        Err(source) => Err(Error::Unreadable { file, source }),
    }
}

/// The text of the regular file at `path`, as large as a case file may be; a pipe or a device may never end.
pub(crate) fn text_of(path: &Utf8Path) -> io::Result<String> {
    let refuse = |kind, why: String| Err(io::Error::new(kind, why));
    let about = fs_err::metadata(path)?;
    if !about.is_file() {
        return refuse(
            io::ErrorKind::InvalidInput,
            "it is no regular file".to_owned(),
        );
    }
    let size = about.len();
    let bytes = if size > MOST_BYTES as u64 {
        None
    } else {
        read_most(fs_err::File::open(path)?, size)?
    };
    match bytes.map(String::from_utf8) {
        Some(Ok(text)) => Ok(text),
        Some(Err(_)) => refuse(io::ErrorKind::InvalidData, "it is not UTF-8".to_owned()),
        None => refuse(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {MOST_BYTES} bytes"),
        ),
    }
}

fn directory(path: &Utf8Path) -> Error {
    let file = path.to_string();
    let has = |name: &str| path.join(name).exists();
    let episode = |entry: io::Result<fs_err::DirEntry>| {
        entry.is_ok_and(|entry| entry.path().join("agent/episode.json").exists())
    };
    let inner = || fs_err::read_dir(path).is_ok_and(|mut entries| entries.any(episode));
    if has("run.json") && has("asks.jsonl") {
        return Error::RunFolder { file };
    }
    let what = if has("decision_ticks.json") {
        "a browser run of system1-agents"
    } else if has("agent/episode.json") || (has("config.json") && has("result.json") && inner()) {
        "a job folder of system1-agents"
    } else {
        return Error::Directory { file };
    };
    Error::Answers { at: file, what }
}

fn bounded(reader: impl Read, file: &str, size: u64) -> Result<Vec<u8>, Error> {
    match read_most(reader, size) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(Error::TooLarge {
            file: file.to_owned(),
            what: "the file has",
        }),
        Err(source) => Err(Error::Unreadable {
            file: file.to_owned(),
            source,
        }),
    }
}

/// All bytes, or `None` if there are more than a text may have. `size`: how many are expected, 0 where nobody knows.
fn read_most(reader: impl Read, size: u64) -> io::Result<Option<Vec<u8>>> {
    let expected = usize::try_from(size).map_or(MOST_BYTES, |size| size.min(MOST_BYTES));
    let mut bytes = Vec::with_capacity(if expected > 0 { expected + 1 } else { 0 });
    reader.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() <= MOST_BYTES))
}

fn decompress(raw: Vec<u8>, file: &str) -> Result<Vec<u8>, Error> {
    let (kind, read) = if raw.starts_with(&[0x1f, 0x8b]) {
        (
            "gzip",
            read_most(flate2::read::MultiGzDecoder::new(raw.as_slice()), 0),
        )
    } else if raw.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        ("zstd", zstd(&raw))
    } else {
        return Ok(raw);
    };
    match read {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(Error::TooLarge {
            file: file.to_owned(),
            what: "the archive unpacks to",
        }),
        Err(source) => Err(Error::Archive {
            file: file.to_owned(),
            kind,
            source,
        }),
    }
}

/// Every frame of a zstd archive.
fn zstd(raw: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let (mut rest, mut bytes) = (raw, Vec::new());
    while !rest.is_empty() {
        let frame = ruzstd::decoding::StreamingDecoder::new(&mut rest).map_err(io::Error::other)?;
        frame
            .take((MOST_BYTES + 1 - bytes.len()) as u64)
            .read_to_end(&mut bytes)?;
        if bytes.len() > MOST_BYTES {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
}
