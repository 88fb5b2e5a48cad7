//! Slots and keys: a table per variant of the keys axis that was combined with an order.

use flipside_core::summary::{SlotsAndKeys, Summary};

use super::table;
use crate::style::Style;
use crate::wording;

/// What two-option cases follow, by keys; nothing where orders and keys were not combined. With `verbose` the flips too.
pub(super) fn render(summary: &Summary, style: &Style) -> String {
    let each = summary.slots_and_keys.iter();
    let blocks: Vec<String> = each
        .map(|(variant, found)| block(variant, found, style))
        .collect();
    blocks.join("\n")
}

fn block(variant: &str, found: &SlotsAndKeys, style: &Style) -> String {
    let name = wording::slots_name(variant);
    let header = [&name, "cases (95% CI)", "effect in points (95% CI)", "p"];
    let rows = [
        ("content", &found.content, None),
        ("slot", &found.slot, found.position_effect.as_ref()),
        ("keys", &found.keys, found.key_effect.as_ref()),
        ("mixed", &found.mixed, found.interaction.as_ref()),
    ];
    let rows = rows.map(|(what, share, effect)| {
        let mut value = wording::slot_effect(effect);
        if what == "mixed" && !value.is_empty() {
            value = format!("interaction {value}");
        }
        let share = wording::slot_share(share, found.decided);
        vec![what.to_owned(), share, value, wording::slot_p(effect)]
    });
    let mut out = table::render(&header, rows.into(), style);
    for note in wording::slot_notes(found, variant) {
        for line in wording::wrap(&note, style.width) {
            out += &line;
            out.push('\n');
        }
    }
    if style.verbose {
        out.push('\n');
        out += &flips(&name, found, style);
    }
    out
}

/// Flips between cells, with their directions.
fn flips(name: &str, found: &SlotsAndKeys, style: &Style) -> String {
    let header = [
        name,
        "flips (95% CI)",
        "first to second",
        "second to first",
        "p",
    ];
    let rows = [
        ("orders, own keys", &found.order_flips),
        ("orders, other keys", &found.order_flips_other_keys),
        ("keys, own order", &found.key_flips),
        ("keys, other order", &found.key_flips_other_order),
    ];
    let rows = rows.map(|(what, flips)| {
        vec![
            what.to_owned(),
            wording::slot_flips(flips),
            wording::count(flips.plus),
            wording::count(flips.minus),
            wording::slot_flips_p(flips),
        ]
    });
    table::render(&header, rows.into(), style)
}
