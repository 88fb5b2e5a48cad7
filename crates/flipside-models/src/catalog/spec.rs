//! `MODEL` as a user writes it.

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;
use url::Url;

use super::list::catalog;
use crate::exec::words::{self, Words};

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
    /// `laya-served`.
    LayaServed,
    /// `clm`.
    Clm,
    /// `systemone:URL`.
    SystemOne(Url),
    /// `exec:COMMAND`, as its words.
    Exec(Words),
    /// `replay:RUN`.
    Replay(Utf8PathBuf),
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
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let kind = kind(name, argument).map_err(|Problem { problem, help }| SpecError {
            spec: without_credentials(text),
            problem,
            help,
        })?;
        Ok(Self {
            text: text.to_owned(),
            kind,
        })
    }

    /// The text as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it names.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }
}

/// A URL may hold a password, which no message repeats.
fn without_credentials(text: &str) -> String {
    match (text.find("://"), text.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => {
            format!("{}…{}", &text[..scheme + 3], &text[at..])
        }
        _ => text.to_owned(),
    }
}

struct Problem {
    problem: String,
    help: Option<String>,
}

fn expected<T>(what: impl std::fmt::Display) -> Result<T, Problem> {
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
        "laya-served" => bare(name, argument, Kind::LayaServed),
        "clm" => bare(name, argument, Kind::Clm),
        "slot" => slot(argument.unwrap_or_default()),
        "prior" => prior(argument.unwrap_or_default()),
        "noisy" => noisy(argument.unwrap_or_default()),
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
        "jev" => jev(argument),
        "systemone" => systemone(argument.unwrap_or_default()),
        "exec" => exec(argument.unwrap_or_default()),
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

/// Digits without sign or leading zero.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0')
}

fn slot(argument: &str) -> Result<Kind, Problem> {
    match argument.parse() {
        Ok(slot) if is_plain(argument) => Ok(Kind::Slot(slot)),
        _ => expected("a position from 1, such as `slot:2`"),
    }
}

/// A decimal number as JSON or a person writes it: no sign, no `inf`, no `nan`.
fn decimal(text: &str) -> Option<f64> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain {
        text.parse().ok().filter(|value: &f64| value.is_finite())
    } else {
        None
    }
}

fn prior(argument: &str) -> Result<Kind, Problem> {
    let weights: Option<Vec<f64>> = argument
        .split(',')
        .map(|weight| decimal(weight.trim()))
        .collect();
    match weights {
        Some(weights)
            if weights.iter().any(|weight| *weight > 0.0)
                && weights.iter().sum::<f64>().is_finite() =>
        {
            Ok(Kind::Prior(weights))
        }
        Some(_) => expected("at least one weight above 0"),
        None => expected("one weight per option, none negative, such as `prior:.35,.15,.15,.35`"),
    }
}

fn noisy(argument: &str) -> Result<Kind, Problem> {
    match decimal(argument).filter(|p| *p <= 1.0) {
        Some(p) => Ok(Kind::Noisy(p)),
        None => expected("a probability from 0 to 1, such as `noisy:0.1`"),
    }
}

fn jev(argument: Option<&str>) -> Result<Kind, Problem> {
    match argument {
        None => Ok(Kind::Jev(None)),
        Some(name) if !name.trim().is_empty() => Ok(Kind::Jev(Some(name.to_owned()))),
        Some(_) => expected("a model name after `jev:`, such as `jev:jev-1.14.0`, or `jev` alone"),
    }
}

fn systemone(argument: &str) -> Result<Kind, Problem> {
    const FORM: &str =
        "a URL with http:// or https://, such as `systemone:http://127.0.0.1:8000/v1/systemone`";
    match Url::parse(argument) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
            if !url.username().is_empty() || url.password().is_some() {
                return expected(
                    "a URL without user name and password; a key comes from its environment variable",
                );
            }
            Ok(Kind::SystemOne(url))
        }
        _ => expected(FORM),
    }
}

fn exec(argument: &str) -> Result<Kind, Problem> {
    match words::split(argument) {
        Ok(words) => Ok(Kind::Exec(words)),
        Err(problem) => Err(Problem {
            problem: problem.to_string(),
            help: Some("write a command such as `exec:python3 examples/exec_adapter.py`; no shell reads it".to_owned()),
        }),
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
mod tests {
    use super::*;

    fn kind_of(text: &str) -> Kind {
        ModelSpec::parse(text).unwrap().kind
    }

    fn problem(text: &str) -> String {
        let error = ModelSpec::parse(text).unwrap_err();
        error.help.map_or_else(
            || error.problem.clone(),
            |help| format!("{} / {help}", error.problem),
        )
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!(kind_of("slot:12"), Kind::Slot(12));
        assert_eq!(
            kind_of("prior:.35,.15,0,1"),
            Kind::Prior(vec![0.35, 0.15, 0.0, 1.0])
        );
        assert_eq!(kind_of("noisy:0"), Kind::Noisy(0.0));
        assert_eq!(kind_of("next-to:a:b"), Kind::NextTo("a:b".to_owned()));
        assert_eq!(kind_of("jev"), Kind::Jev(None));
        assert_eq!(
            kind_of("jev:~typesafe/x"),
            Kind::Jev(Some("~typesafe/x".to_owned()))
        );
        assert!(matches!(
            kind_of("systemone:http://[::1]:80/v1/systemone"),
            Kind::SystemOne(_)
        ));
        assert!(matches!(kind_of("exec:python3 'a b.py'"), Kind::Exec(_)));
        for entry in catalog() {
            let text = entry
                .form
                .replace("[:NAME]", "")
                .replace("URL", "http://h/")
                .replace(":K", ":1");
            let text = text.replace("P1,P2,..", "1,2").replace(":P", ":0.5");
            assert!(ModelSpec::parse(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn every_bad_argument_is_named_with_the_expected_form() {
        for bad in [
            "slot",
            "slot:",
            "slot:0",
            "slot:x",
            "slot:01",
            "slot:+1",
            "slot:99999",
        ] {
            assert_eq!(
                problem(bad),
                "expected a position from 1, such as `slot:2`",
                "{bad}"
            );
        }
        for bad in [
            "prior",
            "prior:-1,2",
            "prior:inf,1",
            "prior:NaN",
            "prior:1,,2",
            "prior:1e400",
        ] {
            assert!(
                problem(bad).starts_with("expected one weight per option"),
                "{bad}"
            );
        }
        assert_eq!(problem("prior:0,0"), "expected at least one weight above 0");
        for bad in ["noisy", "noisy:1.5", "noisy:-0.1", "noisy:x", "noisy:nan"] {
            assert_eq!(
                problem(bad),
                "expected a probability from 0 to 1, such as `noisy:0.1`",
                "{bad}"
            );
        }
        for bad in [
            "systemone",
            "systemone:host/v1",
            "systemone:ftp://h/",
            "systemone:http://",
        ] {
            assert!(
                problem(bad).starts_with("expected a URL with http:// or https://"),
                "{bad}"
            );
        }
        for bad in ["exec", "exec:", "exec:  ", "exec:python3 'x"] {
            assert!(problem(bad).contains("exec:python3"), "{bad}");
        }
        assert_eq!(
            problem("first:1"),
            "expected `first` alone, it takes no argument"
        );
        for bad in ["next-to", "next-to:", "rule:", "replay", "jev:"] {
            assert!(problem(bad).starts_with("expected a"), "{bad}");
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones_and_the_nearest() {
        assert!(problem("frist").ends_with("/ did you mean `first`?"));
        assert!(problem("slto:2").ends_with("/ did you mean `slot:K`?"));
        let far = problem("tiny-laya");
        assert!(far.starts_with(
            "no such model, expected one of first last slot:K prior:P1,P2,.. overlap"
        ));
        assert!(!far.contains("did you mean"), "{far}");
    }

    #[test]
    fn a_password_in_a_url_is_refused_and_not_repeated() {
        let error = ModelSpec::parse("systemone:https://me:hush@h/v1").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hush"));
        assert!(
            error
                .problem
                .starts_with("expected a URL without user name")
        );
    }
}
