//! Tables in GitHub-flavoured Markdown.

mod capability;
mod invariance;
mod text;

pub use capability::render_capability;
pub use invariance::render_invariance;
