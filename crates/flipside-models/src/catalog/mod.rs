//! The models that there are: their names, what each needs, and how one is built.

mod argument;
mod build;
mod list;
mod same;
mod served;
mod spec;

pub use build::{BuildError, Options, build};
pub use list::{Entry, Needs, catalog};
pub use same::{SameModel, same_model};
pub use spec::{Kind, ModelSpec, SpecError};
