//! Keys: where they come from, where they may go, and how they are kept out of everything that is written.

use std::borrow::Cow;

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use super::base64;
use super::endpoint::Endpoint;
use crate::env::{Environment, Variable};

/// What stands where a key was echoed.
const REDACTED: &str = "[key]";
/// Keys shorter than this are not looked for in replies: they are no secrets, and would be found in ordinary words.
const LEAST: usize = 6;

/// A key and the variable that it came from. Its `Debug` shows the variable alone.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    variable: String,
    value: SecretString,
}

/// Why a key is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeyProblem {
    #[error(
        "`{variable}` has white space, a control character or a character outside ASCII in it, expected one word"
    )]
    Form { variable: String },
    #[error("`{variable}` would go to `{host}` over http://, where others can read it")]
    Insecure { variable: String, host: String },
    #[error("`{variable}` is the key of {home} and would go to `{host}`")]
    Elsewhere {
        variable: String,
        home: &'static str,
        host: String,
    },
}

impl Key {
    /// The key in `variable`, if it is set.
    pub(crate) fn read(
        environment: &Environment,
        variable: &Variable,
    ) -> Result<Option<Self>, KeyProblem> {
        (environment.secret(variable))
            .map(|value| Self::of(variable.name, value))
            .transpose()
    }

    /// The key that the user names with `--key-from`, if one is.
    pub(crate) fn named(environment: &Environment) -> Result<Option<Self>, KeyProblem> {
        (environment.named())
            .map(|(variable, value)| Self::of(variable, value))
            .transpose()
    }

    fn of(variable: &str, value: &SecretString) -> Result<Self, KeyProblem> {
        let variable = variable.to_owned();
        let mut bytes = value.expose_secret().bytes();
        if !bytes.all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyProblem::Form { variable });
        }
        Ok(Self {
            variable,
            value: value.clone(),
        })
    }

    /// The variable's name.
    pub(crate) fn variable(&self) -> &str {
        &self.variable
    }

    /// Whether the key may go to `endpoint`.
    pub(crate) fn check(&self, endpoint: &Endpoint) -> Result<(), KeyProblem> {
        if endpoint.is_encrypted() || endpoint.is_loopback() {
            return Ok(());
        }
        Err(KeyProblem::Insecure {
            variable: self.variable.clone(),
            host: endpoint.authority().to_owned(),
        })
    }

    /// The value of `Authorization`, marked as sensitive.
    pub(crate) fn authorization(&self) -> HeaderValue {
        let mut value = HeaderValue::try_from(format!("Bearer {}", self.value.expose_secret()))
            .expect("a key is printable ASCII");
        value.set_sensitive(true);
        value
    }

    /// `text` without the key, also where a server escapes characters of it as in JSON or in a URL.
    pub(crate) fn redacted<'a>(&self, text: &'a str) -> Cow<'a, str> {
        without(text, self.value.expose_secret())
    }
}

/// `text` without `key`, also where characters of it are escaped as in JSON or in a URL, and where it stands within Base64.
pub(crate) fn without<'a>(text: &'a str, key: &str) -> Cow<'a, str> {
    let key = key.as_bytes();
    if key.len() < LEAST {
        return Cow::Borrowed(text);
    }
    let plain = without_escaped(text, key);
    match base64::without(&plain, key, REDACTED) {
        Some(text) => Cow::Owned(text),
        None => plain,
    }
}

/// `text` without `key` where each of its characters stands as it is or escaped.
fn without_escaped<'a>(text: &'a str, key: &[u8]) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    let (mut out, mut kept, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        match echo(&bytes[at..], key) {
            Some(length) => {
                out += &text[kept..at];
                out += REDACTED;
                at += length;
                kept = at;
            }
            None => at += 1,
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out += &text[kept..];
    Cow::Owned(out)
}

/// How many bytes `key` takes at the start of `text`, each of its characters as it is or escaped; `None` where it does not stand there.
fn echo(text: &[u8], key: &[u8]) -> Option<usize> {
    let mut at = 0;
    for wanted in key {
        at += character(text.get(at..)?, *wanted)?;
    }
    Some(at)
}

/// How many bytes the ASCII character `wanted` takes at the start of `text`: as it is, as `\/`, as `\u002f` or as `%2f`.
fn character(text: &[u8], wanted: u8) -> Option<usize> {
    let hex = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).ok()?;
        u8::from_str_radix(digits, 16).ok()
    };
    match text {
        [b'\\', b'u', b'0', b'0', high, low, ..] if hex(&[*high, *low]) == Some(wanted) => Some(6),
        [b'\\', escaped, ..] if *escaped == wanted && matches!(wanted, b'/' | b'"' | b'\\') => {
            Some(2)
        }
        [b'%', high, low, ..] if hex(&[*high, *low]) == Some(wanted) => Some(3),
        [plain, ..] if *plain == wanted => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::TYPESAFE_API_KEY;

    fn key(value: &str) -> Result<Option<Key>, KeyProblem> {
        let environment =
            Environment::read(|name| (name == "TYPESAFE_API_KEY").then(|| value.to_owned()));
        Key::read(&environment, &TYPESAFE_API_KEY)
    }

    #[test]
    fn a_key_that_is_not_one_word_is_refused_without_being_printed() {
        for bad in ["hush hush", "hush\n", "hüsh", "hush\u{7f}"] {
            let problem = key(bad).unwrap_err();
            assert!(
                !format!("{problem} {problem:?}")
                    .to_lowercase()
                    .contains("hush"),
                "{problem}"
            );
        }
        assert!(key("").unwrap().is_none());
    }

    #[test]
    fn a_key_is_in_no_debug_text_and_in_no_redacted_one() {
        let key = key("hu/sh-sesame").unwrap().unwrap();
        assert!(!format!("{key:?} {:?}", key.authorization()).contains("sesame"));
        assert_eq!(
            key.redacted(r#"a hu/sh-sesame "hu\/sh-sesame""#),
            r#"a [key] "[key]""#
        );
        let escaped = r"hu\u002Fsh\u002dsesame, hu%2fsh-sesame%, hu%2Fsh%2Dsesam hu/sh-sesam";
        assert_eq!(
            key.redacted(escaped),
            "[key], [key]%, hu%2Fsh%2Dsesam hu/sh-sesam"
        );
        assert_eq!(
            key.redacted("hu/hu/sh-sesamé hu/sh-sesame"),
            "hu/hu/sh-sesamé [key]"
        );
    }

    #[test]
    fn a_key_goes_unencrypted_to_this_machine_only() {
        let key = key("hush-sesame").unwrap().unwrap();
        let check = |url: &str| key.check(&Endpoint::parse(url).unwrap()).is_ok();
        assert!(check("https://h/") && check("http://127.0.0.1/"));
        assert!(!check("http://h/"));
    }
}
