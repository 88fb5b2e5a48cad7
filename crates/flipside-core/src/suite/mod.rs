//! The formatting-fragility suite: base cases asked in several wordings, two orders and two key variants each.
//!
//! Every row is a request of its own. What ties rows together is the canonical identity of an option, its index in the base
//! case, which neither a reversed list nor a renamed key changes.

mod row;

pub use row::{KeyVariant, RowOrder, SuiteCase, SuiteRow};
