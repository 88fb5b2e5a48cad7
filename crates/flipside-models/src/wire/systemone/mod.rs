//! System One: `state` and `questions` in, `answers` out (the wire page, 1).

mod protocol;
mod read;
mod reply;
mod request;

pub use protocol::SystemOne;
pub(crate) use protocol::state;
pub use read::read;
pub(crate) use read::{backend, malformed, of_object, parsed, served_model, usage};
pub(crate) use reply::{Given, reply};
pub use request::request;
pub(crate) use request::{Ordering, opened, written};
