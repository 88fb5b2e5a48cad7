//! Values that go as text or as parts of a message: the state and instructions.

use flipside_core::json::{Json, write_string};
use flipside_core::model::Unsupported;

use super::limits;
use crate::wire::asked::unsupported;

/// Types of the items that an `input` is made of.
const ITEMS: [&str; 5] = [
    "message",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
];
/// Types of the parts that instructions are made of.
const PARTS: [&str; 3] = ["input_text", "input_image", "input_json"];

/// Writes the state as `input`: a string as it is, a list of input items as they are, an object or a list of objects as the JSON
/// part of one user message.
pub(super) fn write_state(state: &Json, out: &mut Vec<u8>) -> Result<(), Unsupported> {
    match state {
        Json::String(text) => write_string(text, out),
        Json::Array(items) if !items.is_empty() && items.iter().all(is_item) => state.write(out),
        _ => {
            out.extend_from_slice(b"[{\"type\":\"message\",\"role\":\"user\",\"content\":[");
            write_part(("the state", "is", "has"), state, out)?;
            out.extend_from_slice(b"]}]");
        }
    }
    Ok(())
}

/// Writes instructions: a string as it is, a list of parts as they are, an object or a list of objects as a JSON part.
pub(super) fn write_instructions(value: &Json, out: &mut Vec<u8>) -> Result<(), Unsupported> {
    match value {
        Json::String(text) => write_string(text, out),
        Json::Array(parts) if !parts.is_empty() && parts.iter().all(is_part) => value.write(out),
        _ => {
            out.push(b'[');
            write_part(("the instructions", "are", "have"), value, out)?;
            out.push(b']');
        }
    }
    Ok(())
}

fn is_item(value: &Json) -> bool {
    let Some(item) = value.as_object() else {
        return false;
    };
    match item.get("type") {
        Some(found) => found.as_str().is_some_and(|found| ITEMS.contains(&found)),
        None => item.get("role").is_some() && item.get("content").is_some(),
    }
}

fn is_part(value: &Json) -> bool {
    let found = value
        .as_object()
        .and_then(|part| part.get("type")?.as_str());
    found.is_some_and(|found| PARTS.contains(&found))
}

/// Writes a JSON part; what it is stands before its two verbs.
fn write_part(
    (what, is, has): (&str, &str, &str),
    value: &Json,
    out: &mut Vec<u8>,
) -> Result<(), Unsupported> {
    let of_objects = |items: &[Json]| items.iter().all(|item| item.as_object().is_some());
    match value {
        Json::Object(_) => {}
        Json::Array(items) if of_objects(items) => {}
        Json::Array(_) => {
            return unsupported(format!(
                "{what} {is} an array with values other than objects, OpenAI Decisions takes a string, an object or an array of objects"
            ));
        }
        other => {
            return unsupported(format!(
                "{what} {is} {}, OpenAI Decisions takes a string, an object or an array of objects",
                other.kind()
            ));
        }
    }
    limits::part(&format!("{what} {has}"), value)?;
    out.extend_from_slice(b"{\"type\":\"input_json\",\"data\":");
    value.write(out);
    out.push(b'}');
    Ok(())
}
