//! Slopes: accuracy in the own order and in each other one.

use flipside_core::perturb::Axis;
use flipside_core::summary::Accuracy;
use maud::{Markup, html};

use super::chart::{Chart, table};
use super::document::Shown;
use super::svg::{self, Scale, Sign};
use super::value::{self, At};
use crate::wording;

/// Height of the picture.
const HEIGHT: f64 = 220.0;
/// Orders with a name in the picture.
const NAMED: usize = 8;
/// The least room between two names.
const ROOM: f64 = 13.0;

/// One order beside the own one.
struct Slope<'a> {
    name: String,
    accuracy: &'a Accuracy,
    at: At,
}

impl Slope<'_> {
    #[expect(clippy::cast_precision_loss, reason = "counts of a picture are small")]
    fn own(&self) -> f64 {
        self.accuracy.own_right as f64 / (self.accuracy.of.max(1)) as f64
    }
}

/// The chart of a run; none without labels or another order.
pub(super) fn charts(run: &Shown<'_>) -> Vec<Chart> {
    let orders = run.summary.axes.get(Axis::Order.name());
    let slopes: Vec<Slope<'_>> = (orders.into_iter().flatten())
        .filter_map(|(variant, line)| {
            Some(Slope {
                name: wording::value(Axis::Order.name(), variant),
                accuracy: line.accuracy.as_ref().filter(|accuracy| accuracy.of > 0)?,
                at: run
                    .at()
                    .of("axes")
                    .of(Axis::Order.name())
                    .of(variant)
                    .of("accuracy"),
            })
        })
        .collect();
    if slopes.is_empty() {
        return Vec::new();
    }
    let mut named: Vec<&Slope<'_>> = slopes.iter().collect();
    // Those that move accuracy most.
    named.sort_by(|a, b| {
        b.accuracy
            .difference
            .abs()
            .total_cmp(&a.accuracy.difference.abs())
    });
    named.truncate(NAMED);
    let says = named.iter().map(|slope| {
        let accuracy = slope.accuracy;
        format!(
            "{}: {} of {} right, {} of them in the own order, {}",
            slope.name,
            wording::count(accuracy.right),
            wording::count(accuracy.of),
            wording::count(accuracy.own_right),
            wording::mcnemar(accuracy)
        )
    });
    let mut says = says.collect::<Vec<_>>().join("; ") + ".";
    if slopes.len() > named.len() {
        says += " The table has the other orders, none of which moves accuracy more.";
    }
    vec![Chart {
        id: run.id("accuracy-chart"),
        title: run.title("Accuracy by order"),
        says,
        picture: picture(&slopes, &named),
        height: HEIGHT,
        legend: "left: own order; right: the other order, with its 95 % interval; empty square: the interval of the paired difference excludes 0".to_owned(),
        table: figures(&slopes),
    }]
}

fn differs(accuracy: &Accuracy) -> bool {
    let [lower, upper] = accuracy.difference_interval;
    lower > 0.0 || upper < 0.0
}

fn picture(slopes: &[Slope<'_>], named: &[&Slope<'_>]) -> Markup {
    let scale = Scale {
        from: HEIGHT - 28.0,
        to: 14.0,
        most: 1.0,
    };
    let (left, right) = (110.0, 250.0);
    html! {
        @for part in [0.0, 0.5, 1.0] {
            (svg::line("rail", [40.0, scale.at(part)], [right + 12.0, scale.at(part)]))
            (svg::text("end", 36.0, scale.at(part) + 4.0, &wording::limit(part)))
        }
        (svg::text("middle", left, HEIGHT - 8.0, "own order"))
        (svg::text("middle", right, HEIGHT - 8.0, "other order"))
        @for slope in slopes {
            @let y = [scale.at(slope.own()), scale.at(slope.accuracy.rate)];
            (svg::line("slope", [left, y[0]], [right, y[1]]))
            (svg::sign(Sign::Held, left, y[0]))
            @if slopes.len() <= NAMED { (svg::upright(&scale, slope.accuracy.interval, right)) }
            (svg::sign(if differs(slope.accuracy) { Sign::Open } else { Sign::Held }, right, y[1]))
        }
        @for (slope, y) in apart(named, &scale) {
            (svg::text("start", right + 16.0, y + 4.0, &format!("{} {}", wording::case_name(&slope.name, 14), wording::percent(slope.accuracy.rate))))
        }
    }
}

/// The names with their heights, far enough apart to be read.
fn apart<'a, 's>(named: &[&'a Slope<'s>], scale: &Scale) -> Vec<(&'a Slope<'s>, f64)> {
    let mut placed: Vec<(&Slope<'_>, f64)> = (named.iter())
        .map(|slope| (*slope, scale.at(slope.accuracy.rate)))
        .collect();
    placed.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut above = f64::NEG_INFINITY;
    for (_, y) in &mut placed {
        *y = y.max(above + ROOM);
        above = *y;
    }
    // What was pushed below the picture goes up again.
    let mut below = HEIGHT - 28.0 + ROOM;
    for (_, y) in placed.iter_mut().rev() {
        *y = y.min(below - ROOM);
        below = *y;
    }
    placed
}

fn figures(slopes: &[Slope<'_>]) -> Markup {
    let head = [
        "order",
        "right",
        "of",
        "share",
        "95 % interval",
        "right in the own order",
        "difference",
        "its 95 % interval",
        "p",
    ];
    let rows = html! {
        @for slope in slopes {
            @let accuracy = slope.accuracy;
            tr {
                th scope="row" { (slope.name) }
                (value::count(&slope.at.of("right"), accuracy.right))
                (value::count(&slope.at.of("of"), accuracy.of))
                (value::share(&slope.at.of("rate"), Some(accuracy.rate)))
                (value::interval(&slope.at.of("interval"), Some(accuracy.interval)))
                (value::count(&slope.at.of("own_right"), accuracy.own_right))
                (value::cell(&slope.at.of("difference"), &accuracy.difference, &wording::points(accuracy.difference)))
                (value::cell(&slope.at.of("difference_interval"), &accuracy.difference_interval, &accuracy.difference_interval.map(wording::points).join(" to ")))
                (value::p(&slope.at.of("mcnemar_p"), accuracy.mcnemar_p))
            }
        }
    };
    table(&head, &rows)
}
