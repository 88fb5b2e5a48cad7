//! Everything that is no plain pair has a name of its own, and bounds are those of cases or clusters.

use flipside_core::answer::Answer;
use flipside_core::case::FieldValue;
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::OptionId;
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;
use flipside_core::record::Outcome;
use flipside_core::summary::AttentionReason;

use super::{Run, Shown, Told, close, drop_of};
use crate::common::Bytes;

fn fixed(shown: &Shown<'_>) -> Told {
    shown.weigh(|id| [5.0, 4.0, 2.0, 1.0][usize::from(id)])
}

/// Whether this is the list without `out`, or with it last.
fn without(shown: &Shown<'_>, out: u16) -> bool {
    shown.list.len() == 3 && !shown.shows(out)
}

fn last(shown: &Shown<'_>, out: u16) -> bool {
    shown.list.len() == 4 && shown.list[3].0 == out
}

#[test]
fn failed_unasked_and_declined_asks_are_counted_under_their_own_names() {
    let found = Run::new(8, 4).drop(|shown| match shown.number() {
        // The list without 1 of case 0 failed, the one with 2 last of case 1 too.
        0 if without(shown, 1) => Told::Failed,
        1 if last(shown, 2) => Told::Failed,
        2 if without(shown, 3) => Told::Unasked,
        // Neither answer decided; and one of two.
        3 if without(shown, 1) || last(shown, 1) => Told::Nothing,
        4 if without(shown, 1) => Told::Nothing,
        // The choice is left out: failed, unasked, declined.
        5 if without(shown, 0) => Told::Failed,
        6 if without(shown, 0) => Told::Unasked,
        7 if without(shown, 0) => Told::Nothing,
        _ => fixed(shown),
    });
    let figure = &found.figure;
    assert_eq!(
        (figure.missing, figure.unasked, figure.no_decision),
        (2, 1, 1)
    );
    assert_eq!(
        (figure.pairs, figure.flips, found.no_decision_flips),
        (20, Some(1), 1)
    );
    assert_eq!(
        figure.applicable, 24,
        "three pairs of each case keep the choice"
    );
    let dropped = &found.choice_dropped;
    assert_eq!(
        (
            dropped.pairs,
            dropped.missing,
            dropped.unasked,
            dropped.no_decision
        ),
        (8, 1, 1, 1)
    );
    assert_eq!((dropped.runner_up.of, dropped.runner_up.hits), (5, 5));
    assert_eq!(found.attention_reason, Some(AttentionReason::Flips));
    // The line of each option has the same pairs.
    assert_eq!(found.cases, 8);
}

#[test]
fn comparisons_of_equal_size_lose_what_their_lists_lose() {
    let found = Run::new(6, 4).drop(|shown| match shown.number() {
        0 if without(shown, 1) => Told::Failed,
        1 if without(shown, 3) => Told::Unasked,
        2 if without(shown, 2) || without(shown, 3) => Told::Nothing,
        // The own order, which is also the list with the last option last, said nothing, or failed.
        3 if last(shown, 3) => Told::Nothing,
        4 if last(shown, 3) => Told::Failed,
        _ => fixed(shown),
    });
    let equal = found.equal_size.unwrap();
    // Case 0 has (1,2) missing, case 1 (2,3) unasked, case 2 (2,3) undecided and (1,2) a flip to no decision. What cases 3 and 4
    // watch is not known, so all three of their neighbours count; case 5 is whole.
    assert_eq!((equal.missing, equal.unasked, equal.no_decision), (4, 1, 4));
    assert_eq!((equal.pairs, equal.flips), (5, 1));
}

#[test]
fn ties_are_counted_apart_from_firm_flips_and_any_of_equal_runners_up_will_do() {
    let found = Run::new(5, 4).drop(|shown| match shown.number() {
        // A tie of 0 and 1 in the full lists, broken by identity; without 3 it is 1.
        0 if without(shown, 3) => Told::Reported(vec![0.3, 0.5, 0.2]),
        0 if shown.list.len() == 4 => shown.weigh(|id| [0.4, 0.4, 0.15, 0.05][usize::from(id)]),
        // 1 and 2 are equally probable after 0; the reply chooses 2, and then 3.
        1 | 2 if without(shown, 0) => {
            let chosen = if shown.number() == 1 { 2 } else { 3 };
            shown.weigh(|id| if id == chosen { 2.0 } else { 1.0 })
        }
        1 | 2 => shown.weigh(|id| [0.4, 0.25, 0.25, 0.1][usize::from(id)]),
        // 2 is next after 0; without 0 it ties with 1, which identity puts first.
        3 if without(shown, 0) => Told::Reported(vec![0.4, 0.4, 0.2]),
        3 => shown.weigh(|id| [5.0, 3.0, 4.0, 1.0][usize::from(id)]),
        _ => fixed(shown),
    });
    let figure = &found.figure;
    assert_eq!(
        (figure.flips, figure.firm_flips, figure.tie_flips),
        (Some(1), Some(0), Some(1))
    );
    let dropped = found.choice_dropped;
    assert_eq!(
        (dropped.runner_up.of, dropped.runner_up.hits, dropped.tied),
        (5, 4, 3)
    );
}

#[test]
fn options_declared_equal_are_one_answer_and_the_one_left_out_is_the_one_chosen() {
    let mut run = Run::new(3, 4);
    for case in &mut run.cases {
        case.equal = vec![vec![OptionId(0), OptionId(2)]].into();
    }
    let summary = run.summary(|shown| match shown.number() {
        // 2 instead of 0, where both are offered: the same answer.
        0 if without(shown, 1) => Told::Bare(2),
        // 2 was chosen and left out; 0, which stays, is the same answer, and 1 is none.
        1 if shown.list.len() == 4 => shown.weigh(|id| [3.0, 2.0, 5.0, 1.0][usize::from(id)]),
        1 if without(shown, 2) => Told::Bare(1),
        // 2 was chosen and 0 left out, which is no choice left out.
        2 if shown.list.len() == 4 => shown.weigh(|id| [3.0, 2.0, 5.0, 1.0][usize::from(id)]),
        2 if without(shown, 0) => Told::Bare(1),
        1 | 2 if shown.shows(2) => Told::Bare(2),
        _ => fixed(shown),
    });
    let found = drop_of(&summary);
    assert_eq!((found.figure.pairs, found.figure.flips), (9, Some(1)));
    assert_eq!(found.declared_same, 1);
    let dropped = &found.choice_dropped;
    assert_eq!((dropped.pairs, dropped.equal_stayed), (3, 3));
    // Case 0 without 0 chose 1, where 1 was next. Case 1 was to choose 0 and chose 1. Case 2 without 2 chose 0.
    assert_eq!((dropped.runner_up.of, dropped.runner_up.hits), (3, 2));
    // The pairs of single asks agree: what is left out counts by itself and not by its class.
    let flips = |variant: &str| {
        let asks = summary.cases.iter().flat_map(|case| &case.asks);
        let asks = asks.filter(|ask| ask.axis.name() == "drop" && &*ask.variant == variant);
        asks.map(|ask| ask.flip).collect::<Vec<_>>()
    };
    assert_eq!(flips("2"), [Some(false), None, None]);
    assert_eq!(flips("0"), [None, Some(false), Some(true)]);
    let lines = summary.axes["drop"].values();
    assert_eq!(
        lines.map(|line| line.figure.pairs).sum::<u64>(),
        found.figure.pairs
    );
}

#[test]
fn cases_with_fewer_than_three_options_are_told_apart() {
    let mut run = Run::new(3, 4);
    run.cases[1].options.truncate(2);
    let found = run.drop(|shown| shown.weigh(|id| [5.0, 4.0, 2.0, 1.0][usize::from(id)]));
    assert_eq!(
        (found.cases, found.figure.vacuous, found.figure.pairs),
        (2, 1, 6)
    );
    assert_eq!(found.vacuous_reasons[&VacuousReason::TooFewOptions], 1);
    let mut run = Run::new(1, 2);
    run.gates = "none:fit,none:order,drop<=5%";
    let summary = run.summary(fixed);
    let found = drop_of(&summary);
    assert_eq!(found.figure.verdict.text(), "not applicable");
    assert_eq!((found.figure.rate, found.figure.interval), (None, None));
    assert_eq!(found.attention_reason, Some(AttentionReason::NoAnswers));
    assert!(!summary.gates[0].held);
}

#[test]
fn bounds_are_those_of_cases_and_of_declared_clusters() {
    // 40 cases, three pairs each, none flips: the bound of 40, the published 0.072158, and not that of 120.
    let mut run = Run::new(40, 4);
    let found = run.drop(fixed);
    assert_eq!(found.figure.pairs, 120);
    close(found.figure.upper, 0.072_158);
    assert_eq!(found.figure.clusters.unwrap().clusters, 40);
    // The runner-up is asked for once per case: 40 of 40.
    close(found.choice_dropped.runner_up.lower, 0.927_842);
    // 20 clusters of two: 1 - .05^(1/20).
    for (number, case) in run.cases.iter_mut().enumerate() {
        let base = FieldValue::Text((number / 2).to_string());
        case.fields = vec![("base".to_owned(), base)].into();
    }
    run.cluster = Some("base");
    let found = run.drop(fixed);
    close(found.figure.upper, 0.139_108);
    close(found.choice_dropped.runner_up.lower, 0.860_892);
    close(found.shared.beyond_rounding.upper, 0.139_108);
    close(found.equal_size.unwrap().upper, 0.139_108);
}

#[test]
fn ten_cases_of_three_pairs_give_the_published_bounds() {
    // Statistics page, 4.3: 10 clusters of 3 with 6 flips in all, of which 3, 2 and 1 in one: 0.2, upper 0.503509.
    let flips = |shown: &Shown<'_>| {
        let lost = match shown.number() {
            0 => [true; 3],
            1 => [true, true, false],
            2 => [true, false, false],
            _ => [false; 3],
        };
        let flipped = (1..4_u16).any(|out| without(shown, out) && lost[usize::from(out) - 1]);
        shown.weigh(|id| {
            let weight = [5.0, 4.0, 3.0, 2.0][usize::from(id)];
            if flipped && id == 0 { 0.5 } else { weight }
        })
    };
    let found = Run::new(10, 4).drop(flips);
    assert_eq!((found.figure.pairs, found.figure.flips), (30, Some(6)));
    let clusters = found.figure.clusters.unwrap();
    close(clusters.standard_error, 0.113_312);
    close(clusters.design_effect, 2.407_407);
    close(found.figure.upper, 0.503_509);
}

#[test]
fn two_models_compare_nothing() {
    let run = Run::new(3, 4);
    let plan = run.plan();
    let asks = plan.asks.iter().map(|ask| {
        let list = ask.order.identities();
        let mut asked = super::asked(&Told::Weights(vec![1.0; list.len()]), list, 4)?;
        if let Outcome::Answered(answer) = &mut asked.outcome {
            let model = if list.len() == 3 { "new" } else { "old" };
            answer.served_model = Some(model.into());
        }
        Some(asked)
    });
    let gates = GateSpec::parse_list("none:fit,none:order,drop<=50%").unwrap();
    let gates = Gates::resolve(&gates, true, &[], false);
    let summary = crate::made::summary(&plan, asks.collect(), &gates);
    let found = drop_of(&summary);
    assert_eq!(
        (
            found.figure.pairs,
            found.figure.missing,
            found.other_version
        ),
        (0, 9, 9)
    );
    let reason = found.figure.reason.as_deref();
    assert_eq!(reason, Some("9 of 9 pairs compare two served models"));
    assert_eq!(
        (
            found.choice_dropped.missing,
            found.shared.with_probabilities
        ),
        (3, 0)
    );
    // The shorter lists are all of one model.
    assert_eq!(found.equal_size.unwrap().missing, 0);
}

/// A model that cannot be asked a list of three without option 1.
struct Refusing(Bytes);

impl Model for Refusing {
    fn card(&self) -> &Card {
        self.0.card()
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        if shown.len() == 3 && shown.at_key("k1").is_none() {
            let reason = "no list without `k1`".to_owned();
            return Err(Unsupported { reason });
        }
        self.0.request(shown)
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("nothing is asked here")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("nothing is asked here")
    }
}

#[test]
fn lists_between_which_another_option_moves_are_not_compared() {
    let run = Run::new(2, 4);
    let compared = |model: &dyn Model| {
        let plan = run.plan_on(model);
        let asks = plan.asks.iter();
        // 3 is always chosen.
        let asks = asks.map(|ask| {
            let list = ask.order.identities();
            let weights = list.iter().map(|id| f64::from(id.0) + 1.0).collect();
            super::asked(&Told::Weights(weights), list, 4)
        });
        let gates = Gates::resolve(&[], false, &[], false);
        let summary = crate::made::summary(&plan, asks.collect(), &gates);
        let found = drop_of(&summary);
        (
            found.vacuous_reasons.values().sum::<u64>(),
            found.equal_size.map(|equal| equal.pairs),
        )
    };
    // Neighbours without 3 are 0 and 1, and 1 and 2.
    assert_eq!(compared(&Bytes::new()), (0, Some(4)));
    // Without the list that lacks 1, those that lack 0 and 2 follow each other; 1 stands first in one and second in the other.
    assert_eq!(compared(&Refusing(Bytes::new())), (2, None));
}

#[test]
fn comparisons_of_single_options_are_those_of_the_published_study() {
    // The study has 780 of an option left out and one that stays, and 900 of an option with one neighbour exchanged. Only 45 questions
    // of 4 options and 12 of 5 give both: 45 * 4 * 3 + 12 * 5 * 4 and 45 * 4 * 3 + 12 * 5 * 6.
    let mut run = Run::new(45, 4);
    let five = Run::new(57, 5).cases;
    run.cases.extend_from_slice(&five[45..]);
    let found = run
        .drop(|shown| shown.weigh(|id| f64::from(id + 1)))
        .single_options;
    assert_eq!([found.left_out, found.exchanged], [780, 900]);
    assert_eq!(
        [found.left_out_answered, found.exchanged_answered],
        [780, 900]
    );
}

#[test]
fn single_options_are_answered_where_both_lists_are() {
    // Case 0: the list without 1 failed, so that 3 of 4 lists are answered: 3 * 3 and 3 * 2. Case 1: the list of all with 2 last
    // failed, which every list without 2 is compared with: 3 * 3, and all of 6 * 2. Case 2: nothing failed, 4 * 3 and 6 * 2.
    let found = Run::new(3, 4).drop(|shown| match shown.number() {
        0 if without(shown, 1) => Told::Failed,
        1 if last(shown, 2) => Told::Failed,
        _ => fixed(shown),
    });
    let found = found.single_options;
    assert_eq!([found.left_out, found.exchanged], [36, 36]);
    assert_eq!(
        [found.left_out_answered, found.exchanged_answered],
        [9 + 9 + 12, 6 + 12 + 12]
    );
    for options in 3..7_u64 {
        let run = Run::new(2, usize::try_from(options).unwrap());
        let found = run
            .drop(|shown| shown.weigh(|id| f64::from(id + 1)))
            .single_options;
        assert_eq!(found.left_out, 2 * options * (options - 1));
        assert_eq!(found.exchanged, options * (options - 1) * (options - 2));
    }
}
