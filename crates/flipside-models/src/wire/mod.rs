//! Wire protocols, one module each, and the reader of error bodies that all of them share.

pub mod agentjev;
mod asked;
pub mod clef;
pub mod clm;
pub mod cua;
mod fields;
pub mod language;
pub mod laya;
mod limited;
mod limits;
pub mod message;
pub mod openai_decisions;
pub mod openrouter;
mod protocol;
pub mod systemone;
mod unread;

pub(crate) use limited::Limited;
pub(crate) use limits::Limits;
pub use protocol::{Protocol, open};
