//! Position preference: a line where there is something to say, everything with `--verbose`.

use flipside_core::perturb::Axis;
use flipside_core::summary::{Line, PositionPreference, PositionRecall, Summary};

use super::layout::Row;
use crate::style::Style;
use crate::wording::{self, name, position as words};

/// Numbers of options with a line of their own.
const LINES: usize = 2;

/// A line or two where the evidence favours a position, one where flips could not be tested for it, else nothing.
pub(super) fn short(summary: &Summary, style: &Style) -> Vec<Row> {
    let Some(found) = summary.position.as_ref().filter(|_| !style.verbose) else {
        return Vec::new();
    };
    let mut groups: Vec<&PositionPreference> = found.by_options.iter().collect();
    groups.retain(|group| group.answers > 0);
    // The clearest first, then the one with most answers.
    groups.sort_by(|a, b| {
        let p = |group: &PositionPreference| group.p_adjusted.unwrap_or(2.0);
        let clear = |group: &PositionPreference| !group.preferred.is_empty();
        clear(b).cmp(&clear(a)).then(if clear(a) {
            p(a).total_cmp(&p(b))
        } else {
            b.answers.cmp(&a.answers)
        })
    });
    let clear = groups
        .iter()
        .filter(|group| !group.preferred.is_empty())
        .count();
    let flipped = orders(summary).any(|(_, line)| line.figure.flips > Some(0));
    let shown = match clear {
        0 if !flipped || groups.iter().any(|group| group.p.is_some()) => return Vec::new(),
        0 => 1,
        n => n.min(LINES),
    };
    let several = found.by_options.len() > 1;
    let line = |group: &&PositionPreference| {
        Row::new(["position"]).text(words::preference(group, several))
    };
    groups.iter().take(shown).map(line).collect()
}

fn orders(summary: &Summary) -> impl Iterator<Item = (&String, &Line)> {
    summary.axes.get(Axis::Order.name()).into_iter().flatten()
}

/// Every figure about positions.
pub(super) fn full(summary: &Summary, style: &Style) -> Vec<Row> {
    if !style.verbose {
        return Vec::new();
    }
    let mut rows = Vec::new();
    for found in &summary.fit.accepted_positions {
        let options = options(found.options);
        rows.push(Row::new(["accepted", &options, ""]).text(words::accepted(found)));
    }
    for (variant, line) in orders(summary) {
        if line.figure.pairs > 0 {
            rows.push(Row::new(["moved", &name(variant), ""]).text(words::moved(line)));
        }
    }
    let Some(position) = &summary.position else {
        return rows;
    };
    let ends = [
        ("primacy", &position.primacy),
        ("recency", &position.recency),
    ];
    for (what, end) in ends {
        rows.extend(
            end.as_ref()
                .map(|end| Row::new(["position", "all", what]).text(words::end(end))),
        );
    }
    for (order, found) in &position.by_order {
        rows.push(Row::new(["position", &name(order), "ends"]).text(words::ends(found)));
    }
    for found in &position.by_options {
        let options = options(found.options);
        let lines = [
            ("answers", Some(words::chosen(found))),
            ("shares", words::shares(found)),
            ("balanced", found.balanced.as_ref().map(words::balanced)),
            ("uniform", found.uniformity.as_ref().map(words::uniformity)),
            (
                "reversal",
                found.reverse_pairs.as_ref().map(words::reverse_pairs),
            ),
            ("no test", found.reason.as_deref().map(wording::foreign)),
            ("finding", Some(words::preference(found, false))),
            ("recall own", labelled(&found.recall)),
            ("recall all", labelled(&found.recall_all_orders)),
            ("pickers", Some(words::pickers(found))),
            ("unseen", words::unseen(&found.unseen)),
        ];
        for (what, text) in lines {
            rows.extend(text.map(|text| Row::new(["position", &options, what]).text(text)));
        }
    }
    rows
}

/// Recall in words, where some case is labelled.
fn labelled(recall: &PositionRecall) -> Option<String> {
    let nothing = recall.answers + recall.no_decision + recall.several_accepted == 0;
    (!nothing).then(|| words::recall(recall))
}

fn options(n: u64) -> String {
    wording::plural(n, "option", "options")
}
