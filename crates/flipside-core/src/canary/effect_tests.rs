//! Effects that rounding hides, and effects that nothing but a layer could hide.

use super::super::ask::{Content, Question, Turn};
use super::*;

fn heard(content: Content, turn: Turn, p: Option<[f64; 4]>, choice: u16) -> Heard {
    Heard {
        question: Question {
            content,
            turn,
            again: false,
        },
        choice: Some(OptionId(choice)),
        probabilities: p.map(Vec::from),
        request_id: None,
        all_cached: false,
    }
}

/// Whether integers are missed: the answers on plain keys in two orders, and the one on integers in both.
fn missed(plain: [(Option<[f64; 4]>, u16); 2], integers: (Option<[f64; 4]>, u16)) -> bool {
    let [own, turned] = plain;
    let own = heard(Content::Plain, Turn::Own, own.0, own.1);
    let turned = heard(Content::Plain, Turn::Turned, turned.0, turned.1);
    let (p, choice) = integers;
    let first = heard(Content::Integers, Turn::Own, p, choice);
    let second = heard(Content::Integers, Turn::Turned, p, choice);
    misses_integers(&[&own, &turned], &[&first, &second])
}

#[test]
fn an_effect_that_rounding_may_hide_is_not_missed() {
    let flat = Some([0.25, 0.25, 0.3, 0.2]);
    // One step of two decimals.
    let by_one = Some([0.24, 0.25, 0.3, 0.21]);
    assert!(!missed([(flat, 2), (by_one, 2)], (flat, 2)));
    // The same change of numbers with six decimals is one of thousands of steps: log odds move by 0.058, 0.06 * 0.25 by 0.01.
    let finer = Some([0.240_001, 0.249_999, 0.3, 0.21]);
    assert!(missed([(flat, 2), (finer, 2)], (flat, 2)));
    // Twelve steps: log odds of 0.25 and 0.37 differ by 0.57, which moves 0.3 by 0.3 * 0.7 * 0.57 = 0.12.
    let large = Some([0.37, 0.2, 0.24, 0.19]);
    assert!(missed([(flat, 2), (large, 0)], (flat, 2)));
    // A model that is sure under integers has no room to show it: 0.01 * 0.99 * 0.57 is under one step.
    let sure = Some([0.0, 0.0, 0.01, 0.99]);
    assert!(!missed([(flat, 2), (large, 0)], (sure, 3)));
}

#[test]
fn a_pick_is_missed_where_it_stands_in_one_place_as_javascript_lists_it() {
    // Turned lists 2, 0, 3, 1, and JavaScript lists the integers of options 1, 0, 3, 2.
    assert!(missed([(None, 0), (None, 2)], (None, 1)));
    assert!(missed([(None, 3), (None, 1)], (None, 2)));
    assert!(!missed([(None, 0), (None, 2)], (None, 0)));
    assert!(!missed([(None, 0), (None, 3)], (None, 1)), "another place");
    assert!(!missed([(None, 0), (None, 0)], (None, 1)), "one option");
    // So do probabilities of 1 and 0, which have no room.
    let pick = |place: usize| {
        let mut p = [0.0; 4];
        p[place] = 1.0;
        Some(p)
    };
    assert!(missed([(pick(0), 0), (pick(2), 2)], (pick(1), 1)));
    assert!(!missed([(pick(0), 0), (pick(2), 2)], (pick(0), 0)));
}
