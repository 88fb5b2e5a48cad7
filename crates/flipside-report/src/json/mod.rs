//! Summaries as JSON, and the schema of that JSON.

mod finite;
mod layout;
mod schema;
mod write;

pub use schema::{schema, schema_comparison, schema_several};
pub use write::{
    render, render_comparison, render_several, write, write_comparison, write_several,
};
