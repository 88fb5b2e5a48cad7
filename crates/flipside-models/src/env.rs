//! The environment variables that models read: each with its meaning and the hosts that it may go to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use secrecy::{ExposeSecret, SecretString};

use crate::http::without;

/// One variable.
#[derive(Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The hosts that its value may be sent to; `None` for a value that is not sent.
    pub goes_to: Option<&'static str>,
}

impl Variable {
    /// Whether its value is a key.
    pub fn is_key(&self) -> bool {
        self.name.ends_with("_API_KEY") || self.name.ends_with("_API_TOKEN")
    }
}

/// Key of TypeSafe; goes to `api.typesafe.ai`, or to the host that `TYPESAFE_API_URL` or `TYPESAFE_BASE_URL` names.
pub const TYPESAFE_API_KEY: Variable = Variable {
    name: "TYPESAFE_API_KEY",
    meaning: "key of TypeSafe, for `jev`",
    goes_to: Some(
        "api.typesafe.ai, or the host of TYPESAFE_API_URL or TYPESAFE_BASE_URL; never openrouter.ai",
    ),
};
/// Full endpoint for `jev`; an origin or a base ending in `/v1` is completed.
pub const TYPESAFE_API_URL: Variable = Variable {
    name: "TYPESAFE_API_URL",
    meaning: "endpoint for `jev`; an origin, or a base ending in `/v1`, is completed",
    goes_to: None,
};
/// Origin for `jev`, as TypeSafe's SDK reads it.
pub const TYPESAFE_BASE_URL: Variable = Variable {
    name: "TYPESAFE_BASE_URL",
    meaning: "origin for `jev`, where TYPESAFE_API_URL is not set",
    goes_to: None,
};
/// Model name for `jev`.
pub const TYPESAFE_MODEL: Variable = Variable {
    name: "TYPESAFE_MODEL",
    meaning: "model name for `jev`",
    goes_to: Some("the host of `jev`"),
};
/// Model name for `jev`, as TypeSafe's SDK reads it.
pub const TYPESAFE_DEFAULT_MODEL: Variable = Variable {
    name: "TYPESAFE_DEFAULT_MODEL",
    meaning: "model name for `jev`, where TYPESAFE_MODEL is not set",
    goes_to: Some("the host of `jev`"),
};
/// Key of OpenRouter; goes to `openrouter.ai`, or to a custom `jev` host where TypeSafe's key is not set.
pub const OPENROUTER_API_KEY: Variable = Variable {
    name: "OPENROUTER_API_KEY",
    meaning: "key of OpenRouter, for `openrouter:MODEL` and `jev`",
    goes_to: Some(
        "openrouter.ai or the host of OPENROUTER_BASE_URL; for `jev` the host of TYPESAFE_API_URL where TYPESAFE_API_KEY is not set; never api.typesafe.ai",
    ),
};
/// Full endpoint of `laya-served`.
pub const LAYA_SERVED_URL: Variable = Variable {
    name: "LAYA_SERVED_URL",
    meaning: "full endpoint of `laya-served`, where its spec names none",
    goes_to: None,
};
/// Model name for `laya-served`.
pub const LAYA_SERVED_MODEL: Variable = Variable {
    name: "LAYA_SERVED_MODEL",
    meaning: "model name for `laya-served`, `english` by default",
    goes_to: Some("the host of LAYA_SERVED_URL"),
};
/// Key of `laya-served`.
pub const LAYA_SERVED_API_KEY: Variable = Variable {
    name: "LAYA_SERVED_API_KEY",
    meaning: "key of `laya-served`, if it wants one",
    goes_to: Some(
        "the host of LAYA_SERVED_URL, or of the URL of `laya-served` where that is not set",
    ),
};
/// Full endpoint of `clm`.
pub const CLM_URL: Variable = Variable {
    name: "CLM_URL",
    meaning: "full endpoint of `clm`, where its spec names none",
    goes_to: None,
};
/// Model name for `clm`.
pub const CLM_MODEL: Variable = Variable {
    name: "CLM_MODEL",
    meaning: "model name for `clm`, `clm-latest` by default",
    goes_to: Some("the host of CLM_URL"),
};
/// Key of `clm`.
pub const CLM_API_KEY: Variable = Variable {
    name: "CLM_API_KEY",
    meaning: "key of `clm`, if it wants one",
    goes_to: Some("the host of CLM_URL, or of the URL of `clm` where that is not set"),
};
/// Base, or full endpoint, of `openrouter:MODEL`.
pub const OPENROUTER_BASE_URL: Variable = Variable {
    name: "OPENROUTER_BASE_URL",
    meaning: "base or endpoint of `openrouter:MODEL`, in place of openrouter.ai",
    goes_to: None,
};
/// Tokens that `laya-served` reads of one question.
pub const LAYA_SERVED_MAX_LEN: Variable = Variable {
    name: "LAYA_SERVED_MAX_LEN",
    meaning: "tokens that `laya-served` reads of a question, by which a cut state is noticed",
    goes_to: None,
};
/// Base of `laya-predict`; `/predict` is appended.
pub const LAYA_BASE_URL: Variable = Variable {
    name: "LAYA_BASE_URL",
    meaning: "base of `laya-predict`; `/predict` is appended",
    goes_to: None,
};
/// Model name for `laya-predict`.
pub const LAYA_MODEL: Variable = Variable {
    name: "LAYA_MODEL",
    meaning: "model name for `laya-predict`, `typed-decisions` by default",
    goes_to: Some("the host of LAYA_BASE_URL"),
};
/// Key of `laya-predict`.
pub const LAYA_API_KEY: Variable = Variable {
    name: "LAYA_API_KEY",
    meaning: "key of `laya-predict`, if it wants one",
    goes_to: Some(
        "the host of LAYA_BASE_URL, or of the URL of `laya-predict` where that is not set",
    ),
};
/// Account whose Clef `cloudflare:MODEL` asks; a part of the URL.
pub const CLOUDFLARE_ACCOUNT_ID: Variable = Variable {
    name: "CLOUDFLARE_ACCOUNT_ID",
    meaning: "account of `cloudflare:MODEL`, a part of its URL",
    goes_to: Some("api.cloudflare.com, or the host of CLOUDFLARE_BASE_URL"),
};
/// Key of Cloudflare.
pub const CLOUDFLARE_API_TOKEN: Variable = Variable {
    name: "CLOUDFLARE_API_TOKEN",
    meaning: "key of Cloudflare, for `cloudflare:MODEL`",
    goes_to: Some("api.cloudflare.com, or the host of CLOUDFLARE_BASE_URL"),
};
/// Base of Cloudflare's API, as its own libraries read it.
pub const CLOUDFLARE_BASE_URL: Variable = Variable {
    name: "CLOUDFLARE_BASE_URL",
    meaning: "base of Cloudflare's API, `https://api.cloudflare.com/client/v4` by default",
    goes_to: None,
};
/// Key of Vercel's AI gateway, for `systemone:URL`.
pub const AI_GATEWAY_API_KEY: Variable = Variable {
    name: "AI_GATEWAY_API_KEY",
    meaning: "key of Vercel's AI gateway, for `systemone:URL`",
    goes_to: Some("ai-gateway.vercel.sh"),
};
/// Key of Baseten, for `systemone:URL`.
pub const BASETEN_API_KEY: Variable = Variable {
    name: "BASETEN_API_KEY",
    meaning: "key of Baseten, for `systemone:URL`",
    goes_to: Some("hosts below api.baseten.co"),
};
/// Key of Fireworks, for `systemone:URL`.
pub const FIREWORKS_API_KEY: Variable = Variable {
    name: "FIREWORKS_API_KEY",
    meaning: "key of Fireworks, for `systemone:URL`",
    goes_to: Some("api.fireworks.ai"),
};
/// Key of Perplexity, for `systemone:URL`.
pub const PERPLEXITY_API_KEY: Variable = Variable {
    name: "PERPLEXITY_API_KEY",
    meaning: "key of Perplexity, for `systemone:URL`",
    goes_to: Some("api.perplexity.ai"),
};
/// Key of Runware, for `systemone:URL`.
pub const RUNWARE_API_KEY: Variable = Variable {
    name: "RUNWARE_API_KEY",
    meaning: "key of Runware, for `systemone:URL`",
    goes_to: Some("api.runware.ai"),
};
/// Key of Upstage, for `systemone:URL`.
pub const UPSTAGE_API_KEY: Variable = Variable {
    name: "UPSTAGE_API_KEY",
    meaning: "key of Upstage, for `systemone:URL`",
    goes_to: Some("api.upstage.ai"),
};
/// Key of `OpenAI`; goes to `api.openai.com`, or to the host that `OPENAI_BASE_URL` names.
pub const OPENAI_API_KEY: Variable = Variable {
    name: "OPENAI_API_KEY",
    meaning: "key of OpenAI",
    goes_to: Some("api.openai.com, or the host of OPENAI_BASE_URL"),
};
/// Base URL in place of `OpenAI`'s own, with its `/v1`.
pub const OPENAI_BASE_URL: Variable = Variable {
    name: "OPENAI_BASE_URL",
    meaning: "base URL in place of `https://api.openai.com/v1`",
    goes_to: None,
};
/// Key of another server of `openai`; goes to the host that `LLM_BASE_URL` names.
pub const LLM_API_KEY: Variable = Variable {
    name: "LLM_API_KEY",
    meaning: "key of another server of `openai`",
    goes_to: Some("the host of LLM_BASE_URL"),
};
/// Base for `openai`, where `OPENAI_BASE_URL` is not set.
pub const LLM_BASE_URL: Variable = Variable {
    name: "LLM_BASE_URL",
    meaning: "base URL for `openai`, where OPENAI_BASE_URL is not set",
    goes_to: None,
};
/// Proxy for `https://` endpoints.
pub const HTTPS_PROXY: Variable = Variable {
    name: "HTTPS_PROXY",
    meaning: "proxy for `https://` endpoints; loopback is never proxied",
    goes_to: None,
};
/// Proxy for `http://` endpoints.
pub const HTTP_PROXY: Variable = Variable {
    name: "HTTP_PROXY",
    meaning: "proxy for `http://` endpoints; loopback is never proxied",
    goes_to: None,
};
/// Hosts that are not proxied.
pub const NO_PROXY: Variable = Variable {
    name: "NO_PROXY",
    meaning: "hosts that are not proxied",
    goes_to: None,
};

/// Every variable that a model reads.
pub const VARIABLES: &[&Variable] = &[
    &TYPESAFE_API_KEY,
    &TYPESAFE_API_URL,
    &TYPESAFE_BASE_URL,
    &TYPESAFE_MODEL,
    &TYPESAFE_DEFAULT_MODEL,
    &OPENROUTER_API_KEY,
    &LAYA_SERVED_URL,
    &LAYA_SERVED_MODEL,
    &LAYA_SERVED_API_KEY,
    &CLM_URL,
    &CLM_MODEL,
    &CLM_API_KEY,
    &OPENAI_API_KEY,
    &OPENAI_BASE_URL,
    &LLM_API_KEY,
    &LLM_BASE_URL,
    &HTTPS_PROXY,
    &HTTP_PROXY,
    &NO_PROXY,
    &OPENROUTER_BASE_URL,
    &LAYA_SERVED_MAX_LEN,
    &LAYA_BASE_URL,
    &LAYA_MODEL,
    &LAYA_API_KEY,
    &CLOUDFLARE_ACCOUNT_ID,
    &CLOUDFLARE_API_TOKEN,
    &CLOUDFLARE_BASE_URL,
    &AI_GATEWAY_API_KEY,
    &BASETEN_API_KEY,
    &FIREWORKS_API_KEY,
    &PERPLEXITY_API_KEY,
    &RUNWARE_API_KEY,
    &UPSTAGE_API_KEY,
];

/// The values of [`VARIABLES`] that are set; an empty value counts as unset.
///
/// ```
/// use flipside_models::env::Environment;
///
/// let environment = Environment::read(|name| (name == "CLM_API_KEY").then(|| "secret".to_owned()));
/// assert_eq!(format!("{environment:?}"), r#"Environment {"CLM_API_KEY"}"#);
/// ```
#[derive(Clone, Default)]
pub struct Environment {
    set: BTreeMap<&'static str, SecretString>,
    /// The variable that the user names for a key, whatever it is called.
    named: Option<(String, SecretString)>,
}

impl Environment {
    /// Looks up every one of [`VARIABLES`], and nothing else.
    pub fn read(look_up: impl Fn(&str) -> Option<String>) -> Self {
        let set = VARIABLES.iter().filter_map(|variable| {
            let value = look_up(variable.name).filter(|value| !value.is_empty())?;
            Some((variable.name, SecretString::from(value)))
        });
        Self {
            set: set.collect(),
            named: None,
        }
    }

    /// The same, with the value of the variable that the user names for the key of the model that is asked.
    #[must_use]
    pub fn naming(self, variable: &str, value: String) -> Self {
        Self {
            named: Some((variable.to_owned(), SecretString::from(value))),
            ..self
        }
    }

    /// The variable that the user names, and its value.
    pub(crate) fn named(&self) -> Option<(&str, &SecretString)> {
        let (variable, value) = self.named.as_ref()?;
        Some((variable, value))
    }

    /// `text` with `[key]` in place of every key that is set or named, also where characters of it are escaped as in JSON or
    /// in a URL; keys of fewer than six characters are left.
    ///
    /// ```
    /// use flipside_models::env::Environment;
    ///
    /// let environment = Environment::read(|name| (name == "CLM_API_KEY").then(|| "hush-sesame".to_owned()));
    /// assert_eq!(environment.redacted("open hush-sesame"), "open [key]");
    /// ```
    pub fn redacted<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let keys = (VARIABLES.iter())
            .filter(|variable| variable.is_key())
            .filter_map(|variable| self.get(variable));
        let named = self.named.iter().map(|(_, value)| value.expose_secret());
        let mut keys: Vec<&str> = keys.chain(named).collect();
        // A key may begin with another.
        keys.sort_by_key(|key| std::cmp::Reverse(key.len()));
        let mut text = Cow::Borrowed(text);
        for key in keys {
            if let Cow::Owned(other) = without(&text, key) {
                text = Cow::Owned(other);
            }
        }
        text
    }

    /// Whether `variable` is set.
    pub fn has(&self, variable: &Variable) -> bool {
        self.set.contains_key(variable.name)
    }

    /// The value of `variable`, if it is set.
    pub(crate) fn get(&self, variable: &Variable) -> Option<&str> {
        self.set.get(variable.name).map(ExposeSecret::expose_secret)
    }

    /// The value of `variable` as a secret, if it is set.
    pub(crate) fn secret(&self, variable: &Variable) -> Option<&SecretString> {
        self.set.get(variable.name)
    }
}

/// Names only.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Environment ")?;
        let named = self.named.iter().map(|(variable, _)| variable.as_str());
        let set = self.set.keys().copied();
        f.debug_set().entries(set.chain(named)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_that_is_called_a_key_is_one() {
        for variable in VARIABLES {
            assert_eq!(
                variable.is_key(),
                variable.meaning.starts_with("key of "),
                "{}",
                variable.name
            );
        }
    }

    #[test]
    fn every_key_is_left_out_the_longest_first_and_nothing_else() {
        let environment = Environment::read(|name| match name {
            "CLM_API_KEY" => Some("sesame".to_owned()),
            "LAYA_API_KEY" => Some("sesame/\"open\"".to_owned()),
            "LLM_API_KEY" => Some("short".to_owned()),
            "CLM_MODEL" => Some("clm-latest".to_owned()),
            _ => None,
        })
        .naming("MINE", "my-own-key".to_owned());
        assert_eq!(
            environment
                .redacted(r#"sesame sesame/"open" "sesame\/\"open\"" short clm-latest my-own-key"#),
            r#"[key] [key] "[key]" short clm-latest [key]"#
        );
        assert!(matches!(environment.redacted("none"), Cow::Borrowed(_)));
    }
}
