//! Case files to cases: every error of every file, before anything is asked.

mod bytes;
mod error;
mod help;
mod lines;
mod options;
mod out;
mod rows;
mod set;
mod unquoted;
mod warning;

pub(crate) use bytes::{load, text_of};
pub use error::{At, Error, MOST_ERRORS};
pub(crate) use error::{either, fields_text, list};
pub(crate) use lines::{InLines, each_line, in_lines};
pub use options::{AnswerBase, Format, Input, QuestionAs, ReadOptions};
pub(crate) use out::Out;
pub(crate) use rows::Row;
pub(crate) use rows::of_json;
pub(crate) use rows::{each_row, rows_of};
pub use set::{CaseSet, SourceFile, read_cases};
pub use warning::{Alike, Seen, Warning};
