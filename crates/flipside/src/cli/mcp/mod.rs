//! `flipside mcp`: a server of the Model Context Protocol over standard input and output (the wire page, 16).
//!
//! The protocol is written by hand: the official package `rmcp` hands a tool's arguments over as `serde_json` values, which
//! lose the order of members, repeated keys and the text of numbers, and those are what this program is about.

mod arguments;
mod decide;
mod id;
mod input;
mod message;
mod orders;
mod outcome;
mod probe;
mod schema;
mod server;

pub(crate) use server::mcp;
