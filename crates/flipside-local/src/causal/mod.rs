//! Causal language models out of GGUF files: the Llama family, Qwen2 and Qwen3, with every token prefix computed once.

mod attention;
mod chat;
mod checkpoint;
mod config;
mod decoder;
mod file;
mod floor;
mod product;
mod request;
mod scores;
mod tree;
mod vocabulary;

pub use checkpoint::{Asked, Causal};
pub use config::{Config, Family};
pub use product::Numbers;
pub use request::{Read, Request, Words};
pub use scores::Scores;
