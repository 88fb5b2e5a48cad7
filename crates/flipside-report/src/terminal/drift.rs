//! Drift, routing and levels: a line each where there is something to say, and everything with `--verbose`.

use flipside_core::perturb::Axis;
use flipside_core::summary::{DriftFigure, GateLine, Line, Summary};

use super::layout::Row;
use super::lines::{cut, tone};
use crate::style::{Style, Tone};
use crate::wording;

/// The lines that stand beside fit, flips and control.
pub(super) fn rows(summary: &Summary, style: &Style) -> Vec<Row> {
    let mut rows: Vec<Row> = drift(summary).into_iter().collect();
    rows.extend(routing(summary, style));
    rows.extend(score(summary));
    rows
}

fn orders(summary: &Summary) -> impl Iterator<Item = (&String, &Line)> {
    summary.axes.get(Axis::Order.name()).into_iter().flatten()
}

/// The orders whose answers have probabilities. Of one-hot replies drift says no more than flips do.
fn measured(summary: &Summary) -> Vec<(&String, &DriftFigure)> {
    orders(summary)
        .filter_map(|(name, line)| Some((name, line.drift.as_ref()?)))
        .filter(|(_, drift)| drift.pairs > drift.one_hot)
        .collect()
}

/// Whether every measured order is numerically invariant.
pub(super) fn all_invariant(summary: &Summary) -> bool {
    let invariant =
        |(_, drift): &(_, &DriftFigure)| drift.invariance.numerically_invariant == Some(true);
    measured(summary).iter().all(invariant)
}

/// The order that moved probabilities most, or that none moved any.
fn drift(summary: &Summary) -> Option<Row> {
    let measured = measured(summary);
    let bits = |drift: &DriftFigure| drift.jensen_shannon_bits.p95.unwrap_or(0.0);
    let (name, worst) = measured.iter().copied().reduce(|worst, other| {
        if bits(other.1) > bits(worst.1) {
            other
        } else {
            worst
        }
    })?;
    if all_invariant(summary) {
        let largest = measured
            .iter()
            .filter_map(|(_, drift)| drift.centred_logit.largest)
            .fold(0.0, f64::max);
        let text = wording::invariant(measured.len() as u64, largest);
        return Some(Row::new(["drift", "order"]).text(text));
    }
    Some(Row::new(["drift", &wording::name(name)]).text(wording::drift_line(worst)))
}

fn routing(summary: &Summary, style: &Style) -> Vec<Row> {
    let (shown, _) = cut(summary, orders(summary).collect(), style);
    let routed = shown.iter().filter_map(|(name, line)| {
        let routing = line.routing.as_ref()?;
        let cells = [
            "routing",
            &wording::name(name),
            &wording::rerouted(routing),
            &wording::rerouted_bound(routing),
        ];
        Some(Row::new(cells).text(wording::routes(routing)))
    });
    routed.collect()
}

/// The order that moved levels most, and how orders agree.
fn score(summary: &Summary) -> Option<Row> {
    let (name, score) = orders(summary)
        .filter_map(|(name, line)| Some((name, line.score.as_ref()?)))
        .reduce(|worst, other| {
            if other.1.mean_change > worst.1.mean_change {
                other
            } else {
                worst
            }
        })?;
    let mut parts = vec![wording::score(score)];
    parts.extend(summary.score.iter().flat_map(wording::agreement));
    Some(Row::new(["score", &wording::name(name)]).text(parts.join("; ")))
}

/// The row of a gate on drift, whose subject goes on with `figure`.
pub(super) fn gate(gate: &GateLine, figure: &str) -> Row {
    Row::new(["drift", &wording::name(figure)])
        .word(gate.verdict.text(), tone(&gate.verdict))
        .text(wording::drift_gate(gate))
}

/// Everything about every order and every repeat of the control; empty without `--verbose`.
pub(super) fn details(summary: &Summary, style: &Style) -> Vec<Row> {
    if !style.verbose {
        return Vec::new();
    }
    let repeats = summary
        .control
        .iter()
        .flat_map(|control| &control.by_repeat);
    let repeats = repeats.map(|(name, line)| (format!("same:{}", wording::name(name)), line));
    let lines = orders(summary)
        .map(|(name, line)| (wording::name(name), line))
        .chain(repeats);
    let mut rows = Vec::new();
    for (name, line) in lines {
        if let Some(drift) = line.drift.as_ref().filter(|drift| drift.pairs > 0) {
            rows.extend(detail(&name, drift));
        }
        if let Some(score) = &line.score {
            rows.push(Row::new(["score", &name]).text(wording::score(score)));
        }
    }
    rows
}

fn detail(name: &str, drift: &DriftFigure) -> Vec<Row> {
    let quantities = [
        ("total variation", &drift.total_variation),
        ("largest change", &drift.largest_change),
        ("JS bits", &drift.jensen_shannon_bits),
        ("JS distance", &drift.jensen_shannon_distance),
        ("log-odds", &drift.log_odds),
        ("centred logit", &drift.centred_logit),
    ];
    let row = |what: &str| Row::new(["drift", name, what]);
    let mut rows: Vec<Row> = quantities
        .iter()
        .map(|(what, quantity)| row(what).text(wording::quantity(quantity)))
        .collect();
    if drift.headroom.pairs > 0 {
        let reached = wording::reached(&drift.headroom);
        let text = [Some(wording::headroom(&drift.headroom)), reached];
        rows.push(row("headroom").text(text.into_iter().flatten().collect::<Vec<_>>().join("; ")));
    }
    rows.push(row("invariance").word(wording::invariance(&drift.invariance), Tone::Plain));
    if let (Some(own), Some(variant)) = (&drift.own_confidence, &drift.confidence) {
        rows.push(row("confidence").text(wording::confidence(own, variant)));
    }
    rows.extend(wording::drift_notes(drift).map(|notes| row("counted apart").text(notes)));
    rows
}
