//! Every ask with its answer.

use flipside_core::summary::{AskSummary, CaseSummary};

use super::Run;
use super::table::{self, Cell, Field, Kind, Table, field, list, word};

#[derive(Clone, Copy)]
struct Row<'a> {
    run: Run<'a>,
    case: &'a CaseSummary,
    ask: &'a AskSummary,
    confirms: bool,
    on_record: bool,
}

pub(super) fn table<'a>(runs: &'a [Run<'a>]) -> Table<'a> {
    let rows = runs.iter().flat_map(|run| {
        let cases = run.summary.cases.iter();
        cases.flat_map(move |case| {
            let row = move |ask, confirms, on_record| Row {
                run: *run,
                case,
                ask,
                confirms,
                on_record,
            };
            let recorded = case.recorded.as_deref();
            let recorded = recorded.map(|ask| row(ask, false, true));
            let asked = case.asks.iter().flat_map(move |ask| {
                let again = ask.again.as_deref().map(|again| row(again, true, false));
                std::iter::once(row(ask, false, ask.recorded)).chain(again)
            });
            recorded.into_iter().chain(asked)
        })
    });
    table::table("asks", fields(), rows)
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
            row.case.id.as_str().into()
        }),
        field("file", Text, "the case's file", |row| {
            Cell::from(&*row.case.file)
        }),
        field("line", Count, "its line there, from 1", |row| {
            row.case.line.into()
        }),
        field("question", Text, "choice, score or noul", |row| {
            word(&row.case.question)
        }),
        field(
            "axis",
            Text,
            "what was changed; baseline for nothing",
            |row| row.ask.axis.name().into(),
        ),
        field("variant", Text, "the value on the axis", |row| {
            Cell::from(&*row.ask.variant)
        }),
        field(
            "confirms",
            Flag,
            "whether it repeats the ask above it to confirm a flip",
            |row| row.confirms.into(),
        ),
        field(
            "on_record",
            Flag,
            "whether the answer was on record and not asked for",
            |row| row.on_record.into(),
        ),
        field(
            "order",
            Text,
            "JSON list: the identity shown in each position",
            |row| list(&row.ask.order),
        ),
        field("keys", Text, "JSON list: the keys as shown", |row| {
            list(&row.ask.keys)
        }),
        field(
            "status",
            Text,
            "answered, declined, failed or unasked",
            |row| word(&row.ask.status),
        ),
        field("choice", Count, "the chosen identity, from 0", |row| {
            row.ask.choice.map(|id| u64::from(id.0)).into()
        }),
        field("key", Text, "the chosen key as shown", |row| {
            row.ask.key.as_deref().into()
        }),
        field(
            "position",
            Count,
            "where the choice was shown, from 0; empty where no order is on record",
            |row| position(row.case, row.ask).into(),
        ),
        field(
            "accepted",
            Flag,
            "whether the case accepts the choice; empty without labels",
            |row| row.ask.ok.into(),
        ),
        field(
            "flip",
            Flag,
            "whether it is another answer than the one it is compared with; empty where nothing is",
            |row| row.ask.flip.into(),
        ),
        field(
            "against",
            Text,
            "the variant that it is compared with; empty for the baseline",
            |row| row.ask.against.as_deref().into(),
        ),
        field(
            "tied",
            Flag,
            "whether the top two probabilities are equal as reported",
            |row| row.ask.tied.into(),
        ),
        field(
            "probabilities",
            Text,
            "JSON list: the probability of each identity, as received",
            |row| row.ask.probabilities.as_ref().map_or(Cell::Empty, list),
        ),
        field("top", Number, "our own largest probability", |row| {
            row.ask.confidence.map(|found| found.top).into()
        }),
        field("margin", Number, "the largest minus the second", |row| {
            row.ask.confidence.and_then(|found| found.margin).into()
        }),
        field(
            "backend_confidence",
            Number,
            "what the backend calls confidence; its meaning differs by backend",
            |row| row.ask.backend_confidence.into(),
        ),
        field("ms", Number, "milliseconds of the last attempt", |row| {
            row.ask.ms.into()
        }),
        field("declined", Text, "why nothing was decided", |row| {
            word(&row.ask.declined)
        }),
        field("failed", Text, "the kind of failure", |row| {
            word(&row.ask.failed)
        }),
        field("failure", Text, "what was found", |row| {
            row.ask.failure.as_deref().into()
        }),
    ]
}

/// Where the choice was shown, from 0.
pub(super) fn position(case: &CaseSummary, ask: &AskSummary) -> Option<u64> {
    let place = ask.order.position_of(ask.choice?)?;
    (!case.unlisted).then_some(place.index() as u64)
}
