//! Laws of the exact test of two shares.

use flipside_core::stats::fisher::fisher_exact;
use proptest::prelude::*;

use super::cases;

fn shares() -> impl Strategy<Value = ((u64, u64), (u64, u64))> {
    let share = |most: u64| (1..=most).prop_flat_map(|n| (0..=n, Just(n)));
    (share(300), share(300))
}

/// Every split of the hits, weighed by binomial coefficients in whole numbers.
fn counted(first: (u64, u64), second: (u64, u64)) -> f64 {
    let choose = |n: u64, k: u64| -> u128 {
        (0..k).fold(1_u128, |c, i| c * u128::from(n - i) / u128::from(i + 1))
    };
    let hits = first.0 + second.0;
    let ways = |x: u64| choose(first.1, x) * choose(second.1, hits - x);
    let splits = hits.saturating_sub(second.1)..=hits.min(first.1);
    let observed = ways(first.0);
    let extreme: u128 = splits
        .clone()
        .map(ways)
        .filter(|ways| *ways <= observed)
        .sum();
    let total: u128 = splits.map(ways).sum();
    #[expect(
        clippy::cast_precision_loss,
        reason = "one rounding of exact whole numbers"
    )]
    let share = extreme as f64 / total as f64;
    share
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn which_share_comes_first_and_what_is_a_hit_change_nothing((a, b) in shares()) {
        let p = fisher_exact(a, b).unwrap();
        prop_assert!(p > 0.0 && p <= 1.0);
        let near = |other: f64| (p - other).abs() <= 1e-9 * p;
        prop_assert!(near(fisher_exact(b, a).unwrap()));
        prop_assert!(near(fisher_exact((a.1 - a.0, a.1), (b.1 - b.0, b.1)).unwrap()));
        // Rows and columns of the table play the same part.
        let (hits, misses) = (a.0 + b.0, a.1 + b.1 - a.0 - b.0);
        if hits > 0 && misses > 0 {
            prop_assert!(near(fisher_exact((a.0, hits), (a.1 - a.0, misses)).unwrap()));
        }
    }

    #[test]
    fn small_tables_agree_with_counting_every_split(
        (n, m) in (1..=30_u64, 1..=30_u64), (x, y) in (0..=30_u64, 0..=30_u64)
    ) {
        let (a, b) = ((x % (n + 1), n), (y % (m + 1), m));
        let p = fisher_exact(a, b).unwrap();
        prop_assert!((p - counted(a, b)).abs() < 1e-9, "{a:?} {b:?} {p}");
    }
}
