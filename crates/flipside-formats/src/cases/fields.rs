//! Fields of a row, with errors that name them.

use flipside_core::json::{Json, Object};

use crate::read::{At, Error, Row};

/// The fields of an object that stands in a row, perhaps deep inside it.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    pub(crate) at: &'a At,
    /// What leads to the object, with a final full stop; empty for the row itself.
    path: &'a str,
    pub(crate) object: &'a Object,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(row: &'a Row) -> Self {
        Self {
            at: &row.at,
            path: "",
            object: &row.object,
        }
    }

    pub(crate) fn inside(at: &'a At, path: &'a str, object: &'a Object) -> Self {
        Self { at, path, object }
    }

    pub(crate) fn path(&self, field: &str) -> String {
        format!("{}{field}", self.path)
    }

    /// The value, if the field is there and not null.
    pub(crate) fn get(&self, field: &str) -> Option<&'a Json> {
        self.object.get(field).filter(|value| **value != Json::Null)
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        self.object.get(field).is_some()
    }

    pub(crate) fn required(&self, field: &str, help: &'static str) -> Result<&'a Json, Error> {
        self.object.get(field).ok_or_else(|| Error::MissingField {
            at: self.at.clone(),
            field: self.path(field),
            help,
        })
    }

    pub(crate) fn type_error(&self, field: &str, value: &Json, expected: &'static str) -> Error {
        Error::Type {
            at: self.at.clone(),
            field: self.path(field),
            expected,
            found: value.kind(),
        }
    }

    pub(crate) fn value_error(
        &self,
        field: &str,
        value: &Json,
        expected: impl Into<String>,
    ) -> Error {
        Error::Value {
            at: self.at.clone(),
            field: self.path(field),
            expected: expected.into(),
            found: format!("`{}`", value.to_text()),
        }
    }

    pub(crate) fn empty(&self, field: &str, help: &'static str) -> Error {
        Error::EmptyField {
            at: self.at.clone(),
            field: self.path(field),
            help,
        }
    }

    /// The string under `field`, if there is one.
    pub(crate) fn string(&self, field: &str) -> Result<Option<&'a str>, Error> {
        match self.object.get(field) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.type_error(field, other, "a string")),
        }
    }

    /// The id under `field`: a string that is not empty, or a number as it is written.
    pub(crate) fn id(&self, field: &str) -> Result<Option<String>, Error> {
        match self.object.get(field) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) if text.is_empty() => {
                Err(self.empty(field, "give the case an id, or leave the field out"))
            }
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(Json::Number(number)) => Ok(Some(number.as_str().to_owned())),
            Some(other) => Err(self.type_error(field, other, "a string or a number")),
        }
    }

    /// A state as System One takes it.
    pub(crate) fn state(&self, help: &'static str) -> Result<Json, Error> {
        match self.required("state", help)? {
            state @ (Json::String(_) | Json::Array(_) | Json::Object(_)) => Ok(state.clone()),
            other => Err(self.type_error("state", other, "a string, an array or an object")),
        }
    }

    /// Refuses fields that are not in `known`.
    pub(crate) fn only(&self, known: &'static [&'static str]) -> Result<(), Error> {
        self.unknown(known).next().map_or(Ok(()), Err)
    }

    /// An error for each field that is not in `known`.
    pub(crate) fn unknown(
        &self,
        known: &'static [&'static str],
    ) -> impl Iterator<Item = Error> + use<'a> {
        let own = *self;
        let members = self.object.members().iter();
        let unknown = members.filter(|(name, _)| !known.contains(&name.as_str()));
        unknown.map(move |(name, _)| Error::UnknownField {
            at: own.at.clone(),
            field: own.path(name),
            near: known
                .iter()
                .copied()
                .find(|known| one_edit_apart(known, name)),
            known,
        })
    }
}

/// Whether one insertion, removal, replacement or swap of neighbours turns one text into the other, capitals aside.
fn one_edit_apart(one: &str, other: &str) -> bool {
    let one: Vec<char> = one.chars().flat_map(char::to_lowercase).collect();
    let other: Vec<char> = other.chars().flat_map(char::to_lowercase).collect();
    let (short, long) = if one.len() <= other.len() {
        (&one, &other)
    } else {
        (&other, &one)
    };
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    match long.len() - short.len() {
        0 => {
            let rest = |skip: usize| short.get(same + skip..) == long.get(same + skip..);
            let swapped = same + 1 < short.len()
                && short[same] == long[same + 1]
                && short[same + 1] == long[same];
            same == short.len() || rest(1) || (swapped && rest(2))
        }
        1 => short[same..] == long[same + 1..],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::one_edit_apart;

    #[test]
    fn one_edit_is_one_letter_or_two_neighbours() {
        for near in [
            "acept", "accepts", "accapt", "acecpt", "Accept", "xaccept", "ccept",
        ] {
            assert!(one_edit_apart("accept", near), "{near}");
        }
        for far in ["label", "acpt", "accceptt", "", "tpecca"] {
            assert!(!one_edit_apart("accept", far), "{far}");
        }
    }
}
