//! Recall by position, and where accepted options stand.

use flipside_core::order::Order;

use super::near;
use super::run::{Say, labelled, one, shapes, summary};
use crate::made::goldens;

#[test]
fn the_spread_of_own_order_recalls_has_the_golden_numbers() {
    for entry in goldens("rstd") {
        let table: Vec<Vec<u64>> =
            serde_json::from_value(entry["inputs"]["accepted_by_predicted_position"].clone())
                .unwrap();
        let (mut accept, mut chosen) = (Vec::new(), Vec::new());
        for (row, counts) in table.iter().enumerate() {
            for (column, &count) in counts.iter().enumerate() {
                accept.extend((0..count).map(|_| row));
                chosen.extend((0..count).map(|_| column));
            }
        }
        let found = one(summary(
            &labelled(3, &accept),
            "reverse",
            |case, variant, _| {
                Say::Is(if variant == "own" {
                    chosen[case]
                } else {
                    accept[case]
                })
            },
        ));
        let (recall, expected) = (found.recall, &entry["expected"]);
        assert_eq!(recall.table, table);
        assert_eq!(
            (recall.cases, recall.answers),
            (accept.len() as u64, accept.len() as u64)
        );
        let recalls: Vec<Option<f64>> =
            serde_json::from_value(expected["recalls"].clone()).unwrap();
        for (found, expected) in recall.recalls.iter().zip(&recalls) {
            match expected {
                Some(expected) => near(*found, *expected),
                None => assert_eq!(*found, None),
            }
        }
        near(
            recall.rstd_percent,
            expected["rstd"].as_f64().unwrap() * 100.0,
        );
        if let Some(percent) = expected["rstd_percent"].as_f64() {
            near(recall.rstd_percent, percent);
            near(recall.rstd_corrected_percent, 11.228_405_831);
            near(
                recall.chi_square,
                expected["chi2_homogeneity"].as_f64().unwrap(),
            );
            near(recall.p, expected["p"].as_f64().unwrap());
            assert!(recall.left_out.is_empty() && recall.reason.is_none());
        } else {
            assert_eq!(recall.left_out, [2], "never held the accepted option");
        }
    }
}

#[test]
fn recalls_over_all_orders_count_every_ask_and_have_no_p_value() {
    // Always the first position: right where the accepted option stands first, in one of three rotations.
    let found = one(summary(&labelled(3, &[0; 12]), "rotate", |_, _, _| {
        Say::At(0)
    }));
    let all = found.recall_all_orders;
    assert_eq!(all.table, [[12, 0, 0], [12, 0, 0], [12, 0, 0]]);
    assert_eq!((all.cases, all.answers), (12, 36));
    assert_eq!(all.recalls, [Some(1.0), Some(0.0), Some(0.0)]);
    near(all.rstd_percent, 100.0 * 2.0_f64.sqrt() / 3.0);
    assert_eq!(all.p, None);
    assert_eq!(
        all.reason.as_deref(),
        Some("no p value: the answers of one case depend on each other")
    );
    // Every case says the same, so that no draw of cases differs.
    assert_eq!(all.rstd_draws, Some(2_000));
    let [lower, upper] = all.rstd_interval_percent.unwrap();
    near(lower, 100.0 * 2.0_f64.sqrt() / 3.0);
    near(upper, lower);
    let own = found.recall;
    assert_eq!(own.rstd_percent, None, "one usable position");
    assert_eq!(own.left_out, [1, 2]);
    assert_eq!(
        own.reason.as_deref(),
        Some("the accepted option never stood in two positions")
    );
}

#[test]
fn what_recalls_cannot_use_is_counted_or_named() {
    let found = one(summary(&shapes(4, 3), "rotate", |_, _, _| Say::At(0)));
    assert_eq!(
        found.recall.reason.as_deref(),
        Some("no case says which options are right")
    );
    let mut several = labelled(3, &[0, 1, 2]);
    several[0].accept = vec![0, 1];
    let says = |case: usize, _: &str, _: &Order| if case == 1 { Say::Nothing } else { Say::Is(2) };
    let found = one(summary(&several, "rotate", says));
    let recall = found.recall;
    assert_eq!(
        (recall.cases, recall.several_accepted, recall.no_decision),
        (1, 1, 1)
    );
    several.truncate(1);
    let found = one(summary(&several, "rotate", says));
    assert_eq!(
        found.recall.reason.as_deref(),
        Some("every labelled case accepts several options")
    );
    let large = one(summary(&labelled(101, &[0, 1]), "reverse", |_, _, _| {
        Say::At(0)
    }));
    assert_eq!(
        large.recall.reason.as_deref(),
        Some("more than 100 options")
    );
    assert!(large.recall.table.is_empty());
}

#[test]
fn the_skew_of_accepted_positions_is_tested_beside_the_position_baseline() {
    for entry in goldens("position_baseline") {
        let inputs = &entry["inputs"];
        let accepted: Vec<usize> =
            serde_json::from_value(inputs["accepted_positions"].clone()).unwrap();
        let fit = summary(&labelled(3, &accepted), "reverse", |_, _, _| Say::At(0)).fit;
        let baseline = fit.position_baseline.unwrap();
        let expected = &entry["expected"];
        near(baseline.rate, expected["accuracy"].as_f64().unwrap());
        near(
            baseline.lower,
            expected["lower_one_sided"].as_f64().unwrap(),
        );
        let skew = &fit.accepted_positions[0];
        assert_eq!((skew.options, skew.cases), (3, accepted.len() as u64));
        assert!(skew.exact, "under 5 expected per position");
        // All eight in one of three positions have 3 of 3^8 ways; equal counts are the likeliest of all.
        let p = if baseline.rate == 1.0 {
            3.0 / 6561.0
        } else {
            1.0
        };
        near(skew.p, p);
    }
    // 10, 20 and 30 of 60: chi-square (100 + 0 + 100) / 20 on 2 df, whose p value is exp(-5).
    let accepted: Vec<usize> = (0..60)
        .map(|n| usize::from(n >= 10) + usize::from(n >= 30))
        .collect();
    let mut cases = labelled(3, &accepted);
    cases.push(super::run::Shape {
        number: 99,
        options: 2,
        accept: vec![0, 1],
        prefix: "k",
    });
    let skews = summary(&cases, "reverse", |_, _, _| Say::At(0))
        .fit
        .accepted_positions;
    let skew = &skews[1];
    assert_eq!(
        (skew.counts.as_slice(), skew.exact),
        (&[10, 20, 30][..], false)
    );
    near(skew.chi_square, 10.0);
    near(skew.p, (-5.0_f64).exp());
    assert_eq!(
        (skews[0].options, skews[0].cases, skews[0].several_accepted),
        (2, 0, 1)
    );
    assert_eq!(
        skews[0].reason.as_deref(),
        Some("no case accepts exactly one option")
    );
    let none = summary(&shapes(3, 3), "reverse", |_, _, _| Say::At(0));
    assert!(none.fit.accepted_positions.is_empty());
}
