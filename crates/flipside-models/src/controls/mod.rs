//! Controls: models in process whose answers are known beforehand, from what is shown alone.

mod content;
mod control;
mod overlap;
mod policy;
mod prior;
mod rule;

pub use control::Control;
pub use policy::{Policy, Slot};
pub use rule::{RuleError, Rules};
