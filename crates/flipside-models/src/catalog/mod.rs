//! The models that there are: their names, what each needs, and how one is built.

mod argument;
mod build;
mod causal;
mod decisions;
mod hosted;
mod hosted_argument;
mod hosts;
mod language;
mod list;
mod local;
mod price;
mod same;
mod served;
mod spec;

pub use build::{BuildError, Options, build, in_process};
pub use causal::CausalSpec;
pub use hosted_argument::{LayaSpec, OpenRouterSpec};
pub use language::LanguageSpec;
pub use list::{Entry, Needs, catalog};
pub use local::{Architecture, LocalSpec, load};
pub use same::{SameModel, same_model};
pub use spec::{Kind, ModelSpec, SpecError, without_secrets};
