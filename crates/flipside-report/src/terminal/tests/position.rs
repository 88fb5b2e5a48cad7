//! The lines about positions.

use flipside_core::summary::{
    AcceptedPositions, BalancedMethod, EndPreference, NeverChosen, PositionBalanced,
    PositionDesign, PositionPreference, PositionRecall, PositionShare, PositionTest,
    PositionUniformity, Summary,
};

use super::{CHECK, VERBOSE, WIDE, content, flat, line};
use crate::example::{self, Builder, Reply, Variants};
use crate::terminal::render;

/// A run of three-option cases that flips, whose positions `with` has changed.
fn run(with: impl Fn(&mut PositionPreference)) -> Summary {
    let mut summary = example::first(&CHECK);
    let found = &mut summary.position.as_mut().unwrap().by_options[0];
    (found.p, found.p_of, found.p_adjusted) = (None, None, None);
    found.preferred = Vec::new();
    found.reverse_pairs = None;
    with(found);
    summary
}

fn position(summary: &Summary) -> String {
    line(&render(summary, &WIDE), "position").to_owned()
}

fn verbose(summary: &Summary) -> String {
    flat(&render(summary, &VERBOSE))
}

/// The statistics page's (58, 25, 17) of one random order per case.
fn uniform(found: &mut PositionPreference) {
    found.design = PositionDesign::RandomOrder;
    found.reason = None;
    found.uniformity = Some(PositionUniformity {
        counts: vec![58, 25, 17],
        own_orders: 16,
        left_out: 2,
        chi_square: 28.34,
        g: 26.972_855,
        df: 2,
        p_chi_square: Some(7.015e-7),
        p_g: Some(1.39e-6),
        p_exact: None,
        p: Some(7.015e-7),
        clusters: None,
    });
    (found.p, found.p_adjusted) = (Some(7.015e-7), Some(7.015e-7));
    found.p_of = Some(PositionTest::Uniformity);
    found.preferred = vec![0];
}

#[test]
fn a_preference_in_random_orders_is_one_line_over_the_answers_of_its_test() {
    let summary = run(uniform);
    assert_eq!(
        position(&summary),
        "position  first 58.0%, last 17.0% of 100 answers (even is 33.3%); prefers the first, p <0.000001"
    );
    assert!(verbose(&summary).contains(
        "uniform chi-square 28.34 (p <0.000001), G 26.97 (p 0.00000139) on 2; 58, 25, 17 of one ask per case, 16 of \
         them in the own order; 2 left out without an answer"
    ));
}

#[test]
fn both_ends_and_a_middle_position_are_named() {
    let ends = run(|found| {
        uniform(found);
        found.preferred = vec![0, 2];
    });
    assert!(position(&ends).contains("prefers the first and the last, p"));
    let middle = run(|found| {
        uniform(found);
        found.preferred = vec![1];
    });
    assert!(
        position(&middle)
            .contains("first 58.0%, position 2 25.0%, last 17.0% of 100 answers (even is 33.3%); prefers position 2")
    );
}

#[test]
fn a_balanced_set_says_its_test_what_it_left_out_and_unanimity() {
    let balanced = |found: &mut PositionPreference| {
        found.design = PositionDesign::BalancedSet;
        found.reason = None;
        found.balanced = Some(PositionBalanced {
            counts: vec![13, 6, 5],
            cases: 8,
            clusters: None,
            left_out: 1,
            no_decision: 2,
            orders: 3,
            wald: Some(5.727_273),
            f: Some(2.454_545),
            df: Some([2, 6]),
            p: Some(0.166_375),
            method: BalancedMethod::Hotelling,
            reason: None,
        });
        found.shares = vec![
            PositionShare {
                value: 0.541_667,
                interval: [0.3, 0.8],
            },
            PositionShare {
                value: 0.25,
                interval: [0.1, 0.5],
            },
            PositionShare {
                value: 0.208_333,
                interval: [0.05, 0.45],
            },
        ];
        (found.p, found.p_adjusted) = (Some(0.166_375), Some(0.2));
        found.p_of = Some(PositionTest::Balanced);
    };
    let summary = run(balanced);
    assert!(
        !render(&summary, &WIDE).contains("\nposition"),
        "what was tested and not found is for --verbose"
    );
    let text = verbose(&summary);
    for expected in [
        "balanced Hotelling F 2.45 on 2 and 6, p 0.166; 8 cases with all 3 orders answered; 1 left out with an order \
         missing; 2 left out without a decision",
        "shares 54.2% (30.0-80.0%), 25.0% (10.0-50.0%), 20.8% (5.0-45.0%) mean over cases (95% CI)",
        "finding first 54.2%, last 20.8% of 24 answers (even is 33.3%); no preference shown, adjusted p 0.200",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let unanimous = run(|found| {
        balanced(found);
        (found.p, found.p_adjusted, found.p_of) = (None, None, None);
        let test = found.balanced.as_mut().unwrap();
        (test.f, test.df, test.p, test.wald) = (None, None, None, None);
        test.method = BalancedMethod::Unanimous;
        test.reason = Some("no position preference (all cases unanimous)".to_owned());
    });
    assert!(position(&unanimous).ends_with("; no position preference (all cases unanimous)"));
    assert!(verbose(&unanimous).contains(
        "balanced no position preference (all cases unanimous); 8 cases with all 3 orders answered"
    ));
}

#[test]
fn orders_that_mix_content_and_position_are_said_to_be_untested() {
    assert_eq!(
        position(&run(|_| ())),
        "position  always the first in 24 answers (even is 33.3%); no test: content is mixed in, ask `balanced`"
    );
}

#[test]
fn a_run_without_a_flip_has_no_line_and_two_numbers_of_options_name_theirs() {
    assert!(!render(&content(8, &CHECK, false), &WIDE).contains("\nposition"));
    let mut shapes = example::labelled(8, &["a", "b", "c"]);
    shapes.extend(example::labelled(9, &["x", "y"]));
    let summary = Builder::new(shapes, &[Variants::Reverse])
        .answered(|_, _, order| Reply::Chose(order.identities()[0], 0.9));
    let text = render(&summary, &WIDE);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("position"))
        .collect();
    assert_eq!(
        lines,
        [
            "position  2 options: always the first in 18 answers (even is 50.0%); prefers the first, p 0.00391 (reversal: 9 \
             to 0)",
            "position  3 options: always the first in 16 answers (even is 33.3%); prefers the first, p 0.00781 (reversal: 8 \
             to 0)",
        ]
    );
}

#[test]
fn everything_about_positions_is_in_the_verbose_report() {
    let mut summary = run(|found| {
        found.never_chosen = vec![
            NeverChosen {
                position: 1,
                offered: 24,
                chance: Some(0.000_06),
            },
            NeverChosen {
                position: 2,
                offered: 24,
                chance: Some(0.000_06),
            },
        ];
        found.recall = PositionRecall {
            cases: 150,
            answers: 150,
            no_decision: 3,
            several_accepted: 1,
            table: vec![vec![40, 6, 4], vec![10, 30, 10], vec![12, 13, 25]],
            recalls: vec![Some(0.8), Some(0.6), None],
            recall_intervals: Vec::new(),
            left_out: vec![2],
            rstd_percent: Some(12.472_191),
            rstd_corrected_percent: Some(11.228_406),
            rstd_interval_percent: Some([4.0, 21.0]),
            rstd_draws: Some(2_000),
            chi_square: Some(10.047_847),
            df: Some(2),
            p: Some(0.006_579),
            reason: None,
        };
        found.unseen.symmetric = true;
        found.unseen.fixed_positions = vec![1];
    });
    summary.fit.accepted_positions = vec![AcceptedPositions {
        options: 3,
        cases: 8,
        several_accepted: 2,
        counts: vec![8, 0, 0],
        chi_square: Some(16.0),
        df: Some(2),
        p: Some(0.000_457),
        exact: true,
        reason: None,
    }];
    let end = |value| {
        Some(EndPreference {
            value,
            interval: [value - 0.1, value + 0.1],
            cases: 8,
            content_balanced: value < 0.0,
        })
    };
    let position = summary.position.as_mut().unwrap();
    (position.primacy, position.recency) = (end(0.5), end(-0.3));
    let text = verbose(&summary);
    for expected in [
        "accepted 3 options 8, 0, 0 of 8 cases by position in the own order; even: exact p 0.000457; 2 cases with several \
         accepted options left out",
        "moved reverse 8/8 flipped where the change moved the chosen option (95% CI 67.6-100.0%)",
        "position all primacy +50.0 points (95% CI +40.0 to +60.0) over 8 cases, content mixed in",
        "position all recency -30.0 points (95% CI -40.0 to -20.0) over 8 cases",
        "answers 24, 0, 0 of 24 answers by position; never chosen: position 2, 3 (offered 24 times, by even chance \
         0.0000600 for each)",
        "recall own 80.0%, 60.0%, -; RStd 12.5 (95% CI 4.0-21.0), 11.2 without sampling noise; equal recalls: chi-square \
         10.05 on 2, p 0.00658; 150 answers; 3 without a decision; 1 cases with several accepted options left out",
        "pickers one position always would flip under 80.0% of random other orders, a random answer under 66.7%",
        "unseen a preference for both ends or for the middle and a preference for position 2",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}
