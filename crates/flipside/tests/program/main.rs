//! The program as a process: what it asks, prints, writes and survives.

mod crash;
mod limits;
mod probe;
mod schema;
mod support;
mod usage;
