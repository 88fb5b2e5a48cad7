//! Other axes than the order, and cases whose orders are not on record.

use flipside_core::compare::{AnswerSet, CaseAnswers, RecordedAsk};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::{Axis, Variant};
use flipside_core::record::Outcome;

use super::sets::{case, chose, compared, declined, failed, near, own, reversed, served, set};

fn on(axis: Axis, name: &str, order: Order, outcome: Outcome) -> RecordedAsk {
    RecordedAsk {
        variant: Variant::on(axis, name).into(),
        order,
        outcome,
    }
}

fn keys(outcome: Outcome) -> RecordedAsk {
    on(Axis::Keys, "abstract", Order::own(3), outcome)
}

/// Cases of three options, each with its own order and what `asks` says beside it.
fn cases(asks: Vec<(u16, Vec<RecordedAsk>)>) -> AnswerSet {
    let cases = asks
        .into_iter()
        .enumerate()
        .map(|(number, (choice, more))| {
            let own = own(3, chose(choice));
            CaseAnswers {
                case: case(&format!("c{number}"), 3, &[0]),
                asks: std::iter::once(own).chain(more).collect(),
            }
        });
    set(cases.collect())
}

#[test]
fn the_same_variant_of_another_axis_is_compared_each_against_its_own_baseline() {
    let side = |own: [u16; 5], other: [Outcome; 5]| {
        let asks = own.into_iter().zip(other);
        cases(asks.map(|(own, other)| (own, vec![keys(other)])).collect())
    };
    let baseline = side(
        [0, 0, 1, 0, 0],
        [chose(0), chose(1), chose(1), failed(), chose(0)],
    );
    let variant = side(
        [0, 1, 2, 0, 0],
        [chose(1), chose(1), chose(1), chose(0), served(0, "other")],
    );
    let mut served_by_one = variant.clone();
    served_by_one.cases[4].asks[0].outcome = served(0, "model");
    let comparison = compared(&baseline, &served_by_one);
    assert_eq!(comparison.axes.len(), 1);
    let line = &comparison.axes["keys/abstract"];
    // Answers under the new keys: 0 and 1, 1 and 1, 1 and 1; one failed, one by another model than its baseline.
    assert_eq!((line.answers.share.count, line.answers.share.of), (1, 3));
    assert_eq!(line.left_out.failed_baseline, 1);
    assert_eq!(line.left_out.other_version, 1);
    // The baseline flips in the second case, the variant in the first and the third.
    let flips = line.flips;
    assert_eq!((flips.of, flips.missing), (3, 2));
    assert_eq!((flips.baseline_only, flips.variant_only), (1, 2));
    near(flips.difference, 1.0 / 3.0);
    near(flips.mcnemar_p, 1.0);
    assert!(comparison.orders.len() == 1 && comparison.axes_left_out.is_empty());
}

#[test]
fn what_is_not_compared_is_named_with_its_asks_and_its_reason() {
    let own_order = || Order::own(3);
    let baseline = cases(vec![
        (
            0,
            vec![
                keys(chose(0)),
                on(Axis::Keys, "shuffled", own_order(), chose(0)),
            ],
        ),
        (0, vec![on(Axis::Keys, "shuffled", own_order(), chose(0))]),
    ]);
    let cross = "order/reverse+keys/list:1";
    let with_cross = |mut set: AnswerSet| {
        set.cases[0]
            .asks
            .push(on(Axis::Cross, cross, Order::reverse(3), chose(0)));
        set
    };
    let variant = cases(vec![
        (
            0,
            vec![
                on(Axis::Keys, "shuffled", own_order(), chose(1)),
                on(Axis::Whitespace, "doubled", own_order(), chose(0)),
            ],
        ),
        (
            0,
            vec![on(Axis::Unrecorded, "other", own_order(), chose(0))],
        ),
    ]);
    let comparison = compared(&with_cross(baseline), &with_cross(variant));
    assert!(comparison.axes.is_empty());
    let left: Vec<(&str, u64, u64, &str)> = comparison
        .axes_left_out
        .iter()
        .map(|left| {
            (
                left.name.as_str(),
                left.baseline,
                left.variant,
                left.reason.as_str(),
            )
        })
        .collect();
    let free = "drawn or given by the user: whether both showed the same is not on record";
    assert_eq!(
        left,
        [
            ("keys/abstract", 1, 0, "asked only in the baseline"),
            ("keys/shuffled", 2, 1, free),
            ("cross/order/reverse+keys/list:1", 1, 1, free),
            ("whitespace/doubled", 0, 1, "asked only in the variant"),
            (
                "unrecorded/other",
                0,
                1,
                "what was changed is not on record"
            ),
        ]
    );
}

#[test]
fn a_variant_that_showed_another_order_in_each_is_no_pair() {
    let at = |order: Order| {
        let drawn = "order/random:1+keys/abstract";
        cases(vec![(0, vec![on(Axis::Cross, drawn, order, chose(1))])])
    };
    let (left, right) = (at(Order::rotate(3, 1)), at(Order::rotate(3, 2)));
    let line = compared(&left, &right).axes["cross/order/random:1+keys/abstract"].clone();
    assert_eq!((line.left_out.other_order, line.answers.share.of), (1, 0));
    assert_eq!((line.flips.of, line.flips.missing), (0, 0));
    let line = compared(&left, &left).axes["cross/order/random:1+keys/abstract"].clone();
    assert_eq!((line.left_out.other_order, line.flips.both), (0, 1));
}

#[test]
fn an_option_left_out_is_compared_with_the_list_in_which_it_stands_last() {
    let listing = |ids: &[u16]| {
        let ids: Vec<OptionId> = ids.iter().copied().map(OptionId).collect();
        Order::listing(&ids)
    };
    // What was chosen of all with the first last, then of the others; and of all, then without the last.
    let asks = |of_all: u16, of_others: Outcome, without_last: u16| {
        vec![
            on(Axis::Drop, "last:0", listing(&[1, 2, 0]), chose(of_all)),
            on(Axis::Drop, "0", listing(&[1, 2]), of_others),
            on(Axis::Drop, "2", listing(&[0, 1]), chose(without_last)),
        ]
    };
    let baseline = cases(vec![
        (0, asks(1, chose(1), 1)),
        (0, asks(0, chose(1), 0)),
        (2, asks(2, declined(), 0)),
    ]);
    let variant = cases(vec![
        (0, asks(1, chose(2), 0)),
        (0, asks(2, chose(2), 0)),
        (2, asks(2, chose(2), 1)),
    ]);
    let axes = compared(&baseline, &variant).axes;
    assert_eq!(axes.keys().collect::<Vec<_>>(), ["drop/0", "drop/2"]);
    // Without the first: same and flip; the second case's baseline chose it of all; flip to no decision and same.
    let first = &axes["drop/0"];
    assert_eq!((first.flips.of, first.chose_left_out), (2, 1));
    assert_eq!(
        (first.flips.baseline_only, first.flips.variant_only),
        (1, 1)
    );
    assert_eq!((first.answers.share.count, first.answers.share.of), (3, 3));
    // Without the last, against the own order: flip and same, same and same; the third chose it.
    let last = &axes["drop/2"];
    assert_eq!((last.flips.of, last.chose_left_out), (2, 1));
    assert_eq!((last.flips.baseline_only, last.flips.variant_only), (1, 0));
    // A list that an unfinished run has not asked yet leaves the pair open, whatever the own order said.
    let mut unfinished = variant.clone();
    unfinished.about.complete = false;
    unfinished.cases[0]
        .asks
        .retain(|ask| ask.variant.name != "last:0");
    let first = compared(&baseline, &unfinished).axes["drop/0"].clone();
    assert_eq!((first.flips.of, first.flips.missing), (1, 1));
    assert_eq!(first.answers.share.of, 3);
}

#[test]
fn the_control_is_compared_as_the_noise_of_each() {
    let side = |again: [u16; 4]| {
        let again = again.map(|choice| vec![on(Axis::Same, "1", Order::own(3), chose(choice))]);
        cases(again.into_iter().map(|asks| (0, asks)).collect())
    };
    let comparison = compared(&side([0, 0, 1, 0]), &side([1, 1, 1, 0]));
    let line = &comparison.axes["same/1"];
    assert_eq!(
        (line.flips.baseline.count, line.flips.variant.count),
        (1, 3)
    );
}

/// A case whose options are `keys` in this order.
fn with_keys(id: &str, keys: &[&str], accept: u16, choice: u16, unlisted: bool) -> CaseAnswers {
    let mut one = case(id, keys.len(), &[accept]);
    for (option, key) in one.options.iter_mut().zip(keys) {
        option.key = flipside_core::case::Key((*key).to_owned());
    }
    one.brought.unlisted = unlisted;
    CaseAnswers {
        asks: vec![own(keys.len(), chose(choice))],
        case: one,
    }
}

#[test]
fn cases_without_an_order_on_record_meet_by_key_and_claim_no_order() {
    // Chosen and accepted by key: `deny` and `refund` of the first; both `wait` of the second.
    let baseline = set(vec![
        with_keys("a", &["deny", "refund", "wait"], 1, 0, true),
        with_keys("b", &["deny", "refund", "wait"], 2, 2, true),
    ]);
    let mut listed = with_keys("a", &["wait", "refund", "deny"], 1, 1, false);
    listed.asks.push(reversed(3, chose(0)));
    listed.asks.push(keys(chose(0)));
    let variant = set(vec![
        listed,
        with_keys("b", &["wait", "deny", "refund"], 0, 0, false),
    ]);
    let comparison = compared(&baseline, &variant);
    let counts = comparison.cases;
    assert_eq!((counts.common, counts.unlisted, counts.labelled), (2, 2, 2));
    assert_eq!((counts.other_content, counts.other_labels), (0, 0));
    let own = &comparison.orders["own"];
    assert_eq!((own.answers.share.count, own.answers.share.of), (1, 2));
    let [repaired] = &own.cases.repaired[..] else {
        panic!("one case is repaired");
    };
    assert_eq!(repaired.baseline.as_deref(), Some("deny"));
    assert_eq!(repaired.variant.as_deref(), Some("refund"));
    // No order of the listed side and none of its other variants is compared: nothing says what they were an other one of.
    assert_eq!(comparison.orders.len(), 1);
    assert!(comparison.axes.is_empty() && comparison.axes_left_out.is_empty());
    assert!(comparison.orders_only_variant.is_empty());
}

#[test]
fn probabilities_move_with_their_keys() {
    let p = |p: [f64; 2]| super::sets::with_probabilities(&p);
    let with = |keys: [&str; 2], outcome, unlisted| {
        let mut answers = with_keys("a", &keys, 0, 0, unlisted);
        answers.case.accept.clear();
        answers.asks[0].outcome = outcome;
        set(vec![answers])
    };
    let baseline = with(["no", "yes"], p([0.9, 0.1]), true);
    let variant = with(["yes", "no"], p([0.3, 0.7]), false);
    let drift = compared(&baseline, &variant).orders["own"].drift.clone();
    near(drift.total_variation.mean, 0.2);
}
