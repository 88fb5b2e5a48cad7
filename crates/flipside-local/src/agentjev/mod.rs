//! `AgentJev`: every option is a path of its own, and a set head without positions compares them, so that order can enter
//! through rounding alone.

mod answer;
mod backbone;
mod checkpoint;
mod config;
mod head;
mod path;
mod question;
mod reply;

pub use answer::Answer;
pub use checkpoint::{AgentJev, Asked, Mode, Settings};
pub use config::Temperatures;
pub use path::Paths;
pub use question::{Question, text};
pub use reply::only;
