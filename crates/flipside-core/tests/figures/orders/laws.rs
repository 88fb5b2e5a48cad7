//! Laws of the figures across all orders.

use flipside_core::summary::Orders;
use proptest::prelude::*;

use super::support::{Row, Said, summary};

/// Cases of 2 to 4 options with six answers each; a case that has fewer orders uses fewer.
fn drawn() -> impl Strategy<Value = Vec<Row>> {
    let said = prop_oneof![
        6 => (0..4_usize).prop_map(Said::Chose),
        3 => (0..4_usize).prop_map(|choice| Said::With(choice, Vec::new())),
        1 => Just(Said::Nothing),
        1 => Just(Said::Failed),
        1 => Just(Said::Unasked),
    ];
    let one = (
        2..=4_usize,
        proptest::option::of(0..4_usize),
        proptest::collection::vec(said, 6),
    );
    let row = |(name, (options, accept, said)): (usize, (usize, Option<usize>, Vec<Said>))| Row {
        name,
        options,
        accept: accept.into_iter().map(|option| option % options).collect(),
        said: said.into_iter().map(|said| fitted(said, options)).collect(),
    };
    proptest::collection::vec(one, 1..28)
        .prop_map(move |cases| cases.into_iter().enumerate().map(row).collect())
}

/// What was said, within the options there are; probabilities add up exactly.
fn fitted(said: Said, options: usize) -> Said {
    match said {
        Said::Chose(choice) => Said::Chose(choice % options),
        Said::With(choice, _) => {
            let rest = [0.0, 0.0, 0.25, 0.125, 0.125][options];
            let mut probabilities = vec![rest; options];
            probabilities[choice % options] = 1.0 - rest * (options - 1) as f64;
            Said::With(choice % options, probabilities)
        }
        said => said,
    }
}

fn of(rows: &[Row], prefix: &str) -> Option<Orders> {
    summary(rows, "reverse,rotate,random:1", prefix)
        .orders
        .map(|orders| *orders)
}

/// The rows with every identity moved by one, answers and accepted options alike.
fn relabelled(rows: &[Row]) -> Vec<Row> {
    let moved = |rows: &Row, option: usize| (option + 1) % rows.options;
    rows.iter()
        .map(|row| Row {
            accept: row
                .accept
                .iter()
                .map(|&option| moved(row, option))
                .collect(),
            said: row
                .said
                .iter()
                .map(|said| match said {
                    Said::Chose(choice) => Said::Chose(moved(row, *choice)),
                    Said::With(choice, probabilities) => {
                        let mut probabilities = probabilities.clone();
                        probabilities.rotate_right(1);
                        Said::With(moved(row, *choice), probabilities)
                    }
                    said => said.clone(),
                })
                .collect(),
            ..row.clone()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn permuting_cases_changes_no_figure_across_orders(rows in drawn(), by in 0..28_usize) {
        let mut moved = rows.clone();
        moved.rotate_left(by % rows.len());
        moved.reverse();
        prop_assert_eq!(of(&rows, "k"), of(&moved, "k"));
    }

    #[test]
    fn relabelling_options_or_keys_changes_no_figure_across_orders(rows in drawn()) {
        prop_assert_eq!(of(&rows, "k"), of(&rows, "zeta"));
        let (mut a, mut b) = (of(&rows, "k"), of(&relabelled(&rows), "k"));
        // Which key takes how much is what Fleiss' chance is made of; moving every case's options alike keeps it, up to
        // the order of its sum.
        for found in [&mut a, &mut b].into_iter().flatten() {
            let fleiss = &mut found.agreement.chance_adjusted.fleiss;
            for value in [&mut fleiss.value, &mut fleiss.observed, &mut fleiss.chance] {
                *value = value.map(|value| (value * 1e9).round());
            }
            fleiss.interval = None;
        }
        prop_assert_eq!(a, b);
    }

    #[test]
    fn a_vacuous_case_changes_no_figure_across_orders(rows in drawn(), vacuous in 1..4_usize) {
        let mut more = rows.clone();
        more.extend((0..vacuous).map(|place| Row {
            name: 1000 + place,
            options: 1,
            accept: vec![0],
            said: vec![Said::Chose(0)],
        }));
        prop_assert_eq!(of(&rows, "k"), of(&more, "k"));
    }

    #[test]
    fn what_is_counted_adds_up_and_the_disagreement_lies_where_the_any_flip_share_allows(rows in drawn()) {
        let Some(found) = of(&rows, "k") else { return Ok(()); };
        let agreement = &found.agreement;
        prop_assert_eq!(agreement.cases + agreement.no_decision + agreement.too_few_answers, found.cases);
        prop_assert!(agreement.any_flip.count + agreement.any_flip_open <= agreement.cases);
        prop_assert!(agreement.allowed.is_none_or(|allowed| allowed.holds));
        if let (Some(disagreement), Some(orders), Some(rate)) =
            (agreement.pairwise_disagreement.value, agreement.orders, agreement.any_flip.rate)
        {
            prop_assert!(2.0 * rate / orders.most as f64 <= disagreement + 1e-9);
            prop_assert!(disagreement <= rate + 1e-9, "no case disagrees more than it flips");
            let [low, high] = agreement.pairwise_disagreement.interval.unwrap();
            prop_assert!(low <= disagreement + 1e-9 && disagreement <= high + 1e-9);
        }
        for floor in &found.noise_floor {
            let orders = floor.orders.len() as u64;
            prop_assert_eq!(floor.order_pairs + floor.order_pairs_without_rate, orders * (orders - 1) / 2);
            for pair in &floor.pairs {
                prop_assert!(pair.flips <= pair.pairs);
                prop_assert!(pair.pairs + pair.missing + pair.no_decision <= floor.cases);
            }
        }
    }
}
