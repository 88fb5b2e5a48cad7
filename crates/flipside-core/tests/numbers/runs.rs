//! Goldens of repairs and of adaptive asking.

use flipside_core::stats::prior::{
    arithmetic_mean, batch_calibration, debias, geometric_mean, position_prior, pride_cost,
};
use flipside_core::stats::sequential::{
    Boundaries, OpenRun, Planned, Sprt, confidence_sequence, first_clean_stop, first_flip_stop,
    open_boundaries,
};
use flipside_core::stats::vote::{DecidedBy, asks_used, expected_asks, residual_flip, vote};
use serde_json::{Value, json};

use crate::golden::{Checked, Entry, PRINTED, near, near_list, run};

pub(crate) const CHECKS: &[Checked] = &[
    ("axis_blindness", check_axis_blindness),
    ("pride", check_pride),
    ("batch_calibration", check_batch),
    ("vote", check_vote),
    ("early_exit", check_early_exit),
    ("sprt", check_sprt),
    ("planned_sequential", check_planned),
    ("open_sequential", check_open),
    ("e_process", check_e_process),
    ("confidence_sequence", check_confidence_sequence),
];

#[test]
fn repairs_and_adaptive_asking_agree_with_the_goldens() {
    run(CHECKS);
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

fn orders(value: &Value) -> Vec<usize> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|o| usize::try_from(o.as_u64().unwrap()).unwrap())
        .collect()
}

/// What a model with a content and a position factor shows: by position, and by option.
fn shown(content: &[f64], prior: &[f64], order: &[usize]) -> (Vec<f64>, Vec<f64>) {
    let raw: Vec<f64> = order
        .iter()
        .zip(prior)
        .map(|(&option, prior)| content[option] * prior)
        .collect();
    let sum: f64 = raw.iter().sum();
    let by_position: Vec<f64> = raw.iter().map(|value| value / sum).collect();
    let mut by_option = vec![0.0; order.len()];
    for (&option, &value) in order.iter().zip(&by_position) {
        by_option[option] = value;
    }
    (by_position, by_option)
}

/// Checks the example itself, which the page's argument rests on; the repair that sees through it is in `pride`.
fn check_axis_blindness(entry: &Entry) {
    let (content, prior) = (entry.reals("content"), entry.reals("position_prior"));
    let probabilities = entry.expected("probabilities_by_identity");
    let choices = entry.expected("choice");
    for (name, order) in entry.inputs["orders"].as_object().unwrap() {
        let (_, by_option) = shown(&content, &prior, &orders(order));
        near_list(name, &by_option, &probabilities[name], PRINTED);
        assert_eq!(json!(largest(&by_option)), choices[name]);
    }
}

fn check_pride(entry: &Entry) {
    if entry.has("estimation_share") {
        let share = entry.real("estimation_share");
        match &entry.inputs["K"] {
            Value::Array(_) => {
                let costs: Vec<f64> = entry
                    .counts("K")
                    .iter()
                    .map(|&options| pride_cost(options, share).unwrap())
                    .collect();
                entry.close_list("asks_per_case", &costs);
            }
            _ => entry.close(
                "asks_per_case",
                pride_cost(entry.count("K"), share).unwrap(),
            ),
        }
        return;
    }
    let (content, given) = (entry.reals("content"), entry.reals("position_prior"));
    let (mut by_position, mut by_option) = (Vec::new(), Vec::new());
    for order in entry.inputs["orders"].as_array().unwrap() {
        let (position, option) = shown(&content, &given, &orders(order));
        by_position.push(position);
        by_option.push(option);
    }
    let expected = entry.expected("observed_by_position").as_array().unwrap();
    for (row, expected) in by_position.iter().zip(expected) {
        near_list(entry.id, row, expected, PRINTED);
    }
    let prior = position_prior(&by_position).unwrap().unwrap();
    entry.close_list("prior", &prior);
    // The first order is the case's own, so positions are options there.
    let repaired = debias(&by_position[0], &prior).unwrap();
    entry.close_list("debiased_file_order", &repaired);
    entry.same("choice_file_order", largest(&by_position[0]));
    entry.same("choice_debiased", largest(&repaired));
    let arithmetic = arithmetic_mean(&by_option).unwrap();
    entry.close_list("arith_mean", &arithmetic);
    entry.same("choice_arith", largest(&arithmetic));
    let geometric = geometric_mean(&by_option).unwrap().unwrap();
    entry.close_list("geo_mean", &geometric);
    entry.same("choice_geo", largest(&geometric));
    let votes: Vec<usize> = by_option.iter().map(|row| largest(row)).collect();
    let expected = entry.expected("votes");
    let tallied: Vec<usize> = (0..3)
        .map(|option| votes.iter().filter(|vote| **vote == option).count())
        .collect();
    assert!(
        json!(votes) == *expected || json!(tallied) == *expected,
        "{votes:?} {expected}"
    );
}

fn check_batch(entry: &Entry) {
    let rows = entry.rows("rows_by_position");
    entry.close_list("mean", &arithmetic_mean(&rows).unwrap());
    let adjusted = batch_calibration(&rows).unwrap();
    for (row, expected) in adjusted
        .iter()
        .zip(entry.expected("adjusted").as_array().unwrap())
    {
        near_list(entry.id, row, expected, PRINTED);
    }
    let choices =
        |rows: &[Vec<f64>]| json!(rows.iter().map(|row| largest(row)).collect::<Vec<_>>());
    entry.same("choices_before", choices(&rows));
    entry.same("choices_after", choices(&adjusted));
}

fn check_vote(entry: &Entry) {
    let answers = &entry.labels(&["answers"])[0];
    let name = |option: usize| ["a", "b", "c"][option];
    if entry.has("k") {
        let used = asks_used(answers);
        entry.same("asks_used", used);
        entry.same("winner", name(vote(&answers[..used], None).unwrap().winner));
        assert_eq!(
            vote(answers, None).unwrap().winner,
            vote(&answers[..used], None).unwrap().winner
        );
        return;
    }
    let rows: Option<Vec<Vec<f64>>> = entry.inputs["probabilities"].as_array().map(|rows| {
        rows.iter()
            .map(|row| vec![row["a"].as_f64().unwrap(), row["b"].as_f64().unwrap()])
            .collect()
    });
    let result = vote(answers, rows.as_deref()).unwrap();
    let leaders: Vec<&str> = result.leaders.iter().map(|option| name(*option)).collect();
    entry.same("tied", leaders);
    entry.same("winner", name(result.winner));
    entry.same(
        "decided_by",
        match result.decided_by {
            DecidedBy::Votes => "votes",
            DecidedBy::MeanProbability => "mean_probability",
            DecidedBy::IdentityOrder => "identity_order",
        },
    );
    if let Some(rows) = rows {
        let mean = arithmetic_mean(&rows).unwrap();
        let expected = entry.expected("mean_probability");
        near("a", mean[0], &expected["a"], PRINTED);
        near("b", mean[1], &expected["b"], PRINTED);
    }
}

fn check_early_exit(entry: &Entry) {
    if entry.has("probabilities") {
        let probabilities = entry.reals("probabilities");
        entry.close("k3", expected_asks(3, &probabilities).unwrap());
        entry.close("k5", expected_asks(5, &probabilities).unwrap());
        return;
    }
    let k = entry.count("k");
    let modal = entry.reals("modal_probability");
    let asks: Vec<f64> = modal
        .iter()
        .map(|q| expected_asks(k, &[*q, 1.0 - q]).unwrap())
        .collect();
    entry.close_list("expected_asks", &asks);
    let residual: Vec<f64> = modal
        .iter()
        .map(|q| residual_flip(k, *q).unwrap())
        .collect();
    entry.close_list("residual_flip", &residual);
}

/// What the entry itself allows.
const PRUNED: f64 = 1e-6;

fn check_sprt(entry: &Entry) {
    let test = Sprt::new(
        entry.real("p0"),
        entry.real("p1"),
        entry.real("alpha"),
        entry.real("beta"),
    )
    .unwrap();
    if entry.has("true_rate") {
        let boundaries = test.boundaries(entry.count("max_cases")).unwrap();
        let result = boundaries.operating(entry.real("true_rate")).unwrap();
        // The generator pruned its recursion: its two chances sum to 1 - 1.4e-7. A recursion over a plain dictionary in
        // Python, with nothing dropped, gives the literals.
        entry.within("stable", result.stable, PRUNED);
        entry.within("sensitive", result.sensitive, PRUNED);
        entry.within("mean_cases", result.mean_cases, PRUNED);
        near(
            "stable",
            result.stable,
            &json!(0.375_572_651_573_111_1),
            PRINTED,
        );
        near(
            "sensitive",
            result.sensitive,
            &json!(0.624_427_348_239_821_2),
            PRINTED,
        );
        near(
            "mean_cases",
            result.mean_cases,
            &json!(109.652_076_549_403_3),
            PRINTED,
        );
        return;
    }
    entry.close("A", test.upper);
    entry.close("B", test.lower);
    entry.close("lnA", test.ln_upper);
    entry.close("lnB", test.ln_lower);
    entry.close("step_flip", test.step_flip);
    entry.close("step_noflip", test.step_no_flip);
    entry.close("asn_p0", test.expected_at_low);
    entry.close("asn_p1", test.expected_at_high);
    entry.same("zero_flip_accept_n", test.clean_stop);
}

fn check_steps(entry: &Entry, boundaries: &Boundaries) {
    let (stable, sensitive) = boundaries.steps();
    entry.same("stable_steps", json!(stable));
    entry.same("sensitive_steps", json!(sensitive));
}

fn check_operating(entry: &Entry, boundaries: &Boundaries) {
    for rate in entry.inputs["true_rates"].as_array().unwrap() {
        let key = rate.to_string();
        let expected = entry.expected(&key);
        let result = boundaries.operating(rate.as_f64().unwrap()).unwrap();
        near(&key, result.stable, &expected["stable"], PRINTED);
        near(&key, result.sensitive, &expected["sensitive"], PRINTED);
        near(
            &key,
            result.inconclusive,
            &expected["inconclusive"],
            PRINTED,
        );
        near(&key, result.mean_cases, &expected["mean_cases"], PRINTED);
        near(&key, result.mean_flips, &expected["mean_flips"], PRINTED);
    }
}

fn check_planned(entry: &Entry) {
    let plan = Planned::new(
        entry.count("max_cases"),
        entry.real("theta0"),
        entry.real("alpha"),
    )
    .unwrap();
    if entry.has("true_rates") {
        check_operating(entry, &plan.boundaries);
    } else {
        check_steps(entry, &plan.boundaries);
        entry.close("spent_stable", plan.spent_stable);
        entry.close("spent_sensitive", plan.spent_sensitive);
    }
}

fn check_open(entry: &Entry) {
    let boundaries = open_boundaries(
        entry.count("max_cases"),
        entry.real("theta0"),
        entry.real("alpha"),
    )
    .unwrap();
    if entry.has("true_rates") {
        check_operating(entry, &boundaries);
    } else {
        check_steps(entry, &boundaries);
    }
}

fn check_e_process(entry: &Entry) {
    let limit = entry.real("theta0");
    if entry.has("alpha") {
        let alpha = entry.real("alpha");
        entry.same(
            "zero_flip_stable_n",
            first_clean_stop(limit, alpha).unwrap(),
        );
        entry.same(
            "all_flip_sensitive_n",
            first_flip_stop(limit, alpha).unwrap(),
        );
        return;
    }
    let mut run = OpenRun::new(limit).unwrap();
    if entry.has("x") {
        for flip in entry.reals("x") {
            run.observe(flip).unwrap();
        }
    } else {
        let (n, flips) = (entry.count("n"), entry.count("flips"));
        run = OpenRun::from_counts(limit, flips, n).unwrap();
        let mut one_by_one = OpenRun::new(limit).unwrap();
        for case in 0..n {
            one_by_one
                .observe(if case < flips { 1.0 } else { 0.0 })
                .unwrap();
        }
        let error = (one_by_one.e_stable() / run.e_stable() - 1.0).abs();
        assert!(error < 1e-12, "{error:e}");
    }
    entry.close("e_stable", run.e_stable());
    entry.close("e_sensitive", run.e_sensitive());
}

fn check_confidence_sequence(entry: &Entry) {
    let estimate =
        confidence_sequence(entry.count("flips"), entry.count("n"), entry.real("alpha")).unwrap();
    entry.close("lower", estimate.lower);
    entry.close("upper", estimate.upper);
    entry.close("width", estimate.width());
}
