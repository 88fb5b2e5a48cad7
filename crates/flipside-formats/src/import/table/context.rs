//! What all shapes of a table share: whose decision a row is, and which options it was made among.

use std::collections::BTreeMap;

use flipside_core::answer::{Reported, choice};
use flipside_core::case::{Case, CaseId, FieldValue, QuestionKind};
use flipside_core::order::Order;
use flipside_core::present::Presentation;
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_core::recorded::{Decision, Missing};

use super::cells::Cells;
use crate::import::Supplements;
use crate::import::build::{UNNAMED, bare, field, identity, option, origin};
use crate::import::file::File;
use crate::import::listed::Orders;
use crate::read::{At, Error};

/// The format's name.
pub(super) const FORMAT: &str = "answer-table";

/// Columns that name what answered.
const SYSTEMS: [&str; 2] = ["system", "model"];

/// What a decision of a table is told by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) system: Option<String>,
    pub(super) id: String,
}

/// The first row of a decision.
pub(super) struct First {
    pub(super) name: Name,
    pub(super) at: At,
    pub(super) fields: Vec<(String, FieldValue)>,
}

impl First {
    /// Reads it from a row whose further columns are `known`.
    pub(super) fn of(cells: &Cells<'_>, known: &[&str]) -> Result<Self, Error> {
        let id = cells.required("id", "give each row the id of its decision")?;
        let mut system = None;
        for column in SYSTEMS {
            system = system.or(cells.text(column)?);
        }
        let known: Vec<&str> = known.iter().copied().chain(["id"]).collect();
        Ok(Self {
            name: Name {
                system: system.map(str::to_owned),
                id: id.to_owned(),
            },
            at: cells.at().clone(),
            fields: cells.fields(&known),
        })
    }
}

/// What is known beside the table.
pub(super) struct Context<'a> {
    pub(super) file: &'a File<'a>,
    cases: BTreeMap<&'a str, &'a Case>,
    listed: BTreeMap<&'a str, &'a Case>,
    pub(super) orders: Orders<'a>,
    /// Whether the table holds the answers of several systems, so that an id alone tells no decision.
    several: bool,
}

/// A case with how much of it is known.
pub(super) struct Known {
    pub(super) case: Case,
    /// Whether it is one of those that the answers belong to, by its id: nothing of its request is missing.
    pub(super) whole: bool,
}

impl<'a> Context<'a> {
    pub(super) fn new(file: &'a File<'a>, supplements: &'a Supplements, several: bool) -> Self {
        let by_id = |cases: &'a [Case]| -> BTreeMap<&'a str, &'a Case> {
            cases
                .iter()
                .map(|case| (case.id.0.as_str(), case))
                .collect()
        };
        Self {
            file,
            cases: by_id(&supplements.cases),
            listed: by_id(&supplements.options_from),
            orders: Orders::of(&supplements.options_from),
            several,
        }
    }

    /// The case of a decision: the one of its id, or one without options.
    pub(super) fn case(&self, first: First) -> Known {
        let First { name, at, fields } = first;
        let Name { system, id } = name;
        let source = self.file.source(FORMAT, &at);
        let found = self.cases.get(id.as_str());
        let id = match &system {
            Some(system) if self.several => format!("{system}/{id}"),
            _ => id,
        };
        let mut case = match found {
            None => bare(id, source, UNNAMED, QuestionKind::Choice),
            Some(case) => Case {
                id: CaseId(id),
                source,
                ..(*case).clone()
            },
        };
        for (name, value) in fields {
            field(&mut case, &name, value);
        }
        origin(&mut case, system.as_deref());
        let whole = found.is_some();
        Known { case, whole }
    }

    /// The case of this id among those that list options in order.
    pub(super) fn listed(&self, id: &str) -> Option<&'a Case> {
        self.listed.get(id).copied()
    }
}

/// What a row says of its answer.
pub(super) struct Given<'a> {
    /// The key of the chosen option; `None` where the row has none.
    pub(super) chosen: Option<&'a str>,
    /// The probability of an option, as it is written, by its key.
    pub(super) probability: Option<(&'a str, &'a str)>,
}

/// The outcome that a row tells for `case`.
///
/// The probability of one of two options is that of the other too; of more options it tells no distribution and is left out.
pub(super) fn outcome(case: &Case, given: &Given<'_>, system: Option<&str>) -> Outcome {
    let Some(chosen) = given.chosen else {
        return Outcome::Failed(Failed {
            kind: FailedKind::Unavailable,
            message: "the table has no choice for it".to_owned(),
            unanswered: false,
        });
    };
    let probabilities = given.probability.and_then(|(key, text)| {
        let place = identity(&case.options, key)?.index();
        let [first, second] = case.options.as_slice() else {
            return None;
        };
        let (own, rest) = (text.parse().ok()?, rest(text)?);
        let values = if place == 0 { [own, rest] } else { [rest, own] };
        Some(
            [
                (first.key.0.as_str(), values[0]),
                (second.key.0.as_str(), values[1]),
            ]
            .to_vec(),
        )
    });
    let order = Order::own(case.options.len());
    let reported = Reported {
        choice: Some(chosen),
        probabilities,
        confidence: None,
    };
    match choice(&Presentation::new(case, &order), &reported) {
        Ok(mut answer) => {
            answer.served_model = system.map(std::sync::Arc::from);
            Outcome::Answered(answer)
        }
        Err(rejection) => Outcome::Failed(Failed::from(&rejection)),
    }
}

/// One minus a probability, with as many decimals as that is written with, so that it is rounded alike.
fn rest(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    let decimals = match text.split_once('.') {
        Some((_, decimals)) if decimals.bytes().all(|byte| byte.is_ascii_digit()) => decimals.len(),
        _ => return Some(1.0 - value),
    };
    format!("{:.decimals$}", 1.0 - value).parse().ok()
}

/// A decision of `known` whose answer in its own order is `own`.
pub(super) fn decision(known: Known, own: Option<Outcome>) -> Decision {
    let Known { case, whole } = known;
    let mut missing = Vec::new();
    if !whole {
        missing.push(Missing::Request);
    }
    if case.brought.unlisted {
        missing.push(Missing::Order);
    }
    Decision {
        case,
        outcome: own,
        others: Vec::new(),
        missing,
    }
}

/// Options without texts, in byte order of their keys; no order of them is on record.
pub(super) fn unlisted(case: &mut Case, keys: &mut Vec<&str>) {
    keys.sort_unstable();
    keys.dedup();
    case.options = keys.iter().map(|key| option(key)).collect();
    case.brought.unlisted = true;
}

#[cfg(test)]
mod tests {
    use super::rest;

    #[test]
    fn what_is_left_is_rounded_like_what_is_written() {
        // 1 - 0.4530 is 0.547 and not 0.5469999999999999.
        assert_eq!(rest("0.4530"), Some(0.547));
        assert_eq!(rest("1"), Some(0.0));
        assert_eq!(rest("0.25"), Some(0.75));
        assert_eq!(rest("2.5e-1"), Some(0.75));
        assert_eq!(rest("x"), None);
    }
}
