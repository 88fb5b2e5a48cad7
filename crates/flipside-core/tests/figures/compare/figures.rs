//! Means, disagreement, any-flip shares and drift, worked by hand.

use flipside_core::compare::{AnswerSet, CaseAnswers};
use flipside_core::order::Order;
use flipside_core::record::Outcome;
use flipside_core::stats::Method;

use super::sets::{
    case, chose, compared, declined, failed, near, other, own, reversed, set, three,
    with_probabilities,
};

/// One case with its own order, the reversed one and a rotation.
fn orders(id: &str, answers: [Outcome; 3]) -> CaseAnswers {
    let [first, second, third] = answers;
    CaseAnswers {
        case: case(id, 3, &[0]),
        asks: vec![
            own(3, first),
            reversed(3, second),
            other("rotate:1", Order::rotate(3, 1), third),
        ],
    }
}

fn rotated(answers: &[[u16; 3]]) -> AnswerSet {
    let cases = answers
        .iter()
        .enumerate()
        .map(|(number, answers)| orders(&format!("c{number}"), answers.map(chose)));
    set(cases.collect())
}

#[test]
fn means_over_orders_weigh_cases_and_not_asks() {
    // Right shares 1, 1/3, 2/3 against 1, 1, 0; disagreements 0, 1, 2/3 against 0, 0, 2/3.
    let baseline = rotated(&[[0, 0, 0], [0, 1, 2], [0, 0, 1]]);
    let variant = rotated(&[[0, 0, 0], [0, 0, 0], [1, 1, 2]]);
    let all = compared(&baseline, &variant).all_orders;
    let accuracy = all.accuracy.unwrap();
    near(accuracy.baseline, 2.0 / 3.0);
    near(accuracy.variant, 2.0 / 3.0);
    near(accuracy.difference, 0.0);
    assert_eq!(
        (accuracy.cases, accuracy.asks, accuracy.differing),
        (3, 9, 2)
    );
    let disagreement = all.disagreement.unwrap();
    near(disagreement.baseline, 5.0 / 9.0);
    near(disagreement.variant, 2.0 / 9.0);
    near(disagreement.difference, -1.0 / 3.0);
    // Answers differ in 0 of 3, 2 of 3 and 3 of 3 orders.
    let answers = all.answers.unwrap();
    assert_eq!((answers.count, answers.of, answers.cases), (5, 9, 3));
    near(answers.mean, 5.0 / 9.0);
    let any = all.any_flip.shares.unwrap();
    assert_eq!((any.baseline.count, any.variant.count, any.of), (2, 1, 3));
    assert_eq!(all.any_flip.orders, Some(3));
}

#[test]
fn a_difference_without_spread_has_a_betting_interval_and_not_a_collapsed_bootstrap() {
    // 50 cases of difference 0 have the interval of 50 zeros of the statistics page, 4.4, where 0.102927 bounds zeros
    // from one side; around one half it is wider and has the same middle.
    let same = rotated(&[[0, 0, 0]; 50]);
    let disagreement = compared(&same, &same).all_orders.disagreement.unwrap();
    assert_eq!(disagreement.interval_method, Method::Betting);
    let [lower, upper] = disagreement.interval;
    assert!(lower < -0.05 && upper > 0.05, "{lower} {upper}");
    near(lower + upper, 0.0);
    // All cases change alike: resamples would all say exactly -1.
    let (flips, none) = (rotated(&[[0, 1, 2]; 50]), rotated(&[[0, 0, 0]; 50]));
    let disagreement = compared(&flips, &none).all_orders.disagreement.unwrap();
    assert_eq!(disagreement.interval_method, Method::Betting);
    near(disagreement.difference, -1.0);
    // Values in 0..=1 after halving: one minus 0.102927, twice, minus one.
    let upper = -1.0 + 2.0 * 0.102_927;
    assert!((disagreement.interval[1] - upper).abs() < 2e-6);
}

#[test]
fn a_difference_with_spread_is_bootstrapped_around_its_value() {
    let mut first = vec![[0, 0, 0]; 20];
    first.extend(vec![[0, 1, 2]; 20]);
    let mut second = vec![[0, 0, 0]; 30];
    second.extend(vec![[0, 0, 1]; 10]);
    let disagreement = compared(&rotated(&first), &rotated(&second))
        .all_orders
        .disagreement;
    let found = disagreement.unwrap();
    assert_eq!(found.interval_method, Method::ClusterBootstrap);
    // 20 zeros, 10 of -1, 10 of -1/3: mean -1/3, sd 0.4140 by hand, so about 0.0655 for the mean of 40.
    near(found.difference, -1.0 / 3.0);
    let [lower, upper] = found.interval;
    let se: f64 = ((20.0 / 9.0 + 10.0 * 4.0 / 9.0) / 40.0 / 40.0_f64).sqrt();
    assert!(
        (lower - (found.difference - 1.96 * se)).abs() < 0.02,
        "{lower}"
    );
    assert!(
        (upper - (found.difference + 1.96 * se)).abs() < 0.02,
        "{upper}"
    );
}

#[test]
fn any_flip_shares_are_compared_over_the_same_orders_only() {
    // One asked three orders and one two: the share is over the two that both asked.
    let mut many = rotated(&[[0, 0, 1]]);
    let two = three(&[(Some(0), chose(0), chose(0))]);
    many.cases[0].case = two.cases[0].case.clone();
    let comparison = compared(&two, &many);
    assert_eq!(comparison.orders_only_variant, ["rotate:1"]);
    let any = comparison.all_orders.any_flip;
    assert_eq!(
        (any.orders, any.shares.unwrap().variant.count),
        (Some(2), 0)
    );
    // One name, another order in the second case: neither the cases' orders nor their numbers are the same.
    let random = |second: &[Order]| {
        let make = |id: &str, orders: &[Order]| {
            let drawn = orders.iter().zip(1..);
            let others =
                drawn.map(|(order, n)| other(&format!("random:{n}"), order.clone(), chose(1)));
            CaseAnswers {
                case: case(id, 3, &[]),
                asks: std::iter::once(own(3, chose(0))).chain(others).collect(),
            }
        };
        set(vec![
            make("a", &[Order::reverse(3), Order::rotate(3, 1)]),
            make("b", second),
        ])
    };
    let reason = |first: &[Order], second: &[Order]| {
        let any = compared(&random(first), &random(second))
            .all_orders
            .any_flip;
        assert_eq!((any.orders, any.shares), (None, None));
        any.reason.unwrap()
    };
    let (left, right) = (Order::rotate(3, 1), Order::rotate(3, 2));
    assert_eq!(
        reason(std::slice::from_ref(&left), std::slice::from_ref(&right)),
        "case `b` was asked in different orders by each"
    );
    assert_eq!(
        reason(std::slice::from_ref(&left), &[left.clone(), right]),
        "case `b` was asked in 2 orders by the baseline and in 3 by the variant, and the share grows with that number"
    );
}

#[test]
fn drift_is_that_of_each_side_and_its_difference() {
    // The worked example of the statistics page, 8: total variation 0.2, 0.031597 bits, headroom 0.821879.
    let moved = || {
        (
            Some(0),
            with_probabilities(&[0.7, 0.2, 0.1]),
            with_probabilities(&[0.5, 0.3, 0.2]),
        )
    };
    let still = || {
        (
            Some(0),
            with_probabilities(&[0.7, 0.2, 0.1]),
            with_probabilities(&[0.7, 0.2, 0.1]),
        )
    };
    let baseline = three(&[moved(), moved(), moved()]);
    let variant = three(&[still(), still(), moved()]);
    let drift = compared(&baseline, &variant).all_orders.drift.unwrap();
    assert_eq!(
        (drift.cases, drift.pairs, drift.without_probabilities),
        (3, 3, 0)
    );
    near(drift.total_variation.median.baseline, 0.2);
    near(drift.total_variation.median.variant, 0.0);
    near(drift.total_variation.median.difference, -0.2);
    // Between the second and the third of 0, 0, 0.2, nine tenths of the way.
    near(drift.total_variation.p95.variant, 0.18);
    near(drift.jensen_shannon_bits.median.baseline, 0.031_597);
    near(drift.headroom.as_ref().unwrap().median.baseline, 0.821_879);
    assert_eq!(drift.total_variation.median.interval, None);
    assert_eq!(
        drift.total_variation.reason.as_deref(),
        Some("fewer than 10 cases differ, and resamples of them say nothing")
    );
}

#[test]
fn drift_over_enough_cases_has_an_interval_that_holds_its_difference() {
    let at = |p: f64| with_probabilities(&[p, 1.0 - p]);
    let make = |step: f64| {
        let cases = (0..40_u32).map(|number| CaseAnswers {
            case: case(&format!("d{number:02}"), 2, &[]),
            asks: vec![
                own(2, at(0.9)),
                reversed(2, at(0.9 - step * f64::from(number))),
            ],
        });
        set(cases.collect())
    };
    let drift = compared(&make(0.001), &make(0.003))
        .all_orders
        .drift
        .unwrap();
    let median = &drift.total_variation.median;
    // Total variation of two options is the change itself: medians 19.5 steps.
    near(median.difference, 19.5 * 0.002);
    let [lower, upper] = median.interval.unwrap();
    assert!(lower < median.difference && median.difference < upper);
    assert!(lower > 0.0, "{lower}");
    assert_eq!(drift.total_variation.reason, None);
    assert_eq!(drift.total_variation.differing, 39);
}

#[test]
fn a_side_without_probabilities_has_no_drift_to_compare() {
    let with = three(&[(
        None,
        with_probabilities(&[0.7, 0.2, 0.1]),
        with_probabilities(&[0.7, 0.2, 0.1]),
    )]);
    let without = three(&[(None, chose(0), chose(0))]);
    assert_eq!(compared(&with, &without).all_orders.drift, None);
}

#[test]
fn zeros_and_ties_leave_headroom_undefined_and_are_counted() {
    let zero = three(&[(
        None,
        with_probabilities(&[1.0, 0.0, 0.0]),
        with_probabilities(&[0.9, 0.1, 0.0]),
    )]);
    let drift = compared(&zero, &zero).all_orders.drift.unwrap();
    assert_eq!((drift.headroom, drift.headroom_undefined), (None, 1));
}

#[test]
fn declining_is_an_answer_and_declining_twice_is_no_pair() {
    let baseline = three(&[
        (Some(0), chose(0), declined()),
        (Some(0), declined(), declined()),
        (Some(0), chose(0), chose(0)),
    ]);
    let variant = three(&[
        (Some(0), chose(0), chose(0)),
        (Some(0), chose(0), chose(0)),
        (Some(0), chose(0), failed()),
    ]);
    let comparison = compared(&baseline, &variant);
    let flips = comparison.orders["reverse"].flips.unwrap();
    assert_eq!((flips.of, flips.no_decision, flips.missing), (1, 1, 1));
    assert_eq!((flips.baseline.count, flips.variant.count), (1, 0));
    // Own order: declined against right is a difference and a wrong answer.
    let own = &comparison.orders["own"];
    assert_eq!((own.answers.share.count, own.answers.share.of), (1, 3));
    let accuracy = own.accuracy.unwrap();
    assert_eq!((accuracy.baseline.count, accuracy.variant.count), (2, 3));
    // Neither decided in the first two reversed asks of the baseline, but the variant did.
    let answers = &comparison.orders["reverse"].answers;
    assert_eq!((answers.share.count, answers.share.of), (2, 2));
    assert_eq!(comparison.orders["reverse"].left_out.failed_variant, 1);
    let both = compared(&baseline, &baseline);
    assert_eq!(both.orders["own"].answers.no_decision, 1);
    let any = comparison.all_orders.any_flip.shares.unwrap();
    assert_eq!((any.of, any.no_decision, any.missing), (1, 1, 1));
}
