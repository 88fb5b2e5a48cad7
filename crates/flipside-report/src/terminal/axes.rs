//! What each axis shows: its variants a line each, and beneath them what belongs to the axis as a whole.

use flipside_core::perturb::Axis;
use flipside_core::summary::{Figure, Line, Summary, Verdict};
use indexmap::IndexMap;

use super::layout::Row;
use super::lines::{flip_row, tone};
use super::{canary, composition, drift, keyed, orders, pairs, phrasing};
use crate::style::{Style, Tone};
use crate::wording;

/// An axis with more variants than this is cut to its worst.
const VARIANTS: usize = 5;
/// A name up to here stands in the column of names.
const COLUMN: usize = 24;
/// That many of the worst.
const WORST: usize = 3;

/// Variants of one axis with their lines.
pub(super) type Named<'a> = Vec<(&'a String, &'a Line)>;

/// Every axis with what belongs beneath it.
pub(super) fn rows(summary: &Summary, style: &Style) -> Vec<Row> {
    let mut rows = Vec::new();
    for (axis, lines) in &summary.axes {
        let applies = lines
            .values()
            .any(|line| wording::not_applicable(line).is_none());
        // An axis that is judged as a whole has its variants in full only.
        let whole = composition::rows(summary, axis, style);
        let whole = if applies { whole } else { Vec::new() };
        if whole.is_empty() || style.verbose {
            rows.extend(variants(summary, axis, lines, style));
        }
        rows.extend(whole);
        rows.extend(beneath(summary, axis, style));
    }
    if !summary.axes.contains_key(Axis::Order.name()) {
        rows.extend(canary::rows(summary));
    }
    rows
}

/// What an axis shows as a whole: each figure has its own denominator, and so its own row.
fn beneath(summary: &Summary, axis: &str, style: &Style) -> Vec<Row> {
    let mut rows = pairs::beneath(summary, axis);
    rows.extend(keyed::direction(summary, axis, style));
    rows.extend(asked_again(summary, axis, style));
    match Axis::parse(axis) {
        Some(Axis::Order) => {
            rows.extend(canary::rows(summary));
            rows.extend(stopping(summary, style));
            rows.extend(orders::rows(summary));
        }
        Some(Axis::Phrasing) => rows.extend(phrasing::rows(summary, style)),
        _ => {}
    }
    rows
}

/// A line per variant, in the order of the plan; of many the worst.
fn variants(
    summary: &Summary,
    axis: &str,
    lines: &IndexMap<String, Line>,
    style: &Style,
) -> Vec<Row> {
    let (nothing, applicable): (Named<'_>, Named<'_>) = lines
        .iter()
        .partition(|(_, line)| wording::not_applicable(line).is_some());
    let all = applicable.len();
    let (shown, hidden) = cut(summary, axis, applicable, style);
    let flat = drift::all_invariant(lines);
    let mut caution = wording::caution(axis);
    let mut rows = Vec::new();
    for (variant, line) in &shown {
        let mut said = wording::line_verdict(line, &summary.cases, axis, variant);
        if let Some(headroom) = wording::no_flips(line).filter(|_| !flat) {
            said = said.and(&headroom);
        }
        if let Some(caution) = caution.take() {
            said = said.and(caution);
        }
        let name = wording::value(axis, variant);
        if wording::width(&name) <= COLUMN {
            rows.push(flip_row(summary, [axis, &name], &line.figure, said));
        } else {
            // A long name would push the columns of all rows apart.
            rows.push(Row::new([axis]).text(name));
            rows.push(flip_row(summary, ["", ""], &line.figure, said));
        }
    }
    if shown.len() < all {
        let worst = hidden
            .iter()
            .max_by(|(_, a), (_, b)| rate(a).total_cmp(&rate(b)));
        let not_compared = |figure: &Figure| figure.missing + figure.unasked + figure.no_decision;
        let without = hidden
            .iter()
            .map(|(_, line)| not_compared(&line.figure))
            .sum();
        let more = (all - shown.len()) as u64;
        let worst = worst.map(|(_, line)| &line.figure);
        rows.push(Row::new([axis]).text(wording::remaining(more, worst, without)));
    }
    rows.extend(not_applicable(axis, &nothing, lines.len(), style));
    rows
}

/// Variants that apply to no case, together by reason; `-` where that is all of the axis. `variants`: how many the axis has.
fn not_applicable(
    axis: &str,
    nothing: &[(&String, &Line)],
    variants: usize,
    style: &Style,
) -> Vec<Row> {
    let mut groups: Vec<(String, Named<'_>)> = Vec::new();
    for (name, line) in nothing {
        let Some(reason) = wording::not_applicable(line) else {
            continue;
        };
        let mut known = groups.iter_mut();
        match known.find(|(known, _)| !style.verbose && *known == reason) {
            Some((_, group)) => group.push((name, line)),
            None => groups.push((reason, vec![(name, line)])),
        }
    }
    let row = |(reason, group): &(String, Named<'_>)| {
        let names: Vec<&String> = group.iter().map(|(name, _)| *name).collect();
        let name = if group.len() == variants && !style.verbose {
            "-".to_owned()
        } else {
            wording::together(&names)
        };
        let limit = group[0].1.figure.limit;
        let tone = limit.map_or(Tone::Plain, |_| tone(&Verdict::NotApplicable));
        Row::new([axis, &name])
            .word(Verdict::NotApplicable.text(), tone)
            .text(format!(": {reason}"))
    };
    groups.iter().map(row).collect()
}

/// What asking the flips of an axis once more showed.
fn asked_again(summary: &Summary, axis: &str, style: &Style) -> Vec<Row> {
    let Some(found) = summary.confirmed.get(axis) else {
        return Vec::new();
    };
    let row = || Row::new([axis, "asked again"]);
    let again = wording::again(found);
    let mut rows = vec![row().text(format!("{again}, {}", wording::effect(found, axis)))];
    rows.extend(wording::confirmed_by_asking(summary).map(|text| row().text(text)));
    if style.verbose {
        rows.push(row().text(wording::confirmed_where(found)));
    }
    rows
}

/// Where asking adaptively stopped.
fn stopping(summary: &Summary, style: &Style) -> Vec<Row> {
    let Some(found) = &summary.sequential else {
        return Vec::new();
    };
    let clustered = summary.cluster.is_some();
    let stopped = wording::stopping(found, clustered, summary.complete);
    let mut rows = vec![Row::new(["order", "stopping"]).text(stopped)];
    let at_stopping = wording::at_stopping(found).filter(|_| style.verbose);
    rows.extend(at_stopping.map(|text| Row::new(["order", "interval"]).text(text)));
    rows
}

/// How flips of each variant stand beside the control's.
pub(super) fn effects(summary: &Summary) -> Vec<Row> {
    let mut rows = Vec::new();
    for (axis, lines) in &summary.axes {
        for (variant, line) in lines {
            rows.extend(line.anchored.as_ref().map(|found| {
                let (name, beside) = (
                    wording::variant(axis, variant),
                    wording::beside_control(found),
                );
                Row::new(["beside same", &name, &beside]).text(wording::anchored(found, axis))
            }));
        }
    }
    rows
}

/// The variants to list, and those that are not: all in their order, or the worst of many.
pub(super) fn cut<'a>(
    summary: &Summary,
    axis: &str,
    lines: Named<'a>,
    style: &Style,
) -> (Named<'a>, Named<'a>) {
    if style.verbose || lines.len() <= VARIANTS {
        return (lines, Vec::new());
    }
    // Gates on drift are about orders.
    let about = |subject: &str| {
        subject == axis || (axis == Axis::Order.name() && subject.starts_with("drift."))
    };
    let decides = |name: &String| {
        let mut gates = summary.gates.iter();
        gates.any(|gate| about(&gate.subject) && gate.decided_by.as_ref() == Some(name))
    };
    let mut sorted = lines;
    sorted.sort_by(|(a, first), (b, second)| {
        decides(b)
            .cmp(&decides(a))
            .then(rate(second).total_cmp(&rate(first)))
    });
    let hidden = sorted.split_off(WORST);
    (sorted, hidden)
}

fn rate(line: &Line) -> f64 {
    line.figure.rate.unwrap_or(-1.0)
}

/// The most axes beside the order that a block has rows of.
const FEW: usize = 3;

/// Keeps the few of `all` with the largest weight, in their order, and says how many went.
pub(super) fn few<T, W: PartialOrd>(all: &mut Vec<T>, weight: impl Fn(&T) -> W) -> u64 {
    let mut gone = 0;
    while all.len() > FEW {
        let mut least = 0;
        for place in 1..all.len() {
            // Of equals the last goes first.
            if weight(&all[place]) <= weight(&all[least]) {
                least = place;
            }
        }
        all.remove(least);
        gone += 1;
    }
    gone
}
