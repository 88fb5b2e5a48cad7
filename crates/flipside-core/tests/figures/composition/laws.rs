//! Laws of composition.

use flipside_core::case::CaseOption;
use flipside_core::order::OptionId;
use flipside_core::summary::{Attention, CompositionSummary, DropComposition};
use proptest::prelude::*;

use super::{Run, Shown, Told, drop_of};

/// An answer that depends on the case and on which options are shown by their keys, and on neither order nor identity.
fn drawn(shown: &Shown<'_>, seed: u64, kinds: u64) -> Told {
    let mix = |parts: &[u64]| {
        parts
            .iter()
            .fold(seed ^ 0x9e37_79b9_7f4a_7c15, |state, part| {
                let state = (state ^ part).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                (state ^ (state >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (state >> 31)
            })
    };
    let key = |id: OptionId| {
        let key = shown.case.options[id.index()].key.0.bytes();
        key.fold(7_u64, |sum, byte| sum * 31 + u64::from(byte))
    };
    let mut keys: Vec<u64> = shown.list.iter().map(|id| key(*id)).collect();
    keys.sort_unstable();
    let number = shown.number() as u64;
    let list = mix(&[&[number], &keys[..]].concat());
    match list % kinds {
        0 => Told::Failed,
        1 => Told::Nothing,
        2 => Told::Unasked,
        _ => shown.weigh(|id| {
            let weight = mix(&[list, key(OptionId(id))]) % 1_000_003;
            f64::from(u32::try_from(weight).unwrap()) + 1.0
        }),
    }
}

fn run(cases: usize, options: usize) -> Run {
    Run {
        axes: "drop,decoy",
        ..Run::new(cases, options)
    }
}

fn composition(run: &Run, seed: u64) -> CompositionSummary {
    let summary = run.summary(|shown| drawn(shown, seed, 12));
    summary.composition.unwrap()
}

/// Without what depends on which options are neighbours.
fn by_content(mut found: CompositionSummary) -> CompositionSummary {
    if let Some(drop) = &mut found.drop {
        drop.equal_size = None;
        // Lists of equal size tell these three apart.
        if matches!(drop.attention, Attention::Size | Attention::AttentiveOrSize) {
            drop.attention = Attention::Attentive;
        }
    }
    found
}

fn parts(found: &DropComposition) -> u64 {
    let figure = &found.figure;
    figure.pairs + figure.missing + figure.unasked + figure.no_decision + found.choice_dropped.pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn permuting_cases_moves_no_bit(seed: u64, cases in 1..9_usize, options in 3..6_usize, by in 0..9_usize) {
        let run = run(cases, options);
        let mut moved = Run { cases: run.cases.clone(), ..self::run(0, 3) };
        moved.cases.rotate_left(by % cases);
        moved.cases.reverse();
        prop_assert_eq!(composition(&run, seed), composition(&moved, seed));
    }

    #[test]
    fn relabelling_options_moves_no_bit(seed: u64, cases in 1..6_usize, options in 3..6_usize, by in 1..6_usize) {
        let run = run(cases, options);
        let mut relabelled = Run { cases: run.cases.clone(), ..self::run(0, 3) };
        for case in &mut relabelled.cases {
            let options: &mut Vec<CaseOption> = &mut case.options;
            let by = by % options.len();
            options.rotate_left(by);
            options.swap(0, 1);
        }
        let (a, b) = (composition(&run, seed), composition(&relabelled, seed));
        prop_assert_eq!(by_content(a), by_content(b));
    }

    #[test]
    fn every_planned_pair_is_counted_once_and_a_choice_left_out_is_never_a_flip(
        seed: u64, cases in 1..9_usize, options in 3..6_usize
    ) {
        let summary = run(cases, options).summary(|shown| drawn(shown, seed, 12));
        let found = drop_of(&summary);
        prop_assert_eq!(parts(&found), (cases * options) as u64);
        let dropped = &found.choice_dropped;
        prop_assert_eq!(
            dropped.pairs,
            dropped.missing + dropped.unasked + dropped.no_decision + dropped.no_runner_up + dropped.runner_up.of
        );
        // Counted once more from the asks of each case.
        let (mut flips, mut left_out) = (0, 0);
        for case in &summary.cases {
            for ask in case.asks.iter().filter(|ask| ask.axis.name() == "drop" && ask.flip.is_some()) {
                flips += u64::from(ask.flip == Some(true));
            }
            for ask in &case.asks {
                let Ok(out) = ask.variant.parse::<u16>() else { continue };
                let last = format!("last:{out}");
                let name = if usize::from(out) + 1 == case.keys.len() { "own" } else { last.as_str() };
                let full = case.asks.iter().find(|ask| &*ask.variant == name).unwrap();
                if ask.axis.name() == "drop" && full.choice == Some(OptionId(out)) {
                    left_out += 1;
                    prop_assert_eq!(ask.flip, None);
                }
            }
        }
        prop_assert_eq!(found.figure.flips, Some(flips));
        prop_assert_eq!(dropped.pairs, left_out);
    }

    #[test]
    fn shares_keep_their_order_and_their_range(seed: u64, cases in 1..9_usize) {
        let found = drop_of(&run(cases, 4).summary(|shown| drawn(shown, seed, 40)));
        let equal = found.equal_size.unwrap();
        let shares = [
            (found.figure.rate, found.figure.interval, found.figure.lower, found.figure.upper),
            (equal.rate, equal.interval, equal.lower, equal.upper),
        ];
        for (rate, interval, lower, upper) in shares {
            prop_assert_eq!(rate.is_some(), interval.is_some());
            let (Some(rate), Some([low, high])) = (rate, interval) else { continue };
            prop_assert!(0.0 <= low && low <= rate + 1e-12 && rate <= high + 1e-12 && high <= 1.0);
            prop_assert!(lower.unwrap() <= rate + 1e-12 && rate <= upper.unwrap() + 1e-12);
        }
        prop_assert!(equal.flips + equal.left <= equal.pairs);
        let shared = &found.shared;
        prop_assert_eq!(shared.log_odds.pairs + shared.zeros, shared.with_probabilities);
        prop_assert!(shared.beyond_rounding.hits <= shared.beyond_rounding.of);
        if let (Some(median), Some(p95), Some([low, high])) = (
            shared.luce_distance.median, shared.luce_distance.p95, shared.luce_distance.median_interval
        ) {
            prop_assert!(median <= p95 && low <= median + 1e-12 && median <= high + 1e-12);
        }
    }

    #[test]
    fn an_answer_that_is_lost_never_makes_the_gate_hold(seed: u64, cases in 2..9_usize, lost in 0..9_usize, strict: bool) {
        let held = |lost: Option<usize>| {
            let run = Run { gates: "none:fit,none:order,drop<=40%", strict, ..run(cases, 4) };
            let summary = run.summary(|shown| match lost {
                Some(lost) if shown.number() == lost && shown.list.len() == 3 => Told::Failed,
                _ => drawn(shown, seed, u64::MAX),
            });
            summary.gates[0].held
        };
        prop_assert!(held(None) || !held(Some(lost % cases)));
    }
}
