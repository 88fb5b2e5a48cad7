//! What all orders asked show together.

use flipside_core::summary::{Range, Summary};
use insta::assert_snapshot;

use super::{NARROW, VERBOSE, WIDE, content, flat, line};
use crate::example::{self, Variants};
use crate::terminal::render;

fn sweep() -> Summary {
    let mut summary = content(8, &[Variants::Reverse], false);
    summary.orders = Some(Box::new(example::sweep()));
    summary
}

/// The lines of the block that `--verbose` adds.
fn block(text: &str) -> String {
    let start = text.find("\norders ").map_or(0, |place| place + 1);
    let rest = &text[start..];
    rest[..rest.find("\n\n").unwrap_or(rest.len())].to_owned()
}

#[test]
fn two_lines_stand_beside_those_of_single_orders() {
    let text = render(&sweep(), &WIDE);
    assert_eq!(
        flat(line(&text, "order  all pairs")),
        "order all pairs 11.2% differ 95% CI 3.9-21.1% over 40 cases; 15 order pairs: sd 4.2, range 2.5-17.5%"
    );
    assert_eq!(
        flat(line(&text, "order  any flip")),
        "order any flip 9/40 flipped up to 36.0% in general over 6 orders"
    );
    assert!(!text.contains("\norders "), "{text}");
    let narrow = render(&sweep(), &NARROW);
    assert!(
        narrow.lines().all(|line| line.chars().count() <= 80),
        "{narrow}"
    );
}

#[test]
fn one_other_order_adds_no_line() {
    let mut summary = sweep();
    summary.orders.as_mut().unwrap().agreement.orders = Some(Range { least: 2, most: 2 });
    let text = render(&summary, &WIDE);
    assert!(
        !text.contains("all pairs") && !text.contains("any flip"),
        "{text}"
    );
}

#[test]
fn every_figure_across_orders_has_a_line_of_its_own() {
    let text = render(&sweep(), &VERBOSE);
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );
    assert_snapshot!(block(&text));
}

#[test]
fn a_figure_that_does_not_exist_says_why() {
    let mut summary = sweep();
    summary.orders = Some(Box::new(example::nothing()));
    let text = render(&summary, &VERBOSE);
    assert!(!text.contains("all pairs"), "{text}");
    assert_snapshot!(block(&text));
}

#[test]
fn cases_that_differ_say_so_in_every_line() {
    let mut summary = sweep();
    let orders = summary.orders.as_mut().unwrap();
    orders.agreement.orders = Some(Range { least: 2, most: 6 });
    orders.agreement.any_flip_open = 4;
    let mut second = orders.noise_floor[0].clone();
    (second.options, second.pairs_left_out) = (5, 7_140);
    second.pairs.clear();
    second.drawn_per_case = vec!["random:1".to_owned(), "random:2".to_owned()];
    orders.noise_floor.push(second);
    let text = render(&summary, &WIDE);
    let pairs = flat(line(&text, "order  all pairs"));
    assert!(pairs.ends_with("over 40 cases"), "{pairs}");
    let flips = flat(line(&text, "order  any flip"));
    assert!(
        flips.ends_with("over 2 to 6 orders, 4 open (an order missing)"),
        "{flips}"
    );
    let text = flat(&block(&render(&summary, &VERBOSE)));
    assert!(text.contains("noise floor, 3 options"), "{text}");
    assert!(
        text.contains("each case draws its own random:1 and random:2"),
        "{text}"
    );
    assert!(text.contains("7140 order pairs not listed"), "{text}");
}

#[test]
fn names_of_orders_from_outside_are_escaped_across_orders_too() {
    let mut summary = sweep();
    let orders = summary.orders.as_mut().unwrap();
    let bad = "list\u{1b}[31m".to_owned();
    orders.noise_floor[0].pairs[0].second.clone_from(&bad);
    orders.accuracy.format_spread.orders[0]
        .order
        .clone_from(&bad);
    orders.calibration.by_order[0].order = bad;
    assert!(!render(&summary, &VERBOSE).contains('\u{1b}'));
}
