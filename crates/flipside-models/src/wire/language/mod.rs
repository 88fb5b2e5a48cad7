//! Language models as selectors: letters, texts of options, and plain text (the wire page, 6).

mod causal;
mod echo;
mod letters;
mod listed;
mod plain;
mod prompted;
mod protocol;
mod remedy;
mod reply;
mod request;
mod settings;
mod show;
mod template;
mod ties;

pub use causal::{Causal, CausalRead, CausalSettings, Compared, Normalised, POINTWISE};
pub use letters::MOST as MOST_LETTERS;
pub use protocol::{LOW_COVERAGE, LanguageModel};
pub use settings::{Api, Length, Read, Scores, SettingProblem, Settings};
pub use template::{LETTERS, TEXTS, Template, TemplateProblem};
pub use ties::TIED;
