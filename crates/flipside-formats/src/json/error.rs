//! What can be wrong with a JSON text, and where.

use std::fmt;

use flipside_core::foreign::Foreign;

use super::{MOST_BYTES, MOST_DEPTH};

/// Where something stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// First byte, from 0.
    pub offset: usize,
    /// Length in bytes.
    pub length: usize,
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
}

impl Place {
    /// The place of the `length` bytes at `offset` in `text`, whose first byte stands in `line`.
    pub(crate) fn of(text: &str, offset: usize, length: usize) -> Self {
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
        let column = before[start..].chars().count() as u64 + 1;
        Self {
            offset,
            length,
            line,
            column,
        }
    }
}

/// Why a text is not one JSON value that flipside reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// Where, in bytes from the start of the text.
    pub offset: usize,
    /// How many bytes it covers.
    pub length: usize,
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// Where a repeated key stands for the second time.
    pub second: Option<Box<Place>>,
    /// The keys that lead to the place, outermost first; array places are left out.
    pub within: Vec<String>,
}

/// What is wrong with a JSON text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// No value at all.
    #[error("expected a JSON value, found nothing")]
    Empty,
    /// Something else than the grammar allows.
    #[error("expected {expected}, found `{}`", Foreign(found))]
    Unexpected {
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// The text ends too early.
    #[error("expected {expected}, found the end of the text")]
    End {
        /// What may stand there.
        expected: &'static str,
    },
    /// A string without its closing quote.
    #[error("this string has no closing quote")]
    UnclosedString,
    /// Text after the value.
    #[error(
        "expected the end of the text after the value, found `{}`",
        Foreign(found)
    )]
    Trailing {
        /// What stands there.
        found: String,
    },
    /// A key that stands twice in one object.
    #[error("key `{}` is given twice", Foreign(key).cut(80))]
    Duplicate {
        /// The key, unescaped.
        key: String,
    },
    /// A word such as `NaN`, which Python writes and JSON does not have.
    #[error("`{}` is not a JSON number", Foreign(word))]
    NotFinite {
        /// The word.
        word: String,
    },
    /// Something that begins like a number.
    #[error("`{}` is not a number in JSON's grammar", Foreign(text))]
    Number {
        /// The text.
        text: String,
    },
    /// A control character that must be escaped in a string.
    #[error("a string has the control character U+{code:04X} in it, which must be escaped")]
    Control {
        /// Its code point.
        code: u32,
    },
    /// A backslash with something that is no escape.
    #[error("`{}` is not a JSON escape", Foreign(text))]
    Escape {
        /// The text.
        text: String,
    },
    /// Half of a surrogate pair.
    #[error("`{}` is half of a surrogate pair and stands alone", Foreign(text))]
    Surrogate {
        /// The escape.
        text: String,
    },
    /// Nesting over the limit.
    #[error("arrays and objects are nested more than {MOST_DEPTH} deep")]
    Depth,
    /// A text over the limit.
    #[error("the text has {bytes} bytes, the most is {MOST_BYTES}")]
    Size {
        /// How many bytes.
        bytes: usize,
    },
    /// Bytes that are no UTF-8.
    #[error("byte 0x{byte:02X} is not UTF-8")]
    Utf8 {
        /// The first byte that does not fit.
        byte: u8,
    },
}

impl ParseError {
    pub(crate) fn new(kind: ParseErrorKind, place: Place) -> Self {
        let Place {
            offset,
            length,
            line,
            column,
        } = place;
        Self {
            kind,
            offset,
            length,
            line,
            column,
            second: None,
            within: Vec::new(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind, line, column, ..
        } = self;
        match (kind, self.second.as_deref()) {
            (_, Some(second)) if second.line == 1 => {
                write!(f, "{kind}, at columns {column} and {}", second.column)
            }
            (_, Some(second)) if second.line == *line => {
                write!(
                    f,
                    "{kind}, at line {line}, columns {column} and {}",
                    second.column
                )
            }
            (_, Some(second)) => {
                let (other, place) = (second.line, second.column);
                write!(
                    f,
                    "{kind}, at line {line}, column {column} and line {other}, column {place}"
                )
            }
            (ParseErrorKind::Empty | ParseErrorKind::Size { .. }, None) => write!(f, "{kind}"),
            (_, None) if *line == 1 => write!(f, "column {column}: {kind}"),
            (_, None) => write!(f, "line {line}, column {column}: {kind}"),
        }
    }
}

impl std::error::Error for ParseError {}
