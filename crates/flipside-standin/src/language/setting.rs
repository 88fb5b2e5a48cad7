//! What can be set of a language model's server.

use std::str::FromStr;

use crate::policy::ParseError;

/// How much of the probability is on letters of the list, unless set otherwise.
const COVERAGE: f64 = 0.96;

/// The most alternatives that OpenAI, vLLM and Ollama give by default.
const TOP: usize = 20;

/// One property of a language model or of its server. Texts for [`FromStr`] stand behind each.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Setting {
    /// `coverage:P`: the probability that the first token is a letter of the list, over 0 and at most 1; 0.96 without it.
    ///
    /// Below one half the most probable token may be none of them; the model then says `The answer is A.`
    Coverage(f64),
    /// `top:N`: more alternatives are refused with 400; 20 without it, any number in `llamacpp`.
    Top(usize),
    /// `top-silent:N`: a list of more alternatives is cut there, and nothing says so.
    TopSilent(usize),
    /// `min-tokens:N`: fewer tokens to generate are refused with 400; 0 without it in `completions`, 1 elsewhere.
    MinTokens(usize),
    /// `no-echo`: `echo` together with `logprobs` is refused with 400.
    NoEcho,
    /// `no-zero-temperature`: any `temperature` but 1 is refused with 400.
    NoZeroTemperature,
    /// `strict-model`: other model names than the served one are refused with 404.
    StrictModel,
    /// `spaces:gpt2` or `spaces:sentencepiece`: a token's leading space is written `Ġ` or `▁` (its bytes stay).
    Spaces(char),
}

impl Setting {
    /// Every setting with what it says, a line each, for a help text.
    pub const HELP: &'static str = "\
Settings of a language model's server:
  coverage:P                probability of a letter of the list as first token; 0.96 without it
  top:N                     more alternatives are refused with 400
  top-silent:N              a list of more is cut, and nothing says so
  min-tokens:N              fewer tokens to generate are refused with 400
  no-echo                   echo together with logprobs is refused with 400
  no-zero-temperature       any temperature but 1 is refused with 400
  strict-model              other model names are refused with 404
  spaces:gpt2|sentencepiece how a token's leading space is written";
}

impl FromStr for Setting {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (name, argument) = text.split_once(':').unwrap_or((text, ""));
        let count = || argument.parse().ok();
        let setting = match (name, argument) {
            ("coverage", _) => {
                let coverage = argument.parse().ok();
                let known = coverage.filter(|p: &f64| *p > 0.0 && *p <= 1.0);
                known.map(Self::Coverage)
            }
            ("top", _) => count().map(Self::Top),
            ("top-silent", _) => count().map(Self::TopSilent),
            ("min-tokens", _) => count().map(Self::MinTokens),
            ("spaces", "gpt2") => Some(Self::Spaces('\u{120}')),
            ("spaces", "sentencepiece") => Some(Self::Spaces('\u{2581}')),
            ("no-echo", "") => Some(Self::NoEcho),
            ("no-zero-temperature", "") => Some(Self::NoZeroTemperature),
            ("strict-model", "") => Some(Self::StrictModel),
            _ => None,
        };
        setting.ok_or_else(|| {
            ParseError(format!(
                "setting `{text}`: expected one of `coverage:P` (P over 0, at most 1), `top:N`, `top-silent:N`, `min-tokens:N`, \
                 `no-echo`, `no-zero-temperature`, `strict-model`, `spaces:gpt2`, `spaces:sentencepiece`"
            ))
        })
    }
}

/// All properties together.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a setting of its own"
)]
pub(super) struct Traits {
    pub(super) coverage: f64,
    /// More alternatives are refused.
    pub(super) top: Option<usize>,
    /// More alternatives are cut.
    pub(super) silent_top: Option<usize>,
    /// Whether there are log-probabilities at all.
    pub(super) logprobs: bool,
    pub(super) min_tokens: Option<usize>,
    pub(super) echo: bool,
    pub(super) zero_temperature: bool,
    pub(super) strict_model: bool,
    /// What a leading space of a token is written as.
    pub(super) space: char,
}

impl Default for Traits {
    fn default() -> Self {
        Self {
            coverage: COVERAGE,
            top: Some(TOP),
            silent_top: None,
            logprobs: true,
            min_tokens: None,
            echo: true,
            zero_temperature: true,
            strict_model: false,
            space: ' ',
        }
    }
}

impl Traits {
    /// With each of the settings, the last one of two that say the same.
    pub(super) fn with(mut self, settings: &[Setting]) -> Self {
        for setting in settings {
            match *setting {
                Setting::Coverage(coverage) => self.coverage = coverage,
                Setting::Top(top) => self.top = Some(top),
                Setting::TopSilent(top) => self.silent_top = Some(top),
                Setting::MinTokens(tokens) => self.min_tokens = Some(tokens),
                Setting::NoEcho => self.echo = false,
                Setting::NoZeroTemperature => self.zero_temperature = false,
                Setting::StrictModel => self.strict_model = true,
                Setting::Spaces(space) => self.space = space,
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_has_its_text_and_its_line_of_help() {
        let texts = [
            ("coverage:0.3", Setting::Coverage(0.3)),
            ("top:5", Setting::Top(5)),
            ("top-silent:3", Setting::TopSilent(3)),
            ("min-tokens:1", Setting::MinTokens(1)),
            ("no-echo", Setting::NoEcho),
            ("no-zero-temperature", Setting::NoZeroTemperature),
            ("strict-model", Setting::StrictModel),
            ("spaces:gpt2", Setting::Spaces('Ġ')),
            ("spaces:sentencepiece", Setting::Spaces('▁')),
        ];
        for (text, setting) in texts {
            assert_eq!(text.parse(), Ok(setting), "{text}");
            let name = text.split(':').next().expect("a name");
            assert!(Setting::HELP.contains(&format!("\n  {name}")), "{name}");
        }
        for text in [
            "",
            "coverage",
            "coverage:0",
            "coverage:1.5",
            "coverage:NaN",
            "top:",
            "top:-1",
            "no-echo:1",
            "spaces",
            "spaces:x",
        ] {
            let error = text.parse::<Setting>().expect_err(text).to_string();
            assert!(
                error.starts_with(&format!("setting `{text}`: expected one of `coverage:P`")),
                "{error}"
            );
        }
    }
}
