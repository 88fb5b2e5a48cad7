//! Figures in words: what is printed for which figure.

use super::*;
use crate::example::{self, Builder, Reply, Variants};

/// The control of eight cases of which `flips` flip.
fn control(flips: usize) -> Figure {
    let shapes = example::labelled(8, &["a", "b", "c"]);
    let summary = Builder::new(shapes, &[Variants::Same(1)]).answered(|case, variant, _| {
        let other = usize::from(variant == "1" && case < flips);
        Reply::Chose(example::id((case + other) % 3), 0.9)
    });
    summary.control.unwrap().figure
}

#[test]
fn without_a_limit_the_bound_that_says_something_is_printed() {
    assert_eq!(bound(&control(0)), "up to 31.2% in general");
    assert_eq!(bound(&control(3)), "up to 71.1% in general");
    assert_eq!(bound(&control(8)), "at least 68.8% in general");
}

#[test]
fn over_the_limit_the_lower_bound_is_printed_and_within_it_the_upper_one() {
    let limited = |flips| {
        bound(&Figure {
            limit: Some(0.5),
            ..control(flips)
        })
    };
    assert_eq!(limited(4), "up to 80.7% in general");
    assert_eq!(limited(5), "at least 28.9% in general");
}

#[test]
fn fit_that_fails_in_general_shows_the_bound_that_decided() {
    let mut fit = example::plain().fit;
    assert_eq!(bound(&fit.figure), "at least 68.8% in general");
    (fit.figure.rule, fit.figure.verdict) = (Rule::General, Verdict::NotATask);
    (fit.figure.rate, fit.figure.upper) = (Some(0.25), Some(0.6));
    assert_eq!(bound(&fit.figure), "up to 60.0% in general");
}

#[test]
fn fit_that_fails_about_this_file_shows_how_far_it_can_reach() {
    let mut fit = example::plain().fit;
    (fit.figure.rule, fit.figure.verdict) = (Rule::File, Verdict::NotATask);
    (fit.figure.rate, fit.figure.lower) = (Some(0.5), Some(0.19));
    fit.figure.upper = Some(0.61);
    assert_eq!(bound(&fit.figure), "up to 61.0% in general");
    fit.figure.upper = Some(1.0);
    assert_eq!(
        bound(&fit.figure),
        "at least 19.0% in general",
        "an upper bound of 1 says nothing"
    );
}

#[test]
fn fit_without_a_right_answer_shows_how_far_it_can_reach() {
    let mut fit = example::plain().fit;
    (fit.figure.rule, fit.figure.verdict) = (Rule::File, Verdict::TooFewCases);
    (fit.figure.rate, fit.figure.lower) = (Some(0.0), Some(0.0));
    fit.figure.upper = Some(0.631_6);
    assert_eq!(bound(&fit.figure), "up to 63.2% in general");
}

#[test]
fn without_a_bound_over_clusters_a_share_is_still_compared() {
    let mut figure = control(3);
    (figure.lower, figure.upper) = (None, None);
    assert_eq!(bound(&figure), "no bound");
    figure.pairs = 0;
    assert_eq!(bound(&figure), "nothing to compare");
}

#[test]
fn with_the_file_as_the_population_nothing_is_said_in_general() {
    let of = |population| claimed("stable in general".to_owned(), population);
    assert_eq!(of(Population::Traffic), "stable in general");
    assert_eq!(of(Population::File), "stable in this file");
    assert_eq!(claimed("quiet".to_owned(), Population::File), "quiet");
}

#[test]
fn the_mean_over_cases_is_printed_without_a_fraction_of_asks() {
    let mean = Mean {
        value: 0.557,
        cases: 100,
        asks: 500,
        interval: [0.46, 0.65],
    };
    assert_eq!(mean_right(&mean), "55.7% right");
    assert_eq!(
        averaged(&mean),
        "mean over 100 cases and 500 asks (95% CI 46.0-65.0%)"
    );
}

#[test]
fn the_own_order_differs_where_some_paired_difference_excludes_none() {
    let summary = example::first(&[Variants::Reverse, Variants::Rotate(1)]);
    let with = |intervals: [[f64; 2]; 2]| {
        let mut lines: Vec<Line> = summary.axes["order"].values().cloned().collect();
        for (line, interval) in lines.iter_mut().zip(intervals) {
            line.accuracy.as_mut().unwrap().difference_interval = interval;
        }
        own_order_differs(&lines)
    };
    assert!(!with([[-0.02, 0.02], [-0.1, 0.0]]));
    assert!(with([[-0.02, 0.02], [-0.1, -0.01]]));
    assert!(with([[0.01, 0.2], [-0.1, 0.1]]));
    assert!(!own_order_differs(&[]));
}

#[test]
fn pairs_across_a_change_of_the_served_model_stand_beside_the_missing() {
    let mut summary = example::first(&[Variants::Reverse, Variants::Same(1)]);
    let line = &mut summary.axes["order"]["reverse"];
    line.figure.missing = 24;
    assert!(line_notes(line, false).contains(&"24 missing".to_owned()));
    line.other_version = 22;
    let noted = "24 missing (22 across a change of the served model)".to_owned();
    assert!(line_notes(line, false).contains(&noted));
    line.unreadable = 2;
    assert!(line_notes(line, false).contains(&"2 of the missing unreadable".to_owned()));
    let control = summary.control.as_mut().unwrap();
    control.figure.missing = 24;
    control.by_repeat[0].other_version = 22;
    assert!(control_verdict(control).text().contains(&noted));
}

#[test]
fn further_pairs_are_named_as_far_as_they_are_known() {
    let text = |if_no_flip, if_same_rate| {
        more_pairs(MorePairs {
            if_no_flip,
            if_same_rate,
        })
        .unwrap_or_default()
    };
    assert_eq!(
        text(Some(51), Some(51)),
        "about 51 more pairs without a flip would settle it"
    );
    assert_eq!(
        text(Some(1_700), None),
        "about 1700 more pairs without a flip would settle it"
    );
    assert_eq!(
        text(None, Some(12_000)),
        "about 12,000 more pairs at this rate would settle it"
    );
    assert_eq!(text(None, None), "");
}
