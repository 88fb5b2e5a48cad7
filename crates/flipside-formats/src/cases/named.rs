//! Named values that cases are grouped by.

use flipside_core::case::FieldValue;
use flipside_core::json::{Json, Object};

use super::Fields;
use crate::read::Error;

/// A longer text in a format of another program is prose and names no group: it is not kept.
const LONGEST: usize = 200;

/// The object of scalars under `fields`; a null is no value.
pub(crate) fn strict(row: Fields<'_>) -> Result<Vec<(String, FieldValue)>, Error> {
    let object = match row.object.get("fields") {
        None => return Ok(Vec::new()),
        Some(Json::Object(object)) => object,
        Some(other) => return Err(row.type_error("fields", other, "an object")),
    };
    let mut fields = Vec::new();
    for (name, value) in object.members() {
        match FieldValue::of(value) {
            Some(value) => fields.push((name.clone(), value)),
            None if *value == Json::Null => {}
            None => {
                let path = format!("fields.{name}");
                return Err(row.type_error(&path, value, "a string, a number or a boolean"));
            }
        }
    }
    Ok(fields)
}

/// The scalars of `object` that a reader of another program's format has no other use for.
pub(crate) fn unread(object: &Object, known: &[&str]) -> Vec<(String, FieldValue)> {
    let fields = object.members().iter().filter_map(|(name, value)| {
        let value = FieldValue::of(value).filter(|value| value.text().len() <= LONGEST)?;
        (!known.contains(&name.as_str())).then(|| (name.clone(), value))
    });
    fields.collect()
}
