//! The whole page.

use std::collections::BTreeMap;

use flipside_core::case::Case;
use flipside_core::summary::Summary;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::chart::Chart;
use super::value::At;
use super::{
    accuracy, axes, drift, failed, first, flips, methods, places, recall, reliability, side,
};
use crate::wording;

/// The only style sheet.
const STYLE: &str = include_str!("page.css");
/// Nothing may be loaded: not by a mistake of ours, and not by text from outside.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// One run as the page shows it.
#[derive(Clone, Copy, Debug)]
pub struct HtmlRun<'a> {
    /// What it showed.
    pub summary: &'a Summary,
    /// When it began, in UTC; `None` where that is not known.
    pub started: Option<&'a str>,
    /// Its cases as they were read, for their texts; empty where only the summary is known.
    pub cases: &'a [Case],
}

/// A run among those of the page.
pub(super) struct Shown<'a> {
    /// Which one it is, from 0.
    pub(super) number: usize,
    pub(super) summary: &'a Summary,
    pub(super) started: Option<&'a str>,
    /// Its cases by id.
    pub(super) cases: BTreeMap<&'a str, &'a Case>,
    /// Whether other runs stand beside it.
    pub(super) several: bool,
}

impl Shown<'_> {
    /// An id on the page.
    pub(super) fn id(&self, name: &str) -> String {
        format!("r{}-{name}", self.number + 1)
    }

    /// Where its figures stand.
    pub(super) fn at(&self) -> At {
        At::run(self.number)
    }

    /// A title, with the model where there are several.
    pub(super) fn title(&self, text: &str) -> String {
        if self.several {
            format!("{}: {text}", self.name())
        } else {
            text.to_owned()
        }
    }

    /// The model's name, with the run's number where there are several.
    pub(super) fn name(&self) -> String {
        let name = match self.summary.model.spec.as_str() {
            "" => "not on record".to_owned(),
            spec => wording::foreign(spec),
        };
        if self.several {
            format!("{}. {name}", self.number + 1)
        } else {
            name
        }
    }
}

/// A part of the page: its id, its title, what is said before its charts, and the charts of one run.
type Part = (
    &'static str,
    &'static str,
    &'static str,
    fn(&Shown<'_>) -> Vec<Chart>,
);

const PARTS: [Part; 6] = [
    (
        "axes",
        "What changes answers",
        "Flips of each change against its limit and against the control, which asks the same thing again. Whiskers are two-sided 95 % intervals.",
        axes::charts,
    ),
    (
        "places",
        "Where answers stand",
        "Which position answers came from, by option. An answer that follows content stays in its column; one that follows position stays in its row.",
        places::charts,
    ),
    (
        "recall",
        "Recall by position",
        "How often the accepted option was chosen, by the position where it stood.",
        recall::charts,
    ),
    (
        "accuracy",
        "Accuracy by order",
        "Accepted answers in the own order and in each other, on the same cases.",
        accuracy::charts,
    ),
    (
        "drift",
        "How far probabilities moved",
        "Of each axis the variant that moved them most, and the control. Headroom is how much of the way to a flip was gone; at 1 the most probable option can change.",
        drift::charts,
    ),
    (
        "reliability",
        "What confidence means",
        "Our own confidence against the share of right answers, by order. On the dashed line confidence means what it says.",
        reliability::charts,
    ),
];

/// The page of `runs`.
///
/// Everything can be read without script, and nothing is loaded. Text from cases and models is escaped and cut; flips are capped and the
/// page says so, figures never.
///
/// # Panics
/// As [`crate::json::write`].
pub fn render(runs: &[HtmlRun<'_>]) -> String {
    let several = runs.len() > 1;
    let shown: Vec<Shown<'_>> = runs
        .iter()
        .enumerate()
        .map(|(number, run)| Shown {
            number,
            summary: run.summary,
            started: run.started,
            cases: run
                .cases
                .iter()
                .map(|case| (case.id.0.as_str(), case))
                .collect(),
            several,
        })
        .collect();
    let names: Vec<String> = shown.iter().map(Shown::name).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { "flipside report: " (wording::list(&names)) }
                style { (PreEscaped(STYLE)) (PreEscaped(flips::rules(&shown))) }
            }
            body {
                a.skip href="#first" { "To the result" }
                header { h1 { "flipside report" } (contents(several)) }
                main {
                    section #first aria-labelledby="first-h" {
                        h2 id="first-h" { "Result" }
                        @if several { (side::render(&shown)) }
                        @for run in &shown { (first::render(run)) }
                    }
                    @for part in &PARTS { (render_part(part, &shown)) }
                    section #flips aria-labelledby="flips-h" {
                        h2 id="flips-h" { "Flips" }
                        @for run in &shown { (flips::render(run, runs.len())) (failed::render(run)) }
                    }
                    section #methods aria-labelledby="methods-h" {
                        h2 id="methods-h" { "Methods and denominators" }
                        @for run in &shown { (methods::render(run)) }
                    }
                }
            }
        }
    }
    .into_string()
}

fn contents(several: bool) -> Markup {
    html! {
        nav aria-label="Parts of the report" {
            a href="#first" { @if several { "Results" } @else { "Result" } }
            @for (id, title, ..) in PARTS { a href={ "#" (id) } { (title) } }
            a href="#flips" { "Flips" }
            a href="#methods" { "Methods" }
        }
    }
}

fn render_part((id, title, says, charts): &Part, shown: &[Shown<'_>]) -> Markup {
    let found: Vec<Chart> = shown.iter().flat_map(charts).collect();
    html! {
        section id=(id) aria-labelledby={ (id) "-h" } {
            h2 id={ (id) "-h" } { (title) }
            @if found.is_empty() {
                p.note { (nothing(id)) }
            } @else {
                p { (says) }
                div.multiples { @for chart in &found { (chart.render()) } }
            }
        }
    }
}

/// Why a part has no chart.
fn nothing(part: &str) -> &'static str {
    match part {
        "axes" => "Only the own order was asked; `--order check` and `--axis` ask for changes.",
        "places" => {
            "No other order was asked of listed options, so that nothing tells position from content."
        }
        "recall" => {
            "There is no recall by position: no labelled case was asked in another order, or each accepts several options."
        }
        "accuracy" => "There is no accuracy by order: no labelled case was asked in another order.",
        "drift" => {
            "No pair of answers has probabilities over the options, so that only flips can be seen."
        }
        _ => "No labelled case has answers with probabilities in several orders.",
    }
}
