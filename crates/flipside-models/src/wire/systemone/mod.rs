//! System One: `state` and `questions` in, `answers` out (the wire page, 1).

mod protocol;
mod read;
mod reply;
mod request;

pub use protocol::SystemOne;
pub(crate) use protocol::state;
pub use read::read;
pub(crate) use read::{malformed, of_object, parsed};
pub(crate) use reply::{Given, reply};
pub use request::request;
pub(crate) use request::{Ordering, written};
