//! Laws of the table of slots and keys.

use flipside_core::order::OptionId;
use flipside_core::record::Outcome;
use flipside_core::summary::{SlotEffect, SlotsAndKeys, Summary};
use proptest::prelude::*;

use super::table::{Answers, answers, gates, outcomes};
use super::{case, four, slots, told};
use crate::common::chose;
use crate::made::failed;

fn drawn() -> impl Strategy<Value = Vec<Answers>> {
    let said = prop_oneof![6 => (0..2_u16).prop_map(Some), 1 => Just(None)];
    let row = proptest::array::uniform2(proptest::array::uniform2(said));
    proptest::collection::vec(row, 1..16)
}

/// Rows of one sign of missing answers less: every answer there.
fn complete() -> impl Strategy<Value = Vec<Answers>> {
    let said = (0..2_u16).prop_map(Some);
    let row = proptest::array::uniform2(proptest::array::uniform2(said));
    proptest::collection::vec(row, 1..16)
}

fn found(summary: &Summary) -> &SlotsAndKeys {
    slots(summary, "shuffled")
}

fn values(found: &SlotsAndKeys) -> [Option<f64>; 3] {
    let all = [
        &found.position_effect,
        &found.key_effect,
        &found.interaction,
    ];
    all.map(|effect| effect.as_ref().map(|effect| effect.value))
}

fn counts(found: &SlotsAndKeys) -> [u64; 4] {
    [&found.content, &found.slot, &found.keys, &found.mixed].map(|share| share.cases)
}

fn negated(value: Option<f64>) -> Option<f64> {
    // -0.0 is 0.0 here.
    value.map(|value| 0.0 - value)
}

fn turned(rows: &[Answers], by: impl Fn(&Answers) -> Answers) -> Vec<Answers> {
    rows.iter().map(by).collect()
}

/// The same answers with the cases' options listed the other way round in the file: the model is shown the same pages.
fn relabelled(rows: &[Answers]) -> Summary {
    let other = |option: Option<u16>| option.map(|option| 1 - option);
    let cases = (0..rows.len()).map(|number| {
        let mut case = case(number, 2);
        case.options.reverse();
        case
    });
    let plan = four(cases.collect(), "keys:shuffled");
    let asked = outcomes(&plan, |case, order, keys| {
        other(rows[case][1 - order][keys]).map_or_else(failed, chose)
    });
    told(&plan, asked, &gates(None))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_case_is_in_one_place_and_its_parts_sum_to_one(rows in drawn()) {
        let summary = answers(&rows);
        let found = found(&summary);
        prop_assert_eq!(counts(found).iter().sum::<u64>(), found.decided);
        prop_assert_eq!(found.decided + found.undecided + found.missing, found.cases);
        prop_assert_eq!(found.cases, rows.len() as u64);
        prop_assert_eq!(found.first + found.last, found.slot.cases);
        // Two keys that change sides: whoever follows the keys follows one.
        prop_assert_eq!(found.same_key, found.keys.cases);
        if let Some(parts) = &found.parts {
            let all = [parts.content, parts.position, parts.keys, parts.interaction];
            let sum: f64 = all.iter().map(|part| part.value).sum();
            prop_assert!((sum - 1.0).abs() < 1e-12);
            for part in all {
                prop_assert!(part.interval[0] <= part.value && part.value <= part.interval[1]);
            }
        }
        for effect in [&found.position_effect, &found.key_effect, &found.interaction].into_iter().flatten() {
            prop_assert!(effect.interval[0] <= effect.value + 1e-12 && effect.value <= effect.interval[1] + 1e-12);
            prop_assert!(effect.if_missing[0] <= effect.if_missing[1]);
        }
    }

    #[test]
    fn options_listed_the_other_way_round_turn_the_sign_of_the_keys_alone(rows in drawn()) {
        let (one, other) = (answers(&rows), relabelled(&rows));
        let (one, other) = (found(&one), found(&other));
        prop_assert_eq!(counts(one), counts(other));
        prop_assert_eq!((one.first, one.last), (other.first, other.last));
        prop_assert_eq!(&one.followed, &other.followed);
        let [position, keys, interaction] = values(one);
        prop_assert_eq!(values(other), [position, negated(keys), interaction]);
        prop_assert_eq!(one.order_flips.plus, other.order_flips.plus);
        prop_assert_eq!(one.key_flips.plus, other.key_flips_other_order.minus);
    }

    #[test]
    fn the_order_of_the_cases_changes_their_rows_alone(rows in drawn(), seed: u64) {
        use flipside_core::stats::draw::{Part, Stream};
        let mut shuffled = rows.clone();
        Stream::new(&[Part::U64(seed)]).shuffle(&mut shuffled);
        let (one, other) = (answers(&rows), answers(&shuffled));
        let blank = |found: &SlotsAndKeys| SlotsAndKeys { table: Vec::new(), ..found.clone() };
        prop_assert_eq!(blank(found(&one)), blank(found(&other)));
    }

    #[test]
    fn calling_the_other_order_own_turns_the_signs_of_position_and_interaction(rows in drawn()) {
        let swapped = turned(&rows, |[own, other]| [*other, *own]);
        let (one, other) = (answers(&rows), answers(&swapped));
        let (one, other) = (found(&one), found(&other));
        let [position, keys, interaction] = values(one);
        prop_assert_eq!(values(other), [negated(position), keys, negated(interaction)]);
        prop_assert_eq!(counts(one), counts(other));
        prop_assert_eq!((one.first, one.last), (other.last, other.first));
        prop_assert_eq!(one.order_flips.plus, other.order_flips.minus);
    }

    #[test]
    fn calling_the_other_keys_own_turns_the_signs_of_keys_and_interaction(rows in drawn()) {
        let swapped = turned(&rows, |[own, other]| [[own[1], own[0]], [other[1], other[0]]]);
        let (one, other) = (answers(&rows), answers(&swapped));
        let (one, other) = (found(&one), found(&other));
        let [position, keys, interaction] = values(one);
        prop_assert_eq!(values(other), [position, negated(keys), negated(interaction)]);
        prop_assert_eq!(counts(one), counts(other));
        prop_assert_eq!(one.order_flips.flips, other.order_flips_other_keys.flips);
        prop_assert_eq!(one.key_flips.plus, other.key_flips.minus);
        let difference = |found: &SlotsAndKeys| found.order_flips_difference.as_ref().map(|found| found.value);
        prop_assert_eq!(difference(one), negated(difference(other)));
    }

    #[test]
    fn whatever_was_lost_lies_within_the_bounds(
        rows in complete(),
        hidden in proptest::collection::vec((0..16_usize, 0..2_usize, 0..2_usize), 1..12),
    ) {
        let mut lost = rows.clone();
        for (case, order, keys) in hidden {
            lost[case % rows.len()][order][keys] = None;
        }
        let (whole, lost) = (answers(&rows), answers(&lost));
        let (whole, lost) = (found(&whole), found(&lost));
        let within = |bounds: [f64; 2], value: f64| bounds[0] - 1e-12 <= value && value <= bounds[1] + 1e-12;
        let shares = |found: &SlotsAndKeys| {
            [&found.content, &found.slot, &found.keys, &found.mixed].map(Clone::clone)
        };
        for (whole, lost) in shares(whole).iter().zip(&shares(lost)) {
            prop_assert!(within(lost.if_missing.unwrap(), whole.rate.unwrap()));
        }
        let effects = |found: &SlotsAndKeys| -> [Option<SlotEffect>; 3] {
            [&found.position_effect, &found.key_effect, &found.interaction].map(Clone::clone)
        };
        for (whole, lost) in effects(whole).iter().zip(&effects(lost)) {
            if let (Some(whole), Some(lost)) = (whole, lost) {
                prop_assert!(within(lost.if_missing, whole.value));
            }
        }
        let flips = |found: &SlotsAndKeys| {
            [&found.order_flips, &found.order_flips_other_keys, &found.key_flips, &found.key_flips_other_order]
                .map(Clone::clone)
        };
        for (whole, lost) in flips(whole).iter().zip(&flips(lost)) {
            prop_assert!(within(lost.if_missing.unwrap(), whole.rate.unwrap()));
        }
    }
}

#[test]
fn an_answer_is_told_by_its_identity_and_not_by_its_key() {
    // The same key in all four cells is another option under the other keys: by strings nothing ever flips here.
    let plan = four(vec![case(0, 2)], "keys:shuffled");
    let summary = super::answered(&plan, |shown| {
        let id = shown.at_key("k0").unwrap().id;
        assert_eq!(shown.case().options[id.index()].key.0, "k0");
        let choice: Outcome = chose(id.0);
        choice
    });
    let found = found(&summary);
    let first = Some(OptionId(0));
    let second = Some(OptionId(1));
    assert_eq!(found.table[0].answers, [[first, second], [first, second]]);
}
