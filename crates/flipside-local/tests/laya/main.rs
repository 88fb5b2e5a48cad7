//! Laya against its own package: ids and texts exactly, numbers within 1e-5; what order may move; what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod answer;
mod edge;
#[path = "../golden/mod.rs"]
mod golden;
mod load;
mod order;
mod refused;
mod support;
