//! Decision models in process: their tokens, forward passes, logits and vectors. The only room that knows candle and tokenizers.

#![expect(
    clippy::cast_precision_loss,
    reason = "widths, positions and counts of options are far below 2^24"
)]

pub mod agentjev;
pub mod causal;
pub mod embed;
mod error;
mod fields;
pub mod laya;
mod nn;
mod observe;
mod python;
mod softmax;
pub mod tiny;
mod tokens;
mod weights;
mod written;

pub use error::{AskError, LoadError};
pub use nn::Precision;
pub use observe::{Observer, See};
