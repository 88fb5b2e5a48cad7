//! What all rewordings asked show together.

use flipside_core::perturb::Axis;
use flipside_core::summary::{PhrasingSummary, Range, Summary};

use super::{NARROW, VERBOSE, WIDE, content, flat};
use crate::example::{self, Variants};
use crate::terminal::render;

fn summary(change: impl Fn(&mut PhrasingSummary)) -> Summary {
    let mut phrasing = example::rewordings();
    change(&mut phrasing);
    let mut summary = content(8, &[Variants::On(Axis::Phrasing, "1")], false);
    summary.phrasing = Some(phrasing);
    summary
}

/// Every line about phrasing but that of the one rewording, without columns.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.starts_with("phrasing"));
    lines
        .map(flat)
        .filter(|line| !line.contains("stable"))
        .collect()
}

fn unlabelled(phrasing: &mut PhrasingSummary) {
    let accuracy = &mut phrasing.accuracy;
    accuracy.wordings.clear();
    (accuracy.value, accuracy.least, accuracy.most) = (None, None, None);
}

fn two_rewordings(phrasing: &mut PhrasingSummary) {
    phrasing.wordings = Range { least: 3, most: 3 };
    (phrasing.accuracy.value, phrasing.flips.value) = (None, None);
}

#[test]
fn one_line_says_how_far_accuracy_moves_and_how_many_cases_answer_otherwise() {
    let text = render(&summary(|_| ()), &WIDE);
    assert_eq!(lines(&text).len(), 1, "{text}");
    assert!(
        flat(&text).contains(
            "phrasing spread 60.0 points 20.0-80.0% right over own words and 3 rewordings, 5 cases (2 left out); \
             noise alone gives 45.8, at least this much in 33.0% of 200 shuffles; 6/8 cases gave more than one answer"
        ),
        "{text}"
    );
    let narrow = render(&summary(|_| ()), &NARROW);
    assert!(
        narrow.lines().all(|line| line.chars().count() <= 80),
        "{narrow}"
    );
}

#[test]
fn without_labels_flips_are_what_moves() {
    let text = render(&summary(unlabelled), &WIDE);
    assert!(
        flat(&text).contains(
            "phrasing spread 50.0 points 16.7-66.7% flipped over 3 rewordings, 6 cases (2 left out)"
        ),
        "{text}"
    );
}

#[test]
fn two_rewordings_have_no_spread_and_one_has_its_own_line() {
    let text = render(&summary(two_rewordings), &WIDE);
    assert_eq!(
        lines(&text).concat(),
        "phrasing any flip 6/8 flipped up to 99.4% in general over 3 wordings, 1 open (an answer missing)"
    );
    let one = summary(|phrasing| {
        two_rewordings(phrasing);
        phrasing.wordings = Range { least: 2, most: 2 };
    });
    assert_eq!(lines(&render(&one, &WIDE)), Vec::<String>::new());
    assert_eq!(
        lines(&render(&content(8, &[], false), &VERBOSE)),
        Vec::<String>::new()
    );
}

#[test]
fn every_wording_has_a_line_with_verbose() {
    let text = render(&summary(|_| ()), &VERBOSE);
    assert_eq!(
        lines(&text)[1..],
        [
            "phrasing own 4/5 right 80.0%, 95% CI 37.6-96.4%",
            "phrasing 1 3/5 right 60.0%, 95% CI 23.1-88.2%",
            "phrasing 2 1/5 right 20.0%, 95% CI 3.6-62.4%",
            "phrasing 3 4/5 right 80.0%, 95% CI 37.6-96.4%",
            "phrasing 1 1/6 flipped 16.7%, 95% CI 3.0-56.4%",
            "phrasing 2 4/6 flipped 66.7%, 95% CI 30.0-90.3%",
            "phrasing 3 2/6 flipped 33.3%, 95% CI 9.7-70.0%",
            "phrasing 1 answer 1 case",
            "phrasing 2 different answers 5 cases",
            "phrasing 3 different answers 1 case",
        ]
    );
}

#[test]
fn names_of_rewordings_from_outside_are_escaped() {
    let hostile =
        summary(|phrasing| phrasing.accuracy.wordings[1].wording = "a\u{1b}[31m".to_owned());
    assert!(!render(&hostile, &VERBOSE).contains('\u{1b}'));
}
