//! Several runs side by side: what each shows, in one table.

use flipside_core::perturb::Axis;
use flipside_core::summary::{Figure, Summary};
use maud::{Markup, html};

use super::chart::{scrolled, table};
use super::document::Shown;
use super::value::At;
use crate::wording;

/// Variants in the table; the charts have all.
const VARIANTS: usize = 12;

/// A column per run, a row per figure; no row sums up others.
pub(super) fn render(runs: &[Shown<'_>]) -> Markup {
    let (variants, hidden) = variants(runs);
    let names: Vec<String> = runs.iter().map(Shown::name).collect();
    let head: Vec<&str> = std::iter::once("figure")
        .chain(names.iter().map(String::as_str))
        .collect();
    let row = |name: String, cell: &dyn Fn(&Shown<'_>) -> Markup| {
        html! { tr { th scope="row" { (name) } @for run in runs { (cell(run)) } } }
    };
    let rows = html! {
        (row("gates held".to_owned(), &|run| {
            let held = run.summary.gates.iter().filter(|gate| gate.held).count() as u64;
            html! { td.n { (wording::count(held)) " of " (run.summary.gates.len()) } }
        }))
        (row("exit".to_owned(), &|run| super::value::cell(&run.at().of("exit"), &run.summary.exit, &run.summary.exit.to_string())))
        (row("fit, own order".to_owned(), &|run| {
            let fit = &run.summary.fit;
            if run.summary.counts.labelled == 0 { return nothing(); }
            cell(&fit.figure, fit.right, "right", &run.at().of("fit").of("right"))
        }))
        @for (axis, variant) in &variants {
            (row(format!("{axis}: {}", wording::value(axis, variant)), &|run| {
                let line = run.summary.axes.get(axis).and_then(|lines| lines.get(variant));
                let Some(line) = line else { return nothing() };
                if wording::not_applicable(line).is_some() { return html! { td.n { "not applicable" } } }
                let at = run.at().of("axes").of(axis).of(variant).of("flips");
                cell(&line.figure, line.figure.flips.unwrap_or(0), "flipped", &at)
            }))
        }
        (row("same: control".to_owned(), &|run| match &run.summary.control {
            None => nothing(),
            Some(control) => cell(&control.figure, control.figure.flips.unwrap_or(0), "flipped", &run.at().of("control").of("flips")),
        }))
    };
    html! {
        (scrolled("models side by side", &table(&head, &rows)))
        @if hidden > 0 {
            p.note { (wording::plural(hidden as u64, "more variant stands", "more variants stand")) " in the charts below, none of which flips more than its axis's first here." }
        }
    }
}

fn nothing() -> Markup {
    html! { td.n { "-" } }
}

fn cell(figure: &Figure, hits: u64, word: &str, at: &At) -> Markup {
    let interval = figure
        .interval
        .map(|ends| format!(" ({})", wording::range(ends)));
    let lost = [(figure.missing, "missing"), (figure.unasked, "unasked")];
    let lost = lost.iter().filter(|(n, _)| *n > 0);
    let lost: Vec<String> = lost
        .map(|(n, name)| format!(", {} {name}", wording::count(*n)))
        .collect();
    let lost = lost.concat();
    let read = match figure.pairs {
        0 => format!("0/0{lost}"),
        pairs => format!(
            "{}/{} {word}{}{lost}",
            wording::count(hits),
            wording::count(pairs),
            interval.unwrap_or_default()
        ),
    };
    super::value::cell(at, &hits, &read)
}

/// The variants of all runs, of many the ones that flip most in some run, at least one of each axis; and how many are left.
fn variants(runs: &[Shown<'_>]) -> (Vec<(String, String)>, usize) {
    let mut all: Vec<(String, String, f64)> = Vec::new();
    for run in runs {
        for (axis, lines) in &run.summary.axes {
            for variant in lines.keys() {
                if all
                    .iter()
                    .all(|(known, name, _)| known != axis || name != variant)
                {
                    all.push((axis.clone(), variant.clone(), most(runs, axis, variant)));
                }
            }
        }
    }
    let place = |axis: &str| {
        Axis::parse(axis).and_then(|axis| Axis::CHANGES.iter().position(|known| *known == axis))
    };
    let mut ranked: Vec<usize> = (0..all.len()).collect();
    ranked.sort_by(|a, b| all[*b].2.total_cmp(&all[*a].2));
    let first = |kept: &usize| {
        let axis = &all[*kept].0;
        ranked.iter().find(|other| all[**other].0 == *axis) == Some(kept)
    };
    let mut kept: Vec<usize> = ranked.iter().copied().filter(first).collect();
    let rest = ranked.iter().copied().filter(|each| !first(each));
    let room = VARIANTS.saturating_sub(kept.len());
    kept.extend(rest.take(room));
    kept.sort_by_key(|each| (place(&all[*each].0), *each));
    let hidden = all.len() - kept.len();
    let named = kept
        .into_iter()
        .map(|each| (all[each].0.clone(), all[each].1.clone()));
    (named.collect(), hidden)
}

/// The largest share of flips in any run.
fn most(runs: &[Shown<'_>], axis: &str, variant: &str) -> f64 {
    let rate = |summary: &Summary| summary.axes.get(axis)?.get(variant)?.figure.rate;
    runs.iter()
        .filter_map(|run| rate(run.summary))
        .fold(-1.0, f64::max)
}
