//! Slots and keys in words.

use flipside_core::perturb::Axis;
use flipside_core::summary::{SlotEffect, SlotFlips, SlotShare, SlotsAndKeys};

use super::number::{count, p_value, points, range};
use super::text::{list, name, plural};

/// What the table of one variant of the keys axis is called: `slots and keys/shuffled`.
pub fn slots_name(variant: &str) -> String {
    format!("slots and {}/{}", Axis::Keys.name(), name(variant))
}

/// Cases that follow one thing: `9/12 (46.8-91.1%)`, or `0/0`.
pub fn slot_share(share: &SlotShare, decided: u64) -> String {
    part(share.cases, decided, share.interval)
}

/// A mean effect: `+16.7 (-20.1 to 45.2)`; nothing without a decided case.
pub fn slot_effect(effect: Option<&SlotEffect>) -> String {
    effect.map_or_else(String::new, |effect| {
        let [lower, upper] = effect.interval.map(points);
        format!("{} ({lower} to {upper})", points(effect.value))
    })
}

/// The p value of an effect; nothing without a decided case.
pub fn slot_p(effect: Option<&SlotEffect>) -> String {
    effect.map_or_else(String::new, |effect| p_value(effect.p))
}

/// What stands beneath the table: its cases, those that no row counts, how slot and key were followed, and the flips.
pub fn slot_notes(found: &SlotsAndKeys, variant: &str) -> Vec<String> {
    let left_out = &found.left_out;
    let vacuous: u64 = left_out.vacuous.values().sum();
    let apart = [
        (found.missing, "missing"),
        (found.undecided, "undecided"),
        (vacuous, "vacuous"),
        (left_out.undrawn, "not drawn"),
        (left_out.keys_stay, "with keys that stay in place"),
    ];
    let mut cases = vec![plural(found.cases, "two-option case", "two-option cases")];
    let apart = apart.iter().filter(|(n, _)| *n > 0);
    cases.extend(apart.map(|(n, what)| format!("{} {what}", count(*n))));
    let mut notes = vec![format!(
        "{}, in both orders under both sets of keys; p values are exploratory",
        cases.join(", ")
    )];
    if found.slot.cases > 0 {
        let [first, last] = [found.first, found.last].map(count);
        notes.push(format!("slot: the first in {first}, the second in {last}"));
    }
    if found.same_key > 0 {
        notes.push(format!("keys: {}", followed(found)));
    }
    let keys = format!("{}/{}", Axis::Keys.name(), name(variant));
    notes.push(format!(
        "order flips {} under own keys, {} under {keys}; key flips {} in own order, {} in the other",
        of(&found.order_flips),
        of(&found.order_flips_other_keys),
        of(&found.key_flips),
        of(&found.key_flips_other_order),
    ));
    notes
}

/// The keys that were answered in all four cells, the commonest first.
fn followed(found: &SlotsAndKeys) -> String {
    /// The most keys that are named.
    const NAMED: usize = 3;
    let mut each: Vec<(&String, &u64)> = found.followed.iter().collect();
    each.sort_by_key(|(_, cases)| std::cmp::Reverse(**cases));
    let more = each.len().saturating_sub(NAMED) as u64;
    each.truncate(NAMED);
    let mut told: Vec<String> = each
        .iter()
        .map(|(key, cases)| format!("`{}` in {}", name(key), count(**cases)))
        .collect();
    if more > 0 {
        told.push(plural(more, "other key", "other keys"));
    }
    list(&told)
}

/// Flips between two of the cells: `3/12 (8.9-53.2%), 1 missing`.
pub fn slot_flips(flips: &SlotFlips) -> String {
    let lost = [
        (flips.tie_flips, "of them tied"),
        (flips.missing, "missing"),
        (flips.no_decision, "without a decision"),
    ];
    let mut parts = vec![part(flips.flips, flips.pairs, flips.interval)];
    let lost = lost.iter().filter(|(n, _)| *n > 0);
    parts.extend(lost.map(|(n, what)| format!("{} {what}", count(*n))));
    parts.join(", ")
}

/// The exact test of the two directions of flips; a dash without one.
pub fn slot_flips_p(flips: &SlotFlips) -> String {
    flips.p.map_or("-".to_owned(), p_value)
}

fn of(flips: &SlotFlips) -> String {
    format!("{}/{}", count(flips.flips), count(flips.pairs))
}

fn part(hits: u64, of: u64, interval: Option<[f64; 2]>) -> String {
    let interval = interval.map(|interval| format!(" ({})", range(interval)));
    format!(
        "{}/{}{}",
        count(hits),
        count(of),
        interval.unwrap_or_default()
    )
}
