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
/// The most orders in a table.
const ORDERS: usize = 3;

/// One figure of one value of a split.
struct Told<'a> {
    split: &'a Split,
    value: &'a SplitValue,
    /// The order's name; none for fit.
    order: Option<&'a str>,
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

fn figures(value: &SplitValue) -> impl Iterator<Item = (Option<&str>, &Slice)> {
    let fit = value.fit.iter().map(|slice| (None, slice));
    let orders = value.axes.values().flatten();
    fit.chain(orders.map(|(name, slice)| (Some(name.as_str()), slice)))
}

fn flagged(summary: &Summary) -> Vec<Row> {
    let mut found: Vec<Told<'_>> = Vec::new();
    for split in &summary.splits.by {
        for value in &split.values {
            let slices = figures(value).filter(|(_, slice)| slice.flagged);
            let slices = slices.filter(|(order, slice)| {
                !is_mirror(split, value, *order, slice) && !in_table(split, value, *order)
            });
            found.extend(slices.map(|(order, slice)| Told {
                split,
                value,
                order,
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
        let share = wording::slice_share(told.slice, told.order);
        let mut text = wording::slice_differs(told.slice, told.order);
        if more > 0 && place + 1 == last {
            text += &wording::more_flagged(more);
        }
        Row::new(["slice", &name, &share]).text(text)
    };
    found.iter().enumerate().map(row).collect()
}

/// Whether a figure stands, and is marked, in the table of a split that was asked for.
fn in_table(split: &Split, value: &SplitValue, order: Option<&str>) -> bool {
    let listed = || shown(split).iter().any(|shown| shown.value == value.value);
    let column =
        order.is_none_or(|order| orders(split).iter().take(ORDERS).any(|name| *name == order));
    split.kind == SplitKind::Field && column && listed()
}

/// Whether the other one of two values says the same with a worse share: more flips, or fewer right answers.
fn is_mirror(split: &Split, value: &SplitValue, order: Option<&str>, slice: &Slice) -> bool {
    let (2, 0) = (split.values.len(), split.values_left_out) else {
        return false;
    };
    let other = split
        .values
        .iter()
        .filter(|other| other.value != value.value)
        .flat_map(figures)
        .find(|(other, _)| *other == order);
    let Some((_, other)) = other else {
        return false;
    };
    let (own, other) = (slice.rate.unwrap_or(0.0), other.rate.unwrap_or(0.0));
    if order.is_some() {
        own < other
    } else {
        own > other
    }
}

/// A row per value: fit and the first orders.
fn compact(summary: &Summary, split: &Split, style: &Style) -> String {
    let labelled = split.values.iter().any(|value| value.fit.is_some());
    let orders: Vec<&str> = orders(split).into_iter().take(ORDERS).collect();
    let names: Vec<String> = orders.iter().map(|name| wording::name(name)).collect();
    let heading = wording::split_name(split);
    let mut header = vec![heading.as_str(), "cases"];
    header.extend(labelled.then_some("right"));
    let flips: Vec<String> = names
        .iter()
        .map(|name| format!("flipped, {name}"))
        .collect();
    header.extend(flips.iter().map(String::as_str));
    let hidden = split.values.len().saturating_sub(VALUES);
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
        for order in &orders {
            let slice = figures(value).find(|(name, _)| *name == Some(*order));
            row.push(cell(slice.map(|(_, slice)| slice)));
        }
        rows.push(row);
    }
    let notes = wording::split_notes(&summary.splits, split, hidden as u64, marked);
    table::render(&header, rows, style) + &lines(&notes, style)
}

/// The names of the orders of a split.
fn orders(split: &Split) -> Vec<&str> {
    let mut names = Vec::new();
    for name in split
        .values
        .iter()
        .flat_map(figures)
        .filter_map(|(name, _)| name)
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
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
    let header = [
        &heading,
        "cases",
        "figure",
        "share (95% CI)",
        "others",
        "p",
        "adjusted",
    ];
    let (mut rows, mut marked) = (Vec::new(), false);
    for value in &split.values {
        for (order, slice) in figures(value) {
            marked |= slice.flagged;
            let mark = if slice.flagged { " *" } else { "" };
            let p = |p: Option<f64>| p.map_or("-".to_owned(), wording::p_value);
            let figure = match order {
                Some(order) => format!("flipped, {}", wording::name(order)),
                None => "right".to_owned(),
            };
            let others = format!(
                "{}/{}",
                wording::count(slice.rest_hits),
                wording::count(slice.rest_pairs)
            );
            rows.push(vec![
                wording::name(&value.value),
                wording::count(value.cases),
                figure,
                wording::slice_cell(slice),
                others,
                p(slice.p),
                p(slice.adjusted_p) + mark,
            ]);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let notes = wording::split_notes(&summary.splits, split, 0, marked);
    table::render(&header, rows, style) + &lines(&notes, style)
}

fn lines(notes: &[String], style: &Style) -> String {
    let wrapped = notes
        .iter()
        .flat_map(|note| wording::wrap(note, style.width));
    wrapped.map(|line| line + "\n").collect()
}
