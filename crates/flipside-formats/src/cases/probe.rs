//! Probe cases: one JSON object a line, written by hand, read strictly.

use flipside_core::case::{Brought, Case, CaseOption, Key, KeyBinding, Question, QuestionKind};
use flipside_core::json::{self, Json, Object};
use flipside_core::order::OptionId;

use super::decoys::decoys;
use super::equal::equal;
use super::named::strict;
use super::phrasings::phrasings;
use super::systemone::Sorted;
use super::{Fields, Source};
use crate::read::{At, Error, Out, Row, Seen, Warning};

const FIELDS: &[&str] = &[
    "state",
    "options",
    "rules",
    "accept",
    "note",
    "id",
    "type",
    "instructions",
    "goal",
    "operation",
    "fields",
    "equal",
    "phrasings",
    "decoys",
];

/// The fields that make instructions together.
pub(super) const PARTS: [&str; 3] = ["goal", "operation", "rules"];

/// The name under which the one question of such a case is asked, as `s1a` does.
pub(super) const QUESTION: &str = "pick";

pub(super) fn read(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    let mut sorted = Sorted::default();
    for row in rows {
        sorted.see_object(&row.object);
        match case(row, source) {
            Ok(case) => {
                if listed_by_javascript(&row.object, &case) {
                    let seen = Seen {
                        at: row.at.clone(),
                        more: 0,
                    };
                    out.warn(Warning::IntegerKeys { seen });
                }
                out.case(case);
            }
            Err(error) => out.error(error),
        }
    }
    if sorted.all() {
        out.warn(Warning::SortedKeys {
            file: source.file.to_owned(),
        });
    }
}

fn listed_by_javascript(object: &Object, case: &Case) -> bool {
    let keyed = object
        .get("options")
        .is_some_and(|options| options.as_object().is_some());
    keyed && case.question.kind == QuestionKind::Choice && integer_keys(&case.options)
}

/// Whether two keys or more are whole numbers and stand first and in order, as JavaScript moves them.
pub(crate) fn integer_keys(options: &[CaseOption]) -> bool {
    let integer = |option: &CaseOption| {
        let number: u32 = option.key.0.parse().ok()?;
        (number.to_string() == option.key.0 && number < u32::MAX).then_some(number)
    };
    let numbers: Vec<u32> = options.iter().map_while(integer).collect();
    let rest = &options[numbers.len()..];
    numbers.len() > 1 && numbers.is_sorted() && rest.iter().all(|option| integer(option).is_none())
}

fn case(row: &Row, source: &Source<'_>) -> Result<Case, Error> {
    let fields = Fields::of(row);
    fields.only(FIELDS)?;
    let kind = match fields.object.get("type") {
        None => QuestionKind::Choice,
        Some(value) => value
            .as_str()
            .and_then(QuestionKind::parse)
            .ok_or_else(|| fields.value_error("type", value, "`choice`, `score` or `noul`"))?,
    };
    let id = match fields.string("id")? {
        Some("") => return Err(fields.empty("id", "give the case an id, or leave the field out")),
        _ => source.id(row, &["id"])?,
    };
    let state =
        fields.state("write what the decision is about; probe cases always have a state")?;
    let options = match kind {
        QuestionKind::Choice => choice_options(fields)?,
        QuestionKind::Score => score_levels(fields, "options")?,
        QuestionKind::Noul => noul_sides(fields, "options")?,
    };
    let mut case = Case {
        id,
        source: source.of(row),
        state,
        question: Question {
            kind,
            name: QUESTION.to_owned(),
            instructions: Some(instructions(fields)?),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        accept: accept(fields, kind, &options)?.into(),
        equal: equal(fields, kind, &options)?.into(),
        brought: Brought {
            decoys: decoys(fields, kind, &options)?.into(),
            ..Brought::default()
        },
        options: options.into(),
        keys: if kind == QuestionKind::Score {
            KeyBinding::Place
        } else {
            KeyBinding::Option
        },
        named: Source::names(row, &["id"]),
        position_dependent: None,
        note: fields.string("note")?.map(str::to_owned),
        fields: strict(fields)?.into(),
    };
    case.brought.phrasings = phrasings(fields, &case)?.into();
    Ok(case)
}

/// The instructions as given, or an object of those of `goal`, `operation` and `rules` that are set.
fn instructions(fields: Fields<'_>) -> Result<Json, Error> {
    let help = "write what to decide by; `instructions` takes any JSON value in its place";
    if let Some(instructions) = fields.get("instructions") {
        return match PARTS.into_iter().find(|part| fields.has(part)) {
            None => Ok(instructions.clone()),
            Some(part) => Err(Error::Both {
                at: fields.at.clone(),
                first: "instructions".to_owned(),
                second: part.to_owned(),
            }),
        };
    }
    let mut members = Vec::new();
    for part in PARTS {
        match fields.object.get(part) {
            None => {}
            Some(value @ Json::String(_)) => members.push((part.to_owned(), value.clone())),
            Some(value @ Json::Array(rules)) if part == "rules" && strings(rules) => {
                members.push((part.to_owned(), value.clone()));
            }
            Some(other) if part == "rules" => {
                return Err(fields.type_error(part, other, "a string or an array of strings"));
            }
            Some(other) => return Err(fields.type_error(part, other, "a string")),
        }
    }
    if members.is_empty() {
        fields.required("rules", help)?;
    }
    Ok(Json::Object(
        Object::new(members).expect("three different keys"),
    ))
}

pub(super) fn strings(items: &[Json]) -> bool {
    !items.is_empty() && items.iter().all(|item| item.as_str().is_some())
}

fn choice_options(fields: Fields<'_>) -> Result<Vec<CaseOption>, Error> {
    let help = "list the options, each with a key and a text";
    let options = keyed_options(fields, "options", fields.required("options", help)?)?;
    if options.is_empty() {
        Err(fields.empty("options", help))
    } else {
        Ok(options)
    }
}

/// Options as an object of texts by key, or as an array of `{"key":…,"text":…}`.
pub(super) fn keyed_options(
    fields: Fields<'_>,
    field: &str,
    value: &Json,
) -> Result<Vec<CaseOption>, Error> {
    match value {
        Json::Object(options) => {
            let members = options.members().iter();
            Ok(members.map(|(key, text)| option(key, Some(text))).collect())
        }
        Json::Array(options) => keyed_list(fields, field, options),
        other => Err(fields.type_error(
            field,
            other,
            "an object, or an array of objects with `key` and `text`",
        )),
    }
}

/// An option; a null text is none.
pub(super) fn option(key: &str, text: Option<&Json>) -> CaseOption {
    let text = text.filter(|text| **text != Json::Null).cloned();
    CaseOption {
        key: Key(key.to_owned()),
        text,
    }
}

/// Options as an array of `{"key":…,"text":…}`.
fn keyed_list(fields: Fields<'_>, field: &str, items: &[Json]) -> Result<Vec<CaseOption>, Error> {
    let mut options = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let path = format!("{field}[{place}]");
        let Some(object) = item.as_object() else {
            return Err(fields.type_error(&path, item, "an object with `key` and `text`"));
        };
        let path = fields.path(&path) + ".";
        let inner = Fields::inside(fields.at, &path, object);
        inner.only(&["key", "text"])?;
        inner.required("key", "give each option its own key")?;
        let key = inner.string("key")?.unwrap_or_default();
        options.push(option(key, object.get("text")));
    }
    repeated_option(fields.at, &options)?;
    Ok(options)
}

/// Refuses a list in which a key stands twice.
pub(super) fn repeated_option(at: &At, options: &[CaseOption]) -> Result<(), Error> {
    match json::first_duplicate(options.iter().map(|option| option.key.0.as_str())) {
        None => Ok(()),
        Some((first, second)) => Err(Error::RepeatedOption {
            at: at.clone(),
            key: options[first].key.0.clone(),
            first: first + 1,
            second: second + 1,
        }),
    }
}

/// Levels, lowest first; their keys are their numbers.
pub(super) fn score_levels(fields: Fields<'_>, field: &str) -> Result<Vec<CaseOption>, Error> {
    let help = "list the levels, lowest first";
    let levels = match fields.required(field, help)? {
        Json::Array(levels) => levels,
        other => return Err(fields.type_error(field, other, "an array of levels, lowest first")),
    };
    if levels.is_empty() {
        return Err(fields.empty(field, help));
    }
    let level = |(place, level): (usize, &Json)| match level {
        Json::Null => Err(fields.type_error(&format!("{field}[{place}]"), level, "a level")),
        text => Ok(option(&place.to_string(), Some(text))),
    };
    levels.iter().enumerate().map(level).collect()
}

/// The two sides of a statement: in the order written where both are, else `false` and `true`.
///
/// A side that is written as null keeps its null, so that a request says what the file says.
pub(super) fn noul_sides(fields: Fields<'_>, field: &str) -> Result<Vec<CaseOption>, Error> {
    let listed;
    let written: Vec<CaseOption> = match fields.get(field) {
        None => Vec::new(),
        Some(Json::Object(sides)) => {
            let side = |(key, text): &(String, Json)| CaseOption {
                key: Key(key.clone()),
                text: Some(text.clone()),
            };
            sides.members().iter().map(side).collect()
        }
        Some(Json::Array(sides)) => {
            listed = keyed_list(fields, field, sides)?;
            listed
        }
        Some(other) => {
            return Err(fields.type_error(field, other, "an object with `true` and `false`"));
        }
    };
    if let Some(other) = written
        .iter()
        .find(|side| side.key.0 != "true" && side.key.0 != "false")
    {
        let key = Json::String(other.key.0.clone());
        return Err(fields.value_error(field, &key, "an object with `true` and `false`"));
    }
    if written.len() == 2 {
        return Ok(written);
    }
    let side = |key: &str| {
        let known = written.iter().find(|side| side.key.0 == key).cloned();
        known.unwrap_or_else(|| option(key, None))
    };
    Ok(vec![side("false"), side("true")])
}

fn accept(
    fields: Fields<'_>,
    kind: QuestionKind,
    options: &[CaseOption],
) -> Result<Vec<OptionId>, Error> {
    let (expected, help) = match kind {
        QuestionKind::Choice => (
            "an array of option keys",
            "leave `accept` out where no answer is known",
        ),
        QuestionKind::Score => (
            "an array of level numbers",
            "leave `accept` out where no level is known",
        ),
        QuestionKind::Noul => (
            "`[true]` or `[false]`",
            "leave `accept` out where no answer is known",
        ),
    };
    let named = match fields.object.get("accept") {
        None => return Ok(Vec::new()),
        Some(Json::Array(named)) => named,
        Some(other) => return Err(fields.type_error("accept", other, expected)),
    };
    if named.is_empty() {
        return Err(fields.empty("accept", help));
    }
    let mut accepted = Vec::new();
    for name in named {
        let key = match (kind, name) {
            (QuestionKind::Choice, Json::String(key)) => key.clone(),
            (QuestionKind::Score, Json::Number(level)) => level.as_str().to_owned(),
            (QuestionKind::Noul, Json::Bool(side)) => side.to_string(),
            _ => {
                return Err(fields.value_error(
                    "accept",
                    &fields.object.get("accept").cloned().unwrap_or(Json::Null),
                    expected,
                ));
            }
        };
        let id = identity(options, &key).ok_or_else(|| Error::NotOffered {
            at: fields.at.clone(),
            field: "accept",
            found: format!("`{key}`"),
            offered: options.iter().map(|option| option.key.0.clone()).collect(),
        })?;
        if accepted.contains(&id) {
            let accept = fields.object.get("accept").cloned().unwrap_or(Json::Null);
            return Err(fields.value_error(
                "accept",
                &accept,
                "a list in which no option stands twice",
            ));
        }
        accepted.push(id);
    }
    if kind == QuestionKind::Noul && accepted.len() > 1 {
        let accept = fields.object.get("accept").cloned().unwrap_or(Json::Null);
        return Err(fields.value_error("accept", &accept, expected));
    }
    Ok(accepted)
}

pub(super) fn identity(options: &[CaseOption], key: &str) -> Option<OptionId> {
    let place = options.iter().position(|option| option.key.0 == key)?;
    u16::try_from(place).ok().map(OptionId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_that_stand_first_may_have_been_moved() {
        let told = |keys: &[&str]| {
            let options: Vec<CaseOption> = keys.iter().map(|key| option(key, None)).collect();
            integer_keys(&options)
        };
        assert!(told(&["1", "2", "10"]));
        assert!(told(&["1", "2", "other"]));
        assert!(!told(&["1", "other"]), "one alone is in no order");
        assert!(
            !told(&["2", "1", "other"]),
            "JavaScript would have turned them"
        );
        assert!(
            !told(&["1", "2", "other", "3"]),
            "it would have moved the last"
        );
        assert!(!told(&["01", "02"]), "these are no numbers to it");
    }
}
