//! Base files: one base case a line, written by hand, read strictly.

use std::collections::BTreeMap;

use flipside_core::case::QuestionKind;
use flipside_core::json::{Json, Object};
use flipside_core::order::OptionId;
use flipside_core::suite::{BaseCase, BaseOption, BaseParts};

use super::Problem;
use super::builtin::{BASES, BUILTIN};
use crate::cases::Fields;
use crate::json::utf8;
use crate::read::{At, Error, Input, Out, Row, load, of_json, rows_of};

const WITH_OPTIONS: &[&str] = &[
    "id", "family", "type", "states", "question", "options", "accept",
];

const NOUL: &[&str] = &["id", "family", "type", "states", "questions", "accept"];

/// Whether a row is a base case rather than a row that one makes.
pub(crate) fn is_base(object: &Object) -> bool {
    ["family", "type", "states", "accept"]
        .iter()
        .all(|name| object.get(name).is_some())
}

/// Reads the base cases of `input`; `builtin:fragility` has those that the embedded rows are made of.
///
/// ```
/// use flipside_formats::suite::read_bases;
///
/// let bases = read_bases(&"builtin:fragility".parse().unwrap()).unwrap();
/// assert_eq!(bases.len(), 40);
/// ```
///
/// # Errors
/// Every [`Error`] of the file, at most [`crate::read::MOST_ERRORS`] and then [`Error::More`].
pub fn read_bases(input: &Input) -> Result<Vec<BaseCase>, Vec<Error>> {
    let file = input.to_string();
    if *input == Input::Builtin(BUILTIN.to_owned()) {
        return bases_of(&file, BASES);
    }
    let loaded = load(input).map_err(|error| vec![error])?;
    let text = utf8(&loaded.bytes).map_err(|error| vec![of_json(&file, 0, 0, error)])?;
    bases_of(&file, text)
}

/// The base cases of the text of `file`.
pub(super) fn bases_of(file: &str, text: &str) -> Result<Vec<BaseCase>, Vec<Error>> {
    let mut out = Out::default();
    let rows = rows_of(file, text, &mut out);
    let mut bases = Vec::new();
    let mut seen: BTreeMap<String, At> = BTreeMap::new();
    for row in &rows {
        if ["base_id", "key_variant"]
            .iter()
            .all(|name| row.object.get(name).is_some())
        {
            out.error(Problem::RowsFile.at(&row.at));
            break;
        }
        // An id is taken by a base case that cannot be read, too.
        if let Some(id) = row.object.get("id").and_then(Json::as_str) {
            match seen.get(id) {
                Some(first) => out.error(Error::RepeatedId {
                    at: row.at.clone(),
                    id: id.to_owned(),
                    first: first.clone(),
                }),
                None => drop(seen.insert(id.to_owned(), row.at.clone())),
            }
        }
        match base(row) {
            Ok(base) => bases.push(base),
            Err(errors) => errors.into_iter().for_each(|error| out.error(error)),
        }
    }
    if out.error_count() == 0 && bases.is_empty() {
        out.error(Error::NoCase {
            file: file.to_owned(),
            failures: 0,
        });
    }
    if out.error_count() > 0 {
        out.sort_errors(0);
        return Err(out.into_errors());
    }
    Ok(bases)
}

/// One base case, or everything that is wrong with it.
fn base(row: &Row) -> Result<BaseCase, Vec<Error>> {
    let fields = Fields::of(row);
    let kind = kind(fields).map_err(|error| vec![error])?;
    let noul = kind == QuestionKind::Noul;
    let known = if noul { NOUL } else { WITH_OPTIONS };
    let mut errors: Vec<Error> = fields.unknown(known).collect();
    let mut keep = |error: Error| errors.push(error);
    let id = text(fields, "id", "give the base case an id").map_err(&mut keep);
    let family = text(fields, "family", "say which family it belongs to").map_err(&mut keep);
    let states = texts(fields, "states", "write two or more wordings of the state");
    let states = states.map_err(&mut keep);
    let questions = if noul {
        texts(fields, "questions", "write two wordings of the question")
    } else {
        text(fields, "question", "write what is asked").map(|question| vec![question])
    };
    let questions = questions.map_err(&mut keep);
    let options = if noul {
        Ok(Vec::new())
    } else {
        options(fields)
    };
    let options = options.map_err(&mut keep);
    let accept = accept(fields, kind, options.as_deref().unwrap_or_default());
    // Without options nothing can be accepted, and one error says enough.
    let accept = match accept {
        Err(Error::NotOffered { .. }) if !noul && options.as_ref().map_or(true, Vec::is_empty) => {
            Ok(OptionId(0))
        }
        other => other.map_err(&mut keep),
    };
    let (Ok(id), Ok(family), Ok(states), Ok(questions), Ok(options)) =
        (id, family, states, questions, options)
    else {
        return Err(errors);
    };
    let parts = BaseParts {
        id,
        family,
        kind,
        states,
        questions,
        options,
        // Where it could not be read there is an error already; the other parts are still checked.
        accept: *accept.as_ref().unwrap_or(&OptionId(0)),
    };
    match BaseCase::new(parts) {
        Ok(base) if errors.is_empty() => Ok(base),
        Ok(_) => Err(errors),
        Err(found) => {
            let at = || row.at.clone();
            errors.extend(found.into_iter().map(|why| Error::Base { at: at(), why }));
            Err(errors)
        }
    }
}

fn kind(fields: Fields<'_>) -> Result<QuestionKind, Error> {
    let kinds = "`choice`, `score` or `noul`";
    let help = "say how the question is answered: `choice`, `score` or `noul`";
    let value = fields.required("type", help)?;
    value
        .as_str()
        .and_then(QuestionKind::parse)
        .ok_or_else(|| fields.value_error("type", value, kinds))
}

fn text(fields: Fields<'_>, field: &str, help: &'static str) -> Result<String, Error> {
    match fields.required(field, help)? {
        Json::String(text) => Ok(text.clone()),
        other => Err(fields.type_error(field, other, "a string")),
    }
}

fn texts(fields: Fields<'_>, field: &str, help: &'static str) -> Result<Vec<String>, Error> {
    let expected = "an array of strings";
    let items = match fields.required(field, help)? {
        Json::Array(items) => items,
        other => return Err(fields.type_error(field, other, expected)),
    };
    let text = |(place, item): (usize, &Json)| match item {
        Json::String(text) => Ok(text.clone()),
        other => Err(fields.type_error(&format!("{field}[{place}]"), other, "a string")),
    };
    items.iter().enumerate().map(text).collect()
}

fn options(fields: Fields<'_>) -> Result<Vec<BaseOption>, Error> {
    let help = "list the options by name, each with its description; levels lowest first";
    let options = match fields.required("options", help)? {
        Json::Object(options) => options.members(),
        other => {
            return Err(fields.type_error("options", other, "an object of descriptions by name"));
        }
    };
    let option = |(name, description): &(String, Json)| match description {
        Json::String(description) => Ok(BaseOption {
            name: name.clone(),
            description: description.clone(),
        }),
        other => Err(fields.type_error(&format!("options.{name}"), other, "a string")),
    };
    options.iter().map(option).collect()
}

fn accept(
    fields: Fields<'_>,
    kind: QuestionKind,
    options: &[BaseOption],
) -> Result<OptionId, Error> {
    let help = "say which answer is right in every wording";
    match (kind, fields.required("accept", help)?) {
        (QuestionKind::Noul, Json::Bool(side)) => Ok(OptionId(u16::from(*side))),
        (QuestionKind::Noul, other) => Err(fields.type_error("accept", other, "`true` or `false`")),
        (QuestionKind::Choice | QuestionKind::Score, Json::String(name)) => {
            let place = options.iter().position(|option| option.name == *name);
            let id = place.and_then(|place| u16::try_from(place).ok());
            id.map(OptionId).ok_or_else(|| Error::NotOffered {
                at: fields.at.clone(),
                field: "accept",
                found: format!("`{name}`"),
                offered: options.iter().map(|option| option.name.clone()).collect(),
            })
        }
        (_, other) => Err(fields.type_error("accept", other, "the name of one option")),
    }
}
