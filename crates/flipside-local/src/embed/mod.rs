//! Sentence encoders: the cosine of state and option texts, each read apart or all in one sequence. Controls and no decision models: they
//! read no instructions.

mod checkpoint;
mod config;
mod encoder;
mod sequence;

pub use checkpoint::{Asked, Embed, SCALE, Scored, Settings};
pub use sequence::{Readout, Row, Sequence};
