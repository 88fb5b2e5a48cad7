//! Every word that a report uses, explained.

mod compared;
mod figures;
mod find;
mod runs;
#[cfg(test)]
mod tests;
mod verdicts;

pub use find::{Entry, Group, entries, find, nearest, render, render_list};
