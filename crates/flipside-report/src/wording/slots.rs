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

#[cfg(test)]
mod tests {
    use flipside_core::plan::VacuousReason;
    use flipside_core::summary::SlotsLeftOut;
    use indexmap::IndexMap;

    use super::*;

    fn share(cases: u64) -> SlotShare {
        SlotShare {
            cases,
            rate: None,
            interval: None,
            if_missing: None,
        }
    }

    fn flips(flips: u64, pairs: u64) -> SlotFlips {
        SlotFlips {
            pairs,
            flips,
            tie_flips: 0,
            no_decision_flips: 0,
            no_decision: 0,
            missing: 0,
            rate: None,
            interval: None,
            if_missing: None,
            plus: 0,
            minus: 0,
            p: None,
            clusters: None,
        }
    }

    fn found() -> SlotsAndKeys {
        SlotsAndKeys {
            cases: 1,
            decided: 1,
            undecided: 0,
            missing: 0,
            tied: 0,
            left_out: SlotsLeftOut::default(),
            content: share(0),
            slot: share(0),
            first: 0,
            last: 0,
            keys: share(0),
            same_key: 0,
            followed: IndexMap::new(),
            mixed: share(0),
            order_flips: flips(1, 1),
            order_flips_other_keys: flips(0, 1),
            order_flips_difference: None,
            key_flips: flips(2, 12_345),
            key_flips_other_order: flips(0, 0),
            position_effect: None,
            key_effect: None,
            interaction: None,
            parts: None,
            table: Vec::new(),
        }
    }

    #[test]
    fn notes_name_what_no_row_counts() {
        let one = slot_notes(&found(), "list:1");
        let flips = "order flips 1/1 under own keys, 0/1 under keys/list:1; key flips 2/12,345 in own order, 0/0 in the other";
        assert_eq!(
            one,
            [
                "1 two-option case, in both orders under both sets of keys; p values are exploratory",
                flips
            ]
        );
        let mut all = found();
        (all.cases, all.missing, all.undecided) = (30, 2, 3);
        all.left_out = SlotsLeftOut {
            vacuous: [(VacuousReason::OwnKeys, 4), (VacuousReason::KeysAreText, 1)].into(),
            undrawn: 6,
            keys_stay: 7,
        };
        assert_eq!(
            slot_notes(&all, "shuffled")[0],
            "30 two-option cases, 2 missing, 3 undecided, 5 vacuous, 6 not drawn, 7 with keys that stay in place, \
             in both orders under both sets of keys; p values are exploratory"
        );
    }

    #[test]
    fn the_keys_that_were_followed_are_escaped_and_the_commonest_come_first() {
        let mut found = found();
        (found.slot.cases, found.first, found.last) = (5, 1, 4);
        found.same_key = 9;
        let each = [("b", 1), ("a\u{1b}[31m", 5), ("c", 2), ("d", 1), ("e", 1)];
        found.followed = each.map(|(key, cases)| (key.to_owned(), cases)).into();
        let notes = slot_notes(&found, "shuffled");
        assert_eq!(notes[1], "slot: the first in 1, the second in 4");
        let escaped = name("a\u{1b}[31m");
        assert!(!escaped.contains('\u{1b}'));
        assert_eq!(
            notes[2],
            format!("keys: `{escaped}` in 5, `c` in 2, `b` in 1 and 2 other keys")
        );
    }

    #[test]
    fn a_share_of_nothing_has_no_interval_and_no_effect() {
        assert_eq!(slot_share(&share(0), 0), "0/0");
        let some = SlotShare {
            interval: Some([0.1234, 0.5]),
            ..share(3)
        };
        assert_eq!(slot_share(&some, 10), "3/10 (12.3-50.0%)");
        assert_eq!(slot_effect(None), "");
        assert_eq!(slot_p(None), "");
        let effect = SlotEffect {
            value: -0.125,
            interval: [-0.5, 0.25],
            if_missing: [-0.2, 0.0],
            plus: 0,
            minus: 1,
            p: 0.031_25,
            clusters: None,
        };
        assert_eq!(slot_effect(Some(&effect)), "-12.5 (-50.0 to +25.0)");
        assert_eq!(slot_p(Some(&effect)), "0.0312");
    }

    #[test]
    fn flips_have_what_was_lost_beside_them() {
        let lost = SlotFlips {
            tie_flips: 1,
            missing: 2,
            no_decision: 3,
            interval: Some([0.0, 1.0]),
            ..flips(1, 2)
        };
        assert_eq!(
            slot_flips(&lost),
            "1/2 (0.0-100.0%), 1 of them tied, 2 missing, 3 without a decision"
        );
        assert_eq!(slot_flips_p(&lost), "-");
    }
}
