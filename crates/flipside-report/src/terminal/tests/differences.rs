//! Comparisons in detail: cases by name, other axes, fields, orders that are not on record.

use flipside_core::answer::Answer;
use flipside_core::case::{CaseId, FieldValue, Key};
use flipside_core::compare::{AnswerSet, Comparison, RecordedAsk, Wanted, compare};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::{Axis, Variant};
use flipside_core::record::Outcome;
use insta::assert_snapshot;

use super::compare::{ORDERS, PLAIN, better, good, set};
use super::{NARROW, VERBOSE, WIDE, line};
use crate::terminal::render_comparison;

/// Two runs of forty cases by level and track, on two other axes and with a control.
fn sides() -> (AnswerSet, AnswerSet) {
    let says = [good, better];
    let [first, second] = [0, 1].map(|side| {
        let name = ["good", "better"][side];
        let mut set = set(name, 0..40, &ORDERS, says[side]);
        for (number, answers) in set.cases.iter_mut().enumerate() {
            let level = if number % 2 == 0 { "hard" } else { "easy" };
            let fields = [
                ("level", level),
                ("track", if number < 39 { "a" } else { name }),
            ];
            let fields =
                fields.map(|(name, value)| (name.to_owned(), FieldValue::Text(value.to_owned())));
            answers.case.fields.extend(fields);
            let names = [
                (Axis::Keys, "abstract"),
                (Axis::Keys, "shuffled"),
                (Axis::Same, "1"),
            ];
            for (axis, name) in names {
                let choice = u16::from(axis == Axis::Keys && number % 10 == 3 * side);
                answers.asks.push(RecordedAsk {
                    variant: Variant::on(axis, name).into(),
                    order: Order::own(3),
                    outcome: Outcome::Answered(Answer {
                        choice: Some(OptionId(choice)),
                        ..Answer::default()
                    }),
                });
            }
        }
        set
    });
    (first, second)
}

fn compared(sides: &(AnswerSet, AnswerSet), by: &[&str]) -> Comparison {
    let by: Vec<String> = by.iter().map(|field| (*field).to_owned()).collect();
    let wanted = Wanted { by: &by, ..PLAIN };
    compare(&sides.0, &sides.1, &wanted).unwrap()
}

#[test]
fn other_axes_fields_and_differing_cases_have_lines_of_their_own() {
    let comparison = compared(&sides(), &["level", "track"]);
    assert_snapshot!(render_comparison(&comparison, &WIDE));
}

#[test]
fn in_full_every_case_order_and_distance_is_there() {
    let comparison = compared(&sides(), &["level"]);
    let text = render_comparison(&comparison, &VERBOSE);
    let named = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((named("repaired"), named("apart")), (3, 9));
    assert!(!text.contains("--verbose"), "{text}");
    // Sixteen of forty answers differ in reverse: all of them are named.
    let reverse = &comparison.orders["reverse"].cases;
    assert_eq!(reverse.repaired.len(), 16);
    let flat = super::flat(&text);
    for change in &reverse.repaired {
        assert!(
            flat.contains(&format!("{} (", change.case)),
            "{}",
            change.case
        );
    }
}

#[test]
fn more_than_ten_cases_are_cut_with_how_many_more_there_are() {
    let (first, second) = sides();
    let mut worse = first.clone();
    for answers in &mut worse.cases[..30] {
        if let Outcome::Answered(answer) = &mut answers.asks[0].outcome {
            answer.choice = Some(OptionId(2));
            answer.tied = answers.case.id.0 == "c02";
        }
    }
    let text = render_comparison(&compared(&(second, worse), &[]), &WIDE);
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "regressed own order 32 cases c00 (refund to escalate), c01 (refund to escalate), c02 (refund to escalate; tie)";
    assert!(flat.contains(expected), "{text}");
    assert!(
        flat.contains("c09 (refund to escalate), 22 more; --verbose lists them"),
        "{text}"
    );
}

#[test]
fn rounding_and_missing_probabilities_are_named() {
    let (mut first, second) = sides();
    for answers in &mut first.cases {
        for ask in &mut answers.asks {
            if let Outcome::Answered(answer) = &mut ask.outcome {
                answer.rounding = 0.005;
            }
        }
    }
    let text = render_comparison(&compared(&(first.clone(), second), &[]), &WIDE);
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("the baseline's are rounded to 2 decimals"),
        "{text}"
    );
    for answers in &mut first.cases {
        for ask in &mut answers.asks {
            if let Outcome::Answered(answer) = &mut ask.outcome {
                answer.probabilities = None;
            }
        }
    }
    let (_, second) = sides();
    let text = render_comparison(&compared(&(first, second), &[]), &WIDE);
    let expected = "not measured: answers without probabilities";
    assert!(line(&text, "apart").ends_with(expected), "{text}");
}

#[test]
fn without_orders_on_record_nothing_is_called_an_order() {
    let sides = sides();
    let unlisted = |mut set: AnswerSet| {
        for answers in &mut set.cases {
            answers.asks.truncate(1);
            answers.case.brought.unlisted = true;
        }
        set
    };
    let comparison = compared(&(unlisted(sides.0), unlisted(sides.1)), &[]);
    let text = render_comparison(&comparison, &WIDE);
    assert_eq!(
        line(&text, "compared"),
        "compared  40 common cases, as recorded"
    );
    assert_eq!(
        line(&text, "orders"),
        "orders    not on record for 40 cases: options are matched by key, and nothing is said about order or position"
    );
    assert!(!text.contains("own order"), "{text}");
}

#[test]
fn foreign_names_cannot_steer_a_terminal_and_a_narrow_one_is_kept() {
    let (mut first, mut second) = sides();
    for set in [&mut first, &mut second] {
        for answers in &mut set.cases {
            answers.case.id = CaseId(format!("\u{1b}[31m{}", answers.case.id.0));
            answers.case.options[0].key = Key("re\u{202e}fund".to_owned());
            answers.case.fields[0].1 = FieldValue::Text("ha\u{7}rd".to_owned());
            answers
                .case
                .fields
                .push(("b\u{1b}ad".to_owned(), FieldValue::Bool(true)));
        }
    }
    let comparison = compared(&(first, second), &["level", "b\u{1b}ad"]);
    for style in [&WIDE, &VERBOSE] {
        let text = render_comparison(&comparison, style);
        let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(steers), "{text:?}");
    }
    let text = render_comparison(&compared(&sides(), &["level", "track"]), &NARROW);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}
