//! Goldens of agreement, position, drift, composition, calibration, scores and spread.

use flipside_core::stats::agreement::{
    Weights, brennan_prediger, case_agreement, disagreement_range, fleiss, icc, weighted_kappa,
};
use flipside_core::stats::calibration::{
    calibration, label_free, probability_score, two_order_ceiling,
};
use flipside_core::stats::drift::{Headroom, drift, logit_drift};
use flipside_core::stats::luce::{drop_drift, runner_up};
use flipside_core::stats::order_set::{
    noise_floor, noise_of_rates, other_orders, picker, picker_flip_rate, planned_orders,
    random_flip_rate, williams,
};
use flipside_core::stats::position::{
    BalancedTest, balanced_test, recall, reverse_pairs, uniformity,
};
use flipside_core::stats::score::{SEVERE, level_change};
use flipside_core::stats::spread::{min_consistency_accuracy, order_spread};
use flipside_core::stats::variance::{best_orders, components};
use serde_json::{Value, json};

use crate::golden::{Checked, Entry, near, reals, run};

pub(crate) const CHECKS: &[Checked] = &[
    ("order_plan", check_order_plan),
    ("agreement_case", check_agreement),
    ("noise_floor", check_noise_floor),
    ("position_picker", check_picker),
    ("position_uniformity", check_uniformity),
    ("position_preference_pair", check_reverse_pairs),
    ("rstd", check_recall),
    ("drift", check_drift),
    ("loo", check_luce),
    ("score", check_score),
    ("spread", check_spread),
    ("calibration", check_calibration),
    ("fleiss_kappa", check_fleiss),
    ("bp_kappa", check_brennan_prediger),
    ("icc", check_icc),
    ("variance_components", check_variance),
];

#[test]
fn agreement_position_drift_and_calibration_agree_with_the_goldens() {
    run(CHECKS);
}

fn size(count: u64) -> usize {
    usize::try_from(count).unwrap()
}

fn check_order_plan(entry: &Entry) {
    let options = size(entry.count("K"));
    if entry.has("requested") {
        entry.same("available", other_orders(options).unwrap());
        entry.same("planned", planned_orders(options, entry.count("requested")));
    } else {
        entry.same("rows", json!(williams(options).unwrap()));
    }
}

fn check_agreement(entry: &Entry) {
    let labels = &entry.labels(&["answers"])[0];
    let mut counts = vec![0; 3];
    for &label in labels {
        counts[label] += 1;
    }
    let result = case_agreement(&counts).unwrap();
    entry.same("m", result.m);
    entry.same("distinct", result.distinct);
    entry.close_or_none("pairwise_disagreement", result.disagreement);
    entry.same("any_flip", u64::from(result.any_flip));
    entry.close("modal_share", result.modal_share);
    entry.same("modal_tie", result.modal_tie);
    entry.close("entropy_bits", result.entropy_bits);
}

fn check_noise_floor(entry: &Entry) {
    if entry.has("any_flip") {
        let (least, most) =
            disagreement_range(entry.real("any_flip"), entry.count("m"), 3).unwrap();
        entry.close("pairwise_min", least);
        entry.close("pairwise_max_3_options", most);
        return;
    }
    let flips = entry.counts("pair_flip_counts");
    let published = size(entry.count("published_pair_index"));
    let result = noise_floor(&flips, entry.count("items"), published).unwrap();
    entry.close("mean", result.mean);
    entry.close("sd_population", result.sd);
    entry.close("min", result.smallest);
    entry.close("max", result.largest);
    entry.same("pairs_strictly_below_published", result.below_published);
    let counts = entry.reals("pair_flip_counts");
    let rates: Vec<f64> = counts
        .iter()
        .map(|count| count / entry.real("items"))
        .collect();
    let of_rates = noise_of_rates(&rates, published).unwrap();
    entry.close("mean", of_rates.mean);
    entry.close("sd_population", of_rates.sd);
    assert_eq!(of_rates.below_published, result.below_published);
}

fn check_picker(entry: &Entry) {
    let options = entry.count("K");
    if entry.expects("first") {
        let positions = [
            ("first", 0),
            ("last", options - 1),
            ("middle", entry.count("middle_position")),
        ];
        for (name, position) in positions {
            let expected = entry.expected(name);
            let got = picker(options, position).unwrap();
            near(name, got.reverse, &expected["reverse"], 0.0);
            near(name, got.rotate_1, &expected["rotate1"], 0.0);
            near(
                name,
                got.all_pairs,
                &expected["all_pairs"],
                crate::golden::PRINTED,
            );
        }
    } else {
        entry.close(
            "flip_rate_random_nonidentity_order",
            picker_flip_rate(options).unwrap(),
        );
        entry.close(
            "flip_rate_random_answerer",
            random_flip_rate(options).unwrap(),
        );
    }
}

/// The shares of the balanced entries are printed with twelve digits, and their covariance inverted.
const FROM_ROUNDED_SHARES: f64 = 1e-10;

fn check_uniformity(entry: &Entry) {
    if entry.has("counts") {
        let result = uniformity(&entry.counts("counts")).unwrap();
        entry.close("chi2", result.chi_square);
        entry.same("df", result.df);
        entry.close("p_chi2", result.p_chi_square);
        entry.close("g", result.g);
        entry.close("p_g", result.p_g);
        return;
    }
    match balanced_test(&entry.rows("per_case_position_shares")).unwrap() {
        BalancedTest::Tested {
            mean_share,
            wald,
            df,
            p_chi_square,
            f,
            p,
        } => {
            entry.close_list("mean_share", &mean_share);
            entry.within("wald", wald, FROM_ROUNDED_SHARES);
            entry.same("df", df);
            entry.within("p_chi2", p_chi_square, FROM_ROUNDED_SHARES);
            entry.within("hotelling_F", f, FROM_ROUNDED_SHARES);
            entry.within("p_F", p, FROM_ROUNDED_SHARES);
        }
        BalancedTest::UniformByConstruction { mean_share } => {
            entry.close_list("mean_share", &mean_share);
            assert!(entry.expected("wald").is_null());
            entry.same("verdict", "no_position_preference_by_construction");
        }
        BalancedTest::Undefined { .. } => panic!("{}", entry.id),
    }
}

fn check_reverse_pairs(entry: &Entry) {
    let result = reverse_pairs(entry.count("first_both"), entry.count("last_both"));
    entry.close("p_exact", result.p);
    entry.close_or_none("index", result.index);
}

fn check_recall(entry: &Entry) {
    let result = recall(&entry.count_rows("accepted_by_predicted_position")).unwrap();
    let expected = entry.expected("recalls").as_array().unwrap();
    assert_eq!(result.recalls.len(), expected.len());
    for (got, expected) in result.recalls.iter().zip(expected) {
        match got {
            Some(got) => near(entry.id, *got, expected, crate::golden::PRINTED),
            None => assert!(expected.is_null()),
        }
    }
    entry.close_or_none("rstd", result.rstd);
    if entry.expects("positions_used") {
        entry.same("positions_used", result.positions_used);
        return;
    }
    entry.close_or_none("rstd_percent", result.rstd.map(|rstd| rstd * 100.0));
    entry.close_or_none("noise_variance", result.noise_variance);
    entry.close_or_none("rstd_debiased", result.rstd_debiased);
    entry.close_or_none("chi2_homogeneity", result.chi_square);
    entry.same("df", result.df);
    entry.close_or_none("p", result.p);
    entry.close("accuracy", result.accuracy);
    entry.close_list("pred_share", &result.answer_share);
    entry.close_list("gold_share", &result.accepted_share);
    entry.close_or_none("ckld", result.divergence);
}

fn check_drift(entry: &Entry) {
    if entry.has("logits_a") {
        let result = logit_drift(&entry.reals("logits_a"), &entry.reals("logits_b")).unwrap();
        entry.close("max_abs_centered", result.centred);
        entry.close("max_abs_log_odds", result.log_odds);
        return;
    }
    let result = drift(&entry.reals("p"), &entry.reals("q")).unwrap();
    entry.close("tv", result.total_variation);
    entry.close("max_abs_dp", result.largest_change);
    entry.close("js_bits", result.jensen_shannon_bits);
    entry.close("js_distance", result.jensen_shannon_distance);
    entry.close_or_none("max_abs_clr", result.centred);
    entry.close_or_none("max_abs_log_odds", result.log_odds);
    match entry.id {
        "disjoint" => {
            assert_eq!(result.zeros, 2);
            assert_eq!(result.headroom, Headroom::Undefined);
        }
        "identical" => assert_eq!(result.headroom, Headroom::Ratio(0.0)),
        _ => {
            entry.close(
                "js_nats",
                result.jensen_shannon_bits * std::f64::consts::LN_2,
            );
            entry.close_or_none("kl_pq_nats", result.kl_nats);
            entry.close("margin_p", result.margin);
            entry.close_or_none("logit_margin_p", result.log_margin);
            let Headroom::Ratio(headroom) = result.headroom else {
                panic!("{result:?}")
            };
            entry.close("headroom", headroom);
        }
    }
}

fn by_name(value: &Value) -> (Vec<&str>, Vec<f64>) {
    let object = value.as_object().unwrap();
    let mut pairs: Vec<(&str, f64)> = object
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_f64().unwrap()))
        .collect();
    pairs.sort_by_key(|(name, _)| *name);
    pairs.into_iter().unzip()
}

fn check_luce(entry: &Entry) {
    let (names, full) = by_name(&entry.inputs["full"]);
    if entry.has("without_a") {
        let (left, reply) = by_name(&entry.inputs["without_a"]);
        let predicted = names[runner_up(&full).unwrap().unwrap()];
        let observed = left[usize::from(reply[1] > reply[0])];
        entry.same("predicted_runner_up", predicted);
        entry.same("observed", observed);
        entry.same("runner_up_kept", predicted == observed);
        entry.leave("counts_as", "core's drop axis");
        return;
    }
    let (_, reply) = by_name(&entry.inputs["without_c"]);
    let result = drop_drift(&full, 2, &reply).unwrap();
    let (_, expected) = by_name(entry.expected("expected_under_iia"));
    for (got, expected) in result.expected.iter().zip(expected) {
        assert!((got - expected).abs() < 1e-15);
    }
    entry.close("log_odds_full", (full[0] / full[1]).ln());
    entry.close("log_odds_without", (reply[0] / reply[1]).ln());
    entry.close_or_none("abs_d_log_odds", result.log_odds);
    entry.close("tv_to_iia", result.total_variation);
    entry.same("choice_kept", reply[0] > reply[1]);
}

fn check_score(entry: &Entry) {
    if entry.has("matrix") {
        let table = entry.count_rows("matrix");
        entry.close_or_none("kappa", weighted_kappa(&table, Weights::Quadratic).unwrap());
        entry.close_or_none(
            "kappa_linear",
            weighted_kappa(&table, Weights::Linear).unwrap(),
        );
        return;
    }
    let level = |key: &str| {
        entry.inputs["legend"][entry.inputs[key].as_str().unwrap()]
            .as_i64()
            .unwrap()
    };
    let change = level_change(level("base"), level("perturbed"));
    entry.same("level_change", change);
    entry.same("flip", change > 0);
    entry.same("severe", change >= SEVERE);
}

fn check_spread(entry: &Entry) {
    let right: Vec<Vec<bool>> = entry.inputs["correct"]
        .as_object()
        .unwrap()
        .values()
        .map(|row| reals(row).iter().map(|value| *value > 0.5).collect())
        .collect();
    let result = order_spread(&right).unwrap();
    entry.close_list("accuracy_by_order", &result.accuracy);
    entry.close("format_spread", result.format_spread);
    entry.close("best_case_accuracy", result.any_right);
    entry.close("worst_case_accuracy", result.every_right);
    entry.close("sensitivity_gap", result.sensitivity_gap);
    entry.close("circular_accuracy", result.every_right);
    entry.close("mean_accuracy", result.mean_accuracy);
    for (least, expected) in entry
        .expected("min_consistency_accuracy")
        .as_object()
        .unwrap()
    {
        let got = min_consistency_accuracy(&right, least.parse().unwrap()).unwrap();
        near(least, got, expected, crate::golden::PRINTED);
    }
}

fn check_calibration(entry: &Entry) {
    match entry.id {
        "ece10" => {
            let right: Vec<bool> = entry
                .counts("correct")
                .iter()
                .map(|right| *right == 1)
                .collect();
            let result =
                calibration(&entry.reals("confidence"), &right, entry.count("bins")).unwrap();
            entry.close("ece", result.ece);
            entry.close("brier_top_label", result.brier_top);
            entry.close("mean_confidence", result.mean_confidence);
            entry.close("accuracy", result.accuracy);
        }
        "brier_multiclass" => {
            let accepted: Vec<usize> = entry.counts("gold").into_iter().map(size).collect();
            let result = probability_score(&entry.rows("probabilities"), &accepted).unwrap();
            entry.close("brier", result.brier);
            entry.close_or_none("log_loss", result.log_loss);
        }
        "label_free_bound" => {
            let result =
                label_free(&entry.reals("modal_share"), &entry.reals("mean_confidence")).unwrap();
            entry.close("accuracy_ceiling", result.accuracy_ceiling);
            entry.close("overconfidence_lower_bound", result.overconfidence_at_least);
        }
        _ => entry.close(
            "mean_accuracy_ceiling_two_orders",
            two_order_ceiling(entry.real("flip_rate")).unwrap(),
        ),
    }
}

fn check_fleiss(entry: &Entry) {
    let result = fleiss(&entry.count_rows("counts")).unwrap();
    entry.close_or_none("kappa", result.value);
    for (key, got) in [("p_bar", result.observed), ("p_e", result.chance)] {
        if entry.expects(key) {
            entry.close(key, got);
        }
    }
}

fn check_brennan_prediger(entry: &Entry) {
    let result =
        brennan_prediger(&entry.reals("pairwise_disagreement"), &entry.counts("K")).unwrap();
    entry.close("p_bar", result.observed);
    entry.close("p_e", result.chance);
    entry.close_or_none("kappa", result.value);
}

fn check_icc(entry: &Entry) {
    let result = icc(&entry.rows("rows_cases_cols_orders"), 0.95)
        .unwrap()
        .unwrap();
    entry.close("icc1", result.one.value);
    entry.close_list("icc1_ci95", &[result.one.lower, result.one.upper]);
    entry.close("icc_a1", result.agreement.value);
    entry.close("icc_c1", result.consistency.value);
    entry.close("msr", result.cases);
    entry.close("msw", result.within);
    entry.close("msc", result.orders);
    entry.close("mse", result.residual);
    // Intervals as R's psych prints them for these data: ICC(A,1) and ICC(C,1).
    assert!(
        (result.agreement.lower - 0.019).abs() < 6e-4,
        "{:?}",
        result.agreement
    );
    assert!(
        (result.agreement.upper - 0.761).abs() < 6e-4,
        "{:?}",
        result.agreement
    );
    assert!(
        (result.consistency.lower - 0.342).abs() < 6e-4,
        "{:?}",
        result.consistency
    );
    assert!(
        (result.consistency.upper - 0.946).abs() < 6e-4,
        "{:?}",
        result.consistency
    );
}

fn check_variance(entry: &Entry) {
    if entry.has("icc") {
        let best: Vec<f64> = entry
            .reals("icc")
            .iter()
            .map(|rho| best_orders(*rho).unwrap())
            .collect();
        entry.close_list("m_star", &best);
        return;
    }
    let result = components(&entry.rows("flips_case_by_order")).unwrap();
    entry.close("mean", result.mean);
    entry.close("msb", result.mean_square_between);
    entry.close("msw", result.mean_square_within);
    entry.close("var_between", result.between);
    entry.close("var_within", result.within);
    entry.close_or_none("icc", result.rho);
    entry.close("se_mean", result.standard_error);
    entry.close_or_none("m_star", result.best_orders);
}
