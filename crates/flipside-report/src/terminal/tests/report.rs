//! Whole reports.

use flipside_core::case::QuestionKind;
use insta::assert_snapshot;

use super::preflight::hostile_plan;
use super::{CHECK, NARROW, VERBOSE, WIDE, content, flat};
use crate::Style;
use crate::example::{self, Builder, Reply, Variants};
use crate::terminal::{render, render_preflight, render_several};

#[test]
fn a_model_that_takes_the_first_option_is_order_sensitive_and_not_representative() {
    assert_snapshot!(render(&example::first(&CHECK), &WIDE));
}

#[test]
fn the_same_report_on_a_narrow_terminal_wraps_beneath_its_columns() {
    let text = render(&example::first(&CHECK), &NARROW);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert_snapshot!(text);
}

#[test]
fn a_model_that_reads_content_is_stable_and_the_line_says_what_eight_cases_show() {
    assert_snapshot!(render(&content(8, &CHECK, false), &WIDE));
}

#[test]
fn a_plain_fit_probe_is_short() {
    assert_snapshot!(render(&example::plain(), &WIDE));
}

#[test]
fn an_ordinary_run_fits_on_one_screen() {
    let text = render(&example::ordinary(), &WIDE);
    assert!(
        text.lines().count() <= 25,
        "{} lines\n{text}",
        text.lines().count()
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );
    assert_snapshot!(text);
}

#[test]
fn an_ordinary_run_in_full() {
    assert_snapshot!(render(&example::ordinary(), &VERBOSE));
}

#[test]
fn a_stopped_run_names_everything_that_is_missing() {
    assert_snapshot!(render(&example::troubled(), &WIDE));
}

#[test]
fn many_variants_are_cut_to_the_worst_and_verbose_lists_them() {
    let text = render(&example::many(), &WIDE);
    assert!(
        text.contains("and 9 more: at most 4/8 flipped (50.0%); --verbose lists them"),
        "{text}"
    );
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("order"))
            .count(),
        5,
        "{text}"
    );
    let all = render(&example::many(), &VERBOSE);
    assert_eq!(
        all.lines().filter(|line| line.starts_with("order")).count(),
        14,
        "{all}"
    );
    assert!(!all.contains("--verbose"), "{all}");
    assert_snapshot!(text);
}

#[test]
fn a_file_without_labels_has_no_marks_and_no_accuracy() {
    let mut shapes = example::labelled(8, &["a", "b", "c"]);
    example::relabel(&mut shapes, None);
    let mut builder = Builder::new(shapes, &[Variants::Reverse]);
    builder.fit = None;
    let summary = builder.answered(|_, variant, _| {
        Reply::Chose(example::id(usize::from(variant == "reverse")), 0.8)
    });
    let text = render(&summary, &WIDE);
    assert!(text.contains("unlabelled"), "{text}");
    for absent in ["✓", "✗", "fit ", "accuracy"] {
        assert!(!text.contains(absent), "{absent} in {text}");
    }
}

#[test]
fn accuracy_and_flips_never_share_a_line() {
    let examples = [
        || example::first(&CHECK),
        example::ordinary,
        example::troubled,
        example::many,
    ];
    for summary in examples.map(|make| Box::new(make())) {
        for line in render(&summary, &WIDE).lines() {
            assert!(
                !(line.contains(" right") && line.contains(" flipped")),
                "{line}"
            );
        }
    }
}

#[test]
fn colour_changes_no_text() {
    let colored = render(
        &example::troubled(),
        &Style {
            color: true,
            ..WIDE
        },
    );
    let mut plain = String::new();
    let mut codes = colored.split("\u{1b}[");
    plain += codes.next().unwrap();
    for part in codes {
        plain += part.split_once('m').unwrap().1;
    }
    assert_ne!(colored, plain);
    assert_eq!(plain, render(&example::troubled(), &WIDE));
    assert!(!render(&example::troubled(), &WIDE).contains('\u{1b}'));
}

#[test]
fn escape_codes_and_bidirectional_marks_never_reach_the_terminal() {
    let summary = example::hostile();
    let both = [summary.clone(), summary.clone()];
    for style in [WIDE, NARROW, VERBOSE] {
        for text in [
            render(&summary, &style),
            render_several(&both, &style),
            render_preflight(&hostile_plan(), &style, true),
        ] {
            let bad =
                |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{2066}');
            assert!(!text.contains(bad), "{text:?}");
            assert!(text.contains("\\u{1b}"), "{text}");
            assert!(
                !text.contains("\nend"),
                "no line breaks from outside\n{text}"
            );
        }
    }
}

#[test]
fn long_keys_and_orders_are_cut() {
    let keys: Vec<String> = (0..40)
        .map(|n| format!("{n}-{}", "long".repeat(30)))
        .collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let summary = Builder::new(example::labelled(3, &keys), &[Variants::Reverse])
        .answered(|_, _, order| Reply::Chose(order.identities()[0], 0.3));
    let text = render(&summary, &NARROW);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(
        text.contains("40 39 …") && !text.contains(&"long".repeat(10)),
        "{text}"
    );
}

#[test]
fn the_few_rows_of_flips_show_many_cases_and_verbose_keeps_each_case_together() {
    let summary = example::first(&CHECK);
    let cases = |style: &Style| -> Vec<String> {
        let text = render(&summary, style);
        let rows = text.lines().filter(|line| line.starts_with("case-"));
        rows.map(|row| row.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
            .collect()
    };
    let few = cases(&WIDE);
    let expected: Vec<String> = (1..=3).map(|n| format!("case-{n} reverse")).collect();
    assert_eq!(few, expected);
    let all = cases(&VERBOSE);
    assert_eq!(all.len(), 16);
    assert_eq!(
        all[..3],
        ["case-1 reverse", "case-1 rotate:1", "case-2 reverse"]
    );
}

/// A case of a model that takes whatever stands first, its keys bound to places.
fn places(question: QuestionKind, keys: [&str; 3]) -> String {
    let mut shapes = example::labelled(1, &keys);
    example::relabel(&mut shapes, Some(0));
    let mut summary = Builder::new(shapes, &[Variants::Reverse])
        .answered(|_, _, order| Reply::Chose(order.identities()[0], 0.9));
    for case in &mut summary.cases {
        (case.question, case.keys_stay) = (question, true);
        for ask in &mut case.asks {
            ask.keys.clone_from(&case.keys);
            ask.key = Some(ask.keys[0].clone());
        }
    }
    flat(&render(&summary, &WIDE))
}

#[test]
fn where_keys_stay_in_their_places_the_option_is_named_too() {
    let text = places(QuestionKind::Choice, ["A", "B", "C"]);
    assert!(
        text.contains("3 2 1 A (option 1) 1st 0.90 ✓ A (option 3) 1st 0.90 ✗ own"),
        "{text}"
    );
    let text = places(QuestionKind::Score, ["0", "1", "2"]);
    assert!(
        text.contains("2 1 0 level 0 1st 0.90 ✓ level 2 1st 0.90 ✗ own"),
        "{text}"
    );
}

#[test]
fn an_empty_key_is_visible() {
    let mut shapes = example::labelled(1, &["", " ", "c"]);
    example::relabel(&mut shapes, Some(0));
    let summary = Builder::new(shapes, &[Variants::Rotate(1)])
        .answered(|_, _, order| Reply::Chose(order.identities()[0], 0.9));
    let text = render(&summary, &WIDE);
    assert!(
        text.contains("\"\" 1st 0.90 ✓") && text.contains("\" \" 1st 0.90 ✗"),
        "{text}"
    );
}
