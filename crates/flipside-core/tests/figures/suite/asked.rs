//! From asks to what rows were told: repeated requests, ties, and failures.

use flipside_core::answer::{Answer, ReportedScore, score};
use flipside_core::measure::Said;
use flipside_core::order::Order;
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_core::suite::SuiteCase;
use flipside_core::suite::figures::{Answered, RowAnswer, row_answers};

use super::{OPTIONS, cases, place, rows};
use crate::common::Bytes;
use crate::made::id;

fn planned(rows: &[SuiteCase]) -> Plan {
    let all = rows.iter().map(|row| row.case.clone()).collect();
    Plan::build(
        &distinct(all).unwrap(),
        &PlanInput::orders(&[], 1),
        &Bytes::new(),
    )
    .unwrap()
}

fn asked(outcome: Outcome) -> Asked {
    Asked {
        outcome,
        ms: 3.0,
        attempts: 1,
    }
}

/// What a model says that gives every level the same probability.
fn undecided_levels(row: &SuiteCase) -> Answer {
    let order = Order::own(OPTIONS);
    let reported = ReportedScore {
        score: 1.5,
        probabilities: vec![0.25; OPTIONS],
        confidence: None,
    };
    score(&Presentation::new(&row.case, &order), &reported).unwrap()
}

#[test]
fn a_row_that_repeats_a_request_has_its_reply_and_no_time_of_its_own() {
    let rows = cases(&rows());
    let plan = planned(&rows);
    assert_eq!((plan.asks.len(), plan.duplicates.len()), (420, 60));
    let mut asked: Vec<Option<Asked>> = (plan.asks.iter())
        .map(|ask| {
            let accepted = plan.case_of(ask).accept[0];
            Some(asked(Outcome::Answered(Answer {
                choice: Some(accepted),
                ..Answer::default()
            })))
        })
        .collect();
    let answers = row_answers(&rows, &plan, &asked);
    let answered = Answered::new(&rows, &answers);
    assert_eq!(
        (answered.counts().answered, answered.counts().repeated),
        (480, 60)
    );
    let found = answered.figures();
    assert_eq!(
        (found.accuracy.hits, found.latency.unwrap().answers),
        (480, 420)
    );
    // The last ask is that of the last base case's last forward row, whose reversed row repeats it.
    *asked.last_mut().unwrap() = None;
    let failed = Failed {
        kind: FailedKind::Timeout,
        message: "no answer".to_owned(),
        unanswered: true,
    };
    asked[0] = Some(Asked {
        outcome: Outcome::Failed(failed),
        ms: 9.0,
        attempts: 3,
    });
    let answers = row_answers(&rows, &plan, &asked);
    let lost = |said: Said| answers.iter().filter(|answer| answer.said == said).count();
    assert_eq!((lost(Said::Unasked), lost(Said::Missing)), (2, 1));
    assert_eq!((answers[0].said, answers[0].ms), (Said::Missing, None));
    assert_eq!(answers[479].said, Said::Unasked);
}

#[test]
fn a_tie_that_nobody_settled_falls_on_one_option_whatever_the_order_and_makes_no_flip() {
    let rows = cases(&rows());
    let said: Vec<RowAnswer> = rows
        .iter()
        .map(|row| match row.row.family.as_str() {
            "urgency" => {
                let asked = asked(Outcome::Answered(undecided_levels(row)));
                RowAnswer::of(&row.row, Some(&asked))
            }
            _ => super::at(place(&row.row, row.row.accept)),
        })
        .collect();
    // The lowest level is in the first place forward and in the last reversed.
    let first = rows
        .iter()
        .position(|row| row.row.family == "urgency")
        .unwrap();
    let chose = |place: usize| Said::Chose {
        id: id(place),
        tied: true,
    };
    assert_eq!(
        (said[first].said, said[first + 2].said),
        (chose(0), chose(3))
    );
    let found = Answered::new(&rows, &said).figures();
    assert_eq!((found.order.share.hits, found.order.share.of), (0, 180));
    assert_eq!(found.keys.unwrap().share.hits, 0);
    assert_eq!(Answered::new(&rows, &said).counts().tied, 120);
}

#[test]
fn a_choice_that_was_named_among_equal_probabilities_stands() {
    let rows = cases(&rows());
    let named = Answer {
        choice: Some(id(2)),
        probabilities: Some(vec![0.1, 0.4, 0.4, 0.1]),
        tied: true,
        ..Answer::default()
    };
    let asked = asked(Outcome::Answered(named));
    let said = RowAnswer::of(&rows[2].row, Some(&asked)).said;
    let expected = Said::Chose {
        id: id(2),
        tied: true,
    };
    assert_eq!(said, expected);
}
