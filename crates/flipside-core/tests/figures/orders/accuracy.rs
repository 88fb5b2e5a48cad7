//! Accuracy and calibration over orders.

use super::support::{Row, Said, labelled, near, orders, rows};

/// The golden `spread`: five cases in three orders, right where the letter is `a`.
const FIVE: [&str; 5] = ["aaa", "aba", "bbb", "aab", "baa"];

#[test]
fn five_cases_in_three_orders_have_their_golden_spread_and_gap() {
    // Orders there: 1,1,0,1,0 and 1,0,0,1,1 and 1,1,0,0,1.
    let found = orders(&labelled(3, &FIVE), "rotate").accuracy;
    let spread = &found.format_spread;
    near(spread.value, 0.0);
    let by_order: Vec<(u64, u64)> = spread.orders.iter().map(|o| (o.right, o.of)).collect();
    assert_eq!(by_order, [(3, 5), (3, 5), (3, 5)]);
    assert_eq!(spread.shuffles, 200);
    assert_eq!(
        spread.shuffled_at_least,
        Some(1.0),
        "nothing is under a spread of 0"
    );
    assert!(
        spread.shuffled_mean.unwrap() > 0.0,
        "noise alone makes it positive"
    );
    let gap = &found.sensitivity;
    near(gap.any_right.rate, 0.8);
    near(gap.every_right.rate, 0.2);
    near(gap.gap.rate, 0.6);
    assert_eq!(gap.orders, Some(3));
    assert_eq!(
        (found.circular_accuracy.count, found.circular_accuracy.of),
        (1, 5)
    );
    let consistent: Vec<u64> = found
        .min_consistency_accuracy
        .iter()
        .map(|c| c.share.count)
        .collect();
    // At least half of three is two.
    assert_eq!(consistent, [4, 1, 1]);
}

#[test]
fn circular_accuracy_needs_all_rotations() {
    let found = orders(&labelled(3, &["aa", "ab"]), "reverse").accuracy;
    assert_eq!(
        (found.circular_accuracy.of, found.circular_accuracy.rate),
        (0, None)
    );
    assert_eq!(
        found.circular_accuracy.reason.as_deref(),
        Some("no labelled case was asked in all its rotations")
    );
    let found = orders(&labelled(3, &["aaa", "aa!", "abb"]), "rotate").accuracy;
    assert_eq!(
        (found.circular_accuracy.count, found.circular_accuracy.of),
        (1, 2)
    );
    assert_eq!(found.circular_left_out, 1);
    // All six orders contain the three rotations: own, bca, cab.
    let found = orders(&labelled(3, &["abbaab"]), "all").accuracy;
    assert_eq!(
        (found.circular_accuracy.count, found.circular_accuracy.of),
        (1, 1)
    );
}

#[test]
fn spread_is_over_orders_that_mean_one_thing_for_all_cases() {
    let reason = |found: &flipside_core::summary::Orders| {
        let spread = &found.accuracy.format_spread;
        assert_eq!(spread.value, None);
        spread.reason.clone().unwrap()
    };
    let drawn = orders(&labelled(4, &["aab"; 3]), "random:2");
    assert_eq!(
        reason(&drawn),
        "no other order means one thing for all labelled cases"
    );
    let mut mixed = labelled(3, &["aaaaaa", "baaaab"]);
    let mut two = labelled(2, &["ab"]);
    two[0].name = 9;
    mixed.extend(two);
    let all = orders(&mixed, "all");
    assert_eq!(
        reason(&all),
        "no other order means one thing for all labelled cases"
    );
    assert_eq!(
        all.accuracy.sensitivity.gap.reason.as_deref(),
        Some("cases were asked in 2 to 6 orders, and both shares move with their number")
    );
    mixed[0].said.truncate(2);
    mixed[1].said.truncate(2);
    let reverse = orders(&mixed, "reverse").accuracy.format_spread;
    near(reverse.value, 0.0);
    assert_eq!(reverse.cases, 3);
    let unlabelled = orders(&rows(3, &["aaa"]), "rotate");
    assert_eq!(
        reason(&unlabelled),
        "no case asked in several orders says which options are right"
    );
}

#[test]
fn a_position_picker_spreads_as_far_as_its_labels_do() {
    // The first option is right and the model takes the first shown: right in its own order only.
    let found = orders(&labelled(3, &["abc"; 30]), "rotate").accuracy;
    near(found.format_spread.value, 1.0);
    assert_eq!(found.format_spread.shuffled_at_least, Some(0.0));
    near(found.sensitivity.gap.rate, 1.0);
}

/// The golden `calibration`: confidence and whether the answer is right.
const EIGHT: [(f64, bool); 8] = [
    (0.95, true),
    (0.85, true),
    (0.75, false),
    (0.65, true),
    (0.55, false),
    (0.92, true),
    (0.41, false),
    (0.99, true),
];

/// Cases of three options of which the first is right, with one confidence for every order.
fn confident(cases: usize, orders: usize) -> Vec<Row> {
    let said = |(sure, right): (f64, bool)| {
        let rest = (1.0 - sure) / 2.0;
        let mut probabilities = vec![rest; 3];
        let choice = usize::from(!right);
        probabilities[choice] = sure;
        Said::With(choice, probabilities)
    };
    let row = |name: usize| Row {
        name,
        options: 3,
        accept: vec![0],
        said: vec![said(EIGHT[name % 8]); orders],
    };
    (0..cases).map(row).collect()
}

#[test]
fn calibration_per_order_and_pooled_has_its_golden_values() {
    let found = orders(&confident(8, 3), "rotate").calibration;
    let names: Vec<&str> = found.by_order.iter().map(|order| &*order.order).collect();
    assert_eq!(names, ["own", "rotate:1", "rotate:2"]);
    for order in found.by_order.iter().chain(&found.pooled) {
        near(Some(order.brier_top.value), 0.148_387_5);
        near(Some(order.mean_confidence.value), 0.758_75);
        assert_eq!(order.right * 8, order.answers * 5);
        assert_eq!(order.ece, None);
        assert_eq!(order.reason.as_deref(), Some("ece needs 100 cases: 8"));
    }
    assert_eq!(
        found.pooled.as_ref().unwrap().cases,
        8,
        "cases and not answers"
    );
    let found = orders(&confident(104, 3), "rotate").calibration;
    let pooled = found.pooled.unwrap();
    near(pooled.ece.map(|ece| ece.value), 0.293_75);
    assert_eq!((pooled.cases, pooled.answers), (104, 312));
    let [low, high] = pooled.brier_top.interval.unwrap();
    assert!(low < 0.148_387_5 && 0.148_387_5 < high);
    // Nothing changes with the order, so that there is nothing to resample.
    for change in &found.changes {
        assert_eq!(change.brier_top.value, 0.0);
        assert_eq!(change.brier_top.interval, None);
        assert_eq!(change.cases, 104);
    }
}

#[test]
fn the_brier_score_over_all_options_has_its_golden_value() {
    let table = [
        (vec![0.7, 0.2, 0.1], 0),
        (vec![0.3, 0.4, 0.3], 0),
        (vec![0.1, 0.1, 0.8], 2),
    ];
    let cases: Vec<Row> = table
        .into_iter()
        .enumerate()
        .map(|(name, (probabilities, accepted))| Row {
            name,
            options: 3,
            accept: vec![accepted],
            said: vec![Said::With([0, 1, 2][name], probabilities); 2],
        })
        .collect();
    let found = orders(&cases, "reverse").calibration;
    let own = &found.by_order[0];
    near(own.brier.map(|brier| brier.value), 0.313_333_333_333);
    assert_eq!(own.brier_answers, 3);
    let mut several = cases;
    several[0].accept = vec![0, 1];
    let found = orders(&several, "reverse").calibration;
    assert_eq!(found.by_order[0].brier_answers, 2);
    assert_eq!(
        found.label_free.reason.as_deref(),
        Some("a case accepts several options")
    );
}

#[test]
fn an_order_that_moves_confidence_shows_its_change_with_an_interval() {
    let mut cases = confident(104, 2);
    for row in &mut cases {
        row.said[1] = Said::With(1, vec![0.2, 0.6, 0.2]);
    }
    let change = &orders(&cases, "reverse").calibration.changes[0];
    // All wrong at .6: the Brier score is .36 and the error .6.
    near(Some(change.brier_top.value), 0.36 - 0.148_387_5);
    near(Some(change.mean_confidence.value), 0.6 - 0.758_75);
    near(change.ece.map(|ece| ece.value), 0.6 - 0.293_75);
    let [low, high] = change.brier_top.interval.unwrap();
    assert!(low < change.brier_top.value && change.brier_top.value < high);
    assert!(high - low < 0.15, "{low} {high}");
}

#[test]
fn bounds_without_labels_have_their_golden_values() {
    let sure = [0.9, 0.95, 0.9, 0.8];
    let cases: Vec<Row> = ["aaaa", "aaaa", "aabb", "aaab"]
        .iter()
        .enumerate()
        .map(|(name, text)| {
            let said = |letter: char| {
                let choice = letter as usize - 'a' as usize;
                let mut probabilities = vec![(1.0 - sure[name]) / 3.0; 4];
                probabilities[choice] = sure[name];
                Said::With(choice, probabilities)
            };
            Row {
                name,
                options: 4,
                accept: Vec::new(),
                said: text.chars().map(said).collect(),
            }
        })
        .collect();
    let found = orders(&cases, "rotate").calibration;
    near(found.label_free.accuracy_ceiling, 0.8125);
    near(found.label_free.overconfidence_at_least, 0.075);
    near(found.label_free.mean_confidence, 0.8875);
    assert_eq!(found.label_free.cases, 4);
    assert!(found.by_order.is_empty() && found.reason.is_some());
    let bare = orders(&rows(3, &["aaa"]), "rotate").calibration;
    assert_eq!(
        bare.label_free.reason.as_deref(),
        Some("no case has two answers with probabilities")
    );
}

#[test]
fn a_lost_own_answer_keeps_the_other_orders_in_the_figures() {
    let mut cases = confident(8, 3);
    cases[0].said[0] = Said::Failed;
    let found = orders(&cases, "rotate").calibration;
    let cases: Vec<u64> = found.by_order.iter().map(|order| order.cases).collect();
    assert_eq!(cases, [7, 8, 8]);
    assert_eq!(found.changes[0].cases, 7);
}

#[test]
fn answers_are_counted_by_confidence_in_each_order_and_together() {
    let found = orders(&confident(8, 3), "rotate").calibration;
    let told = |order: &flipside_core::summary::Calibrated| -> Vec<(f64, u64, u64)> {
        let bins = order.bins.iter();
        bins.map(|bin| (bin.from, bin.right, bin.answers)).collect()
    };
    // 0.41 and 0.55 wrong, 0.65 right, 0.75 wrong, 0.85 right; 0.92, 0.95 and 0.99 right.
    let own = [
        (0.4, 0, 1),
        (0.5, 0, 1),
        (0.6, 1, 1),
        (0.7, 0, 1),
        (0.8, 1, 1),
        (0.9, 3, 3),
    ];
    assert_eq!(told(&found.by_order[0]), own);
    let last = &found.by_order[0].bins[5];
    near(Some(last.mean_confidence), 2.86 / 3.0);
    // Wilson for 3 of 3: 3 / (3 + 1.959964^2) to 1.
    near(last.interval.map(|ends| ends[0]), 0.438_502_968_2);
    let pooled = found.pooled.unwrap();
    assert_eq!(
        told(&pooled),
        own.map(|(from, right, of)| (from, 3 * right, 3 * of))
    );
    assert_eq!(
        pooled.bins[5].interval, None,
        "three answers of one case depend on each other"
    );
}
