//! A finished summary, or several, as one HTML page: no network, no script, light and dark, on paper too.
//!
//! Every figure stands in a table beside its chart, with the place in `summary.json` that it comes from.

mod accuracy;
mod axes;
mod chart;
mod document;
mod drift;
mod failed;
mod filter;
mod first;
mod flips;
mod methods;
mod places;
mod presentation;
mod recall;
mod reliability;
mod side;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod value;

pub use document::{HtmlRun, render};
