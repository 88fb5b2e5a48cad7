//! Figures across all orders: tables of answers made by hand, through plan and summary.

#![expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "small counts, exact values"
)]

mod accuracy;
mod agreement;
mod floor;
mod laws;
mod support;
