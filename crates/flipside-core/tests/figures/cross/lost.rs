//! Answers that did not decide, failed, or came from another model.

use flipside_core::answer::Answer;
use flipside_core::order::OptionId;
use flipside_core::record::Outcome;
use flipside_core::summary::Follows;

use super::table::{gates, outcomes};
use super::{cases, four, near_each, slots, told};
use crate::common::chose;
use crate::made::failed;

fn declined() -> Outcome {
    Outcome::Answered(Answer::default())
}

fn served(option: u16, model: &str) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(option)),
        served_model: Some(model.into()),
        ..Answer::default()
    })
}

#[test]
fn an_answer_that_did_not_decide_is_neither_missing_nor_an_option() {
    let plan = four(cases(4, 2), "keys:shuffled");
    let asked = outcomes(&plan, |case, order, _| match (case, order) {
        (1, 0) => failed(),
        // Two decline in the other order, of which one fails in its own; one declines always.
        (0 | 1, 1) | (2, _) => declined(),
        _ => chose(0),
    });
    let summary = told(&plan, asked, &gates(None));
    let found = slots(&summary, "shuffled");
    assert_eq!(
        (found.cases, found.decided, found.undecided, found.missing),
        (4, 1, 3, 0)
    );
    let follows: Vec<Follows> = found.table.iter().map(|row| row.follows).collect();
    let undecided = Follows::Undecided;
    assert_eq!(follows, [undecided, undecided, undecided, Follows::Content]);
    // Of the pairs of orders one flips to no decision, one is missing, one decides nothing, one is the same.
    let flips = &found.order_flips;
    assert_eq!(
        (flips.pairs, flips.flips, flips.no_decision_flips),
        (2, 1, 1)
    );
    assert_eq!((flips.missing, flips.no_decision), (1, 1));
    // It has no direction.
    assert_eq!((flips.plus, flips.minus, flips.p), (0, 0, None));
    near_each(flips.if_missing.unwrap(), [1.0 / 3.0, 2.0 / 3.0]);
}

#[test]
fn answers_of_two_served_models_are_not_compared() {
    let plan = four(cases(2, 2), "keys:shuffled");
    let asked = outcomes(&plan, |case, order, keys| {
        let model = if case == 0 && order == 1 {
            "new"
        } else {
            "old"
        };
        // The first slot always.
        let _ = keys;
        served(u16::try_from(order).unwrap(), model)
    });
    let summary = told(&plan, asked, &gates(None));
    let found = slots(&summary, "shuffled");
    assert_eq!((found.decided, found.missing), (1, 1));
    assert_eq!(found.table[0].answers, [[Some(OptionId(0)); 2], [None; 2]]);
    assert_eq!(found.slot.cases, 1);
    // Both orders were never served by one model, both sets of keys were.
    assert_eq!((found.order_flips.pairs, found.order_flips.missing), (1, 1));
    assert_eq!(
        (found.key_flips.pairs, found.key_flips_other_order.pairs),
        (2, 2)
    );
    // The lost pair may be the same slot, or the same option twice, or one of two mixed ones.
    near_each(found.slot.if_missing.unwrap(), [0.5, 1.0]);
    near_each(found.content.if_missing.unwrap(), [0.0, 0.5]);
    near_each(found.keys.if_missing.unwrap(), [0.0, 0.0]);
    near_each(found.mixed.if_missing.unwrap(), [0.0, 0.5]);
}

#[test]
fn asks_that_were_not_made_leave_a_case_missing() {
    let plan = four(cases(2, 2), "keys:shuffled");
    let mut asked = outcomes(&plan, |_, _, _| chose(0));
    let last = asked.len() - 1;
    asked[last] = None;
    let summary = told(&plan, asked, &gates(None));
    let found = slots(&summary, "shuffled");
    assert_eq!((found.decided, found.missing), (1, 1));
    assert_eq!(found.order_flips_other_keys.missing, 1);
}
