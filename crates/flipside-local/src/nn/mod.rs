//! The few layers that the architectures share, on 32-bit floats, each row on its own wherever the formula allows it.

mod attention;
mod linear;
mod norm;
mod precision;
mod rotary;
mod rows;
mod set_layer;
mod shares;

pub(crate) use attention::{attend, attend_after, join_heads, split_heads};
pub(crate) use linear::Linear;
pub(crate) use norm::Norm;
pub use precision::Precision;
pub(crate) use rotary::Rotary;
pub(crate) use set_layer::{Activation, SetLayer};
