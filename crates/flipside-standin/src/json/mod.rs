//! The stand-in's own JSON: an ordered tokenizer that keeps duplicates and number text, and a small writer.
//!
//! Nothing here is shared with the client under test, so a bug of one cannot hide a bug of the other.

mod reader;
mod string;
#[cfg(test)]
mod tests;
mod value;
mod write;

pub(crate) use reader::Reader;
pub(crate) use value::{Broken, Json, Member, Node};
pub(crate) use write::write_text;
