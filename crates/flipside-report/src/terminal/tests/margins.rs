//! Browser runs.

use flipside_core::recorded::{CLOSE, KeptTick, Margins, Target};

use super::{VERBOSE, WIDE, flat};
use crate::terminal::render_margins;

fn tick(probabilities: &[f64], all_kept: bool, target: Target) -> KeptTick {
    KeptTick {
        probabilities: probabilities.to_vec(),
        all_kept,
        target,
    }
}

#[test]
fn a_browser_run_says_how_close_its_decisions_were_and_where_the_targets_stood() {
    // The six real ticks: their best two probabilities, and the keys of the targets.
    let ticks = [
        tick(&[1.0, 0.0], true, Target::Place(15)),
        tick(&[0.963, 0.028], false, Target::Place(3)),
        tick(&[0.696, 0.253], false, Target::Place(12)),
        tick(&[0.993, 0.007], true, Target::Place(2)),
        tick(&[0.825, 0.143], false, Target::None),
        tick(&[0.894, 0.068], true, Target::Place(18)),
    ];
    insta::assert_snapshot!(render_margins(&Margins::of(&ticks, CLOSE), &WIDE));
}

#[test]
fn places_that_are_many_are_cut_and_targets_that_are_not_known_are_told() {
    let mut ticks: Vec<KeptTick> = (1..=9)
        .map(|place| tick(&[0.5, 0.45], false, Target::Place(place)))
        .collect();
    ticks.push(tick(&[0.5, 0.45], false, Target::Place(9)));
    ticks.push(tick(&[0.5, 0.5], false, Target::Ambiguous));
    ticks.push(tick(&[1.0], false, Target::Unknown));
    ticks.push(tick(&[1.0], false, Target::Unknown));
    let found = Margins::of(&ticks, CLOSE);
    let text = flat(&render_margins(&found, &WIDE));
    for part in [
        "13 ticks, of each, only the most probable options are on record",
        "11 of 11 by less than 0.1 (100.0%)",
        "10 chosen targets stood in place 9 (2 times), 1, 2, 3, 4, 5, 6, 7, 1 more place of the page",
        "1 target is named by a text that several options have; 2 targets are none of the options on record",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let all = flat(&render_margins(&found, &VERBOSE));
    assert!(
        all.contains("9 (2 times), 1, 2, 3, 4, 5, 6, 7, 8 of the page"),
        "{all}"
    );
}

#[test]
fn without_ticks_there_is_no_margin_and_no_place() {
    let text = render_margins(&Margins::of(&[], CLOSE), &WIDE);
    assert_eq!(text.lines().count(), 2, "{text}");
    let whole = Margins::of(&[tick(&[0.9, 0.1], true, Target::None)], CLOSE);
    let text = render_margins(&whole, &WIDE);
    assert!(
        text.contains("1 tick, every option of each is on record"),
        "{text}"
    );
    assert!(!text.contains("place"), "{text}");
}
