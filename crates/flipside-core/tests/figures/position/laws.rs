//! Laws of position preference.

use flipside_core::order::Order;
use flipside_core::summary::Summary;
use proptest::prelude::*;

use super::run::{Say, Shape, summary};

/// Cases of 2 to 4 options with an accepted identity and what each of eight asks says.
type Drawn = Vec<(usize, Option<usize>, [Say; 8])>;

fn drawn() -> impl Strategy<Value = Drawn> {
    let say = prop_oneof![
        5 => (0..2_usize).prop_map(Say::At),
        5 => (0..2_usize).prop_map(Say::Is),
        1 => Just(Say::Nothing),
        1 => Just(Say::Fails),
    ];
    let one = (
        2..=4_usize,
        proptest::option::of(0..2_usize),
        proptest::array::uniform8(say),
    );
    proptest::collection::vec(one, 1..16)
}

fn shapes(drawn: &Drawn, sequence: &[usize], prefix: &'static str) -> Vec<Shape> {
    let shape = |&number: &usize| Shape {
        number,
        options: drawn[number].0,
        accept: drawn[number].1.into_iter().collect(),
        prefix,
    };
    sequence.iter().map(shape).collect()
}

/// What the ask says: by the order, so that one presentation has one answer.
fn answered(drawn: &Drawn, shapes: &[Shape], orders: &str) -> Summary {
    summary(shapes, orders, |case, _, order| match drawn.get(case) {
        Some((_, _, says)) => {
            says[order
                .identities()
                .iter()
                .fold(0, |sum, id| sum * 3 + id.index())
                % 8]
        }
        None => Say::Is(0),
    })
}

const ORDERS: [&str; 5] = [
    "check",
    "balanced",
    "rotate",
    "random:1",
    "reverse,random:2",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn permuting_cases_changes_nothing(drawn in drawn(), by in 0..16_usize, orders in 0..ORDERS.len()) {
        let forward: Vec<usize> = (0..drawn.len()).collect();
        let mut moved = forward.clone();
        moved.rotate_left(by % drawn.len());
        moved.reverse();
        let a = answered(&drawn, &shapes(&drawn, &forward, "k"), ORDERS[orders]);
        let b = answered(&drawn, &shapes(&drawn, &moved, "k"), ORDERS[orders]);
        prop_assert_eq!(a.position, b.position);
        prop_assert_eq!(a.fit.accepted_positions, b.fit.accepted_positions);
    }

    #[test]
    fn renaming_every_key_changes_nothing(drawn in drawn(), orders in 0..ORDERS.len()) {
        let forward: Vec<usize> = (0..drawn.len()).collect();
        let a = answered(&drawn, &shapes(&drawn, &forward, "k"), ORDERS[orders]);
        let b = answered(&drawn, &shapes(&drawn, &forward, "zeta"), ORDERS[orders]);
        prop_assert_eq!(a.position, b.position);
    }

    #[test]
    fn a_case_of_one_option_changes_nothing(drawn in drawn(), orders in 0..ORDERS.len(), more in 1..4_usize) {
        let forward: Vec<usize> = (0..drawn.len()).collect();
        let plain = shapes(&drawn, &forward, "k");
        let mut with = plain.clone();
        with.extend((0..more).map(|n| Shape { number: 1000 + n, options: 1, accept: vec![0], prefix: "k" }));
        let a = answered(&drawn, &plain, ORDERS[orders]);
        let b = answered(&drawn, &with, ORDERS[orders]);
        prop_assert_eq!(a.position, b.position);
    }

    #[test]
    fn writing_the_options_of_a_case_in_another_order_changes_no_share_over_all_orders(
        drawn in drawn(),
        sigma in Just(vec![0_u64, 1, 2, 3]).prop_shuffle(),
    ) {
        // The model answers what it is shown; the file now lists content `sigma[i]` as option `i`.
        let forward: Vec<usize> = (0..drawn.len()).collect();
        let cases = shapes(&drawn, &forward, "k");
        let relabel = |options: usize| -> Vec<usize> {
            sigma.iter().map(|&id| id as usize).filter(|&id| id < options).collect()
        };
        let run = |written: bool| summary(&cases, "all", |case, _, order: &Order| {
            let content: Vec<usize> = order.identities().iter().map(|id| {
                if written { relabel(order.len())[id.index()] } else { id.index() }
            }).collect();
            let says = drawn[case].2[content.iter().fold(0, |sum, id| sum * 3 + id) % 8];
            match says {
                // In terms of positions, since identities have changed.
                Say::Is(id) => Say::At(content.iter().position(|&shown| shown == id).unwrap()),
                said => said,
            }
        });
        let (a, b) = (run(false).position.unwrap(), run(true).position.unwrap());
        for (a, b) in a.by_options.iter().zip(&b.by_options) {
            // A failed own-order ask loses all its pairs elsewhere; here only the ask itself.
            prop_assert_eq!(&a.chosen, &b.chosen);
            prop_assert_eq!(&a.shares, &b.shares);
            prop_assert_eq!(&a.balanced, &b.balanced);
        }
        prop_assert_eq!(a.primacy, b.primacy);
    }

    #[test]
    fn every_ask_is_counted_once_and_every_number_is_in_range(drawn in drawn(), orders in 0..ORDERS.len()) {
        let forward: Vec<usize> = (0..drawn.len()).collect();
        let found = answered(&drawn, &shapes(&drawn, &forward, "k"), ORDERS[orders]).position.unwrap();
        for each in &found.by_options {
            prop_assert_eq!(each.answers + each.no_decision + each.missing, each.asks);
            prop_assert_eq!(each.chosen.iter().sum::<u64>(), each.answers);
            prop_assert!(each.p.is_none_or(|p| (0.0..=1.0).contains(&p)));
            prop_assert!(each.p_adjusted.map(|p| p + 1e-12) >= each.p);
            prop_assert!(each.balanced.is_none() || each.uniformity.is_none());
            if let Some(test) = &each.balanced {
                prop_assert_eq!(test.cases + test.left_out + test.no_decision, each.cases);
            }
            if let Some(test) = &each.uniformity {
                prop_assert_eq!(test.counts.iter().sum::<u64>() + test.left_out, each.cases);
            }
            for share in &each.shares {
                prop_assert!(share.interval[0] <= share.value + 1e-12 && share.value <= share.interval[1] + 1e-12);
            }
        }
    }
}
