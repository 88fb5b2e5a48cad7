//! Whole summaries: what a plan and its answers come to, from cases to gates.

mod certify;
mod edges;
mod given;
mod identity;
mod laws;
