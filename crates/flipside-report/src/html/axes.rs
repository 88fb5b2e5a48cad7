//! Dots and whiskers: what each change flips, against its limit and against the control.

use flipside_core::perturb::Axis;
use flipside_core::summary::{Figure, Summary, Verdict};
use maud::{Markup, html};

use super::chart::{Chart, table};
use super::document::Shown;
use super::svg::{self, Scale, Sign, px};
use super::value::{self, At};
use crate::wording;

/// Rows of a picture; the table has all.
const ROWS: usize = 24;
/// Height of a row.
const ROW: f64 = 34.0;
/// Room above the rows.
const TOP: f64 = 8.0;

/// One line of flips.
struct Dot<'a> {
    name: String,
    figure: &'a Figure,
    at: At,
    control: bool,
}

fn dots<'a>(summary: &'a Summary, at: &At) -> Vec<Dot<'a>> {
    let mut dots = Vec::new();
    for (axis, lines) in &summary.axes {
        for (variant, line) in lines {
            dots.push(Dot {
                name: format!("{axis}: {}", wording::value(axis, variant)),
                figure: &line.figure,
                at: at.of("axes").of(axis).of(variant),
                control: false,
            });
        }
        let whole = summary.composition.as_ref().zip(Axis::parse(axis));
        if let Some(figure) = whole.and_then(|(found, axis)| found.figure(axis)) {
            dots.push(Dot {
                name: format!("{axis}: all together"),
                figure,
                at: at.of("composition").of(axis),
                control: false,
            });
        }
    }
    if let Some(control) = &summary.control {
        dots.push(Dot {
            name: "same: control".to_owned(),
            figure: &control.figure,
            at: at.of("control"),
            control: true,
        });
    }
    dots
}

fn sign(dot: &Dot<'_>) -> Sign {
    let verdict = &dot.figure.verdict;
    match verdict {
        _ if dot.control => Sign::Control,
        Verdict::NoGate => Sign::Plain,
        verdict if verdict.holds() => Sign::Held,
        verdict if verdict.is_sensitive() => Sign::Broken,
        Verdict::Noisy | Verdict::OverLimit => Sign::Broken,
        _ => Sign::Open,
    }
}

/// The chart of a run; none where only the own order was asked.
pub(super) fn charts(run: &Shown<'_>) -> Vec<Chart> {
    let all = dots(run.summary, &run.at());
    if all.is_empty() {
        return Vec::new();
    }
    let drawn = drawn(&all);
    let says = says(&all, drawn.len());
    let (picture, height) = picture(&drawn, run.summary);
    vec![Chart {
        id: run.id("axes-chart"),
        title: run.title("Flips of each change"),
        says,
        picture,
        height,
        legend: legend(&drawn, run.summary),
        table: figures(&all),
    }]
}

/// What the picture shows: of many variants those that flip most, in their order, and always the control.
fn drawn<'d, 'a>(all: &'d [Dot<'a>]) -> Vec<&'d Dot<'a>> {
    let rate = |place: &usize| all[*place].figure.rate.unwrap_or(-1.0);
    let mut places: Vec<usize> = (0..all.len()).collect();
    places.retain(|place| all[*place].figure.rate.is_some());
    // A stable sort: of equals the first stay.
    places.sort_by(|a, b| {
        let control = |place: &usize| all[*place].control;
        control(b)
            .cmp(&control(a))
            .then(rate(b).total_cmp(&rate(a)))
    });
    places.truncate(ROWS);
    places.sort_unstable();
    places.into_iter().map(|place| &all[place]).collect()
}

fn says(all: &[Dot<'_>], drawn: usize) -> String {
    let measured = all.iter().filter(|dot| dot.figure.rate.is_some());
    let each = measured.take(ROWS).map(|dot| {
        let figure = dot.figure;
        let interval = figure.interval.map(wording::range);
        let interval = interval.map_or(String::new(), |range| format!(" (95% CI {range})"));
        let limit = figure
            .limit
            .map(|limit| format!(", limit {}", wording::limit(limit)));
        format!(
            "{}: {}{interval}{}",
            dot.name,
            wording::flipped(figure),
            limit.unwrap_or_default()
        )
    });
    let each: Vec<String> = each.collect();
    let left = all.iter().filter(|dot| dot.figure.rate.is_some()).count() - drawn;
    let more = match left {
        0 => String::new(),
        n => format!(
            " The picture leaves out {} that flip no more; the table has them.",
            wording::plural(n as u64, "variant", "variants")
        ),
    };
    if each.is_empty() {
        return "Nothing could be compared.".to_owned();
    }
    format!("{}.{more}", each.join("; "))
}

fn picture(drawn: &[&Dot<'_>], summary: &Summary) -> (Markup, f64) {
    let largest = drawn.iter().flat_map(|dot| {
        let figure = dot.figure;
        [
            figure.rate,
            figure.interval.map(|ends| ends[1]),
            figure.limit,
        ]
    });
    let most = svg::end(largest.flatten().fold(0.0, f64::max));
    let scale = Scale {
        from: 12.0,
        to: svg::WIDTH - 12.0,
        most,
    };
    #[expect(clippy::cast_precision_loss, reason = "rows are few")]
    let bottom = TOP + ROW * drawn.len() as f64;
    let control = summary.control.as_ref();
    let band = control.and_then(|control| control.figure.interval);
    let picture = html! {
        @if let Some([lower, upper]) = band {
            rect.band x=(px(scale.at(lower))) y=(px(TOP)) width=(px(scale.at(upper) - scale.at(lower))) height=(px(bottom - TOP)) {}
        }
        @for (place, dot) in drawn.iter().enumerate() { (row(dot, place, &scale)) }
        (svg::line("axis", [scale.from, bottom], [scale.to, bottom]))
        @for (part, anchor) in [(0.0, "start"), (0.25, "middle"), (0.5, "middle"), (0.75, "middle"), (1.0, "end")] {
            (svg::line("axis", [scale.at(part * most), bottom], [scale.at(part * most), bottom + 4.0]))
            (svg::text(anchor, scale.at(part * most), bottom + 16.0, &wording::limit(part * most)))
        }
    };
    (picture, bottom + 22.0)
}

fn row(dot: &Dot<'_>, place: usize, scale: &Scale) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "rows are few")]
    let top = TOP + ROW * place as f64;
    let y = top + 24.0;
    let figure = dot.figure;
    let share = figure.rate.map_or(String::new(), wording::percent);
    html! {
        (svg::text("start", scale.from, top + 12.0, &wording::case_name(&dot.name, 34)))
        (svg::text("end", scale.to, top + 12.0, &format!("{} {share}", wording::flipped(figure))))
        (svg::line("rail", [scale.from, y], [scale.to, y]))
        @if let Some(limit) = figure.limit { (svg::line("limit", [scale.at(limit), top + 15.0], [scale.at(limit), top + ROW - 1.0])) }
        @if let Some(interval) = figure.interval { (svg::whisker(scale, interval, y)) }
        @if let Some(rate) = figure.rate { (svg::sign(sign(dot), scale.at(rate), y)) }
    }
}

fn legend(drawn: &[&Dot<'_>], summary: &Summary) -> String {
    let signs = [
        Sign::Held,
        Sign::Broken,
        Sign::Open,
        Sign::Plain,
        Sign::Control,
    ];
    let used = signs
        .into_iter()
        .filter(|known| drawn.iter().any(|dot| sign(dot) == *known));
    let mut parts: Vec<String> = used.map(|sign| sign.name().to_owned()).collect();
    if drawn.iter().any(|dot| dot.figure.limit.is_some()) {
        parts.push("dashed upright line: limit".to_owned());
    }
    if summary
        .control
        .as_ref()
        .is_some_and(|control| control.figure.interval.is_some())
    {
        parts.push("shaded: the control's interval".to_owned());
    }
    parts.join("; ")
}

fn figures(all: &[Dot<'_>]) -> Markup {
    let head = [
        "change",
        "flips",
        "of",
        "share",
        "95 % interval",
        "at least",
        "at most",
        "limit",
        "verdict",
        "missing",
        "unasked",
        "no decision",
    ];
    let rows = html! {
        @for dot in all {
            tr {
                th scope="row" { (wording::foreign(&dot.name)) }
                (value::some_count(&dot.at.of("flips"), dot.figure.flips))
                (value::count(&dot.at.of("pairs"), dot.figure.pairs))
                (value::share(&dot.at.of("rate"), dot.figure.rate))
                (value::interval(&dot.at.of("interval"), dot.figure.interval))
                (value::share(&dot.at.of("lower"), dot.figure.lower))
                (value::share(&dot.at.of("upper"), dot.figure.upper))
                (value::cell(&dot.at.of("limit"), &dot.figure.limit, &dot.figure.limit.map_or("-".to_owned(), wording::limit)))
                (value::cell(&dot.at.of("verdict"), &dot.figure.verdict, dot.figure.verdict.text()))
                (value::count(&dot.at.of("missing"), dot.figure.missing))
                (value::count(&dot.at.of("unasked"), dot.figure.unasked))
                (value::count(&dot.at.of("no_decision"), dot.figure.no_decision))
            }
        }
    };
    table(&head, &rows)
}
