//! Tables in GitHub-flavoured Markdown.

mod capability;
mod text;

pub use capability::render_capability;
