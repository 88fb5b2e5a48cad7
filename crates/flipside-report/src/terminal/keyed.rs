//! Which way flips went, how far keys moved, and what averaging answers.

use flipside_core::summary::{AveragedAnswer, KeyChange, KeyPair, Line, Summary};

use super::layout::Row;
use crate::style::Style;
use crate::wording;

/// A direction is told by default where its adjusted p value is under this.
const EVIDENCE: f64 = 0.05;
/// The most pairs of keys in the line of an axis.
const PAIRS: usize = 3;
/// The most rows of one variant in full.
const LISTED: usize = 12;

/// One pair of keys of one variant.
struct Told<'a> {
    variant: &'a str,
    pair: &'a KeyPair,
    /// How far the key that won moved.
    gained: Option<&'a KeyChange>,
}

/// The line of an axis some of whose flips went one way, the clearest first; nothing where none did.
pub(super) fn direction(summary: &Summary, axis: &str, style: &Style) -> Option<Row> {
    if style.verbose {
        return None;
    }
    let lines = summary.axes.get(axis)?;
    let mut told: Vec<Told<'_>> = lines
        .iter()
        .flat_map(|(variant, line)| clear(variant, line))
        .collect();
    told.sort_by(|a, b| a.pair.holm_p.total_cmp(&b.pair.holm_p));
    let more = told.split_off(told.len().min(PAIRS)).len() as u64;
    if told.is_empty() {
        return None;
    }
    let several = lines.len() > 1;
    let part = |told: &Told<'_>| {
        let variant = if several {
            format!("{}: ", wording::value(axis, told.variant))
        } else {
            String::new()
        };
        let gained = told
            .gained
            .map(|change| format!(", {}", wording::gained(change)));
        let gained = gained.unwrap_or_default();
        format!("{variant}{}{gained}", wording::ways(told.pair))
    };
    let mut parts: Vec<String> = told.iter().map(part).collect();
    parts.extend(wording::more_ways(more));
    Some(Row::new([axis, "direction"]).text(parts.join("; ")))
}

fn clear<'a>(variant: &'a str, line: &'a Line) -> impl Iterator<Item = Told<'a>> {
    let pairs = line.direction.iter().flat_map(|found| &found.pairs);
    let clear = pairs.filter(|pair| pair.holm_p < EVIDENCE);
    clear.map(move |pair| {
        let mut keys = line.key_changes.iter().flat_map(|found| &found.keys);
        Told {
            variant,
            pair,
            gained: keys.find(|key| key.question == pair.question && key.key == pair.to),
        }
    })
}

/// Everything by key, and the averaged answers; empty without `--verbose`.
pub(super) fn full(summary: &Summary, style: &Style) -> Vec<Row> {
    if !style.verbose {
        return Vec::new();
    }
    let mut rows = Vec::new();
    let repeats = summary.control.iter();
    let repeats = repeats.flat_map(|control| &control.by_repeat);
    let repeats = repeats.map(|(name, line)| (format!("same:{}", wording::name(name)), line));
    let changed = summary.axes.iter().flat_map(|(axis, lines)| {
        let named = lines.iter();
        named.map(move |(name, line)| (wording::variant(axis, name), line))
    });
    for (variant, line) in changed.chain(repeats) {
        rows.extend(of_variant(&variant, line));
    }
    if let Some(found) = &summary.averaged_answer {
        rows.extend(averaged(found));
    }
    rows
}

fn of_variant(variant: &str, line: &Line) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(found) = &line.direction {
        let row = |text: String| Row::new(["direction", variant]).text(text);
        rows.extend(
            found
                .pairs
                .iter()
                .take(LISTED)
                .map(|pair| row(wording::ways(pair))),
        );
        let more = found.pairs.len().saturating_sub(LISTED) as u64 + found.pairs_left_out;
        if more > 0 {
            rows.push(row(wording::more_keyed(
                more,
                "more pair of keys",
                "more pairs of keys",
            )));
        }
    }
    // Where nothing moved there is a row of drift to say so.
    let moved = |change: &&KeyChange| change.up + change.down > 0;
    if let Some(found) = &line.key_changes {
        let row = |text: String| Row::new(["key", variant]).text(text);
        let changes: Vec<&KeyChange> = found.keys.iter().filter(moved).collect();
        let shown = changes.iter().take(LISTED);
        rows.extend(shown.map(|change| row(wording::key_change(change))));
        let more = changes.len().saturating_sub(LISTED) as u64 + found.keys_left_out;
        if more > 0 {
            rows.push(row(wording::more_keyed(more, "more key", "more keys")));
        }
    }
    rows
}

fn averaged(found: &AveragedAnswer) -> Vec<Row> {
    let by = [("by mean", &found.mean), ("by vote", &found.vote)];
    let rows = by.map(|(name, by)| {
        let share = wording::averaged_share(found, by);
        Row::new(["averaged", name, &share]).text(wording::averaged_beside(found, by))
    });
    let mut rows = rows.to_vec();
    let row = |text: String| Row::new(["averaged", "answers"]).text(text);
    let keys = found.keys.iter().take(LISTED);
    rows.extend(keys.map(|key| row(wording::averaged_key(key))));
    let more = found.keys.len().saturating_sub(LISTED) as u64 + found.keys_left_out;
    if more > 0 {
        rows.push(row(wording::more_keyed(more, "more key", "more keys")));
    }
    let left_out = wording::averaged_left_out(found);
    rows.extend(left_out.map(|text| Row::new(["averaged", "left out"]).text(text)));
    rows
}

/// The row of fit where averaging the orders is right another number of times than the own order, by the exact test.
pub(super) fn fit(summary: &Summary, style: &Style) -> Option<Row> {
    let found = summary.averaged_answer.as_ref()?;
    let accuracy = found.mean.accuracy.as_ref()?;
    let differs = accuracy.mcnemar_p < EVIDENCE && !style.verbose;
    differs.then(|| {
        let share = wording::averaged_share(found, &found.mean);
        Row::new(["fit", "averaged", &share]).text(wording::averaged_beside(found, &found.mean))
    })
}
