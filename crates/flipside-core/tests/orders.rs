//! Figures across all orders: tables of answers made by hand, through plan and summary.

#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "small counts, exact values, and a test fails where it unwraps nothing"
)]

#[path = "orders/accuracy.rs"]
mod accuracy;
#[path = "orders/agreement.rs"]
mod agreement;
#[path = "orders/floor.rs"]
mod floor;
#[path = "orders/laws.rs"]
mod laws;
#[path = "orders/support.rs"]
mod support;
