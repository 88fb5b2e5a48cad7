//! Laws of orders, plans, alignment and figures.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "small counts, and numbers passed through unchanged"
)]

use flipside_core::answer::{self, Answer, Reported};
use flipside_core::case::Case;
use flipside_core::gate::Gates;
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{Summary, Verdict};
use proptest::prelude::*;

use crate::common;
use crate::made::{failed, id, keys, plan};

fn case(number: usize, options: usize, accept: Option<usize>, prefix: &str) -> Case {
    Case {
        accept: accept
            .map(|accept| id(accept % options))
            .into_iter()
            .collect(),
        ..common::case(number, keys(prefix, options))
    }
    .checked()
    .unwrap()
}

/// What an ask of a drawn run answers: an option, nothing, or a failure.
#[derive(Clone, Copy, Debug)]
enum Said {
    Chose(usize, bool),
    Nothing,
    Failed,
}

fn asked(said: Said, options: usize) -> Asked {
    common::asked(match said {
        Said::Chose(option, tied) => Outcome::Answered(Answer {
            choice: Some(id(option % options)),
            tied,
            ..Answer::default()
        }),
        Said::Nothing => Outcome::Answered(Answer::default()),
        Said::Failed => failed(),
    })
}

/// Cases of 2 to 5 options with what each of their five asks says.
type Drawn = Vec<(usize, Option<usize>, [Said; 5])>;

fn drawn() -> impl Strategy<Value = Drawn> {
    let said = prop_oneof![
        8 => (0..5_usize, any::<bool>()).prop_map(|(id, tied)| Said::Chose(id, tied)),
        1 => Just(Said::Nothing),
        1 => Just(Said::Failed),
    ];
    let one = (
        2..=5_usize,
        proptest::option::of(0..5_usize),
        proptest::array::uniform5(said),
    );
    proptest::collection::vec(one, 1..24)
}

/// The summary of a drawn run, its cases in `sequence`, keys beginning with `prefix`, and `vacuous` one-option cases added.
fn summary(
    drawn: &Drawn,
    sequence: &[usize],
    prefix: &str,
    vacuous: usize,
    strict: bool,
) -> Summary {
    let mut cases: Vec<Case> = sequence
        .iter()
        .map(|&n| case(n, drawn[n].0, drawn[n].1, prefix))
        .collect();
    cases.extend((0..vacuous).map(|n| case(1000 + n, 1, None, prefix)));
    let plan = plan(cases, "reverse,rotate:1,random:1,same:1");
    let answers: Vec<Option<Asked>> = plan
        .asks
        .iter()
        .map(|ask| {
            let case = plan.case_of(ask);
            let number: usize = case.id.0[1..].parse().unwrap();
            let said = match drawn.get(number) {
                Some((_, _, said)) => said[ask.variant as usize],
                None => Said::Chose(0, false),
            };
            Some(asked(said, case.options.len()))
        })
        .collect();
    crate::made::summary(&plan, answers, &Gates::resolve(&[], true, &[], strict))
}

fn order(options: usize) -> impl Strategy<Value = Order> {
    Just((0..options as u64).collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(|row| Order::new(&row).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn an_order_and_its_inverse_cancel(order in (1..9_usize).prop_flat_map(order)) {
        prop_assert!(order.compose(&order.inverse()).is_own());
        prop_assert!(order.inverse().compose(&order).is_own());
        prop_assert_eq!(order.inverse().inverse(), order);
    }

    #[test]
    fn an_answer_is_aligned_to_one_identity_whatever_the_order(
        (order, other, chosen) in (2..8_usize).prop_flat_map(|n| (order(n), order(n), 0..n))
    ) {
        let case = case(0, order.len(), None, "k");
        let key = format!("k{chosen}");
        for order in [&order, &other] {
            let shown = Presentation::new(&case, order);
            let mut reports: Vec<(&str, f64)> = Vec::new();
            for option in shown.options() {
                let p = if option.key.0 == key { 0.5 } else { 0.5 / (order.len() - 1) as f64 };
                reports.push((option.key.0.as_str(), p));
            }
            reports.rotate_left(1);
            let reported = Reported { choice: None, probabilities: Some(reports), confidence: None };
            let aligned = answer::choice(&shown, &reported).unwrap();
            let probabilities = aligned.probabilities.unwrap();
            prop_assert_eq!(probabilities[chosen], 0.5);
            if order.len() > 2 {
                prop_assert_eq!(aligned.choice, Some(OptionId(chosen as u16)));
            } else {
                prop_assert!(aligned.tied);
                prop_assert_eq!(aligned.choice, Some(OptionId(0)), "a tie goes to the lowest identity");
            }
        }
    }

    #[test]
    fn a_lost_answer_never_creates_stable(drawn in drawn(), at in 0..24_usize, ask in 0..5_usize, strict: bool) {
        let forward: Vec<usize> = (0..drawn.len()).collect();
        let before = summary(&drawn, &forward, "k", 0, strict);
        let mut lost = drawn.clone();
        lost[at % drawn.len()].2[ask] = Said::Failed;
        let after = summary(&lost, &forward, "k", 0, strict);
        for (name, line) in &before.axes["order"] {
            // An answer that decided nothing left the denominator; losing it may settle what it left undecided.
            let decided = line.figure.no_decision == after.axes["order"][name].figure.no_decision;
            if line.figure.verdict != Verdict::Stable && decided {
                prop_assert_ne!(&after.axes["order"][name].figure.verdict, &Verdict::Stable, "{}", name);
            }
        }
    }

    #[test]
    fn every_pair_is_counted_once(drawn in drawn()) {
        let forward: Vec<usize> = (0..drawn.len()).collect();
        let summary = summary(&drawn, &forward, "k", 1, false);
        for line in summary.axes["order"].values() {
            let figure = &line.figure;
            prop_assert_eq!(figure.pairs + figure.missing + figure.unasked + figure.no_decision, figure.applicable);
            prop_assert_eq!(figure.firm_flips.unwrap() + figure.tie_flips.unwrap(), figure.flips.unwrap());
            prop_assert!(line.position_following <= figure.flips.unwrap());
            prop_assert!(line.moved_flips <= line.moved);
            prop_assert_eq!(figure.rate.is_none(), figure.pairs == 0);
            if let Some(rate) = figure.rate {
                prop_assert!(figure.lower.unwrap() <= rate && rate <= figure.upper.unwrap() + 1e-12);
            }
        }
        let counts = &summary.counts;
        prop_assert_eq!(counts.answered + counts.failed + counts.unasked, counts.asks);
    }
}

#[test]
fn drawn_orders_of_a_case_do_not_depend_on_other_cases_or_their_order() {
    let orders_of_two = |numbers: &[usize]| {
        let cases = numbers.iter().map(|&n| case(n, 4, None, "k")).collect();
        let plan = plan(cases, "random:3");
        let of_two = plan
            .asks
            .iter()
            .filter(|ask| plan.case_of(ask).id.0 == "c2");
        of_two.map(|ask| ask.order.clone()).collect::<Vec<_>>()
    };
    assert_eq!(orders_of_two(&[2]), orders_of_two(&[0, 1, 2, 3]));
    assert_eq!(orders_of_two(&[2]), orders_of_two(&[7, 2, 1]));
}
