//! Causal language models in process.

#[path = "../golden/mod.rs"]
mod golden;
mod smollm;
mod support;
