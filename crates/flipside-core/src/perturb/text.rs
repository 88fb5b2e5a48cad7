//! Changing every text of a JSON value, and nothing else.

use super::Altered;
use crate::json::{Json, Object};
use crate::plan::VacuousReason;

/// `value` with every string in it changed; keys of objects stay.
fn every_string(value: &Json, change: &dyn Fn(&str) -> String) -> Json {
    match value {
        Json::String(text) => Json::String(change(text)),
        Json::Array(items) => Json::Array(
            items
                .iter()
                .map(|item| every_string(item, change))
                .collect(),
        ),
        Json::Object(object) => {
            let members = object.members().iter();
            let members = members.map(|(key, value)| (key.clone(), every_string(value, change)));
            Json::Object(Object::new(members.collect()).expect("the keys of an object"))
        }
        other => other.clone(),
    }
}

/// Changes every text of state and instructions.
///
/// # Errors
/// [`VacuousReason::Unchanged`] where none is another then.
pub(super) fn change(
    to: &mut Altered,
    change: &dyn Fn(&str) -> String,
) -> Result<(), VacuousReason> {
    let state = every_string(&to.case.state, change);
    let instructions = &to.case.question.instructions;
    let instructions = instructions
        .as_ref()
        .map(|value| every_string(value, change));
    if state == to.case.state && instructions == to.case.question.instructions {
        return Err(VacuousReason::Unchanged);
    }
    to.case.state = state;
    to.case.question.instructions = instructions;
    Ok(())
}
