//! Slices and clusters.

#![expect(clippy::cast_precision_loss, reason = "counts of tests are small")]

use flipside_core::summary::{
    ClusterFigure, Clustering, ReportedDrift, Slice, Split, SplitKind, SplitValue, Summary, Verdict,
};
use indexmap::IndexMap;

use super::{VERBOSE, WIDE, flat, line};
use crate::example::{self, Variants};
use crate::terminal::render;
use crate::wording;

fn slice(hits: u64, rest: (u64, u64), adjusted: Option<f64>) -> Slice {
    Slice {
        pairs: 10,
        hits,
        rest_hits: rest.0,
        rest_pairs: rest.1,
        missing: 0,
        unasked: 0,
        no_decision: 0,
        vacuous: 0,
        rate: Some(hits as f64 / 10.0),
        interval: Some([0.1, 0.9]),
        p: adjusted.map(|p| p / 2.0),
        adjusted_p: adjusted,
        flagged: adjusted.is_some_and(|p| p <= 0.05),
        drift: None,
    }
}

fn split(kind: SplitKind, name: &str, values: usize, flagged: usize) -> Split {
    let value = |place: usize| {
        let p = if place < flagged { 0.01 } else { 0.6 } + place as f64 / 1000.0;
        let lines = IndexMap::from([("reverse".to_owned(), slice(8, (3, 90), Some(p)))]);
        SplitValue {
            value: format!("v{place}"),
            cases: 10,
            fit: None,
            axes: IndexMap::from([("order".to_owned(), lines)]),
        }
    };
    Split {
        kind,
        name: name.to_owned(),
        cases_without: 2,
        values: (0..values).map(value).collect(),
        values_left_out: 0,
        reason: None,
    }
}

/// A split of two values, every slice with this drift.
pub(super) fn with_drift(kind: SplitKind, name: &str, drift: Option<&ReportedDrift>) -> Summary {
    let mut split = split(kind, name, 2, 0);
    for value in &mut split.values {
        value.axes["order"]["reverse"].drift = drift.cloned();
    }
    with(vec![split])
}

fn with(splits: Vec<Split>) -> Summary {
    let mut summary = example::first(&[Variants::Reverse]);
    summary.splits.tests = 12;
    summary.splits.by = splits;
    summary
}

#[test]
fn flagged_slices_have_three_lines_at_most_and_the_rest_are_counted() {
    let text = render(
        &with(vec![split(SplitKind::Options, "options", 6, 5)]),
        &WIDE,
    );
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("slice"))
        .collect();
    assert_eq!(lines.len(), 3, "{text}");
    let first = "slice v0 options 8/10 flipped under reverse, all others 3/90; exploratory, adjusted p 0.0100";
    assert_eq!(flat(lines[0]), first);
    assert!(
        flat(&text).contains("; 2 more slices differ, --verbose lists them"),
        "{text}"
    );
}

#[test]
fn of_two_values_the_worse_one_has_the_line() {
    let mut two = split(SplitKind::Described, "described", 2, 2);
    two.values[0].axes["order"]["reverse"].rate = Some(0.1);
    let text = render(&with(vec![two]), &WIDE);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("slice"))
        .collect();
    assert!(
        lines.len() == 1 && lines[0].contains("v1 options"),
        "{text}"
    );
}

#[test]
fn nothing_flagged_and_nothing_asked_for_prints_nothing() {
    let plain = render(&example::first(&[Variants::Reverse]), &WIDE);
    let text = render(
        &with(vec![split(SplitKind::Options, "options", 6, 0)]),
        &WIDE,
    );
    assert_eq!(text, plain);
}

#[test]
fn a_field_has_a_table_of_eight_values_with_marks_and_verbose_has_all_with_p_values() {
    let summary = with(vec![split(SplitKind::Field, "level", 11, 1)]);
    let text = render(&summary, &WIDE);
    assert!(!text.contains("slice"), "the table marks it: {text}");
    assert_eq!(flat(line(&text, "level")), "level cases flipped, reverse");
    assert_eq!(flat(line(&text, "v0 ")), "v0 10 8/10 (10.0-90.0%) *");
    assert!(text.contains("v7") && !text.contains("v8"), "{text}");
    assert!(
        text.contains("and 3 more values; --verbose lists them"),
        "{text}"
    );
    assert!(text.contains("2 cases without `level`"), "{text}");
    assert!(text.contains("* differs from all other values; exploratory, adjusted for 12 tests"));
    let text = render(&summary, &VERBOSE);
    let row = "v10 10 flipped, reverse 8/10 (10.0-90.0%) 3/90 0.305 0.610";
    assert_eq!(flat(line(&text, "v10")), row);
}

#[test]
fn clusters_are_said_once_and_independence_only_with_verbose() {
    let mut summary = example::first(&[Variants::Reverse]);
    assert!(!render(&summary, &WIDE).contains("units"));
    let text = render(&summary, &VERBOSE);
    assert!(line(&text, "units").contains("taken as independent; --cluster FIELD"));
    summary.cluster = Some(Clustering {
        field: "base\u{1b}[2J".to_owned(),
        clusters: 40,
        largest: 3,
    });
    let units = render(&summary, &WIDE);
    let units = line(&units, "units");
    assert!(
        units.contains("40 clusters by `base") && !units.contains('\u{1b}'),
        "{units}"
    );
}

#[test]
fn an_open_verdict_over_clusters_says_how_many_more_would_settle_it() {
    let mut summary = example::first(&[Variants::Reverse]);
    let found = &mut summary.axes["order"]["reverse"];
    found.figure.verdict = Verdict::Inconclusive;
    found.figure.clusters = Some(ClusterFigure {
        clusters: 40,
        standard_error: None,
        design_effect: None,
        effective: Some(40.0),
        reason: None,
        more_clusters: Some(19),
    });
    let said = wording::line_verdict(
        &summary.axes["order"]["reverse"],
        &summary.cases,
        "order",
        "reverse",
    );
    let more = "inconclusive: about 19 more clusters without a flip would settle it";
    assert!(said.text().starts_with(more), "{}", said.text());
}

#[test]
fn of_several_axes_those_variants_have_a_column_that_flip_most_and_each_names_its_axis() {
    let mut split = split(SplitKind::Field, "level", 2, 0);
    for value in &mut split.values {
        // The values are each other's mirror image, so that each slice says as much as the other.
        let lines = |names: &[(&str, u64)]| -> IndexMap<String, Slice> {
            let each = names.iter();
            each.map(|(name, hits)| ((*name).to_owned(), slice(*hits, (*hits, 10), Some(0.6))))
                .collect()
        };
        value.axes = IndexMap::from([
            (
                "order".to_owned(),
                lines(&[("reverse", 0), ("rotate:1", 4)]),
            ),
            ("keys".to_owned(), lines(&[("abstract", 5), ("letters", 1)])),
            ("state-keys".to_owned(), lines(&[("reverse", 2)])),
        ]);
    }
    split.values[0].axes["state-keys"]["reverse"].flagged = true;
    let text = render(&with(vec![split.clone()]), &WIDE);
    assert_eq!(
        flat(line(&text, "level")),
        "level cases flipped, rotate:1 flipped, keys/abstract flipped, state-keys/reverse",
        "{text}"
    );
    let row = flat(line(&text, "v0"));
    assert_eq!(
        row,
        "v0 10 4/10 (10.0-90.0%) 5/10 (10.0-90.0%) 2/10 (10.0-90.0%) *"
    );
    assert!(
        text.contains("and 2 more variants; --verbose lists them"),
        "{text}"
    );
    let verbose = render(&with(vec![split.clone()]), &VERBOSE);
    for figure in [
        "flipped, reverse ",
        "flipped, state-keys/reverse ",
        "flipped, keys/letters ",
    ] {
        assert!(verbose.contains(figure), "{figure} in {verbose}");
    }
    // Under the name of an order that flips elsewhere, a flagged slice is told by its own axis.
    split.kind = SplitKind::Described;
    split.values[1].axes["order"]["reverse"].rate = Some(0.9);
    let text = render(&with(vec![split]), &WIDE);
    assert!(
        line(&text, "slice").contains("under state-keys/reverse, all others 2/10"),
        "{text}"
    );
}
