//! The first screen: the gates, and what to do next.

use flipside_core::summary::{GateLine, Summary};
use maud::{Markup, html};

use super::document::Shown;
use crate::style::{Style, Tone};
use crate::{terminal, warning, wording};

/// How the lines of the terminal are made before the page lays them out.
const STYLE: Style = Style {
    color: false,
    width: 100,
    verbose: false,
};

/// What one run says at first sight.
pub(super) fn render(run: &Shown<'_>) -> Markup {
    let summary = run.summary;
    let warnings = warning::warnings(summary);
    html! {
        article.run {
            @if run.several { h3 { bdi { (run.name()) } } }
            (banner(run))
            ul.gates { @for (place, gate) in summary.gates.iter().enumerate() { (gate_card(run, place, gate)) } }
            h3 { "What to do next" }
            ol.next { @for step in wording::next_steps(summary) { li { (step) } } }
            @if !warnings.is_empty() {
                h3 { "Warnings" }
                ul.warnings { @for warning in &warnings { li { span.mark aria-hidden="true" { "⚠ " } (warning.to_string()) } } }
            }
            h3 { "In short" }
            (lines(summary))
        }
    }
}

fn banner(run: &Shown<'_>) -> Markup {
    let summary = run.summary;
    let held = summary.gates.iter().filter(|gate| gate.held).count() as u64;
    let all = summary.gates.len() as u64;
    let (class, mark, words) = match summary.exit {
        0 => ("good", "✓", "Every gate held".to_owned()),
        1 => (
            "bad",
            "✗",
            format!(
                "{} of {} did not hold",
                wording::count(all - held),
                wording::plural(all, "gate", "gates")
            ),
        ),
        _ => ("warn", "…", "The run is not complete".to_owned()),
    };
    let claim = summary.gates.first();
    let claim = claim.map(|gate| format!(" ({})", wording::claim(gate.rule, &summary.judging)));
    html! {
        div class={ "banner " (class) } {
            p.verdict { span.mark aria-hidden="true" { (mark) " " } (words) (claim.unwrap_or_default()) "; exit " (summary.exit) }
            p { "model " bdi { (wording::model(&summary.model)) } }
            p { "asked " (wording::asked(summary)) }
            @if let Some(started) = run.started { p { "begun " time datetime=(started) { (started) } } }
        }
    }
}

fn gate_card(run: &Shown<'_>, place: usize, gate: &GateLine) -> Markup {
    let at = run.at().of("gates").item(place);
    let (class, mark, word) = if gate.held {
        ("good", "✓", "held")
    } else {
        ("bad", "✗", "NOT HELD")
    };
    let by = gate.decided_by.as_deref().filter(|_| !gate.held);
    let exact = serde_json::to_string(&gate.verdict).expect("words are JSON");
    html! {
        li class=(class) {
            b { bdi { (wording::foreign(&gate.subject)) } }
            " "
            span { span.mark aria-hidden="true" { (mark) " " } (word) }
            ": "
            span data-of=(at.of("verdict").text()) data-value=(exact) { (gate.verdict.text()) }
            @if let Some(by) = by { " under " bdi { (wording::foreign(by)) } }
            @if !gate.subject.starts_with("drift.") { ", limit " (wording::limit(gate.limit)) }
        }
    }
}

/// The same lines as on a terminal.
fn lines(summary: &Summary) -> Markup {
    let rows = terminal::figures(summary, &STYLE);
    let tone = |tone: Tone| match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Open => "warn",
        Tone::Plain | Tone::Strong => "",
    };
    let body = html! {
        @for row in &rows {
            @let (cells, word, text) = row.parts();
            tr {
                @for place in 0..5 {
                    @let cell = cells.get(place).map_or("", String::as_str);
                    @if place == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                }
                td {
                    @if let Some((word, found)) = word { strong class=(tone(found)) { (word) } }
                    (text)
                }
            }
        }
    };
    let head = [
        "about",
        "variant",
        "observed",
        "what that shows",
        "limit",
        "verdict",
    ];
    let inside = html! { div.lines { (super::chart::table(&head, &body)) } };
    super::chart::scrolled("the figures in short", &inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn the_lines_are_those_of_the_terminal() {
        let summary = example::ordinary();
        let page = lines(&summary).into_string();
        for row in terminal::figures(&summary, &STYLE) {
            let (cells, word, text) = row.parts();
            let words = cells
                .iter()
                .map(String::as_str)
                .chain(word.map(|(word, _)| word))
                .chain([text]);
            for words in words {
                let escaped = html! { (words) }.into_string();
                assert!(page.contains(&escaped), "{words}");
            }
        }
    }

    #[test]
    fn exact_values_of_gates_name_their_place() {
        let summary = example::ordinary();
        let run = super::super::tests::shown(&summary);
        let page = render(&run).into_string();
        assert!(page.contains("data-of=\"0:/gates/0/verdict\""), "{page}");
    }
}
