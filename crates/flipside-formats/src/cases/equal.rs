//! Options that a probe case declares to be the same answer.

use flipside_core::case::{CaseOption, QuestionKind};
use flipside_core::json::Json;
use flipside_core::order::OptionId;

use super::Fields;
use super::probe::identity;
use crate::read::Error;

/// The classes under `equal`, such as `[["refund","money back"]]`, as identities.
pub(super) fn equal(
    row: Fields<'_>,
    kind: QuestionKind,
    options: &[CaseOption],
) -> Result<Vec<Vec<OptionId>>, Error> {
    let expected = match kind {
        QuestionKind::Choice => "an array of arrays of option keys",
        QuestionKind::Score => "an array of arrays of level numbers",
        QuestionKind::Noul => "nothing: the two sides of a statement are two answers",
    };
    let classes = match row.object.get("equal") {
        None => return Ok(Vec::new()),
        Some(Json::Array(classes)) if kind != QuestionKind::Noul => classes,
        Some(other) => return Err(row.type_error("equal", other, expected)),
    };
    let mut seen = vec![false; options.len()];
    let mut found = Vec::new();
    for (place, class) in classes.iter().enumerate() {
        let path = format!("equal[{place}]");
        let Json::Array(keys) = class else {
            return Err(row.type_error(&path, class, "an array of options that are one answer"));
        };
        if keys.len() < 2 {
            return Err(row.value_error(&path, class, "two or more options that are one answer"));
        }
        let mut identities = Vec::new();
        for (inner, key) in keys.iter().enumerate() {
            let text = match (kind, key) {
                (QuestionKind::Choice, Json::String(key)) => key.as_str(),
                (QuestionKind::Score, Json::Number(level)) => level.as_str(),
                _ => return Err(row.type_error(&format!("{path}[{inner}]"), key, one(kind))),
            };
            let id = identity(options, text).ok_or_else(|| Error::NotOffered {
                at: row.at.clone(),
                field: "equal",
                found: format!("`{text}`"),
                offered: options.iter().map(|option| option.key.0.clone()).collect(),
            })?;
            if std::mem::replace(&mut seen[id.index()], true) {
                let whole = Json::Array(classes.clone());
                let expected = "classes in which no option stands twice";
                return Err(row.value_error("equal", &whole, expected));
            }
            identities.push(id);
        }
        if identities.len() == options.len() {
            return Err(row.value_error(
                &path,
                class,
                "fewer than all options: else nothing is decided",
            ));
        }
        found.push(identities);
    }
    Ok(found)
}

fn one(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Score => "a level number",
        QuestionKind::Choice | QuestionKind::Noul => "an option key",
    }
}
