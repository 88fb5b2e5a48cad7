//! One file per subcommand, and what they share.

mod ask;
mod compare;
mod decide;
mod models;
mod out;
mod probe;

pub(crate) use compare::compare;
pub(crate) use decide::decide;
pub(crate) use models::models;
pub(crate) use probe::probe;
