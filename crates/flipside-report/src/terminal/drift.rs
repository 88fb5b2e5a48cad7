//! Drift, routing and levels: a line each where there is something to say, and everything with `--verbose`.

use flipside_core::perturb::Axis;
use flipside_core::summary::{DriftFigure, GateLine, Line, Routing, Summary};
use indexmap::IndexMap;

use super::axes::{cut, few};
use super::layout::Row;
use super::lines::tone;
use crate::style::{Style, Tone};
use crate::wording;

/// The lines that stand beside fit, flips and control.
pub(super) fn rows(summary: &Summary, style: &Style) -> Vec<Row> {
    let mut rows = drift(summary);
    rows.extend(routing(summary, style));
    rows.extend(score(summary));
    rows
}

/// The variants whose answers have probabilities. Of one-hot replies drift says no more than flips do.
fn measured(lines: &IndexMap<String, Line>) -> Vec<(&str, &DriftFigure)> {
    lines
        .iter()
        .filter_map(|(name, line)| Some((name.as_str(), line.drift.as_ref()?)))
        .filter(|(_, drift)| drift.pairs > drift.one_hot)
        .collect()
}

fn is_invariant(drift: &DriftFigure) -> bool {
    drift.invariance.numerically_invariant == Some(true)
}

/// Whether every measured variant of an axis is numerically invariant.
pub(super) fn all_invariant(lines: &IndexMap<String, Line>) -> bool {
    measured(lines).iter().all(|(_, drift)| is_invariant(drift))
}

/// What the probabilities of one axis did.
enum Moved<'a> {
    /// None moved beyond float error: how many variants, and the largest change of a centred log probability.
    Invariant(u64, f64),
    /// None moved as far as it is reported: the drift of a variant with the coarsest step.
    Still(&'a str, &'a DriftFigure),
    /// The variant that moved them most.
    Most(&'a str, &'a DriftFigure),
}

fn moved(lines: &IndexMap<String, Line>) -> Option<Moved<'_>> {
    let measured = measured(lines);
    let most = |by: fn(&DriftFigure) -> f64| {
        // The first of equals.
        measured.iter().copied().reduce(
            |most, next| {
                if by(next.1) > by(most.1) { next } else { most }
            },
        )
    };
    let (name, worst) = most(bits)?;
    if measured.iter().all(|(_, drift)| is_invariant(drift)) {
        let largest = measured
            .iter()
            .filter_map(|(_, drift)| drift.centred_logit.largest);
        let largest = largest.fold(0.0, f64::max);
        return Some(Moved::Invariant(measured.len() as u64, largest));
    }
    if measured.iter().all(|(_, drift)| wording::is_still(drift)) {
        let (name, coarsest) = most(|drift| drift.step.unwrap_or(0.0))?;
        return Some(Moved::Still(name, coarsest));
    }
    Some(Moved::Most(name, worst))
}

fn bits(drift: &DriftFigure) -> f64 {
    drift.jensen_shannon_bits.p95.unwrap_or(0.0)
}

/// Of each axis the variant that moved probabilities most, of the axes beside the order a few; those that moved none
/// together.
fn drift(summary: &Summary) -> Vec<Row> {
    let (mut order, mut most, mut still, mut invariant) =
        (None, Vec::new(), Vec::new(), Vec::new());
    for (axis, lines) in &summary.axes {
        match moved(lines) {
            None => {}
            Some(Moved::Most(name, drift)) if axis == Axis::Order.name() => {
                order = Some((axis.as_str(), name, drift));
            }
            Some(Moved::Most(name, drift)) => most.push((axis.as_str(), name, drift)),
            Some(Moved::Still(name, drift)) => still.push((axis.as_str(), name, drift)),
            Some(Moved::Invariant(n, largest)) => invariant.push((axis.as_str(), n, largest)),
        }
    }
    let more = few(&mut most, |(_, _, drift)| bits(drift));
    let row = |(axis, name, drift): (&str, &str, &DriftFigure)| {
        let text = wording::of_variant(axis, name, ": ") + &wording::drift_line(drift);
        Row::new(["drift", &wording::beside(axis, name)]).text(text)
    };
    let mut rows: Vec<Row> = order.into_iter().chain(most).map(row).collect();
    rows.extend(wording::more_axes(more).map(|text| Row::new(["drift"]).text(text)));
    match still[..] {
        [] => {}
        [only] => rows.push(row(only)),
        _ => {
            let axes: Vec<&str> = still.iter().map(|(axis, ..)| *axis).collect();
            let step = still
                .iter()
                .filter_map(|(_, _, drift)| drift.step)
                .reduce(f64::max);
            rows.push(Row::new(["drift", "none"]).text(wording::still_axes(&axes, step)));
        }
    }
    match invariant[..] {
        [] => {}
        [(axis, n, largest)] => {
            let text = wording::invariant(axis, n, largest);
            rows.push(Row::new(["drift", axis]).text(text));
        }
        _ => {
            let axes: Vec<&str> = invariant.iter().map(|(axis, ..)| *axis).collect();
            let largest = invariant
                .iter()
                .map(|(.., largest)| *largest)
                .fold(0.0, f64::max);
            let text = wording::invariant_axes(&axes, largest);
            rows.push(Row::new(["drift", "none"]).text(text));
        }
    }
    rows
}

/// What a threshold routes elsewhere under one variant.
struct Routed<'a> {
    axis: &'a str,
    name: &'a str,
    routing: &'a Routing,
}

fn routed<'a>(axis: &'a str, name: &'a str, line: &'a Line) -> Option<Routed<'a>> {
    let routing = line.routing.as_ref()?;
    Some(Routed {
        axis,
        name,
        routing,
    })
}

/// Answers that a threshold routes elsewhere: of each order, and of a few other axes of the variant that reroutes most.
fn routing(summary: &Summary, style: &Style) -> Vec<Row> {
    let (mut told, mut others) = (Vec::new(), Vec::new());
    for (axis, lines) in &summary.axes {
        let order = axis == Axis::Order.name();
        if order || style.verbose {
            let (shown, _) = cut(summary, axis, lines.iter().collect(), style);
            told.extend(
                shown
                    .into_iter()
                    .filter_map(|(name, line)| routed(axis, name, line)),
            );
            continue;
        }
        let all = lines
            .iter()
            .filter_map(|(name, line)| routed(axis, name, line));
        let flips = |routed: &Routed<'_>| routed.routing.routing_flips;
        // The first of equals.
        let most = all.reduce(|most, next| {
            if flips(&next) > flips(&most) {
                next
            } else {
                most
            }
        });
        others.extend(most.filter(|most| flips(most) > 0));
    }
    let more = few(&mut others, |routed| routed.routing.routing_flips);
    let row = |Routed {
                   axis,
                   name,
                   routing,
               }| {
        let cells = [
            "routing",
            &wording::beside(axis, name),
            &wording::rerouted(routing),
            &wording::rerouted_bound(routing),
        ];
        Row::new(cells)
            .text(wording::of_variant(axis, name, ", ") + &wording::routes(routing, axis))
    };
    let mut rows: Vec<Row> = told.into_iter().chain(others).map(row).collect();
    rows.extend(wording::more_axes(more).map(|text| Row::new(["routing"]).text(text)));
    rows
}

/// Of the order axis the variant that moved levels most, with how orders agree; of a few others the same where levels moved.
fn score(summary: &Summary) -> Vec<Row> {
    let (mut order, mut others) = (None, Vec::new());
    for (axis, lines) in &summary.axes {
        let most = lines
            .iter()
            .filter_map(|(name, line)| Some((name, line.score.as_ref()?)))
            .reduce(|most, next| {
                if next.1.mean_change > most.1.mean_change {
                    next
                } else {
                    most
                }
            });
        match most {
            Some((name, score)) if axis == Axis::Order.name() => {
                let mut parts = vec![wording::score(score)];
                parts.extend(summary.score.iter().flat_map(wording::agreement));
                order = Some(Row::new(["score", &wording::name(name)]).text(parts.join("; ")));
            }
            Some((name, score)) if score.mean_change > 0.0 => others.push((axis, name, score)),
            _ => {}
        }
    }
    let more = few(&mut others, |(.., score)| score.mean_change);
    let others = others.iter().map(|(axis, name, score)| {
        let text = wording::of_variant(axis, name, ": ") + &wording::score(score);
        Row::new(["score", &wording::beside(axis, name)]).text(text)
    });
    let mut rows: Vec<Row> = order.into_iter().chain(others).collect();
    rows.extend(wording::more_axes(more).map(|text| Row::new(["score"]).text(text)));
    rows
}

/// The row of a gate on drift, whose subject goes on with `figure`.
pub(super) fn gate(gate: &GateLine, figure: &str) -> Row {
    Row::new(["drift", &wording::name(figure)])
        .word(gate.verdict.text(), tone(&gate.verdict))
        .text(wording::drift_gate(gate))
}

/// Everything about every variant and every repeat of the control; empty without `--verbose`.
pub(super) fn details(summary: &Summary, style: &Style) -> Vec<Row> {
    if !style.verbose {
        return Vec::new();
    }
    let repeats = summary
        .control
        .iter()
        .flat_map(|control| &control.by_repeat);
    let repeats = repeats.map(|(name, line)| (format!("same:{}", wording::name(name)), line));
    let mut named: Vec<(String, &Line)> = Vec::new();
    for (axis, lines) in &summary.axes {
        named.extend(
            lines
                .iter()
                .map(|(name, line)| (wording::variant(axis, name), line)),
        );
    }
    named.extend(repeats);
    let mut rows = Vec::new();
    for (name, line) in named {
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
    let mut rows = vec![row("as reported").text(wording::reported(&drift.reported))];
    let each = quantities.iter();
    rows.extend(each.map(|(what, quantity)| row(what).text(wording::quantity(quantity))));
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
