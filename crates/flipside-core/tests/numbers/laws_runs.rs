//! Laws of adaptive asking: whatever is stopped, both errors are kept.

use flipside_core::stats::sequential::{
    Boundaries, Decision, EXPONENT, FUTILE, OpenRun, Planned, confidence_sequence, open_boundaries,
};
use flipside_core::stats::special::binomial_tails;
use flipside_core::stats::vote::{expected_asks, residual_flip};
use proptest::prelude::*;

use super::{cases, close};

fn real(n: u64) -> f64 {
    f64::from(u32::try_from(n).unwrap())
}

/// Error of one side at `rate`, by a recursion that shares nothing with the code: a map from flips to mass.
fn spent(
    boundary: &[Option<u64>],
    rate: f64,
    stops: impl Fn(u64, u64) -> bool,
    budget: impl Fn(u64) -> f64,
) -> f64 {
    let mut mass = vec![1.0];
    let mut sum = 0.0;
    for (n, bound) in (1..).zip(boundary) {
        let mut next = vec![0.0; mass.len() + 1];
        for (flips, value) in mass.iter().enumerate() {
            next[flips] += value * (1.0 - rate);
            next[flips + 1] += value * rate;
        }
        for (flips, value) in next.iter_mut().enumerate() {
            if bound.is_some_and(|bound| stops(flips as u64, bound)) {
                sum += std::mem::take(value);
            }
        }
        assert!(sum <= budget(n) * (1.0 + 1e-9), "{sum} after {n}");
        mass = next;
    }
    sum
}

/// The chance of a decision over every future of a run, flip by flip, weighted by products of predictions.
fn over_every_future(at: &Boundaries, (n, flips, missing): (u64, u64, u64)) -> f64 {
    if at.decide(n, flips, missing) != Decision::Open {
        return 1.0;
    }
    if n == at.stable.len() as u64 {
        return 0.0;
    }
    let flip = (real(flips) + 0.5) / (real(n - missing) + 1.0);
    flip * over_every_future(at, (n + 1, flips + 1, missing))
        + (1.0 - flip) * over_every_future(at, (n + 1, flips, missing))
}

/// Errors of a plan at its limit, and the mean number of pairs, when runs without a prospect are given up.
fn given_up(at: &Boundaries, rate: f64) -> ([f64; 2], f64) {
    let last = at.stable.len() as u64;
    let (mut mass, mut spent, mut pairs) = (vec![1.0], [0.0; 2], 0.0);
    for n in 1..=last {
        let mut next = vec![0.0; mass.len() + 1];
        for (flips, value) in mass.iter().enumerate() {
            next[flips] += value * (1.0 - rate);
            next[flips + 1] += value * rate;
        }
        for (flips, value) in (0..).zip(&mut next) {
            if *value <= 0.0 {
                continue;
            }
            let side = match at.decide(n, flips, 0) {
                Decision::Stable => Some(0),
                Decision::Sensitive => Some(1),
                Decision::Open => None,
            };
            let hopeless = || at.chance_of_decision(n, flips, 0).unwrap() < FUTILE;
            if side.is_some() || n == last || hopeless() {
                let ended = std::mem::take(value);
                pairs += ended * real(n);
                if let Some(side) = side {
                    spent[side] += ended;
                }
            }
        }
        mass = next;
    }
    (spent, pairs)
}

#[test]
fn giving_up_hopeless_runs_raises_no_error_and_saves_pairs() {
    let plan = Planned::new(120, 0.05, 0.05).unwrap();
    for rate in [0.02, 0.05, 0.1] {
        let whole = plan.boundaries.operating(rate).unwrap();
        let ([stable, sensitive], pairs) = given_up(&plan.boundaries, rate);
        assert!(stable <= whole.stable && sensitive <= whole.sensitive);
        assert!(pairs < whole.mean_cases, "{rate}: {pairs} {whole:?}");
    }
}

#[test]
fn the_prospect_of_a_run_is_known_before_its_first_pair_and_after_its_last() {
    let at = Planned::new(60, 0.05, 0.05).unwrap().boundaries;
    assert_eq!(at.chance_of_decision(60, 3, 0), Ok(0.0));
    // Stable from 59 pairs without a flip on (golden `bounds_N60`): one flip leaves only the sensitive side.
    assert_eq!(at.chance_of_decision(59, 0, 0), Ok(1.0));
    // One pair before, all hangs on it: no flip with chance 58.5 of 59.
    let before = at.chance_of_decision(58, 0, 0).unwrap();
    close(before, 58.5 / 59.0, 1e-12);
    // A missing pair is a flip to the stable side, and the sensitive side is out of reach.
    assert_eq!(at.chance_of_decision(58, 0, 1), Ok(0.0));
    assert!(at.chance_of_decision(61, 0, 0).is_err());
    assert!(at.chance_of_decision(3, 2, 2).is_err());
    assert!(at.chance_of_decision(0, 1, 0).is_err());
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn the_chance_of_a_decision_is_that_over_every_future(
        last in 1..14_u64, limit in 0.1..0.6_f64, alpha in 0.02..0.3_f64, seen in 0..14_u64, flips in 0..14_u64, missing in 0..3_u64,
    ) {
        let at = Planned::new(last, limit, alpha).unwrap().boundaries;
        let n = seen.min(last);
        let flips = flips.min(n);
        let missing = missing.min(n - flips);
        let chance = at.chance_of_decision(n, flips, missing).unwrap();
        prop_assert!((0.0..=1.0).contains(&chance));
        close(chance, over_every_future(&at, (n, flips, missing)), 1e-12);
    }

    #[test]
    fn planned_boundaries_never_spend_more_than_they_may(
        last in 1..250_u64, limit in 0.01..0.6_f64, alpha in 0.005..0.3_f64,
    ) {
        let plan = Planned::new(last, limit, alpha).unwrap();
        let budget = |n: u64| alpha * (real(n) / real(last)).powf(EXPONENT);
        let stable = spent(&plan.boundaries.stable, limit, |flips, most| flips <= most, budget);
        let sensitive = spent(&plan.boundaries.sensitive, limit, |flips, least| flips >= least, budget);
        close(stable, plan.spent_stable, 1e-9);
        close(sensitive, plan.spent_sensitive, 1e-9);
        prop_assert!(stable <= alpha * (1.0 + 1e-9) && sensitive <= alpha * (1.0 + 1e-9));
        // The sides never meet. The stable one never moves back; at a tiny limit the sensitive one may, when the budget grows
        // faster than flips come.
        for (n, (most, least)) in (1..).zip(plan.boundaries.stable.iter().zip(&plan.boundaries.sensitive)) {
            prop_assert!(most.is_none_or(|most| least.is_none_or(|least| most < least)), "{}", n);
        }
        let known: Vec<u64> = plan.boundaries.stable.iter().flatten().copied().collect();
        prop_assert!(known.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn the_worst_rate_of_each_side_is_the_limit(last in 20..200_u64, limit in 0.02..0.4_f64, away in 0.0..1.0_f64) {
        let plan = Planned::new(last, limit, 0.05).unwrap();
        let over = plan.boundaries.operating(limit + (1.0 - limit) * away).unwrap();
        let under = plan.boundaries.operating(limit * away).unwrap();
        prop_assert!(over.stable <= 0.05 * (1.0 + 1e-9), "{:?}", over);
        prop_assert!(under.sensitive <= 0.05 * (1.0 + 1e-9), "{:?}", under);
        for result in [over, under] {
            close(result.stable + result.sensitive + result.inconclusive, 1.0, 1e-9);
            prop_assert!(result.mean_cases <= real(last) * (1.0 + 1e-12));
        }
    }

    #[test]
    fn open_boundaries_err_with_at_most_alpha(last in 1..300_u64, limit in 0.02..0.5_f64, alpha in 0.01..0.2_f64) {
        let boundaries = open_boundaries(last, limit, alpha).unwrap();
        let at = boundaries.operating(limit).unwrap();
        prop_assert!(at.stable <= alpha && at.sensitive <= alpha, "{:?}", at);
    }

    #[test]
    fn e_values_multiply_and_forget_the_order(
        flips in prop::collection::vec(0.0..=1.0_f64, 1..40), cut in 0..40_usize, limit in 0.01..0.5_f64,
    ) {
        let run = |flips: &[f64]| {
            let mut run = OpenRun::new(limit).unwrap();
            for &flip in flips {
                run.observe(flip).unwrap();
            }
            run
        };
        let whole = run(&flips);
        let (first, second) = flips.split_at(cut % flips.len());
        let joined = run(first).followed_by(&run(second)).unwrap();
        let mut backwards = flips.clone();
        backwards.reverse();
        for other in [joined, run(&backwards)] {
            close(other.e_stable(), whole.e_stable(), 1e-9);
            close(other.e_sensitive(), whole.e_sensitive(), 1e-9);
            prop_assert_eq!(other.n, whole.n);
        }
    }

    #[test]
    fn a_bet_is_fair_at_the_limit_and_worse_on_the_wrong_side(limit in 0.01..0.5_f64, away in 0.0..1.0_f64) {
        let after = |flip: f64| {
            let mut run = OpenRun::new(limit).unwrap();
            run.observe(flip).unwrap();
            (run.e_stable(), run.e_sensitive())
        };
        let (none, one) = (after(0.0), after(1.0));
        let mean = |rate: f64, (none, one): (f64, f64)| none * (1.0 - rate) + one * rate;
        close(mean(limit, (none.0, one.0)), 1.0, 1e-12);
        close(mean(limit, (none.1, one.1)), 1.0, 1e-12);
        prop_assert!(mean(limit + (1.0 - limit) * away, (none.0, one.0)) <= 1.0 + 1e-12);
        prop_assert!(mean(limit * away, (none.1, one.1)) <= 1.0 + 1e-12);
    }

    #[test]
    fn a_missing_pair_never_makes_stable_or_sensitive_likelier(
        n in 1..100_u64, flips in 0..100_u64, missing in 0..10_u64,
    ) {
        let flips = flips.min(n);
        let plan = Planned::new(120, 0.05, 0.05).unwrap();
        if plan.decide(n + missing, flips, missing) == Decision::Stable {
            prop_assert_eq!(plan.decide(n + missing, flips, 0), Decision::Stable);
        }
        let known = OpenRun::from_counts(0.05, flips, n).unwrap();
        let mut with_missing = known;
        with_missing.observe_missing();
        prop_assert!(with_missing.e_stable() <= known.e_stable());
        prop_assert!(with_missing.e_sensitive() <= known.e_sensitive());
    }

    #[test]
    fn a_confidence_sequence_holds_the_share_and_mirrors(n in 1..5_000_u64, part in 0.0..=1.0_f64) {
        let x = (0..=n).rfind(|x| real(*x) <= part * real(n)).unwrap();
        let (one, other) = (confidence_sequence(x, n, 0.05).unwrap(), confidence_sequence(n - x, n, 0.05).unwrap());
        prop_assert!(one.covers(one.value));
        close(one.lower, 1.0 - other.upper, 1e-9);
        // It is never narrower than what one look would allow.
        let tail = |x: u64, at: f64| binomial_tails(x, n, at).unwrap();
        prop_assert!(x == n || tail(x, one.upper).lower <= 0.05);
    }

    #[test]
    fn a_vote_ends_between_a_majority_and_all_asks(half in 0..6_u64, q in 0.0..=1.0_f64) {
        let asks = 2 * half + 1;
        let expected = expected_asks(asks, &[q, 1.0 - q]).unwrap();
        prop_assert!(real(half + 1) <= expected + 1e-9 && expected <= real(asks) + 1e-9);
        let residual = residual_flip(asks, q).unwrap();
        close(residual, residual_flip(asks, 1.0 - q).unwrap(), 1e-9);
        prop_assert!(residual <= 0.5 + 1e-12);
        if half > 0 && (q - 0.5).abs() > 0.01 {
            prop_assert!(residual <= residual_flip(asks - 2, q).unwrap() + 1e-12);
        }
    }
}
