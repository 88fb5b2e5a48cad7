//! What a fragility suite showed: one column per model, one row per figure, then the families.

use flipside_core::suite::figures::{
    SuiteFigures, SuiteFlips, SuiteModel, SuiteReport, SuiteShare,
};

use super::layout::{self, Row};
use super::lines;
use crate::style::{Style, Tone};
use crate::wording;

/// Spaces between columns.
const GAP: usize = 2;

/// The report of a suite.
///
/// Models stand beside each other as far as the terminal is wide, the others beneath. Of families the main figures, with
/// `verbose` all of them.
pub fn render_suite(report: &SuiteReport, style: &Style) -> String {
    let mut about = vec![Row::new(["suite"]).text(wording::suite_rows(&report.suite))];
    let models = report.models.iter();
    about.extend(models.map(|model| Row::new(["model"]).text(wording::suite_model(model))));
    let mut out = layout::rows(&about, style);
    for models in beside(report, style) {
        out.push('\n');
        out += &table(models, report, style);
    }
    out.push('\n');
    let notes = wording::suite_notes(report).into_iter();
    let notes: Vec<Row> = notes.map(|note| Row::new(["note"]).text(note)).collect();
    out += &layout::rows(&notes, style);
    for model in report.models.iter().filter(|model| !model.gates.is_empty()) {
        let name = wording::name(&model.name);
        out += &layout::rows(&[Row::new(["model"]).text(name)], style);
        out += &lines::gate_line(&model.gates, Some("about these rows"), model.exit, style);
    }
    out
}

/// Models in as many groups as the terminal needs.
fn beside<'a>(report: &'a SuiteReport, style: &Style) -> Vec<&'a [SuiteModel]> {
    let models = report.models.as_slice();
    let fits = |count: usize| {
        models.chunks(count).all(|models| {
            let lines = lines_of(models, report, style);
            Widths::of(models, &lines).total() <= style.width
        })
    };
    let most = (1..=models.len()).rev().find(|count| fits(*count));
    models.chunks(most.unwrap_or(1)).collect()
}

/// What a cell says: a share in its parts, or a text.
#[derive(Clone, Debug)]
enum Cell {
    Share([String; 3]),
    Text(String),
}

/// A row of the table; one without cells is a heading.
struct Line {
    name: String,
    cells: Vec<Cell>,
}

/// Columns of the names, and of each model: counts, shares, and the whole.
struct Widths {
    names: usize,
    models: Vec<[usize; 3]>,
}

impl Widths {
    fn of(models: &[SuiteModel], lines: &[Line]) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(wording::width).max();
        let mut names = lines.iter().filter(|line| !line.cells.is_empty());
        let names = widest(&mut names.by_ref().map(|line| line.name.as_str())).unwrap_or(0);
        let model = |(place, model): (usize, &SuiteModel)| {
            let cells = || lines.iter().filter_map(move |line| line.cells.get(place));
            let part = |part: usize| {
                cells()
                    .filter_map(|cell| match cell {
                        Cell::Share(parts) => Some(wording::width(&parts[part])),
                        Cell::Text(_) => None,
                    })
                    .max()
                    .unwrap_or(0)
            };
            let texts = cells().filter_map(|cell| match cell {
                Cell::Share(_) => None,
                Cell::Text(text) => Some(wording::width(text)),
            });
            let shares = part(0) + 1 + part(1) + 1 + part(2);
            let whole = texts.max().unwrap_or(0).max(shares);
            let whole = whole.max(wording::width(&wording::name(&model.name)));
            [part(0), part(1), whole]
        };
        Self {
            names,
            models: models.iter().enumerate().map(model).collect(),
        }
    }

    fn total(&self) -> usize {
        let models = self.models.iter().map(|[_, _, whole]| GAP + whole);
        self.names + models.sum::<usize>()
    }
}

fn table(models: &[SuiteModel], report: &SuiteReport, style: &Style) -> String {
    let lines = lines_of(models, report, style);
    let widths = Widths::of(models, &lines);
    let head = Line {
        name: "share (95% CI)".to_owned(),
        cells: models
            .iter()
            .map(|model| Cell::Text(wording::name(&model.name)))
            .collect(),
    };
    let mut out = style.paint(&printed(&head, &widths), Tone::Strong) + "\n";
    for line in &lines {
        let text = printed(line, &widths);
        out += &if line.cells.is_empty() {
            style.paint(&text, Tone::Strong)
        } else {
            text
        };
        out.push('\n');
    }
    out
}

fn printed(line: &Line, widths: &Widths) -> String {
    let mut out = line.name.clone();
    let mut column = widths.names;
    for (cell, [counts, shares, whole]) in line.cells.iter().zip(&widths.models) {
        column += GAP;
        out += &" ".repeat(column.saturating_sub(wording::width(&out)));
        match cell {
            Cell::Text(text) => out += text,
            Cell::Share([count, share, interval]) => {
                let count = " ".repeat(counts - wording::width(count)) + count;
                let share = " ".repeat(shares - wording::width(share)) + share;
                out += &[count.as_str(), &share, interval].join(" ");
            }
        }
        column += whole;
    }
    out.trim_end().to_owned()
}

fn lines_of(models: &[SuiteModel], report: &SuiteReport, style: &Style) -> Vec<Line> {
    let all: Vec<&SuiteFigures> = models.iter().map(|model| &model.all).collect();
    let mut lines = figures(&all, true);
    for (family, rows) in &report.suite.families {
        let of_family: Vec<&SuiteFigures> = models
            .iter()
            .filter_map(|model| model.families.get(family))
            .collect();
        lines.push(Line {
            name: wording::suite_family(family, rows),
            cells: Vec::new(),
        });
        lines.extend(figures(&of_family, style.verbose));
    }
    lines
}

/// The figures that these models have; `whole` for all of them, else the main ones.
fn figures(models: &[&SuiteFigures], whole: bool) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut line = |name: &str, cell: &dyn Fn(&SuiteFigures) -> Option<Cell>| {
        let cells: Vec<Option<Cell>> = models.iter().map(|figures| cell(figures)).collect();
        if cells.iter().any(Option::is_some) {
            let none = || Cell::Text("-".to_owned());
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(none));
            lines.push(Line {
                name: name.to_owned(),
                cells: cells.collect(),
            });
        }
    };
    line("accuracy", &|figures| share(&figures.accuracy));
    if whole {
        line("  baseline slice", &|figures| share(&figures.baseline));
        line("  forward", &|figures| share(&figures.accuracy_forward));
        line("  reversed", &|figures| share(&figures.accuracy_reversed));
        let optional = |of: &Option<SuiteShare>| of.as_ref().and_then(share);
        line("  semantic keys", &|figures| {
            optional(&figures.accuracy_semantic)
        });
        line("  abstract keys", &|figures| {
            optional(&figures.accuracy_abstract)
        });
    }
    line("order flips", &|figures| flips(&figures.order));
    line("  with vacuous", &|figures| {
        figures.order_with_vacuous.as_ref().and_then(flips)
    });
    line("key-rename flips", &|figures| {
        figures.keys.as_ref().and_then(flips)
    });
    let mut pairs: Vec<&String> = Vec::new();
    for pair in models.iter().flat_map(|figures| figures.phrasing.keys()) {
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    for pair in pairs.into_iter().take(if whole { usize::MAX } else { 1 }) {
        line(&format!("phrasing {pair}"), &|figures| {
            figures.phrasing.get(pair).and_then(flips)
        });
    }
    line("question q0-q1", &|figures| {
        figures.question.as_ref().and_then(flips)
    });
    if whole {
        line("latency median", &|figures| {
            let latency = figures.latency.as_ref()?;
            Some(Cell::Text(wording::suite_latency(latency)))
        });
    }
    lines
}

/// A share that the rows of the file have at all.
fn share(share: &SuiteShare) -> Option<Cell> {
    let any = share.of + share.missing + share.unasked > 0;
    any.then(|| Cell::Share(wording::suite_share(share)))
}

/// Flips of pairs that the rows of the file have at all.
fn flips(flips: &SuiteFlips) -> Option<Cell> {
    if flips.vacuous > 0 && flips.share.of + flips.share.missing + flips.share.unasked == 0 {
        return Some(Cell::Text("all vacuous".to_owned()));
    }
    let of = &flips.share;
    let any = of.of + of.missing + of.unasked + of.no_decision > 0;
    any.then(|| Cell::Share(wording::suite_share(of)))
}
