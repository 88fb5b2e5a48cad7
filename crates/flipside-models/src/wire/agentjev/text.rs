//! What the service's model reads of a value: a string as it is, structure as JSON with sorted keys.

use std::borrow::Cow;

use flipside_core::json::{Json, write_string};
use flipside_core::model::Unsupported;

use crate::wire::asked::unsupported;

/// The text that the model reads; two options with one text are one to it.
pub(super) fn rendered(value: &Json) -> Cow<'_, str> {
    match value {
        Json::String(text) => Cow::Borrowed(text),
        other => {
            let mut out = Vec::new();
            sorted(other, &mut out);
            Cow::Owned(String::from_utf8(out).expect("strings are UTF-8, all else is ASCII"))
        }
    }
}

/// Whether the service takes `value` as a text; `what` it is, such as `the state`.
///
/// # Errors
/// [`Unsupported`] for a blank string, a number, a boolean and null.
pub(super) fn check(what: &str, value: &Json) -> Result<(), Unsupported> {
    let found = match value {
        Json::String(text) if text.trim().is_empty() => "a blank string",
        Json::Object(_) | Json::Array(_) | Json::String(_) => return Ok(()),
        other => other.kind(),
    };
    unsupported(format!(
        "{what} is {found}, AgentJev takes a text that is not blank, an object or an array"
    ))
}

fn sorted(value: &Json, out: &mut Vec<u8>) {
    match value {
        Json::Object(object) => {
            let mut members: Vec<&(String, Json)> = object.members().iter().collect();
            // By code point, which is the order of UTF-8 bytes.
            members.sort_by(|a, b| a.0.cmp(&b.0));
            out.push(b'{');
            for (place, (key, value)) in members.into_iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                write_string(key, out);
                out.push(b':');
                sorted(value, out);
            }
            out.push(b'}');
        }
        Json::Array(items) => {
            out.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                sorted(item, out);
            }
            out.push(b']');
        }
        other => other.write(out),
    }
}
