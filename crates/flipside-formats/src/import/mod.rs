//! Decisions that were recorded, one file per format: records to decisions, each with what it is good for.

mod agentjev;
mod browser;
mod build;
mod error;
mod exchange;
mod file;
mod kind;
mod listed;
mod offered;
mod own;
mod problem;
mod read;
mod recording;
mod results;
mod rules;
mod s1a;
mod table;

pub use error::Error;
pub use problem::Problem;
pub use read::read;
pub use recording::{Record, Recording, Supplements};

use kind::Kind;
