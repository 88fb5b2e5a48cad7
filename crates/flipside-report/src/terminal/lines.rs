//! The lines of fit, control and gates, and of what each axis shows between them.

use flipside_core::gate::Population;
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskStatus, Figure, GateLine, Summary, Verdict};

use super::layout::Row;
use super::{axes, drift, keyed, record};
use crate::style::{Style, Tone};
use crate::wording;

/// Fit, every axis and the control, a line each.
pub(crate) fn figures(summary: &Summary, style: &Style) -> Vec<Row> {
    let mut rows = fit(summary, style);
    rows.extend(record::row(summary));
    rows.extend(axes::rows(summary, style));
    rows.extend(control(summary, style));
    rows.extend(drift::rows(summary, style));
    rows.extend(
        summary
            .gates
            .iter()
            .filter_map(|gate| gate_alone(summary, gate)),
    );
    rows
}

fn fit(summary: &Summary, style: &Style) -> Vec<Row> {
    let fit = &summary.fit;
    if summary.counts.labelled == 0 && fit.figure.limit.is_none() {
        return Vec::new();
    }
    let said = wording::fit_verdict(fit);
    // Whether that is the own order is not on record.
    let unlisted = summary.cases.iter().any(|case| case.unlisted);
    let own = [
        "fit",
        if unlisted { "baseline" } else { "own order" },
        &wording::right(fit),
        &wording::bound(&fit.figure),
        &wording::limit_of(&fit.figure),
    ];
    let mut rows = vec![
        Row::new(own)
            .word(said.word, tone(&fit.figure.verdict))
            .text(said.rest),
    ];
    if let Some(mean) = &summary.order_averaged_accuracy {
        let orders = summary.axes.get(Axis::Order.name()).into_iter().flatten();
        let own = if wording::own_order_differs(orders.map(|(_, line)| line)) {
            "; own order is not representative"
        } else {
            ""
        };
        let text = format!("{}{own}", wording::averaged(mean));
        rows.push(Row::new(["fit", "all orders", &wording::mean_right(mean)]).text(text));
    }
    rows.extend(keyed::fit(summary, style));
    rows
}

fn control(summary: &Summary, style: &Style) -> Vec<Row> {
    let Some(control) = &summary.control else {
        return Vec::new();
    };
    let mut said = wording::control_verdict(control);
    if let Some(note) = wording::against_record(summary) {
        said = said.and(note);
    }
    let mut rows = vec![flip_row(
        summary,
        ["same", "control"],
        &control.figure,
        said,
    )];
    if style.verbose && control.by_repeat.len() > 1 {
        for (repeat, line) in &control.by_repeat {
            let same = Axis::Same.name();
            let said = wording::line_verdict(line, &summary.cases, same, repeat);
            rows.push(flip_row(
                summary,
                ["same", &format!("repeat {}", wording::name(repeat))],
                &line.figure,
                said,
            ));
        }
    }
    rows
}

/// One line of flips.
pub(super) fn flip_row(
    summary: &Summary,
    [subject, variant]: [&str; 2],
    figure: &Figure,
    said: wording::Said,
) -> Row {
    // Noise is a claim about the backend, whatever the cases stand for.
    let population = match subject {
        "same" => Population::Traffic,
        _ => summary.judging.population,
    };
    let cells = [
        subject,
        variant,
        &wording::flipped(figure),
        &wording::claimed(wording::bound(figure), population),
        &wording::limit_of(figure),
    ];
    Row::new(cells)
        .word(
            wording::claimed(said.word, population),
            tone(&figure.verdict),
        )
        .text(said.rest)
}

/// The row of a gate that no figure stands for.
fn gate_alone(summary: &Summary, gate: &GateLine) -> Option<Row> {
    if let Some(figure) = gate.subject.strip_prefix("drift.") {
        return Some(drift::gate(gate, figure));
    }
    let (subject, variant) = match gate.subject.split_once('.') {
        None => (gate.subject.as_str(), None),
        Some((subject, variant)) => (subject, Some(variant)),
    };
    let variant = match (subject, variant) {
        ("same", _) if summary.control.is_none() => "control".to_owned(),
        ("missing", _) => "all asks".to_owned(),
        _ => {
            let axis = Axis::parse(subject)?;
            let lines = summary.axes.get(axis.name());
            match variant {
                None if lines.is_none() => "-".to_owned(),
                Some(name) if lines.is_none_or(|lines| !lines.contains_key(name)) => {
                    wording::name(name)
                }
                _ => return None,
            }
        }
    };
    let reason = gate
        .reason
        .as_deref()
        .map(|reason| format!(": {}", wording::foreign(reason)))
        .unwrap_or_default();
    let reason = match subject {
        "missing" => format!("{reason}, limit {}", wording::limit(gate.limit)),
        _ => reason,
    };
    Some(
        Row::new([subject, &variant])
            .word(gate.verdict.text(), tone(&gate.verdict))
            .text(reason),
    )
}

/// The gates and the exit code, in as many lines as they need.
pub(super) fn gates(summary: &Summary, style: &Style) -> String {
    let claim = summary.gates.first();
    let claim = claim.map(|gate| wording::claim(gate.rule, &summary.judging));
    gate_line(&summary.gates, claim.as_deref(), summary.exit, style)
}

/// Gates, what they speak about, and an exit code, in as many lines as they need.
pub(super) fn gate_line(
    gates: &[GateLine],
    claim: Option<&str>,
    exit: u8,
    style: &Style,
) -> String {
    let exit_tone = match exit {
        0 => Tone::Good,
        1 => Tone::Bad,
        _ => Tone::Open,
    };
    let mut items: Vec<(String, Tone)> = gates
        .iter()
        .map(|gate| {
            (
                wording::gate(gate),
                if gate.held { Tone::Good } else { Tone::Bad },
            )
        })
        .collect();
    items.push((claim.unwrap_or("none").to_owned(), Tone::Plain));
    items.push((format!("exit {exit}"), exit_tone));
    let (mut out, mut used) = ("gates".to_owned(), 5);
    for (place, (text, tone)) in items.iter().enumerate() {
        let gap = if place == 0 { 2 } else { 3 };
        let columns = wording::width(text);
        if place > 0 && used + gap + columns > style.width {
            out += "\n       ";
            used = 7;
        } else {
            out += &" ".repeat(gap);
            used += gap;
        }
        out += &style.paint(text, *tone);
        used += columns;
    }
    out + "\n"
}

/// What became of the asks, where some were not made.
pub(super) fn run(summary: &Summary) -> Option<Row> {
    let unasked = || {
        summary
            .cases
            .iter()
            .flat_map(|case| &case.asks)
            .any(|ask| ask.status == AskStatus::Unasked)
    };
    let open = !summary.complete || summary.stopped.is_some() || unasked();
    open.then(|| Row::new(["run"]).word(wording::not_complete(summary), Tone::Open))
}

/// The colour of a verdict.
pub(super) fn tone(verdict: &Verdict) -> Tone {
    match verdict {
        verdict if verdict.holds() => Tone::Good,
        verdict if verdict.is_sensitive() => Tone::Bad,
        Verdict::NotATask
        | Verdict::TooFewCases
        | Verdict::Noisy
        | Verdict::NoisyBackend
        | Verdict::OverLimit => Tone::Bad,
        Verdict::NoGate => Tone::Plain,
        _ => Tone::Open,
    }
}
