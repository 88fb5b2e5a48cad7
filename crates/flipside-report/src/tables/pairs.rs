//! Every pair: an ask beside the one that it is compared with.

use flipside_core::summary::AskSummary;

use super::Run;
use super::asks::position;
use super::table::{self, Cell, Field, Kind, Table, field, word};
use crate::pair::{self, Pair};

#[derive(Clone, Copy)]
struct Row<'a> {
    run: Run<'a>,
    pair: Pair<'a>,
}

pub(super) fn table<'a>(runs: &'a [Run<'a>]) -> Table<'a> {
    let rows = runs.iter().flat_map(|run| {
        let row = |pair| Row { run: *run, pair };
        pair::pairs(run.summary).map(row)
    });
    table::table("pairs", fields(), rows)
}

fn fields<'a>() -> Vec<Field<'a, Row<'a>>> {
    use Kind::{Count, Flag, Number, Text};
    vec![
        field("run", Text, "the run folder or file", |row| {
            row.run.name.into()
        }),
        field("model", Text, "the model, as the user named it", |row| {
            row.run.summary.model.spec.as_str().into()
        }),
        field("case", Text, "the case's id", |row| {
            row.pair.case.id.as_str().into()
        }),
        field("file", Text, "the case's file", |row| {
            Cell::from(&*row.pair.case.file)
        }),
        field("line", Count, "its line there, from 1", |row| {
            row.pair.case.line.into()
        }),
        field("question", Text, "choice, score or noul", |row| {
            word(&row.pair.case.question)
        }),
        field(
            "axis",
            Text,
            "what was changed; same for the control",
            |row| row.pair.axis().into(),
        ),
        field("variant", Text, "the value on the axis", |row| {
            Cell::from(&*row.pair.variant.variant)
        }),
        field(
            "against",
            Text,
            "the variant that it is compared with; empty for the baseline",
            |row| row.pair.variant.against.as_deref().into(),
        ),
        field(
            "outcome",
            Text,
            "flip, same, missing, unasked, no-decision, or choice-left-out",
            |row| row.pair.outcome.name().into(),
        ),
        field(
            "tied",
            Flag,
            "whether the top two probabilities of either answer are equal as reported",
            |row| row.pair.tied().into(),
        ),
        field(
            "options",
            Count,
            "options of the case, in its own order",
            |row| (row.pair.case.keys.len() as u64).into(),
        ),
        field(
            "own_choice",
            Count,
            "identity chosen before the change",
            |row| choice(row.pair.own).into(),
        ),
        field("own_key", Text, "its key as shown then", |row| {
            row.pair.own.key.as_deref().into()
        }),
        field("own_position", Count, "where it was shown, from 0", |row| {
            position(row.pair.case, row.pair.own).into()
        }),
        field("own_probability", Number, "its probability then", |row| {
            probability(row.pair.own).into()
        }),
        field("own_accepted", Flag, "whether the case accepts it", |row| {
            row.pair.own.ok.into()
        }),
        field("choice", Count, "identity chosen after the change", |row| {
            choice(row.pair.variant).into()
        }),
        field("key", Text, "its key as shown then", |row| {
            row.pair.variant.key.as_deref().into()
        }),
        field("position", Count, "where it was shown, from 0", |row| {
            position(row.pair.case, row.pair.variant).into()
        }),
        field("probability", Number, "its probability then", |row| {
            probability(row.pair.variant).into()
        }),
        field("accepted", Flag, "whether the case accepts it", |row| {
            row.pair.variant.ok.into()
        }),
    ]
}

fn choice(ask: &AskSummary) -> Option<u64> {
    ask.choice.map(|id| u64::from(id.0))
}

/// The probability of the choice, as received.
fn probability(ask: &AskSummary) -> Option<f64> {
    ask.probabilities
        .as_ref()?
        .get(ask.choice?.index())
        .copied()
}
