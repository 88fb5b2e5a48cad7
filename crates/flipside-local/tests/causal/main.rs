//! Causal language models in process.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

#[path = "../golden/mod.rs"]
mod golden;
mod load;
mod reference;
mod refused;
mod smollm;
mod support;
mod tree;
