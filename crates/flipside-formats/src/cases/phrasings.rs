//! Rewordings that a probe case brings of itself.
//!
//! Each is an object that says, under the names that the case uses, what it says otherwise; what it leaves out stays. Text alone
//! would not say whether it stands for the state or for the rules, so there is no such short form.

use flipside_core::case::{Case, CaseOption, Phrasing, QuestionKind};
use flipside_core::json::{Json, Object};
use flipside_core::order::OptionId;

use super::Fields;
use super::probe::{PARTS, identity, strings};
use crate::read::{Error, list};

const FIELDS: &[&str] = &[
    "name",
    "state",
    "rules",
    "instructions",
    "goal",
    "operation",
    "options",
    "negated",
    "approved",
];

/// What a case is in its own words, among the names of its rewordings.
const OWN: &str = "own";

const HELP: &str = "say something otherwise: `state`, `rules` or `instructions`, `options`; what is left out stays";

/// The rewordings of `case` under `phrasings`, in the order written.
pub(super) fn phrasings(row: Fields<'_>, case: &Case) -> Result<Vec<Phrasing>, Error> {
    let items = match row.object.get("phrasings") {
        None => return Ok(Vec::new()),
        Some(Json::Array(items)) if items.is_empty() => {
            return Err(row.empty("phrasings", "leave it out where there is no rewording"));
        }
        Some(Json::Array(items)) => items,
        Some(other) => return Err(row.type_error("phrasings", other, "an array of rewordings")),
    };
    let mut found: Vec<Phrasing> = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let path = format!("phrasings[{place}]");
        let Some(object) = item.as_object() else {
            let expected = "an object that names the words it changes, such as `{\"rules\":\"…\"}`";
            return Err(row.type_error(&path, item, expected));
        };
        let inside = format!("{path}.");
        let fields = Fields::inside(row.at, &inside, object);
        let phrasing = phrasing(row, fields, case, place)?;
        if !WORDS.iter().any(|name| fields.has(name)) {
            return Err(row.empty(&path, HELP));
        }
        if !phrasing.rewords(case) {
            return Err(row.value_error(&path, item, "words other than the case's own"));
        }
        let words = worded(case, &phrasing);
        if let Some(earlier) = found
            .iter()
            .position(|earlier| worded(case, earlier) == words)
        {
            let expected = format!("words other than those of `phrasings[{earlier}]`");
            return Err(row.value_error(&path, item, expected));
        }
        if found.iter().any(|earlier| earlier.name == phrasing.name) {
            let name = Json::String(phrasing.name);
            let expected = "a name that no other rewording of the case has";
            return Err(fields.value_error("name", &name, expected));
        }
        found.push(phrasing);
    }
    Ok(found)
}

/// The fields that hold words.
const WORDS: [&str; 6] = [
    "state",
    "rules",
    "instructions",
    "goal",
    "operation",
    "options",
];

fn phrasing(
    row: Fields<'_>,
    fields: Fields<'_>,
    case: &Case,
    place: usize,
) -> Result<Phrasing, Error> {
    fields.only(FIELDS)?;
    let negated = boolean(fields, "negated")?.unwrap_or(false);
    if negated && case.question.kind != QuestionKind::Noul {
        let expected = "left out: only the statement of a noul question has an opposite";
        return Err(fields.value_error("negated", &Json::Bool(true), expected));
    }
    let state = fields.object.get("state");
    Ok(Phrasing {
        name: name(fields, place)?,
        state: state
            .map(|state| reworded(fields, "state", &case.state, state))
            .transpose()?,
        instructions: instructions(row, fields, case)?,
        texts: texts(fields, case, negated)?,
        negated,
        approved: boolean(fields, "approved")?.unwrap_or(true),
    })
}

/// The name written, or the number from 1.
fn name(fields: Fields<'_>, place: usize) -> Result<String, Error> {
    let Some(name) = fields.string("name")? else {
        return Ok((place + 1).to_string());
    };
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name == OWN || !name.chars().all(plain) {
        let expected = "a name of letters, digits, `-` and `_` other than `own`";
        return Err(fields.value_error("name", &Json::String(name.to_owned()), expected));
    }
    Ok(name.to_owned())
}

fn boolean(fields: Fields<'_>, name: &str) -> Result<Option<bool>, Error> {
    match fields.object.get(name) {
        None => Ok(None),
        Some(Json::Bool(value)) => Ok(Some(*value)),
        Some(other) => Err(fields.type_error(name, other, "a boolean")),
    }
}

/// `given` in place of `own`: of the same kind, so that the request keeps its shape, and not empty.
fn reworded(fields: Fields<'_>, name: &str, own: &Json, given: &Json) -> Result<Json, Error> {
    if given.kind() != own.kind() {
        let expected = format!("{} as in the case", own.kind());
        return Err(fields.value_error(name, given, expected));
    }
    let empty = match given {
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(object) => object.is_empty(),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    };
    if empty {
        return Err(fields.empty(name, "leave it out where the case's own words stay"));
    }
    Ok(given.clone())
}

/// The instructions with what is said otherwise in them, under the names that the case has.
fn instructions(row: Fields<'_>, fields: Fields<'_>, case: &Case) -> Result<Option<Json>, Error> {
    let named = PARTS.into_iter().chain(["instructions"]);
    if let Some(name) = named
        .filter(|name| fields.has(name))
        .find(|name| !row.has(name))
    {
        let value = fields.object.get(name).unwrap_or(&Json::Null);
        let expected = format!("left out: the case has no `{name}`");
        return Err(fields.value_error(name, value, expected));
    }
    let own = case.question.instructions.as_ref();
    if let Some((given, own)) = fields.object.get("instructions").zip(own) {
        return reworded(fields, "instructions", own, given).map(Some);
    }
    let Some(own) = own.and_then(Json::as_object) else {
        return Ok(None);
    };
    let mut changed = false;
    let mut members = own.members().to_vec();
    for (name, value) in &mut members {
        let given = fields.object.get(name);
        let Some(given) = given.filter(|_| PARTS.contains(&name.as_str())) else {
            continue;
        };
        *value = reworded(fields, name, value, given)?;
        if given.as_array().is_some_and(|rules| !strings(rules)) {
            return Err(fields.type_error(name, given, "an array of strings"));
        }
        changed = true;
    }
    let object = Object::new(members).expect("the keys of an object");
    Ok(changed.then_some(Json::Object(object)))
}

/// Texts by identity. The keys are those that the rewording is asked with: of a negated statement, the text under `true` says
/// when the opposite holds, which is the case's `false`.
fn texts(fields: Fields<'_>, case: &Case, negated: bool) -> Result<Vec<(OptionId, Json)>, Error> {
    let Some(value) = fields.object.get("options") else {
        return Ok(Vec::new());
    };
    let mut given: Vec<(OptionId, String, &Json)> = Vec::new();
    match (case.question.kind, value) {
        (QuestionKind::Score, Json::Array(levels)) if levels.len() == case.options.len() => {
            for (place, level) in (0u16..).zip(levels) {
                given.push((OptionId(place), format!("options[{place}]"), level));
            }
        }
        (QuestionKind::Score, other) => {
            let expected = format!("an array of {} levels, lowest first", case.options.len());
            return Err(fields.value_error("options", other, expected));
        }
        (QuestionKind::Choice | QuestionKind::Noul, Json::Object(texts)) => {
            for (key, text) in texts.members() {
                let of_case = match (negated, key.as_str()) {
                    (true, "true") => "false",
                    (true, "false") => "true",
                    (_, key) => key,
                };
                let id = identity(&case.options, of_case).ok_or_else(|| {
                    let keys: Vec<String> =
                        case.options.iter().map(|own| own.key.0.clone()).collect();
                    let expected = format!("texts of the case's options ({})", list(&keys));
                    fields.value_error("options", &Json::String(key.clone()), expected)
                })?;
                given.push((id, format!("options.{key}"), text));
            }
        }
        (QuestionKind::Choice | QuestionKind::Noul, other) => {
            return Err(fields.type_error("options", other, "an object of texts by option key"));
        }
    }
    if given.is_empty() {
        return Err(fields.empty("options", "leave it out where the case's own words stay"));
    }
    given.sort_by_key(|(id, _, _)| *id);
    let text = |(id, path, text): (OptionId, String, &Json)| match &case.options[id.index()] {
        CaseOption {
            text: None | Some(Json::Null),
            ..
        } => Err(fields.value_error(&path, text, "left out: the case's option has no text")),
        CaseOption {
            text: Some(own), ..
        } => Ok((id, reworded(fields, &path, own, text)?)),
    };
    given.into_iter().map(text).collect()
}

/// All words of a rewording, those included that it leaves to the case.
fn worded<'a>(
    case: &'a Case,
    phrasing: &'a Phrasing,
) -> (&'a Json, Option<&'a Json>, Vec<Option<&'a Json>>, bool) {
    let mut texts: Vec<Option<&Json>> = case.options.iter().map(|own| own.text.as_ref()).collect();
    for (id, text) in &phrasing.texts {
        texts[id.index()] = Some(text);
    }
    let own = case.question.instructions.as_ref();
    let instructions = phrasing.instructions.as_ref().or(own);
    let state = phrasing.state.as_ref().unwrap_or(&case.state);
    (state, instructions, texts, phrasing.negated)
}
