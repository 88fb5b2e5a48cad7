//! The table of flipped cases.

use std::fmt::Write;

use flipside_core::answer::Declined;
use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskSummary, CaseSummary, Summary};

use super::table;
use crate::style::Style;
use crate::wording;

/// Rows without `--verbose`.
const ROWS: usize = 3;

/// Terminals from here on have room for long headings.
const WIDE: usize = 100;

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
        // Few rows show more when each is another case.
        flips.sort_by_key(|flip| (flip.rank(), flip.earlier));
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
    let name = match flip.variant.axis {
        Axis::Same => format!("same:{}", flip.variant.variant),
        Axis::Baseline | Axis::Order => flip.variant.variant.to_string(),
        axis => format!("{}:{}", axis.name(), flip.variant.variant),
    };
    let who = match (flip.own.ok, flip.variant.ok) {
        (Some(true), Some(true)) => "both",
        (Some(true), _) => "own",
        (_, Some(true)) => "variant",
        (Some(false), Some(false)) => "neither",
        _ => "unlabelled",
    };
    let tie = if flip.tied() { ", tie" } else { "" };
    vec![
        Foreign(&flip.case.id).cut(cut(20)),
        Foreign(&name).cut(cut(15)),
        shown_as(flip.case.question, &flip.variant.order, cut(10)),
        answer(flip.case, flip.own, cut(12)),
        answer(flip.case, flip.variant, cut(12)),
        format!("{who}{tie}"),
    ]
}

/// The own places of the options as shown, from 1: `3 2 1` for three options reversed; levels count from 0.
fn shown_as(question: QuestionKind, order: &Order, columns: usize) -> String {
    let first = u32::from(question != QuestionKind::Score);
    let mut out = String::new();
    for (place, id) in order.identities().iter().enumerate() {
        let next = (u32::from(id.0) + first).to_string();
        // Two columns stay free for the ellipsis.
        if place > 0 && out.len() + 1 + next.len() + 2 > columns && place + 1 < order.len() {
            return out + " …";
        }
        if place > 0 {
            out.push(' ');
        }
        out += &next;
    }
    out
}

/// An answer, where it was shown, its probability, and whether it is right: `refund 1st 0.62 ✓`.
fn answer(case: &CaseSummary, ask: &AskSummary, cut: usize) -> String {
    let Some((id, key)) = ask.choice.zip(ask.key.as_deref()) else {
        return match ask.declined {
            Some(Declined::Refusal) => "no decision (refusal)".to_owned(),
            Some(Declined::Abstention) => "no decision (abstention)".to_owned(),
            Some(Declined::Unreadable) => "no decision (unreadable)".to_owned(),
            None => "no decision".to_owned(),
        };
    };
    let mut out = chosen(case, id, key, cut);
    if let Some(place) = ask.order.position_of(id) {
        let _ = write!(out, " {}", wording::ordinal(place.index() as u64 + 1));
    }
    let probability = ask
        .probabilities
        .as_ref()
        .and_then(|all| all.get(id.index()));
    if let Some(p) = probability {
        let _ = write!(out, " {}", wording::probability(*p));
    }
    match ask.ok {
        Some(true) => out + " ✓",
        Some(false) => out + " ✗",
        None => out,
    }
}

/// The chosen option: its key, and its place in the file too where the key stays when the order changes.
fn chosen(case: &CaseSummary, id: OptionId, key: &str, cut: usize) -> String {
    let key = match key {
        blank if blank.trim().is_empty() => format!("\"{}\"", Foreign(blank).cut(cut)),
        key => Foreign(key).cut(cut),
    };
    match case.question {
        QuestionKind::Score => format!("level {}", id.0),
        _ if case.keys_stay => format!("{key} (option {})", u32::from(id.0) + 1),
        _ => key,
    }
}
