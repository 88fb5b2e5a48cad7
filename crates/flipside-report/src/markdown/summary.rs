//! A run for a pull request: the gates first, then every axis, warnings, and the flips folded away.

use std::fmt::Write as _;

use flipside_core::gate::Population;
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskStatus, Figure, GateLine, Summary};

use super::text::{cell, escaped, row};
use crate::pair::{Pair, PairSays, pairs};
use crate::tables::Run;
use crate::warning::warnings;
use crate::wording;

/// Flips, and failed asks, that are listed of one run: a comment on a pull request takes 65,536 characters.
const LISTED: usize = 50;
/// An axis with more variants than this shows those that flip most, and all of them in a fold.
const VARIANTS: usize = 6;
/// That many of them.
const WORST: usize = 3;
/// Characters of a key in a cell.
const KEY: usize = 40;

/// What is said of every run, one after another, with the counts of all first where there are several.
///
/// Every figure is printed; only single flips and failed asks are cut, which a sentence says.
pub fn render_summary(runs: &[Run<'_>]) -> String {
    let mut out = String::new();
    if let [_, _, ..] = runs {
        let held = runs.iter().filter(|run| run.summary.exit == 0).count();
        let of = wording::count(runs.len() as u64);
        let _ = write!(
            out,
            "## flipside: {} of {of} runs held every gate\n\n",
            wording::count(held as u64)
        );
    }
    for (place, run) in runs.iter().enumerate() {
        if place > 0 {
            out.push('\n');
        }
        out += &one(run, runs.len() > 1);
    }
    out
}

fn one(run: &Run<'_>, beside: bool) -> String {
    let summary = run.summary;
    let level = if beside { "###" } else { "##" };
    let name = if beside {
        format!("`{}`", code(run.name))
    } else {
        "flipside".to_owned()
    };
    let mut out = format!("{level} {name}: {}\n\n", headline(summary));
    let _ = write!(out, "Model {}.", escaped(&wording::model(&summary.model)));
    if summary.recorded_pairs.is_none() {
        let _ = write!(out, " {}.", escaped(&capital(&wording::asked(summary))));
    }
    out += "\n\n";
    if !summary.complete || summary.stopped.is_some() {
        let text = escaped(&wording::not_complete(summary));
        let _ = write!(out, "**The run is {text}.**\n\n");
    }
    out += &gates(summary);
    out += &figures(summary);
    let found = warnings(summary);
    if !found.is_empty() {
        out += "**Warnings**\n\n";
        for warning in found {
            let _ = writeln!(out, "- {}", escaped(&warning.to_string()));
        }
        out.push('\n');
    }
    out += &flips(summary);
    out += &failed(summary);
    out.trim_end().to_owned() + "\n"
}

/// Text in a code span: without marks that would end it, since no escape works there.
fn code(text: &str) -> String {
    wording::foreign(text).replace('`', "'")
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// Whether every gate held, in a few words.
fn headline(summary: &Summary) -> String {
    let all = summary.gates.len() as u64;
    let open = summary.gates.iter().filter(|gate| !gate.held).count() as u64;
    let gates = match (all, open) {
        (0, _) => "no gate".to_owned(),
        (1, 0) => "the gate held".to_owned(),
        (_, 0) => format!("all {} gates held", wording::count(all)),
        (1, _) => "the gate did NOT hold".to_owned(),
        _ => format!(
            "{} of {} gates did NOT hold",
            wording::count(open),
            wording::count(all)
        ),
    };
    format!("{gates}, exit {}", summary.exit)
}

fn gates(summary: &Summary) -> String {
    if summary.gates.is_empty() {
        return String::new();
    }
    let mut out = heading(&["gate", "", "limit", "claim", "verdict"]);
    for gate in &summary.gates {
        out += &row(&gate_cells(summary, gate));
    }
    out + "\n"
}

fn gate_cells(summary: &Summary, gate: &GateLine) -> Vec<String> {
    let by = gate.decided_by.as_deref().filter(|_| !gate.held);
    let by = by.map(|by| format!(" by {}", cell(by))).unwrap_or_default();
    let reason = gate.reason.as_deref();
    let reason = reason.map(|reason| format!(": {}", escaped(&wording::foreign(reason))));
    vec![
        cell(&gate.subject),
        if gate.held { "held" } else { "**NOT HELD**" }.to_owned(),
        wording::limit(gate.limit),
        wording::claim(gate.rule, &summary.judging),
        format!("{}{by}{}", gate.verdict.text(), reason.unwrap_or_default()),
    ]
}

const FIGURES: [&str; 6] = [
    "",
    "",
    "count",
    "95 % interval",
    "bound and limit",
    "verdict",
];

/// Fit, every axis and the control.
fn figures(summary: &Summary) -> String {
    let mut out = heading(&FIGURES);
    let fit = &summary.fit;
    if summary.counts.labelled > 0 || fit.figure.limit.is_some() {
        let said = wording::fit_verdict(fit);
        let cells = ["fit", "own order", &wording::right(fit)];
        out += &line(cells, &fit.figure, &said, Population::Traffic);
    }
    let mut folded = String::new();
    for axis in summary.axes.keys() {
        let rows = axis_rows(summary, axis);
        if rows.len() <= VARIANTS {
            out.extend(rows.into_iter().map(|(_, text)| text));
            continue;
        }
        let mut places: Vec<usize> = (0..rows.len()).collect();
        // Of equals the first.
        places.sort_by(|a, b| rows[*b].0.total_cmp(&rows[*a].0));
        places.truncate(WORST);
        out.extend(places.iter().map(|place| rows[*place].1.as_str()));
        let more = wording::count((rows.len() - WORST) as u64);
        let none = [
            cell(axis),
            format!("and {more} more, none of which flips more"),
        ];
        out += &row(&none
            .into_iter()
            .chain((2..6).map(|_| String::new()))
            .collect::<Vec<_>>());
        let all: String = rows.into_iter().map(|(_, text)| text).collect();
        let title = format!("Every variant of {}", cell(axis));
        folded += &fold(&title, &format!("{}{all}", heading(&FIGURES)));
    }
    if let Some(control) = &summary.control {
        let said = wording::control_verdict(control);
        let cells = ["same", "control", &wording::flipped(&control.figure)];
        out += &line(cells, &control.figure, &said, Population::Traffic);
    }
    out.push('\n');
    out + &folded
}

/// The rows of an axis, each with its share; one that is judged as a whole begins with that.
fn axis_rows(summary: &Summary, axis: &str) -> Vec<(f64, String)> {
    let mut rows = Vec::new();
    let population = summary.judging.population;
    let whole = summary.composition.as_ref().zip(Axis::parse(axis));
    if let Some(figure) = whole.and_then(|(found, axis)| found.figure(axis)) {
        let said = wording::Said {
            word: figure.verdict.text().to_owned(),
            rest: String::new(),
        };
        let cells = [axis, "all together", &wording::flipped(figure)];
        // It goes before its parts, whatever they flip.
        rows.push((f64::INFINITY, line(cells, figure, &said, population)));
    }
    for (name, found) in &summary.axes[axis] {
        let said = wording::line_verdict(found, &summary.cases, axis, name);
        let share = found.figure.rate.unwrap_or(-1.0);
        let value = wording::value(axis, name);
        let text = if let Some(reason) = wording::not_applicable(found) {
            let mut cells = vec![cell(axis), escaped(&value)];
            cells.extend((2..5).map(|_| String::new()));
            cells.push(format!("not applicable: {}", escaped(&reason)));
            row(&cells)
        } else {
            let cells = [axis, &value, &wording::flipped(&found.figure)];
            line(cells, &found.figure, &said, population)
        };
        rows.push((share, text));
    }
    rows
}

/// A figure as a row; `population` is what its bound speaks about.
fn line(
    [axis, value, count]: [&str; 3],
    figure: &Figure,
    said: &wording::Said,
    population: Population,
) -> String {
    let limit = wording::limit_of(figure);
    let comma = if limit.is_empty() { "" } else { ", " };
    let share = figure.rate.map(wording::percent);
    let interval = figure.interval.map(wording::range);
    row(&[
        cell(axis),
        escaped(value),
        match share {
            Some(share) => format!("{count} ({share})"),
            None => count.to_owned(),
        },
        interval.unwrap_or_else(|| "none".to_owned()),
        wording::claimed(wording::bound(figure), population) + comma + &limit,
        escaped(&(wording::claimed(said.word.clone(), population) + &said.rest)),
    ])
}

fn heading(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    row(&cells) + &row(&vec!["---".to_owned(); cells.len()])
}

/// A part that opens on a click.
fn fold(title: &str, text: &str) -> String {
    format!("<details><summary>{title}</summary>\n\n{text}\n</details>\n\n")
}

/// How many of `all` are listed, where not all are.
fn listed(all: usize) -> String {
    if all <= LISTED {
        return String::new();
    }
    let [shown, all] = [LISTED, all].map(|n| wording::count(n as u64));
    format!(
        "The first {shown} of {all}; `--format csv --table pairs` and `--format json` have every one.\n\n"
    )
}

/// What flipped, firm flips first, those of the control last.
fn flips(summary: &Summary) -> String {
    let flipped = |pair: &Pair<'_>| pair.outcome == PairSays::Flip;
    let mut found: Vec<Pair<'_>> = pairs(summary).filter(flipped).collect();
    if found.is_empty() {
        return String::new();
    }
    found.sort_by_key(|pair| (pair.variant.axis == Axis::Same, pair.tied()));
    let title = wording::plural(found.len() as u64, "flip", "flips");
    let mut out = listed(found.len());
    out += &heading(&[
        "case",
        "where",
        "changed",
        "own answer",
        "changed answer",
        "right",
    ]);
    for pair in found.iter().take(LISTED) {
        let answer = |ask| escaped(&wording::answer(pair.case, ask, KEY));
        let tie = if pair.tied() { ", tie" } else { "" };
        out += &row(&[
            cell(&pair.case.id),
            place(&pair.case.file, pair.case.line),
            escaped(&wording::asked_as(pair.variant)),
            answer(pair.own),
            answer(pair.variant),
            wording::who_is_right(pair.own, pair.variant).to_owned() + tie,
        ]);
    }
    fold(&title, &out)
}

/// What failed.
fn failed(summary: &Summary) -> String {
    let cases = summary.cases.iter();
    let asks = cases.flat_map(|case| case.asks.iter().map(move |ask| (case, ask)));
    let found: Vec<_> = asks
        .filter(|(_, ask)| ask.status == AskStatus::Failed)
        .collect();
    if found.is_empty() {
        return String::new();
    }
    let title = wording::plural(found.len() as u64, "failed ask", "failed asks");
    let mut out = listed(found.len());
    out += &heading(&["case", "where", "asked as", "found"]);
    for (case, ask) in found.iter().take(LISTED) {
        let kind = ask.failed.map_or("failed", wording::failed);
        let found = ask.failure.as_deref().unwrap_or_default();
        out += &row(&[
            cell(&case.id),
            place(&case.file, case.line),
            escaped(&wording::asked_as(ask)),
            format!("{kind}: {}", escaped(&wording::foreign(found))),
        ]);
    }
    fold(&title, &out)
}

fn place(file: &str, line: u64) -> String {
    format!("{}:{line}", cell(file))
}
