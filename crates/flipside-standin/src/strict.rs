//! What the strict dialects refuse that others pass over.

use crate::dialect::Wrong;
use crate::json::{Json, Node, Reader};
use crate::request::Problem;

const MOST_NAME_CHARS: usize = 100;

/// Refuses a body in which any object has a key twice, as the Cua worker does.
pub(crate) fn check(text: &str) -> Result<(), Problem> {
    let node = Reader::new(text).node();
    let node =
        node.map_err(|broken| Problem::new(Wrong::NotJson, &["body"], broken.to_string()))?;
    match twice(&node) {
        Some(key) => {
            let message = format!("key `{key}` is given twice");
            Err(Problem::new(Wrong::NotJson, &["body"], message))
        }
        None => Ok(()),
    }
}

fn twice<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.json {
        Json::Object(members) => {
            let mut keys: Vec<&str> = members.iter().map(|member| member.key.as_ref()).collect();
            keys.sort_unstable();
            let repeated = keys.windows(2).find(|pair| pair[0] == pair[1]);
            repeated
                .map(|pair| pair[0])
                .or_else(|| members.iter().find_map(|member| twice(&member.node)))
        }
        Json::Array(nodes) => nodes.iter().find_map(twice),
        _ => None,
    }
}

/// Whether a state says nothing.
pub(crate) fn is_empty(state: &str) -> bool {
    let inside = state.trim_matches(['"', '{', '}', '[', ']']);
    inside.trim().is_empty()
}

/// Whether a question's name is one that Clef takes.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=MOST_NAME_CHARS).contains(&name.len()) && name.bytes().all(plain)
}
