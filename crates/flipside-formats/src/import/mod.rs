//! Decisions that were recorded, one file per format: records to decisions, each with what it is good for.

mod error;
mod own;
mod read;
mod recording;

pub use error::Error;
pub use read::read;
pub use recording::{Record, Recording, Supplements};
