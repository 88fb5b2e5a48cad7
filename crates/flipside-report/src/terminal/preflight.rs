//! A plan before anything is asked, for `--dry-run`.

use flipside_core::perturb::Axis;
use flipside_core::preflight::{Preflight, PreflightVariant};

use super::layout::{self, Row};
use crate::style::Style;
use crate::wording;

/// An axis with more variants than this is cut.
const VARIANTS: usize = 8;

/// What a run would ask, cost and be able to show; nothing was asked. `strict`: whether gates speak in general.
pub fn render_preflight(preflight: &Preflight, style: &Style, strict: bool) -> String {
    let head = [
        Row::new(["model"]).text(wording::destination(preflight)),
        Row::new(["asks"]).text(wording::volume(preflight)),
        Row::new(["cost"]).text(wording::cost(preflight)),
    ];
    let mut rows = Vec::new();
    let mut axes: Vec<Axis> = preflight
        .variants
        .iter()
        .map(|variant| variant.axis)
        .collect();
    axes.dedup();
    for axis in axes {
        let all: Vec<&PreflightVariant> = preflight
            .variants
            .iter()
            .filter(|variant| variant.axis == axis)
            .collect();
        let shown = if style.verbose || all.len() <= VARIANTS {
            all.len()
        } else {
            VARIANTS
        };
        rows.extend(all.iter().take(shown).map(|variant| row(variant, strict)));
        if shown < all.len() {
            let asks: u64 = all.iter().skip(shown).map(|variant| variant.asks).sum();
            let more = format!("and {} more", wording::count((all.len() - shown) as u64));
            let asks = wording::plural(asks, "ask", "asks");
            rows.push(Row::new([axis.name(), &more, &asks]).text("--verbose lists them"));
        }
    }
    let mut out = layout::rows(&head, style);
    out.push('\n');
    out += &layout::rows(&rows, style);
    out + "nothing was asked\n"
}

fn row(variant: &PreflightVariant, strict: bool) -> Row {
    let asks = wording::plural(variant.asks, "ask", "asks");
    let name = wording::name(&variant.variant);
    let (subject, name) = if variant.axis == Axis::Baseline {
        ("fit", "own order".to_owned())
    } else if variant.axis == Axis::Same {
        ("same", format!("repeat {name}"))
    } else {
        (variant.axis.name(), name)
    };
    Row::new([subject, &name, &asks]).text(wording::at_best(variant, strict))
}
