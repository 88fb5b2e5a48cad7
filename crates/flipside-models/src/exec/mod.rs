//! `exec:COMMAND`: your own adapter, JSON lines on standard input and output.

pub(crate) mod words;

pub use words::Words;
