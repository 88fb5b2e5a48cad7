//! Methods and denominators: how every figure came about, in folds at the end.

use flipside_core::summary::{Figure, Summary};
use maud::{Markup, html};

use super::chart::{scrolled, table};
use super::document::Shown;
use super::value::{self, At};
use crate::style::Style;
use crate::{terminal, wording};

/// From more cases on, the report in words keeps to the worst instead of listing everything.
const WHOLE: usize = 200;

/// What figures mean; the same in every report.
const WORDS: [(&str, &str); 8] = [
    (
        "flip",
        "another option was chosen than in the own order and words, told by the option itself and never by its key or place; firm, unless an answer's top two probabilities are equal as reported",
    ),
    (
        "share",
        "flips of the pairs that could be compared; missing, unasked, undecided and vacuous pairs are counted under their own names and are in no share",
    ),
    (
        "95 % interval",
        "two-sided: Wilson's for shares; with declared clusters that of Korn and Graubard",
    ),
    (
        "at least, at most",
        "one-sided exact bounds at the run's error rate; a missing pair counts as no flip below and as a flip above",
    ),
    (
        "control",
        "the identical presentation asked again: what the backend does by itself",
    ),
    (
        "drift",
        "how far probabilities moved within a pair, aligned by option; copies are renormalised first",
    ),
    (
        "headroom",
        "largest change of log-odds over the own answer's margin: at least 1 is necessary for the most probable option to change",
    ),
    (
        "confidence",
        "our own: the largest probability, after renormalising, by one formula for every backend",
    ),
];

/// The folds of a run.
pub(super) fn render(run: &Shown<'_>) -> Markup {
    let summary = run.summary;
    let style = Style {
        color: false,
        width: 100,
        verbose: summary.cases.len() <= WHOLE,
    };
    html! {
        @if run.several { h3 { bdi { (run.name()) } } }
        details {
            summary { "How it was asked and measured" }
            (about(run))
            dl { @for (word, says) in WORDS { dt { (word) } dd { (says) } } }
        }
        details {
            summary { "Denominators" }
            (scrolled(&run.title("denominators"), &denominators(summary, &run.at())))
        }
        details {
            summary { "Everything in words" }
            (scrolled(&run.title("the report in words"), &html! { pre { (terminal::render(summary, &style)) } }))
        }
    }
}

fn about(run: &Shown<'_>) -> Markup {
    let summary = run.summary;
    let at = run.at();
    let plan = &summary.plan;
    let text =
        |name: &str, said: &str| html! { tr { th scope="row" { (name) } td { bdi { (said) } } } };
    let rows = html! {
        (text("flipside", &wording::foreign(&summary.flipside)))
        tr { th scope="row" { "method" } (value::cell(&at.of("method"), &summary.method, &summary.method.to_string())) }
        (text("plan", &wording::foreign(&plan.digest)))
        @if let Some(seed) = plan.seed { tr { th scope="row" { "seed" } (value::cell(&at.of("plan").of("seed"), &seed, &seed.to_string())) } }
        tr { th scope="row" { "error rate of bounds" } (value::share(&at.of("judging").of("alpha"), Some(summary.judging.alpha))) }
        @if let Some(said) = wording::units(summary, true) { (text("units", &said)) }
        @if let Some(said) = wording::time(summary) { (text("time", &said)) }
        @if let Some(cost) = summary.cost.filter(|cost| cost.asks > 0) { (text("cost", &wording::cost_of_run(&cost))) }
        tr { th scope="row" { "cases" } (value::count(&at.of("counts").of("cases"), summary.counts.cases)) }
        tr { th scope="row" { "asks" } (value::count(&at.of("counts").of("asks"), summary.counts.asks)) }
        tr { th scope="row" { "answered" } (value::count(&at.of("counts").of("answered"), summary.counts.answered)) }
        tr { th scope="row" { "failed" } (value::count(&at.of("counts").of("failed"), summary.counts.failed)) }
        tr { th scope="row" { "not made" } (value::count(&at.of("counts").of("unasked"), summary.counts.unasked)) }
    };
    table(&["about", "what"], &rows)
}

fn denominators(summary: &Summary, at: &At) -> Markup {
    let mut all: Vec<(String, &Figure, At)> = Vec::new();
    all.push((
        "fit: own order".to_owned(),
        &summary.fit.figure,
        at.of("fit"),
    ));
    for (axis, lines) in &summary.axes {
        for (variant, line) in lines {
            let name = format!("{axis}: {}", wording::value(axis, variant));
            all.push((name, &line.figure, at.of("axes").of(axis).of(variant)));
        }
    }
    if let Some(control) = &summary.control {
        all.push((
            "same: control".to_owned(),
            &control.figure,
            at.of("control"),
        ));
    }
    let rows = html! {
        @for (name, figure, at) in &all {
            tr {
                th scope="row" { (name) }
                (value::count(&at.of("applicable"), figure.applicable))
                (value::count(&at.of("vacuous"), figure.vacuous))
                (value::count(&at.of("asked"), figure.asked))
                (value::count(&at.of("pairs"), figure.pairs))
                (value::count(&at.of("missing"), figure.missing))
                (value::count(&at.of("unasked"), figure.unasked))
                (value::count(&at.of("no_decision"), figure.no_decision))
                (value::some_count(&at.of("firm_flips"), figure.firm_flips))
                (value::some_count(&at.of("tie_flips"), figure.tie_flips))
                (value::share(&at.of("rate"), figure.rate))
                (value::interval(&at.of("interval"), figure.interval))
                (value::share(&at.of("lower"), figure.lower))
                (value::share(&at.of("upper"), figure.upper))
            }
        }
    };
    let head = [
        "figure",
        "applies to",
        "vacuous",
        "asked",
        "compared",
        "missing",
        "unasked",
        "no decision",
        "firm flips",
        "tie flips",
        "share",
        "95 % interval",
        "at least",
        "at most",
    ];
    table(&head, &rows)
}
