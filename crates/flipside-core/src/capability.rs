//! The capability table: one row per run of a model, every figure as its summary stored it.
//!
//! Nothing is computed here, nothing is added up, and no row is above another for what it says.

use indexmap::IndexMap;

/// One run of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct CapabilityRow {
    /// The folder or file, as the user named it.
    pub source: String,
    /// The model, as it was named.
    pub model: String,
    /// What answered: the model names that replies carried, else the one that requests carried; empty where neither is known.
    pub checkpoint: Vec<String>,
    /// What it ran on.
    pub hardware: Hardware,
    /// When the run began, in UTC.
    pub started: Option<String>,
    /// Cases asked.
    pub cases: u64,
    /// Own-order answers that are right.
    pub fit: Told,
    /// By axis name: the flips of its worst variant. What is not in it was not asked.
    pub axes: IndexMap<String, Told>,
    /// The control: cases that any repeat flipped.
    pub control: Told,
    /// The version of the methods behind the figures.
    pub method: u32,
    /// Asks recorded and planned, where not everything was asked that was to be.
    pub unfinished: Option<(u64, u64)>,
}

/// What a model ran on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hardware {
    /// As the run says.
    Stated(String),
    /// Somewhere behind a server, and nobody said on what.
    Served,
    /// Nothing is known.
    Unknown,
}

/// One cell: a share as it was stored, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// It was not asked.
    NotAsked,
    /// It says nothing about these cases: none is labelled, or no change could change one.
    NotApplicable(&'static str),
    /// It was to be asked, and no pair came of it.
    NotMeasured {
        /// Pairs with a failed ask.
        missing: u64,
        /// Pairs with an ask that was not made.
        unasked: u64,
        /// Pairs in which nothing was decided.
        no_decision: u64,
    },
    /// A share.
    Share {
        /// The variant, for an axis: the one of the highest share, or what was counted together.
        variant: Option<String>,
        /// How many variants the axis has.
        of_variants: u64,
        /// How many.
        count: u64,
        /// Of how many; over 0.
        of: u64,
        /// The share, from 0 to 1.
        rate: f64,
        /// Its two-sided 95 % interval, where it has one.
        interval: Option<[f64; 2]>,
        /// Pairs, or for fit answers, with a failed ask; not in `of`.
        missing: u64,
        /// The same with an ask that was not made.
        unasked: u64,
    },
}
