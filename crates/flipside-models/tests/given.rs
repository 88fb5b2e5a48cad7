//! Answers that somebody wrote down, read against what was shown.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod common;

use common::{case, json};
use flipside_core::answer::Answer;
use flipside_core::answer::given as answer;
use flipside_core::case::{Case, KeyBinding, QuestionKind};
use flipside_core::model::Rejection;
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;

fn choice() -> Case {
    case(
        "c",
        "\"s\"",
        &[("world", "\"abroad\""), ("sport", "\"games\"")],
    )
}

/// Four levels of a reversed row: the highest first, under aliases that moved with them.
fn score(texts: [&str; 4]) -> Case {
    let quoted = texts.map(|text| format!("\"{text}\""));
    let levels: Vec<(&str, &str)> = ["0", "1", "2", "3"]
        .into_iter()
        .zip(quoted.iter().map(String::as_str))
        .collect();
    let mut case = case("s", "\"s\"", &levels);
    case.question.kind = QuestionKind::Score;
    case.keys = KeyBinding::Place;
    case
}

fn reversed() -> Case {
    score(["L3: now", "L2: today", "L1: soon", "L0: some day"])
}

fn noul() -> Case {
    let mut case = case("n", "\"s\"", &[("false", "null"), ("true", "null")]);
    case.question.kind = QuestionKind::Noul;
    case
}

fn read(case: &Case, given: &str) -> Result<Answer, String> {
    let order = Order::own(case.options.len());
    answer(&Presentation::new(case, &order), &json(given)).map_err(|rejection| match rejection {
        Rejection::Malformed { message, .. } => message,
        other => other.to_string(),
    })
}

fn chosen(case: &Case, given: &str) -> (u16, bool) {
    let read = read(case, given).unwrap();
    (read.choice.unwrap().0, read.tied)
}

fn refused(case: &Case, given: &str) -> String {
    read(case, given).unwrap_err()
}

#[test]
fn a_choice_is_a_key_as_shown_or_an_object_with_one() {
    let case = choice();
    assert_eq!(chosen(&case, r#""sport""#), (1, false));
    assert_eq!(read(&case, r#""sport""#).unwrap().probabilities, None);
    let object = r#"{"choice":"world","probabilities":{"sport":0.5,"world":0.5}}"#;
    assert_eq!(chosen(&case, object), (0, true));
    let typed = r#"{"type":"choice","choice":"sport","confidence":0.9}"#;
    assert_eq!(chosen(&case, typed), (1, false));
    assert_eq!(
        refused(&case, r#""business""#),
        "the reply chose `business`, which was not offered (`world`, `sport`)"
    );
    assert_eq!(
        refused(&case, "1"),
        "the answer is `1`, expected a key that was shown"
    );
    assert_eq!(
        refused(&case, r#"{"noul":0.5}"#),
        "the answer has no `choice`"
    );
    let abstention = read(&case, r#"{"type":"abstention"}"#).unwrap();
    assert_eq!(abstention.choice, None);
}

#[test]
fn a_level_is_its_name_or_text_as_shown_or_its_place_and_never_a_guess() {
    let case = reversed();
    // `L2` stands in place 1 of the reversed list; the number 2 is place 2, which is `L1`.
    assert_eq!(chosen(&case, r#""L2""#), (1, false));
    assert_eq!(chosen(&case, r#""L2: today""#), (1, false));
    assert_eq!(chosen(&case, "2"), (2, false));
    assert_eq!(chosen(&case, r#""2""#), (2, false));
    let read = read(&case, "2").unwrap();
    assert_eq!((read.probabilities, read.score), (None, None));
    assert_eq!(
        refused(&case, r#""L9""#),
        "the answer is `L9`, which is no level as shown"
    );
    let place = "a level's place, a whole number from 0";
    for given in ["4", "1.5", "-1"] {
        let expected = format!("the answer is `{given}`, expected {place}");
        assert_eq!(refused(&case, given), expected);
    }
    assert_eq!(
        refused(&case, "true"),
        "the answer is `true`, expected a level as shown, or its place from 0"
    );
    // Levels that are called by numbers, reversed: 3 names the first and is the place of the last.
    let numbered = score(["3: now", "2: today", "1: soon", "0: some day"]);
    assert_eq!(
        refused(&numbered, "3"),
        "the answer is 3, which is the name of one level and the place of another"
    );
    assert_eq!(chosen(&numbered, r#""3""#), (0, false));
    let forward = score(["0: some day", "1: soon", "2: today", "3: now"]);
    assert_eq!(chosen(&forward, "3"), (3, false));
}

#[test]
fn a_distribution_over_levels_decides_by_its_largest_probability_and_a_tie_goes_to_the_lowest_place()
 {
    let case = reversed();
    // The expectation is 1.4, which would round to place 1; the largest probability is that of place 0.
    let wide = r#"{"score":1.4,"probabilities":{"0":0.4,"1":0.1,"2":0.2,"3":0.3}}"#;
    assert_eq!(chosen(&case, wide), (0, false));
    let tie = r#"{"score":1.5,"probabilities":{"0":0.1,"1":0.4,"2":0.4,"3":0.1}}"#;
    assert_eq!(chosen(&case, tie), (1, true));
    assert_eq!(
        refused(&case, r#"{"score":1.5}"#),
        "the score has no `probabilities`"
    );
}

#[test]
fn a_side_is_true_or_false_or_a_probability() {
    let case = noul();
    for (given, side) in [
        ("true", 1),
        ("false", 0),
        (r#""true""#, 1),
        (r#""false""#, 0),
    ] {
        assert_eq!(chosen(&case, given), (side, false), "{given}");
    }
    assert_eq!(chosen(&case, "0.31"), (0, false));
    assert_eq!(chosen(&case, r#"{"noul":0.5}"#), (1, true));
    assert_eq!(chosen(&case, "1"), (1, false));
    assert_eq!(refused(&case, "1.5"), "`noul` is 1.5, expected 0 to 1");
    assert_eq!(
        refused(&case, r#""yes""#),
        "the answer is `\"yes\"`, expected `true`, `false` or a probability"
    );
    assert_eq!(
        refused(&case, "null"),
        "the answer is `null`, expected `true`, `false` or a probability"
    );
    // The sides keep their identities whatever order the case has them in.
    let mut turned = noul();
    turned.options.reverse();
    assert_eq!(read(&turned, "true").unwrap().choice, Some(OptionId(0)));
}
