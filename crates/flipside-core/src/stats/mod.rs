//! Numbers in, numbers out: estimates with their intervals, exact tests, sequential boundaries and the project's only random draws.
//!
//! Nothing here knows what a case, an option or an answer is. Counts are `u64`, rates are fractions in 0..=1, labels are
//! small integers. What the data cannot answer is `None`; what a caller got wrong is an [`Error`]; no function lets a
//! non-finite float out. Sections are those of the statistics page.

pub mod agreement;
pub mod calibration;
pub mod cluster;
pub mod draw;
pub mod drift;
pub mod estimate;
pub mod fisher;
pub mod luce;
pub mod multiple;
pub mod net_effect;
pub mod order_set;
pub mod paired;
pub mod position;
pub mod power;
pub mod prior;
pub mod proportion;
pub mod quantile;
pub mod score;
pub mod sequential;
pub mod special;
pub mod spread;
pub mod variance;
pub mod vote;

mod error;
pub(crate) mod number;
mod root;

pub use error::Error;
pub use estimate::{Estimate, Method};
