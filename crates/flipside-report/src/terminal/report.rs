//! One model's report.

use flipside_core::summary::Summary;

use super::layout::{self, Row};
use super::{
    accuracy, axes, drift, failures, flips, keyed, lines, orders, pairs, position, record, slots,
    splits,
};
use crate::style::Style;
use crate::wording;

/// The report of one model: what was asked, a line per figure, the gates, then accuracy, flips and failed asks.
pub fn render(summary: &Summary, style: &Style) -> String {
    let mut rows = vec![Row::new(["model"]).text(wording::model(&summary.model))];
    match &summary.recorded_pairs {
        Some(found) => rows.extend(pairs::head(summary, found)),
        None => rows.push(Row::new(["asked"]).text(wording::asked(summary))),
    }
    rows.extend(record::recordings(summary));
    rows.extend(summary.readout.iter().map(|found| {
        Row::new(["read"]).text(wording::readout(found, summary.model.protocol.as_ref()))
    }));
    rows.extend(wording::units(summary, style.verbose).map(|text| Row::new(["units"]).text(text)));
    if style.verbose {
        let (version, digest) = (
            wording::foreign(&summary.flipside),
            wording::foreign(&summary.plan.digest),
        );
        rows.push(Row::new(["plan"]).text(format!(
            "{digest}, flipside {version}, method {}",
            summary.method
        )));
        rows.extend(wording::time(summary).map(|text| Row::new(["time"]).text(text)));
    }
    if let Some(cost) = summary.cost.filter(|cost| cost.asks > 0) {
        rows.push(Row::new(["cost"]).text(wording::cost_of_run(&cost)));
    }
    let mut out = layout::rows(&rows, style);
    out.push('\n');
    let mut rows = lines::figures(summary, style);
    rows.extend(lines::run(summary));
    out += &layout::rows(&rows, style);
    out += &lines::gates(summary, style);
    let effects = if style.verbose {
        axes::effects(summary)
    } else {
        Vec::new()
    };
    let mut orders = accuracy::rows(summary, style);
    orders.extend(position::short(summary, style));
    orders.extend(pairs::no_position(summary));
    let blocks = [
        layout::rows(&effects, style),
        layout::rows(&orders, style),
        layout::rows(&orders::in_full(summary, style), style),
        layout::rows(&keyed::full(summary, style), style),
        layout::rows(&drift::details(summary, style), style),
        layout::rows(&position::full(summary, style), style),
        slots::render(summary, style),
        splits::render(summary, style),
        flips::render(summary, style),
        record::details(summary, style),
        failures::render(summary, style),
    ];
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        out.push('\n');
        out += block;
    }
    out
}

/// What the gates of each model say, and nothing else; of several models each line after its model.
pub fn render_gates(summaries: &[Summary], style: &Style) -> String {
    let mut out = String::new();
    for summary in summaries {
        if summaries.len() > 1 {
            let model = [Row::new(["model"]).text(wording::model(&summary.model))];
            out += &layout::rows(&model, style);
        }
        if let Some(row) = lines::run(summary) {
            out += &layout::rows(&[row], style);
        }
        out += &lines::gates(summary, style);
    }
    out
}
