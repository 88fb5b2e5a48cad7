//! Laws of agreement, position, drift and repairs.

use flipside_core::stats::agreement::{case_agreement, fleiss, icc, largest_disagreement};
use flipside_core::stats::drift::{Headroom, drift, logit_drift};
use flipside_core::stats::luce::drop_drift;
use flipside_core::stats::order_set::{picker, picker_flip_rate, williams};
use flipside_core::stats::position::{exact_uniform, recall, uniformity};
use flipside_core::stats::prior::{geometric_mean, position_prior};
use flipside_core::stats::quantile::quantile;
use flipside_core::stats::spread::min_consistency_accuracy;
use flipside_core::stats::vote::{asks_used, vote};
use proptest::prelude::*;

use super::{cases, close};

fn real(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap())
}

/// Two probability vectors of one length, without zeros.
fn two(most: usize) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    prop::collection::vec((0.01..1.0_f64, 0.01..1.0_f64), 2..=most).prop_map(|pairs| {
        let (p, q): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        (normal(&p), normal(&q))
    })
}

fn normal(values: &[f64]) -> Vec<f64> {
    let sum: f64 = values.iter().sum();
    values.iter().map(|value| value / sum).collect()
}

fn largest(values: &[f64]) -> usize {
    (0..values.len()).fold(0, |best, index| {
        if values[index] > values[best] {
            index
        } else {
            best
        }
    })
}

/// Every way to split `rest` over `places`.
fn every(rest: u64, places: usize) -> Vec<Vec<u64>> {
    if places == 1 {
        return vec![vec![rest]];
    }
    (0..=rest)
        .flat_map(|first| {
            every(rest - first, places - 1)
                .into_iter()
                .map(move |mut tail| {
                    tail.push(first);
                    tail
                })
        })
        .collect()
}

#[test]
fn williams_rows_balance_positions_and_neighbours() {
    for options in 2..=12 {
        let rows = williams(options).unwrap();
        assert_eq!(
            rows.len(),
            if options % 2 == 0 {
                options
            } else {
                2 * options
            }
        );
        let mut positions = vec![vec![0; options]; options];
        let mut neighbours = vec![vec![0; options]; options];
        for row in &rows {
            for (position, &option) in row.iter().enumerate() {
                positions[position][option] += 1;
            }
            for pair in row.windows(2) {
                neighbours[pair[0]][pair[1]] += 1;
            }
        }
        let each = rows.len() / options;
        assert!(
            positions.iter().flatten().all(|count| *count == each),
            "{options}"
        );
        for (left, row) in neighbours.iter().enumerate() {
            for (right, count) in row.iter().enumerate() {
                assert_eq!(*count, if left == right { 0 } else { each }, "{options}");
            }
        }
    }
    assert_eq!(williams(1), Ok(vec![vec![0]]));
    assert!(williams(0).is_err());
}

#[test]
fn a_pickers_rate_is_what_every_pair_of_orders_gives() {
    fn orders(options: usize) -> Vec<Vec<usize>> {
        if options == 0 {
            return vec![vec![]];
        }
        let mut all = Vec::new();
        for shorter in orders(options - 1) {
            for place in 0..options {
                let mut order = shorter.clone();
                order.insert(place, options - 1);
                all.push(order);
            }
        }
        all
    }
    for options in 2..=5 {
        let all = orders(options);
        for position in 0..options {
            let (mut flips, mut pairs) = (0, 0);
            for one in &all {
                for other in &all {
                    if one != other {
                        pairs += 1;
                        flips += usize::from(one[position] != other[position]);
                    }
                }
            }
            let got = picker(options as u64, position as u64).unwrap();
            close(got.all_pairs, real(flips) / real(pairs), 1e-12);
        }
    }
    // No number of options overflows.
    close(picker_flip_rate(1_000_000).unwrap(), 1.0 - 1e-6, 1e-12);
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn disagreement_lies_between_its_bounds_and_forgets_names(
        counts in prop::collection::vec(0..9_u64, 2..6), turn in 0..5_usize,
    ) {
        prop_assume!(counts.iter().sum::<u64>() > 1);
        let result = case_agreement(&counts).unwrap();
        let m = f64::from(u32::try_from(result.m).unwrap());
        let (d, u) = (result.disagreement.unwrap(), f64::from(u8::from(result.any_flip)));
        prop_assert!(2.0 * u / m <= d + 1e-12 && d <= u + 1e-12);
        prop_assert!(d <= largest_disagreement(result.m, counts.len() as u64).unwrap() + 1e-12);
        let mut renamed = counts.clone();
        renamed.rotate_left(turn % counts.len());
        let other = case_agreement(&renamed).unwrap();
        close(other.disagreement.unwrap(), d, 1e-12);
        close(other.entropy_bits, result.entropy_bits, 1e-12);
    }

    #[test]
    fn drift_is_symmetric_where_it_must_be((p, q) in two(6)) {
        let (one, other) = (drift(&p, &q).unwrap(), drift(&q, &p).unwrap());
        close(one.total_variation, other.total_variation, 1e-12);
        close(one.largest_change, other.largest_change, 1e-12);
        close(one.jensen_shannon_bits, other.jensen_shannon_bits, 1e-12);
        close(one.log_odds.unwrap(), other.log_odds.unwrap(), 1e-12);
        close(one.centred.unwrap(), other.centred.unwrap(), 1e-12);
        prop_assert!((0.0..=1.0).contains(&one.total_variation));
        prop_assert!((0.0..=1.0).contains(&one.jensen_shannon_bits));
        prop_assert!(one.largest_change <= one.total_variation + 1e-12);
        prop_assert!(one.kl_nats.unwrap() >= -1e-12);
        // Pinsker, between the two that are always there.
        prop_assert!(one.jensen_shannon_bits <= one.total_variation + 1e-12);
        let same = drift(&p, &p).unwrap();
        prop_assert!(same.jensen_shannon_bits == 0.0 && same.headroom == Headroom::Ratio(0.0));
    }

    #[test]
    fn a_flip_needs_headroom_of_at_least_one((p, q) in two(5)) {
        let result = drift(&p, &q).unwrap();
        if let Headroom::Ratio(ratio) = result.headroom {
            prop_assert!(ratio >= 1.0 - 1e-9 || largest(&p) == largest(&q));
        }
    }

    #[test]
    fn jensen_shannon_distance_keeps_the_triangle((p, q) in two(4), (r, _) in two(4)) {
        prop_assume!(p.len() == r.len());
        let distance = |a: &[f64], b: &[f64]| drift(a, b).unwrap().jensen_shannon_distance;
        prop_assert!(distance(&p, &q) <= distance(&p, &r) + distance(&r, &q) + 1e-12);
    }

    #[test]
    fn logits_move_no_drift_by_a_constant(
        logits in prop::collection::vec((-9.0..9.0_f64, -9.0..9.0_f64), 2..6), shift in -50.0..50.0_f64,
    ) {
        let (a, b): (Vec<f64>, Vec<f64>) = logits.into_iter().unzip();
        let moved: Vec<f64> = b.iter().map(|value| value + shift).collect();
        let (one, other) = (logit_drift(&a, &b).unwrap(), logit_drift(&a, &moved).unwrap());
        prop_assert!((one.centred - other.centred).abs() < 1e-10);
        prop_assert!((one.log_odds - other.log_odds).abs() < 1e-10);
        prop_assert!(one.centred <= one.log_odds + 1e-12);
    }

    #[test]
    fn a_per_option_scorer_has_no_drift_when_an_option_is_dropped((p, _) in two(6), dropped in 0..6_usize) {
        prop_assume!(p.len() > 2);
        let dropped = dropped % p.len();
        let mut rest = p.clone();
        rest.remove(dropped);
        let result = drop_drift(&p, dropped, &normal(&rest)).unwrap();
        prop_assert!(result.log_odds.unwrap() < 1e-12 && result.total_variation < 1e-12);
    }

    #[test]
    fn a_geometric_mean_over_rotations_ignores_any_position_factor((content, factor) in two(6)) {
        let options = content.len();
        let (mut by_option, mut by_position) = (Vec::new(), Vec::new());
        for shift in 0..options {
            let raw: Vec<f64> =
                (0..options).map(|place| content[(place + shift) % options] * factor[place]).collect();
            let shown = normal(&raw);
            by_option.push((0..options).map(|option| shown[(option + options - shift) % options]).collect());
            by_position.push(shown);
        }
        let mean = geometric_mean(&by_option).unwrap().unwrap();
        let prior = position_prior(&by_position).unwrap().unwrap();
        for option in 0..options {
            close(mean[option], content[option], 1e-9);
            close(prior[option], factor[option], 1e-9);
        }
    }

    #[test]
    fn stopping_a_settled_vote_changes_no_winner(answers in prop::collection::vec(0..4_usize, 1..12)) {
        let used = asks_used(&answers);
        prop_assert_eq!(vote(&answers[..used], None).unwrap().winner, vote(&answers, None).unwrap().winner);
    }

    #[test]
    fn the_exact_multinomial_is_what_enumeration_gives(counts in prop::collection::vec(0..6_u64, 2..5)) {
        let total: u64 = counts.iter().sum();
        prop_assume!(total > 0);
        let factorial = |n: u64| (1..=n).map(|k| f64::from(u32::try_from(k).unwrap())).product::<f64>();
        let ways = |counts: &[u64]| factorial(total) / counts.iter().map(|count| factorial(*count)).product::<f64>();
        let all = every(total, counts.len());
        let every_way: f64 = all.iter().map(|other| ways(other)).sum();
        let seen = ways(&counts);
        let rarer: f64 = all.iter().map(|other| ways(other)).filter(|way| *way <= seen * (1.0 + 1e-9)).sum();
        close(exact_uniform(&counts).unwrap().unwrap(), rarer / every_way, 1e-9);
        prop_assert!(uniformity(&counts).unwrap().p_exact.is_some() || real(usize::try_from(total).unwrap()) / real(counts.len()) >= 5.0);
    }

    #[test]
    fn the_share_that_is_consistently_right_falls_with_the_demand(
        right in prop::collection::vec(prop::collection::vec(any::<bool>(), 7), 1..6), least in 0.0..=1.0_f64,
    ) {
        let more = min_consistency_accuracy(&right, (least + 0.2).min(1.0)).unwrap();
        prop_assert!(more <= min_consistency_accuracy(&right, least).unwrap());
    }

    #[test]
    fn coefficients_of_agreement_are_at_most_one(
        rows in prop::collection::vec(prop::collection::vec(-5.0..5.0_f64, 3), 2..8),
        labels in prop::collection::vec(0..4_usize, 2..9),
    ) {
        if let Some(result) = icc(&rows, 0.9).unwrap() {
            for estimate in [result.one, result.agreement, result.consistency] {
                prop_assert!(estimate.value <= 1.0 && estimate.upper <= 1.0 + 1e-12, "{:?}", estimate);
                prop_assert!(estimate.covers(estimate.value), "{:?}", estimate);
            }
        }
        let counts: Vec<Vec<u64>> =
            labels.iter().map(|label| (0..4).map(|other| if other == *label { 5 } else { 0 }).collect()).collect();
        let unanimous = fleiss(&counts).unwrap();
        prop_assert!(unanimous.value.is_none_or(|value| (value - 1.0).abs() < 1e-12));
        let alike = labels.iter().all(|label| *label == labels[0]);
        prop_assert_eq!(unanimous.value.is_none(), alike);
    }

    #[test]
    fn recall_is_within_its_range(table in prop::collection::vec(prop::collection::vec(0..9_u64, 3), 3)) {
        prop_assume!(table.iter().flatten().sum::<u64>() > 0);
        let result = recall(&table).unwrap();
        prop_assert!(result.rstd.is_none_or(|rstd| (0.0..=0.5).contains(&rstd)));
        prop_assert!(result.rstd_debiased.is_none_or(|rstd| rstd <= result.rstd.unwrap()));
        prop_assert!(result.p.is_none_or(|p| (0.0..=1.0).contains(&p)));
    }

    #[test]
    fn a_quantile_lies_among_the_values_and_rises(
        values in prop::collection::vec(-1e6..1e6_f64, 1..30), share in 0.0..=1.0_f64,
    ) {
        let low = quantile(&values, 0.0).unwrap();
        let high = quantile(&values, 1.0).unwrap();
        let at = quantile(&values, share).unwrap();
        prop_assert!(low <= at + 1e-9 && at <= high + 1e-9);
        prop_assert!(quantile(&values, share / 2.0).unwrap() <= at + 1e-9);
    }
}
