//! The suite that is compiled in.

use std::collections::BTreeMap;

use flipside_core::case::QuestionKind;
use flipside_core::digest::Digest;
use flipside_core::suite::{KeyVariant, RowOrder, generate};
use flipside_formats::builtin::builtin as builtin_file;
use flipside_formats::read::{Format, Input, ReadOptions, Warning, read_cases};
use flipside_formats::suite::{BUILTIN, builtin, read_bases, read_suite, rows_text};

fn input() -> Input {
    Input::Builtin(BUILTIN.to_owned())
}

#[test]
fn its_480_rows_are_these_bytes() {
    let text = &builtin().text;
    assert_eq!(text.lines().count(), 480);
    // Computed from the base file by a generator written for this in Python, with `json.dumps` and `hashlib`.
    assert_eq!(
        Digest::of(text.as_bytes()).to_string(),
        "92c8605518054164aa3db8252b726a6e2c91ebdc51ff9fa8b0125bc69eba275c"
    );
    assert_eq!(builtin_file(BUILTIN).unwrap().text(), text);
}

#[test]
fn making_it_twice_gives_the_same_rows() {
    let bases = read_bases(&input()).unwrap();
    assert_eq!(bases, builtin().bases);
    let again = generate(&bases, "builtin:fragility");
    assert_eq!(again, builtin().rows);
    assert_eq!(rows_text(&again), builtin().text);
}

#[test]
fn it_has_forty_base_cases_of_four_families_in_twelve_rows_each() {
    let suite = read_suite(&input()).unwrap();
    let mut rows: BTreeMap<&str, u32> = BTreeMap::new();
    let mut families: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for row in &suite.rows {
        *rows.entry(&row.row.base).or_default() += 1;
        let kind = row.case.question.kind.name();
        *families.entry((&row.row.family, kind)).or_default() += 1;
    }
    assert_eq!(rows.len(), 40);
    assert!(rows.values().all(|count| *count == 12));
    let families: Vec<_> = families.into_iter().collect();
    assert_eq!(
        families,
        [
            (("news_topic", "choice"), 120),
            (("safety_gate", "noul"), 120),
            (("support_department", "choice"), 120),
            (("urgency", "score"), 120),
        ]
    );
    // The denominators of the published card: 240 pairs of orders, 60 of them of noul questions; 180 of names; 160 of p0 and p1.
    let count = |holds: &dyn Fn(&flipside_core::suite::SuiteRow) -> bool| {
        suite.rows.iter().filter(|row| holds(&row.row)).count()
    };
    assert_eq!(count(&|row| row.order == RowOrder::Forward), 240);
    assert_eq!(
        count(&|row| row.order == RowOrder::Forward && !row.vacuous_order),
        180
    );
    assert_eq!(count(&|row| row.keys == KeyVariant::Semantic), 180);
    assert_eq!(count(&|row| row.phrasing == 1), 160);
}

#[test]
fn every_row_read_back_is_the_row_that_was_made() {
    let suite = read_suite(&input()).unwrap();
    let made: Vec<_> = builtin().rows.iter().map(|row| row.suite.clone()).collect();
    assert_eq!(suite.rows, made);
    assert_eq!(suite.source.format, Format::Suite);
    assert_eq!(suite.source.cases, 480);
    assert_eq!(
        suite
            .warnings
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        [
            "builtin:fragility: read so that aliases belong to options and `gold.options` is in the row's order; only so do \
             all rows of a base case accept the same option"
        ]
    );
}

#[test]
fn its_rows_are_cases_that_can_be_probed_and_grouped() {
    let set = read_cases(&[input()], &ReadOptions::default()).unwrap();
    let suite = read_suite(&input()).unwrap();
    let cases: Vec<_> = suite.rows.into_iter().map(|row| row.case).collect();
    assert_eq!(set.cases, cases);
    assert_eq!(set.sources, [suite.source]);
    assert!(matches!(set.warnings[..], [Warning::GoldRead { .. }]));
    let fields = |place: usize| -> Vec<(&str, &str)> {
        let fields = set.cases[place].fields.iter();
        fields
            .map(|(name, value)| (name.as_str(), value.text()))
            .collect()
    };
    assert_eq!(
        fields(3),
        [
            ("base_id", "news-01"),
            ("family", "news_topic"),
            ("phrasing", "p0"),
            ("order", "reversed"),
            ("key_variant", "abstract"),
        ]
    );
    assert_eq!(set.cases[3].id.to_string(), "news-01/p0/reversed/abstract");
    assert!(set.cases.iter().all(|case| case.accept.len() == 1));
}

#[test]
fn its_answers_are_spread_over_the_options() {
    let mut accepted: BTreeMap<(QuestionKind, &str, u16), u32> = BTreeMap::new();
    for base in &builtin().bases {
        let key = (base.kind(), base.family(), base.accept().0);
        *accepted.entry(key).or_default() += 1;
    }
    // Every option of every family is the right one somewhere, so that no fixed position passes.
    assert_eq!(accepted.len(), 4 + 4 + 4 + 2);
}
