//! What a reply itself says of input that the model did not see.

use std::collections::BTreeSet;

use flipside_core::answer::{Answer, QUOTED};
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};

const TOURNAMENT: &str = "the answer comes from a tournament: options with probability 0 left in an earlier round, which measures none of them as 0";

/// Remarks on a tournament among `own`, and on members of `usage` that say that something was truncated.
pub(in crate::wire) fn stated(reply: &Object, own: &Object, answer: &Answer) -> Vec<String> {
    let zeros =
        (answer.probabilities.as_ref()).is_some_and(|probabilities| probabilities.contains(&0.0));
    let tournament = zeros
        && own
            .get("x_tournament")
            .is_some_and(|member| *member != Json::Null);
    let mut found = BTreeSet::new();
    if let Some(Json::Object(usage)) = reply.get("usage") {
        truncations("usage", usage, &mut found);
    }
    let cut = found.into_iter().map(|member| {
        let member = Foreign(&member).cut(QUOTED);
        format!("the reply says that input was cut: `{member}`")
    });
    tournament
        .then(|| TOURNAMENT.to_owned())
        .into_iter()
        .chain(cut)
        .chain(alike(own))
        .collect()
}

/// A remark where the reply counts options that are the same text after its cuts.
fn alike(own: &Object) -> Option<String> {
    let Some(Json::Number(distinct)) = own.get("options_distinct") else {
        return None;
    };
    let options = own.get("option_tokens")?.as_object()?.len() as u64;
    let distinct = distinct.to_u64()?;
    (distinct < options).then(|| {
        format!("{options} options are {distinct} different texts after the cuts: choosing between equal ones is a tie")
    })
}

/// The paths of members that are named for truncation and are not nothing.
fn truncations(path: &str, object: &Object, found: &mut BTreeSet<String>) {
    for (name, value) in object.members() {
        let path = format!("{path}.{name}");
        if name.to_ascii_lowercase().contains("truncat") {
            if says_something(value) {
                found.insert(path);
            }
        } else if let Json::Object(inner) = value {
            truncations(&path, inner, found);
        }
    }
}

fn says_something(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(is) => *is,
        Json::Number(number) => number.to_f64() != Some(0.0),
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => items.iter().any(says_something),
        Json::Object(members) => members
            .members()
            .iter()
            .any(|(_, value)| says_something(value)),
    }
}
