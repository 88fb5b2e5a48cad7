//! Recall by the position of the accepted option.

use flipside_core::summary::{PositionPreference, PositionRecall};
use maud::{Markup, html};

use super::chart::{Chart, table};
use super::document::Shown;
use super::svg::{self, Scale, Sign};
use super::value::{self, At};
use crate::wording;

/// Height of the picture.
const HEIGHT: f64 = 190.0;
/// Where the first position stands.
const LEFT: f64 = 52.0;

/// A chart for each number of options.
pub(super) fn charts(run: &Shown<'_>) -> Vec<Chart> {
    let Some(found) = &run.summary.position else {
        return Vec::new();
    };
    let groups = found.by_options.iter().enumerate();
    let drawn = groups.filter(|(_, group)| !group.recall_all_orders.recalls.is_empty());
    drawn
        .map(|(place, group)| chart(run, place, group))
        .collect()
}

fn chart(run: &Shown<'_>, place: usize, group: &PositionPreference) -> Chart {
    let at = run.at().of("position").of("by_options").item(place);
    let options = wording::plural(group.options, "option", "options");
    let own = if group.recall.recalls.is_empty() {
        String::new()
    } else {
        format!(
            "In the own order: {}. ",
            wording::position::recall(&group.recall)
        )
    };
    let intervals = !group.recall.recall_intervals.is_empty();
    Chart {
        id: run.id(&format!("recall-{}", group.options)),
        title: run.title(&format!("Recall by position, {options}")),
        says: format!(
            "{own}In all orders: {}.",
            wording::position::recall(&group.recall_all_orders)
        ),
        picture: picture(group),
        height: HEIGHT,
        legend: format!(
            "full circle: own order{}; empty square: all orders asked, whose answers of one case depend on each other",
            if intervals {
                ", with its 95 % interval"
            } else {
                ""
            }
        ),
        table: html! {
            (figures(&at.of("recall"), "own order", &group.recall))
            (figures(&at.of("recall_all_orders"), "all orders", &group.recall_all_orders))
        },
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a picture are small")]
fn picture(group: &PositionPreference) -> Markup {
    let scale = Scale {
        from: HEIGHT - 28.0,
        to: 10.0,
        most: 1.0,
    };
    let step = (svg::WIDTH - LEFT - 8.0) / group.options as f64;
    let x = |place: usize| LEFT + step * (place as f64 + 0.5);
    let apart = (step / 4.0).min(7.0);
    let all: Vec<usize> = (0..group.recall_all_orders.recalls.len()).collect();
    let last = all.len().saturating_sub(1);
    let named = |place: usize| all.len() <= 16 || place == 0 || place == last;
    html! {
        @for part in [0.0, 0.5, 1.0] {
            (svg::line("rail", [LEFT, scale.at(part)], [svg::WIDTH - 8.0, scale.at(part)]))
            (svg::text("end", LEFT - 6.0, scale.at(part) + 4.0, &wording::limit(part)))
        }
        @for place in all.iter().copied() {
            @if named(place) { (svg::text("middle", x(place), HEIGHT - 8.0, &wording::ordinal(place as u64 + 1))) }
            @if let Some(Some(ends)) = group.recall.recall_intervals.get(place) { (svg::upright(&scale, *ends, x(place) - apart)) }
            @if let Some(Some(recall)) = group.recall.recalls.get(place) { (svg::sign(Sign::Held, x(place) - apart, scale.at(*recall))) }
            @if let Some(Some(recall)) = group.recall_all_orders.recalls.get(place) { (svg::sign(Sign::Open, x(place) + apart, scale.at(*recall))) }
        }
    }
}

fn figures(at: &At, of: &str, recall: &PositionRecall) -> Markup {
    let rows = html! {
        @for (place, share) in recall.recalls.iter().enumerate() {
            tr {
                th scope="row" { (of) ", " (wording::ordinal(place as u64 + 1)) }
                (value::share(&at.of("recalls").item(place), *share))
                @match recall.recall_intervals.get(place) {
                    Some(ends) => (value::interval(&at.of("recall_intervals").item(place), *ends)),
                    None => td.n { "-" },
                }
                (value::cell(&at.of("table").item(place).item(place), &recall.table[place][place], &wording::count(recall.table[place][place])))
                td.n { (wording::count(recall.table[place].iter().sum())) }
            }
        }
    };
    table(
        &[
            "accepted option at",
            "recall",
            "95 % interval",
            "right",
            "of",
        ],
        &rows,
    )
}
