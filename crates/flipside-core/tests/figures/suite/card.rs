//! The published card: its counts fit one set of answers per model, and come out of ours as they went in.

use flipside_core::measure::Said;
use flipside_core::order::OptionId;
use flipside_core::suite::SuiteRow;
use flipside_core::suite::figures::{RowAnswer, SuiteFigures, SuiteShare};
use serde_json::Value;

use super::{OPTIONS, at, figures, place, rows};
use crate::made::id;

fn models() -> serde_json::Map<String, Value> {
    let text = include_str!("../../data/fragility-card.json");
    serde_json::from_str(text).unwrap()
}

/// The answer that is `off` options after the accepted one.
fn off(row: &SuiteRow, off: usize) -> RowAnswer {
    let options = row.canonical.len();
    at(place(row, id((row.accept.index() + off) % options)))
}

fn found(model: &Value) -> SuiteFigures {
    let rows = rows();
    let digits = model["answers"].as_str().unwrap().chars();
    let answers: Vec<RowAnswer> = (rows.iter().zip(digits))
        .map(|(row, digit)| off(&row.suite.row, digit.to_digit(10).unwrap() as usize))
        .collect();
    assert_eq!(answers.len(), 480);
    figures(&rows, &answers)
}

fn count(share: &SuiteShare) -> [u64; 2] {
    [share.hits, share.of]
}

#[test]
fn every_count_of_the_card_comes_out_under_its_denominator() {
    let models = models();
    assert_eq!(models.len(), 3);
    for (name, model) in &models {
        let found = found(model);
        let shares = [
            count(&found.accuracy),
            count(&found.baseline),
            count(&found.order_with_vacuous.as_ref().unwrap().share),
            count(&found.accuracy_forward),
            count(&found.accuracy_reversed),
            count(&found.keys.as_ref().unwrap().share),
            count(found.accuracy_semantic.as_ref().unwrap()),
            count(found.accuracy_abstract.as_ref().unwrap()),
            count(&found.phrasing["p0-p1"].share),
        ];
        let denominators = [480, 40, 240, 240, 240, 180, 180, 180, 160];
        let counts: Vec<u64> = (model["counts"].as_array().unwrap().iter())
            .map(|count| count.as_u64().unwrap())
            .collect();
        let card: Vec<[u64; 2]> = counts
            .into_iter()
            .zip(denominators)
            .map(Into::into)
            .collect();
        assert_eq!(shares.to_vec(), card, "{name}");
        // The same flips without the pairs that reverse nothing.
        let order = &found.order;
        assert_eq!(count(&order.share), [card[2][0], 180], "{name}");
        assert_eq!(order.vacuous, 60, "{name}");
    }
}

#[test]
fn intervals_over_base_cases_are_those_of_another_implementation() {
    for (name, model) in &models() {
        let found = found(model);
        let shares = [
            &found.order.share,
            &found.keys.as_ref().unwrap().share,
            &found.accuracy,
        ];
        for (share, expected) in shares
            .into_iter()
            .zip(model["intervals"].as_array().unwrap())
        {
            for (end, expected) in share
                .interval
                .unwrap()
                .iter()
                .zip(expected.as_array().unwrap())
            {
                let expected = expected.as_f64().unwrap();
                assert!((end - expected).abs() < 1e-9, "{name}: {end} {expected}");
            }
        }
    }
}

#[test]
fn the_cards_percentages_are_its_counts_but_for_two_ties_that_it_rounds_down_in_binary() {
    // What the card prints, in the order of the counts, where it prints a percentage.
    let printed = [
        ("laya 0.3.5", ["72.7", "75.0", "22.5", "32.8", "15.0"]),
        ("AgentJev-0.6B", ["72.5", "82.5", "0.0", "20.0", "23.7"]),
        ("jev-1.13.0", ["90.2", "95.0", "2.9", "8.3", "3.7"]),
    ];
    let models = models();
    for (name, card) in printed {
        let found = found(&models[name]);
        let shares = [
            &found.accuracy,
            &found.baseline,
            &found.order_with_vacuous.as_ref().unwrap().share,
            &found.keys.as_ref().unwrap().share,
            &found.phrasing["p0-p1"].share,
        ];
        for (share, card) in shares.into_iter().zip(card) {
            let rate = share.rate.unwrap();
            // A fraction rounded to three places, as Python's `round(38/160, 3)` does: 0.2375 lies under itself in binary.
            let thousandths: f64 = format!("{rate:.3}").parse().unwrap();
            assert_eq!(format!("{:.1}", thousandths * 100.0), card, "{name}");
        }
    }
}

#[test]
fn a_noul_answer_of_the_card_is_one_for_both_orders() {
    // The counts were found for models whose reversed noul rows are their forward rows, which is why 54 of 240 are 54 of 180.
    for (row, other) in rows()
        .chunks(4)
        .flat_map(|four| [(&four[0], &four[2]), (&four[1], &four[3])])
    {
        let same = row.suite.case.content() == other.suite.case.content();
        assert_eq!(same, row.suite.row.vacuous_order);
        assert_eq!(same, row.suite.row.canonical.len() != OPTIONS);
    }
    let first = OptionId(0);
    assert!(matches!(at(0).said, Said::Chose { id, tied: false } if id == first));
}
