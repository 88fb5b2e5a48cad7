//! What holds for figures of any answers.

use flipside_core::measure::Said;
use flipside_core::suite::figures::{Answered, RowAnswer, SuiteFigures};
use flipside_core::suite::{GeneratedRow, SuiteCase};
use proptest::prelude::*;

use super::{at, cases, rows};

/// One digit a row: a place, or one of the ways not to decide.
fn said(digit: u8, row: &GeneratedRow) -> RowAnswer {
    let options = row.suite.row.canonical.len();
    match digit {
        0 => RowAnswer {
            said: Said::Missing,
            ..RowAnswer::UNASKED
        },
        1 => RowAnswer {
            said: Said::Nothing,
            ..RowAnswer::UNASKED
        },
        2 => RowAnswer::UNASKED,
        digit => at(usize::from(digit) % options),
    }
}

fn of(rows: &[GeneratedRow], answers: &[RowAnswer], order: &[usize]) -> SuiteFigures {
    let shuffled: Vec<RowAnswer> = order.iter().map(|&place| answers[place].clone()).collect();
    let rows: Vec<SuiteCase> = order
        .iter()
        .map(|&place| rows[place].suite.clone())
        .collect();
    Answered::new(&rows, &shuffled).figures()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_the_rows_changes_no_figure(
        digits in prop::collection::vec(0_u8..20, 480),
        order in Just((0..480_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let rows = rows();
        let answers: Vec<RowAnswer> = digits.iter().zip(&rows).map(|(d, row)| said(*d, row)).collect();
        let own: Vec<usize> = (0..480).collect();
        prop_assert_eq!(of(&rows, &answers, &own), of(&rows, &answers, &order));
    }

    #[test]
    fn families_add_up_to_the_whole_and_every_row_is_counted_once(
        digits in prop::collection::vec(0_u8..20, 480),
    ) {
        let rows = rows();
        let answers: Vec<RowAnswer> = digits.iter().zip(&rows).map(|(d, row)| said(*d, row)).collect();
        let cases = cases(&rows);
        let answered = Answered::new(&cases, &answers);
        let (all, families) = (answered.figures(), answered.by_family());
        let sum = |of: &dyn Fn(&SuiteFigures) -> u64| families.values().map(of).sum::<u64>();
        prop_assert_eq!(sum(&|f| f.accuracy.hits), all.accuracy.hits);
        prop_assert_eq!(sum(&|f| f.order.share.hits), all.order.share.hits);
        prop_assert_eq!(sum(&|f| f.phrasing["p0-p2"].share.of), all.phrasing["p0-p2"].share.of);
        let accuracy = &all.accuracy;
        prop_assert_eq!(accuracy.of + accuracy.missing + accuracy.unasked, 480);
        let order = &all.order;
        let share = &order.share;
        let pairs = share.of + share.missing + share.unasked + share.no_decision;
        prop_assert_eq!(pairs + order.vacuous, 240);
        prop_assert_eq!(
            all.accuracy_forward.hits + all.accuracy_reversed.hits,
            accuracy.hits
        );
        if let (Some(rate), Some([lower, upper])) = (accuracy.rate, accuracy.interval) {
            prop_assert!(lower <= rate && rate <= upper);
        }
    }
}
