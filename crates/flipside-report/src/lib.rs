//! A finished summary to terminal, Markdown, JSON, CSV, `JUnit`, annotations and HTML; it never computes a statistic and opens no file.

pub mod csv;
#[cfg(test)]
mod example;
pub mod github;
pub mod glossary;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
mod pair;
mod style;
pub mod tables;
pub mod terminal;
pub mod warning;
pub mod wording;

pub use style::Style;
