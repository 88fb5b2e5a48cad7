//! Laws of comparisons.

use flipside_core::case::FieldValue;
use flipside_core::compare::{
    AnswerSet, By, CaseAnswers, Change, Comparison, DriftBetween, MeanDifference, Paired,
    RecordedAsk, SpreadDifference, Wanted, compare,
};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::{Axis, Variant};
use flipside_core::record::Outcome;
use proptest::prelude::*;

use super::sets::{
    PLAIN, case, chose, declined, failed, other, own, reversed, set, with_probabilities,
};

const K: usize = 3;

/// The comparison of two such runs, by level too.
fn compared(baseline: &AnswerSet, variant: &AnswerSet) -> Comparison {
    let by = ["level".to_owned()];
    let wanted = Wanted { by: &by, ..PLAIN };
    compare(baseline, variant, &wanted).unwrap()
}

/// An answer with or without probabilities, none, or a failure.
fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => (1_u16..50, 1_u16..50, 1_u16..50).prop_map(|(a, b, c)| {
            let [a, b, c] = [a, b, c].map(f64::from);
            let sum = a + b + c;
            with_probabilities(&[a / sum, b / sum, c / sum])
        }),
        2 => (0..3_u16).prop_map(chose),
        1 => Just(declined()),
        1 => Just(failed()),
    ]
}

/// Two runs over the same cases, each with the own order, the reversed one and a rotation.
fn runs() -> impl Strategy<Value = (AnswerSet, AnswerSet)> {
    let asks = || (outcome(), outcome(), outcome(), outcome());
    let one = (asks(), asks(), proptest::option::of(0..3_u16));
    proptest::collection::vec(one, 1..40).prop_map(|cases| {
        let make =
            |number: usize, accept: Option<u16>, asks: (Outcome, Outcome, Outcome, Outcome)| {
                let accept: Vec<u16> = accept.into_iter().collect();
                let rotated = other("rotate:1", Order::rotate(K, 1), asks.2);
                let renamed = RecordedAsk {
                    variant: Variant::on(Axis::Keys, "abstract").into(),
                    order: Order::own(K),
                    outcome: asks.3,
                };
                let mut case = case(&format!("c{number:02}"), K, &accept);
                let level = FieldValue::Text((number % 3).to_string());
                case.fields.push(("level".to_owned(), level));
                CaseAnswers {
                    case,
                    asks: vec![own(K, asks.0), reversed(K, asks.1), rotated, renamed],
                }
            };
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (number, (a, b, accept)) in cases.into_iter().enumerate() {
            first.push(make(number, accept, a));
            second.push(make(number, accept, b));
        }
        // One case that both answer, so that there is always something to compare.
        let sure = |asks| make(99, None, asks);
        first.push(sure((chose(0), chose(0), chose(0), chose(0))));
        second.push(sure((chose(0), chose(0), chose(0), chose(0))));
        (set(first), set(second))
    })
}

fn opposite(a: f64, b: f64) {
    assert!((a + b).abs() < 1e-9, "{a} {b}");
}

fn opposite_ends(a: [f64; 2], b: [f64; 2]) {
    opposite(a[0], b[1]);
    opposite(a[1], b[0]);
}

fn mirrored_pair(a: &Paired, b: &Paired) {
    assert_eq!((a.baseline, a.variant), (b.variant, b.baseline));
    assert_eq!(
        (a.both, a.neither, a.missing),
        (b.both, b.neither, b.missing)
    );
    assert_eq!(a.mcnemar_p, b.mcnemar_p);
    assert_eq!(a.pairs_needed, b.pairs_needed);
    if let (Some(a), Some(b)) = (a.difference, b.difference) {
        opposite(a, b);
    }
    if let (Some(a), Some(b)) = (a.difference_interval, b.difference_interval) {
        opposite_ends(a, b);
    }
}

fn mirrored_mean(a: Option<MeanDifference>, b: Option<MeanDifference>) {
    let (Some(a), Some(b)) = (a, b) else {
        assert_eq!(a, b);
        return;
    };
    opposite(a.difference, b.difference);
    // Betting ends are found by search.
    assert!((a.interval[0] + b.interval[1]).abs() < 1e-6);
    assert!((a.interval[1] + b.interval[0]).abs() < 1e-6);
}

fn mirrored_spread(a: &SpreadDifference, b: &SpreadDifference) {
    for (a, b) in [(a.median, b.median), (a.p95, b.p95)] {
        opposite(a.difference, b.difference);
        if let (Some(a), Some(b)) = (a.interval, b.interval) {
            opposite_ends(a, b);
        }
    }
}

fn mirrored_distance(a: &DriftBetween, b: &DriftBetween) {
    assert_eq!(
        (a.pairs, a.without_probabilities, a.reason),
        (b.pairs, b.without_probabilities, b.reason)
    );
    let measures = [
        (&a.total_variation, &b.total_variation),
        (&a.largest_change, &b.largest_change),
        (&a.jensen_shannon_bits, &b.jensen_shannon_bits),
    ];
    for (a, b) in measures {
        let values = [
            (a.mean, b.mean),
            (a.median, b.median),
            (a.largest, b.largest),
        ];
        for (a, b) in values {
            assert_eq!(a.is_some(), b.is_some());
            assert!((a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs() < 1e-12);
        }
        for (a, b) in [
            (a.mean_interval, b.mean_interval),
            (a.median_interval, b.median_interval),
        ] {
            let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
            // Betting ends are found by search.
            assert!((a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6);
        }
    }
}

fn mirrored_parts(a: &By, b: &By) {
    assert_eq!((a.tests, a.fields.len()), (b.tests, b.fields.len()));
    let values = a.fields.iter().flat_map(|field| &field.values);
    for (a, b) in values.zip(b.fields.iter().flat_map(|field| &field.values)) {
        assert_eq!(
            (&a.value, a.cases, a.answers),
            (&b.value, b.cases, b.answers)
        );
        let flips = a
            .orders
            .iter()
            .map(|(name, order)| (order.flips, b.orders[name].flips));
        for (a, b) in a.accuracy.into_iter().zip(b.accuracy).chain(flips) {
            mirrored_pair(&a.paired, &b.paired);
            assert_eq!((a.adjusted_p, a.flagged), (b.adjusted_p, b.flagged));
        }
    }
}

/// A comparison as JSON without the two sides' descriptions.
fn figures(comparison: &Comparison) -> serde_json::Value {
    let mut value = serde_json::to_value(comparison).unwrap();
    let members = value.as_object_mut().unwrap();
    members.remove("baseline");
    members.remove("variant");
    value
}

/// The same set with option `i` of every case renamed to identity `to[i]`.
fn relabelled(set: &AnswerSet, to: [u16; 3]) -> AnswerSet {
    let mut set = set.clone();
    let id = |id: OptionId| OptionId(to[id.index()]);
    for answers in &mut set.cases {
        let mut options = answers.case.options.clone();
        for (place, option) in answers.case.options.iter().enumerate() {
            options[usize::from(to[place])] = option.clone();
        }
        answers.case.options = options;
        answers.case.accept = answers.case.accept.iter().copied().map(id).collect();
        for ask in &mut answers.asks {
            if let Outcome::Answered(answer) = &mut ask.outcome {
                answer.choice = answer.choice.map(id);
                let moved = answer.probabilities.as_ref().map(|p| {
                    let mut moved = p.clone();
                    for (place, value) in p.iter().enumerate() {
                        moved[usize::from(to[place])] = *value;
                    }
                    moved
                });
                answer.probabilities = moved;
            }
        }
    }
    set
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn swapping_the_two_turns_every_difference_around((first, second) in runs()) {
        let (a, b) = (compared(&first, &second), compared(&second, &first));
        prop_assert_eq!(a.cases, b.cases);
        for (name, order) in &a.orders {
            let other = &b.orders[name];
            prop_assert_eq!(order.answers, other.answers);
            if let (Some(a), Some(b)) = (&order.flips, &other.flips) {
                mirrored_pair(a, b);
            }
            if let (Some(a), Some(b)) = (&order.accuracy, &other.accuracy) {
                mirrored_pair(a, b);
            }
            mirrored_distance(&order.drift, &other.drift);
            let ids = |changes: &[Change]| -> Vec<String> {
                changes.iter().map(|change| change.case.clone()).collect()
            };
            prop_assert_eq!(ids(&order.cases.regressed), ids(&other.cases.repaired));
            prop_assert_eq!(ids(&order.cases.repaired), ids(&other.cases.regressed));
            for (change, other) in order.cases.changed.iter().zip(&other.cases.changed) {
                let turned = (&other.case, &other.variant, &other.baseline, other.tie);
                prop_assert_eq!((&change.case, &change.baseline, &change.variant, change.tie), turned);
            }
        }
        for (name, line) in &a.axes {
            prop_assert_eq!(line.answers, b.axes[name].answers);
            mirrored_pair(&line.flips, &b.axes[name].flips);
        }
        mirrored_parts(&a.by, &b.by);
        let (a, b) = (a.all_orders, b.all_orders);
        prop_assert_eq!(a.answers, b.answers);
        mirrored_mean(a.accuracy, b.accuracy);
        mirrored_mean(a.disagreement, b.disagreement);
        mirrored_pair(&a.any_flip.shares.unwrap(), &b.any_flip.shares.unwrap());
        if let (Some(a), Some(b)) = (&a.drift, &b.drift) {
            mirrored_spread(&a.total_variation, &b.total_variation);
            mirrored_spread(&a.jensen_shannon_bits, &b.jensen_shannon_bits);
            if let (Some(a), Some(b)) = (&a.headroom, &b.headroom) {
                mirrored_spread(a, b);
            }
        }
    }

    #[test]
    fn the_order_of_cases_and_asks_changes_nothing((first, second) in runs(), turn in 1..40_usize) {
        let turned = |set: &AnswerSet, turn: usize| {
            let mut set = set.clone();
            let places = set.cases.len();
            set.cases.rotate_left(turn % places);
            set
        };
        let known = figures(&compared(&first, &second));
        let mut backwards = turned(&second, turn);
        backwards.cases.reverse();
        prop_assert_eq!(&figures(&compared(&turned(&first, turn), &backwards)), &known);
    }

    #[test]
    fn relabelling_options_changes_nothing((first, second) in runs()) {
        let known = compared(&first, &second);
        let to = [2, 0, 1];
        let other = compared(&relabelled(&first, to), &relabelled(&second, to));
        for (name, order) in &known.orders {
            prop_assert_eq!(order, &other.orders[name]);
        }
        prop_assert_eq!(known.axes, other.axes);
        prop_assert_eq!(known.by, other.by);
        prop_assert_eq!(known.all_orders.disagreement, other.all_orders.disagreement);
        prop_assert_eq!(known.all_orders.any_flip, other.all_orders.any_flip);
    }

    #[test]
    fn parts_and_names_add_up_to_the_whole((first, second) in runs()) {
        let found = compared(&first, &second);
        let own = &found.orders["own"];
        let values = &found.by.fields[0].values;
        let sum = |of: fn(&flipside_core::compare::ValueComparison) -> u64| -> u64 {
            values.iter().map(of).sum()
        };
        prop_assert_eq!(sum(|value| value.cases), found.cases.common);
        prop_assert_eq!(sum(|value| value.answers.share.count), own.answers.share.count);
        prop_assert_eq!(sum(|value| value.answers.share.of), own.answers.share.of);
        let right = own.accuracy.map_or(0, |paired| paired.variant_only);
        prop_assert_eq!(own.cases.repaired.len() as u64, right);
        let lost = own.accuracy.map_or(0, |paired| paired.baseline_only);
        prop_assert_eq!(own.cases.regressed.len() as u64, lost);
        prop_assert_eq!(own.cases.changed.len() as u64, own.answers.share.count);
        let rest = own.cases.changed.len() - own.cases.regressed.len() - own.cases.repaired.len();
        prop_assert_eq!(own.cases.lateral().count(), rest);
    }

    #[test]
    fn a_vacuous_case_changes_no_flip_rate((first, second) in runs(), choice in 0..1_u16) {
        let known = compared(&first, &second);
        let with = |set: &AnswerSet| {
            let mut set = set.clone();
            set.cases.push(CaseAnswers {
                case: case("vacuous", 1, &[0]),
                asks: vec![own(1, chose(choice))],
            });
            set
        };
        let other = compared(&with(&first), &with(&second));
        for (name, order) in known.orders.iter().skip(1) {
            prop_assert_eq!(order, &other.orders[name]);
        }
        prop_assert_eq!(known.all_orders.disagreement, other.all_orders.disagreement);
        prop_assert_eq!(known.all_orders.any_flip, other.all_orders.any_flip);
        prop_assert_eq!(known.all_orders.drift, other.all_orders.drift);
    }

    #[test]
    fn a_run_against_itself_differs_in_nothing((first, _) in runs()) {
        let comparison = compared(&first, &first);
        for order in comparison.orders.values() {
            prop_assert_eq!(order.answers.share.count, 0);
            let paired = order.flips.iter().chain(&order.accuracy);
            for paired in paired.filter(|paired| paired.of > 0) {
                prop_assert_eq!(paired.difference, Some(0.0));
                prop_assert_eq!(paired.mcnemar_p, Some(1.0));
                prop_assert_eq!(paired.pairs_needed, None);
            }
        }
    }
}
