//! How far probabilities moved, and how much of the way to a flip that was.

use flipside_core::drift_gate::digits;
use flipside_core::summary::{DriftBin, DriftFigure, DriftQuantity, Line};
use maud::{Markup, html};

use super::chart::{Chart, table};
use super::document::Shown;
use super::svg::{self, px};
use super::value::{self, At};
use crate::wording;

/// Height of a bar with the room around it.
const BAR: f64 = 17.0;
/// Room above the bars.
const TOP: f64 = 22.0;

/// Of each axis the variant that moved probabilities most, and the first control.
pub(super) fn charts(run: &Shown<'_>) -> Vec<Chart> {
    let mut found = Vec::new();
    for (axis, lines) in &run.summary.axes {
        let measured = lines
            .iter()
            .filter_map(|(variant, line)| Some((variant, measured(line)?)));
        let bits = |drift: &DriftFigure| drift.jensen_shannon_bits.p95.unwrap_or(0.0);
        // The first of equals.
        let most = measured.reduce(|most, next| {
            if bits(next.1) > bits(most.1) {
                next
            } else {
                most
            }
        });
        found.extend(most.map(|(variant, drift)| {
            let at = run.at().of("axes").of(axis).of(variant).of("drift");
            chart(
                run,
                &format!("drift-{axis}"),
                &format!("{axis}: {}", wording::value(axis, variant)),
                drift,
                &at,
            )
        }));
    }
    let repeats = run
        .summary
        .control
        .iter()
        .flat_map(|control| &control.by_repeat);
    let mut repeats = repeats.filter_map(|(repeat, line)| Some((repeat, measured(line)?)));
    found.extend(repeats.next().map(|(repeat, drift)| {
        let at = run
            .at()
            .of("control")
            .of("by_repeat")
            .of(repeat)
            .of("drift");
        chart(run, "drift-same", "same: control", drift, &at)
    }));
    found
}

/// The drift of a line with answers that have probabilities; of one-hot replies it says no more than flips do.
fn measured(line: &Line) -> Option<&DriftFigure> {
    let drift = line.drift.as_ref()?;
    (drift.pairs > drift.one_hot && !drift.total_variation_bins.is_empty()).then_some(drift)
}

fn chart(run: &Shown<'_>, id: &str, name: &str, drift: &DriftFigure, at: &At) -> Chart {
    let reached = wording::reached(&drift.headroom);
    let headroom = match drift.headroom.pairs {
        0 => "There is no headroom: no pair has log-odds.".to_owned(),
        _ => format!(
            "Headroom {}{}.",
            wording::headroom(&drift.headroom),
            reached.map(|text| format!("; {text}")).unwrap_or_default()
        ),
    };
    let notes = wording::drift_notes(drift).map(|notes| format!(" Counted apart: {notes}."));
    let rows = drift
        .total_variation_bins
        .len()
        .max(drift.headroom.bins.len());
    #[expect(clippy::cast_precision_loss, reason = "bins are few")]
    let height = TOP + BAR * rows as f64 + 6.0;
    Chart {
        id: run.id(id),
        title: run.title(&format!("Drift, {name}")),
        says: format!(
            "Over {}: {}. {headroom}{}",
            wording::plural(drift.pairs, "pair", "pairs"),
            wording::drift_line(drift),
            notes.unwrap_or_default()
        ),
        picture: html! {
            (bars("total variation", 0.0, &drift.total_variation_bins, None))
            (bars("headroom", svg::WIDTH / 2.0, &drift.headroom.bins, Some(1.0)))
        },
        height,
        legend: "bars: pairs by size; left: half the sum of absolute changes, from 0 to 1; right: headroom, outlined where a flip was reached".to_owned(),
        table: html! { (quantities(drift, at)) (bins(drift, at)) },
    }
}

/// `0`, `under 0.001`, `0.1 to 0.2`, `1 or more`.
fn range(bin: &DriftBin) -> String {
    match bin.to {
        None => format!("{} or more", digits(bin.from)),
        Some(to) if to <= bin.from => digits(bin.from),
        Some(to) if bin.from <= 0.0 => format!("under {}", digits(to)),
        Some(to) => format!("{} to {}", digits(bin.from), digits(to)),
    }
}

/// Bars at `left`; those from `marked` on are outlined.
#[expect(clippy::cast_precision_loss, reason = "counts of a picture are small")]
fn bars(name: &str, left: f64, bins: &[DriftBin], marked: Option<f64>) -> Markup {
    let most = bins.iter().map(|bin| bin.pairs).max().unwrap_or(0).max(1) as f64;
    let (from, room) = (left + 84.0, svg::WIDTH / 2.0 - 84.0 - 38.0);
    html! {
        (svg::text("start", left + 2.0, 13.0, name))
        @for (place, bin) in bins.iter().enumerate() {
            @let y = TOP + BAR * place as f64;
            @let class = if marked.is_some_and(|least| bin.from >= least) { "bar reached" } else { "bar" };
            @let length = room * bin.pairs as f64 / most;
            (svg::text("end", from - 6.0, y + 12.0, &range(bin)))
            @if bin.pairs > 0 { rect class=(class) x=(px(from)) y=(px(y + 2.0)) width=(px(length.max(1.0))) height=(px(BAR - 4.0)) {} }
            (svg::text("start", from + length + 4.0, y + 12.0, &wording::count(bin.pairs)))
        }
    }
}

fn quantities(drift: &DriftFigure, at: &At) -> Markup {
    let all: [(&str, &str, &DriftQuantity); 6] = [
        ("total variation", "total_variation", &drift.total_variation),
        ("largest change", "largest_change", &drift.largest_change),
        ("JS bits", "jensen_shannon_bits", &drift.jensen_shannon_bits),
        (
            "JS distance",
            "jensen_shannon_distance",
            &drift.jensen_shannon_distance,
        ),
        ("log-odds, nats", "log_odds", &drift.log_odds),
        ("centred logit, nats", "centred_logit", &drift.centred_logit),
    ];
    let headroom = (&drift.headroom, at.of("headroom"));
    let rows = html! {
        @for (name, member, found) in all {
            @let at = at.of(member);
            tr {
                th scope="row" { (name) }
                (value::count(&at.of("pairs"), found.pairs))
                (value::number(&at.of("median"), found.median))
                (value::ends(&at.of("median_interval"), found.median_interval))
                (value::number(&at.of("p95"), found.p95))
                (value::ends(&at.of("p95_interval"), found.p95_interval))
                (value::number(&at.of("largest"), found.largest))
            }
        }
        tr {
            th scope="row" { "headroom" }
            (value::count(&headroom.1.of("pairs"), headroom.0.pairs))
            (value::number(&headroom.1.of("median"), headroom.0.median))
            td.n { "-" }
            (value::number(&headroom.1.of("p95"), headroom.0.p95))
            td.n { "-" }
            (value::number(&headroom.1.of("largest"), headroom.0.largest))
        }
        tr {
            th scope="row" { "headroom of 1 or more" }
            (value::count(&headroom.1.of("reached"), headroom.0.reached))
            (value::share(&headroom.1.of("reached_rate"), headroom.0.reached_rate))
            (value::interval(&headroom.1.of("reached_interval"), headroom.0.reached_interval))
            td.n colspan="3" { "pairs, share, 95 % interval" }
        }
    };
    table(
        &[
            "measure",
            "pairs",
            "median",
            "95 % interval",
            "95th percentile",
            "95 % interval",
            "largest",
        ],
        &rows,
    )
}

fn bins(drift: &DriftFigure, at: &At) -> Markup {
    let rows = |name: &str, bins: &[DriftBin], at: &At| {
        html! {
            @for (place, bin) in bins.iter().enumerate() {
                tr {
                    th scope="row" { (name) }
                    td { (range(bin)) }
                    (value::count(&at.item(place).of("pairs"), bin.pairs))
                }
            }
        }
    };
    let all = html! {
        (rows("total variation", &drift.total_variation_bins, &at.of("total_variation_bins")))
        (rows("headroom", &drift.headroom.bins, &at.of("headroom").of("bins")))
    };
    table(&["measure", "size", "pairs"], &all)
}
