//! What to read and how.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use camino::Utf8PathBuf;
use flipside_core::case::KeyBinding;

/// Where cases come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// A file.
    Path(Utf8PathBuf),
    /// Standard input, written `-`.
    Stdin,
    /// A file that is compiled in, written `builtin:NAME`; the name is checked when it is read.
    Builtin(String),
}

impl FromStr for Input {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.strip_prefix("builtin:") {
            Some(name) => Self::Builtin(name.to_owned()),
            None if text == "-" => Self::Stdin,
            None => Self::Path(text.into()),
        })
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.write_str(path.as_str()),
            Self::Stdin => f.write_str("-"),
            Self::Builtin(name) => write!(f, "builtin:{name}"),
        }
    }
}

/// A format of case files that flipside reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Probe cases, which people write by hand.
    Probe,
    /// System One request bodies; each question is a case.
    SystemOne,
    /// System One requests with their responses.
    Exchange,
    /// Cases of sys1-eval.
    Sys1Eval,
    /// Multiple-choice rows.
    Choice,
    /// Two candidate answers and which of them is better.
    Pairwise,
    /// Rows of a formatting-fragility suite.
    Suite,
    /// Request bodies of the `AgentJev` service; each question is a case.
    AgentJev,
    /// Rows of the typed-decisions data set; each question is a case.
    TypedDecisions,
    /// Request bodies of `OpenAI`'s decisions API; each question is a case.
    OpenAi,
    /// Cases as flipside writes them into a run folder.
    Canonical,
}

impl Format {
    /// Every format, in the order in which they are told apart.
    pub const ALL: [Self; 11] = [
        Self::Canonical,
        Self::Exchange,
        Self::Suite,
        Self::Sys1Eval,
        Self::TypedDecisions,
        Self::SystemOne,
        Self::AgentJev,
        Self::OpenAi,
        Self::Probe,
        Self::Pairwise,
        Self::Choice,
    ];

    /// The name, as in `--format NAME` and in a case's source.
    pub fn name(self) -> &'static str {
        match self {
            Self::Probe => "probe",
            Self::SystemOne => "systemone",
            Self::Exchange => "exchange",
            Self::Sys1Eval => "sys1-eval",
            Self::Choice => "choice",
            Self::Pairwise => "pairwise",
            Self::Suite => flipside_core::suite::FORMAT,
            Self::AgentJev => "agentjev",
            Self::TypedDecisions => "typed-decisions",
            Self::OpenAi => "openai-decisions",
            Self::Canonical => "canonical",
        }
    }

    /// Every name, as a list in a sentence.
    pub fn names() -> String {
        "`probe`, `systemone`, `exchange`, `sys1-eval`, `choice`, `pairwise`, `suite`, `agentjev`, `typed-decisions`, \
         `openai-decisions` or `canonical`"
            .to_owned()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not one of the names that are expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` is not one of {expected}",
    flipside_core::foreign::Foreign(found)
)]
pub struct UnknownName {
    found: String,
    expected: String,
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|format| format.name() == text);
        known.ok_or_else(|| UnknownName {
            found: text.to_owned(),
            expected: Self::names(),
        })
    }
}

/// What the answer of a multiple-choice row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerBase {
    /// The option's place, counted from 0.
    Zero,
    /// The option's place, counted from 1.
    One,
    /// The letter of the option's place.
    Letter,
    /// The option's text.
    Text,
}

impl AnswerBase {
    /// The name, as in `--answer-base NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "0",
            Self::One => "1",
            Self::Letter => "letter",
            Self::Text => "text",
        }
    }
}

impl FromStr for AnswerBase {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let all = [Self::Zero, Self::One, Self::Letter, Self::Text];
        all.into_iter()
            .find(|base| base.name() == text)
            .ok_or_else(|| UnknownName {
                found: text.to_owned(),
                expected: "`0`, `1`, `letter` or `text`".to_owned(),
            })
    }
}

/// Where the question text of a multiple-choice row goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuestionAs {
    /// Into the state, as `{"question":…}`.
    #[default]
    State,
    /// Into the instructions.
    Instructions,
}

/// How case files are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format of every file; told apart by content if absent.
    pub format: Option<Format>,
    /// What answers of multiple-choice rows are; decided once per file from all its rows if absent.
    pub answer_base: Option<AnswerBase>,
    /// Where the question text of a multiple-choice row goes.
    pub question_as: QuestionAs,
    /// What place labels (`A`, `B`, `C`) are bound to; names are always bound to their options.
    pub bind_keys: KeyBinding,
    /// Whether cases in which an option speaks about other options count like any other.
    pub keep_position_dependent: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            answer_base: None,
            question_as: QuestionAs::State,
            bind_keys: KeyBinding::Place,
            keep_position_dependent: false,
        }
    }
}
