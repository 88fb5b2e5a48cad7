//! Which option was chosen in which position, and how sure each recall is.

use super::near;
use super::run::{Say, labelled, one, summary};

#[test]
fn the_grid_counts_what_was_shown_and_chosen_in_each_place() {
    // Two cases of three options, own order and reversed: one follows the first position, the other its option 2.
    let found = one(summary(&labelled(3, &[0, 2]), "reverse", |case, _, _| {
        if case == 0 { Say::At(0) } else { Say::Is(2) }
    }));
    let told: Vec<_> = (found.grid.iter())
        .map(|cell| (cell.position, cell.option, cell.shown, cell.chosen))
        .collect();
    // Own order shows option p in position p, the reversal option 2 - p; option 1 stands in the middle in both. Case 0 chooses
    // option 0 first and then 2, both at position 0; case 1 option 2, at position 2 and then 0.
    let expected = [
        (0, 0, 2, 1),
        (0, 2, 2, 2),
        (1, 1, 4, 0),
        (2, 0, 2, 0),
        (2, 2, 2, 1),
    ];
    assert_eq!(told, expected);
    let chosen: u64 = found.grid.iter().map(|cell| cell.chosen).sum();
    assert_eq!(chosen, found.answers, "each answer is in one cell");
}

#[test]
fn what_did_not_decide_is_in_no_cell() {
    let found = one(summary(
        &labelled(2, &[0]),
        "reverse",
        |_, variant, _| match variant {
            "own" => Say::Is(0),
            _ => Say::Nothing,
        },
    ));
    let told: Vec<_> = (found.grid.iter())
        .map(|cell| (cell.position, cell.option, cell.shown, cell.chosen))
        .collect();
    assert_eq!(told, [(0, 0, 1, 1), (1, 1, 1, 0)]);
}

#[test]
fn recalls_of_one_answer_a_case_have_wilsons_interval() {
    // Accepted first three times, two of them right; accepted second once, wrong; never accepted third.
    let found = one(summary(
        &labelled(3, &[0, 0, 0, 1]),
        "reverse",
        |case, _, _| Say::Is(usize::from(case == 2)),
    ));
    // Case 3 accepts option 1 and answers 0. By Wilson's formula in Python: 2 of 3 is 0.20766 to 0.93851, 0 of 1 is 0 to 0.79346.
    let intervals = &found.recall.recall_intervals;
    assert_eq!(found.recall.recalls, [Some(2.0 / 3.0), Some(0.0), None]);
    near(intervals[0].map(|ends| ends[0]), 0.207_659_600_802_047_7);
    near(intervals[0].map(|ends| ends[1]), 0.938_508_055_279_603_7);
    near(intervals[1].map(|ends| ends[1]), 0.793_450_685_622_763_2);
    assert_eq!(intervals[2], None);
    assert!(found.recall_all_orders.recall_intervals.is_empty());
}
