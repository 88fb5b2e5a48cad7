//! A finished summary to terminal, JSON and Markdown; it never computes a statistic and opens no file.

#[cfg(test)]
mod example;
pub mod json;
pub mod markdown;
mod style;
pub mod terminal;
pub mod warning;
pub mod wording;

pub use style::Style;
