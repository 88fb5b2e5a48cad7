//! Deciding a gate with as few asks as possible, and with both error rates kept exactly.

mod boundary;
mod confidence;
mod futility;
mod open;
mod planned;
mod sprt;

pub use boundary::{Boundaries, Decision, Operating, Steps};
pub use confidence::confidence_sequence;
pub use futility::FUTILE;
pub use open::{OpenRun, first_clean_stop, first_flip_stop, open_boundaries};
pub use planned::{EXPONENT, MOST_CASES, Planned};
pub use sprt::Sprt;
