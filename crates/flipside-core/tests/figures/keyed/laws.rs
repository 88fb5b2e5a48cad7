//! What neither the order of cases nor how options are numbered may change.

use flipside_core::summary::{Direction, KeyChanges, ReportedDrift, Summary};
use proptest::prelude::*;

use super::{Row, Said, grouped, near, row, run};

const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Weights that differ, as probabilities, so that nothing ties.
fn spread(options: usize) -> impl Strategy<Value = Said> {
    proptest::sample::subsequence((1..400_u32).collect::<Vec<_>>(), options)
        .prop_shuffle()
        .prop_map(|weights| {
            let sum: u32 = weights.iter().sum();
            let p = weights
                .iter()
                .map(|weight| f64::from(*weight) / f64::from(sum));
            Said::Spread(p.collect())
        })
}

fn said(options: usize) -> impl Strategy<Value = Said> {
    prop_oneof![
        12 => spread(options),
        1 => Just(Said::Bare(0)),
        1 => Just(Said::Failed),
        1 => Just(Said::Nothing),
    ]
}

/// Cases that offer two to five of five keys.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let one = proptest::sample::subsequence(KEYS.to_vec(), 2..=5).prop_flat_map(|keys| {
        let said = proptest::collection::vec(said(keys.len()), 3);
        (Just(keys), said, 0..3_usize)
    });
    proptest::collection::vec(one, 1..16).prop_map(|drawn| {
        let of = |(number, (keys, said, group)): (usize, (Vec<&str>, Vec<Said>, usize))| {
            row(number, &keys, said).field("group", group).accept(0)
        };
        drawn.into_iter().enumerate().map(of).collect()
    })
}

const ORDERS: &str = "reverse,rotate:1";

/// The same decisions with the options of every case numbered otherwise; keys, probabilities and labels go along.
fn relabelled(rows: &[Row], by: usize) -> Vec<Row> {
    let mut rows = rows.to_vec();
    for row in &mut rows {
        let n = row.keys.len();
        let by = by % n;
        let moved = |id: u16| u16::try_from((usize::from(id) + n - by) % n).unwrap();
        row.keys.rotate_left(by);
        row.accept = row.accept.iter().map(|id| moved(*id)).collect();
        for said in &mut row.said {
            match said {
                Said::Spread(p) | Said::With(_, p) => p.rotate_left(by),
                Said::Bare(id) => *id = moved(*id),
                Said::Nothing | Said::Failed | Said::Unasked => {}
            }
        }
    }
    rows
}

type Told = (Option<Direction>, Option<KeyChanges>, ReportedDrift);

/// Everything here that goes by key, by variant.
fn told(summary: &Summary) -> Vec<Told> {
    let lines = summary.axes["order"].values();
    let of = |line: &flipside_core::summary::Line| {
        let reported = line.drift.clone().unwrap().reported;
        (line.direction.clone(), line.key_changes.clone(), reported)
    };
    lines.map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn permuting_cases_moves_no_bit(rows in rows(), by in 0..16_usize, clustered in any::<bool>()) {
        let mut moved = rows.clone();
        moved.rotate_left(by % rows.len());
        moved.reverse();
        let cluster = clustered.then_some("group");
        let of = |rows: &[Row]| grouped(rows, ORDERS, cluster, &["group"]);
        let (a, b) = (of(&rows), of(&moved));
        prop_assert_eq!(told(&a), told(&b));
        prop_assert_eq!(a.averaged_answer, b.averaged_answer);
        prop_assert_eq!(a.splits, b.splits);
        prop_assert_eq!(a.position.map(|found| found.by_order), b.position.map(|found| found.by_order));
    }

    #[test]
    fn numbering_options_otherwise_changes_nothing_that_goes_by_key(rows in rows(), by in 1..5_usize) {
        let (a, b) = (run(&rows, ORDERS), run(&relabelled(&rows, by), ORDERS));
        prop_assert_eq!(told(&a), told(&b));
        let answers = |summary: &Summary| {
            summary.averaged_answer.clone().map(|mut found| {
                // Three orders of two options or more can tie by vote; then the lowest identity wins, and labels say which that is.
                if found.vote.ties > 0 {
                    found.vote.accuracy = None;
                    found.vote.changed = 0;
                    found.keys.iter_mut().for_each(|key| key.vote = 0);
                }
                found
            })
        };
        prop_assert_eq!(answers(&a), answers(&b));
    }

    #[test]
    fn a_vacuous_case_changes_nothing(rows in rows()) {
        let mut more = rows.clone();
        more.push(row(99, &["a"], vec![Said::Spread(vec![1.0]); 3]).field("group", 9).accept(0));
        let (a, b) = (run(&rows, ORDERS), run(&more, ORDERS));
        prop_assert_eq!(told(&a), told(&b));
        prop_assert_eq!(a.averaged_answer, b.averaged_answer);
        prop_assert_eq!(a.position.map(|found| found.by_order), b.position.map(|found| found.by_order));
    }

    #[test]
    fn counts_add_up_and_means_keep_their_range(rows in rows()) {
        let summary = run(&rows, ORDERS);
        for line in summary.axes["order"].values() {
            if let Some(found) = &line.direction {
                let listed: u64 = found.pairs.iter().map(|pair| pair.forth + pair.back).sum();
                prop_assert_eq!(found.flips, listed + found.unshared + found.place_keys);
                prop_assert_eq!(Some(found.flips + line.no_decision_flips), line.figure.flips);
                for pair in &found.pairs {
                    prop_assert!(pair.forth >= pair.back && pair.cases >= 2);
                    prop_assert!(pair.p <= pair.holm_p && pair.holm_p <= 1.0);
                }
            }
            if let Some(found) = &line.key_changes {
                for key in &found.keys {
                    prop_assert_eq!(key.up + key.down + key.same, key.cases);
                    prop_assert!(key.interval[0] <= key.mean && key.mean <= key.interval[1]);
                    prop_assert!(-1.0 <= key.interval[0] && key.interval[1] <= 1.0);
                }
            }
            let reported = line.drift.clone().unwrap().reported;
            if let (Some(tv), Some(change)) = (reported.mean_total_variation, reported.mean_largest_change) {
                prop_assert!(change <= tv + 1e-12 && tv <= 1.0 + 1e-12);
                let [lower, upper] = reported.mean_total_variation_interval.unwrap();
                prop_assert!(lower <= tv && tv <= upper);
            }
        }
        for found in summary.position.unwrap().by_order.values() {
            let counts = found.by_options.iter().flat_map(|group| &group.counts);
            prop_assert_eq!(counts.sum::<u64>(), found.answers);
            prop_assert!(found.first + found.last <= found.answers);
        }
    }

    #[test]
    fn where_every_case_offers_the_same_keys_their_changes_cancel(
        said in proptest::collection::vec(proptest::collection::vec(spread(4), 2), 2..12),
    ) {
        let rows: Vec<Row> = said
            .into_iter()
            .enumerate()
            .map(|(number, said)| row(number, &KEYS[..4], said))
            .collect();
        let line = super::reversed(&rows);
        let sum: f64 = line.key_changes.unwrap().keys.iter().map(|key| key.mean).sum();
        near(sum, 0.0);
    }

    #[test]
    fn swapping_the_two_answers_turns_every_direction(rows in rows()) {
        let mut turned = rows.clone();
        for row in &mut turned {
            row.said.swap(0, 1);
        }
        let (a, b) = (super::reversed(&rows), super::reversed(&turned));
        prop_assert_eq!(a.direction.is_some(), b.direction.is_some());
        let (Some(a), Some(b)) = (a.direction, b.direction) else {
            return Ok(());
        };
        for pair in &a.pairs {
            let same = |other: &&flipside_core::summary::KeyPair| {
                let mut keys = [&other.from, &other.to];
                let mut own = [&pair.from, &pair.to];
                keys.sort();
                own.sort();
                keys == own
            };
            let other = b.pairs.iter().find(same).unwrap();
            prop_assert_eq!((pair.forth, pair.back, pair.p), (other.forth, other.back, other.p));
            prop_assert_eq!(pair.from == other.to, pair.forth != pair.back);
        }
    }
}
