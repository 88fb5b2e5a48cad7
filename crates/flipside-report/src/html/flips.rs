//! Flips, one by one: both answers, and both presentations side by side.

use std::collections::BTreeMap;
use std::fmt::Write;

use flipside_core::perturb::Axis;
use maud::{Markup, html};

use super::document::Shown;
use super::filter::Filters;
use super::{presentation, text};
use crate::pair::{Pair, PairSays, pairs};
use crate::wording;

/// Flips of a page, over all its runs.
const MOST: usize = 200;
/// The least of a run.
const LEAST: usize = 20;
/// The most characters of a key in one line.
const KEY: usize = 32;

/// The flips of a run that the page shows, their classes, and how many there are.
struct Flips<'a> {
    shown: Vec<(Pair<'a>, String)>,
    filters: Filters,
    all: usize,
}

impl<'a> Flips<'a> {
    fn of(run: &Shown<'a>, runs: usize) -> Self {
        let mut turns: BTreeMap<(Axis, &str), usize> = BTreeMap::new();
        let flips = pairs(run.summary).filter(|pair| pair.outcome == PairSays::Flip);
        let mut ranked: Vec<((u8, usize), Pair<'a>)> = flips
            .map(|pair| {
                let turn = turns
                    .entry((pair.variant.axis, &*pair.variant.variant))
                    .or_default();
                *turn += 1;
                ((rank(&pair), *turn), pair)
            })
            .collect();
        // Each change in turn, so that a page which is cut shows some of all.
        ranked.sort_by_key(|(rank, _)| *rank);
        let all = ranked.len();
        ranked.truncate((MOST / runs.max(1)).max(LEAST));
        let mut filters = Filters::default();
        let shown = ranked.into_iter().map(|(_, pair)| {
            let classes = classes(run, &pair, &mut filters);
            (pair, classes)
        });
        let shown = shown.collect();
        Self {
            shown,
            filters,
            all,
        }
    }
}

/// Firm flips first, then those within ties, then those of the control.
fn rank(pair: &Pair<'_>) -> u8 {
    match (pair.variant.axis, pair.tied()) {
        (Axis::Same, _) => 2,
        (_, true) => 1,
        (_, false) => 0,
    }
}

fn kind(pair: &Pair<'_>) -> &'static str {
    match rank(pair) {
        0 => "firm",
        1 => "within a tie",
        _ => "control",
    }
}

fn direction(pair: &Pair<'_>) -> &'static str {
    match (pair.own.ok, pair.variant.ok) {
        (Some(true), Some(true)) => "right to right",
        (Some(true), _) => "right to wrong",
        (_, Some(true)) => "wrong to right",
        (Some(false), _) | (_, Some(false)) => "wrong to wrong",
        (None, None) => "unlabelled",
    }
}

fn classes(run: &Shown<'_>, pair: &Pair<'_>, filters: &mut Filters) -> String {
    let mut all = "flip".to_owned();
    let mut add = |name: &str, value: &str| {
        let _ = write!(all, " {}", filters.class(name, value));
    };
    add(
        "change",
        &wording::foreign(&wording::asked_as(pair.variant)),
    );
    add("kind", kind(pair));
    add("direction", direction(pair));
    add("options", &pair.case.keys.len().to_string());
    for (field, value) in fields(run, pair) {
        add(&wording::foreign(field), &wording::foreign(value));
    }
    all
}

/// The fields of a case: all that it has, or where it is not known those that the run grouped by.
pub(super) fn fields<'a>(run: &Shown<'a>, pair: &Pair<'a>) -> Vec<(&'a str, &'a str)> {
    if let Some(case) = run.cases.get(pair.case.id.as_str()).copied() {
        let names = case.fields.iter().map(|(name, _)| name.as_str());
        names
            .filter_map(|name| Some((name, case.field(name)?)))
            .collect()
    } else {
        let fields = pair.case.fields.iter();
        fields
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }
}

/// The style rules of all filters.
pub(super) fn rules(runs: &[Shown<'_>]) -> String {
    let each = runs
        .iter()
        .map(|run| Flips::of(run, runs.len()).filters.rules(&run.id("flips")));
    each.collect()
}

/// The flips of a run on a page of `runs`.
pub(super) fn render(run: &Shown<'_>, runs: usize) -> Markup {
    let flips = Flips::of(run, runs);
    let id = run.id("flips");
    html! {
        div.flips id=(id) {
            @if run.several { h3 { bdi { (run.name()) } } }
            @if flips.all == 0 { p.note { (none(run)) } }
            @else {
                p {
                    (wording::plural(flips.all as u64, "flip", "flips"))
                    @if flips.shown.len() < flips.all {
                        "; the page has " (wording::count(flips.shown.len() as u64)) " of them, some of every change, firm ones first. "
                        code { "summary.json" } " and " code { "flipside report --format csv" } " have all; figures count all."
                    } @else { ". Each opens to both presentations side by side." }
                }
                (flips.filters.render(&id, &run.title("show only")))
                @for (pair, classes) in &flips.shown { (one(run, pair, classes)) }
            }
        }
    }
}

fn none(run: &Shown<'_>) -> &'static str {
    if run.summary.axes.is_empty() && run.summary.control.is_none() {
        "Nothing was asked that could flip."
    } else {
        "No answer flipped among the pairs that could be compared."
    }
}

fn one<'a>(run: &Shown<'a>, pair: &Pair<'a>, classes: &str) -> Markup {
    html! {
        details class=(classes) {
            summary {
                b { (text::line(&pair.case.id, 60)) }
                " " span.change { (wording::foreign(&wording::asked_as(pair.variant))) } " "
                span { bdi { (wording::answer(pair.case, pair.own, KEY)) } " → " bdi { (wording::answer(pair.case, pair.variant, KEY)) } }
                " " span.kind { (kind(pair)) }
            }
            (presentation::render(run, pair))
        }
    }
}
