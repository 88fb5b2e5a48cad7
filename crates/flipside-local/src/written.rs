//! Replies as text.

use flipside_core::json::write_string;

pub(crate) const INFALLIBLE: &str = "a string takes everything";

/// `text` as a JSON string.
pub(crate) fn quoted(text: &str, out: &mut String) {
    let mut bytes = Vec::with_capacity(text.len() + 2);
    write_string(text, &mut bytes);
    out.push_str(std::str::from_utf8(&bytes).expect("a JSON string of UTF-8 is UTF-8"));
}

/// The members of an object whose brace is open, and the closing brace.
pub(crate) fn members<'k, V>(
    members: impl Iterator<Item = (&'k String, V)>,
    out: &mut String,
    mut value: impl FnMut(V, &mut String),
) {
    for (place, (key, of)) in members.enumerate() {
        if place > 0 {
            out.push(',');
        }
        quoted(key, out);
        out.push(':');
        value(of, out);
    }
    out.push('}');
}
