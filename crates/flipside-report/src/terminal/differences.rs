//! What differs between two answer sets: distances, cases by name, other axes, parts of the cases.

use flipside_core::compare::{
    AxisComparison, Change, Comparison, FieldComparison, OrderComparison, ValueComparison,
};

use super::compare::{differing, name};
use super::layout::{self, Row};
use super::table;
use crate::style::Style;
use crate::wording;

/// Cases of each kind that are listed without `--verbose`.
const CASES: usize = 10;
/// Other axes' variants that are listed without it, and values of a field, and other orders of one.
const VARIANTS: usize = 4;
const VALUES: usize = 8;
const ORDERS: usize = 3;

/// How far the two are apart: the own order in one line; with `verbose` every order and measure.
pub(super) fn apart(orders: &[(&str, &OrderComparison)], style: &Style) -> Vec<Row> {
    let mut rows = Vec::new();
    let shown = if style.verbose { orders.len() } else { 1 };
    for (order, figures) in orders.iter().take(shown) {
        let drift = &figures.drift;
        if !style.verbose || wording::apart_reason(drift).is_some() {
            let measure = if drift.reason.is_some() {
                ""
            } else {
                "total variation"
            };
            let row = Row::new(["apart", &name(order), measure]);
            rows.push(row.text(wording::apart(drift)));
            continue;
        }
        for (measure, spread) in [
            ("total variation", &drift.total_variation),
            ("largest |dp|", &drift.largest_change),
            ("JS bits", &drift.jensen_shannon_bits),
        ] {
            let row = Row::new(["apart", &name(order), measure]);
            let largest = wording::largest_between(spread);
            let largest = largest.map(|largest| format!(", largest {largest}"));
            rows.push(row.text(wording::spread_between(spread) + &largest.unwrap_or_default()));
        }
        let notes = wording::apart_notes(drift).join("; ");
        if !notes.is_empty() {
            rows.push(Row::new(["apart", &name(order), "but"]).text(notes));
        }
    }
    rows
}

/// The cases whose answers differ, those that regressed first: of the own order, with `verbose` of every order.
pub(super) fn cases(orders: &[(&str, &OrderComparison)], style: &Style) -> Vec<Row> {
    let mut rows = Vec::new();
    let shown = if style.verbose { orders.len() } else { 1 };
    let most = if style.verbose { usize::MAX } else { CASES };
    for (order, figures) in orders.iter().take(shown) {
        let found = &figures.cases;
        let lists: [(&str, Vec<&Change>); 3] = [
            ("regressed", found.regressed.iter().collect()),
            ("repaired", found.repaired.iter().collect()),
            ("changed", found.lateral().collect()),
        ];
        for (kind, changes) in lists {
            if changes.is_empty() {
                continue;
            }
            let cases = wording::plural(changes.len() as u64, "case", "cases");
            let row = Row::new([kind, &name(order), &cases]);
            rows.push(row.text(wording::changed_cases(&changes, most)));
        }
    }
    rows
}

/// Other axes and the control: a row per variant, and what is not compared.
pub(super) fn axes(comparison: &Comparison, style: &Style) -> Vec<Row> {
    let mut variants: Vec<(&String, &AxisComparison)> = comparison.axes.iter().collect();
    let mut hidden = 0;
    if !style.verbose && variants.len() > VARIANTS {
        let differs = |line: &AxisComparison| line.flips.difference.map_or(-1.0, f64::abs);
        variants.sort_by(|(_, a), (_, b)| differs(b).total_cmp(&differs(a)));
        hidden = variants.split_off(VARIANTS).len();
    }
    let mut rows = Vec::new();
    for (variant, line) in variants {
        let variant = wording::name(variant);
        let (share, rest) = differing(&line.answers);
        rows.push(Row::new(["answers", &variant, &share]).text(rest));
        let shares = wording::shares(&line.flips.baseline, &line.flips.variant, "flipped");
        let mut parts = vec![wording::difference(&line.flips, comparison.alpha)];
        if line.chose_left_out > 0 {
            let cases = wording::plural(line.chose_left_out, "case", "cases");
            parts.push(format!("{cases} whose choice is left out"));
        }
        let text = parts.join(", ");
        rows.push(Row::new(["flips", &variant, &shares]).text(text));
    }
    if hidden > 0 {
        let more = wording::plural(hidden as u64, "more variant", "more variants");
        let text = format!("and {more} whose flips differ no more; --verbose lists them");
        rows.push(Row::new(["axes"]).text(text));
    }
    for left in &comparison.axes_left_out {
        rows.push(Row::new(["axes", "left out"]).text(wording::axis_left_out(left)));
    }
    rows
}

/// The parts of the cases: a table per field.
pub(super) fn parts(comparison: &Comparison, style: &Style) -> String {
    let fields = comparison.by.fields.iter();
    fields.map(|field| part(comparison, field, style)).collect()
}

fn part(comparison: &Comparison, field: &FieldComparison, style: &Style) -> String {
    let shown = if style.verbose { usize::MAX } else { VALUES };
    let mut places: Vec<usize> = (0..field.values.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(field.values[*place].cases));
    places.truncate(shown);
    places.sort_unstable();
    let values: Vec<&ValueComparison> = places.iter().map(|place| &field.values[*place]).collect();
    let labelled = field.values.iter().any(|value| value.accuracy.is_some());
    let most = if style.verbose { usize::MAX } else { ORDERS };
    let orders: Vec<&String> = comparison.orders.keys().skip(1).take(most).collect();
    let heading = wording::name(&field.field);
    let mut header = vec![heading, "cases".to_owned(), "answers".to_owned()];
    header.extend(labelled.then(|| "right".to_owned()));
    header.extend(
        orders
            .iter()
            .map(|order| format!("flipped, {}", wording::name(order))),
    );
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let row = |value: &&ValueComparison| {
        let none = || "-".to_owned();
        let mut row = vec![wording::part_name(value), wording::count(value.cases)];
        row.push(differing(&value.answers).0);
        if labelled {
            row.push(value.accuracy.as_ref().map_or_else(none, wording::tested));
        }
        for order in &orders {
            let flips = value.orders.get(*order).map(|order| &order.flips);
            row.push(flips.map_or_else(none, wording::tested));
        }
        row
    };
    let rows = values.iter().map(row).collect();
    let hidden = (field.values.len() - values.len()) as u64;
    let mut notes = wording::part_notes(&comparison.by, field, hidden);
    let more = comparison.orders.len() - 1 - orders.len();
    if more > 0 {
        let orders = wording::plural(more as u64, "more order", "more orders");
        notes.insert(0, format!("and {orders}; --verbose lists them"));
    }
    let notes: Vec<Row> = notes.iter().map(|note| Row::new([]).text(note)).collect();
    table::render(&header, rows, style) + &layout::rows(&notes, style) + "\n"
}
