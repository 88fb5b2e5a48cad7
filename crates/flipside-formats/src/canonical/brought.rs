//! What a case brings along for variants of itself, in a canonical line.

use flipside_core::case::{Brought, Case, Phrasing};
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::record::Outcome;

use super::{array, identity, member, number, object, option, read_option, string, text};
use crate::cases::Fields;
use crate::json;
use crate::read::Error;

/// The members of what `case` brings; none where it brings nothing.
pub(super) fn members(case: &Case) -> Vec<(String, Json)> {
    let Brought {
        phrasings,
        decoys,
        recorded,
        unlisted,
        fixed_order,
        typed_keys,
    } = &case.brought;
    let mut members = Vec::new();
    if !phrasings.is_empty() {
        let phrasings = phrasings.iter().map(phrasing).collect();
        members.push(member("phrasings", Json::Array(phrasings)));
    }
    if !decoys.is_empty() {
        let decoys = decoys.iter().map(option).collect();
        members.push(member("decoys", Json::Array(decoys)));
    }
    members.extend(
        recorded
            .as_deref()
            .map(|outcome| member("recorded", of_outcome(outcome))),
    );
    members.extend(unlisted.then(|| member("unlisted", Json::Bool(true))));
    members.extend(fixed_order.then(|| member("fixed_order", Json::Bool(true))));
    members.extend(typed_keys.then(|| member("typed_keys", Json::Bool(true))));
    members
}

/// An outcome as journal lines have it.
fn of_outcome(outcome: &Outcome) -> Json {
    let text = serde_json::to_string(outcome).expect("an outcome has text keys");
    json::parse(&text).expect("an outcome is written as JSON")
}

fn read_outcome(row: Fields<'_>) -> Result<Option<Box<Outcome>>, Error> {
    let Some(value) = row.get("recorded") else {
        return Ok(None);
    };
    if let Ok(outcome) = serde_json::from_str(&value.to_text()) {
        return Ok(Some(Box::new(outcome)));
    }
    let expected = "an outcome such as `{\"answered\":{\"choice\":0}}`";
    Err(row.value_error("recorded", value, expected))
}

/// Whether the row has `name` as true.
fn read_flag(row: Fields<'_>, name: &str) -> Result<bool, Error> {
    match row.get(name) {
        None => Ok(false),
        Some(Json::Bool(flag)) => Ok(*flag),
        Some(other) => Err(row.type_error(name, other, "`true` or `false`")),
    }
}

fn phrasing(phrasing: &Phrasing) -> Json {
    let mut members = vec![member("name", text(&phrasing.name))];
    let words = [
        ("state", &phrasing.state),
        ("instructions", &phrasing.instructions),
    ];
    for (name, value) in words {
        members.extend(value.clone().map(|value| member(name, value)));
    }
    if !phrasing.texts.is_empty() {
        let texts = phrasing.texts.iter().map(|(id, words)| {
            let id = member("option", number(u64::from(id.0)));
            object(vec![id, member("text", words.clone())])
        });
        members.push(member("texts", Json::Array(texts.collect())));
    }
    members.extend(
        phrasing
            .negated
            .then(|| member("negated", Json::Bool(true))),
    );
    members.extend((!phrasing.approved).then(|| member("approved", Json::Bool(false))));
    object(members)
}

/// What the case of a row brings.
pub(super) fn read(row: Fields<'_>) -> Result<Brought, Error> {
    Ok(Brought {
        phrasings: items(row, "phrasings", read_phrasing)?.into(),
        decoys: items(row, "decoys", |_, item| read_option(row, "decoys", item))?.into(),
        recorded: read_outcome(row)?,
        unlisted: read_flag(row, "unlisted")?,
        fixed_order: read_flag(row, "fixed_order")?,
        typed_keys: read_flag(row, "typed_keys")?,
    })
}

/// The items of the array under `name`, if there is one.
fn items<T>(
    row: Fields<'_>,
    name: &str,
    read: impl Fn(Fields<'_>, &Json) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    if !row.has(name) {
        return Ok(Vec::new());
    }
    array(row, name)?
        .iter()
        .map(|item| read(row, item))
        .collect()
}

fn read_phrasing(row: Fields<'_>, item: &Json) -> Result<Phrasing, Error> {
    let Some(object) = item.as_object() else {
        return Err(row.type_error("phrasings", item, "an array of objects with `name`"));
    };
    let fields = Fields::inside(row.at, "phrasings.", object);
    fields.only(&[
        "name",
        "state",
        "instructions",
        "texts",
        "negated",
        "approved",
    ])?;
    let is = |name: &str, value: bool| fields.object.get(name) == Some(&Json::Bool(value));
    Ok(Phrasing {
        name: string(fields, "name")?.to_owned(),
        state: fields.object.get("state").cloned(),
        instructions: fields.object.get("instructions").cloned(),
        texts: items(fields, "texts", read_text)?,
        negated: is("negated", true),
        approved: !is("approved", false),
    })
}

fn read_text(fields: Fields<'_>, item: &Json) -> Result<(OptionId, Json), Error> {
    let part = |part: &str| item.as_object().and_then(|object| object.get(part));
    match (part("option"), part("text")) {
        (Some(id), Some(words)) => Ok((identity(fields, "texts", id)?, words.clone())),
        _ => Err(fields.type_error(
            "texts",
            item,
            "an array of objects with `option` and `text`",
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::canonical::read_canonical;

    const CASE: &str = r#"{"schema":"flipside.case/1","id":"a","source":{"format":"probe","file":"f","line":1},"state":1,"question":{"type":"choice","name":"pick","before":[],"after":[]},"options":[{"key":"x"},{"key":"y"}],"keys":"option","accept":[]"#;

    fn error(rest: &str) -> String {
        let errors = read_canonical(&format!("{CASE},{rest}}}\n")).unwrap_err();
        assert_eq!(errors.len(), 1);
        errors[0].to_string()
    }

    #[test]
    fn what_is_on_record_is_read_strictly() {
        assert!(read_canonical(&format!("{CASE}}}\n")).is_ok());
        let found = [
            r#""recorded":{"answered":{"choice":2}}"#,
            r#""recorded":{"answered":{"choice":0,"probabilities":[1]}}"#,
            r#""recorded":{"answered":{"choice":"x"}}"#,
            r#""recorded":{"failed":{"kind":"odd","message":""}}"#,
            r#""recorded":7"#,
            r#""unlisted":1"#,
            r#""fixed_order":"yes""#,
            r#""typed_keys":0"#,
        ]
        .map(error);
        let outcome = "to be an outcome such as `{\"answered\":{\"choice\":0}}`, found";
        for (found, expected) in found.iter().zip([
            "the recorded answer is option 2, counted from 0, of 2 options",
            "the recorded answer has 1 probabilities for 2 options",
            outcome,
            outcome,
            outcome,
            "`unlisted`",
            "`fixed_order`",
            "`typed_keys`",
        ]) {
            assert!(found.contains(":1: "), "{found}");
            assert!(found.contains(expected), "{found}");
        }
    }
}
