//! Which option of one side is which of the other.

use flipside_core::answer::Answer;
use flipside_core::case::{Case, KeyBinding, QuestionKind};
use flipside_core::order::OptionId;
use flipside_core::record::Outcome;

use super::{case, chose, found, moved, reversed, side, summary, with};

const THREE: [(&str, &str); 3] = [("a", "apples"), ("b", "bread"), ("c", "cheese")];

#[test]
fn key_and_text_say_which_option_it_is_before_the_text_and_the_text_before_the_key() {
    // Backwards, and the last of the list chosen: identity 0.
    let found = summary(
        vec![(case(0, &THREE), chose(0))],
        vec![(reversed(case(0, &THREE)), chose(2))],
    );
    assert_eq!(moved(&found, 0), (0, vec![2, 1, 0]));
    assert_eq!(found.axes["order"]["reverse"].figure.flips, Some(0));
    // Other keys, in another order: the text says that place 1 is identity 2.
    let renamed = case(0, &[("x", "bread"), ("y", "cheese"), ("z", "apples")]);
    let found = summary(vec![(case(0, &THREE), chose(2))], vec![(renamed, chose(1))]);
    assert_eq!(moved(&found, 0), (2, vec![1, 2, 0]));
    assert_eq!(found.axes["order"]["rotate:1"].figure.flips, Some(0));
    // Keys that changed owners: still the text.
    let swapped = case(0, &[("b", "apples"), ("a", "bread"), ("c", "cheese")]);
    let found = summary(vec![(case(0, &THREE), chose(0))], vec![(swapped, chose(0))]);
    assert_eq!(found.axes["keys"]["recorded"].figure.flips, Some(0));
    // Other texts: the key.
    let reworded = case(0, &[("c", "gouda"), ("b", "bread"), ("a", "pears")]);
    let found = summary(
        vec![(case(0, &THREE), chose(2))],
        vec![(reworded, chose(0))],
    );
    assert_eq!(moved(&found, 0), (2, vec![2, 1, 0]));
}

#[test]
fn letters_belong_to_places_and_tell_no_option() {
    let letters = |options: &[(&str, &str)]| Case {
        keys: KeyBinding::Place,
        ..case(0, options)
    };
    let own = letters(&[("A", "iron"), ("B", "cork"), ("C", "lead")]);
    let other = letters(&[("A", "lead"), ("B", "cork"), ("C", "iron")]);
    // `A` both times is another option each time.
    let found = summary(vec![(own.clone(), chose(0))], vec![(other, chose(0))]);
    assert_eq!(moved(&found, 0), (2, vec![2, 1, 0]));
    assert_eq!(found.axes["order"]["reverse"].figure.flips, Some(1));
    assert!(
        super::found(&found).also.is_empty(),
        "letters stay where they are"
    );
    // Another text behind a letter: nothing says which option it is.
    let reworded = letters(&[("A", "iron"), ("B", "cork"), ("C", "tin")]);
    let error = super::paired(
        side("m", vec![(own, chose(0))]),
        side("m", vec![(reworded, chose(0))]),
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("1 offered other options")
    );
}

#[test]
fn the_sides_of_a_statement_are_told_by_their_keys_alone() {
    let statement = |yes: &str, no: &str| {
        let mut case = case(0, &[("false", no), ("true", yes)]);
        case.question.kind = QuestionKind::Noul;
        case
    };
    // The same texts the other way round say the opposite, and no option moved.
    let found = summary(
        vec![(statement("safe", "unsafe"), chose(1))],
        vec![(statement("unsafe", "safe"), chose(1))],
    );
    assert_eq!(found.axes["descriptions"]["recorded"].figure.flips, Some(0));
}

fn levels(texts: &[&str]) -> Case {
    let keys = ["0", "1", "2"];
    let options: Vec<(&str, &str)> = keys.into_iter().zip(texts.iter().copied()).collect();
    let mut case = case(0, &options);
    case.question.kind = QuestionKind::Score;
    case.keys = KeyBinding::Place;
    case
}

fn level(choice: u16, score: f64, p: Option<&[f64]>) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(choice)),
        score: Some(score),
        probabilities: p.map(<[f64]>::to_vec),
        ..Answer::default()
    })
}

#[test]
fn a_level_and_its_expectation_are_those_of_the_baselines_levels() {
    let (up, down) = (["low", "mid", "high"], ["high", "mid", "low"]);
    // 0.1 * 0 + 0.2 * 1 + 0.7 * 2 = 1.6; offered backwards the same answer is class 0 and 0.2 * 1 + 0.1 * 2 = 0.4.
    let found = summary(
        vec![(levels(&up), level(2, 1.6, Some(&[0.1, 0.2, 0.7])))],
        vec![(levels(&down), level(0, 0.4, Some(&[0.7, 0.2, 0.1])))],
    );
    let line = &found.axes["order"]["reverse"];
    assert_eq!(line.figure.flips, Some(0));
    let score = line.score.as_ref().unwrap();
    assert_eq!((score.expectation.flips, score.expectation.pairs), (0, 1));
    assert_eq!(
        found.cases[0].asks[1].probabilities,
        Some(vec![0.1, 0.2, 0.7])
    );
    // Without probabilities a reversal alone is undone: (3 - 1) - 0.4 = 1.6.
    let found = summary(
        vec![(levels(&up), level(2, 1.6, None))],
        vec![(levels(&down), level(0, 0.4, None))],
    );
    let score = found.axes["order"]["reverse"].score.as_ref().unwrap();
    assert_eq!((score.expectation.flips, score.expectation.pairs), (0, 1));
}

#[test]
fn a_tie_that_nobody_settled_goes_to_the_baselines_lowest_option() {
    let tie = |choice: u16, broken: bool| {
        Outcome::Answered(Answer {
            choice: Some(OptionId(choice)),
            probabilities: Some(vec![0.4, 0.2, 0.4]),
            tied: true,
            tie_broken: broken,
            ..Answer::default()
        })
    };
    // Reversed, the lowest place is identity 2; of the baseline's list it is 0.
    let found = summary(
        vec![(case(0, &THREE), tie(0, true))],
        vec![(reversed(case(0, &THREE)), tie(0, true))],
    );
    assert_eq!(moved(&found, 0).0, 0);
    assert_eq!(found.axes["order"]["reverse"].figure.flips, Some(0));
    // A choice that was stated stands.
    let found = summary(
        vec![(case(0, &THREE), tie(0, false))],
        vec![(reversed(case(0, &THREE)), tie(0, false))],
    );
    assert_eq!(moved(&found, 0).0, 2);
}

#[test]
fn where_nothing_but_choices_is_on_record_the_other_sides_key_is_an_option_too() {
    let only = |number, key: &str| {
        let mut case = crate::common::case(number, [key]);
        case.brought.unlisted = true;
        (case, chose(0))
    };
    let summary = summary(
        vec![only(0, "track"), only(1, "bill")],
        vec![only(0, "bill"), only(1, "bill")],
    );
    let line = &summary.axes["unrecorded"]["variant"];
    assert_eq!((line.figure.flips, line.figure.pairs), (Some(1), 2));
    assert_eq!(found(&summary).other_options, 0);
    let keys: Vec<&str> = summary.cases[0].keys.iter().map(|key| &**key).collect();
    assert_eq!(keys, ["track", "bill"]);
}

#[test]
fn probabilities_stand_by_the_baselines_options() {
    let found = summary(
        vec![(case(0, &THREE), with(&[0.5, 0.3, 0.2]))],
        vec![(reversed(case(0, &THREE)), with(&[0.2, 0.3, 0.5]))],
    );
    let drift = found.axes["order"]["reverse"].drift.as_ref().unwrap();
    assert_eq!(
        found.cases[0].asks[1].probabilities,
        Some(vec![0.5, 0.3, 0.2])
    );
    assert_eq!(drift.pairs, 1);
}
