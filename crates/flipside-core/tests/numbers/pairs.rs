//! Goldens of paired differences, clusters, and what of a flip is noise.

use flipside_core::stats::cluster::{
    Cluster, betting_interval, bootstrap, every_resample, korn_graubard, ratio,
};
use flipside_core::stats::draw::{Part, Stream};
use flipside_core::stats::multiple::{benjamini_hochberg, bonferroni, holm};
use flipside_core::stats::net_effect::{case_excess, confirmed, population, subset_control};
use flipside_core::stats::paired::{
    equivalence, mcnemar_exact, mcnemar_mid, mover, newcombe_independent, newcombe_paired, phi,
    tango,
};
use flipside_core::stats::position::reverse_pairs;
use flipside_core::stats::proportion::{lower_bound, upper_bound, wilson};
use flipside_core::stats::{Estimate, Method};

use crate::golden::{Checked, Entry, near, run};

pub(crate) const CHECKS: &[Checked] = &[
    ("mcnemar", check_mcnemar),
    ("newcombe_paired", check_newcombe_paired),
    ("newcombe_independent", check_newcombe_independent),
    ("tango_paired", check_tango),
    ("mover", check_mover),
    ("tost", check_tost),
    ("cluster", check_cluster),
    ("bootstrap", check_bootstrap),
    ("betting_interval", check_betting),
    ("net_effect_population", check_population),
    ("net_effect_case", check_case_excess),
    ("net_effect_confirmed", check_confirmed),
    ("control_on_subset", check_subset_control),
    ("multiplicity", check_multiple),
    ("real_data", check_real_counts),
];

#[test]
fn differences_clusters_and_net_effects_agree_with_the_goldens() {
    run(CHECKS);
}

fn check_mcnemar(entry: &Entry) {
    let (b, c) = (entry.count("b"), entry.count("c"));
    entry.close("p_exact", mcnemar_exact(b, c));
    entry.close("p_mid", mcnemar_mid(b, c));
}

fn cells(entry: &Entry) -> [u64; 4] {
    ["both", "first_only", "second_only", "neither"].map(|key| entry.count(key))
}

fn check_difference(entry: &Entry, estimate: &Estimate) {
    entry.close("diff", estimate.value);
    entry.close("lower", estimate.lower);
    entry.close("upper", estimate.upper);
}

fn check_newcombe_paired(entry: &Entry) {
    let [a, b, c, d] = cells(entry);
    let estimate = newcombe_paired(a, b, c, d, entry.real("confidence")).unwrap();
    check_difference(entry, &estimate);
    entry.close("phi", phi(a, b, c, d));
}

fn check_newcombe_independent(entry: &Entry) {
    let [x1, n1, x2, n2] = ["x1", "n1", "x2", "n2"].map(|key| entry.count(key));
    let estimate = newcombe_independent(x1, n1, x2, n2, entry.real("confidence")).unwrap();
    check_difference(entry, &estimate);
}

fn check_tango(entry: &Entry) {
    let [b, c, n] = ["b", "c", "n"].map(|key| entry.count(key));
    check_difference(entry, &tango(b, c, n, entry.real("confidence")).unwrap());
}

fn check_mover(entry: &Entry) {
    let estimate = |value: &str, lower: &str, upper: &str| {
        let ends = (entry.real(lower), entry.real(upper));
        Estimate::new(entry.real(value), ends, 0.95, 50, Method::KornGraubard).unwrap()
    };
    let first = estimate("p1", "l1", "u1");
    let second = estimate("p2", "l2", "u2");
    check_difference(entry, &mover(&first, &second, entry.real("r")).unwrap());
}

fn check_tost(entry: &Entry) {
    let result = equivalence(cells(entry), entry.real("margin"), entry.real("alpha")).unwrap();
    entry.close("ci90_lower", result.difference.lower);
    entry.close("ci90_upper", result.difference.upper);
    entry.same("equivalent", result.shown);
}

fn clusters(entry: &Entry) -> Vec<Cluster> {
    entry
        .count_rows("groups")
        .iter()
        .map(|row| Cluster {
            hits: row.iter().sum(),
            n: row.len() as u64,
        })
        .collect()
}

fn check_cluster(entry: &Entry) {
    let result = korn_graubard(&clusters(entry), entry.real("alpha")).unwrap();
    entry.same("n", result.n);
    entry.same("clusters", result.clusters);
    entry.same("flips", result.hits);
    entry.close("rate", result.rate);
    entry.close("se_iid", result.standard_error_independent);
    entry.close("se_cluster", result.standard_error_uncorrected);
    entry.close("se_cluster_adj", result.standard_error);
    entry.close_or_none("deff", result.design_effect);
    entry.close_or_none("n_eff", result.effective);
    if entry.expects("n_eff_df") {
        entry.close("n_eff_df", result.effective_for_bounds);
    }
    entry.close("kg_lower_one_sided", result.lower);
    entry.close("kg_upper_one_sided", result.upper);
}

fn check_bootstrap(entry: &Entry) {
    let clusters = clusters(entry);
    let rates: Vec<f64> = every_resample(clusters.len())
        .unwrap()
        .map(|chosen| ratio(&clusters, &chosen).unwrap())
        .collect();
    entry.same("n_resamples", rates.len());
    for (rate, times) in entry.expected("distribution").as_object().unwrap() {
        let rate: f64 = rate.parse().unwrap();
        let found = rates
            .iter()
            .filter(|value| (**value - rate).abs() < 1e-5)
            .count();
        assert_eq!(found as u64, times.as_u64().unwrap(), "{rate}");
    }
    let mean = rates.iter().sum::<f64>() / 27.0;
    let sd = (rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / 27.0).sqrt();
    entry.close("mean", mean);
    entry.close("sd", sd);
    // 20,000 draws of the same statistic come as near as they should: 4 standard errors of a standard deviation.
    let mut stream = Stream::new(&[Part::U64(7), Part::Text("bootstrap")]);
    let drawn = bootstrap(3, 20_000, 0.95, &mut stream, |chosen| {
        ratio(&clusters, chosen)
    });
    let drawn = drawn.unwrap().unwrap();
    assert!(
        (drawn.standard_error - sd).abs() < 4.0 * sd / 200.0,
        "{drawn:?}"
    );
    assert!((drawn.estimate.value - 0.5).abs() < 1e-15);
    assert!(drawn.estimate.lower < 1e-15 && drawn.estimate.upper > 1.0 - 1e-15);
}

fn check_betting(entry: &Entry) {
    let estimate = betting_interval(&entry.reals("x"), entry.real("alpha")).unwrap();
    entry.close("lower", estimate.lower);
    entry.close("upper", estimate.upper);
    entry.close("mean", estimate.value);
}

fn check_population(entry: &Entry) {
    let result = population(&entry.reals("base"), &entry.reals("perturbed")).unwrap();
    entry.close("p_cross", result.cross);
    entry.close("p_same_base", result.same_baseline);
    entry.close("p_same_perturbed", result.same_changed);
    entry.close("delta_base_anchored", result.anchored);
    entry.close("delta_symmetric", result.symmetric);
    entry.close("p_replicated", result.replicated);
    entry.close("p_swapped", result.swapped);
    entry.close("delta_confirmed", result.confirmed);
}

fn check_case_excess(entry: &Entry) {
    let labels = entry.labels(&["base_asks", "perturbed_asks"]);
    let result = case_excess(&labels[0], &labels[1]).unwrap();
    entry.close("cross", result.cross);
    entry.close("within", result.within);
    entry.close("delta", result.excess);
}

fn check_confirmed(entry: &Entry) {
    let [replicated, swapped, cases] =
        ["replicated", "swapped", "cases"].map(|key| entry.count(key));
    let result = confirmed(replicated, swapped, cases, 0.95).unwrap();
    entry.close("delta", result.effect.value);
    entry.close("lower", result.effect.lower);
    entry.close("upper", result.effect.upper);
    entry.close("p_exact", result.p);
}

fn check_subset_control(entry: &Entry) {
    let result = subset_control(
        (
            entry.count("perturbed_flips"),
            entry.count("perturbed_pairs"),
        ),
        (entry.count("control_flips"), entry.count("control_pairs")),
        entry.real("alpha"),
    )
    .unwrap();
    entry.close("net_lower_bonferroni", result.net_lower);
    // The two parts are printed at the whole alpha each, unlike the difference.
    let single = |key: &str| {
        (
            entry.count(&format!("{key}_flips")),
            entry.count(&format!("{key}_pairs")),
        )
    };
    let alpha = entry.real("alpha");
    let ((flips, pairs), (control, controls)) = (single("perturbed"), single("control"));
    entry.close("perturbed_lower", lower_bound(flips, pairs, alpha).unwrap());
    entry.close(
        "control_upper",
        upper_bound(control, controls, alpha).unwrap(),
    );
}

fn check_multiple(entry: &Entry) {
    let p = entry.reals("p");
    entry.close_list("holm", &holm(&p).unwrap());
    entry.close_list("bh", &benjamini_hochberg(&p).unwrap());
    entry.close_list("bonferroni", &bonferroni(&p).unwrap());
}

/// The numbers that follow from counts; those that follow from the routing file are in `router`.
fn check_real_counts(entry: &Entry) {
    let count = |key: &str| entry.expected(key).as_u64().unwrap();
    let name = |key: &str| format!("{}/{key}", entry.id);
    if entry.id == "tool_choice_25" {
        let (pairs, flips, other) = (count("pairs"), count("laya_flips"), count("jev_flips"));
        let share = wilson(flips, pairs, 0.95).unwrap();
        entry.close_list("laya_wilson", &[share.lower, share.upper]);
        entry.close(
            "jev_upper_one_sided",
            upper_bound(other, pairs, 0.05).unwrap(),
        );
        let estimate = newcombe_paired(0, flips, 0, pairs - flips, 0.95).unwrap();
        entry.close("diff", estimate.value);
        entry.close_list("newcombe", &[estimate.lower, estimate.upper]);
        entry.close("mcnemar_p", mcnemar_exact(flips, 0));
        entry.leave(
            "laya_position_following",
            "needs the answers, not their counts",
        );
        return;
    }
    let (pairs, flips) = (count("pairs"), count("flips"));
    let share = wilson(flips, pairs, 0.95).unwrap();
    entry.close_list("wilson", &[share.lower, share.upper]);
    let lower = lower_bound(flips, pairs, 0.05).unwrap();
    entry.close("lower_one_sided", lower);
    entry.close("upper_one_sided", upper_bound(flips, pairs, 0.05).unwrap());
    let direction = reverse_pairs(count("first_both"), count("last_both"));
    entry.close_or_none("preference_index", direction.index);
    entry.close("preference_p_exact", direction.p);
    let (both, harmful) = (count("accepted_both"), count("harmful"));
    let (repairing, neither) = (count("repairing"), count("accepted_neither"));
    assert_eq!(both + harmful + repairing + neither, pairs);
    let ninety_five = newcombe_paired(both, harmful, repairing, neither, 0.95).unwrap();
    let ninety = newcombe_paired(both, harmful, repairing, neither, 0.9).unwrap();
    entry.close("accuracy_diff", ninety_five.value);
    entry.close_list(
        "accuracy_diff_newcombe95",
        &[ninety_five.lower, ninety_five.upper],
    );
    entry.close_list("accuracy_diff_newcombe90", &[ninety.lower, ninety.upper]);
    entry.close("mcnemar_p", mcnemar_exact(harmful, repairing));
    let accuracy = |hits: u64| wilson(hits, pairs, 0.95).unwrap().value;
    entry.close("accuracy_original", accuracy(both + harmful));
    entry.close("accuracy_reversed", accuracy(both + repairing));
    let averaged = f64::midpoint(accuracy(both + harmful), accuracy(both + repairing));
    entry.close("order_averaged_accuracy", averaged);
    let rate = share.value;
    near(
        &name("mean_accuracy_ceiling"),
        flipside_core::stats::calibration::two_order_ceiling(rate).unwrap(),
        entry.expected("mean_accuracy_ceiling"),
        crate::golden::PRINTED,
    );
    crate::router::check(entry);
}
