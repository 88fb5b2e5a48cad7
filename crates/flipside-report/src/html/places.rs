//! A grid of positions by options: which option was chosen in which place.

use flipside_core::summary::{PlaceCell, PositionPreference, Summary};
use maud::{Markup, html};

use super::chart::{Chart, table};
use super::document::Shown;
use super::svg::{self, px};
use super::value;
use crate::wording;

/// Room for the names of positions.
const LEFT: f64 = 44.0;
/// Room for the names of options.
const TOP: f64 = 30.0;
/// The widest cell.
const WIDEST: f64 = 56.0;
/// Up to here every position and option has its name, and every cell its counts.
const NAMED: u64 = 6;
/// Rows of a table; from more cells on only those that were chosen stand in it.
const CELLS: usize = 400;

/// A grid for each number of options.
pub(super) fn charts(run: &Shown<'_>) -> Vec<Chart> {
    let Some(found) = &run.summary.position else {
        return Vec::new();
    };
    let groups = found.by_options.iter().enumerate();
    let drawn = groups.filter(|(_, group)| !group.grid.is_empty());
    drawn
        .map(|(place, group)| chart(run, place, group))
        .collect()
}

/// The keys of the options where all cases of that size list the same ones in the same order.
pub(super) fn common_keys(summary: &Summary, options: u64) -> Option<Vec<String>> {
    let mut cases = summary
        .cases
        .iter()
        .filter(|case| case.keys.len() as u64 == options && !case.unlisted);
    let first = cases.next()?;
    let alike = cases.all(|case| case.keys == first.keys);
    alike.then(|| first.keys.iter().map(|key| wording::foreign(key)).collect())
}

fn chart(run: &Shown<'_>, place: usize, group: &PositionPreference) -> Chart {
    let keys = common_keys(run.summary, group.options);
    let options = wording::plural(group.options, "option", "options");
    let says = format!(
        "{}. {}.{}",
        wording::position::chosen(group),
        wording::position::preference(group, false),
        match &keys {
            Some(_) => "",
            None =>
                " Options go by their place in each case's own list, since the cases list different ones.",
        }
    );
    let (picture, height) = picture(group);
    let named = match &keys {
        Some(keys) if group.options <= NAMED => {
            let each = keys
                .iter()
                .enumerate()
                .map(|(place, key)| format!("{} {key}", place + 1));
            format!("; options: {}", each.collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    };
    Chart {
        id: run.id(&format!("places-{}", group.options)),
        title: run.title(&format!("Positions by options, {options}")),
        says,
        picture,
        height,
        legend: format!(
            "rows: position, first on top; columns: option, by its place in the own order; the larger and darker the square, the more often \
             the option was chosen while it stood there; empty: never{named}"
        ),
        table: figures(run, place, group, keys.as_deref()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a picture are small")]
fn picture(group: &PositionPreference) -> (Markup, f64) {
    let n = group.options as f64;
    let size = ((svg::WIDTH - LEFT - 8.0) / n).min(WIDEST);
    let named = group.options <= NAMED;
    let side = size * n;
    // A name for each, or for the first and the last.
    let names = |n: u64| {
        if n <= 20 {
            (0..n).collect()
        } else {
            vec![0, n - 1]
        }
    };
    let picture = html! {
        (svg::text("start", 0.0, 12.0, "position"))
        (svg::text("end", LEFT + side, 12.0, "option"))
        @for option in names(group.options) {
            (svg::text("middle", LEFT + size * (option as f64 + 0.5), TOP - 5.0, &(option + 1).to_string()))
        }
        @for place in names(group.options) {
            (svg::text("end", LEFT - 5.0, TOP + size * (place as f64 + 0.5) + 4.0, &wording::ordinal(place + 1)))
        }
        rect.frame x=(px(LEFT)) y=(px(TOP)) width=(px(side)) height=(px(side)) {}
        @for cell in &group.grid {
            (square(cell, size, named))
        }
    };
    (picture, TOP + side + 8.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of a picture are small")]
fn square(cell: &PlaceCell, size: f64, named: bool) -> Markup {
    let (x, y) = (
        LEFT + size * f64::from(cell.option),
        TOP + size * f64::from(cell.position),
    );
    let part = if cell.shown == 0 {
        0.0
    } else {
        cell.chosen as f64 / cell.shown as f64
    };
    let inner = (size - 2.0).max(1.0) * part.sqrt();
    let (left, top) = (x + (size - inner) / 2.0, y + (size - inner) / 2.0);
    let ratio = format!(
        "{}/{}",
        wording::count(cell.chosen),
        wording::count(cell.shown)
    );
    html! {
        @if cell.chosen > 0 {
            rect.heat x=(px(left)) y=(px(top)) width=(px(inner)) height=(px(inner)) fill-opacity=(px(0.35 + 0.65 * part)) {}
        }
        @if named {
            text.count text-anchor="middle" x=(px(x + size / 2.0)) y=(px(y + size / 2.0 + 4.0)) { (ratio) }
        }
    }
}

fn figures(
    run: &Shown<'_>,
    place: usize,
    group: &PositionPreference,
    keys: Option<&[String]>,
) -> Markup {
    let at = run
        .at()
        .of("position")
        .of("by_options")
        .item(place)
        .of("grid");
    let all = group.grid.len() <= CELLS;
    let cells: Vec<_> = (group.grid.iter().enumerate())
        .filter(|(_, cell)| all || cell.chosen > 0)
        .collect();
    let name = |option: u16| match keys {
        Some(keys) => keys.get(usize::from(option)).cloned().unwrap_or_default(),
        None => format!("option {}", u32::from(option) + 1),
    };
    let rows = html! {
        @for (item, cell) in &cells {
            tr {
                th scope="row" { (wording::ordinal(u64::from(cell.position) + 1)) }
                td { bdi { (name(cell.option)) } }
                (value::count(&at.item(*item).of("chosen"), cell.chosen))
                (value::count(&at.item(*item).of("shown"), cell.shown))
            }
        }
    };
    html! {
        @if !all { p { "Places where nothing was chosen are left out; " code { "summary.json" } " has them." } }
        (table(&["position", "option", "chosen", "times shown there"], &rows))
    }
}
