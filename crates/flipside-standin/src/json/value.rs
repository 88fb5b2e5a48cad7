//! What the tokenizer gives: values with the text that they were read from.

use std::borrow::Cow;
use std::fmt;

/// One JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    /// The number exactly as it was written.
    Number(&'a str),
    Text(Cow<'a, str>),
    Array(Vec<Node<'a>>),
    /// Members in the order received, duplicates included.
    Object(Vec<Member<'a>>),
    /// Checked, but not kept.
    Skipped,
}

/// A value with the text that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node<'a> {
    pub(crate) raw: &'a str,
    pub(crate) json: Json<'a>,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) node: Node<'a>,
}

/// Why a text is not JSON, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) at: usize,
    pub(crate) what: &'static str,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not JSON: {} at byte {}", self.what, self.at)
    }
}
