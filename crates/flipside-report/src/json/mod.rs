//! Summaries as JSON, and the schema of that JSON.

mod finite;
mod layout;
mod schema;
mod write;

pub use schema::{schema, schema_comparison, schema_invariance, schema_several, schema_suite};
pub use write::{
    render, render_comparison, render_several, render_suite, write, write_comparison,
    write_invariance, write_several, write_suite,
};
