use super::*;
use crate::example::{self, Variants};

fn rendered(summary: &Summary) -> String {
    let run = Run {
        name: "runs/a",
        started: None,
        summary,
    };
    render(&[run])
}

/// The value of a property and the text after it, unescaped as GitHub's runner does.
fn read(line: &str) -> (String, Vec<(String, String)>, String) {
    let (head, text) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (level, properties) = head.split_once(' ').unwrap();
    let plain = |text: &str| {
        let text = text.replace("%2C", ",").replace("%3A", ":");
        text.replace("%0A", "\n")
            .replace("%0D", "\r")
            .replace("%25", "%")
    };
    let each = properties.split(',').map(|one| {
        let (name, value) = one.split_once('=').unwrap();
        (name.to_owned(), plain(value))
    });
    (level.to_owned(), each.collect(), plain(text))
}

#[test]
fn a_flip_that_counts_is_an_error_on_its_line_and_a_gate_that_fails_one_before_it() {
    let text = rendered(&example::first(&[Variants::Reverse]));
    let lines: Vec<_> = text.lines().map(read).collect();
    let (level, properties, said) = &lines[0];
    assert_eq!(level, "error");
    assert_eq!(properties.len(), 1, "a gate stands on no line");
    assert!(properties[0].1.starts_with("flipside: "), "{properties:?}");
    assert!(said.ends_with('%') && said.contains("limit "), "{said}");
    let flips: Vec<_> = lines
        .iter()
        .filter(|(_, properties, _)| properties.len() == 3)
        .collect();
    let (level, properties, said) = flips[0];
    assert_eq!(level, "error");
    let names: Vec<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["file", "line", "title"]);
    assert_eq!(properties[0].1, "cases.jsonl");
    assert_eq!(properties[1].1, "1");
    assert!(said.starts_with("reverse: from "), "{said}");
}

#[test]
fn a_flip_within_the_limit_is_a_notice() {
    let mut summary = example::first(&[Variants::Reverse]);
    for gate in &mut summary.gates {
        gate.held = true;
    }
    let text = rendered(&summary);
    assert!(!text.contains("::error"), "{text}");
    assert!(
        text.contains("::notice file=cases.jsonl,line=1,title="),
        "{text}"
    );
}

#[test]
fn no_more_than_ten_of_a_level_are_written_and_the_tenth_counts_the_rest() {
    let text = rendered(&example::many());
    for level in ["error", "warning", "notice"] {
        let of = text
            .lines()
            .filter(|line| line.starts_with(&format!("::{level} ")));
        assert!(of.count() <= 10, "{level}: {text}");
    }
    // Flips: rotation by r flips r / 2 of the eight cases, rounded down: 0+1+1+2+2+3+3+4+4+5+5+6 = 36; with the gate 37 errors.
    let last = text
        .lines()
        .rfind(|line| line.starts_with("::error "))
        .unwrap();
    let errors = example::many()
        .gates
        .iter()
        .filter(|gate| !gate.held)
        .count();
    assert_eq!(errors, 1);
    assert_eq!(
        last,
        "::error title=flipside%3A 28 more::the job summary and the run folder have them"
    );
}

#[test]
fn nothing_foreign_ends_a_command_or_begins_one() {
    let mut summary = example::hostile();
    summary.cases[0].id = "a::b,c=d%\n::stop-commands::x".to_owned();
    summary.cases[0].file = "dir,with:100%/cases.jsonl".into();
    let text = rendered(&summary);
    for line in text.lines() {
        let (level, properties, _) = read(line);
        assert!(
            ["error", "warning", "notice"].contains(&level.as_str()),
            "{line}"
        );
        assert!(
            properties
                .iter()
                .all(|(name, _)| ["file", "line", "title"].contains(&name.as_str())),
            "{line}"
        );
        assert!(!line.contains(['\u{1b}', '\u{202e}', '\r']), "{line:?}");
    }
    assert!(
        text.contains("file=dir%2Cwith%3A100%25/cases.jsonl,"),
        "{text}"
    );
}

#[test]
fn a_case_of_no_file_stands_on_no_line() {
    let mut summary = example::first(&[Variants::Reverse]);
    for case in &mut summary.cases {
        case.file = "builtin:ticket-router".into();
    }
    assert!(!rendered(&summary).contains("file="));
}

#[test]
fn a_flip_of_an_order_with_a_gate_of_its_own_counts_against_that_one() {
    let mut summary = example::first(&[Variants::Reverse]);
    let mut own = summary.gates.last().unwrap().clone();
    own.subject = "order.reverse".to_owned();
    own.held = true;
    summary.gates.push(own);
    let text = rendered(&summary);
    assert!(text.contains("::notice file=cases.jsonl"), "{text}");
    assert!(!text.contains("::error file="), "{text}");
}
