//! Several models in one table.

use flipside_core::perturb::Axis;
use flipside_core::summary::{Figure, Line, Summary, Verdict};

use super::{composition, layout, lines, record, report, table};
use crate::style::Style;
use crate::wording;

/// More variants than this are cut to those that flip most.
const VARIANTS: usize = 8;
/// That many of them, and of every axis at least one.
const WORST: usize = 5;
/// Columns for the names of figures.
const NAMES: usize = 20;
/// Columns for a model: a count with its interval, such as `10/200 flipped (2.7-9.0%)`.
const MODEL: usize = 26;

/// One table of several models, then what each model's gates say; with `verbose`, each model's report after it.
///
/// Fit, flips and the control stand in rows of their own, and no row sums up others. Models that do not fit beside
/// each other follow beneath.
pub fn render_several(summaries: &[Summary], style: &Style) -> String {
    let (variants, hidden) = variants(summaries, style);
    let beside = (style.width.saturating_sub(NAMES) / MODEL).max(1);
    let mut out = String::new();
    for models in summaries.chunks(beside) {
        out += &side_by_side(models, &variants, style);
        out.push('\n');
    }
    if hidden > 0 {
        let mut axes: Vec<&str> = variants.iter().map(|(axis, _)| *axis).collect();
        axes.dedup();
        out += &wording::more_variants(hidden as u64, axes.len());
        out += "\n\n";
    }
    // The models are asked the same cases.
    let recordings = summaries.first().map(record::recordings);
    out += &layout::rows(&recordings.unwrap_or_default(), style);
    for summary in summaries {
        let mut rows = vec![layout::Row::new(["model"]).text(wording::model(&summary.model))];
        rows.extend(record::row(summary));
        out += &layout::rows(&rows, style);
        out += &lines::run(summary)
            .map(|row| layout::rows(&[row], style))
            .unwrap_or_default();
        out += &lines::gates(summary, style);
    }
    if style.verbose {
        for summary in summaries {
            out.push('\n');
            out += &report::render(summary, style);
        }
    }
    out
}

fn side_by_side(models: &[Summary], variants: &[(&str, &str)], style: &Style) -> String {
    let names: Vec<String> = models
        .iter()
        .map(|summary| wording::name(&summary.model.spec))
        .collect();
    let header: Vec<&str> = std::iter::once("95% CI in brackets")
        .chain(names.iter().map(String::as_str))
        .collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: String, cell: &dyn Fn(&Summary) -> Option<String>| {
        let cells: Vec<Option<String>> = models.iter().map(cell).collect();
        if cells.iter().any(Option::is_some) {
            rows.push(
                std::iter::once(name)
                    .chain(cells.into_iter().map(|cell| cell.unwrap_or("-".to_owned())))
                    .collect(),
            );
        }
    };
    row("fit own order".to_owned(), &|summary| {
        (summary.counts.labelled > 0).then(|| cell(&summary.fit.figure, summary.fit.right, "right"))
    });
    row("fit all orders".to_owned(), &|summary| {
        let mean = summary.order_averaged_accuracy.as_ref()?;
        Some(format!(
            "{} ({})",
            wording::mean_right(mean),
            wording::range(mean.interval)
        ))
    });
    row("  mean over".to_owned(), &|summary| {
        summary
            .order_averaged_accuracy
            .as_ref()
            .map(wording::mean_over)
    });
    for (axis, name) in variants {
        let of_whole = models.iter().find(|summary| whole(summary, axis).is_some());
        let shown = match (applies(models, axis), of_whole.zip(Axis::parse(axis))) {
            (false, _) => "-".to_owned(),
            (true, Some((summary, whole))) => composition::whole_name(summary, whole),
            (true, None) => wording::value(axis, name),
        };
        row(format!("{axis} {shown}"), &|summary| {
            let line = line(summary, axis, name)?;
            if let Some(figure) = whole(summary, axis) {
                return flips(figure);
            }
            match wording::not_applicable(line) {
                Some(_) => Some(Verdict::NotApplicable.text().to_owned()),
                None => flips(&line.figure),
            }
        });
    }
    row("same control".to_owned(), &|summary| {
        flips(&summary.control.as_ref()?.figure)
    });
    row("gates".to_owned(), &|summary| {
        let held = summary.gates.iter().filter(|gate| gate.held).count() as u64;
        Some(format!(
            "{} of {} held",
            wording::count(held),
            summary.gates.len()
        ))
    });
    row("exit".to_owned(), &|summary| Some(summary.exit.to_string()));
    table::render(&header, rows, style)
}

/// The figure over all variants of an axis that is judged as a whole.
fn whole<'a>(summary: &'a Summary, axis: &str) -> Option<&'a Figure> {
    summary.composition.as_ref()?.figure(Axis::parse(axis)?)
}

/// Whether some variant of `axis` applies to some case of some model's.
fn applies(summaries: &[Summary], axis: &str) -> bool {
    let mut lines = summaries
        .iter()
        .filter_map(|summary| summary.axes.get(axis));
    lines.any(|lines| {
        lines
            .values()
            .any(|line| wording::not_applicable(line).is_none())
    })
}

fn flips(figure: &Figure) -> Option<String> {
    Some(cell(figure, figure.flips?, "flipped"))
}

/// A count with the interval of its share, and what is missing from it or was not asked.
fn cell(figure: &Figure, hits: u64, word: &str) -> String {
    let lost: Vec<String> = [(figure.missing, "missing"), (figure.unasked, "unasked")]
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, name)| format!(", {} {name}", wording::count(*n)))
        .collect();
    let lost = lost.concat();
    match figure.interval {
        Some(interval) => {
            let share = format!(
                "{}/{} {word}",
                wording::count(hits),
                wording::count(figure.pairs)
            );
            format!("{share} ({}){lost}", wording::range(interval))
        }
        None => format!("nothing to compare{lost}"),
    }
}

/// The variants that become rows, and how many do not: all, or those that flip most on any model.
fn variants<'a>(summaries: &'a [Summary], style: &Style) -> (Vec<(&'a str, &'a str)>, usize) {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for summary in summaries {
        for (axis, lines) in &summary.axes {
            // An axis that applies to nothing, or is judged as a whole, has one row.
            let one = !applies(summaries, axis) || whole(summary, axis).is_some();
            let most = if one { 1 } else { lines.len() };
            for name in lines.keys().take(most) {
                if !found.contains(&(axis, name)) {
                    found.push((axis, name));
                }
            }
        }
    }
    if style.verbose || found.len() <= VARIANTS {
        return (found, 0);
    }
    let worst = |(axis, name): (&str, &str)| {
        let rates = summaries.iter().filter_map(|summary| {
            let line = line(summary, axis, name)?;
            whole(summary, axis).unwrap_or(&line.figure).rate
        });
        rates.fold(-1.0, f64::max)
    };
    let mut places: Vec<usize> = (0..found.len()).collect();
    // Of equals the first.
    places.sort_by(|a, b| worst(found[*b]).total_cmp(&worst(found[*a])));
    let several = found.iter().any(|(axis, _)| *axis != found[0].0);
    let mut kept: Vec<usize> = Vec::new();
    for place in &places {
        let (axis, _) = found[*place];
        let first = kept.iter().all(|known| found[*known].0 != axis);
        if several && first {
            kept.push(*place);
        }
    }
    for place in places {
        if kept.len() < WORST && !kept.contains(&place) {
            kept.push(place);
        }
    }
    if several {
        kept.sort_unstable();
    }
    let hidden = found.len() - kept.len();
    (kept.into_iter().map(|place| found[place]).collect(), hidden)
}

fn line<'a>(summary: &'a Summary, axis: &str, name: &str) -> Option<&'a Line> {
    summary.axes.get(axis)?.get(name)
}
