//! The table of flipped cases.

use std::collections::BTreeMap;
use std::fmt::Write;

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::order::OptionId;
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskSummary, CaseSummary, Summary};

use super::table;
use crate::style::Style;
use crate::wording;

/// Rows without `--verbose`.
const ROWS: usize = 3;

/// Terminals from here on have room for long headings.
pub(super) const WIDE: usize = 100;

/// A flip: a case, its baseline and the ask that chose another option.
struct Flip<'a> {
    case: &'a CaseSummary,
    /// How many flips of the same case come before it.
    earlier: usize,
    own: &'a AskSummary,
    variant: &'a AskSummary,
}

impl Flip<'_> {
    fn tied(&self) -> bool {
        self.own.tied || self.variant.tied
    }

    /// Firm flips of axes first, then those within ties, then those of the control.
    fn rank(&self) -> u8 {
        match (self.variant.axis, self.tied()) {
            (Axis::Same, _) => 2,
            (_, true) => 1,
            (_, false) => 0,
        }
    }

    /// Whether some gate is about its variant.
    fn is_gated(&self, summary: &Summary) -> bool {
        let axis = summary.axes.get(self.variant.axis.name());
        let line = axis.and_then(|lines| lines.get(&*self.variant.variant));
        line.is_some_and(|line| line.figure.limit.is_some())
    }
}

/// Puts flips first that show most in few rows: each axis in turn, those that a gate is about before the others, each time
/// another case.
fn mix(flips: &mut Vec<Flip<'_>>, summary: &Summary) {
    flips.sort_by_key(|flip| (flip.rank(), flip.earlier));
    let mut seen: BTreeMap<Axis, usize> = BTreeMap::new();
    let mut turned: Vec<(bool, usize, bool, Flip<'_>)> = Vec::new();
    for flip in flips.drain(..) {
        let axis = flip.variant.axis;
        let turn = seen.entry(axis).or_default();
        turned.push((axis == Axis::Same, *turn, !flip.is_gated(summary), flip));
        *turn += 1;
    }
    turned.sort_by_key(|(control, turn, ungated, _)| (*control, *turn, *ungated));
    flips.extend(turned.into_iter().map(|(.., flip)| flip));
}

/// The flipped cases with both answers; empty without a flip.
pub(super) fn render(summary: &Summary, style: &Style) -> String {
    let mut flips = flips(summary);
    if flips.is_empty() {
        return String::new();
    }
    let all = flips.len();
    flips.sort_by_key(Flip::rank);
    if !style.verbose {
        mix(&mut flips, summary);
        flips.truncate(ROWS);
    }
    let rows = flips.iter().map(|flip| row(flip, style.width)).collect();
    let who = if style.width < WIDE {
        "right"
    } else {
        "who is right"
    };
    let header = [
        "flipped",
        "variant",
        "shown as",
        "own answer",
        "variant answer",
        who,
    ];
    let mut out = table::render(&header, rows, style);
    if all > flips.len() {
        let more = wording::plural((all - flips.len()) as u64, "more flip", "more flips");
        let _ = writeln!(out, "and {more}; --verbose or --json has them");
    }
    out
}

fn flips(summary: &Summary) -> Vec<Flip<'_>> {
    let mut flips = Vec::new();
    for case in &summary.cases {
        let Some(own) = case.asks.iter().find(|ask| ask.axis == Axis::Baseline) else {
            continue;
        };
        let flipped = case
            .asks
            .iter()
            .filter(|ask| ask.flip == Some(true))
            .enumerate();
        let against = |ask: &AskSummary| {
            let name = ask.against.as_ref()?;
            let compared = |other: &&AskSummary| other.axis == ask.axis && other.variant == *name;
            case.asks.iter().find(compared)
        };
        flips.extend(flipped.map(|(earlier, variant)| Flip {
            case,
            earlier,
            own: against(variant).unwrap_or(own),
            variant,
        }));
    }
    flips
}

fn row(flip: &Flip<'_>, width: usize) -> Vec<String> {
    let cut = |percent: usize| (width * percent / 100).clamp(8, 40);
    let name = wording::asked_as(flip.variant);
    let who = wording::who_is_right(flip.own, flip.variant);
    let tie = if flip.tied() { ", tie" } else { "" };
    vec![
        wording::case_name(&flip.case.id, cut(20)),
        Foreign(&name).cut(cut(18)),
        shown_as(flip.case, flip.variant, cut(10)),
        wording::answer(flip.case, flip.own, cut(12)),
        wording::answer(flip.case, flip.variant, cut(12)),
        format!("{who}{tie}"),
    ]
}

/// What is told of the options as shown: their keys where those are not their own, their places in the file where those
/// changed, else nothing.
fn shown_as(case: &CaseSummary, ask: &AskSummary, columns: usize) -> String {
    let keys = has_other_keys(case, ask);
    if !keys && ask.order.is_own() && ask.order.len() == case.keys.len() {
        return "-".to_owned();
    }
    let places = ask.order.identities().iter().enumerate();
    let shown = places.map(|(place, id)| {
        if keys {
            Foreign(ask.keys.get(place).map_or("", |key| key)).cut(columns)
        } else {
            place_in_file(case, *id)
        }
    });
    let shown: Vec<String> = shown.collect();
    let (mut out, last) = (String::new(), shown.len().saturating_sub(1));
    for (place, next) in shown.iter().enumerate() {
        // Two columns stay free for the ellipsis.
        let room = columns.saturating_sub(wording::width(&out) + 1 + wording::width(next));
        if place > 0 && room < 2 && place < last {
            return out + " …";
        }
        if place > 0 {
            out.push(' ');
        }
        out += next;
    }
    out
}

/// Whether an option of the case was shown under a key that it does not have there by its own.
fn has_other_keys(case: &CaseSummary, ask: &AskSummary) -> bool {
    let shown = ask.order.identities().iter().zip(&ask.keys).enumerate();
    let mut own = shown.filter_map(|(place, (id, key))| {
        let by_place = case.keys.get(place).filter(|_| case.keys_stay);
        let own = by_place.or_else(|| case.keys.get(id.index()))?;
        // An option that the case does not have has no own key.
        (id.index() < case.keys.len()).then_some(own == key)
    });
    own.any(|own| !own)
}

/// An option's place in the file, from 1, levels from 0: `3 2 1` for three options reversed; `+` for one that was added.
fn place_in_file(case: &CaseSummary, id: OptionId) -> String {
    if id.index() >= case.keys.len() {
        return "+".to_owned();
    }
    let first = u32::from(case.question != QuestionKind::Score);
    (u32::from(id.0) + first).to_string()
}
