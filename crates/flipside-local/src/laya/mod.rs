//! Laya: one question is one sequence, every option sees every other, so that order can change everything.

mod answer;
mod checkpoint;
mod config;
mod encoder;
mod head;
mod question;
mod reply;
mod sequence;
mod temperature;

pub use answer::Answer;
pub use checkpoint::{Asked, Laya};
pub use config::{AgentConfig, Layout};
pub use head::Scored;
pub use question::{Question, State};
pub use reply::only;
pub(crate) use reply::{Said, prepared, reply};
pub use sequence::{Cuts, Sequence, Sides};
pub use temperature::Temperatures;
