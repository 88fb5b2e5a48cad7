//! Members of a configuration file, with errors that name file, key, what was found and what was expected.

use camino::Utf8Path;
use serde_json::{Map, Value};

use crate::error::LoadError;

/// One object of a configuration file.
pub(crate) struct Fields<'f> {
    file: &'f str,
    object: Map<String, Value>,
}

impl<'f> Fields<'f> {
    /// The object in `bytes`. What Python writes for numbers that are none (`NaN`, `Infinity`) is read as no number.
    pub(crate) fn parse(file: &'f str, bytes: &[u8]) -> Result<Self, LoadError> {
        match serde_json::from_slice(&without_literals(bytes)) {
            Ok(Value::Object(object)) => Ok(Self { file, object }),
            Ok(other) => Err(LoadError::invalid(
                file,
                format!("found {}, expected an object", kind(&other)),
            )),
            Err(error) => Err(LoadError::invalid(file, format!("no JSON: {error}"))),
        }
    }

    fn expected(&self, name: &str, found: &Value, expected: &str) -> LoadError {
        let found = match found {
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                format!("{} {found}", kind(found))
            }
            _ => kind(found).to_owned(),
        };
        LoadError::invalid(
            self.file,
            format!("`{name}` is {found}, expected {expected}"),
        )
    }

    /// An error about the value of `name`, which is there.
    pub(crate) fn wrong(&self, name: &str, expected: &str) -> LoadError {
        self.expected(name, self.get(name).unwrap_or(&Value::Null), expected)
    }

    /// The value of `name`, where it is there and not null.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// The value of `name`, null too.
    pub(crate) fn given(&self, name: &str) -> Option<&Value> {
        self.object.get(name)
    }

    /// A value that has to be there.
    pub(crate) fn required<T>(&self, name: &str, value: Option<T>) -> Result<T, LoadError> {
        value.ok_or_else(|| LoadError::invalid(self.file, format!("no `{name}`")))
    }

    /// A count of one or more.
    pub(crate) fn count(&self, name: &str) -> Result<Option<usize>, LoadError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => match value.as_u64().and_then(|n| usize::try_from(n).ok()) {
                Some(count) if count > 0 => Ok(Some(count)),
                _ => Err(self.expected(name, value, "a whole number from 1")),
            },
        }
    }

    /// A positive number.
    pub(crate) fn positive(&self, name: &str) -> Result<Option<f64>, LoadError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) if number > 0.0 && number.is_finite() => Ok(Some(number)),
                _ => Err(self.expected(name, value, "a positive number")),
            },
        }
    }

    /// A string.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, LoadError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(value) => Err(self.expected(name, value, "a string")),
        }
    }

    /// An object.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Fields<'f>>, LoadError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(Fields {
                file: self.file,
                object: object.clone(),
            })),
            Some(value) => Err(self.expected(name, value, "an object")),
        }
    }

    /// Whether `name` is true.
    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.get(name) == Some(&Value::Bool(true))
    }

    /// Refuses a value of `name` other than `only`.
    pub(crate) fn only(&self, name: &str, only: &str) -> Result<(), LoadError> {
        match self.get(name) {
            None => Ok(()),
            Some(Value::String(text)) if text == only => Ok(()),
            Some(value) => Err(self.expected(name, value, &format!("\"{only}\""))),
        }
    }

    /// The members in the order of their keys.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.object.iter().map(|(key, value)| (key.as_str(), value))
    }
}

/// The text with what is no finite number for Python (`NaN`, `Infinity`, `1e400`) made null or an empty text, so that places in
/// errors stay.
fn without_literals(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let (mut place, mut quoted) = (0, false);
    while place < out.len() {
        match out[place] {
            b'\\' if quoted => place += 1,
            b'"' => quoted = !quoted,
            byte if !quoted && (byte.is_ascii_alphanumeric() || byte == b'-') => {
                let length = out[place..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
                    .count();
                let word = &mut out[place..place + length];
                let number = std::str::from_utf8(word)
                    .ok()
                    .and_then(|word| word.parse::<f64>().ok());
                if number.is_some_and(|number| !number.is_finite()) {
                    // Three bytes cannot hold `null`.
                    let null: &[u8] = if length < 4 { b"\"\"" } else { b"null" };
                    word.fill(b' ');
                    word[..null.len()].copy_from_slice(null);
                }
                place += length - 1;
            }
            _ => {}
        }
        place += 1;
    }
    out
}

/// What kind of value this is, as a person would say it.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "the boolean",
        Value::Number(_) => "the number",
        Value::String(_) => "the string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The bytes of a checkpoint's files by name.
pub(crate) enum Folder<'f> {
    /// On disk.
    Disk(&'f Utf8Path),
    /// Inside the program, under a name.
    Inside(&'static str, &'static [(&'static str, &'static [u8])]),
}

impl Folder<'_> {
    /// The name of `file` in errors.
    pub(crate) fn name(&self, file: &str) -> String {
        match self {
            Self::Disk(folder) => folder.join(file).to_string(),
            Self::Inside(name, _) => format!("{name}/{file}"),
        }
    }

    /// The whole of `file`.
    pub(crate) fn read(&self, file: &str) -> Result<std::borrow::Cow<'static, [u8]>, LoadError> {
        match self {
            Self::Disk(folder) => match std::fs::read(folder.join(file)) {
                Ok(bytes) => Ok(bytes.into()),
                Err(source) => Err(LoadError::Read {
                    file: self.name(file),
                    source,
                }),
            },
            Self::Inside(_, files) => Ok(inside(files, file).into()),
        }
    }

    /// The whole of `file`; `None` where there is none.
    pub(crate) fn read_if_there(
        &self,
        file: &str,
    ) -> Result<Option<std::borrow::Cow<'static, [u8]>>, LoadError> {
        match self.read(file) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(LoadError::Read { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The tensors in `file`.
    pub(crate) fn weights(&self, file: &str) -> Result<crate::weights::Weights, LoadError> {
        match self {
            Self::Disk(folder) => crate::weights::Weights::open(&folder.join(file)),
            Self::Inside(_, files) => {
                crate::weights::Weights::inside(&self.name(file), inside(files, file))
            }
        }
    }
}

fn inside(files: &[(&str, &'static [u8])], file: &str) -> &'static [u8] {
    let found = files.iter().find(|(name, _)| *name == file);
    found
        .expect("a checkpoint inside the program has every file")
        .1
}
