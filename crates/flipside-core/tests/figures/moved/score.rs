//! Score questions: levels within pairs, and agreement across orders.

use flipside_core::case::QuestionKind;
use flipside_core::summary::{ScoreFigure, ScoreReason};

use super::{Row, Run, Said, close, golden, numbers, reversed};

fn scored(number: usize, options: usize, said: &[(u16, f64)]) -> Row {
    Row {
        number,
        options,
        kind: QuestionKind::Score,
        said: said
            .iter()
            .map(|(level, score)| Said::Level(*level, *score))
            .collect(),
    }
}

fn figure(rows: &[Row]) -> ScoreFigure {
    reversed(rows).score.unwrap()
}

#[test]
fn changes_of_level_are_counted_by_hand() {
    let found = figure(&[
        scored(0, 4, &[(1, 1.2), (3, 2.9)]),
        scored(1, 4, &[(1, 1.2), (1, 1.7)]),
        scored(2, 4, &[(2, 2.0), (1, 1.6)]),
        scored(3, 4, &[(0, 0.0), (0, 0.1)]),
    ]);
    assert_eq!((found.pairs, found.flips, found.severe), (4, 2, 1));
    close(found.mean_change.into(), 0.75);
    close(found.severe_rate.into(), 0.25);
    // Wilson of 1/4, published.
    close(Some(found.severe_interval[0]), 0.045_587);
    close(Some(found.severe_interval[1]), 0.699_358);
    // 1.2 to 1.7 is half a level on paper, whatever the last bits say.
    assert_eq!((found.expectation.pairs, found.expectation.flips), (4, 2));
    close(found.expectation.rate, 0.5);
}

#[test]
fn the_golden_kappa_comes_out_of_the_summary() {
    let entry = golden("score", "weighted_kappa");
    let mut rows = Vec::new();
    for (own, counts) in (0..).zip(entry["inputs"]["matrix"].as_array().unwrap()) {
        for (variant, count) in (0..).zip(counts.as_array().unwrap()) {
            for _ in 0..count.as_u64().unwrap() {
                rows.push(scored(rows.len(), 3, &[(own, 0.0), (variant, 0.0)]));
            }
        }
    }
    close(
        figure(&rows).weighted_kappa,
        entry["expected"]["kappa"].as_f64().unwrap(),
    );
}

#[test]
fn a_kappa_needs_one_scale_and_more_than_one_level() {
    let found = figure(&[
        scored(0, 3, &[(0, 0.0), (1, 1.0)]),
        scored(1, 4, &[(0, 0.0), (1, 1.0)]),
    ]);
    assert_eq!(found.weighted_kappa, None);
    assert_eq!(found.kappa_reason, Some(ScoreReason::DifferentLevels));
    let found = figure(&[scored(0, 3, &[(1, 1.0), (1, 1.0)])]);
    assert_eq!(found.kappa_reason, Some(ScoreReason::OneLevel));
}

#[test]
fn levels_without_an_expectation_say_so() {
    let mut bare = scored(0, 3, &[(0, 0.0)]);
    bare.said = vec![Said::Bare(0), Said::Bare(2)];
    let found = figure(&[bare]);
    assert_eq!((found.flips, found.severe), (1, 1));
    assert_eq!(found.expectation.rate, None);
    assert_eq!(found.expectation.reason, Some(ScoreReason::NoExpectation));
}

#[test]
fn a_choice_question_has_no_figure_of_levels() {
    let rows = [super::row(0, &[&[0.9, 0.1], &[0.8, 0.2]])];
    assert_eq!(reversed(&rows).score, None);
    assert_eq!(Run::new(&rows, "reverse").summary().score, None);
}

/// The classic data of six cases in four orders.
fn classic() -> Vec<Row> {
    let entry = golden("icc", "shrout_fleiss");
    let rows = entry["inputs"]["rows_cases_cols_orders"]
        .as_array()
        .unwrap();
    let row = |(number, row): (usize, &serde_json::Value)| {
        let said: Vec<(u16, f64)> = numbers(row).into_iter().map(|score| (0, score)).collect();
        scored(number, 3, &said)
    };
    rows.iter().enumerate().map(row).collect()
}

#[test]
fn labelled_orders_have_the_published_agreement() {
    let found = Run::new(&classic(), "reverse,rotate")
        .summary()
        .score
        .unwrap();
    let labelled = found.labelled.unwrap();
    assert_eq!((labelled.cases, labelled.orders), (6, 4));
    assert!(labelled.of_expectations);
    close(labelled.value, 0.289_763_779_528);
    let [low, high] = labelled.interval.unwrap();
    // What R's psych prints for the same data.
    assert!(
        (low - 0.019).abs() < 5e-4 && (high - 0.761).abs() < 5e-4,
        "{low} {high}"
    );
    assert_eq!(found.random, None);
}

#[test]
fn drawn_orders_have_the_published_agreement() {
    let found = Run::new(&classic(), "random:3").summary().score.unwrap();
    let random = found.random.unwrap();
    close(random.value, 0.165_741_768_405);
    let [low, high] = random.interval.unwrap();
    close(Some(low), -0.132_932_324_875);
    close(Some(high), 0.722_560_062_328);
    assert_eq!(found.labelled, None);
}

#[test]
fn agreement_without_enough_cases_or_variance_has_its_reason() {
    let mut rows = classic();
    for row in &mut rows[1..] {
        row.said[2] = Said::Failed;
    }
    let found = Run::new(&rows, "reverse,rotate").summary().score.unwrap();
    let labelled = found.labelled.unwrap();
    assert_eq!((labelled.cases, labelled.left_out), (1, 5));
    assert_eq!(labelled.reason, Some(ScoreReason::TooFewCases));
    let still: Vec<Row> = (0..4)
        .map(|n| scored(n, 3, &[(1, 1.0), (1, 1.0)]))
        .collect();
    let found = Run::new(&still, "reverse").summary().score.unwrap();
    assert_eq!(
        found.labelled.unwrap().reason,
        Some(ScoreReason::NoVariance)
    );
}
