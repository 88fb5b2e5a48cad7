//! From a spec to a model; nothing connects.

use std::sync::Arc;

use flipside_core::model::Model;
use flipside_local::LoadError;

use super::served::Given;
use super::spec::{Kind, ModelSpec};
use crate::controls::{Control, Policy, RuleError, Rules, Slot};
use crate::env::Environment;
use crate::exec::Adapter;
use crate::http::{KeyProblem, Served};
use crate::local::InsideModel;
use crate::replay::{Replay, ReplayError};

/// What building takes from the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seed of the controls that draw.
    pub seed: u64,
    /// The model name that requests carry; beats the environment and the spec.
    pub model_name: Option<String>,
    /// Whether request bodies of 1,024 bytes or more are sent compressed with zstd.
    pub compress: bool,
}

/// Why a model cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A variable that it needs is not set.
    #[error("`{spec}` needs {variables}, which is not set")]
    Missing {
        /// The model.
        spec: String,
        /// The variables, any of which would do.
        variables: String,
        /// What to do.
        help: &'static str,
    },
    /// A variable's value, mostly a URL, cannot be used.
    #[error("`{variable}`: {problem}")]
    Url {
        /// The variable.
        variable: &'static str,
        /// What was expected.
        problem: String,
    },
    /// The spec's argument cannot be used.
    #[error("`{spec}`: {problem}")]
    Spec {
        /// The model.
        spec: String,
        /// What was found and expected.
        problem: String,
    },
    /// A key cannot be sent, or must not be.
    #[error("{problem}")]
    Key {
        /// Which variable, and why; never the key.
        problem: String,
        /// What to do.
        help: Option<&'static str>,
    },
    /// Its rules cannot be used.
    #[error("`{spec}`: the rules cannot be used")]
    Rules {
        /// The model.
        spec: String,
        /// Why.
        #[source]
        source: RuleError,
    },
    /// Its checkpoint cannot be loaded.
    #[error("`{spec}`: the checkpoint cannot be loaded")]
    Checkpoint {
        /// The model.
        spec: String,
        /// Why.
        #[source]
        source: LoadError,
    },
    /// Its run cannot be replayed.
    #[error("`{spec}`: the run cannot be replayed")]
    Replay {
        /// The model.
        spec: String,
        /// Why.
        #[source]
        source: ReplayError,
    },
}

impl BuildError {
    /// What to do, in the imperative, where there is something.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Missing { help, .. } => Some(help),
            Self::Key { help, .. } => *help,
            Self::Url { .. }
            | Self::Spec { .. }
            | Self::Rules { .. }
            | Self::Checkpoint { .. }
            | Self::Replay { .. } => None,
        }
    }

    pub(super) fn key(problem: &KeyProblem) -> Self {
        let help = match problem {
            KeyProblem::Form { .. } => None,
            KeyProblem::Insecure { .. } => Some("use https://, or a loopback address"),
            KeyProblem::Elsewhere { .. } => {
                Some("put the key of the host that is asked in a variable of its own")
            }
        };
        Self::Key {
            problem: problem.to_string(),
            help,
        }
    }
}

/// The model that `spec` names. Nothing connects and no certificate is loaded before the first ask.
///
/// ```
/// use flipside_models::catalog::{ModelSpec, Options, build};
/// use flipside_models::env::Environment;
///
/// let spec = ModelSpec::parse("jev")?;
/// let error = build(&spec, &Environment::default(), &Options::default()).err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "`jev` needs `TYPESAFE_API_KEY` or `OPENROUTER_API_KEY`, which is not set"
/// );
/// # Ok::<(), flipside_models::catalog::SpecError>(())
/// ```
///
/// # Errors
/// [`BuildError`] if something that it needs is missing or unusable.
pub fn build(
    spec: &ModelSpec,
    environment: &Environment,
    options: &Options,
) -> Result<Arc<dyn Model>, BuildError> {
    type Built = Result<Arc<dyn Model>, BuildError>;
    let control = |policy| -> Built { Ok(Arc::new(Control::new(spec.text(), policy))) };
    let served = |model: Result<Served, BuildError>| -> Built {
        Ok(Arc::new(model?.compressing(options.compress)))
    };
    let given = Given {
        spec: spec.text(),
        environment,
        options,
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
        Kind::Jev(name) => served(given.jev(name.as_deref())),
        Kind::LayaServed(laya) => served(given.laya_served(laya)),
        Kind::Clm(url) => served(given.clm(url.as_ref())),
        Kind::SystemOne(url) => served(given.systemone(url)),
        Kind::OpenAiDecisions { model, url } => served(given.openai_decisions(model, url.as_ref())),
        Kind::AgentJevServed(url) => served(given.agentjev_served(url.as_ref())),
        Kind::Language(language) => served(given.language(language)),
        Kind::Exec(words) => Ok(Arc::new(Adapter::new(spec.text(), words.clone()))),
        Kind::Replay(run) => match Replay::open(spec.text(), run) {
            Ok(replay) => Ok(Arc::new(replay)),
            Err(source) => Err(BuildError::Replay {
                spec: spec.text().to_owned(),
                source,
            }),
        },
        Kind::OpenRouter(asked) => served(given.openrouter(asked)),
        Kind::LayaPredict(laya) => served(given.laya_predict(laya)),
        Kind::CuaServed(url) => served(given.cua_served(url)),
        Kind::Cloudflare(model) => served(given.cloudflare(model)),
        Kind::Local(_) | Kind::Causal(_) => match in_process(spec) {
            Some(Ok(model)) => Ok(model),
            Some(Err(source)) => Err(BuildError::Checkpoint {
                spec: spec.text().to_owned(),
                source,
            }),
            None => unreachable!("these kinds are in process"),
        },
    }
}

/// The model in process that `spec` names, loaded; `None` if it names another kind.
pub fn in_process(spec: &ModelSpec) -> Option<Result<Arc<dyn InsideModel>, LoadError>> {
    match spec.kind() {
        Kind::Local(local) => {
            Some(super::local::load(spec.text(), local).map(|model| Arc::new(model) as Arc<_>))
        }
        Kind::Causal(causal) => {
            Some(super::causal::load(spec.text(), causal).map(|model| Arc::new(model) as Arc<_>))
        }
        _ => None,
    }
}
