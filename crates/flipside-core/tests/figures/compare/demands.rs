//! Demands: what is shown, what is not, and what missing answers leave open.

use flipside_core::compare::{AnswerSet, Claim, Comparison, Demand, Wanted, Word, compare};

use super::sets::{PLAIN, chose, declined, failed, near, three};

fn demanded(
    baseline: &AnswerSet,
    variant: &AnswerSet,
    equivalent: Demand,
    not_worse: Demand,
) -> Comparison {
    let wanted = Wanted {
        equivalent,
        not_worse,
        ..PLAIN
    };
    compare(baseline, variant, &wanted).unwrap()
}

const NONE: Demand = Demand {
    accuracy: None,
    flips: None,
};

fn both(share: f64) -> Demand {
    Demand {
        accuracy: Some(share),
        flips: Some(share),
    }
}

/// `flipped` of `n` labelled cases flip to a wrong option under reversal.
fn flipping(n: usize, flipped: usize) -> AnswerSet {
    let answer = |case| (Some(0), chose(0), chose(u16::from(case < flipped)));
    three(&(0..n).map(answer).collect::<Vec<_>>())
}

#[test]
fn nothing_demanded_is_nothing_gated() {
    let comparison = demanded(&flipping(10, 0), &flipping(10, 10), NONE, NONE);
    assert_eq!((comparison.verdicts.len(), comparison.exit), (0, 0));
}

#[test]
fn more_flips_are_worse_fewer_are_not_and_few_cases_show_neither() {
    let word = |baseline: &AnswerSet, variant: &AnswerSet| {
        let comparison = demanded(baseline, variant, NONE, both(0.05));
        assert_eq!(comparison.verdicts[0].word, Word::NotWorse);
        let line = &comparison.verdicts[1];
        assert_eq!(
            (line.claim, line.order.as_str()),
            (Claim::NotWorse, "reverse")
        );
        assert_eq!(comparison.exit, u8::from(line.word != Word::NotWorse));
        line.word
    };
    let (none, some, all) = (flipping(100, 0), flipping(100, 8), flipping(100, 60));
    assert_eq!(word(&none, &all), Word::Worse);
    assert_eq!(word(&all, &none), Word::NotWorse);
    assert_eq!(word(&some, &some), Word::NotWorse);
    assert_eq!(word(&none, &some), Word::NotShown);
}

#[test]
fn a_verdict_has_the_one_sided_bounds_of_the_page() {
    // 6 against 4 of 200 with a 90 % interval: -0.018133 to 0.039364.
    let right = |wrong: std::ops::Range<usize>| {
        let answer = |case| (Some(0), chose(u16::from(!wrong.contains(&case))), chose(0));
        three(&(0..200).map(answer).collect::<Vec<_>>())
    };
    let (four, six) = (right(0..4), right(10..16));
    let comparison = demanded(
        &four,
        &six,
        NONE,
        Demand {
            accuracy: Some(0.02),
            flips: None,
        },
    );
    let line = &comparison.verdicts[0];
    near(line.difference, 0.01);
    near(line.interval.unwrap()[0], -0.018_133);
    near(line.interval.unwrap()[1], 0.039_364);
    assert_eq!(line.word, Word::NotWorse, "at most 0.018133 below");
    let closer = demanded(
        &four,
        &six,
        NONE,
        Demand {
            accuracy: Some(0.018),
            flips: None,
        },
    );
    assert_eq!(closer.verdicts[0].word, Word::NotShown);
    let margin = demanded(&four, &six, both(0.05), NONE);
    assert_eq!(margin.verdicts[0].word, Word::Equivalent);
    let tight = demanded(&four, &six, both(0.03), NONE);
    assert_eq!(tight.verdicts[0].word, Word::NotEquivalent);
}

#[test]
fn a_margin_on_flips_is_about_more_flips_only() {
    let fewer = demanded(&flipping(100, 60), &flipping(100, 0), both(0.05), NONE);
    assert_eq!(fewer.verdicts[1].word, Word::FlipsKept);
    assert_eq!(fewer.exit, 0);
    let more = demanded(&flipping(100, 0), &flipping(100, 60), both(0.05), NONE);
    assert_eq!(more.verdicts[1].word, Word::FlipsNotKept);
    assert_eq!(more.exit, 1);
}

#[test]
fn errors_never_look_like_a_clean_result() {
    // Measured cases are all alike, but a fifth of the variant's asks failed.
    let fails = |n: usize| {
        let answer = |case| {
            let reversed = if case < n { failed() } else { chose(0) };
            (Some(0), chose(0), reversed)
        };
        three(&(0..100).map(answer).collect::<Vec<_>>())
    };
    let comparison = demanded(&flipping(100, 0), &fails(20), NONE, both(0.05));
    let line = &comparison.verdicts[1];
    assert_eq!(
        (line.missing, line.word, line.held),
        (20, Word::NotShown, false)
    );
    assert_eq!(
        line.reason.as_deref(),
        Some("cases missing on a side: 20; ask them again first")
    );
    // The few that could not change it do not.
    let one = demanded(&flipping(100, 0), &fails(1), NONE, both(0.1));
    assert_eq!(
        (one.verdicts[1].missing, one.verdicts[1].word),
        (1, Word::NotWorse)
    );
    let same = demanded(&fails(20), &fails(20), both(0.05), NONE);
    assert_eq!(same.verdicts[1].word, Word::FlipsNotKept);
}

#[test]
fn a_model_that_declines_is_not_called_stable() {
    let declines = |n: usize| {
        let answer = |case| {
            let said = || if case < n { declined() } else { chose(0) };
            (None, said(), said())
        };
        three(&(0..100).map(answer).collect::<Vec<_>>())
    };
    let flips = Demand {
        accuracy: None,
        flips: Some(0.1),
    };
    let said = |n| demanded(&declines(0), &declines(n), NONE, flips).verdicts[0].clone();
    assert_eq!(said(5).word, Word::NotWorse);
    let more = said(6);
    assert_eq!(more.word, Word::NotShown);
    assert_eq!(
        more.reason.as_deref(),
        Some("cases without a decision on a side: 6")
    );
    let all = said(100);
    assert_eq!(all.word, Word::NotMeasured);
}

#[test]
fn a_demand_with_nothing_to_measure_does_not_hold() {
    let unlabelled = three(&[(None, chose(0), chose(0))]);
    let comparison = demanded(&unlabelled, &unlabelled, both(0.9), NONE);
    let line = &comparison.verdicts[0];
    assert_eq!(
        (line.word, line.held, comparison.exit),
        (Word::NotMeasured, false, 1)
    );
    assert_eq!(
        line.reason.as_deref(),
        Some("no common case says which options are right")
    );
    let mut plain = flipping(10, 0);
    plain
        .cases
        .iter_mut()
        .for_each(|case| case.asks.truncate(1));
    let comparison = demanded(&plain, &plain, both(0.9), NONE);
    let line = &comparison.verdicts[1];
    assert_eq!((line.word, line.order.as_str()), (Word::NotMeasured, "-"));
    assert_eq!(
        line.reason.as_deref(),
        Some("no other order was asked by both")
    );
}

#[test]
fn flips_of_a_side_that_flips_stopped_are_not_judged_by_fixed_bounds() {
    let mut stopped = flipping(100, 0);
    stopped.about.stopped_by = Some("planned".to_owned());
    let comparison = demanded(&flipping(100, 60), &stopped, NONE, both(0.05));
    assert_eq!(
        comparison.verdicts[0].word,
        Word::NotWorse,
        "accuracy is not stopped by"
    );
    let line = &comparison.verdicts[1];
    assert_eq!((line.word, comparison.exit), (Word::NotShown, 1));
    assert_eq!(
        line.reason.as_deref(),
        Some(
            "a side stopped asking by the rule `planned`, and bounds for a fixed number of cases do not hold then"
        )
    );
    let worse = demanded(&stopped, &flipping(100, 60), both(0.05), both(0.05));
    assert_eq!(worse.verdicts[1].word, Word::FlipsNotKept);
    assert_eq!(worse.verdicts[3].word, Word::NotShown);
}
