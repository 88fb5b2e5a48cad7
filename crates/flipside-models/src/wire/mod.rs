//! Wire protocols, one module each, and the reader of error bodies that all of them share.

pub mod clef;
pub mod laya;
mod limited;
mod limits;
pub mod message;
pub mod openrouter;
mod protocol;
pub mod systemone;

pub(crate) use limited::Limited;
pub(crate) use limits::Limits;
pub use protocol::{Protocol, open};
