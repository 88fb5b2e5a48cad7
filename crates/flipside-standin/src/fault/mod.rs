//! What goes wrong, and on which request.

mod kinds;
mod text;
mod when;

pub use kinds::{Fault, Retry};
pub use when::When;
