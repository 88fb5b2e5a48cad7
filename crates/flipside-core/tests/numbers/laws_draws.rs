//! Laws of the draws and of what is drawn with them. Seeds are fixed, so these pass always or never.

use flipside_core::stats::cluster::bootstrap;
use flipside_core::stats::draw::{Part, Stream};
use flipside_core::stats::order_set::disjoint_splits;
use flipside_core::stats::special::chi_square_upper;
use flipside_core::stats::spread::{order_spread, spread_null};

/// A fixed seed set is called biased under this p value; the seeds were not chosen.
const UNLIKELY: f64 = 1e-3;

fn p_of_equal(counts: &[u32]) -> f64 {
    let cells = f64::from(u32::try_from(counts.len()).unwrap());
    let expected = f64::from(counts.iter().sum::<u32>()) / cells;
    let chi: f64 = counts
        .iter()
        .map(|count| (f64::from(*count) - expected).powi(2))
        .sum();
    chi_square_upper(chi / expected, cells - 1.0).unwrap()
}

#[test]
fn shuffles_of_four_hit_all_orders_alike_over_fresh_streams() {
    let mut counts = [0; 24];
    for case in 0..48_000 {
        let mut order = [0, 1, 2, 3];
        Stream::new(&[Part::U64(7), Part::Text("order"), Part::U64(case)]).shuffle(&mut order);
        // Lehmer code of the order.
        let rank = (0..4).fold(0, |rank, i| {
            rank * (4 - i) + (i + 1..4).filter(|&j| order[j] < order[i]).count()
        });
        counts[rank] += 1;
    }
    let p = p_of_equal(&counts);
    assert!(p > UNLIKELY, "{p}, {counts:?}");
}

#[test]
fn bounded_draws_and_floats_are_even() {
    let mut stream = Stream::new(&[Part::U64(11), Part::Text("even")]);
    for n in [2, 3, 7, 10] {
        let mut counts = vec![0; n];
        for _ in 0..30_000 {
            counts[usize::try_from(stream.below(n as u64)).unwrap()] += 1;
        }
        assert!(p_of_equal(&counts) > UNLIKELY, "{n}: {counts:?}");
    }
    let mut counts = [0; 16];
    for _ in 0..64_000 {
        let unit = stream.unit();
        assert!((0.0..1.0).contains(&unit));
        let cell = (0..16)
            .rfind(|cell| unit >= f64::from(*cell) / 16.0)
            .unwrap();
        counts[usize::try_from(cell).unwrap()] += 1;
    }
    assert!(p_of_equal(&counts) > UNLIKELY, "{counts:?}");
}

#[test]
fn another_case_moves_no_draw() {
    let words = |case: &str| {
        let mut stream = Stream::new(&[Part::U64(7), Part::Text("order"), Part::Text(case)]);
        [stream.word(), stream.word()]
    };
    let alone = words("c-1");
    let _ = words("c-2");
    assert_eq!(alone, words("c-1"));
    assert_ne!(alone, words("c-2"));
}

#[test]
fn a_bootstrap_is_the_same_again_and_reports_what_does_not_exist() {
    let run = |purpose: &str| {
        let mut stream = Stream::new(&[Part::U64(3), Part::Text(purpose)]);
        bootstrap(20, 500, 0.9, &mut stream, |chosen| {
            let small = chosen.iter().filter(|index| **index < 5).count();
            (small > 0).then(|| f64::from(u32::try_from(small).unwrap()) / 20.0)
        })
        .unwrap()
        .unwrap()
    };
    assert_eq!(run("a"), run("a"));
    assert_ne!(
        run("a").standard_error.to_bits(),
        run("b").standard_error.to_bits()
    );
    assert!(run("a").estimate.covers(0.25));
    assert!(run("a").undefined < 20);
    let mut stream = Stream::new(&[]);
    assert_eq!(bootstrap(20, 500, 0.9, &mut stream, |_| None), Ok(None));
}

#[test]
fn disjoint_splits_share_no_order_and_use_all_of_them_alike() {
    let mut stream = Stream::new(&[Part::U64(9), Part::Text("split")]);
    let splits = disjoint_splits(6, 2, 9_000, &mut stream).unwrap().unwrap();
    let mut counts = [0; 6];
    for (first, second) in &splits {
        assert_eq!((first.len(), second.len()), (2, 2));
        assert!(first.iter().all(|order| !second.contains(order)));
        for order in first {
            counts[*order] += 1;
        }
    }
    assert!(p_of_equal(&counts) > UNLIKELY, "{counts:?}");
    assert_eq!(disjoint_splits(5, 3, 50, &mut stream), Ok(None));
    assert!(disjoint_splits(5, 0, 50, &mut stream).is_err());
}

#[test]
fn a_spread_that_is_only_noise_is_not_above_its_null() {
    let mut stream = Stream::new(&[Part::U64(5), Part::Text("coins")]);
    let right: Vec<Vec<bool>> = (0..4)
        .map(|_| (0..200).map(|_| stream.below(10) < 7).collect())
        .collect();
    let null = spread_null(&right, 200, &mut stream).unwrap();
    let observed = order_spread(&right).unwrap();
    assert!(null.mean > 0.0);
    assert!(null.at_least_observed > 0.01, "{null:?} {observed:?}");
    // One order that is always right stands out.
    let mut biased = right.clone();
    biased[0] = vec![true; 200];
    assert!(
        spread_null(&biased, 200, &mut stream)
            .unwrap()
            .at_least_observed
            < 0.01
    );
}

#[test]
fn of_many_cases_only_those_that_differ_are_shuffled() {
    // 6,000 cases in two orders, 1,000 of them right in one alone: their signs make a walk of 1,000 steps, whose mean distance is
    // the square root of 2,000 over pi.
    let first: Vec<bool> = (0..6_000).map(|case| case % 6 < 2).collect();
    let second: Vec<bool> = (0..6_000).map(|case| case % 6 == 1).collect();
    let mut stream = Stream::new(&[Part::Text("many")]);
    let null = spread_null(&[first, second], 400, &mut stream).unwrap();
    let expected = (2_000.0 / std::f64::consts::PI).sqrt() / 6_000.0;
    // The distance varies by 0.76 of its mean, so 400 shuffles tell it to 4 %.
    assert!((null.mean / expected - 1.0).abs() < 0.12, "{}", null.mean);
    assert!(null.at_least_observed < 1e-9);
}
