//! What the order canary says beneath the verdicts that it qualifies.

use flipside_core::canary::OrderFinding;
use flipside_core::perturb::Axis;
use flipside_core::summary::{Figure, Summary};

use super::layout::Row;
use crate::style::Tone;
use crate::warning;
use crate::wording;

/// A row for each of [`qualifications`].
pub(super) fn rows(summary: &Summary) -> Vec<Row> {
    let row = |text: String| Row::new(["order", "canary"]).word(text, Tone::Open);
    qualifications(summary).into_iter().map(row).collect()
}

/// What the order canary says about the verdicts: a text for a layer that drops the order or may drop it, and one for option texts
/// that are cut; none for what is as it should be.
pub fn qualifications(summary: &Summary) -> Vec<String> {
    let Some(found) = &summary.canary else {
        return Vec::new();
    };
    let says = match found.order {
        OrderFinding::Arrives | OrderFinding::NotKnown | OrderFinding::NotAsked => false,
        OrderFinding::Sorted | OrderFinding::Cached => true,
        OrderFinding::IntegerKeys => warning::shows_integer_keys(summary),
        // Where an order moved an answer of the run itself, order reached the model.
        OrderFinding::Unmoved => !order_moved(summary),
    };
    let mut texts = Vec::new();
    if says {
        let advice = match (found.order, wording::canary_advice(found)) {
            (OrderFinding::Unmoved, _) => Some(format!(
                "`flipside models {}` says how to tell",
                wording::foreign(&summary.model.spec)
            )),
            (_, advice) => advice.map(str::to_owned),
        };
        let finding = wording::canary(found);
        texts.push(match advice {
            Some(advice) => format!("{finding}; {advice}"),
            None => finding,
        });
    }
    texts.extend(found.cut_texts.as_ref().map(wording::cut_texts));
    texts
}

/// Whether some answer changed under another order.
fn order_moved(summary: &Summary) -> bool {
    let figures = |lines: &indexmap::IndexMap<String, flipside_core::summary::Line>| {
        lines.values().any(|line| flipped(&line.figure))
    };
    summary.axes.get(Axis::Order.name()).is_some_and(figures)
}

fn flipped(figure: &Figure) -> bool {
    figure.flips.is_some_and(|flips| flips > 0)
}
