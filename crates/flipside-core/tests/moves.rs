//! What moves beside decisions: drift, our own confidence, routing and levels, through the whole summary.

#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "figures that must not move by a bit, and a test fails where it unwraps nothing"
)]

mod moved;
