//! Composition: one row for an axis that is judged as a whole, one for what it shows beside flips, and everything with
//! `--verbose`.

use flipside_core::perturb::Axis;
use flipside_core::summary::{
    CompositionSummary, DecoyComposition, DropComposition, Figure, Summary,
};

use super::layout::Row;
use super::lines::flip_row;
use crate::style::{Style, Tone};
use crate::wording::{self, Said, composition as words};

/// The rows of `axis`, if it is one that is judged as a whole.
pub(super) fn rows(summary: &Summary, axis: &str, style: &Style) -> Vec<Row> {
    let Some(CompositionSummary { drop, decoy }) = &summary.composition else {
        return Vec::new();
    };
    match (Axis::parse(axis), drop, decoy) {
        (Some(Axis::Drop), Some(found), _) => drop_rows(summary, found, style),
        (Some(Axis::Decoy), _, Some(found)) => decoy_rows(summary, found, style),
        _ => Vec::new(),
    }
}

fn drop_rows(summary: &Summary, found: &DropComposition, style: &Style) -> Vec<Row> {
    let said = words::drop_verdict(found, summary.cluster.is_some());
    let name = whole_name(summary, Axis::Drop);
    let mut rows = vec![flip_row(summary, ["drop", &name], &found.figure, said)];
    let attention = words::attention(found.attention, found.attention_reason, is_blind(summary));
    let told = [
        words::runner_up(&found.choice_dropped),
        Some(words::shared(&found.shared)),
        words::equal_size(found.equal_size.as_ref()),
    ];
    rows.extend(beside("drop", &found.figure, attention, told));
    if style.verbose {
        rows.extend(in_full("drop", words::drop_in_full(found)));
    }
    rows
}

fn decoy_rows(summary: &Summary, found: &DecoyComposition, style: &Style) -> Vec<Row> {
    let name = whole_name(summary, Axis::Decoy);
    let said = words::decoy_verdict(found, summary.cluster.is_some());
    let mut rows = vec![flip_row(summary, ["decoy", &name], &found.figure, said)];
    let attention = words::attention(found.attention, found.attention_reason, is_blind(summary));
    let told = [
        words::chosen(found, summary.judging.population),
        words::moved_others(found),
        Some(words::shared(&found.shared)),
        words::equal_size(found.equal_size.as_ref()),
    ];
    rows.extend(beside("decoy", &found.figure, attention, told));
    if style.verbose {
        rows.extend(in_full("decoy", words::decoy_in_full(found)));
    }
    rows
}

/// What stands for all variants of an axis that is judged as a whole.
pub(super) fn whole_name(summary: &Summary, axis: Axis) -> String {
    let lines = summary.axes.get(axis.name());
    let names: Vec<&String> = lines.into_iter().flat_map(|lines| lines.keys()).collect();
    match (axis, &names[..]) {
        (Axis::Drop, _) => "each option".to_owned(),
        (_, [only]) => wording::name(only),
        _ => "each decoy".to_owned(),
    }
}

/// What stands beside flips; nothing where nothing was asked. Attending to what is listed is neither good nor bad.
fn beside<const N: usize>(
    axis: &str,
    figure: &Figure,
    attention: Said,
    told: [Option<String>; N],
) -> Option<Row> {
    if figure.asked == 0 {
        return None;
    }
    let told: Vec<String> = told.into_iter().flatten().collect();
    let text = format!("{}; {}", attention.rest, told.join("; "));
    let row = Row::new([axis, "composition"]);
    Some(row.word(attention.word, Tone::Plain).text(text))
}

fn in_full(axis: &str, told: Vec<(&'static str, String)>) -> Vec<Row> {
    let rows = told.into_iter();
    rows.map(|(name, text)| Row::new([axis, name]).text(text))
        .collect()
}

/// Whether some other order was asked and none moved a choice or, beyond float error, a probability.
fn is_blind(summary: &Summary) -> bool {
    let Some(lines) = summary.axes.get(Axis::Order.name()) else {
        return false;
    };
    let still = |drift: &flipside_core::summary::DriftFigure| {
        drift.invariance.numerically_invariant == Some(true)
    };
    let mut lines = lines
        .values()
        .filter(|line| line.figure.applicable > 0)
        .peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            let whole = line.figure.missing + line.figure.unasked == 0;
            whole && line.figure.flips == Some(0) && line.drift.as_ref().is_some_and(still)
        })
}
