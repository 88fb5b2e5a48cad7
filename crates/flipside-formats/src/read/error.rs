//! What can be wrong with case files, and what to do about it.

use std::fmt;

use flipside_core::case::CaseError;
use flipside_core::foreign::Foreign;
use flipside_core::suite::BaseError;

use super::Format;
use crate::import;
use crate::json::{MOST_BYTES, ParseError, ParseErrorKind};
use crate::suite::Problem;

/// The most errors that are told one by one; the rest are counted.
pub const MOST_ERRORS: usize = 50;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The file as the user named it.
    pub file: Box<str>,
    /// The line, from 1.
    pub line: u64,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", Foreign(&self.file), self.line)
    }
}

/// Why case files cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No such file.
    #[error("{}: there is no such file", Foreign(file))]
    Missing {
        /// The file.
        file: String,
    },
    /// A directory that is no known folder.
    #[error("{}: expected a case file, found a directory", Foreign(file))]
    Directory {
        /// The directory.
        file: String,
    },
    /// One of our own run folders.
    #[error(
        "{}: expected a case file, found a run folder of flipside",
        Foreign(file)
    )]
    RunFolder {
        /// The folder.
        file: String,
    },
    /// A file that cannot be opened or read.
    #[error("{}: the file cannot be read", Foreign(file))]
    Unreadable {
        /// The file.
        file: String,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
    /// An archive that does not unpack.
    #[error("{}: the {kind} archive is cut short or damaged", Foreign(file))]
    Archive {
        /// The file.
        file: String,
        /// `gzip` or `zstd`.
        kind: &'static str,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
    /// Over the size limit.
    #[error("{}: {what} more than {MOST_BYTES} bytes", Foreign(file))]
    TooLarge {
        /// The file.
        file: String,
        /// Which bytes.
        what: &'static str,
    },
    /// A name after `builtin:` that is none.
    #[error("`builtin:{}`: there is no such built-in case file", Foreign(name))]
    UnknownBuiltin {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// One input given twice.
    #[error("{}: the input is given twice", Foreign(file))]
    InputTwice {
        /// The input.
        file: String,
    },
    /// A file without a case.
    #[error("{}: the file has no case{}", Foreign(file), failures_text(*failures))]
    NoCase {
        /// The file.
        file: String,
        /// How many recorded failures it has instead.
        failures: u64,
    },
    /// Not JSON.
    #[error("{at}:{column}: {kind}")]
    Json {
        /// The line.
        at: At,
        /// The column in characters, from 1.
        column: u64,
        /// Where in the text of the file, in bytes.
        offset: usize,
        /// How many bytes.
        length: usize,
        /// What is wrong.
        kind: ParseErrorKind,
    },
    /// A key that stands twice in one object.
    #[error("{at}: {noun} `{}` is given twice, {places}", Foreign(key))]
    RepeatedKey {
        /// The line of the first one.
        at: At,
        /// What kind of key it is, such as `option key`.
        noun: &'static str,
        /// The key, unescaped.
        key: String,
        /// Where both stand, as a person is told it: `at columns 14 and 45`.
        places: String,
        /// Both places in the text of the file, in bytes: offset and length.
        spans: Box<[(usize, usize); 2]>,
    },
    /// An option key that stands twice in a list of options.
    #[error(
        "{at}: option key `{}` is given twice, as options {first} and {second}",
        Foreign(key)
    )]
    RepeatedOption {
        /// The line.
        at: At,
        /// The key.
        key: String,
        /// Place of the first one, from 1.
        first: usize,
        /// Place of the second one, from 1.
        second: usize,
    },
    /// A row that is no object.
    #[error("{at}: expected a JSON object, found {found}")]
    NotObject {
        /// The line.
        at: At,
        /// What it is.
        found: &'static str,
    },
    /// Recorded answers where cases are expected.
    #[error("{}: expected cases, found {what}", Foreign(at))]
    Answers {
        /// The file or folder, and the line where a row decides.
        at: String,
        /// What it is.
        what: &'static str,
    },
    /// A format that is known by name and not read yet.
    #[error("{}: this is {what}, which flipside does not read yet", Foreign(at))]
    Unread {
        /// The file, and the line where a row decides.
        at: String,
        /// What it is.
        what: &'static str,
    },
    /// A row that fits no format.
    #[error("{at}: expected the fields of a case, found {}", fields_text(fields))]
    UnknownRow {
        /// The line.
        at: At,
        /// Its fields.
        fields: Vec<String>,
    },
    /// A row of another format than the rows before it.
    #[error("{at}: this row is of format `{format}`, the rows before it are of format `{before}`")]
    Mixed {
        /// The line.
        at: At,
        /// The row's format.
        format: Format,
        /// The format of the rows before it.
        before: Format,
    },
    /// A row that fits two shapes.
    #[error(
        "{at}: expected one of `{}` and `{}`, found both",
        Foreign(first),
        Foreign(second)
    )]
    Both {
        /// The line.
        at: At,
        /// One field.
        first: String,
        /// The other field.
        second: String,
    },
    /// A required field that is not there.
    #[error("{at}: field `{}` is missing", Foreign(field))]
    MissingField {
        /// The line.
        at: At,
        /// The field.
        field: String,
        /// What to do.
        help: &'static str,
    },
    /// A field that the format does not have.
    #[error("{at}: field `{}` is unknown{}", Foreign(field), near_text(*near))]
    UnknownField {
        /// The line.
        at: At,
        /// The field.
        field: String,
        /// A known field that is one edit away.
        near: Option<&'static str>,
        /// The fields that there are.
        known: &'static [&'static str],
    },
    /// A value of another type.
    #[error("{at}: expected `{}` to be {expected}, found {found}", Foreign(field))]
    Type {
        /// The line.
        at: At,
        /// The field.
        field: String,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A value that is not one of those expected.
    #[error("{at}: expected `{}` to be {expected}, found {}", Foreign(field), Foreign(found).cut(80))]
    Value {
        /// The line.
        at: At,
        /// The field.
        field: String,
        /// What it may be.
        expected: String,
        /// What it is, as JSON.
        found: String,
    },
    /// A list or object with nothing in it.
    #[error("{at}: `{}` is empty", Foreign(field))]
    EmptyField {
        /// The line.
        at: At,
        /// The field.
        field: String,
        /// What to do.
        help: &'static str,
    },
    /// An accepted option that was not offered.
    #[error("{at}: `{}` names {}, which is not an option ({})", Foreign(field), Foreign(found).cut(80), list(offered))]
    NotOffered {
        /// The line.
        at: At,
        /// The field.
        field: &'static str,
        /// What was named, as JSON.
        found: String,
        /// What there is.
        offered: Vec<String>,
    },
    /// A case id that is taken.
    #[error("{at}: case id `{}` is taken by {first}", Foreign(id))]
    RepeatedId {
        /// The line of the second case.
        at: At,
        /// The id.
        id: String,
        /// The line of the first case.
        first: At,
    },
    /// Answers that cannot all be read in one way.
    #[error("{at}: `{field}` is {}, which is not {reading} as {} in line {first} is", Foreign(found).cut(40), Foreign(other).cut(40))]
    Contradiction {
        /// The line that does not fit.
        at: At,
        /// The field.
        field: &'static str,
        /// What it is, as JSON.
        found: String,
        /// How the other row reads.
        reading: &'static str,
        /// What stands in the other row, as JSON.
        other: String,
        /// The line of the other row.
        first: u64,
    },
    /// Answers that can be read in more than one way.
    #[error("{at}: `{field}` is {}, which can be {}, and no row of the file decides", Foreign(found).cut(40), either(readings))]
    Ambiguous {
        /// The first line where it matters.
        at: At,
        /// The field.
        field: &'static str,
        /// What it is, as JSON.
        found: String,
        /// The ways to read it.
        readings: Vec<&'static str>,
    },
    /// Two answers in one row that name different options.
    #[error(
        "{at}: `{first}` is {} and `{second}` is {}, which are two options when read as {reading}", Foreign(found).cut(40), Foreign(other).cut(40))]
    Disagree {
        /// The line.
        at: At,
        /// One field.
        first: &'static str,
        /// What it is, as JSON.
        found: String,
        /// The other field.
        second: &'static str,
        /// What it is, as JSON.
        other: Box<str>,
        /// How both are read.
        reading: Box<str>,
    },
    /// Parts that do not make a case.
    #[error("{at}: {why}")]
    Case {
        /// The line.
        at: At,
        /// Why not.
        why: CaseError,
    },
    /// A string that should hold JSON and does not.
    #[error("{at}: inside `{field}`, {why}")]
    Inner {
        /// The line.
        at: At,
        /// The field that holds the string.
        field: &'static str,
        /// What is wrong with it; its columns are counted in the string, unescaped.
        why: Box<ParseError>,
    },
    /// Parts that do not make a base case.
    #[error("{at}: {why}")]
    Base {
        /// The line.
        at: At,
        /// Why not.
        why: BaseError,
    },
    /// Rows that do not make a suite.
    #[error("{at}: {why}")]
    Suite {
        /// The line, the first of its base case where it is about several.
        at: At,
        /// Why not.
        why: Box<Problem>,
    },
    /// Something that decisions on record cannot be read from.
    #[error("{at}: {why}")]
    Record {
        /// The line.
        at: At,
        /// Why not.
        why: Box<import::Problem>,
    },
    /// More errors than are told.
    #[error("{}", more_text(*count))]
    More {
        /// How many more.
        count: u64,
    },
}

fn more_text(count: u64) -> String {
    if count == 1 {
        "1 more error".to_owned()
    } else {
        format!("{count} more errors")
    }
}

fn near_text(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

pub(crate) fn fields_text(fields: &[String]) -> String {
    if fields.is_empty() {
        "none".to_owned()
    } else {
        list(fields)
    }
}

fn failures_text(failures: u64) -> String {
    match failures {
        0 => String::new(),
        1 => ", only 1 recorded failure".to_owned(),
        _ => format!(", only {failures} recorded failures"),
    }
}

/// `a, b or c`.
pub(crate) fn either(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// `` `a`, `b`, `c` ``, cut after eight.
pub(crate) fn list(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(8)
        .map(|name| format!("`{}`", Foreign(name).cut(40)))
        .collect();
    let rest = if names.len() > 8 {
        format!(" and {} more", names.len() - 8)
    } else {
        String::new()
    };
    shown.join(", ") + &rest
}
