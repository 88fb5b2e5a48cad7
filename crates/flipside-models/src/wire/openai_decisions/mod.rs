//! `OpenAI` Decisions and its kin: `input` and an array of `questions` in, an array of `answers` out (the wire page, 5).

mod input;
mod limits;
mod protocol;
mod read;
mod request;

pub use protocol::OpenAiDecisions;
pub use read::read;
pub use request::request;
