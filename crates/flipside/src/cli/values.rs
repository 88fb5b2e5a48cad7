//! JSON values that commands write.

use flipside_core::json::{Json, Number, Object};

/// A number; null where it is not finite.
pub(crate) fn number(value: f64) -> Json {
    Number::parse(&value.to_string()).map_or(Json::Null, Json::Number)
}

/// A count.
pub(crate) fn count(value: u64) -> Json {
    Json::Number(value.into())
}

/// A text.
pub(crate) fn text(value: impl Into<String>) -> Json {
    Json::String(value.into())
}

/// An object of members whose names the code itself writes.
pub(crate) fn object(members: Vec<(&str, Json)>) -> Json {
    let members = members
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
    Json::Object(Object::new(members).expect("member names are distinct"))
}
