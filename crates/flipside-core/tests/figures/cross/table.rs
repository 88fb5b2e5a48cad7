//! A table of six cases, worked by hand.

use flipside_core::gate::Gates;
use flipside_core::groups::Groups;
use flipside_core::order::OptionId;
use flipside_core::perturb::Axis;
use flipside_core::plan::Plan;
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{Follows, SlotEffect, SlotsAndKeys, Summary};

use super::{case, cases, four, near, near_each, slots, told};
use crate::common::{asked, chose};
use crate::made::failed;

/// The option answered by order, then by keys; `None` for a failed ask.
pub(super) type Answers = [[Option<u16>; 2]; 2];

/// What each case says in each cell.
pub(super) fn outcomes(
    plan: &Plan,
    of: impl Fn(usize, usize, usize) -> Outcome,
) -> Vec<Option<Asked>> {
    let asks = plan.asks.iter().map(|ask| {
        let number = plan.case_of(ask).id.0[1..].parse().unwrap();
        let (order, keys) = match plan.variant_of(ask).axis {
            Axis::Baseline => (0, 0),
            Axis::Order => (1, 0),
            Axis::Keys => (0, 1),
            Axis::Cross => (1, 1),
            axis => panic!("nothing is asked on {}", axis.name()),
        };
        Some(asked(of(number, order, keys)))
    });
    asks.collect()
}

pub(super) fn gates(cluster: Option<&str>) -> Gates {
    Gates {
        groups: Groups {
            cluster: cluster.map(str::to_owned),
            by: Vec::new(),
        },
        ..Gates::resolve(&[], true, &[Axis::Keys], false)
    }
}

/// The summary of these answers under shuffled keys.
pub(super) fn answers(rows: &[Answers]) -> Summary {
    let plan = four(cases(rows.len(), 2), "keys:shuffled");
    let asked = outcomes(&plan, |case, order, keys| {
        rows[case][order][keys].map_or_else(failed, chose)
    });
    told(&plan, asked, &gates(None))
}

/// Own order under own and other keys, then the other order under both.
const SIX: [Answers; 6] = [
    [[Some(0), Some(0)], [Some(0), Some(0)]],
    [[Some(1), Some(1)], [Some(1), Some(1)]],
    [[Some(0), Some(0)], [Some(1), Some(1)]],
    [[Some(0), Some(1)], [Some(0), Some(1)]],
    [[Some(0), Some(0)], [Some(0), Some(1)]],
    [[Some(0), Some(0)], [Some(1), None]],
];

fn effect(found: Option<&SlotEffect>) -> ([f64; 2], [u64; 2], f64, f64) {
    let found = found.unwrap();
    (
        found.interval,
        [found.plus, found.minus],
        found.value,
        found.p,
    )
}

#[test]
fn six_cases_come_to_what_a_hand_makes_of_them() {
    let summary = answers(&SIX);
    let found = slots(&summary, "shuffled");
    let follows: Vec<Follows> = found.table.iter().map(|row| row.follows).collect();
    let expected = [
        Follows::Content,
        Follows::Content,
        Follows::Slot,
        Follows::Keys,
        Follows::Mixed,
        Follows::Missing,
    ];
    assert_eq!(follows, expected);
    let row = [
        [Some(OptionId(0)), Some(OptionId(0))],
        [Some(OptionId(1)), None],
    ];
    assert_eq!(found.table[5].answers, row);
    let counts = (found.cases, found.decided, found.undecided, found.missing);
    assert_eq!(counts, (6, 5, 0, 1));
    assert_eq!((found.first, found.last, found.same_key), (1, 0, 1));
    // The fourth case answers the key that its first option has in the file.
    assert_eq!(
        found.followed.iter().collect::<Vec<_>>(),
        [(&"k0".to_owned(), &1)]
    );
}

#[test]
fn shares_have_wilson_intervals_and_bounds_of_what_is_missing() {
    let summary = answers(&SIX);
    let found = slots(&summary, "shuffled");
    // Wilson from Python. The missing answer makes the last row follow the slot, or mixed.
    let one = [0.036_224_1, 0.624_465_4];
    let two = [0.117_620_8, 0.769_275_7];
    let sixth = 1.0 / 6.0;
    let expected = [
        (&found.content, 2, two, [2.0 * sixth, 2.0 * sixth]),
        (&found.slot, 1, one, [sixth, 2.0 * sixth]),
        (&found.keys, 1, one, [sixth, sixth]),
        (&found.mixed, 1, one, [sixth, 2.0 * sixth]),
    ];
    for (share, cases, interval, if_missing) in expected {
        assert_eq!(share.cases, cases);
        near(
            share.rate.unwrap(),
            f64::from(u32::try_from(cases).unwrap()) / 5.0,
        );
        near_each(share.interval.unwrap(), interval);
        near_each(share.if_missing.unwrap(), if_missing);
    }
}

#[test]
fn flips_between_cells_have_their_own_denominators() {
    let summary = answers(&SIX);
    let found = slots(&summary, "shuffled");
    let figures = [
        // Third and last case, both the first slot.
        (
            &found.order_flips,
            [2, 6, 0],
            [2, 0],
            0.5,
            [0.096_771_4, 0.700_006_7],
        ),
        // Third and fifth case; the last is missing.
        (
            &found.order_flips_other_keys,
            [2, 5, 1],
            [2, 0],
            0.5,
            [0.117_620_8, 0.769_275_7],
        ),
        // Fourth case.
        (
            &found.key_flips,
            [1, 6, 0],
            [1, 0],
            1.0,
            [0.030_053_4, 0.563_502_8],
        ),
        // Fourth and fifth case; the last is missing.
        (
            &found.key_flips_other_order,
            [2, 5, 1],
            [2, 0],
            0.5,
            [0.117_620_8, 0.769_275_7],
        ),
    ];
    for (flips, counts, ways, p, interval) in figures {
        assert_eq!([flips.flips, flips.pairs, flips.missing], counts);
        assert_eq!([flips.plus, flips.minus], ways);
        near(flips.p.unwrap(), p);
        near_each(flips.interval.unwrap(), interval);
    }
    near_each(
        found.order_flips_other_keys.if_missing.unwrap(),
        [2.0 / 6.0, 3.0 / 6.0],
    );
    // Five cases compare both: the third flips under both, the fifth under the other keys alone. Newcombe from Python.
    let difference = found.order_flips_difference.as_ref().unwrap();
    assert_eq!(difference.cases, 5);
    near(difference.value, 0.2);
    near_each(difference.interval, [-0.285_224_2, 0.588_383_8]);
    near(difference.p, 1.0);
}

#[test]
fn effects_are_means_of_contrasts_and_their_squares_sum_to_one() {
    let summary = answers(&SIX);
    let found = slots(&summary, "shuffled");
    // By case, position: 0, 0, 1, 0, 1/2; keys: 0, 0, 0, 1, 1/2; interaction: 0, 0, 0, 0, -1/2. Betting intervals from Python.
    let wide = [-0.546_297_1, 0.838_075_2];
    let expected = [
        (&found.position_effect, wide, [2, 0], 0.3, 0.5),
        (&found.key_effect, wide, [2, 0], 0.3, 0.5),
        (
            &found.interaction,
            [-0.682_558_9, 0.605_937_7],
            [0, 1],
            -0.1,
            1.0,
        ),
    ];
    for (each, interval, signs, value, p) in expected {
        let found = effect(each.as_ref());
        near_each(found.0, interval);
        assert_eq!(found.1, signs);
        near(found.2, value);
        near(found.3, p);
    }
    // The last row is 1 1 / -1 x. Position (3 - x) / 4: 1/2 or 1; keys (x' = -x) 0 or -1/2; interaction 1/2 or 0.
    let bounds = |effect: &Option<SlotEffect>| effect.as_ref().unwrap().if_missing;
    near_each(bounds(&found.position_effect), [2.0 / 6.0, 2.5 / 6.0]);
    near_each(bounds(&found.key_effect), [1.0 / 6.0, 1.5 / 6.0]);
    near_each(bounds(&found.interaction), [-0.5 / 6.0, 0.0]);
    // Squares over five cases: content 1, 1, 0, 0, 1/4.
    let parts = found.parts.as_ref().unwrap();
    near(parts.content.value, 0.45);
    near_each(parts.content.interval, [0.053_334_8, 0.924_595_8]);
    near(parts.position.value, 0.25);
    near_each(parts.position.interval, [0.011_106_1, 0.821_899_3]);
    near(parts.keys.value, 0.25);
    near(parts.interaction.value, 0.05);
    near_each(parts.interaction.interval, [0.000_223_2, 0.657_526_0]);
}

#[test]
fn nothing_decided_has_no_effect_and_no_rate() {
    let summary = answers(&[[[None; 2]; 2]; 3]);
    let found: &SlotsAndKeys = slots(&summary, "shuffled");
    assert_eq!((found.cases, found.decided, found.missing), (3, 0, 3));
    assert_eq!((found.content.rate, found.content.interval), (None, None));
    near_each(found.content.if_missing.unwrap(), [0.0, 1.0]);
    assert!(found.position_effect.is_none() && found.parts.is_none());
    assert_eq!(found.order_flips.rate, None);
    assert!(found.order_flips_difference.is_none());
}

#[test]
fn clusters_are_the_units_of_intervals_and_tests() {
    use flipside_core::case::FieldValue;
    // Three clusters of two cases: slot and slot, slot and content, keys and keys.
    let rows = [SIX[2], SIX[2], SIX[2], SIX[0], SIX[3], SIX[3]];
    let of = |number: usize| {
        let mut case = case(number, 2);
        let cluster = FieldValue::Text((number / 2).to_string());
        case.fields = vec![("template".to_owned(), cluster)].into();
        case
    };
    let plan = four((0..6).map(of).collect(), "keys:shuffled");
    let summary_of = |cluster| {
        let asked = outcomes(&plan, |case, order, keys| {
            chose(rows[case][order][keys].unwrap())
        });
        told(&plan, asked, &gates(cluster))
    };
    let alone = summary_of(None);
    let alone = slots(&alone, "shuffled").clone();
    let over = summary_of(Some("template"));
    let over = slots(&over, "shuffled");
    assert_eq!(over.slot.rate, alone.slot.rate);
    assert_ne!(over.slot.interval, alone.slot.interval);
    let [of_cases, of_clusters] =
        [&alone, over].map(|found| found.position_effect.clone().unwrap());
    near(of_clusters.value, 0.5);
    near(of_cases.value, 0.5);
    // Three cases of one sign: 1/4. Two clusters of one sign: 1/2.
    assert_eq!((of_cases.p, of_cases.clusters), (0.25, None));
    near(of_clusters.p, 0.5);
    let signs = of_clusters.clusters.unwrap();
    assert_eq!((signs.first, signs.second), (2, 0));
    let flips = &over.key_flips;
    assert_eq!((flips.flips, flips.plus), (2, 2));
    // Both stand in one cluster, which is one toss of a coin.
    near(flips.p.unwrap(), 1.0);
    near(alone.key_flips.p.unwrap(), 0.5);
    assert!(
        over.order_flips_difference
            .as_ref()
            .unwrap()
            .clusters
            .is_some()
    );
}
