//! From a spec to a model; nothing connects.

use std::sync::Arc;

use flipside_core::model::Model;

use super::spec::{Kind, ModelSpec};
use crate::controls::{Control, Policy, RuleError, Rules, Slot};
use crate::env::Environment;

/// What building takes from the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seed of the controls that draw.
    pub seed: u64,
    /// Whether a key may go to a host that is not this machine over unencrypted `http://`.
    pub allow_insecure_key: bool,
    /// The model name that requests carry; beats the environment and the spec.
    pub model_name: Option<String>,
}

/// Why a model cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Its rules cannot be used.
    #[error("`{spec}`: the rules cannot be used")]
    Rules {
        /// The model.
        spec: String,
        /// Why.
        #[source]
        source: RuleError,
    },
}

impl BuildError {
    /// What to do, in the imperative.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Rules { .. } => None,
        }
    }
}

/// The model that `spec` names.
///
/// # Errors
/// [`BuildError`] if something that it needs is missing or unusable.
pub fn build(
    spec: &ModelSpec,
    _environment: &Environment,
    options: &Options,
) -> Result<Arc<dyn Model>, BuildError> {
    let control = |policy| -> Result<Arc<dyn Model>, BuildError> {
        Ok(Arc::new(Control::new(spec.text(), policy)))
    };
    let seed = options.seed;
    match spec.kind() {
        Kind::First => control(Policy::Slot(Slot::First)),
        Kind::Last => control(Policy::Slot(Slot::Last)),
        Kind::Slot(slot) => control(Policy::Slot(Slot::At(*slot))),
        Kind::Prior(weights) => control(Policy::Prior(weights.clone())),
        Kind::Overlap => control(Policy::Overlap),
        Kind::Random => control(Policy::Random { seed }),
        Kind::Noisy(disagreement) => control(Policy::Noisy {
            disagreement: *disagreement,
            seed,
        }),
        Kind::NextTo(key) => control(Policy::NextTo(key.clone())),
        Kind::Rule(file) => match Rules::read(file) {
            Ok(rules) => control(Policy::Rules(rules)),
            Err(source) => Err(BuildError::Rules {
                spec: spec.text().to_owned(),
                source,
            }),
        },
        Kind::Jev(_)
        | Kind::LayaServed
        | Kind::Clm
        | Kind::SystemOne(_)
        | Kind::Exec(_)
        | Kind::Replay(_) => {
            todo!("models behind HTTP, exec and replay")
        }
    }
}
