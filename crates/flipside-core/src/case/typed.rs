//! Keys that stand for typed values: where an option is named by a boolean, `true` and `"true"` are two options.

use crate::json::Json;

/// The key that stands for `value` among typed values; `None` if it is neither a string nor a boolean.
///
/// A boolean is `true` or `false`. A string is itself, in quotes where it would be taken for a boolean or for a quoted
/// string, so that [`typed_value`] gives each key its one value.
///
/// ```
/// use flipside_core::case::{typed_key, typed_value};
/// use flipside_core::json::Json;
///
/// let text = Json::String("true".to_owned());
/// assert_eq!(typed_key(&Json::Bool(true)).as_deref(), Some("true"));
/// assert_eq!(typed_key(&text).as_deref(), Some("\"true\""));
/// assert_eq!(typed_value("\"true\""), text);
/// ```
pub fn typed_key(value: &Json) -> Option<String> {
    match value {
        Json::Bool(value) => Some(value.to_string()),
        Json::String(text) if text == "true" || text == "false" || quoted(text).is_some() => {
            Some(format!("\"{text}\""))
        }
        Json::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// The value that `key` stands for among typed values.
pub fn typed_value(key: &str) -> Json {
    match key {
        "true" => Json::Bool(true),
        "false" => Json::Bool(false),
        _ => Json::String(quoted(key).unwrap_or(key).to_owned()),
    }
}

fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_key_of_its_own_and_comes_back() {
        let texts = [
            "true",
            "false",
            "\"true\"",
            "\"\"true\"\"",
            "\"",
            "\"\"",
            "",
            "True",
            "a",
            "\"a",
            "a\"",
        ];
        let texts = texts.map(|text| Json::String(text.to_owned()));
        let values = [Json::Bool(true), Json::Bool(false)];
        let values: Vec<&Json> = values.iter().chain(&texts).collect();
        let keys: Vec<String> = values
            .iter()
            .map(|value| typed_key(value).unwrap())
            .collect();
        for (place, key) in keys.iter().enumerate() {
            assert_eq!(typed_value(key), *values[place], "{key}");
            assert!(!keys[..place].contains(key), "{key}");
        }
        assert_eq!(
            keys[..5],
            ["true", "false", "\"true\"", "\"false\"", "\"\"true\"\""]
        );
        assert_eq!(typed_key(&Json::Null), None);
    }
}
