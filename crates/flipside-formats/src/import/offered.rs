//! Rows that anyone can write: the id of a decision, the keys of its options in the order in which they were offered, and the
//! one that was chosen. Several rows of one id are answers to it in several orders.

use std::collections::BTreeMap;

use flipside_core::case::{Case, QuestionKind};
use flipside_core::compare::RecordedAsk;
use flipside_core::json::{Json, Object, first_duplicate};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::record::Outcome;
use flipside_core::recorded::{Decision, Missing, order_name};

use super::build::{Gathered, UNNAMED, bare, failure, field, identity, option, origin, outcome};
use super::file::{File, done};
use super::{Kind, Problem, Recording, Supplements};
use crate::cases::{Fields, unread_fields};
use crate::read::{At, Error, Out, Row};

/// The format's name.
const FORMAT: &str = "ordered-choices";

const ROW: &[&str] = &["id", "case", "order", "choice", "probabilities", "gold"];

/// Reads the rows. The first row of an id, or the case of that id if it is supplied, has the decision's own order.
pub(super) fn read(file: &File<'_>, supplements: &Supplements) -> Result<Recording, Vec<Error>> {
    let mut out = Out::default();
    let mut reader = Reader {
        file,
        cases: (supplements.cases.iter())
            .map(|case| (case.id.0.as_str(), case))
            .collect(),
        places: BTreeMap::new(),
        gathered: Gathered::new(file, FORMAT),
    };
    file.rows(Kind::Listed, &mut out, &mut |row, out| {
        if let Err(error) = reader.row(&row, out) {
            out.error(error);
        }
    })?;
    for decision in &mut reader.gathered.decisions {
        if decision.outcome.is_none() {
            let why = "no row has it in its own order".to_owned();
            decision.missing.push(Missing::Answer { why });
        }
    }
    done(&mut out)?;
    Ok(reader.gathered.recording(out))
}

struct Reader<'a> {
    file: &'a File<'a>,
    cases: BTreeMap<&'a str, &'a Case>,
    /// By id: the place of the decision.
    places: BTreeMap<String, usize>,
    gathered: Gathered<'a>,
}

impl Reader<'_> {
    fn row(&mut self, row: &Row, out: &mut Out) -> Result<(), Error> {
        let fields = Fields::of(row);
        let Some(id) = fields.id("id")?.or(fields.id("case")?) else {
            let help = "give each row the id of its decision";
            fields.required("id", help)?;
            return Err(fields.empty("id", help));
        };
        let keys = keys(fields)?;
        let model = (fields.string("model")?).or(fields.string("system")?);
        if let Some(model) = model {
            self.gathered.model(model);
        }
        let known = self.places.get(&id).copied();
        let place = known.unwrap_or(self.gathered.decisions.len());
        if known.is_none() {
            let case = self.case(&id, row, &keys, model)?;
            let missing = case.state == Json::Null;
            let decision = Decision {
                case,
                outcome: None,
                others: Vec::new(),
                missing: missing.then_some(Missing::Request).into_iter().collect(),
            };
            self.gathered.take(decision, out);
            if self.gathered.decisions.len() == place {
                return Ok(());
            }
            self.places.insert(id, place);
        }
        let decision = &mut self.gathered.decisions[place];
        let order = order(&decision.case, &keys, &row.at)?;
        let outcome = chosen(&decision.case, fields, model);
        take(decision, order, outcome, &row.at)
    }

    fn case(&self, id: &str, row: &Row, keys: &[&str], model: Option<&str>) -> Result<Case, Error> {
        let source = self.file.source(FORMAT, &row.at);
        let mut case = if let Some(case) = self.cases.get(id) {
            Case {
                source,
                ..(*case).clone()
            }
        } else {
            let mut case = bare(id.to_owned(), source, UNNAMED, QuestionKind::Choice);
            case.options = keys.iter().map(|key| option(key)).collect();
            case
        };
        let fields = Fields::of(row);
        if let Some(gold) = fields.string("gold")?.filter(|_| case.accept.is_empty()) {
            let gold = identity(&case.options, gold).ok_or_else(|| Error::NotOffered {
                at: row.at.clone(),
                field: "gold",
                found: format!("`{gold}`"),
                offered: keys.iter().map(|key| (*key).to_owned()).collect(),
            })?;
            case.accept.push(gold);
        }
        for (name, value) in unread_fields(&row.object, ROW) {
            field(&mut case, &name, value);
        }
        origin(&mut case, model);
        Ok(case)
    }
}

/// The keys in the order in which they were offered.
fn keys(fields: Fields<'_>) -> Result<Vec<&str>, Error> {
    let help = "list the keys of the options in the order in which they were offered";
    let items = match fields.required("order", help)? {
        Json::Array(items) if items.is_empty() => return Err(fields.empty("order", help)),
        Json::Array(items) => items,
        other => return Err(fields.type_error("order", other, "an array of option keys")),
    };
    let mut keys = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let error = || fields.type_error(&format!("order[{place}]"), item, "an option key");
        keys.push(item.as_str().ok_or_else(error)?);
    }
    match first_duplicate(keys.iter().copied()) {
        None => Ok(keys),
        Some((first, second)) => Err(Error::RepeatedOption {
            at: fields.at.clone(),
            key: keys[first].to_owned(),
            first: first + 1,
            second: second + 1,
        }),
    }
}

/// The order of the options of `case` in which `keys` list them.
fn order(case: &Case, keys: &[&str], at: &At) -> Result<Order, Error> {
    let listed: Option<Vec<OptionId>> = (keys.iter())
        .map(|key| identity(&case.options, key))
        .collect();
    match listed.filter(|listed| listed.len() == case.options.len()) {
        Some(listed) => Ok(Order::listing(&listed)),
        None => Err(Problem::OtherOptions {
            found: keys.iter().map(|key| (*key).to_owned()).collect(),
            listed: case
                .options
                .iter()
                .map(|option| option.key.0.clone())
                .collect(),
        }
        .at(at)),
    }
}

/// What the row says was answered.
fn chosen(case: &Case, fields: Fields<'_>, model: Option<&str>) -> Outcome {
    let Some(choice) = fields.get("choice") else {
        return Outcome::Failed(failure(None, fields.get("error")));
    };
    let kind = Json::String(case.question.kind.name().to_owned());
    let mut members = vec![
        ("type".to_owned(), kind),
        ("choice".to_owned(), choice.clone()),
    ];
    let probabilities = fields.get("probabilities");
    members.extend(probabilities.map(|all| ("probabilities".to_owned(), all.clone())));
    let given = Object::new(members).expect("three different keys");
    outcome(case, &given, model)
}

/// Adds an answer to a decision, in the order in which the options were offered.
fn take(decision: &mut Decision, order: Order, outcome: Outcome, at: &At) -> Result<(), Error> {
    let repeated = || {
        let id = decision.case.id.0.clone();
        let problem = Problem::SameOrder { id };
        Err(problem.at(at))
    };
    if order.is_own() {
        if decision.outcome.is_some() {
            return repeated();
        }
        decision.outcome = Some(outcome);
        return Ok(());
    }
    if decision.others.iter().any(|ask| ask.order == order) {
        return repeated();
    }
    // Every other order of a kind has a name of its own in its case.
    let kind = order_name(&order);
    let mut name = kind.clone();
    let mut number = 1;
    while decision.others.iter().any(|ask| ask.variant.name == name) {
        number += 1;
        name = format!("{kind}:{number}");
    }
    decision.others.push(RecordedAsk {
        variant: Variant::order(name).into(),
        order,
        outcome,
    });
    Ok(())
}
