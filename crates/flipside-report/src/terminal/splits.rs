//! Parts of the cases: flagged ones in a line each, asked-for ones in a table.

use flipside_core::summary::{Slice, Split, SplitKind, SplitValue, Summary};

use super::layout::{self, Row};
use super::table;
use crate::style::Style;
use crate::wording;

/// The most lines of flagged slices.
const FLAGGED: usize = 3;
/// The most values of a split in a table.
const VALUES: usize = 8;
/// The most variants in a table.
const COLUMNS: usize = 3;

/// A variant: its axis and its name on it.
type Variant<'a> = (&'a str, &'a str);

/// One figure of one value of a split.
struct Told<'a> {
    split: &'a Split,
    value: &'a SplitValue,
    /// The variant; none for fit.
    variant: Option<Variant<'a>>,
    slice: &'a Slice,
}

/// Flagged slices, the clearest first, then a table of every split that was asked for; with `verbose` everything.
pub(super) fn render(summary: &Summary, style: &Style) -> String {
    let mut blocks = Vec::new();
    if style.verbose {
        blocks.extend(
            summary
                .splits
                .by
                .iter()
                .map(|split| all(summary, split, style)),
        );
    } else {
        blocks.push(layout::rows(&flagged(summary), style));
        let asked_for = summary.splits.by.iter();
        blocks.extend(
            asked_for
                .filter(|split| split.kind == SplitKind::Field)
                .map(|split| compact(summary, split, style)),
        );
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

fn figures(value: &SplitValue) -> impl Iterator<Item = (Option<Variant<'_>>, &Slice)> {
    let fit = value.fit.iter().map(|slice| (None, slice));
    let variants = value.axes.iter().flat_map(|(axis, lines)| {
        let named = lines.iter();
        named.map(move |(name, slice)| (Some((axis.as_str(), name.as_str())), slice))
    });
    fit.chain(variants)
}

fn flagged(summary: &Summary) -> Vec<Row> {
    let mut found: Vec<Told<'_>> = Vec::new();
    for split in &summary.splits.by {
        for value in &split.values {
            let slices = figures(value).filter(|(_, slice)| slice.flagged);
            let slices = slices.filter(|(variant, slice)| {
                !is_mirror(split, value, *variant, slice) && !in_table(split, value, *variant)
            });
            found.extend(slices.map(|(variant, slice)| Told {
                split,
                value,
                variant,
                slice,
            }));
        }
    }
    let p = |told: &Told<'_>| told.slice.adjusted_p.unwrap_or(1.0);
    found.sort_by(|a, b| p(a).total_cmp(&p(b)));
    let more = found.split_off(found.len().min(FLAGGED)).len() as u64;
    let last = found.len();
    let row = |(place, told): (usize, &Told<'_>)| {
        let name = wording::slice_name(told.split, &told.value.value);
        let share = wording::slice_share(told.slice, told.variant.is_some());
        let variant = told
            .variant
            .map(|(axis, name)| wording::variant(axis, name));
        let mut text = wording::slice_differs(told.slice, variant.as_deref());
        if more > 0 && place + 1 == last {
            text += &wording::more_flagged(more);
        }
        Row::new(["slice", &name, &share]).text(text)
    };
    found.iter().enumerate().map(row).collect()
}

/// Whether a figure stands, and is marked, in the table of a split that was asked for.
fn in_table(split: &Split, value: &SplitValue, variant: Option<Variant<'_>>) -> bool {
    let listed = || shown(split).iter().any(|shown| shown.value == value.value);
    let column = variant.is_none_or(|variant| columns(split).contains(&variant));
    split.kind == SplitKind::Field && column && listed()
}

/// Whether the other one of two values says the same with a worse share: more flips, or fewer right answers.
fn is_mirror(
    split: &Split,
    value: &SplitValue,
    variant: Option<Variant<'_>>,
    slice: &Slice,
) -> bool {
    let (2, 0) = (split.values.len(), split.values_left_out) else {
        return false;
    };
    let other = split
        .values
        .iter()
        .filter(|other| other.value != value.value)
        .flat_map(figures)
        .find(|(other, _)| *other == variant);
    let Some((_, other)) = other else {
        return false;
    };
    let (own, other) = (slice.rate.unwrap_or(0.0), other.rate.unwrap_or(0.0));
    if variant.is_some() {
        own < other
    } else {
        own > other
    }
}

/// A row per value: fit and a few variants.
fn compact(summary: &Summary, split: &Split, style: &Style) -> String {
    let labelled = split.values.iter().any(|value| value.fit.is_some());
    let columns = columns(split);
    let heading = wording::split_name(split);
    let mut header = vec![heading.as_str(), "cases"];
    header.extend(labelled.then_some("right"));
    let flips: Vec<String> = columns.iter().map(|variant| flipped(*variant)).collect();
    header.extend(flips.iter().map(String::as_str));
    let hidden = wording::Hidden {
        values: split.values.len().saturating_sub(VALUES) as u64,
        variants: (variants(split).len() - columns.len()) as u64,
    };
    let shown = shown(split);
    let mut marked = false;
    let mut rows = Vec::new();
    for value in shown {
        let mut cell = |slice: Option<&Slice>| match slice {
            None => "-".to_owned(),
            Some(slice) => {
                marked |= slice.flagged;
                let mark = if slice.flagged { " *" } else { "" };
                wording::slice_cell(slice) + mark
            }
        };
        let mut row = vec![wording::name(&value.value), wording::count(value.cases)];
        row.extend(labelled.then(|| cell(value.fit.as_ref())));
        for column in &columns {
            let slice = figures(value).find(|(variant, _)| *variant == Some(*column));
            row.push(cell(slice.map(|(_, slice)| slice)));
        }
        rows.push(row);
    }
    let notes = wording::split_notes(&summary.splits, split, hidden, marked);
    table::render(&header, rows, style) + &lines(&notes, style)
}

/// The variants of a split.
fn variants(split: &Split) -> Vec<Variant<'_>> {
    let mut found = Vec::new();
    let all = split.values.iter().flat_map(figures);
    for variant in all.filter_map(|(variant, _)| variant) {
        if !found.contains(&variant) {
            found.push(variant);
        }
    }
    found
}

/// The variants with a column: the first, or of several axes those that flip most, in their order.
fn columns(split: &Split) -> Vec<Variant<'_>> {
    let all = variants(split);
    let mut places: Vec<usize> = (0..all.len()).collect();
    if all.iter().any(|(axis, _)| *axis != all[0].0) {
        let flips = |place: &usize| -> u64 {
            let slices = split.values.iter().flat_map(figures);
            let of = slices.filter(|(variant, _)| *variant == Some(all[*place]));
            of.map(|(_, slice)| slice.hits).sum()
        };
        places.sort_by_cached_key(|place| std::cmp::Reverse(flips(place)));
    }
    places.truncate(COLUMNS);
    places.sort_unstable();
    places.into_iter().map(|place| all[place]).collect()
}

fn flipped((axis, name): Variant<'_>) -> String {
    format!("flipped, {}", wording::variant(axis, name))
}

/// The values with most cases, in their order.
fn shown(split: &Split) -> Vec<&SplitValue> {
    let mut places: Vec<usize> = (0..split.values.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(split.values[*place].cases));
    places.truncate(VALUES);
    places.sort_unstable();
    places
        .into_iter()
        .map(|place| &split.values[place])
        .collect()
}

/// A row per value and figure, with its test.
fn all(summary: &Summary, split: &Split, style: &Style) -> String {
    let heading = wording::split_name(split);
    let mut header = vec![
        heading.as_str(),
        "cases",
        "figure",
        "share (95% CI)",
        "others",
        "p",
        "adjusted",
    ];
    let slices = split.values.iter().flat_map(figures);
    let drift = slices.filter_map(|(_, slice)| slice.drift.as_ref()).count() > 0;
    header.extend(drift.then_some("mean drift, largest"));
    let (mut rows, mut marked) = (Vec::new(), false);
    for value in &split.values {
        for (variant, slice) in figures(value) {
            marked |= slice.flagged;
            let mark = if slice.flagged { " *" } else { "" };
            let p = |p: Option<f64>| p.map_or("-".to_owned(), wording::p_value);
            let figure = variant.map_or_else(|| "right".to_owned(), flipped);
            let others = format!(
                "{}/{}",
                wording::count(slice.rest_hits),
                wording::count(slice.rest_pairs)
            );
            let mut row = vec![
                wording::name(&value.value),
                wording::count(value.cases),
                figure,
                wording::slice_cell(slice),
                others,
                p(slice.p),
                p(slice.adjusted_p) + mark,
            ];
            row.extend(drift.then(|| wording::slice_drift(slice)));
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let notes = wording::split_notes(&summary.splits, split, wording::Hidden::default(), marked);
    table::render(&header, rows, style) + &lines(&notes, style)
}

fn lines(notes: &[String], style: &Style) -> String {
    let wrapped = notes
        .iter()
        .flat_map(|note| wording::wrap(note, style.width));
    wrapped.map(|line| line + "\n").collect()
}
