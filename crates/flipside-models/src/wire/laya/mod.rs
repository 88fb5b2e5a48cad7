//! Laya's server: System One, a second way to permute, and long texts that it cuts without a word (the wire page, 3).

mod head;
mod protocol;
mod stated;

pub use protocol::Laya;
pub(crate) use protocol::Settings;
pub(super) use stated::stated;
