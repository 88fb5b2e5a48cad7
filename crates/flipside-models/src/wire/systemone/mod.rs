//! System One: `state` and `questions` in, `answers` out (the wire page, 1).

mod answer;
mod read;
mod reply;
mod request;

pub(crate) use answer::answer;
pub use read::read;
pub(crate) use reply::{Given, reply};
pub use request::request;
