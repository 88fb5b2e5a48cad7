//! The same questions with another number of options.

use std::collections::BTreeSet;

use crate::case::{Case, CaseId, CaseOption, QuestionKind};
use crate::stats::draw::{Part, Stream};

/// The most options that a question of the study has.
pub const MOST_OPTIONS: usize = 255;

/// The choices among `cases` with `options` options each: their own first ones, then options of other cases, drawn. A case for which
/// the file has too few different options is left out.
///
/// Two options differ if both their keys and their texts do.
pub fn with_options(cases: &[Case], options: usize, seed: u64) -> Vec<Case> {
    let mut pool: Vec<&CaseOption> = Vec::new();
    let mut known = BTreeSet::new();
    for option in choices(cases).flat_map(|case| case.options.iter()) {
        if known.insert(identity(option)) {
            pool.push(option);
        }
    }
    choices(cases)
        .filter_map(|case| {
            let mut list: Vec<CaseOption> = case.options.iter().take(options).cloned().collect();
            let name = case.id.0.as_str();
            let mut others = pool.clone();
            let parts = [
                Part::U64(seed),
                Part::Text("cardinality"),
                Part::Text(name),
                Part::U64(options as u64),
            ];
            Stream::new(&parts).shuffle(&mut others);
            for other in others {
                if list.len() == options {
                    break;
                }
                let taken = list.iter().any(|own| {
                    own.key == other.key || (own.text.is_some() && own.text == other.text)
                });
                if !taken {
                    list.push(other.clone());
                }
            }
            (list.len() == options).then(|| Case {
                id: CaseId(format!("{name}/{options}")),
                options: list.into(),
                accept: Vec::new().into(),
                equal: Vec::new().into(),
                ..case.clone()
            })
        })
        .collect()
}

fn choices(cases: &[Case]) -> impl Iterator<Item = &Case> {
    cases
        .iter()
        .filter(|case| case.question.kind == QuestionKind::Choice)
}

fn identity(option: &CaseOption) -> (String, Option<String>) {
    let text = option.text.as_ref().map(crate::json::Json::to_text);
    (option.key.0.clone(), text)
}
