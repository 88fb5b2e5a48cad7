//! Goldens of one share and of gates.

use flipside_core::stats::order_set::picker_flip_rate;
use flipside_core::stats::position::best_constant_position;
use flipside_core::stats::power::FixedPlan;
use flipside_core::stats::proportion::{
    MorePairs, Towards, best_limit, cases_needed, clopper_pearson, finite_file_bound, lower_bound,
    missing_bounds, more_pairs, point_rule_max_flips, point_rule_pass, rule_of_three, upper_bound,
    wilson, wilson_upper,
};
use flipside_core::stats::{Error, power};
use serde_json::Value;

use crate::golden::{Checked, Entry, near, real, run};

pub(crate) const CHECKS: &[Checked] = &[
    ("tally", check_tally),
    ("wilson", check_wilson),
    ("clopper_pearson", check_clopper_pearson),
    ("clopper_pearson_one_sided", check_one_sided),
    ("rule_of_three", check_rule_of_three),
    ("n_required", check_n_required),
    ("gate_verdict", check_gate_numbers),
    ("fit_gate", check_fit_gate),
    ("finite_file", check_finite_file),
    ("point_rule_error", check_point_rule),
    ("position_baseline", check_position_baseline),
    ("fixed_plan", check_fixed_plan),
    ("power", check_power),
];

#[test]
fn shares_bounds_and_sample_sizes_agree_with_the_goldens() {
    run(CHECKS);
}

/// The rates that follow from the counts; counting outcomes is core's.
fn check_tally(entry: &Entry) {
    if entry.has("stand_in") {
        let cases = picker_flip_rate(entry.count("K")).unwrap() * entry.real("cases");
        entry.close("expected_flips", cases);
        return;
    }
    let count = |key: &str| entry.inputs["outcomes"][key].as_u64().unwrap_or(0);
    let flips = count("flip") + count("flip_to_or_from_no_decision");
    let pairs = flips + count("same");
    for (outcome, times) in entry.expected("counts").as_object().unwrap() {
        assert_eq!(*times, count(outcome), "{}/{outcome}", entry.id);
    }
    entry.same("pairs", pairs);
    entry.same("flips", flips);
    entry.close_or_none(
        "rate",
        wilson(flips, pairs, 0.95).ok().map(|share| share.value),
    );
    let bounds = missing_bounds(flips, pairs, count("missing"));
    entry.close_or_none("rate_if_missing_all_same", bounds.map(|(same, _)| same));
    entry.close_or_none(
        "rate_if_missing_all_flip",
        bounds.map(|(_, flipped)| flipped),
    );
}

fn check_wilson(entry: &Entry) {
    let (hits, n) = (entry.count("x"), entry.count("n"));
    let level = entry.real("confidence");
    if entry.is_undefined() {
        assert_eq!(wilson(hits, n, level), Err(Error::Empty { what: "n" }));
    } else if entry.count("sides") == 1 {
        entry.close("upper", wilson_upper(hits, n, 1.0 - level).unwrap());
    } else {
        let estimate = wilson(hits, n, level).unwrap();
        entry.close("lower", estimate.lower);
        entry.close("upper", estimate.upper);
    }
}

fn check_clopper_pearson(entry: &Entry) {
    let estimate =
        clopper_pearson(entry.count("x"), entry.count("n"), entry.real("confidence")).unwrap();
    entry.close("lower", estimate.lower);
    entry.close("upper", estimate.upper);
}

fn check_one_sided(entry: &Entry) {
    let (hits, n, alpha) = (entry.count("x"), entry.count("n"), entry.real("alpha"));
    entry.close("lower", lower_bound(hits, n, alpha).unwrap());
    entry.close("upper", upper_bound(hits, n, alpha).unwrap());
}

fn check_rule_of_three(entry: &Entry) {
    let n = entry.count("n");
    entry.close(
        "exact_upper",
        upper_bound(0, n, entry.real("alpha")).unwrap(),
    );
    entry.close("rule_of_three", rule_of_three(n).unwrap());
}

fn check_n_required(entry: &Entry) {
    let alpha = entry.real("alpha");
    if entry.has("flips") {
        let limit = entry.real("theta");
        let needed: Vec<u64> = entry
            .counts("flips")
            .iter()
            .map(|&flips| cases_needed(flips, limit, alpha).unwrap())
            .collect();
        entry.same("n", needed);
    } else {
        entry.close(
            "smallest_threshold",
            best_limit(entry.count("n"), alpha).unwrap(),
        );
    }
}

/// The bounds, and the further pairs. Words and advice are those of `gate`.
fn check_gate_numbers(entry: &Entry) {
    let (flips, pairs, missing) = (
        entry.count("flips"),
        entry.count("pairs"),
        entry.count("missing"),
    );
    let (limit, alpha) = (entry.real("theta"), entry.real("alpha"));
    let all = pairs + missing;
    let verdict = entry.expected("verdict").as_str().unwrap();
    entry.close_or_none("lower", lower_bound(flips, all, alpha).ok());
    entry.close_or_none("upper", upper_bound(flips + missing, all, alpha).ok());
    let more = more_pairs(flips, pairs, missing, limit, alpha);
    if verdict == "inconclusive" {
        let MorePairs {
            if_no_further_flip,
            if_rate_persists,
            towards,
        } = more.unwrap();
        entry.same("more_pairs_if_no_further_flip", if_no_further_flip);
        entry.same("more_pairs_if_rate_persists", if_rate_persists);
        entry.same(
            "towards",
            match towards {
                Towards::Stable => "stable",
                Towards::Sensitive => "sensitive",
                Towards::None => "none",
            },
        );
        if entry.expects("advice") {
            entry.leave("advice", "core's gate");
        }
    } else if verdict == "not_measured" {
        assert!(more.is_err());
    }
}

fn check_fit_gate(entry: &Entry) {
    let (hits, n, alpha) = (
        entry.count("accepted"),
        entry.count("cases"),
        entry.real("alpha"),
    );
    let (lower, upper) = (
        lower_bound(hits, n, alpha).unwrap(),
        upper_bound(hits, n, alpha).unwrap(),
    );
    entry.close("lower", lower);
    entry.close("upper", upper);
    let fits = lower >= entry.real("floor");
    entry.same("verdict", if fits { "fits" } else { "fit_inconclusive" });
}

fn check_finite_file(entry: &Entry) {
    let bound = finite_file_bound(
        entry.count("file_cases"),
        entry.count("asked"),
        entry.count("flips"),
        entry.real("alpha"),
    )
    .unwrap();
    entry.same("max_flips_in_file", bound.max_flips);
    entry.close("upper_rate", bound.upper_rate);
}

fn check_point_rule(entry: &Entry) {
    let (cases, limit) = (entry.count("cases"), entry.real("limit"));
    entry.same(
        "max_flips_that_pass",
        point_rule_max_flips(cases, limit).unwrap(),
    );
    let passes: Vec<f64> = entry
        .reals("true_rates")
        .iter()
        .map(|&rate| point_rule_pass(cases, limit, rate).unwrap())
        .collect();
    entry.close_list("pass_probability", &passes);
}

fn check_position_baseline(entry: &Entry) {
    let mut held = vec![0; usize::try_from(entry.count("K")).unwrap()];
    for position in entry.counts("accepted_positions") {
        held[usize::try_from(position).unwrap()] += 1;
    }
    let best = best_constant_position(&held).unwrap();
    entry.same("best_constant_position", best.position);
    let accuracy = wilson(best.hits, best.n, 0.95).unwrap().value;
    entry.close("accuracy", accuracy);
    entry.close(
        "lower_one_sided",
        lower_bound(best.hits, best.n, 0.05).unwrap(),
    );
}

fn check_fixed_plan(entry: &Entry) {
    let plan = FixedPlan::new(entry.count("n"), entry.real("theta0"), entry.real("alpha")).unwrap();
    entry.same("stable_if_at_most", plan.stable_if_at_most);
    entry.same("sensitive_if_at_least", plan.sensitive_if_at_least);
    for (rate, expected) in entry.expected("by_rate").as_object().unwrap() {
        let (stable, sensitive) = plan.chances(rate.parse().unwrap()).unwrap();
        near(rate, stable, &expected["stable"], crate::golden::PRINTED);
        near(
            rate,
            sensitive,
            &expected["sensitive"],
            crate::golden::PRINTED,
        );
    }
}

fn check_power(entry: &Entry) {
    let (alpha, wanted) = (entry.real("alpha"), entry.real("power"));
    if entry.has("discordant") {
        let n = power::paired_size(entry.real("discordant"), entry.real("diff"), alpha, wanted);
        entry.same("n", n.unwrap());
        return;
    }
    let limit = entry.real("theta");
    let certify = entry.expects("n_and_max_flips");
    let sizes: Vec<Value> = entry.inputs["true_rate"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rate| {
            let size = if certify {
                power::certify_size(limit, real(rate), alpha, wanted)
            } else {
                power::sensitivity_size(limit, real(rate), alpha, wanted)
            };
            let size = size.unwrap().unwrap();
            Value::from(vec![size.cases, size.flips])
        })
        .collect();
    let key = if certify {
        "n_and_max_flips"
    } else {
        "n_and_min_flips"
    };
    entry.same(key, sizes);
}
