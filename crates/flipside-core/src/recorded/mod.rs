//! Decisions that were made before: what is on record of each, and what that is good for.

mod decision;
mod missing;

pub use decision::{BACKEND, Decision, FRONT, QUESTION, Standing};
pub use missing::Missing;
