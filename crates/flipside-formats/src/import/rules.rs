//! The rules of decisions whose record does not have them.

use flipside_core::case::Case;
use flipside_core::json::{Json, Object};

use super::{Error, Supplements};
use crate::read::At;

/// Where rules come from.
pub(super) enum Rules<'a> {
    /// Nowhere.
    Unknown,
    /// The same for every decision.
    Same(Json),
    /// Those of the cases with the decision's state.
    ByState(Vec<&'a Case>),
}

impl<'a> Rules<'a> {
    /// What the user supplies; a text stands before cases.
    pub(super) fn of(supplements: &'a Supplements) -> Self {
        if let Some(text) = &supplements.rules {
            let rules = ("rules".to_owned(), Json::String(text.clone()));
            return Self::Same(Json::Object(Object::new(vec![rules]).expect("one member")));
        }
        let has = |case: &&Case| case.question.instructions.is_some();
        let cases: Vec<&Case> = supplements.rules_from.iter().filter(has).collect();
        let mut all = cases.iter().map(|case| &case.question.instructions);
        match all.next() {
            None => Self::Unknown,
            Some(first) if all.all(|other| other == first) => {
                Self::Same(first.clone().expect("cases without rules were left out"))
            }
            Some(_) => Self::ByState(cases),
        }
    }

    /// The instructions of `case`; `None` where nothing supplies them.
    ///
    /// # Errors
    /// [`Error::Rules`] if the cases that should supply them have different rules, and none or several of those belong to its state.
    pub(super) fn for_case(&self, case: &Case, at: &At) -> Result<Option<Json>, Error> {
        let cases = match self {
            Self::Unknown => return Ok(None),
            Self::Same(rules) => return Ok(Some(rules.clone())),
            Self::ByState(cases) => cases,
        };
        let mut found: Vec<&Json> = Vec::new();
        for other in cases.iter().filter(|other| other.state == case.state) {
            let rules = other.question.instructions.as_ref();
            found.extend(rules.filter(|rules| !found.contains(rules)));
        }
        match found[..] {
            [only] => Ok(Some(only.clone())),
            _ => Err(Error::Rules {
                at: at.clone(),
                decision: case.id.clone(),
                matching: found.len() as u64,
            }),
        }
    }
}
