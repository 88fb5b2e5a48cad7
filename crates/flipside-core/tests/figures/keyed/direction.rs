//! Which way flips went, by key.

use flipside_core::case::{KeyBinding, QuestionKind};
use flipside_core::summary::ClusterSigns;

use super::{Row, Said, direction, grouped, levels, near, picks, reversed, run, ways};

const AB: [&str; 2] = ["a", "b"];

/// `forth` flips from `b` to `a`, `back` the other way, `still` without one; numbered from `from`.
fn flips(from: usize, [forth, back, still]: [usize; 3]) -> Vec<Row> {
    let chosen = std::iter::repeat_n([1, 0], forth)
        .chain(std::iter::repeat_n([0, 1], back))
        .chain(std::iter::repeat_n([0, 0], still));
    let row = |(number, chosen): (usize, [u16; 2])| picks(from + number, &AB, &chosen);
    chosen.enumerate().map(row).collect()
}

#[test]
fn the_key_that_more_flips_led_from_stands_first() {
    let found = direction(&flips(0, [5, 1, 4]));
    assert_eq!(ways(&found.pairs[0]), ("b", "a", 5, 1));
    assert_eq!((found.flips, found.pairs[0].cases), (6, 10));
    // 2 (1 + 6) / 2^6.
    near(found.pairs[0].p, 0.21875);
    let even = direction(&flips(0, [2, 2, 0]));
    assert_eq!(
        ways(&even.pairs[0]),
        ("a", "b", 2, 2),
        "of equals the first"
    );
    near(even.pairs[0].p, 1.0);
}

#[test]
fn pairs_of_keys_are_adjusted_together_by_holm() {
    // a and b: 6 to 0, p 2/64. c and d: 5 to 0, p 2/32. a and c: 1 to 1, p 1.
    let keys = ["a", "b", "c", "d"];
    let of = |from: usize, n: usize, chosen: [u16; 2]| {
        let row = move |number| picks(from + number, &keys, &chosen);
        (0..n).map(row).collect::<Vec<_>>()
    };
    let rows = [
        of(0, 6, [0, 1]),
        of(10, 5, [2, 3]),
        of(20, 1, [0, 2]),
        of(30, 1, [2, 0]),
    ];
    let found = direction(&rows.concat());
    let told: Vec<_> = found.pairs.iter().map(ways).collect();
    assert_eq!(told, [("a", "b", 6, 0), ("c", "d", 5, 0), ("a", "c", 1, 1)]);
    for (pair, [p, holm]) in
        found
            .pairs
            .iter()
            .zip([[0.03125, 0.09375], [0.0625, 0.125], [1.0, 1.0]])
    {
        near(pair.p, p);
        near(pair.holm_p, holm);
        assert_eq!(pair.cases, 13);
    }
}

#[test]
fn every_variant_of_an_axis_is_in_one_adjustment() {
    let row = |number| picks(number, &["a", "b", "c"], &[0, 1, 1, 0]);
    let rows: Vec<Row> = (0..7).map(row).collect();
    let summary = run(&rows, "reverse,rotate:1,rotate:2");
    let pair = |name: &str| summary.axes["order"][name].direction.clone().unwrap().pairs;
    for name in ["reverse", "rotate:1"] {
        near(pair(name)[0].p, 2.0 / 128.0);
        near(pair(name)[0].holm_p, 4.0 / 128.0);
    }
    assert_eq!(pair("rotate:2"), [], "without a flip there is no test");
}

#[test]
fn a_pair_of_keys_that_one_case_offers_is_counted_apart() {
    let mut rows = flips(0, [1, 0, 1]);
    rows.push(picks(10, &["a", "c"], &[0, 1]));
    rows.push(picks(11, &["d", "e"], &[0, 1]));
    let found = direction(&rows);
    assert_eq!((found.flips, found.unshared), (3, 2));
    assert_eq!(ways(&found.pairs[0]), ("b", "a", 1, 0));
    assert_eq!((found.pairs.len(), found.pairs[0].cases), (1, 2));
    // Alone, nothing is shared and there is nothing to say.
    assert_eq!(reversed(&rows[2..]).direction, None);
}

#[test]
fn letters_name_places_and_no_options() {
    let mut rows = flips(0, [4, 0, 0]);
    for row in &mut rows {
        row.binding = KeyBinding::Place;
    }
    assert_eq!(reversed(&rows).direction, None);
    rows.extend(flips(10, [2, 0, 0]));
    let found = direction(&rows);
    assert_eq!((found.flips, found.place_keys, found.unshared), (6, 4, 0));
    assert_eq!((found.pairs[0].forth, found.pairs[0].cases), (2, 2));
}

#[test]
fn levels_go_by_their_numbers_and_not_by_the_keys_of_their_places() {
    let rows: Vec<Row> = (0..3).map(|number| levels(number, 4, &[3, 1])).collect();
    let found = direction(&rows);
    assert_eq!(ways(&found.pairs[0]), ("3", "1", 3, 0));
    assert_eq!(found.pairs[0].question, QuestionKind::Score);
    // A choice with the key `3` is another thing.
    let choices = (10..13).map(|number| picks(number, &["3", "1"], &[0, 1]));
    let both = direction(&rows.into_iter().chain(choices).collect::<Vec<_>>());
    let kinds: Vec<_> = both.pairs.iter().map(|pair| pair.question).collect();
    assert_eq!(kinds, [QuestionKind::Choice, QuestionKind::Score]);
    assert!(both.pairs.iter().all(|pair| pair.cases == 3));
}

#[test]
fn what_did_not_decide_or_is_missing_goes_no_way() {
    let mut rows = flips(0, [1, 0, 1]);
    for (number, said) in [(10, Said::Nothing), (11, Said::Failed), (12, Said::Unasked)] {
        let mut row = picks(number, &AB, &[0]);
        row.said.push(said);
        rows.push(row);
    }
    let line = reversed(&rows);
    let found = line.direction.unwrap();
    assert_eq!((line.figure.flips, line.no_decision_flips), (Some(2), 1));
    assert_eq!((found.flips, found.pairs[0].forth), (1, 1));
    // The flip to no decision is of a case that could be compared.
    assert_eq!(found.pairs[0].cases, 3);
}

#[test]
fn equal_options_are_no_flip_and_the_chosen_one_has_its_own_name() {
    let keys = ["a", "b", "c"];
    let mut rows = vec![
        picks(0, &keys, &[0, 1]),
        picks(1, &keys, &[1, 2]),
        picks(2, &keys, &[0, 2]),
    ];
    for row in &mut rows {
        row.equal = vec![vec![0, 1]];
    }
    let found = direction(&rows);
    let told: Vec<_> = found.pairs.iter().map(ways).collect();
    assert_eq!(told, [("a", "c", 1, 0), ("b", "c", 1, 0)]);
    assert_eq!(found.flips, 2);
}

#[test]
fn the_fifty_pairs_with_most_flips_are_listed_and_all_are_tested() {
    let all: Vec<String> = (0..12).map(|key| format!("k{key:02}")).collect();
    let keys: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut rows = Vec::new();
    for from in 0..12_u16 {
        for to in from + 1..12 {
            rows.push(picks(rows.len(), &keys, &[from, to]));
        }
    }
    rows.push(picks(rows.len(), &keys, &[11, 10]));
    let found = direction(&rows);
    assert_eq!(
        (found.pairs.len(), found.pairs_left_out, found.flips),
        (50, 16, 67)
    );
    assert_eq!(ways(&found.pairs[0]), ("k10", "k11", 1, 1));
    assert_eq!(ways(&found.pairs[1]), ("k00", "k01", 1, 0));
}

#[test]
fn clusters_are_counted_by_the_way_most_of_their_flips_went() {
    // Cluster 0: 3 forth and 1 back. Clusters 1 to 5: 1 forth. Cluster 6: 1 and 1.
    let mut rows = Vec::new();
    let mut add = |cluster: usize, counts: [usize; 3]| {
        let new = flips(rows.len(), counts).into_iter();
        rows.extend(new.map(|row| row.field("group", cluster)));
    };
    add(0, [3, 1, 0]);
    (1..6).for_each(|cluster| add(cluster, [1, 0, 1]));
    add(6, [1, 1, 0]);
    let summary = grouped(&rows, "reverse", Some("group"), &[]);
    let line = &summary.axes["order"]["reverse"];
    let pair = &line.direction.as_ref().unwrap().pairs[0];
    assert_eq!(ways(pair), ("b", "a", 9, 2));
    let signs = ClusterSigns {
        first: 6,
        second: 0,
    };
    assert_eq!(pair.clusters, Some(signs));
    near(pair.p, 2.0 / 64.0);
    near(pair.holm_p, 2.0 / 64.0);
}

#[test]
fn repeats_of_the_control_have_their_direction_too() {
    let rows: Vec<Row> = (0..3)
        .map(|number| picks(number, &AB, &[0, 1, 1]))
        .collect();
    let control = run(&rows, "reverse,same:1").control.unwrap();
    let found = control.by_repeat["1"].direction.clone().unwrap();
    assert_eq!(ways(&found.pairs[0]), ("a", "b", 3, 0));
    near(found.pairs[0].holm_p, 0.25);
}
