use std::collections::BTreeSet;

use flipside_core::compare::{Standing, Word};
use flipside_core::perturb::Axis;
use flipside_core::summary::Summary;
use serde_json::Value;

use super::{Group, entries, find, nearest, render, render_list};
use crate::example::{self, Variants};
use crate::{Style, json, terminal};

/// The words of enums in the schema that reports print; those of reasons are printed as sentences.
const ENUMS: [&str; 11] = [
    "Attention",
    "AskStatus",
    "Axis",
    "ConfidenceKind",
    "Declined",
    "IndependentUnit",
    "Method",
    "OrderFinding",
    "QuestionKind",
    "Rule",
    "Verdict",
];

fn words_of(schema: &Value, name: &str) -> Vec<String> {
    let of = &schema["$defs"][name];
    let plain = of["enum"].as_array().into_iter().flatten();
    let each = of["oneOf"].as_array().into_iter().flatten();
    let each = each.flat_map(|one| {
        let listed = one["enum"].as_array().into_iter().flatten();
        listed.chain(one.get("const"))
    });
    let words = plain.chain(each);
    words
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_word_that_a_summary_can_hold_is_explained() {
    let schema: Value = serde_json::from_str(&json::schema()).unwrap();
    let mut known = 0;
    for name in ENUMS {
        let words = words_of(&schema, name);
        assert!(!words.is_empty(), "{name}");
        for word in words {
            assert!(find(&word).is_some(), "{name}: {word}");
            known += 1;
        }
    }
    assert!(known > 60, "{known}");
    for axis in Axis::CHANGES {
        assert_eq!(
            find(axis.name()).map(|entry| entry.group),
            Some(Group::Axes)
        );
    }
}

#[test]
fn every_word_of_failures_and_comparisons_is_explained() {
    use flipside_core::record::FailedKind::{
        Connection, Malformed, Status, Timeout, Unavailable, Unsupported,
    };
    let failed = [
        Connection,
        Malformed,
        Status,
        Timeout,
        Unavailable,
        Unsupported,
    ];
    let words = [
        Word::Equivalent,
        Word::NotEquivalent,
        Word::FlipsKept,
        Word::FlipsNotKept,
        Word::NotWorse,
        Word::Worse,
        Word::NotShown,
        Word::NotMeasured,
    ];
    let standings = [
        Standing::Better,
        Standing::Worse,
        Standing::Undecided,
        Standing::NotMeasured,
    ];
    let all = failed.map(crate::wording::failed).into_iter();
    let all = all
        .chain(words.map(Word::text))
        .chain(standings.map(Standing::text));
    for word in all {
        assert!(find(word).is_some(), "{word}");
    }
}

/// The names that begin the rows of a report, and the second ones of rows that sum up.
fn rows(summary: &Summary) -> BTreeSet<String> {
    let style = Style {
        color: false,
        width: 400,
        verbose: true,
    };
    let text = terminal::render(summary, &style);
    let first = text
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    // A name ends where two blanks follow; without columns it is a sentence.
    let first = first.filter_map(|line| Some(line.split_once("  ")?.0.to_owned()));
    first.collect()
}

#[test]
fn every_name_that_begins_a_row_of_a_report_is_explained() {
    let across = Summary {
        orders: Some(Box::new(example::sweep())),
        ..example::plain()
    };
    let examples = vec![
        example::plain(),
        example::ordinary(),
        example::first(&[Variants::Reverse]),
        example::troubled(),
        example::axes(),
        example::moved(),
        example::routed(),
        example::recorded(),
        example::composed(example::axes()),
        across,
    ];
    let mut names = BTreeSet::new();
    for summary in &examples {
        names.extend(rows(summary));
    }
    assert!(names.len() > 12, "{names:?}");
    // Tables of flips begin with the ids of cases, and those of fields with their values.
    let ours: Vec<&String> = names
        .iter()
        .filter(|name| !name.starts_with("case-") && find(name).is_none())
        .collect();
    assert_eq!(ours, Vec::<&String>::new());
}

#[test]
fn no_word_has_two_entries_and_no_text_is_a_fragment() {
    let mut seen = BTreeSet::new();
    for entry in entries() {
        for word in std::iter::once(&entry.word).chain(entry.also) {
            assert!(seen.insert(word.to_lowercase()), "{word}");
        }
        assert!(entry.text.ends_with('.'), "{}", entry.word);
        assert!(
            entry
                .text
                .starts_with(|c: char| c.is_uppercase() || c == '0'),
            "{}",
            entry.word
        );
    }
}

#[test]
fn a_word_is_found_however_it_is_written() {
    let found = |word: &str| find(word).map(|entry| entry.word);
    assert_eq!(found("Tie-Flip"), Some("tie flip"));
    assert_eq!(found("  not   HELD "), Some("held"));
    assert_eq!(found("keys_sensitive"), Some("order-sensitive"));
    assert_eq!(found("nonsense"), None);
    assert_eq!(nearest("flipping").first(), Some(&"flip"));
    assert_eq!(nearest("zzz"), Vec::<&str>::new());
    assert!(nearest("order flip").len() <= 5);
}

#[test]
fn entries_and_their_list_keep_the_width() {
    for entry in entries() {
        let text = render(entry, 60);
        let lines = text.lines();
        assert!(
            lines.clone().all(|line| line.chars().count() <= 60),
            "{text}"
        );
        assert!(text.starts_with(entry.word), "{text}");
    }
    let list = render_list(80);
    assert!(
        list.lines().all(|line| line.chars().count() <= 80),
        "{list}"
    );
    assert!(entries().all(|entry| list.contains(entry.word)));
}
