//! Tables in which only choices were kept, CSV or one object a row; the columns say what a row holds.

mod cells;
mod chosen;
mod context;
mod orders;
mod read;
mod wide;

pub(super) use read::read;
