//! Where the answers of each order stood.

use flipside_core::summary::{OrderPlaces, PlaceCounts};
use indexmap::IndexMap;

use super::{Row, Said, near, picks, row, run};

const FIVE: [&str; 5] = ["a", "b", "c", "d", "e"];

fn places(rows: &[Row], orders: &str) -> IndexMap<String, OrderPlaces> {
    run(rows, orders).position.unwrap().by_order
}

#[test]
fn every_order_says_where_its_answers_stood_and_what_even_choice_would_put_there() {
    // Of two options: first in both orders, last in both. Of five: the middle, then the first listed of the reversal.
    let rows = [
        picks(0, &FIVE[..2], &[0, 1]),
        picks(1, &FIVE[..2], &[1, 0]),
        picks(2, &FIVE, &[2, 4]),
    ];
    let found = places(&rows, "reverse");
    assert_eq!(found.keys().collect::<Vec<_>>(), ["own", "reverse"]);
    let counts = |options: u64, counts: &[u64]| PlaceCounts {
        options,
        counts: counts.to_vec(),
    };
    let own = &found["own"];
    assert_eq!((own.answers, own.first, own.last), (3, 1, 1));
    near(own.expected, 0.5 + 0.5 + 0.2);
    assert_eq!(
        own.by_options,
        [counts(2, &[1, 1]), counts(5, &[0, 0, 1, 0, 0])]
    );
    let reverse = &found["reverse"];
    assert_eq!((reverse.answers, reverse.first, reverse.last), (3, 2, 1));
    assert_eq!(
        reverse.by_options,
        [counts(2, &[1, 1]), counts(5, &[1, 0, 0, 0, 0])]
    );
    near(reverse.expected, 1.2);
}

#[test]
fn what_did_not_decide_is_in_no_count_and_in_no_expectation() {
    let with = |number, said| Row {
        said,
        ..picks(number, &FIVE, &[])
    };
    let rows = [
        picks(0, &FIVE, &[0, 0]),
        with(1, vec![Said::Bare(1), Said::Nothing]),
        with(2, vec![Said::Failed, Said::Bare(0)]),
        with(3, vec![Said::Bare(0), Said::Unasked]),
        row(4, &["only"], vec![Said::Bare(0)]),
    ];
    let found = places(&rows, "reverse");
    assert_eq!((found["own"].answers, found["own"].first), (3, 2));
    near(found["own"].expected, 0.6);
    // Of a failed own order the reversal still says where its answer stood.
    assert_eq!((found["reverse"].answers, found["reverse"].last), (2, 2));
    near(found["reverse"].expected, 0.4);
}

#[test]
fn an_order_counts_under_each_of_its_names() {
    let rows = [picks(0, &FIVE[..2], &[0, 1, 1])];
    let found = places(&rows, "reverse,rotate:1");
    assert_eq!((found["reverse"].first, found["rotate:1"].first), (1, 1));
}

#[test]
fn cases_of_which_no_order_is_on_record_have_no_places() {
    let mut rows = vec![picks(0, &FIVE, &[0, 0]), picks(1, &FIVE, &[0, 0])];
    rows[1].unlisted = true;
    let found = places(&rows, "reverse");
    assert_eq!((found["own"].answers, found["reverse"].answers), (1, 1));
}

#[test]
fn the_option_that_was_chosen_stands_there_and_not_the_one_that_is_the_same_answer() {
    let mut rows = [picks(0, &FIVE, &[4, 4])];
    rows[0].equal = vec![vec![0, 4]];
    let found = places(&rows, "reverse");
    assert_eq!((found["own"].last, found["reverse"].first), (1, 1));
}
