//! A plan before anything is asked, for `--dry-run`.

use flipside_core::perturb::Axis;
use flipside_core::preflight::{Preflight, PreflightVariant};

use super::layout::{self, Row};
use crate::style::Style;
use crate::wording;

/// An axis with more variants than this is cut.
const VARIANTS: usize = 8;

/// What a run would ask, cost and be able to show; nothing was asked. `strict`: whether gates speak in general.
///
/// ```
/// use flipside_core::preflight::Preflight;
/// use flipside_report::{Style, terminal};
///
/// let preflight = Preflight {
///     model: "overlap".to_owned(),
///     endpoint: None,
///     key_variable: None,
///     cases: 8,
///     duplicates: 0,
///     clusters: None,
///     asks: 16,
///     requests: 16,
///     request_bytes: 6_000,
///     estimated_input_tokens: 1_500,
///     estimated_cost_usd_micros: None,
///     confirming_at_most: 0,
///     sequential: None,
///     variants: Vec::new(),
/// };
/// let style = Style { color: false, width: 80, verbose: false };
/// let text = terminal::render_preflight(&preflight, &style, false);
/// assert!(text.contains("8 cases, 16 asks in 16 requests"));
/// assert!(text.ends_with("nothing was asked\n"));
/// ```
pub fn render_preflight(preflight: &Preflight, style: &Style, strict: bool) -> String {
    let head = [
        Row::new(["model"]).text(wording::destination(preflight)),
        Row::new(["asks"]).text(wording::volume(preflight)),
        Row::new(["cost"]).text(wording::cost(preflight)),
    ];
    let mut rows = Vec::new();
    if let Some(found) = &preflight.sequential {
        rows.push(Row::new(["order", "adaptive"]).text(wording::reach(found)));
        rows.extend(found.expected.iter().map(|expected| {
            Row::new(["order", &wording::at_rate(expected)]).text(wording::expected(expected))
        }));
    }
    // Entries of one axis may stand apart.
    let mut axes: Vec<Axis> = Vec::new();
    for variant in &preflight.variants {
        if !axes.contains(&variant.axis) {
            axes.push(variant.axis);
        }
    }
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
