//! Tables of choices by place in the original order, each row in one order: `id`, `order`, `chosen_canonical`, `n_options`.

use std::collections::BTreeMap;

use flipside_core::case::CaseOption;
use flipside_core::compare::RecordedAsk;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::recorded::{Decision, Missing};

use super::cells::Cells;
use super::context::{Context, First, Given, Name, decision, outcome};
use crate::import::Problem;
use crate::import::build::option;
use crate::read::{At, Error};

const KNOWN: &[&str] = &[
    "order",
    "n_options",
    "chosen_canonical",
    "chosen_position",
    "chosen_key",
    "p_chosen",
    "gold_canonical",
];

/// The two orders, as a table calls them.
const ORDERS: [&str; 2] = ["original", "reversed"];

/// Decisions read so far, in the order of their first rows.
#[derive(Default)]
pub(super) struct Rows {
    groups: Vec<Group>,
    places: BTreeMap<Name, usize>,
}

/// The rows of one decision.
struct Group {
    first: First,
    options: u16,
    /// The right option, from 0.
    gold: Option<u16>,
    /// In the original order, and in its reverse.
    answers: [Option<Answer>; 2],
    /// The keys of options that were chosen, by option from 0.
    keys: BTreeMap<u16, String>,
}

struct Answer {
    at: At,
    /// The chosen option, from 0.
    chosen: Option<u16>,
    probability: Option<String>,
}

impl Rows {
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.places.keys()
    }

    pub(super) fn row(&mut self, cells: &Cells<'_>) -> Result<(), Error> {
        let row = Row::of(cells)?;
        let name = &row.first.name;
        let Some(place) = self.places.get(name) else {
            self.places.insert(name.clone(), self.groups.len());
            self.groups.push(row.group());
            return Ok(());
        };
        self.groups[*place].take(row)
    }

    /// The decisions. Options are called by their numbers in the original order, unless a case of the same id names them.
    pub(super) fn decisions<'a>(
        self,
        context: &'a Context<'_>,
    ) -> impl Iterator<Item = Result<Decision, Error>> + 'a {
        let groups = self.groups.into_iter();
        groups.map(|group| group.decision(context))
    }
}

/// One row, checked in itself.
struct Row {
    first: First,
    /// 0 for the original order, 1 for its reverse.
    order: usize,
    options: u16,
    gold: Option<u16>,
    chosen: Option<u16>,
    key: Option<String>,
    probability: Option<String>,
}

impl Row {
    fn of(cells: &Cells<'_>) -> Result<Self, Error> {
        let first = First::of(cells, KNOWN)?;
        let order = cells.required(
            "order",
            "say in which order the options were: `original` or `reversed`",
        )?;
        let Some(order) = ORDERS.iter().position(|known| *known == order) else {
            let expected = "`original` or `reversed`".to_owned();
            return Err(cells.value_error("order", order, expected));
        };
        let help = "say how many options there were";
        cells.required("n_options", help)?;
        let options = cells.whole("n_options", 2, u16::MAX)?.unwrap_or_default();
        // Options count from 1 in a table, from 0 here.
        let from_0 = |number: u16| number - 1;
        let chosen = cells.whole("chosen_canonical", 1, options)?.map(from_0);
        let gold = cells.whole("gold_canonical", 1, options)?.map(from_0);
        let position = cells.whole("chosen_position", 1, options)?.map(from_0);
        if let (Some(position), Some(chosen)) = (position, chosen) {
            let expected = if order == 0 {
                chosen
            } else {
                options - 1 - chosen
            };
            if position != expected {
                return Err(Problem::Position {
                    position: position + 1,
                    expected: expected + 1,
                    order: ORDERS[order],
                    chosen: chosen + 1,
                    options,
                }
                .at(cells.at()));
            }
        }
        Ok(Self {
            first,
            order,
            options,
            gold,
            chosen,
            key: cells.text("chosen_key")?.map(str::to_owned),
            probability: cells.probability("p_chosen")?.map(str::to_owned),
        })
    }

    fn group(self) -> Group {
        let at = self.first.at.clone();
        let mut group = Group {
            first: self.first,
            options: self.options,
            gold: self.gold,
            answers: [None, None],
            keys: BTreeMap::new(),
        };
        if let (Some(chosen), Some(key)) = (self.chosen, self.key) {
            group.keys.insert(chosen, key);
        }
        group.answers[self.order] = Some(Answer {
            at,
            chosen: self.chosen,
            probability: self.probability,
        });
        group
    }
}

impl Group {
    fn take(&mut self, row: Row) -> Result<(), Error> {
        let at = row.first.at.clone();
        let first = self.first.at.line;
        let differs = |column: &'static str, found: String, other: String| {
            let problem = Problem::Differs {
                column,
                found,
                first,
                other,
            };
            Err(problem.at(&at))
        };
        if let Some(known) = &self.answers[row.order] {
            let (id, first) = (row.first.name.id, known.at.line);
            return Err(Problem::Repeated { id, first }.at(&at));
        }
        if row.options != self.options {
            return differs(
                "n_options",
                row.options.to_string(),
                self.options.to_string(),
            );
        }
        if row.gold != self.gold {
            let text =
                |gold: Option<u16>| gold.map_or(String::new(), |gold| (gold + 1).to_string());
            return differs("gold_canonical", text(row.gold), text(self.gold));
        }
        if let (Some(chosen), Some(key)) = (row.chosen, row.key) {
            match self.keys.get(&chosen) {
                Some(known) if *known != key => return differs("chosen_key", key, known.clone()),
                _ => self.keys.insert(chosen, key),
            };
        }
        self.answers[row.order] = Some(Answer {
            at,
            chosen: row.chosen,
            probability: row.probability,
        });
        Ok(())
    }

    fn decision(self, context: &Context<'_>) -> Result<Decision, Error> {
        let Self {
            first,
            options,
            gold,
            answers,
            keys,
        } = self;
        let at = first.at.clone();
        let system = first.name.system.clone();
        let listed = context.listed(&first.name.id);
        let mut known = context.case(first);
        let case = &mut known.case;
        if !known.whole {
            case.options = match listed {
                Some(listed) => listed.options.clone(),
                None => (1..=options)
                    .map(|number| option(&number.to_string()))
                    .collect(),
            };
        }
        if known.whole || listed.is_some() {
            agree(&case.options, options, &keys).map_err(|problem| problem.at(&at))?;
        }
        if case.accept.is_empty() {
            case.accept.extend(gold.map(OptionId));
        }
        let of = |answer: &Answer| {
            let key = |id: u16| case.options[usize::from(id)].key.0.as_str();
            let chosen = answer.chosen.map(key);
            let given = Given {
                chosen,
                probability: chosen.zip(answer.probability.as_deref()),
            };
            outcome(case, &given, system.as_deref())
        };
        let [original, reversed] = answers.map(|answer| answer.as_ref().map(of));
        let mut decision = decision(known, original);
        decision.others.extend(reversed.map(|outcome| RecordedAsk {
            variant: Variant::order("reverse").into(),
            order: Order::reverse(usize::from(options)),
            outcome,
        }));
        if decision.outcome.is_none() {
            let why = "the table has no row for it in the original order".to_owned();
            decision.missing.push(Missing::Answer { why });
        }
        Ok(decision)
    }
}

/// Whether a case has as many options as its rows count, and the keys that they name.
fn agree(
    options: &[CaseOption],
    counted: u16,
    keys: &BTreeMap<u16, String>,
) -> Result<(), Problem> {
    if options.len() != usize::from(counted) {
        return Err(Problem::Options {
            counted,
            listed: options.len() as u64,
        });
    }
    for (id, key) in keys {
        let own = &options[usize::from(*id)].key.0;
        if own != key {
            return Err(Problem::OtherKey {
                number: id + 1,
                key: key.clone(),
                own: own.clone(),
            });
        }
    }
    Ok(())
}
