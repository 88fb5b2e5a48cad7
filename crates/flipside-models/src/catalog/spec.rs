//! `MODEL` as a user writes it.

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;
use url::Url;

use super::causal::CausalSpec;
use super::decisions;
use super::hosted_argument::{LayaSpec, OpenRouterSpec};
use super::language::{self, LanguageSpec};
use super::list::catalog;
use super::local::LocalSpec;
use super::{argument, causal, hosted_argument, local};
use crate::exec::Words;

/// A model as a user names it: `name[:argument]`, checked but not built.
///
/// ```
/// use flipside_models::catalog::ModelSpec;
///
/// assert!(ModelSpec::parse("slot:2").is_ok());
/// assert_eq!(
///     ModelSpec::parse("slot:0").unwrap_err().to_string(),
///     "`slot:0`: expected a position from 1, such as `slot:2`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSpec {
    text: String,
    kind: Kind,
}

/// What a spec names.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// `first`.
    First,
    /// `last`.
    Last,
    /// `slot:K`, from 1.
    Slot(u16),
    /// `prior:P1,P2,..`.
    Prior(Vec<f64>),
    /// `overlap`.
    Overlap,
    /// `random`.
    Random,
    /// `noisy:P`.
    Noisy(f64),
    /// `next-to:KEY`.
    NextTo(String),
    /// `rule:FILE`.
    Rule(Utf8PathBuf),
    /// `jev[:NAME]`.
    Jev(Option<String>),
    /// `laya-served[:URL]`.
    LayaServed(LayaSpec),
    /// `clm[:URL]`.
    Clm(Option<Url>),
    /// `systemone:URL`.
    SystemOne(Url),
    /// `openai-decisions:MODEL[@URL]`.
    OpenAiDecisions {
        /// The model that requests name.
        model: String,
        /// Where it is served; `None` is by the environment.
        url: Option<Url>,
    },
    /// `agentjev-served[:URL]`.
    AgentJevServed(Option<Url>),
    /// `openai:MODEL[@URL][?settings]`, `llamacpp:URL` and `ollama:MODEL[@URL]`.
    Language(Box<LanguageSpec>),
    /// `exec:COMMAND`, as its words.
    Exec(Words),
    /// `replay:RUN`.
    Replay(Utf8PathBuf),
    /// `openrouter:MODEL[?provider=NAME]`.
    OpenRouter(OpenRouterSpec),
    /// `laya-predict[:URL]`.
    LayaPredict(LayaSpec),
    /// `cua-served:URL`.
    CuaServed(Url),
    /// `cloudflare:MODEL`.
    Cloudflare(String),
    /// `tiny-laya`, `tiny-agentjev`, `laya:DIR`, `agentjev:DIR` and `embed:DIR`.
    Local(LocalSpec),
    /// `gguf:FILE`.
    Causal(CausalSpec),
}

/// Why a text names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}`: {problem}", Foreign(spec).cut(80))]
pub struct SpecError {
    /// The text.
    pub spec: String,
    /// What was found and expected.
    pub problem: String,
    /// What to do, in the imperative.
    pub help: Option<String>,
}

impl ModelSpec {
    /// Reads `text`.
    ///
    /// # Errors
    /// [`SpecError`] that says which form was expected.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        // Settings may follow a name at once.
        let (name, argument) = match text.find([':', '?']) {
            Some(at) if text.as_bytes()[at] == b':' => (&text[..at], Some(&text[at + 1..])),
            Some(at) => (&text[..at], Some(&text[at..])),
            None => (text, None),
        };
        let kind = kind(name, argument).map_err(|Problem { problem, help }| SpecError {
            spec: without_secrets(text),
            problem,
            help,
        })?;
        Ok(Self {
            text: without_secrets(text),
            kind,
        })
    }

    /// The text as given, without values in a URL's query that are no settings: they may be keys.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it names.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }
}

/// `text` without what may be a secret in a spec that holds a URL: what stands before an `@` in place of user name and password, and
/// every value in the URL's query that is no setting of a model.
///
/// ```
/// use flipside_models::catalog::without_secrets;
///
/// assert_eq!(
///     without_secrets("systemone:https://h/v1/systemone?api_key=hush&order=keys"),
///     "systemone:https://h/v1/systemone?api_key=…&order=keys"
/// );
/// assert_eq!(without_secrets("systemone:me:hush@h/v1"), "systemone:…@h/v1");
/// ```
pub fn without_secrets(text: &str) -> String {
    const NO_URL: [&str; 4] = ["exec", "replay", "rule", "next-to"];
    let Some((name, argument)) = text.split_once(':') else {
        return text.to_owned();
    };
    if NO_URL.contains(&name) {
        return text.to_owned();
    }
    let (before, query) = match argument.split_once('?') {
        Some((before, query)) => (before, Some(query)),
        None => (argument, None),
    };
    let mut shown = format!("{name}:{}", without_password(name, before));
    if let Some(query) = query {
        let pair = |pair: &str| match pair.split_once('=') {
            Some((name, _)) if !argument::is_setting(name) => format!("{name}=…"),
            None if before.contains("://") && !argument::is_setting(pair) && !pair.is_empty() => {
                "…".to_owned()
            }
            _ => pair.to_owned(),
        };
        // A query of the URL's own stands before the settings of a language model.
        let part = |part: &str| part.split('&').map(pair).collect::<Vec<_>>().join("&");
        let parts: Vec<String> = query.split('?').map(part).collect();
        shown = format!("{shown}?{}", parts.join("?"));
    }
    shown
}

/// What stands before a query, without user name and password.
fn without_password(name: &str, text: &str) -> String {
    /// Before models whose names may have an `@` and which take no URL.
    const NO_URL: [&str; 3] = ["cloudflare", "jev", "openrouter"];
    /// Before a name of a model that stands before an `@` itself.
    const NAMED: [&str; 3] = ["openai", "openai-decisions", "ollama"];
    let Some(at) = text.rfind('@') else {
        return text.to_owned();
    };
    let (before, host) = text.split_at(at);
    match text.find("://") {
        Some(scheme) if scheme < at => format!("{}…{host}", &text[..scheme + 3]),
        Some(_) => text.to_owned(),
        None if NO_URL.contains(&name) => text.to_owned(),
        None if NAMED.contains(&name) && !before.contains(':') => text.to_owned(),
        None => format!("…{host}"),
    }
}

/// What is wrong with a spec.
pub(super) struct Problem {
    pub(super) problem: String,
    pub(super) help: Option<String>,
}

pub(super) fn expected<T>(what: impl std::fmt::Display) -> Result<T, Problem> {
    Err(Problem {
        problem: format!("expected {what}"),
        help: None,
    })
}

fn kind(name: &str, argument: Option<&str>) -> Result<Kind, Problem> {
    match name {
        "first" => bare(name, argument, Kind::First),
        "last" => bare(name, argument, Kind::Last),
        "overlap" => bare(name, argument, Kind::Overlap),
        "random" => bare(name, argument, Kind::Random),
        "laya-served" => hosted_argument::laya(name, argument).map(Kind::LayaServed),
        "laya-predict" => hosted_argument::laya(name, argument).map(Kind::LayaPredict),
        "clm" => hosted_argument::optional_url(name, argument).map(Kind::Clm),
        "cua-served" => hosted_argument::url(name, argument).map(Kind::CuaServed),
        "openrouter" => hosted_argument::openrouter(argument.unwrap_or_default()),
        "cloudflare" => hosted_argument::cloudflare(argument.unwrap_or_default()),
        "slot" => argument::slot(argument.unwrap_or_default()),
        "prior" => argument::prior(argument.unwrap_or_default()),
        "noisy" => argument::noisy(argument.unwrap_or_default()),
        "next-to" => filled(
            argument,
            "a key after `next-to:`, such as `next-to:billing`",
            |key| Kind::NextTo(key.to_owned()),
        ),
        "rule" => filled(
            argument,
            "a file after `rule:`, such as `rule:rules.jsonl`",
            |file| Kind::Rule(file.into()),
        ),
        "replay" => filled(
            argument,
            "a run folder after `replay:`, such as `replay:runs/a`",
            |run| Kind::Replay(run.into()),
        ),
        "jev" => argument::jev(argument),
        "systemone" => argument::systemone(argument.unwrap_or_default()),
        "openai-decisions" => decisions::openai(argument.unwrap_or_default()),
        "agentjev-served" => decisions::agentjev(argument),
        "openai" | "llamacpp" | "ollama" => language::parse(name, argument.unwrap_or_default())
            .map(|spec| Kind::Language(Box::new(spec))),
        "exec" => argument::exec(argument.unwrap_or_default()),
        "tiny-laya" | "tiny-agentjev" | "laya" | "agentjev" | "embed" => {
            local::parse(name, argument).map(Kind::Local)
        }
        "gguf" => causal::parse(argument).map(Kind::Causal),
        _ => Err(unknown(name)),
    }
}

fn bare(name: &str, argument: Option<&str>, kind: Kind) -> Result<Kind, Problem> {
    match argument {
        None => Ok(kind),
        Some(_) => expected(format_args!("`{name}` alone, it takes no argument")),
    }
}

fn filled(
    argument: Option<&str>,
    what: &str,
    kind: impl FnOnce(&str) -> Kind,
) -> Result<Kind, Problem> {
    match argument.filter(|argument| !argument.is_empty()) {
        Some(argument) => Ok(kind(argument)),
        None => expected(what),
    }
}

fn unknown(name: &str) -> Problem {
    let forms: Vec<&str> = catalog().iter().map(|entry| entry.form).collect();
    let near = catalog()
        .iter()
        .map(|entry| (distance(name, entry.name), entry.form))
        .min()
        .filter(|(distance, form)| *distance <= 2.min(form.len() / 2));
    Problem {
        problem: format!("no such model, expected one of {}", forms.join(" ")),
        help: near.map(|(_, form)| format!("did you mean `{form}`?")),
    }
}

/// Edits between two names: insertions, deletions, substitutions, and swaps of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(32).collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substituted.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
