//! Laws of bounds, intervals and exact tests.

use flipside_core::stats::cluster::{Cluster, betting_interval, korn_graubard};
use flipside_core::stats::multiple::{benjamini_hochberg, bonferroni, holm};
use flipside_core::stats::net_effect::population;
use flipside_core::stats::paired::{
    equivalence, mcnemar_exact, mcnemar_mid, newcombe_independent, newcombe_paired, not_worse,
    tango,
};
use flipside_core::stats::power::{certify_size, sensitivity_size};
use flipside_core::stats::proportion::{
    Towards, cases_needed, clopper_pearson, finite_file_bound, lower_bound, more_pairs,
    upper_bound, wilson,
};
use flipside_core::stats::special::{
    Tail, beta_quantile, beta_tails, binomial_pmf, binomial_tails, f_upper, student_two_sided,
};
use proptest::prelude::*;

use super::{cases, close};

/// Hits and units.
fn share(most: u64) -> impl Strategy<Value = (u64, u64)> {
    (1..=most).prop_flat_map(|n| (0..=n, Just(n)))
}

fn real(n: u64) -> f64 {
    f64::from(u32::try_from(n).unwrap())
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn bounds_hold_the_share_between_them_and_rise_with_the_hits(
        (x, n) in share(20_000), alpha in 0.001..0.5_f64,
    ) {
        let rate = real(x) / real(n);
        let (low, high) = (lower_bound(x, n, alpha).unwrap(), upper_bound(x, n, alpha).unwrap());
        prop_assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0);
        if x < n {
            prop_assert!(low < lower_bound(x + 1, n, alpha).unwrap());
            prop_assert!(high < upper_bound(x + 1, n, alpha).unwrap() || high >= 1.0);
        }
        prop_assert!(upper_bound(x, n + 1, alpha).unwrap() < high || x == n);
        prop_assert!(high <= upper_bound(x, n, alpha / 2.0).unwrap());
        close(low, 1.0 - upper_bound(n - x, n, alpha).unwrap(), 1e-9);
    }

    #[test]
    fn a_bound_is_the_rate_at_which_its_tail_is_alpha((x, n) in share(50_000), alpha in 1e-6..0.4_f64) {
        if x < n {
            let tail = binomial_tails(x, n, upper_bound(x, n, alpha).unwrap()).unwrap();
            close(tail.lower, alpha, 1e-9);
        }
        if x > 0 {
            let tail = binomial_tails(x - 1, n, lower_bound(x, n, alpha).unwrap()).unwrap();
            close(tail.upper, alpha, 1e-9);
        }
    }

    #[test]
    fn an_exact_bound_errs_with_at_most_alpha_at_any_rate(
        n in 1..80_u64, rate in 0.0..1.0_f64, alpha in 0.01..0.3_f64,
    ) {
        let chance = |errs: &dyn Fn(u64) -> bool| -> f64 {
            (0..=n).filter(|&x| errs(x)).map(|x| binomial_pmf(x, n, rate).unwrap()).sum()
        };
        let under = chance(&|x| upper_bound(x, n, alpha).unwrap() < rate);
        let over = chance(&|x| lower_bound(x, n, alpha).unwrap() > rate);
        prop_assert!(under <= alpha * (1.0 + 1e-9), "{under}");
        prop_assert!(over <= alpha * (1.0 + 1e-9), "{over}");
    }

    #[test]
    fn wilson_is_symmetric_and_holds_its_share((x, n) in share(1_000_000), level in 0.5..0.999_f64) {
        let (one, other) = (wilson(x, n, level).unwrap(), wilson(n - x, n, level).unwrap());
        close(one.lower, 1.0 - other.upper, 1e-9);
        close(one.upper, 1.0 - other.lower, 1e-9);
        prop_assert!(one.covers(one.value));
        prop_assert!(one.lower >= 0.0 && one.upper <= 1.0);
        if x == 0 {
            prop_assert!(one.lower.to_bits() == 0.0_f64.to_bits());
        }
    }

    #[test]
    fn the_cases_needed_are_the_fewest(flips in 0..40_u64, limit in 0.001..0.9_f64, alpha in 0.01..0.2_f64) {
        let n = cases_needed(flips, limit, alpha).unwrap();
        prop_assert!(upper_bound(flips, n, alpha).unwrap() <= limit);
        if n > flips.max(1) {
            prop_assert!(upper_bound(flips, n - 1, alpha).unwrap() > limit);
        }
    }

    #[test]
    fn more_pairs_are_what_trying_every_total_finds((x, n) in share(60), limit in 0.02..0.6_f64) {
        let found = more_pairs(x, n, 0, limit, 0.05).unwrap();
        let rate = real(x) / real(n);
        let most = n + 3_000;
        let clean = (n..=most).find(|&t| upper_bound(x, t, 0.05).unwrap() <= limit);
        let same = (n..=most).find(|&t| match found.towards {
            Towards::Stable => {
                let flips = (u128::from(x) * u128::from(t)).div_ceil(u128::from(n));
                upper_bound(u64::try_from(flips).unwrap(), t, 0.05).unwrap() <= limit
            }
            Towards::Sensitive => lower_bound(x * t / n, t, 0.05).unwrap() > limit,
            Towards::None => false,
        });
        prop_assert_eq!(found.towards, if rate < limit { Towards::Stable } else { Towards::Sensitive });
        prop_assert_eq!(found.if_no_further_flip.filter(|more| n + more <= most), clean.map(|t| t - n));
        prop_assert_eq!(found.if_rate_persists.filter(|more| n + more <= most), same.map(|t| t - n));
    }

    #[test]
    fn a_file_bound_is_the_last_count_that_is_not_refuted(
        (flips, asked) in share(40), unasked in 0..40_u64, alpha in 0.01..0.3_f64,
    ) {
        let all = asked + unasked;
        let bound = finite_file_bound(all, asked, flips, alpha).unwrap();
        // Hypergeometric by whole numbers.
        let choose = |n: u64, k: u64| -> f64 {
            if k > n { return 0.0 }
            (0..k).fold(1.0, |product, i| product * real(n - i) / real(i + 1))
        };
        let few = |m: u64| -> f64 {
            let ways: f64 = (0..=flips.min(m))
                .filter(|x| asked - x <= all - m)
                .map(|x| choose(m, x) * choose(all - m, asked - x))
                .sum();
            ways / choose(all, asked)
        };
        prop_assert!(few(bound.max_flips) > alpha * (1.0 - 1e-9));
        if bound.max_flips < flips + unasked {
            prop_assert!(few(bound.max_flips + 1) <= alpha * (1.0 + 1e-9));
        }
        prop_assert!(bound.max_flips >= flips && bound.max_flips <= flips + unasked);
    }

    #[test]
    fn mcnemar_is_symmetric_and_its_mid_p_is_smaller(b in 0..400_u64, c in 0..400_u64) {
        let p = mcnemar_exact(b, c);
        prop_assert_eq!(p.to_bits(), mcnemar_exact(c, b).to_bits());
        prop_assert!(p > 0.0 && p <= 1.0);
        prop_assert!(mcnemar_mid(b, c) <= p);
        if b > c {
            prop_assert!(mcnemar_exact(b + 1, c) < p || p >= 1.0);
        }
        if b + c > 0 {
            let tail = binomial_tails(b.min(c), b + c, 0.5).unwrap().lower;
            close(p, (2.0 * tail).min(1.0), 1e-11);
        }
    }

    #[test]
    fn differences_turn_round_with_their_sides(
        a in 0..60_u64, b in 0..60_u64, c in 0..60_u64, d in 1..60_u64, level in 0.5..0.99_f64,
    ) {
        let n = a + b + c + d;
        let pairs = [
            (newcombe_paired(a, b, c, d, level), newcombe_paired(a, c, b, d, level)),
            (tango(b, c, n, level), tango(c, b, n, level)),
            (newcombe_independent(a, a + b + 1, c, c + d, level), newcombe_independent(c, c + d, a, a + b + 1, level)),
        ];
        for (one, other) in pairs {
            let (one, other) = (one.unwrap(), other.unwrap());
            close(one.value, -other.value, 1e-12);
            close(one.lower, -other.upper, 1e-9);
            prop_assert!(one.covers(one.value), "{:?}", one);
            prop_assert!(one.lower >= -1.0 && one.upper <= 1.0);
        }
    }

    #[test]
    fn clusters_of_one_are_cases_but_for_the_degrees_of_freedom(x in 1..30_u64, more in 1..60_u64) {
        let n = x + more;
        let clusters: Vec<Cluster> =
            (0..n).map(|case| Cluster { hits: u64::from(case < x), n: 1 }).collect();
        let result = korn_graubard(&clusters, 0.05).unwrap();
        close(result.design_effect.unwrap(), real(n) / real(n - 1), 1e-9);
        prop_assert!(result.upper >= upper_bound(x, n, 0.05).unwrap() - 1e-12);
        prop_assert!(result.lower <= lower_bound(x, n, 0.05).unwrap() + 1e-12);
        prop_assert!(result.effective_for_bounds <= real(n));
    }

    #[test]
    fn a_betting_interval_holds_the_mean_and_mirrors(values in prop::collection::vec(0.0..=1.0_f64, 1..60)) {
        let one = betting_interval(&values, 0.05).unwrap();
        let mirrored: Vec<f64> = values.iter().map(|value| 1.0 - value).collect();
        let other = betting_interval(&mirrored, 0.05).unwrap();
        prop_assert!(one.covers(one.value));
        close(one.lower, 1.0 - other.upper, 1e-9);
        close(one.upper, 1.0 - other.lower, 1e-9);
    }

    #[test]
    fn adjusted_p_values_keep_their_order_and_bonferroni_is_the_largest(
        p in prop::collection::vec(0.0..=1.0_f64, 1..12),
    ) {
        let (by_holm, by_bh, by_bonferroni) =
            (holm(&p).unwrap(), benjamini_hochberg(&p).unwrap(), bonferroni(&p).unwrap());
        for i in 0..p.len() {
            prop_assert!(p[i] <= by_bh[i] + 1e-15 && by_bh[i] <= by_holm[i] + 1e-15);
            prop_assert!(by_holm[i] <= by_bonferroni[i] + 1e-15 && by_bonferroni[i] <= 1.0);
            for j in 0..p.len() {
                prop_assert!(p[i] > p[j] || (by_holm[i] <= by_holm[j] && by_bh[i] <= by_bh[j]));
            }
        }
    }

    #[test]
    fn a_confirmed_effect_is_a_square_and_never_above_the_flip_rate(
        raw in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 2..6),
    ) {
        let normal = |values: Vec<f64>| {
            let sum: f64 = values.iter().sum::<f64>() + 1e-9;
            values.iter().map(|value| (value + 1e-9 / real(values.len() as u64)) / sum).collect::<Vec<_>>()
        };
        let (p, q): (Vec<f64>, Vec<f64>) = raw.into_iter().unzip();
        let (p, q) = (normal(p), normal(q));
        let effect = population(&p, &q).unwrap();
        close(effect.confirmed, effect.replicated - effect.swapped, 1e-9);
        close(effect.symmetric, effect.cross - f64::midpoint(effect.same_baseline, effect.same_changed), 1e-9);
        prop_assert!(effect.confirmed >= 0.0 && effect.confirmed <= effect.cross + 1e-12);
        prop_assert!(effect.symmetric <= effect.cross + 1e-12);
        if p.len() == 2 {
            close(effect.confirmed, effect.symmetric, 1e-9);
        }
        let alone = population(&p, &p).unwrap();
        prop_assert!(alone.confirmed == 0.0 && alone.symmetric == 0.0);
    }

    #[test]
    fn tails_and_quantiles_undo_each_other(
        a in 0.5..5_000.0_f64, b in 0.5..5_000.0_f64, probability in 1e-9..0.5_f64,
    ) {
        let low = beta_quantile(a, b, Tail::Lower, probability).unwrap();
        close(beta_tails(a, b, low).unwrap().lower, probability, 1e-9);
        let high = beta_quantile(a, b, Tail::Upper, probability).unwrap();
        // Near 1 a float's step is coarse, so the mirrored distribution is asked.
        let mirrored = beta_quantile(b, a, Tail::Lower, probability).unwrap();
        close(high, 1.0 - mirrored, 1e-12);
        prop_assert!(low <= high);
    }

    #[test]
    fn a_squared_t_is_an_f(t in 0.0..30.0_f64, df in 1.0..500.0_f64) {
        close(student_two_sided(t, df).unwrap(), f_upper(t * t, 1.0, df).unwrap(), 1e-10);
    }

    #[test]
    fn no_argument_makes_a_number_that_is_not_finite(
        x in 0..50_u64, n in 0..50_u64,
        wild in prop::sample::select(vec![f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-300, 0.05, 0.999_999, 1.0, 2.0]),
    ) {
        for bound in [upper_bound(x, n, wild), lower_bound(x, n, wild)].into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&bound));
        }
        for estimate in [
            wilson(x, n, wild),
            clopper_pearson(x, n, wild),
            newcombe_paired(x, n, 1, 0, wild),
            tango(x, n, 2 * n, wild),
        ].into_iter().flatten() {
            prop_assert!(estimate.lower <= estimate.upper && estimate.width().is_finite());
        }
        prop_assert!(beta_tails(wild, 1.0, 0.5).is_ok_and(|at| at.lower.is_finite() && at.upper.is_finite()) || !(wild > 0.0 && wild < f64::INFINITY));
        let _ = cases_needed(x, wild, 0.05);
        let _ = more_pairs(x, n, 0, wild, 0.05);
    }
}

#[test]
fn not_worse_asks_less_than_equivalent() {
    // The first share is far lower: not worse for certain, and not the same.
    let cells = [0, 2, 30, 168];
    assert!(not_worse(cells, 0.0, 0.05).unwrap().shown);
    assert!(!equivalence(cells, 0.05, 0.05).unwrap().shown);
    assert!(!not_worse([0, 30, 2, 168], 0.05, 0.05).unwrap().shown);
    assert!(equivalence(cells, 0.0, 0.05).is_err());
    assert!(not_worse(cells, f64::NAN, 0.05).is_err());
}

#[test]
fn a_fixed_size_keeps_both_promises_and_one_case_fewer_does_not() {
    for (limit, rate) in [(0.05, 0.0), (0.05, 0.02), (0.1, 0.03), (0.3, 0.1)] {
        let size = certify_size(limit, rate, 0.05, 0.9).unwrap().unwrap();
        let at = |n: u64, rate: f64, flips: u64| binomial_tails(flips, n, rate).unwrap().lower;
        assert!(at(size.cases, limit, size.flips) <= 0.05 * (1.0 + 1e-9));
        assert!(at(size.cases, rate, size.flips) >= 0.9);
        let n = size.cases - 1;
        assert!(!(0..n).any(|flips| at(n, limit, flips) <= 0.05 && at(n, rate, flips) >= 0.9));
    }
    for (limit, rate) in [(0.05, 0.1), (0.05, 0.3), (0.2, 0.4)] {
        let size = sensitivity_size(limit, rate, 0.05, 0.9).unwrap().unwrap();
        let at = |n: u64, rate: f64, flips: u64| binomial_tails(flips - 1, n, rate).unwrap().upper;
        assert!(
            at(size.cases, limit, size.flips) <= 0.05 && at(size.cases, rate, size.flips) >= 0.9
        );
        let n = size.cases - 1;
        assert!(!(1..n).any(|flips| at(n, limit, flips) <= 0.05 && at(n, rate, flips) >= 0.9));
    }
    assert_eq!(certify_size(0.05, 0.05, 0.05, 0.9), Ok(None));
    assert_eq!(sensitivity_size(0.05, 0.05, 0.05, 0.9), Ok(None));
}
