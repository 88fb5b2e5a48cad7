//! The program as a process: what it asks, prints, writes and survives.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod certify;
mod confirm;
mod controls;
mod crash;
mod docs;
mod gates;
mod limits;
mod outputs;
mod probe;
mod questions;
mod schema;
mod support;
mod usage;
