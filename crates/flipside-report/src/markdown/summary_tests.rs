//! Summaries for pull requests.

use flipside_core::summary::Summary;

use super::render_summary;
use crate::example::{self, Variants};
use crate::tables::Run;
use crate::wording;

fn rendered(summary: &Summary) -> String {
    let run = Run {
        name: "runs/a",
        started: None,
        summary,
    };
    render_summary(&[run])
}

/// The cells of every row, and nothing else.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    rows.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect()
}

#[test]
fn gates_come_first_then_figures_then_warnings_then_flips() {
    let text = rendered(&example::first(&[Variants::Reverse, Variants::Same(1)]));
    let places = [
        "## flipside: ",
        "| gate |",
        "| order | reverse |",
        "| same | control |",
        "<details><summary>",
    ];
    let places: Vec<usize> = places
        .iter()
        .map(|part| {
            text.find(part)
                .unwrap_or_else(|| panic!("{part} in {text}"))
        })
        .collect();
    assert!(places.is_sorted(), "{places:?} in {text}");
}

#[test]
fn every_figure_has_its_count_share_interval_and_limit() {
    let summary = example::first(&[Variants::Reverse, Variants::Same(1)]);
    let text = rendered(&summary);
    let figure = &summary.axes["order"]["reverse"].figure;
    let row = rows(&text)
        .into_iter()
        .find(|cells| cells[..2] == ["order", "reverse"])
        .unwrap();
    assert_eq!(
        row[2],
        format!(
            "{} ({})",
            wording::flipped(figure),
            wording::percent(figure.rate.unwrap())
        )
    );
    assert_eq!(row[3], wording::range(figure.interval.unwrap()));
    assert!(row[4].ends_with("limit 5%"), "{row:?}");
}

#[test]
fn every_row_of_a_table_has_its_cells_whatever_is_in_them() {
    let mut summary = example::hostile();
    summary.cases[0].id = "a | b\n| c <details> </details> <!-- `x` [y](z) @team #1".to_owned();
    summary.cases[1].keys = ["|".repeat(3).as_str().into(), "b".into()]
        .into_iter()
        .collect();
    let text = rendered(&summary);
    let mut columns = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            columns = None;
            continue;
        }
        let unescaped = line
            .replace("\\\\", "")
            .replace("\\|", "")
            .matches('|')
            .count();
        assert_eq!(*columns.get_or_insert(unescaped), unescaped, "{line}");
    }
    assert_eq!(
        text.matches("<details>").count(),
        text.matches("</details>").count()
    );
    assert!(
        text.contains("a \\| b\\\\u{a}\\| c \\<details\\>"),
        "{text}"
    );
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']));
}

#[test]
fn long_texts_are_cut_and_many_flips_say_how_many_there_are() {
    let mut summary = example::many();
    let long = "x".repeat(100_000);
    for case in &mut summary.cases {
        case.id = format!("{long}{}", case.id);
        for ask in &mut case.asks {
            ask.key = ask.key.as_ref().map(|_| long.as_str().into());
        }
    }
    // 36 flips: all are listed.
    let text = rendered(&summary);
    assert!(text.len() < 65_536, "{}", text.len());
    assert!(text.contains("<summary>36 flips</summary>"), "{text}");
    assert!(!text.contains("The first "));
    let again = summary.cases.clone();
    summary.cases.extend(again);
    let text = rendered(&summary);
    assert!(
        text.contains("<summary>72 flips</summary>\n\nThe first 50 of 72; "),
        "{text}"
    );
    assert!(text.len() < 65_536, "{}", text.len());
}

#[test]
fn an_axis_with_many_variants_shows_the_worst_and_folds_all() {
    let text = rendered(&example::many());
    let (shown, folded) = text.split_once("Every variant of order").unwrap();
    let count = |text: &str| {
        rows(text)
            .iter()
            .filter(|cells| cells[0] == "order" && cells[1].starts_with("rotate:"))
            .count()
    };
    assert_eq!(count(shown), 3);
    assert!(
        shown.contains("| order | and 9 more, none of which flips more |"),
        "{shown}"
    );
    assert_eq!(count(folded), 12);
}

#[test]
fn a_run_that_is_not_complete_says_so_before_its_gates() {
    let text = rendered(&example::troubled());
    let place = text.find("**The run is not complete, ").unwrap();
    assert!(place < text.find("| gate |").unwrap());
}

#[test]
fn several_runs_are_counted_and_named() {
    let [bad, good] = [example::first(&[Variants::Reverse]), example::plain()];
    let run = |name, summary| Run {
        name,
        started: None,
        summary,
    };
    let text = render_summary(&[run("a`b", &bad), run("c", &good)]);
    let held = [&bad, &good]
        .iter()
        .filter(|summary| summary.exit == 0)
        .count();
    assert!(
        text.starts_with(&format!("## flipside: {held} of 2 runs held every gate\n")),
        "{text}"
    );
    assert!(
        text.contains("### `a'b`: ") && text.contains("### `c`: "),
        "{text}"
    );
}
