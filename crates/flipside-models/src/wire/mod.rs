//! Wire protocols, one module each, and the reader of error bodies that all of them share.

pub mod message;
mod protocol;
pub mod systemone;

pub use protocol::{Protocol, open};
