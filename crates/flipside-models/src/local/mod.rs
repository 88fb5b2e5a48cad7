//! Models in process: a checkpoint that reads the same bytes as its server would, and replies with the same and more.

mod checkpoint;
mod in_process;

pub(crate) use checkpoint::Checkpoint;
pub use in_process::InProcess;
