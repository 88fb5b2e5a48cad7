//! What moves beside decisions: drift, our own confidence, routing and levels, through the whole summary.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod moved;
