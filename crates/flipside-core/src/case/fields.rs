//! Named values of a case that it can be grouped by.

use std::fmt;

use super::Case;
use crate::foreign::Foreign;
use crate::json::{Json, Number};

/// A scalar: the value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A string.
    Text(String),
    /// A number, as it was written.
    Number(Number),
    /// A boolean.
    Bool(bool),
}

impl FieldValue {
    /// The value of a scalar; `None` for null, arrays and objects.
    pub fn of(value: &Json) -> Option<Self> {
        match value {
            Json::String(text) => Some(Self::Text(text.clone())),
            Json::Number(number) => Some(Self::Number(number.clone())),
            Json::Bool(value) => Some(Self::Bool(*value)),
            Json::Null | Json::Array(_) | Json::Object(_) => None,
        }
    }

    /// The value as JSON.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Text(text) => Json::String(text.clone()),
            Self::Number(number) => Json::Number(number.clone()),
            Self::Bool(value) => Json::Bool(*value),
        }
    }

    /// The value as text, by which cases are grouped: `1` and `"1"` are one value, `1` and `1.0` are two.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.as_str(),
            Self::Bool(true) => "true",
            Self::Bool(false) => "false",
        }
    }
}

impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Foreign(self.text()), f)
    }
}

impl Case {
    /// The value of the field `name`, as text.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.text())
    }
}
