//! The golden file and the real tool data, through answer sets.

use flipside_core::compare::{AnswerSet, CaseAnswers, Demand, Wanted, Word, compare};
use flipside_core::order::Order;
use serde_json::Value;

use super::sets::{PLAIN, case, chose, compared, near, other, own, reversed, set, three};
use crate::made::goldens;

fn number(entry: &Value, path: &str) -> f64 {
    entry.pointer(path).unwrap().as_f64().unwrap()
}

fn count(entry: &Value, path: &str) -> usize {
    usize::try_from(entry.pointer(path).unwrap().as_u64().unwrap()).unwrap()
}

/// Two sets whose own-order answers are right in both, in the variant only, in the baseline only, in neither.
fn right(both: usize, variant: usize, baseline: usize, neither: usize) -> (AnswerSet, AnswerSet) {
    let counts = [
        (both, 0, 0),
        (variant, 1, 0),
        (baseline, 0, 1),
        (neither, 1, 1),
    ];
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (count, a, b) in counts {
        for _ in 0..count {
            first.push((Some(0), chose(a), chose(0)));
            second.push((Some(0), chose(b), chose(0)));
        }
    }
    (three(&first), three(&second))
}

/// The same counts for flips from the own order to the reversed one.
fn flips(both: usize, variant: usize, baseline: usize, neither: usize) -> (AnswerSet, AnswerSet) {
    let counts = [
        (both, 1, 1),
        (variant, 0, 1),
        (baseline, 1, 0),
        (neither, 0, 0),
    ];
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (count, a, b) in counts {
        for _ in 0..count {
            first.push((None, chose(0), chose(a)));
            second.push((None, chose(0), chose(b)));
        }
    }
    (three(&first), three(&second))
}

#[test]
fn paired_differences_are_newcombes() {
    let entries = goldens("newcombe_paired");
    assert!(entries.len() >= 6);
    for entry in entries {
        let counts = ["both", "first_only", "second_only", "neither"]
            .map(|name| count(&entry, &format!("/inputs/{name}")));
        let [a, b, c, d] = counts;
        let (baseline, variant) = right(a, b, c, d);
        let accuracy = compared(&baseline, &variant).orders["own"]
            .accuracy
            .unwrap();
        let (baseline, variant) = flips(a, b, c, d);
        let flips = compared(&baseline, &variant).orders["reverse"]
            .flips
            .unwrap();
        for paired in [accuracy, flips] {
            let [lower, upper] = paired.difference_interval.unwrap();
            near(paired.difference, number(&entry, "/expected/diff"));
            near(lower, number(&entry, "/expected/lower"));
            near(upper, number(&entry, "/expected/upper"));
        }
    }
}

#[test]
fn tests_of_no_difference_are_mcnemars() {
    for entry in goldens("mcnemar") {
        let (b, c) = (count(&entry, "/inputs/b"), count(&entry, "/inputs/c"));
        let (baseline, variant) = right(3, b, c, 1);
        let paired = compared(&baseline, &variant).orders["own"]
            .accuracy
            .unwrap();
        let same = |found: Option<f64>, path: &str| {
            let expected = number(&entry, path);
            assert!((found.unwrap() / expected - 1.0).abs() < 1e-9, "{path}");
        };
        same(paired.mcnemar_p, "/expected/p_exact");
        same(paired.mcnemar_mid_p, "/expected/p_mid");
    }
}

#[test]
fn equivalence_is_two_one_sided_tests() {
    for entry in goldens("tost") {
        let counts = ["both", "first_only", "second_only", "neither"]
            .map(|name| count(&entry, &format!("/inputs/{name}")));
        let [a, b, c, d] = counts;
        let (baseline, variant) = right(a, b, c, d);
        let wanted = Wanted {
            equivalent: Demand {
                accuracy: Some(number(&entry, "/inputs/margin")),
                flips: None,
            },
            alpha: number(&entry, "/inputs/alpha"),
            ..PLAIN
        };
        let comparison = compare(&baseline, &variant, &wanted).unwrap();
        let [line] = &comparison.verdicts[..] else {
            panic!("one demand is one line");
        };
        let [lower, upper] = line.interval.unwrap();
        near(lower, number(&entry, "/expected/ci90_lower"));
        near(upper, number(&entry, "/expected/ci90_upper"));
        let equivalent = entry["expected"]["equivalent"].as_bool().unwrap();
        assert_eq!(line.held, equivalent);
        assert_eq!(comparison.exit, u8::from(!equivalent));
        let word = if equivalent {
            Word::Equivalent
        } else {
            Word::NotEquivalent
        };
        assert_eq!(line.word, word);
    }
}

#[test]
fn five_flips_against_two_of_forty_are_a_coin_and_need_242_cases() {
    let entries = goldens("power");
    let entry = entries.iter().find(|entry| entry["id"] == "mcnemar_n_ab");
    let needed = entry.unwrap()["expected"]["n"].as_u64();
    let (baseline, variant) = flips(0, 2, 5, 33);
    let flips = compared(&baseline, &variant).orders["reverse"]
        .flips
        .unwrap();
    assert_eq!(
        (flips.baseline.count, flips.variant.count, flips.of),
        (5, 2, 40)
    );
    near(flips.mcnemar_p, 0.453_125);
    assert_eq!((flips.pairs_needed, needed), (Some(242), Some(242)));
}

/// The recorded answers of one system to the 25 tool choices, own order and reversed.
fn tool_choices(system: &str) -> AnswerSet {
    let mut cases: Vec<CaseAnswers> = Vec::new();
    let rows = include_str!("../../data/tool-choice-25.csv")
        .lines()
        .skip(1);
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        if cells[0] != system {
            continue;
        }
        let identity = |cell: &str| cell.parse::<u16>().unwrap() - 1;
        let options: usize = cells[4].parse().unwrap();
        let outcome = chose(identity(cells[5]));
        if cells[3] == "original" {
            cases.push(CaseAnswers {
                case: case(cells[2], options, &[identity(cells[9])]),
                asks: vec![own(options, outcome)],
            });
        } else {
            let known = cases.iter_mut().find(|known| known.case.id.0 == cells[2]);
            known.unwrap().asks.push(reversed(options, outcome));
        }
    }
    set(cases)
}

#[test]
fn nine_flips_against_none_of_25_real_tool_choices() {
    let entries = goldens("real_data");
    let entry = entries.iter().find(|entry| entry["id"] == "tool_choice_25");
    let expected = &entry.unwrap()["expected"];
    let (laya, jev) = (tool_choices("laya"), tool_choices("jev"));
    // The golden is the first system minus the second.
    let comparison = compared(&jev, &laya);
    assert_eq!(
        (comparison.cases.common, comparison.cases.labelled),
        (25, 25)
    );
    let flips = comparison.orders["reverse"].flips.unwrap();
    assert_eq!(flips.of, expected["pairs"]);
    assert_eq!(flips.variant.count, expected["laya_flips"]);
    assert_eq!(flips.baseline.count, expected["jev_flips"]);
    near(
        flips.variant.interval.unwrap()[0],
        expected["laya_wilson"][0].as_f64().unwrap(),
    );
    near(flips.difference, 0.36);
    near(flips.difference_interval.unwrap()[0], 0.153_716);
    near(flips.difference_interval.unwrap()[1], 0.554_815);
    near(flips.mcnemar_p, 0.003_906_25);
    // Counted from the file by another script: right in own order 24 and 14, 11 of them only with Jev and 1 only with
    // Laya; 12 own-order answers differ between the two, and 13 reversed ones.
    let accuracy = comparison.orders["own"].accuracy.unwrap();
    assert_eq!((accuracy.baseline.count, accuracy.variant.count), (24, 14));
    assert_eq!((accuracy.baseline_only, accuracy.variant_only), (11, 1));
    assert_eq!(comparison.orders["own"].answers.share.count, 12);
    assert_eq!(comparison.orders["reverse"].answers.share.count, 13);
    let pooled = comparison.all_orders.answers.unwrap();
    assert_eq!((pooled.count, pooled.of, pooled.cases), (25, 50, 25));
    // Two orders: a case's disagreement is its flip. 12 + 13 right of 50 against 24 + 24.
    near(comparison.all_orders.disagreement.unwrap().difference, 0.36);
    near(
        comparison.all_orders.accuracy.unwrap().difference,
        (27.0 - 48.0) / 50.0,
    );
    let any = comparison.all_orders.any_flip;
    assert_eq!(
        (any.orders, any.shares.unwrap().variant.count),
        (Some(2), 9)
    );
}

#[test]
fn an_order_under_two_names_is_still_the_same_order() {
    let with = |name: &str, outcome| {
        set(vec![CaseAnswers {
            case: case("two", 2, &[0]),
            asks: vec![own(2, chose(0)), other(name, Order::reverse(2), outcome)],
        }])
    };
    let comparison = compared(&with("reverse", chose(0)), &with("rotate:1", chose(1)));
    let flips = comparison.orders["reverse = rotate:1"].flips.unwrap();
    assert_eq!(
        (flips.baseline.count, flips.variant.count, flips.of),
        (0, 1, 1)
    );
    assert!(comparison.orders_only_baseline.is_empty());
    assert!(comparison.orders_only_variant.is_empty());
}
