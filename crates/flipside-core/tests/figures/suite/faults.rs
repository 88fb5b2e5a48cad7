//! The two wrong comparisons of the first published harness, made on purpose, beside ours.
//!
//! The card withdrew figures that came of reading the place of a level in a reversed list through the forward one, and of
//! comparing renamed keys as strings. Both are written out here, on models whose behaviour is known.

use flipside_core::case::QuestionKind;
use flipside_core::suite::figures::{RowAnswer, SuiteFigures};
use flipside_core::suite::{GeneratedRow, KeyVariant, RowOrder};
use serde_json::Value;

use super::{OPTIONS, answers, figures, place, rows};
use crate::made::id;

/// What the wrong harness makes of answers.
#[derive(Debug, PartialEq, Eq)]
struct Wrong {
    order_flips: u64,
    key_flips: u64,
    right: u64,
}

/// The names as a row shows them, and the accepted one.
fn gold(row: &GeneratedRow) -> (Vec<String>, String) {
    let row: Value = serde_json::from_str(&row.json.to_text()).unwrap();
    let gold: Value = serde_json::from_str(row["gold"].as_str().unwrap()).unwrap();
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let options = gold["options"].as_array().unwrap().iter().map(text);
    (options.collect(), text(&gold["label"]))
}

/// The answer as the wrong harness reads it: a choice by its key, a level by its place in the forward list.
fn wrongly_read(rows: &[GeneratedRow], row: usize, place: usize) -> String {
    let this = &rows[row].suite;
    let listed = if this.case.question.kind == QuestionKind::Score {
        rows.iter().find(|other| {
            let (other, this) = (&other.suite.row, &this.row);
            other.order == RowOrder::Forward
                && (&other.base, other.phrasing, other.keys)
                    == (&this.base, this.phrasing, this.keys)
        })
    } else {
        rows.get(row)
    };
    gold(listed.unwrap()).0[place].clone()
}

fn wrongly(rows: &[GeneratedRow], places: impl Fn(&GeneratedRow) -> usize) -> Wrong {
    let labels: Vec<String> = (rows.iter().enumerate())
        .map(|(place, row)| wrongly_read(rows, place, places(row)))
        .collect();
    let flips = |is_pair: &dyn Fn(&GeneratedRow, &GeneratedRow) -> bool| {
        let mut flips = 0;
        for (one, label) in rows.iter().zip(&labels) {
            for (other, renamed) in rows.iter().zip(&labels) {
                flips += u64::from(is_pair(one, other) && label != renamed);
            }
        }
        flips
    };
    let alike = |one: &GeneratedRow, other: &GeneratedRow| {
        let (one, other) = (&one.suite.row, &other.suite.row);
        (&one.base, one.phrasing) == (&other.base, other.phrasing)
    };
    let turned = |one: &GeneratedRow, other: &GeneratedRow| {
        let (a, b) = (&one.suite.row, &other.suite.row);
        let orders = (a.order, b.order) == (RowOrder::Forward, RowOrder::Reversed);
        alike(one, other) && a.keys == b.keys && orders
    };
    let renamed = |one: &GeneratedRow, other: &GeneratedRow| {
        let (a, b) = (&one.suite.row, &other.suite.row);
        let keys = (a.keys, b.keys) == (KeyVariant::Semantic, KeyVariant::Abstract);
        alike(one, other) && a.order == b.order && keys
    };
    let right = rows
        .iter()
        .zip(&labels)
        .filter(|(row, label)| gold(row).1 == **label);
    Wrong {
        order_flips: flips(&turned),
        key_flips: flips(&renamed),
        right: right.count() as u64,
    }
}

fn counts(found: &SuiteFigures) -> Wrong {
    let order = found.order_with_vacuous.as_ref().unwrap();
    Wrong {
        order_flips: order.share.hits,
        key_flips: found.keys.as_ref().unwrap().share.hits,
        right: found.accuracy.hits,
    }
}

/// Ours and the wrong harness's figures of a model that answers by `place` in the row's own list.
fn both(place: impl Fn(&GeneratedRow) -> usize) -> (Wrong, Wrong) {
    let rows = rows();
    let said: Vec<RowAnswer> = rows.iter().map(|row| super::at(place(row))).collect();
    (counts(&figures(&rows, &said)), wrongly(&rows, place))
}

#[test]
fn a_model_that_is_always_right_is_called_a_quarter_flipped_by_the_first_harness_and_not_by_ours() {
    let (ours, wrong) = both(|row| place(&row.suite.row, row.suite.row.accept));
    let perfect = Wrong {
        order_flips: 0,
        key_flips: 0,
        right: 480,
    };
    assert_eq!(ours, perfect);
    // All 60 pairs of urgency seem to flip, since no place of four is its own mirror image, and its 60 reversed rows seem
    // wrong; all 180 renamed pairs seem to flip, since no name is an alias.
    let seen = Wrong {
        order_flips: 60,
        key_flips: 180,
        right: 420,
    };
    assert_eq!(wrong, seen);
}

#[test]
fn a_stable_model_that_is_often_wrong_flips_nowhere_in_ours() {
    let (ours, wrong) = both(|row| {
        let row = &row.suite.row;
        place(row, id(1 % row.canonical.len()))
    });
    // Identity 1 is accepted in base cases 1, 5 and 9 of each family of four options, and in five of safety_gate: 14 of 12 rows.
    assert_eq!(
        (ours.order_flips, ours.key_flips, ours.right),
        (0, 0, 14 * 12)
    );
    assert_eq!((wrong.order_flips, wrong.key_flips), (60, 180));
}

#[test]
fn levels_that_always_flip_look_stable_to_the_first_harness_and_not_to_ours() {
    let first = |row: &GeneratedRow| match row.suite.case.question.kind {
        QuestionKind::Score => 0,
        _ => place(&row.suite.row, row.suite.row.accept),
    };
    let (ours, wrong) = both(first);
    // The first place is the lowest level forward and the highest reversed, in all 60 pairs.
    assert_eq!((ours.order_flips, wrong.order_flips), (60, 0));
}

#[test]
fn a_rename_that_moves_the_answer_to_the_option_with_the_old_ones_number_is_a_flip() {
    // From the option called name0 to the option called A2: another option, whatever the strings look like.
    let rows = rows();
    let said = answers(&rows, |row| {
        let chosen = usize::from(row.keys == KeyVariant::Abstract);
        place(row, id(chosen))
    });
    let found = figures(&rows, &said);
    assert_eq!(found.keys.unwrap().share.hits, 180);
    assert_eq!(found.order.share.hits, 0);
    assert_eq!(OPTIONS, 4);
}
