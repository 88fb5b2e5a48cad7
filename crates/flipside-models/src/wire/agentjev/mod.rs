//! The `AgentJev` service: `agentjev.decision.v1` (the wire page, 4.3).

mod protocol;
mod read;
mod request;
mod text;

pub use protocol::AgentJev;
pub use read::read;
pub use request::request;
