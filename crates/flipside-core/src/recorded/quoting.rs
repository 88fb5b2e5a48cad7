//! Texts that list the options once more, and so keep an order of their own.

use crate::case::Case;
use crate::json::Json;
use crate::summary::Quoted;

/// Counts a case whose options were shown in another order, where its state or instructions name two of them or more.
pub(super) fn quoted(first: &Case, second: &Case, counts: &mut Quoted) {
    // What changed with the order may list it as it was shown.
    if first.state == second.state {
        let places = places(&first.state, first);
        counts.state += u64::from(places.len() > 1);
        counts.state_in_order += u64::from(places.len() > 1 && places.is_sorted());
    }
    if let Some(instructions) = &first.question.instructions
        && second.question.instructions.as_ref() == Some(instructions)
    {
        counts.instructions += u64::from(places(instructions, first).len() > 1);
    }
}

/// Where the texts of the options of `case` first stand in `text`, in the order of the options; of those without a text the keys.
fn places(text: &Json, case: &Case) -> Vec<(usize, usize)> {
    let mut texts = Vec::new();
    strings(text, &mut texts);
    let options = case.options.iter().filter_map(|option| {
        let words = match &option.text {
            Some(Json::String(words)) => words,
            Some(_) => return None,
            None => &option.key.0,
        };
        let mut found = texts.iter().enumerate();
        found.find_map(|(place, text)| Some((place, names(text, words)?)))
    });
    options.collect()
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

/// Where `words` stand in `text` as whole words; a single character says too little.
fn names(text: &str, words: &str) -> Option<usize> {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    words.chars().nth(1)?;
    let mut found = text.match_indices(words).map(|(at, _)| at);
    found.find(|at| {
        !inside(text[..*at].chars().next_back()) && !inside(text[at + words.len()..].chars().next())
    })
}
