//! The formatting-fragility suite: base cases asked in several wordings, two orders and two key variants each.
//!
//! Every row is a request of its own. What ties rows together is the canonical identity of an option, its index in the base
//! case, which neither a reversed list nor a renamed key changes.

mod base;
pub mod figures;
mod generate;
mod row;

pub use base::{BaseCase, BaseError, BaseOption, BaseParts, LEVEL};
pub use generate::{FORMAT, GeneratedRow, generate};
pub use row::{KeyVariant, RowOrder, SuiteCase, SuiteRow, alias, place};
