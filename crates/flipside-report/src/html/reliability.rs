//! Reliability: confidence against the share of right answers, by order.

use flipside_core::summary::{Calibrated, Drawn};
use maud::{Markup, html};

use super::chart::{Chart, table};
use super::document::Shown;
use super::svg::{self, Scale, Sign, px};
use super::value::{self, At};
use crate::wording;

/// Orders with a panel; the table has all that the summary lists.
const PANELS: usize = 6;
/// Panels in a row.
const BESIDE: usize = 2;
/// Side of a panel with the room around it.
const PANEL: f64 = svg::WIDTH / 2.0;

/// The chart of a run; none without labels and probabilities in several orders.
pub(super) fn charts(run: &Shown<'_>) -> Vec<Chart> {
    let Some(orders) = &run.summary.orders else {
        return Vec::new();
    };
    let found = &orders.calibration;
    let at = run.at().of("orders").of("calibration");
    let all: Vec<(&Calibrated, At)> = (found.by_order.iter().enumerate())
        .map(|(place, order)| (order, at.of("by_order").item(place)))
        .chain(found.pooled.iter().map(|pooled| (pooled, at.of("pooled"))))
        .filter(|(order, _)| !order.bins.is_empty())
        .collect();
    if all.is_empty() {
        return Vec::new();
    }
    let drawn: Vec<&Calibrated> = all.iter().map(|(order, _)| *order).take(PANELS).collect();
    let left = match all.len() - drawn.len() {
        0 => String::new(),
        n => format!(
            " The table has {}.",
            wording::plural(n as u64, "more order", "more orders")
        ),
    };
    let says: Vec<String> = drawn.iter().map(|order| says(order)).collect();
    #[expect(clippy::cast_precision_loss, reason = "panels are few")]
    let height = PANEL * drawn.len().div_ceil(BESIDE) as f64;
    vec![Chart {
        id: run.id("reliability-chart"),
        title: run.title("Reliability by order"),
        says: says.join("; ") + "." + &left,
        picture: html! { @for (place, order) in drawn.iter().enumerate() { (panel(order, place)) } },
        height,
        legend: "across: mean confidence of each tenth; up: share of right answers, with its 95 % interval where answers do not depend on each \
                 other; under the dashed line: too sure"
            .to_owned(),
        table: html! { (figures(&all)) (bins(&all)) },
    }]
}

fn says(order: &Calibrated) -> String {
    let ece = order.ece.map(|ece| {
        format!(
            ", expected calibration error {}",
            wording::percent(ece.value)
        )
    });
    format!(
        "{}: mean confidence {}, {} of {} right{}",
        wording::name(&order.order),
        wording::percent(order.mean_confidence.value),
        wording::count(order.right),
        wording::count(order.answers),
        ece.unwrap_or_default()
    )
}

#[expect(clippy::cast_precision_loss, reason = "panels are few")]
fn panel(order: &Calibrated, place: usize) -> Markup {
    let (left, top) = (
        PANEL * (place % BESIDE) as f64,
        PANEL * (place / BESIDE) as f64,
    );
    let across = Scale {
        from: left + 38.0,
        to: left + PANEL - 14.0,
        most: 1.0,
    };
    let up = Scale {
        from: top + PANEL - 26.0,
        to: top + 24.0,
        most: 1.0,
    };
    html! {
        (svg::text("start", across.from, top + 14.0, &wording::case_name(&order.order, 20)))
        rect.frame x=(px(across.from)) y=(px(up.to)) width=(px(across.to - across.from)) height=(px(up.from - up.to)) {}
        (svg::line("limit", [across.from, up.from], [across.to, up.to]))
        @for part in [0.0, 0.5, 1.0] {
            (svg::text("end", across.from - 4.0, up.at(part) + 4.0, &wording::limit(part)))
            (svg::text("middle", across.at(part), up.from + 15.0, &wording::limit(part)))
        }
        @for bin in &order.bins {
            @let x = across.at(bin.mean_confidence);
            @if let Some(ends) = bin.interval { (svg::upright(&up, ends, x)) }
            (svg::sign(Sign::Held, x, up.at(bin.rate)))
        }
    }
}

fn figures(all: &[(&Calibrated, At)]) -> Markup {
    let drawn = |at: &At, found: Option<Drawn>| {
        html! {
            (value::share(&at.of("value"), found.map(|found| found.value)))
            (value::interval(&at.of("interval"), found.and_then(|found| found.interval)))
        }
    };
    let rows = html! {
        @for (order, at) in all {
            tr {
                th scope="row" { (wording::name(&order.order)) }
                (value::count(&at.of("cases"), order.cases))
                (value::count(&at.of("answers"), order.answers))
                (value::count(&at.of("right"), order.right))
                (drawn(&at.of("mean_confidence"), Some(order.mean_confidence)))
                @match order.ece {
                    Some(ece) => (drawn(&at.of("ece"), Some(ece))),
                    None => { td.n { "-" } td.n { "-" } },
                }
                (value::number(&at.of("brier_top").of("value"), Some(order.brier_top.value)))
                (value::ends(&at.of("brier_top").of("interval"), order.brier_top.interval))
            }
        }
    };
    table(
        &[
            "order",
            "cases",
            "answers",
            "right",
            "mean confidence",
            "95 % interval",
            "calibration error",
            "95 % interval",
            "Brier of the choice",
            "95 % interval",
        ],
        &rows,
    )
}

fn bins(all: &[(&Calibrated, At)]) -> Markup {
    let rows = html! {
        @for (order, at) in all {
            @for (place, bin) in order.bins.iter().enumerate() {
                @let at = at.of("bins").item(place);
                tr {
                    th scope="row" { (wording::name(&order.order)) }
                    td.n { (wording::limit(bin.from)) " to " (wording::limit(bin.to)) }
                    (value::count(&at.of("answers"), bin.answers))
                    (value::count(&at.of("right"), bin.right))
                    (value::share(&at.of("rate"), Some(bin.rate)))
                    (value::interval(&at.of("interval"), bin.interval))
                    (value::share(&at.of("mean_confidence"), Some(bin.mean_confidence)))
                }
            }
        }
    };
    table(
        &[
            "order",
            "confidence",
            "answers",
            "right",
            "share",
            "95 % interval",
            "mean confidence",
        ],
        &rows,
    )
}
