//! Decisions that other programs recorded, one file per format: records to decisions, each with what it is good for.

mod recording;

pub use recording::{About, Record, Recording, Supplements};
