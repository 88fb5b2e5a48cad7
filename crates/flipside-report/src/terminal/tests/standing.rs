//! What got better and worse between two runs.

use flipside_core::compare::{Standing, compare, standings};

use super::compare::{PLAIN, set};
use super::{NARROW, WIDE};
use crate::markdown;
use crate::terminal::render_standings;

const REVERSE: [&str; 1] = ["reverse"];

/// Right in the own order; reversed, the other end.
#[expect(clippy::unnecessary_wraps, reason = "one type for every model")]
fn flips(_: usize, order: &str) -> Option<(u16, f64)> {
    Some((if order == "reverse" { 2 } else { 0 }, 0.9))
}

#[expect(clippy::unnecessary_wraps, reason = "one type for every model")]
fn right(_: usize, _: &str) -> Option<(u16, f64)> {
    Some((0, 0.9))
}

fn silent(_: usize, order: &str) -> Option<(u16, f64)> {
    (order != "reverse").then_some((0, 0.9))
}

/// Accuracy in the own order, then flips under reverse.
fn found(
    cases: usize,
    from: super::compare::Says,
    to: super::compare::Says,
) -> [(Standing, Option<f64>); 2] {
    let sides = [("a", from), ("b", to)].map(|(name, says)| set(name, 0..cases, &REVERSE, says));
    let comparison = compare(&sides[0], &sides[1], &PLAIN).unwrap();
    let found = standings(&comparison);
    assert_eq!(found.len(), 2);
    [0, 1].map(|place| (found[place].standing, found[place].adjusted_p))
}

#[test]
fn a_difference_has_to_outlast_the_number_of_tests() {
    use Standing::{Better, Undecided, Worse};
    // Six flips gone, none new: exact p = 2 / 2^6 = 0.03125, twice that over two tests. Accuracy is the same: p = 1.
    assert_eq!(
        found(6, flips, right),
        [(Undecided, Some(1.0)), (Undecided, Some(0.0625))]
    );
    // Seven: 2 / 2^7 = 0.015625, twice that is under 5 %.
    assert_eq!(
        found(7, flips, right),
        [(Undecided, Some(1.0)), (Better, Some(0.03125))]
    );
    assert_eq!(
        found(7, right, flips),
        [(Undecided, Some(1.0)), (Worse, Some(0.03125))]
    );
}

#[test]
fn what_one_side_lacks_is_not_measured_and_counts_as_no_test() {
    let [right_in, flipped] = found(7, flips, silent);
    assert_eq!(right_in, (Standing::Undecided, Some(1.0)));
    assert_eq!(flipped, (Standing::NotMeasured, None));
}

#[test]
fn the_report_names_both_runs_and_what_got_better_first() {
    let sides = [("a", flips as super::compare::Says), ("b", right)];
    let sides = sides.map(|(name, says)| set(name, 0..20, &REVERSE, says));
    let comparison = compare(&sides[0], &sides[1], &PLAIN).unwrap();
    let text = render_standings(&comparison, &WIDE);
    insta::assert_snapshot!(text);
    let lines: Vec<&str> = text.lines().collect();
    let better = lines
        .iter()
        .position(|line| line.starts_with("order"))
        .unwrap();
    let open = lines
        .iter()
        .position(|line| line.starts_with("fit"))
        .unwrap();
    assert!(better < open, "{text}");
    let narrow = render_standings(&comparison, &NARROW);
    assert!(
        narrow.lines().all(|line| line.chars().count() <= 80),
        "{narrow}"
    );
    let table = markdown::render_standings(&comparison);
    assert!(
        table.starts_with("## Changed: 1 better and 1 undecided\n"),
        "{table}"
    );
    assert!(
        table.contains("| order | reverse | 20/20 to 0/20 flipped | **better** | -100.0 points"),
        "{table}"
    );
}
