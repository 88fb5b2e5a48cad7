//! A plan before anything is asked, for `--dry-run`.

use flipside_core::perturb::Axis;
use flipside_core::preflight::{Preflight, PreflightVariant};

use super::layout::{self, Row};
use crate::style::Style;
use crate::wording;

/// An axis with more rows than this is cut.
const GROUPS: usize = 8;

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
///     recorded: 0,
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
        let all = groups(preflight, axis, style);
        let shown = if style.verbose || all.len() <= GROUPS {
            all.len()
        } else {
            GROUPS
        };
        let alone = all.len() == 1;
        rows.extend(
            all.iter()
                .take(shown)
                .map(|group| row(group, alone, strict)),
        );
        let hidden: Vec<&PreflightVariant> = all.iter().skip(shown).flatten().copied().collect();
        if !hidden.is_empty() {
            let more = format!("and {} more", wording::count(hidden.len() as u64));
            rows.push(Row::new([axis.name(), &more, &asks(&hidden)]).text("--verbose lists them"));
        }
    }
    let mut out = layout::rows(&head, style);
    out.push('\n');
    out += &layout::rows(&rows, style);
    out + "nothing was asked\n"
}

/// The variants of `axis`, those together that are alike in all but their name; with `verbose` each alone.
fn groups<'a>(
    preflight: &'a Preflight,
    axis: Axis,
    style: &Style,
) -> Vec<Vec<&'a PreflightVariant>> {
    let mut groups: Vec<Vec<&PreflightVariant>> = Vec::new();
    let of_axis = preflight.variants.iter();
    for variant in of_axis.filter(|variant| variant.axis == axis) {
        let mut known = groups.iter_mut();
        match known.find(|group| !style.verbose && alike(group[0], variant)) {
            Some(group) => group.push(variant),
            None => groups.push(vec![variant]),
        }
    }
    groups
}

fn alike(one: &PreflightVariant, other: &PreflightVariant) -> bool {
    let named = PreflightVariant {
        variant: one.variant.clone(),
        ..other.clone()
    };
    *one == named
}

fn asks(variants: &[&PreflightVariant]) -> String {
    let asks = variants.iter().map(|variant| variant.asks).sum();
    wording::plural(asks, "ask", "asks")
}

/// `alone`: whether the group is all of its axis.
fn row(group: &[&PreflightVariant], alone: bool, strict: bool) -> Row {
    let first = group[0];
    let names: Vec<&str> = group
        .iter()
        .map(|variant| variant.variant.as_str())
        .collect();
    let names = match first {
        PreflightVariant {
            reference: true, ..
        } => "references".to_owned(),
        PreflightVariant {
            asks: 0,
            vacuous: 1..,
            ..
        } if alone => "-".to_owned(),
        _ => wording::together(&names),
    };
    let several = group.len() > 1;
    let (subject, name) = match first.axis {
        Axis::Baseline => ("fit", "own order".to_owned()),
        Axis::Same if several => ("same", format!("repeats {names}")),
        Axis::Same => ("same", format!("repeat {names}")),
        axis => (axis.name(), names),
    };
    let text = wording::at_best(first, several, strict);
    Row::new([subject, &name, &asks(group)]).text(text)
}
