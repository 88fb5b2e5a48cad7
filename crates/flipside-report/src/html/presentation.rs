//! Two presentations of one case side by side, with the options that moved.

use flipside_core::case::{Case, CaseOption, QuestionKind};
use flipside_core::order::OptionId;
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskSummary, CaseSummary};
use maud::{Markup, html};

use super::document::Shown;
use super::{flips, text};
use crate::pair::Pair;
use crate::wording;

/// Characters of a state.
const STATE: usize = 1_200;
/// Characters of instructions.
const INSTRUCTIONS: usize = 600;
/// Characters of an option's text.
const OPTION: usize = 240;
/// Characters of a key.
const KEY: usize = 80;
/// Lists up to here are shown whole; of longer ones the places that matter.
const WHOLE: usize = 12;

/// Both presentations of `pair`.
pub(super) fn render<'a>(run: &Shown<'a>, pair: &Pair<'a>) -> Markup {
    let case = run.cases.get(pair.case.id.as_str()).copied();
    let changed = changes_words(pair.variant.axis);
    html! {
        div.both {
            p.note {
                bdi { (wording::foreign(&pair.case.file)) } ", line " (wording::count(pair.case.line))
                @for (field, value) in flips::fields(run, pair) { "; " bdi { (wording::foreign(field)) } ": " bdi { (wording::foreign(value)) } }
            }
            @if let Some(case) = case {
                @if let Some(instructions) = &case.question.instructions { p.label { "instructions" } pre.words { (text::json(instructions, INSTRUCTIONS)) } }
                p.label { "state" }
                pre.words { (text::json(&case.state, STATE)) }
            }
            div.columns {
                (column(pair, pair.own, case, true))
                (column(pair, pair.variant, case.filter(|_| !changed), false))
            }
            @if changed {
                p.note { "The change is in the words: " code { "asks.jsonl" } " of the run folder has the request as it was sent." }
            }
        }
    }
}

/// Whether an axis changes texts, so that those of the file are not what was shown.
fn changes_words(axis: Axis) -> bool {
    match axis {
        Axis::Baseline
        | Axis::Same
        | Axis::Order
        | Axis::Keys
        | Axis::Drop
        | Axis::Decoy
        | Axis::Batch => false,
        Axis::Descriptions
        | Axis::Phrasing
        | Axis::StateKeys
        | Axis::Whitespace
        | Axis::LetterCase
        | Axis::Cross
        | Axis::Unrecorded => true,
    }
}

fn column(pair: &Pair<'_>, ask: &AskSummary, case: Option<&Case>, own: bool) -> Markup {
    let title = match (own, pair.own.axis) {
        (true, Axis::Baseline) => "own order and words".to_owned(),
        (true, _) => wording::asked_as(pair.own),
        (false, _) => wording::asked_as(pair.variant),
    };
    let shown = ask.order.identities();
    let kept = places(pair, ask);
    html! {
        div {
            p.label { (wording::foreign(&title)) }
            ol {
                @for (place, id) in shown.iter().enumerate() {
                    @if kept[place] { (option(pair, ask, case, place, *id)) }
                    @else if place == 0 || kept[place - 1] {
                        @let gap = kept[place..].iter().take_while(|kept| !**kept).count();
                        li.gap { "… " (wording::plural(gap as u64, "more option", "more options")) }
                    }
                }
            }
            p { "answer: " bdi { (wording::answer(pair.case, ask, KEY)) } }
        }
    }
}

/// Which places of a list are shown: all of a short one; of a long one both ends, both answers with their neighbours, and what is accepted.
fn places(pair: &Pair<'_>, ask: &AskSummary) -> Vec<bool> {
    let shown = ask.order.identities();
    if shown.len() <= WHOLE {
        return vec![true; shown.len()];
    }
    let mut kept = vec![false; shown.len()];
    let last = shown.len() - 1;
    (kept[0], kept[last]) = (true, true);
    for (place, id) in shown.iter().enumerate() {
        kept[place] |= pair.case.accept.contains(id);
        if [pair.own.choice, pair.variant.choice].contains(&Some(*id)) {
            kept[place.saturating_sub(1)..=(place + 1).min(last)].fill(true);
        }
    }
    kept
}

fn option(
    pair: &Pair<'_>,
    ask: &AskSummary,
    case: Option<&Case>,
    place: usize,
    id: OptionId,
) -> Markup {
    let chosen = ask.choice == Some(id);
    let own = pair.own.choice == Some(id);
    let was = pair
        .own
        .order
        .position_of(id)
        .map(flipside_core::order::Position::index);
    let moved = (ask.axis != Axis::Baseline && was != Some(place))
        .then_some(was)
        .flatten();
    let class = match (chosen, own) {
        (true, _) => "chosen",
        (false, true) => "left",
        (false, false) => "",
    };
    let key = ask.keys.get(place).map_or("", |key| key);
    let probability = ask
        .probabilities
        .as_ref()
        .and_then(|all| all.get(id.index()));
    html! {
        li class=(class) value=(place + 1) {
            span.key { (key_of(pair.case, key, id)) }
            @if let Some(text) = case.and_then(|case| case.options.get(id.index())).and_then(of_text) { " " span { (text) } }
            @if let Some(p) = probability { " " span.p { (wording::probability(*p)) } }
            @if chosen { " " b { "◀ chosen" } }
            @if own && !chosen { " " b { "◁ chosen in the own order" } }
            @if pair.case.accept.contains(&id) { " " span.ok { "✓ accepted" } }
            @if let Some(was) = moved.filter(|_| !pair.case.unlisted) { " " span.moved { "⇅ was " (wording::ordinal(was as u64 + 1)) } }
        }
    }
}

fn key_of(case: &CaseSummary, key: &str, id: OptionId) -> Markup {
    match case.question {
        QuestionKind::Score => html! { "level " (id.0) },
        QuestionKind::Choice | QuestionKind::Noul => text::line(key, KEY),
    }
}

fn of_text(option: &CaseOption) -> Option<Markup> {
    let text = option.text.as_ref().filter(|_| option.has_description())?;
    Some(text::json(text, OPTION))
}
