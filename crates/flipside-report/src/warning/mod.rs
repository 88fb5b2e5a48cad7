//! What a reader of a report should know beside its figures: seen what, matters why, do what.

mod find;
mod kind;
mod labels;
mod recorded;
#[cfg(test)]
mod tests;

pub(crate) use find::shows_integer_keys;
pub use find::warnings;
pub use kind::{ConstantAnswer, Flipping, Warning};
pub use recorded::RecordedWarning;
