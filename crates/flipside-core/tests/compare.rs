//! Two recorded answer sets against each other: goldens, real data, hand-worked cases, refusals, laws.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

#[path = "compare/demands.rs"]
mod demands;
#[path = "compare/figures.rs"]
mod figures;
#[path = "compare/goldens.rs"]
mod goldens;
#[path = "compare/laws.rs"]
mod laws;
#[path = "compare/matching.rs"]
mod matching;
#[path = "compare/sets.rs"]
mod sets;
