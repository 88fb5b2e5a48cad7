//! Which of the shapes a table has, and its rows to decisions.

use std::collections::BTreeSet;

use flipside_core::recorded::Decision;

use super::cells::{Cells, each};
use super::context::{Context, FORMAT, Name};
use super::{chosen, orders, wide};
use crate::import::build::Gathered;
use crate::import::file::{File, done};
use crate::import::{Problem, Recording, Supplements};
use crate::read::{Error, Out};

/// What the rows of a table hold.
enum Rows {
    /// A choice by its key.
    Chosen(chosen::Rows),
    /// A choice by its place in the original order, in one order or its reverse.
    Orders(orders::Rows),
    /// Choices between two options in both orders.
    Wide(wide::Rows),
}

impl Rows {
    /// The shape that the columns of a row tell.
    fn of(cells: &Cells<'_>) -> Result<Self, Error> {
        let shapes = [
            ("chosen", Self::Chosen(chosen::Rows::default())),
            ("chosen_canonical", Self::Orders(orders::Rows::default())),
            ("choice_original", Self::Wide(wide::Rows::default())),
        ];
        let mut found = shapes.into_iter().filter(|(column, _)| cells.has(column));
        match (found.next(), found.next()) {
            (Some((_, shape)), None) => Ok(shape),
            (Some((first, _)), Some((second, _))) => Err(Error::Both {
                at: cells.at().clone(),
                first: first.to_owned(),
                second: second.to_owned(),
            }),
            (None, _) => {
                let columns = cells.columns().into_iter().map(str::to_owned);
                Err(Problem::Columns {
                    found: columns.collect(),
                }
                .at(cells.at()))
            }
        }
    }

    fn row(&mut self, cells: &Cells<'_>) -> Result<(), Error> {
        match self {
            Self::Chosen(rows) => rows.row(cells),
            Self::Orders(rows) => rows.row(cells),
            Self::Wide(rows) => rows.row(cells),
        }
    }

    fn names(&self) -> Box<dyn Iterator<Item = &Name> + '_> {
        match self {
            Self::Chosen(rows) => Box::new(rows.names()),
            Self::Orders(rows) => Box::new(rows.names()),
            Self::Wide(rows) => Box::new(rows.names()),
        }
    }

    /// The decisions one by one, so that rows and decisions do not lie beside each other.
    fn decisions<'a>(
        self,
        context: &'a Context<'_>,
    ) -> Box<dyn Iterator<Item = Result<Decision, Error>> + 'a> {
        match self {
            Self::Chosen(rows) => Box::new(rows.decisions(context).map(Ok)),
            Self::Orders(rows) => Box::new(rows.decisions(context)),
            Self::Wide(rows) => rows.decisions(context),
        }
    }
}

/// Reads a table of answers. A case has no state: its options, as far as they are on record, are what its rows name, unless the
/// cases that the answers belong to are supplied.
pub(in crate::import) fn read(
    file: &File<'_>,
    supplements: &Supplements,
) -> Result<Recording, Vec<Error>> {
    let mut out = Out::default();
    let mut rows: Option<Rows> = None;
    let mut unknown = false;
    each(file, &mut out, &mut |cells, out| {
        if unknown {
            return;
        }
        let known = match rows.take() {
            Some(known) => Ok(known),
            None => Rows::of(cells),
        };
        let taken = match known {
            Ok(known) => rows.insert(known).row(cells),
            Err(error) => {
                unknown = true;
                Err(error)
            }
        };
        if let Err(error) = taken {
            out.error(error);
        }
    })?;
    let Some(rows) = rows else {
        return Err(vec![Problem::Empty.at(&file.at(1))]);
    };
    let mut gathered = Gathered::new(file, FORMAT);
    let systems: BTreeSet<Option<&str>> = rows.names().map(|name| name.system.as_deref()).collect();
    let several = systems.len() > 1;
    systems
        .into_iter()
        .flatten()
        .for_each(|system| gathered.model(system));
    let context = Context::new(file, supplements, several);
    for decision in rows.decisions(&context) {
        match decision {
            Ok(decision) => gathered.take(decision, &mut out),
            Err(error) => out.error(error),
        }
    }
    done(&mut out)?;
    Ok(gathered.recording(out))
}
