//! What a case brings along for variants of itself.

use super::CaseOption;
use crate::json::Json;
use crate::order::OptionId;

/// What a case brings along for variants of itself; no part of what its baseline asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brought {
    /// Rewordings, in the order of the file.
    pub phrasings: Vec<Phrasing>,
    /// Irrelevant options that may be offered beside its own, in the order of the file.
    pub decoys: Vec<CaseOption>,
}

impl Brought {
    /// Whether the case brings nothing.
    pub fn is_empty(&self) -> bool {
        self.phrasings.is_empty() && self.decoys.is_empty()
    }
}

/// The same decision in other words. What it leaves out stays as the case has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrasing {
    /// Unique in its case: its own name, or its number from 1.
    pub name: String,
    /// Another wording of the state.
    pub state: Option<Json>,
    /// Another wording of the instructions.
    pub instructions: Option<Json>,
    /// Other texts of options, by identity, ascending.
    pub texts: Vec<(OptionId, Json)>,
    /// Whether it asks for the opposite of a noul question's statement, so that its `true` is the case's `false`.
    pub negated: bool,
    /// Whether a person approved that it means the same; others are never asked.
    pub approved: bool,
}
