//! What plans and their answers come to: tables of answers made by hand, drawn or published, through plan and summary.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

#[path = "../common/mod.rs"]
mod common;

mod compare;
mod composition;
mod cross;
mod groups;
mod keyed;
mod laws;
mod made;
mod moved;
mod options;
mod orders;
mod pairs;
mod phrasing;
mod position;
mod record;
mod recorded;
mod suite;
mod whole;
