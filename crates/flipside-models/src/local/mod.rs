//! Models in process: a checkpoint that reads the same bytes as its server would, and replies with the same and more.

mod causal;
mod checkpoint;
mod in_process;
mod inside_model;

pub use causal::CausalModel;
pub(crate) use checkpoint::Checkpoint;
pub use in_process::InProcess;
pub use inside_model::InsideModel;
