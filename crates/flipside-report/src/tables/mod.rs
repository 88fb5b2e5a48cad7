//! Runs as tables, for spreadsheets and notebooks: every ask, every pair, every figure, every gate.

mod asks;
mod figures;
mod gates;
mod pairs;
mod table;

use flipside_core::summary::Summary;

pub use table::{Cell, Column, Kind, Table};

/// A summary and the name by which its run was called.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The run folder or the file.
    pub name: &'a str,
    /// When it began, in UTC, where that is on record.
    pub started: Option<&'a str>,
    /// What it stored.
    pub summary: &'a Summary,
}

/// The names of the tables, in the order of [`all`].
pub const NAMES: [&str; 4] = ["asks", "pairs", "figures", "gates"];

/// Every table of `runs`, one after another.
pub fn all<'a>(runs: &'a [Run<'a>]) -> [Table<'a>; 4] {
    [
        asks::table(runs),
        pairs::table(runs),
        figures::table(runs),
        gates::table(runs),
    ]
}

/// The table of this name.
pub fn named<'a>(name: &str, runs: &'a [Run<'a>]) -> Option<Table<'a>> {
    all(runs).into_iter().find(|table| table.name == name)
}
