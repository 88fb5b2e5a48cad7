//! Perturbations: a case and a list of changes to presentations, with the way back.
//!
//! No change touches an option's identity, its index in the case: keys, texts, places and the number of options may change, and
//! the answer is still read as the identity that was shown, whatever it was called. That is the whole way back, so changes
//! compose in any number.

mod axis;
pub mod batch;
mod change;
pub mod counting;
pub mod decoy;
pub mod descriptions;
pub mod drop;
#[cfg(test)]
mod example;
pub mod keys;
pub mod letter_case;
mod levels;
pub mod order;
pub mod phrasing;
mod spec;
pub mod state_keys;
#[cfg(test)]
pub(crate) mod test_case;
mod text;
pub mod whitespace;

pub use axis::{Axis, Variant};
pub use change::{Altered, Alternative, Change, Draws, alter};
pub use spec::{AXIS_FORMS, AxisSpec, AxisSpecError};
