//! The answer that all orders of a case give together.

use flipside_core::case::KeyBinding;
use flipside_core::summary::{AveragedAnswer, Range};

use super::{Row, Said, grouped, near, picks, routes, row, run};

fn averaged(rows: &[Row], orders: &str) -> AveragedAnswer {
    *run(rows, orders).averaged_answer.unwrap()
}

fn of_three(number: usize, said: [[f64; 3]; 3]) -> Row {
    let said = said.map(|p| Said::Spread(p.to_vec())).to_vec();
    row(number, &["a", "b", "c"], said)
}

#[test]
fn the_mean_of_the_orders_can_be_what_no_order_and_no_vote_says() {
    // The orders say a, b and a; the means are 0.35, 0.3333 and 0.3167. Of the other case they say a, b, b and the means are 0.2,
    // 0.3833 and 0.4167.
    let rows = [
        of_three(0, [[0.4, 0.3, 0.3], [0.2, 0.45, 0.35], [0.45, 0.25, 0.3]]).accept(0),
        of_three(1, [[0.5, 0.05, 0.45], [0.05, 0.55, 0.4], [0.05, 0.55, 0.4]]).accept(2),
    ];
    let found = averaged(&rows, "reverse,rotate:1");
    assert_eq!(found.cases, 2);
    assert_eq!(found.orders, Some(Range { least: 3, most: 3 }));
    let keys: Vec<_> = found
        .keys
        .iter()
        .map(|key| (key.key.as_str(), key.cases, key.own, key.mean, key.vote))
        .collect();
    assert_eq!(
        keys,
        [("a", 2, 2, 1, 1), ("b", 2, 0, 0, 1), ("c", 2, 0, 1, 0)]
    );
    let right = |by: &flipside_core::summary::AveragedBy| {
        let accuracy = by.accuracy.as_ref().unwrap();
        (
            accuracy.right,
            accuracy.of,
            accuracy.own_right,
            by.changed,
            by.ties,
        )
    };
    assert_eq!(right(&found.mean), (2, 2, 1, 1, 0));
    assert_eq!(right(&found.vote), (1, 2, 1, 1, 0));
}

#[test]
fn ties_are_counted_and_go_to_the_lowest_identity() {
    // By the mean 0.5 and 0.5; one vote for each. In the second case the vote ties and the mean says strong.
    let rows = [
        routes(0, &[0.25, 0.75]).accept(0),
        routes(1, &[0.6, 0.2]).accept(0),
        routes(2, &[0.3, 0.2]).accept(0),
    ];
    let found = averaged(&rows, "reverse");
    let own_right = |by: &flipside_core::summary::AveragedBy| {
        let accuracy = by.accuracy.as_ref().unwrap();
        (accuracy.right, accuracy.own_right)
    };
    assert_eq!((found.mean.ties, found.vote.ties), (1, 2));
    assert_eq!(
        own_right(&found.mean),
        (1, 1),
        "cheap in the first, strong in the second"
    );
    assert_eq!(own_right(&found.vote), (1, 1));
    assert_eq!((found.mean.changed, found.vote.changed), (2, 2));
}

#[test]
fn the_averaged_answer_is_paired_with_the_own_order() {
    // 6 gained, 1 lost, 3 kept right, 2 kept wrong: McNemar 2 (1 + 7) / 2^7.
    let told = [
        (6, [0.4, 0.7], 0),
        (1, [0.6, 0.3], 0),
        (3, [0.6, 0.7], 0),
        (2, [0.4, 0.3], 0),
    ];
    let mut rows: Vec<Row> = Vec::new();
    for (n, cheap, accept) in told {
        for _ in 0..n {
            rows.push(routes(rows.len(), &cheap).accept(accept));
        }
    }
    let accuracy = averaged(&rows, "reverse").mean.accuracy.unwrap();
    assert_eq!(
        (accuracy.right, accuracy.of, accuracy.own_right),
        (9, 12, 4)
    );
    near(accuracy.mcnemar_p, 0.125);
    near(accuracy.difference, 5.0 / 12.0);
    // Wilson 95 % of 9 in 12 by Python: (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    near(accuracy.interval[0], 0.467_694_77);
    near(accuracy.interval[1], 0.911_058_72);
    for (place, row) in rows.iter_mut().enumerate() {
        *row = row.clone().field("group", place / 2);
    }
    let summary = grouped(&rows, "reverse", Some("group"), &[]);
    let over = summary.averaged_answer.unwrap().mean.accuracy.unwrap();
    // Of six pairs of cases three gained twice, and one lost one and kept one right.
    let signs = over.clusters.unwrap();
    assert_eq!((signs.first, signs.second), (3, 1));
    near(over.mcnemar_p, 0.625);
}

#[test]
fn what_is_lost_and_what_has_no_probabilities_is_left_out_under_its_name() {
    let with = |number, said| Row {
        said,
        ..routes(number, &[])
    };
    let half = || Said::Spread(vec![0.4, 0.6]);
    let rows = [
        routes(0, &[0.4, 0.3]),
        with(1, vec![half(), Said::Failed]),
        with(2, vec![Said::Unasked, half()]),
        with(3, vec![half(), Said::Bare(1)]),
        with(4, vec![half(), Said::Nothing]),
        row(5, &["only"], vec![Said::Spread(vec![1.0]), Said::Unasked]),
    ];
    let found = averaged(&rows, "reverse");
    assert_eq!(
        (found.cases, found.left_out, found.without_probabilities),
        (1, 2, 2)
    );
    assert_eq!(
        (found.mean.accuracy, found.vote.accuracy),
        (None, None),
        "no labels"
    );
    assert_eq!(found.keys, [], "no two cases share a key");
    // Where the own order is not on record, its reversal is another order all the same.
    let mut unlisted = routes(0, &[0.4, 0.3]);
    unlisted.unlisted = true;
    assert_eq!(averaged(&[unlisted], "reverse").cases, 1);
    assert_eq!(run(&rows[1..], "reverse").averaged_answer, None);
    assert_eq!(run(&[routes(0, &[0.4])], "").averaged_answer, None);
}

#[test]
fn controls_and_the_same_order_under_another_name_count_once() {
    // With two options `rotate:1` is the reversal, and its answer is the same one.
    let rows = [Row {
        said: vec![
            Said::Spread(vec![0.4, 0.6]),
            Said::Spread(vec![0.7, 0.3]),
            Said::Spread(vec![0.7, 0.3]),
            Said::Spread(vec![0.0, 1.0]),
        ],
        ..routes(0, &[])
    }];
    let found = averaged(&rows, "reverse,rotate:1,same:1");
    assert_eq!(found.orders, Some(Range { least: 2, most: 2 }));
    assert_eq!(found.mean.changed, 1, "0.55, and not 0.6 or 0.45");
}

#[test]
fn equal_options_are_one_answer_and_letters_have_no_names() {
    // Options a and b are one answer: a then c by the orders; the vote ties, and the likeliest of a and b has 0.45 on average against
    // 0.4; the mean of single options has c at 0.4 and a at 0.375.
    let mut of = of_three(0, [[0.5, 0.2, 0.3], [0.25, 0.25, 0.5], [0.0; 3]]).accept(0);
    of.said = vec![
        Said::With(0, vec![0.5, 0.2, 0.3]),
        Said::With(2, vec![0.25, 0.4, 0.5]),
    ];
    of.equal = vec![vec![0, 1]];
    let mut second = of.clone();
    second.number = 1;
    second.binding = KeyBinding::Place;
    let found = averaged(&[of, second], "reverse");
    let right = |by: &flipside_core::summary::AveragedBy| by.accuracy.as_ref().unwrap().right;
    assert_eq!((right(&found.mean), right(&found.vote)), (0, 2));
    assert_eq!((found.vote.ties, found.keys.len()), (2, 0));
}

#[test]
fn answers_without_a_decision_do_not_vote() {
    let nothing = |p: [f64; 2]| Said::Spread(p.to_vec());
    let rows = [row(
        0,
        &["a", "b"],
        vec![nothing([0.3, 0.7]), nothing([0.2, 0.8])],
    )];
    assert_eq!(averaged(&rows, "reverse").vote.changed, 0);
    assert_eq!(
        run(&[picks(0, &["a", "b"], &[0, 1])], "reverse").averaged_answer,
        None
    );
}
