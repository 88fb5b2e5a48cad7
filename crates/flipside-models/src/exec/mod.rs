//! `exec:COMMAND`: your own adapter, JSON lines on standard input and output.
//!
//! The command is split into words like a shell's, without a shell, and started at the first ask. Each ask is one line:
//!
//! ```json
//! {"id":1,"state":{"ticket":"Charged twice"},"question":{"type":"choice","name":"q","instructions":"Which team?"},"options":[{"key":"billing","text":"payments"},{"key":"human"}]}
//! ```
//!
//! and wants one line back, in any order:
//!
//! ```json
//! {"id":1,"choice":"billing","probabilities":{"billing":0.9,"human":0.1},"confidence":0.9,"model":"mine-1"}
//! {"id":1,"error":"no such language"}
//! {"id":1,"refusal":true}
//! ```
//!
//! Everything but `id` and `choice` may be left out; with `probabilities`, `choice` may be too. Several asks may be in
//! flight. Standard error is passed on. An adapter that ends fails the asks in flight, and is started again for the next.
//! Levels of a score and sides of a noul are options like any others.

mod adapter;
mod child;
mod line;
pub(crate) mod words;

pub use adapter::Adapter;
pub(crate) use line::{read, request};
pub use words::Words;
