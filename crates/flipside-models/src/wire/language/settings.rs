//! How a language model is asked and read, complete enough to do the same again from a record.

use std::collections::BTreeMap;
use std::fmt;

use super::template::Template;

/// Which server's words are spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// OpenAI's chat completions, as vLLM, SGLang, llama.cpp, Ollama and others have them too.
    Chat,
    /// OpenAI's older completions.
    Completions,
    /// The `/completion` of llama.cpp's server.
    LlamaCpp,
    /// The `/api/chat` of Ollama.
    Ollama,
}

/// What is read of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// The distribution of the next token over the letters of the options.
    Letter,
    /// The log-probability of each option's text.
    Text,
    /// A letter or an option in plain text.
    Plain,
}

/// What is compared of an option's text, by `read=text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The sum of its log-probabilities.
    Sum,
    /// Their mean per byte.
    Mean,
}

/// What shows the log-probabilities of options' texts, by `read=text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// What was sent is echoed with them.
    Echo,
    /// vLLM's `prompt_logprobs`.
    Prompt,
}

/// How a language model is asked and read.
#[expect(
    clippy::struct_excessive_bools,
    reason = "four switches of servers that do not depend on each other"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which server's words.
    pub api: Api,
    /// What is read.
    pub read: Read,
    /// How many of the most likely tokens are asked for.
    pub top: u16,
    /// How many where a letter is not among them; `None` for no second request.
    pub deeper: Option<u16>,
    /// How many tokens may be generated.
    pub tokens: u16,
    /// Whether `temperature` 0 is sent; some models refuse every temperature.
    pub temperature: bool,
    /// Whether the model is told not to reason, by `reasoning_effort`.
    pub no_reasoning: bool,
    /// Whether the model is told not to think, by the chat template's or Ollama's switch.
    pub no_thinking: bool,
    /// Whether llama.cpp may take what it has of an earlier request.
    pub cache: bool,
    /// What is compared of texts.
    pub length: Length,
    /// What shows their log-probabilities.
    pub scores: Scores,
}

impl Api {
    const ALL: [Self; 4] = [Self::Chat, Self::Completions, Self::LlamaCpp, Self::Ollama];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Completions => "completions",
            Self::LlamaCpp => "llamacpp",
            Self::Ollama => "ollama",
        }
    }

    /// What can be read over it.
    pub fn reads(self) -> &'static [Read] {
        match self {
            Self::Completions => &[Read::Letter, Read::Text, Read::Plain],
            Self::Chat | Self::LlamaCpp | Self::Ollama => &[Read::Letter, Read::Plain],
        }
    }
}

impl Read {
    const ALL: [Self; 3] = [Self::Letter, Self::Text, Self::Plain];

    /// Its name in specs and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Letter => "letter",
            Self::Text => "text",
            Self::Plain => "plain",
        }
    }
}

/// A setting that is none, or does not fit the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingProblem(pub String);

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Tokens that are listed where nobody says how many.
const TOP: u16 = 20;
/// The same of llama.cpp, which has no limit of 20.
const TOP_LLAMACPP: u16 = 40;
/// Tokens for an answer in plain text: a JSON object with a key fits.
const PLAIN_TOKENS: u16 = 32;

impl Settings {
    /// Those of `api` and `read` where nobody says otherwise.
    pub fn standard(api: Api, read: Read) -> Self {
        let (top, deeper) = match api {
            Api::Chat | Api::Completions => (TOP, Some(100)),
            Api::LlamaCpp => (TOP_LLAMACPP, Some(1000)),
            Api::Ollama => (TOP, None),
        };
        Self {
            api,
            read,
            top,
            deeper: deeper.filter(|_| read == Read::Letter),
            tokens: match read {
                Read::Letter => 1,
                Read::Text => 0,
                Read::Plain => PLAIN_TOKENS,
            },
            temperature: true,
            no_reasoning: false,
            no_thinking: false,
            cache: false,
            length: Length::Sum,
            scores: Scores::Echo,
        }
    }

    /// The names of the settings that there are for `api` and `read`, beside `api`, `read` and `template`.
    fn names(api: Api, read: Read) -> Vec<&'static str> {
        let mut names = vec!["temperature", "tokens"];
        if read == Read::Letter {
            names.extend(["top", "deeper"]);
        }
        if read == Read::Text {
            names.extend(["length", "scores"]);
        }
        match api {
            Api::Chat => names.extend(["reasoning", "thinking"]),
            Api::Ollama => names.push("thinking"),
            Api::LlamaCpp => names.push("cache"),
            Api::Completions => {}
        }
        names
    }

    /// Sets the setting `name`.
    ///
    /// # Errors
    /// [`SettingProblem`] if there is no such setting here, or it has no such value; both say what there is.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingProblem> {
        let names = Self::names(self.api, self.read);
        if !names.contains(&name) {
            let mut all = vec!["api", "read", "template"];
            if !matches!(self.api, Api::Chat | Api::Completions) {
                all.remove(0);
            }
            all.extend(names);
            return Err(SettingProblem(format!(
                "no setting `{}` for {} and `read={}`, expected one of {}",
                flipside_core::foreign::Foreign(name).cut(20),
                self.api.words(),
                self.read.name(),
                all.iter()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(" ")
            )));
        }
        let expected = |what: &str| {
            Err(SettingProblem(format!(
                "`{name}` is `{}`, expected {what}",
                flipside_core::foreign::Foreign(value).cut(20)
            )))
        };
        match (name, value) {
            ("temperature", "0") => self.temperature = true,
            ("temperature", "none") => self.temperature = false,
            ("temperature", _) => return expected("`0`, or `none` to send no temperature"),
            ("reasoning", "none") => self.no_reasoning = true,
            ("reasoning", _) => return expected("`none`"),
            ("thinking", "off") => self.no_thinking = true,
            ("thinking", _) => return expected("`off`"),
            ("cache", "yes") => self.cache = true,
            ("cache", "no") => self.cache = false,
            ("cache", _) => return expected("`yes` or `no`"),
            ("length", "sum") => self.length = Length::Sum,
            ("length", "mean") => self.length = Length::Mean,
            ("length", _) => return expected("`sum` or `mean`"),
            ("scores", "echo") => self.scores = Scores::Echo,
            ("scores", "prompt") => {
                self.scores = Scores::Prompt;
                // Without an echo no server gives an answer of no token.
                self.tokens = 1;
            }
            ("scores", _) => return expected("`echo` or `prompt`"),
            ("deeper", "no") => self.deeper = None,
            ("top", _) => match whole(value, 2..=1000) {
                Some(top) => self.top = top,
                None => return expected("a whole number from 2 to 1000"),
            },
            ("deeper", _) => match whole(value, 2..=10_000) {
                Some(deeper) => self.deeper = Some(deeper),
                None => return expected("`no`, or a whole number from 2 to 10000"),
            },
            (_, _) => {
                let (range, words) = match self.read {
                    Read::Text if self.scores == Scores::Prompt => {
                        (1..=1, "`1` with `scores=prompt`")
                    }
                    Read::Text => (0..=1, "`0` or `1`"),
                    Read::Letter => (1..=64, "a whole number from 1 to 64"),
                    Read::Plain => (1..=4096, "a whole number from 1 to 4096"),
                };
                match whole(value, range) {
                    Some(tokens) => self.tokens = tokens,
                    None => return expected(words),
                }
            }
        }
        Ok(())
    }

    /// Every setting by name, as records have them.
    pub(super) fn to_map(&self) -> BTreeMap<String, String> {
        let value = |name: &str| match name {
            "temperature" => if self.temperature { "0" } else { "none" }.to_owned(),
            "reasoning" => if self.no_reasoning { "none" } else { "" }.to_owned(),
            "thinking" => if self.no_thinking { "off" } else { "" }.to_owned(),
            "cache" => if self.cache { "yes" } else { "no" }.to_owned(),
            "length" => match self.length {
                Length::Sum => "sum".to_owned(),
                Length::Mean => "mean".to_owned(),
            },
            // Records from before there was another have none.
            "scores" => match self.scores {
                Scores::Echo => String::new(),
                Scores::Prompt => "prompt".to_owned(),
            },
            "top" => self.top.to_string(),
            "deeper" => self
                .deeper
                .map_or_else(|| "no".to_owned(), |deeper| deeper.to_string()),
            _ => self.tokens.to_string(),
        };
        let names = Self::names(self.api, self.read).into_iter();
        names
            .map(|name| (name.to_owned(), value(name)))
            .filter(|(_, value)| !value.is_empty())
            .chain([
                ("api".to_owned(), self.api.name().to_owned()),
                ("read".to_owned(), self.read.name().to_owned()),
            ])
            .collect()
    }

    /// The settings and the template that a record has; `None` if it has others than there are.
    pub(super) fn of_map(map: &BTreeMap<String, String>) -> Option<(Self, Template)> {
        let api = Api::ALL
            .into_iter()
            .find(|api| map.get("api").is_some_and(|name| name == api.name()))?;
        let read = Read::ALL
            .into_iter()
            .find(|read| map.get("read").is_some_and(|name| name == read.name()))?;
        if !api.reads().contains(&read) {
            return None;
        }
        let mut settings = Self::standard(api, read);
        let template = Template::parse(map.get("template")?, read).ok()?;
        if *map.get("template-sha256")? != template.digest().to_string() {
            return None;
        }
        for (name, value) in map {
            if !["api", "read", "template", "template-sha256"].contains(&name.as_str()) {
                settings.set(name, value).ok()?;
            }
        }
        Some((settings, template))
    }
}

impl Api {
    /// What a message calls it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Chat => "`api=chat`",
            Self::Completions => "`api=completions`",
            Self::LlamaCpp => "`llamacpp`",
            Self::Ollama => "`ollama`",
        }
    }
}

fn whole(text: &str, range: std::ops::RangeInclusive<u16>) -> Option<u16> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number: u16 = text.parse().ok().filter(|_| plain)?;
    range.contains(&number).then_some(number)
}
