//! Words of texts, for the policy that counts shared ones.

use std::collections::HashSet;

use crate::json::{Json, Node, Reader};
use crate::shares::float;

/// The distinct lower-cased words of all texts and numbers in a JSON text, keys left out.
pub(crate) fn of_json(raw: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    if let Ok(node) = Reader::new(raw).node() {
        collect(&node, &mut words);
    }
    words
}

fn collect(node: &Node<'_>, words: &mut HashSet<String>) {
    match &node.json {
        Json::Text(text) => words.extend(split(text)),
        Json::Number(number) => words.extend(split(number)),
        Json::Array(nodes) => nodes.iter().for_each(|node| collect(node, words)),
        Json::Object(members) => members
            .iter()
            .for_each(|member| collect(&member.node, words)),
        Json::Null | Json::Bool(_) | Json::Skipped => {}
    }
}

/// How many distinct words of the key and the text are in `state`.
pub(crate) fn shared(state: &HashSet<String>, key: &str, text: Option<&str>) -> f64 {
    let option: HashSet<String> = split(key).chain(split(text.unwrap_or_default())).collect();
    float(option.intersection(state).count())
}

/// The lower-cased words of a text, in its order.
pub(crate) fn split(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_options_are_split_and_keys_of_the_state_are_not_words() {
        let state = of_json(r#"{"subject":"Charged twice","n":[7,"Two Payments"]}"#);
        assert_eq!(state.len(), 5);
        assert!(
            (shared(&state, "charged_twice-subject", Some("two 7 two")) - 4.0).abs() < f64::EPSILON
        );
    }
}
