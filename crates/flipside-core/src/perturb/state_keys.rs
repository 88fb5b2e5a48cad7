//! The state-keys axis: the same state with the members of its objects in another order, at every depth.

use std::fmt;

use super::order::plain_count;
use super::{Altered, Alternative, Axis, Change, Draws, Variant, order};
use crate::json::{Json, Object};
use crate::plan::VacuousReason;
use crate::stats::draw::Stream;

/// `state-keys` as the user writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKeysSpec {
    /// Backwards.
    Reverse,
    /// This many draws.
    Shuffle(u32),
}

/// Another order of every object's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateKeys {
    /// Backwards.
    Reverse,
    /// The draw of this number, from 0.
    Shuffle(u32),
}

impl StateKeysSpec {
    pub(super) const FORMS: &'static str = "`state-keys`, or `reverse` or `shuffle:N`, a plain number from 1 to 50, after `state-keys:`";

    pub(super) fn parse(value: Option<&str>) -> Option<Self> {
        match value {
            None | Some("reverse") => Some(Self::Reverse),
            Some(value) => {
                let count = value.strip_prefix("shuffle:")?;
                plain_count(count, order::MOST_DRAWS).map(Self::Shuffle)
            }
        }
    }

    pub(super) fn alternatives(self) -> Vec<Alternative> {
        let one = |name: String, change| {
            Alternative::new(
                Variant::on(Axis::StateKeys, name),
                Change::StateKeys(change),
            )
        };
        match self {
            Self::Reverse => vec![one("reverse".to_owned(), StateKeys::Reverse)],
            Self::Shuffle(draws) => (0..draws)
                .map(|draw| one(format!("shuffle:{}", draw + 1), StateKeys::Shuffle(draw)))
                .collect(),
        }
    }
}

impl fmt::Display for StateKeysSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reverse => f.write_str("reverse"),
            Self::Shuffle(draws) => write!(f, "shuffle:{draws}"),
        }
    }
}

impl StateKeys {
    /// Puts the members of every object of the state into another order.
    ///
    /// # Errors
    /// [`VacuousReason::NoMembers`] where no object of the state has two members; [`VacuousReason::Unchanged`] where a draw is the
    /// state's own order.
    pub(super) fn apply(self, to: &mut Altered, draws: &Draws<'_>) -> Result<(), VacuousReason> {
        if !has_order(&to.case.state) {
            return Err(VacuousReason::NoMembers);
        }
        let mut stream = match self {
            Self::Reverse => None,
            Self::Shuffle(number) => Some(draws.stream("state-keys", number)),
        };
        let state = arranged(&to.case.state, &mut stream);
        if state == to.case.state {
            return Err(VacuousReason::Unchanged);
        }
        to.case.state = state;
        Ok(())
    }
}

fn has_order(value: &Json) -> bool {
    match value {
        Json::Object(object) => {
            object.len() > 1 || object.members().iter().any(|(_, value)| has_order(value))
        }
        Json::Array(items) => items.iter().any(has_order),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
    }
}

fn arranged(value: &Json, stream: &mut Option<Stream>) -> Json {
    match value {
        Json::Object(object) => {
            let members = object.members().iter();
            let mut members: Vec<(String, Json)> = members
                .map(|(key, value)| (key.clone(), arranged(value, stream)))
                .collect();
            match stream {
                None => members.reverse(),
                Some(stream) => stream.shuffle(&mut members),
            }
            Json::Object(Object::new(members).expect("the members of an object"))
        }
        Json::Array(items) => {
            Json::Array(items.iter().map(|item| arranged(item, stream)).collect())
        }
        other => other.clone(),
    }
}
