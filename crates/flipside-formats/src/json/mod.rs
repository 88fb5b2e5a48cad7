//! The strict JSON reader: order and number text kept, duplicates refused at any depth.

mod error;
mod parser;
mod string;

pub use error::{ParseError, ParseErrorKind, Place};
pub use parser::{MOST_BYTES, MOST_DEPTH, parse, parse_bytes, parse_noting};
pub(crate) use parser::{parse_rows, utf8};
