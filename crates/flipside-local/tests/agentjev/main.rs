//! `AgentJev` against transformers: ids and texts exactly, numbers within 1e-5; what order and neighbours may move; what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod answer;
#[path = "../golden/mod.rs"]
mod golden;
mod load;
mod order;
mod precision;
mod prefix;
mod random;
mod reference;
mod refused;
mod support;
mod text;
mod threads;
