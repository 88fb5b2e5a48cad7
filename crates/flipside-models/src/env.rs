//! The environment variables that models read: each with its meaning and the hosts that it may go to.

use std::collections::BTreeMap;
use std::fmt;

use secrecy::{ExposeSecret, SecretString};

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
    meaning: "key of OpenRouter, for `jev`",
    goes_to: Some(
        "openrouter.ai, or the host of TYPESAFE_API_URL where TYPESAFE_API_KEY is not set; never api.typesafe.ai",
    ),
};
/// Full endpoint of `laya-served`.
pub const LAYA_SERVED_URL: Variable = Variable {
    name: "LAYA_SERVED_URL",
    meaning: "full endpoint of `laya-served`, required by it",
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
    goes_to: Some("the host of LAYA_SERVED_URL"),
};
/// Full endpoint of `clm`.
pub const CLM_URL: Variable = Variable {
    name: "CLM_URL",
    meaning: "full endpoint of `clm`, required by it",
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
    goes_to: Some("the host of CLM_URL"),
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
pub const VARIABLES: [&Variable; 15] = [
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
    &HTTPS_PROXY,
    &HTTP_PROXY,
    &NO_PROXY,
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
pub struct Environment(BTreeMap<&'static str, SecretString>);

impl Environment {
    /// Looks up every one of [`VARIABLES`], and nothing else.
    pub fn read(look_up: impl Fn(&str) -> Option<String>) -> Self {
        let set = VARIABLES.iter().filter_map(|variable| {
            let value = look_up(variable.name).filter(|value| !value.is_empty())?;
            Some((variable.name, SecretString::from(value)))
        });
        Self(set.collect())
    }

    /// Whether `variable` is set.
    pub fn has(&self, variable: &Variable) -> bool {
        self.0.contains_key(variable.name)
    }

    /// The value of `variable`, if it is set.
    pub(crate) fn get(&self, variable: &Variable) -> Option<&str> {
        self.0.get(variable.name).map(ExposeSecret::expose_secret)
    }

    /// The value of `variable` as a secret, if it is set.
    pub(crate) fn secret(&self, variable: &Variable) -> Option<&SecretString> {
        self.0.get(variable.name)
    }
}

/// Names only.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Environment ")?;
        f.debug_set().entries(self.0.keys()).finish()
    }
}
