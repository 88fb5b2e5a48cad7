//! Perturbations: a case and a list of changes to presentations, with the way back.

mod axis;
pub mod order;

pub use axis::{Axis, Variant};
