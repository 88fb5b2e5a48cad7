//! Every gate and what it says.

use flipside_core::summary::GateLine;

use super::Run;
use super::table::{self, Field, Kind, Table, field, word};

#[derive(Clone, Copy)]
struct Row<'a> {
    run: Run<'a>,
    gate: &'a GateLine,
}

pub(super) fn table<'a>(runs: &'a [Run<'a>]) -> Table<'a> {
    let rows = runs.iter().flat_map(|run| {
        let gates = run.summary.gates.iter();
        gates.map(|gate| Row { run: *run, gate })
    });
    table::table("gates", fields(), rows)
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
        field(
            "gate",
            Text,
            "what it is about, as --gate writes it",
            |row| row.gate.subject.as_str().into(),
        ),
        field("limit", Number, "the limit", |row| row.gate.limit.into()),
        field("rule", Text, "file or general", |row| word(&row.gate.rule)),
        field("verdict", Text, "the word", |row| {
            row.gate.verdict.text().into()
        }),
        field("held", Flag, "whether it held", |row| row.gate.held.into()),
        field(
            "decided_by",
            Text,
            "the variant that decided it, for a gate over several",
            |row| row.gate.decided_by.as_deref().into(),
        ),
        field(
            "reason",
            Text,
            "why, where the word does not say it",
            |row| row.gate.reason.as_deref().into(),
        ),
        field("exit", Count, "the exit code of the run", |row| {
            u64::from(row.run.summary.exit).into()
        }),
    ]
}
