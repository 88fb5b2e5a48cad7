//! Texts that list the options once more, and so keep an order of their own.

use crate::case::Case;
use crate::json::Json;
use crate::summary::Quoted;

/// Counts a case whose options were shown in another order, where its state or instructions name two of them or more.
pub(super) fn quoted(first: &Case, second: &Case, counts: &mut Quoted) {
    // What changed with the order may list it as it was shown.
    if first.state == second.state {
        counts.state += u64::from(lists(&first.state, first));
    }
    if let Some(instructions) = &first.question.instructions
        && second.question.instructions.as_ref() == Some(instructions)
    {
        counts.instructions += u64::from(lists(instructions, first));
    }
}

/// Whether `text` has the texts of two options of `case` or more; of those without a text the keys.
fn lists(text: &Json, case: &Case) -> bool {
    let mut texts = Vec::new();
    strings(text, &mut texts);
    let named = case.options.iter().filter(|option| {
        let words = match &option.text {
            Some(Json::String(words)) => words,
            Some(_) => return false,
            None => &option.key.0,
        };
        texts.iter().any(|text| names(text, words))
    });
    named.take(2).count() > 1
}

fn strings<'a>(value: &'a Json, into: &mut Vec<&'a str>) {
    match value {
        Json::String(text) => into.push(text),
        Json::Array(items) => items.iter().for_each(|item| strings(item, into)),
        Json::Object(object) => object
            .members()
            .iter()
            .for_each(|(_, value)| strings(value, into)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// Whether `words` stand in `text` as whole words; a single character says too little.
fn names(text: &str, words: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let long = words.chars().nth(1).is_some();
    long && text.match_indices(words).any(|(at, _)| {
        !inside(text[..at].chars().next_back()) && !inside(text[at + words.len()..].chars().next())
    })
}
