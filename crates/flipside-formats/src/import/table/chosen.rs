//! Tables of choices by key: `id`, `chosen`, and `gold` where the right answer is known.

use std::collections::BTreeMap;

use flipside_core::recorded::Decision;

use super::cells::Cells;
use super::context::{Context, First, Given, Name, decision, outcome, unlisted};
use crate::import::Problem;
use crate::import::build::{identity, nothing};
use crate::read::Error;

const KNOWN: &[&str] = &["chosen", "gold"];

/// Rows read so far.
#[derive(Default)]
pub(super) struct Rows {
    read: Vec<Row>,
    lines: BTreeMap<Name, u64>,
}

struct Row {
    first: First,
    chosen: Option<String>,
    gold: Option<String>,
}

impl Rows {
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.lines.keys()
    }

    pub(super) fn row(&mut self, cells: &Cells<'_>) -> Result<(), Error> {
        let first = First::of(cells, KNOWN)?;
        let row = Row {
            chosen: cells.text("chosen")?.map(str::to_owned),
            gold: cells.text("gold")?.map(str::to_owned),
            first,
        };
        let line = row.first.at.line;
        if let Some(first) = self.lines.insert(row.first.name.clone(), line) {
            let id = row.first.name.id;
            return Err(Problem::Repeated { id, first }.at(cells.at()));
        }
        self.read.push(row);
        Ok(())
    }

    /// The decisions. Which options there were beside the one chosen and the right one is not on record, and no order of them;
    /// where cases list the same keys, they say the order.
    pub(super) fn decisions<'a>(
        self,
        context: &'a Context<'_>,
    ) -> impl Iterator<Item = Decision> + 'a {
        let rows = self.read.into_iter();
        rows.map(|row| row.decision(context))
    }
}

impl Row {
    fn decision(self, context: &Context<'_>) -> Decision {
        let Self {
            first,
            chosen,
            gold,
        } = self;
        let system = first.name.system.clone();
        let listed = context.listed(&first.name.id);
        let mut known = context.case(first);
        let case = &mut known.case;
        if !known.whole {
            let mut keys: Vec<&str> = chosen.iter().chain(&gold).map(String::as_str).collect();
            if keys.is_empty() {
                return nothing(known.case, "the table has no choice for it".to_owned());
            }
            unlisted(case, &mut keys);
            // The named case may have more options than were ever chosen.
            let all = |options: &[_]| keys.iter().all(|key| identity(options, key).is_some());
            if let Some(listed) = listed.filter(|listed| all(&listed.options)) {
                case.options.clone_from(&listed.options);
                case.brought.unlisted = false;
            }
        }
        if case.accept.is_empty() {
            let gold = gold.and_then(|gold| identity(&case.options, &gold));
            case.accept.extend(gold);
        }
        let given = Given {
            chosen: chosen.as_deref(),
            probability: None,
        };
        let own = outcome(case, &given, system.as_deref());
        decision(known, Some(own))
    }
}
