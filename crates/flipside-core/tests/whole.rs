//! Whole summaries: what a plan and its answers come to, from cases to gates.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

#[path = "whole/certify.rs"]
mod certify;
#[path = "whole/edges.rs"]
mod edges;
#[path = "whole/given.rs"]
mod given;
#[path = "whole/laws.rs"]
mod laws;
