//! Reports and tables in GitHub-flavoured Markdown.

mod capability;
mod invariance;
mod standing;
mod summary;
#[cfg(test)]
mod summary_tests;
mod text;

pub use capability::render_capability;
pub use invariance::render_invariance;
pub use standing::render_standings;
pub use summary::render_summary;
