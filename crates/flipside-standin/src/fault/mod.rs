//! What goes wrong, and on which request.

mod kinds;
mod language;
mod text;
mod when;

pub use kinds::{Fault, Retry};
pub use language::LanguageFault;
pub use when::When;
