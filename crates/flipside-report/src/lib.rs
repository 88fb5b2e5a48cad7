//! A finished summary to terminal and JSON; it never computes a statistic and opens no file.

#[cfg(test)]
mod example;
pub mod json;
mod style;
pub mod terminal;
pub mod warning;
pub mod wording;

pub use style::Style;
