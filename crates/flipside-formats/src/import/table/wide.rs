//! Tables of choices between two options, with both orders in a row: `id`, `choice_original`, `choice_reversed`, the probability
//! of an option in each (`p_KEY_original`, `p_KEY_reversed`), and `gold`.

use std::collections::{BTreeMap, BTreeSet};

use flipside_core::compare::RecordedAsk;
use flipside_core::order::Order;
use flipside_core::perturb::Variant;
use flipside_core::recorded::Decision;

use super::cells::Cells;
use super::context::{Context, First, Given, Name, decision, outcome, unlisted};
use crate::import::Problem;
use crate::import::build::identity;
use crate::read::{At, Error};

/// What the columns of the two orders end in.
const ORDERS: [&str; 2] = ["original", "reversed"];

/// Rows read so far.
#[derive(Default)]
pub(super) struct Rows {
    read: Vec<Row>,
    lines: BTreeMap<Name, u64>,
    /// The keys that the table names, and where each stands first.
    keys: BTreeMap<String, At>,
}

struct Row {
    first: First,
    gold: Option<String>,
    answers: [Answer; 2],
}

#[derive(Default)]
struct Answer {
    chosen: Option<String>,
    /// The key of an option and its probability.
    probability: Option<(String, String)>,
}

impl Rows {
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.lines.keys()
    }

    pub(super) fn row(&mut self, cells: &Cells<'_>) -> Result<(), Error> {
        cells.required("id", "give each row the id of its decision")?;
        if !cells.has("choice_reversed") {
            cells.required(
                "choice_reversed",
                "say what was chosen in the reversed order",
            )?;
        }
        let mut answers = [Answer::default(), Answer::default()];
        let mut known = vec!["gold".to_owned()];
        for (order, answer) in ORDERS.into_iter().zip(&mut answers) {
            let chosen = format!("choice_{order}");
            answer.chosen = cells.text(&chosen)?.map(str::to_owned);
            known.push(chosen);
            for column in cells.columns() {
                let key = column
                    .strip_prefix("p_")
                    .and_then(|rest| rest.strip_suffix(order));
                let Some(key) = key.and_then(|rest| rest.strip_suffix('_')) else {
                    continue;
                };
                known.push(column.to_owned());
                let value = cells.probability(column)?;
                // One of the two is enough: the other is what is left.
                if answer.probability.is_none() {
                    answer.probability = value.map(|value| (key.to_owned(), value.to_owned()));
                }
                self.key(key, cells.at());
            }
        }
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let row = Row {
            first: First::of(cells, &known)?,
            gold: cells.text("gold")?.map(str::to_owned),
            answers,
        };
        let chosen = row
            .answers
            .iter()
            .filter_map(|answer| answer.chosen.as_deref());
        for key in chosen.chain(row.gold.as_deref()) {
            self.key(key, cells.at());
        }
        let line = cells.at().line;
        if let Some(first) = self.lines.insert(row.first.name.clone(), line) {
            let id = row.first.name.id;
            return Err(Problem::Repeated { id, first }.at(cells.at()));
        }
        self.read.push(row);
        Ok(())
    }

    fn key(&mut self, key: &str, at: &At) {
        if !self.keys.contains_key(key) {
            self.keys.insert(key.to_owned(), at.clone());
        }
    }

    /// The decisions. Which of the two options stood first is nowhere in such a table: cases with these two keys say it, or it
    /// stays unknown, and with it every figure about positions.
    pub(super) fn decisions<'a>(
        self,
        context: &'a Context<'_>,
    ) -> Box<dyn Iterator<Item = Result<Decision, Error>> + 'a> {
        let Self { read, lines, keys } = self;
        drop(lines);
        if keys.len() != 2 {
            let at = keys.values().max_by_key(|at| at.line).cloned();
            let found = keys.into_keys().collect();
            let at = at.unwrap_or_else(|| context.file.at(1));
            return Box::new(std::iter::once(Err(Problem::TwoOptions { found }.at(&at))));
        }
        let keys: BTreeSet<String> = keys.into_keys().collect();
        Box::new(
            read.into_iter()
                .map(move |row| row.decision(&keys, context)),
        )
    }
}

impl Row {
    fn decision(self, keys: &BTreeSet<String>, context: &Context<'_>) -> Result<Decision, Error> {
        let Self {
            first,
            gold,
            answers,
        } = self;
        let at = first.at.clone();
        let system = first.name.system.clone();
        let mut known = context.case(first);
        let case = &mut known.case;
        if known.whole {
            let same = case
                .options
                .iter()
                .all(|option| keys.contains(option.key.0.as_str()));
            if case.options.len() != keys.len() || !same {
                let listed = case.options.iter().map(|option| option.key.0.clone());
                return Err(Problem::OtherOptions {
                    found: keys.iter().cloned().collect(),
                    listed: listed.collect(),
                }
                .at(&at));
            }
        } else {
            unlisted(case, &mut keys.iter().map(String::as_str).collect());
            case.brought.unlisted = context.orders.list(case).is_none();
        }
        if case.accept.is_empty() {
            let gold = gold.and_then(|gold| identity(&case.options, &gold));
            case.accept.extend(gold);
        }
        let of = |answer: &Answer| {
            let probability = answer.probability.as_ref();
            let given = Given {
                chosen: answer.chosen.as_deref(),
                probability: probability.map(|(key, p)| (key.as_str(), p.as_str())),
            };
            outcome(case, &given, system.as_deref())
        };
        let [original, reversed] = answers.each_ref().map(of);
        let mut decision = decision(known, Some(original));
        decision.others = vec![RecordedAsk {
            variant: Variant::order("reverse").into(),
            order: Order::reverse(keys.len()),
            outcome: reversed,
        }];
        Ok(decision)
    }
}
