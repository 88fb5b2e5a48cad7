//! Clusters as the unit of every interval and test of a summary.

use flipside_core::stats::cluster::{Cluster, korn_graubard};
use flipside_core::summary::{ClusterSigns, IndependentUnit, Summary, Verdict};
use proptest::prelude::*;
use serde_json::Value;

use super::{Told, groups, near, reverse, summary, summary_of};

const ORDERS: &str = "rotate,reverse,same:1";

fn over(told: &[Told], cluster: Option<&str>) -> Summary {
    let gates = "order<=5%,fit>=10%";
    summary_of(told, &groups(cluster, &[]), true, gates, ORDERS)
}

/// All of a summary but what names its cases and its clusters.
fn figures(summary: &Summary) -> Value {
    let mut all = serde_json::to_value(summary).unwrap();
    all["plan"].as_object_mut().unwrap().remove("digest");
    all["judging"].as_object_mut().unwrap().remove("units");
    for name in ["cases", "cluster"] {
        all.as_object_mut().unwrap().remove(name);
    }
    all
}

fn without_clusters(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("clusters");
            members.values_mut().for_each(without_clusters);
        }
        Value::Array(items) => items.iter_mut().for_each(without_clusters),
        _ => {}
    }
}

/// Every number of `value` under its path.
fn numbers(value: &Value, path: &str, found: &mut Vec<(String, f64)>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                numbers(member, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                numbers(item, &format!("{path}/{place}"), found);
            }
        }
        Value::Number(number) => found.push((path.to_owned(), number.as_f64().unwrap())),
        _ => {}
    }
}

/// Cases with drawn answers and probabilities, labelled with option 0 if so drawn.
fn drawn(cases: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Told>> {
    let answer =
        prop_oneof![5 => Just(Some(0)), 2 => Just(Some(1)), 2 => Just(Some(2)), 1 => Just(None)];
    let case = (
        prop::array::uniform10(answer),
        prop::array::uniform10(0.4..1.0_f64),
        any::<bool>(),
    );
    prop::collection::vec(case, cases).prop_map(|cases| {
        let told = cases.into_iter().enumerate();
        told.map(|(id, (said, sure, labelled))| {
            let mut told = Told::new(id, false);
            told.chose = [said[0], said[1], said[2]];
            told.more = said[3..].to_vec();
            told.sure = Some(sure);
            told.accept = labelled.then_some(0);
            told
        })
        .collect()
    })
}

fn in_clusters(told: &[Told], name: impl Fn(usize) -> String) -> Vec<Told> {
    let named = told.iter().enumerate();
    named
        .map(|(place, told)| told.clone().field("base", name(place)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn clusters_of_one_case_give_every_figure_without_clusters(told in drawn(1..40)) {
        let told = in_clusters(&told, |place| format!("b{place}"));
        let (alone, clustered) = (over(&told, None), over(&told, Some("base")));
        prop_assert_eq!(alone.judging.units, IndependentUnit::Cases);
        prop_assert_eq!(clustered.judging.units, IndependentUnit::Clusters);
        let (mut alone, mut clustered) = (figures(&alone), figures(&clustered));
        // `stable`, and how many more would settle it, are about declared clusters whatever their size.
        for summary in [&mut alone, &mut clustered] {
            without_clusters(summary);
            for name in ["gates", "exit"] {
                summary.as_object_mut().unwrap().remove(name);
            }
            for lines in ["axes", "control", "fit"] {
                strip(&mut summary[lines]);
            }
        }
        prop_assert_eq!(alone, clustered);
    }

    #[test]
    fn permuting_cases_and_renaming_clusters_changes_no_figure(told in drawn(2..40), by in 0..40_usize) {
        let one = in_clusters(&told, |place| format!("b{}", place / 3));
        let mut other = in_clusters(&told, |place| format!("x{}", 99 - place / 3));
        other.rotate_left(by % told.len());
        prop_assert_eq!(figures(&over(&one, Some("base"))), figures(&over(&other, Some("base"))));
    }

    #[test]
    fn a_file_written_out_three_times_shows_no_more_than_it_did(told in drawn(12..60)) {
        let one = in_clusters(&told, |place| format!("b{place}"));
        let mut three = Vec::new();
        for copy in 0..3 {
            three.extend(one.iter().cloned().map(|mut told| {
                told.id += 1000 * copy;
                told
            }));
        }
        let (one, three) = (over(&one, None), over(&three, Some("base")));
        let found = [&one, &three].map(|summary| {
            let mut found = Vec::new();
            numbers(&figures(summary), "", &mut found);
            found
        });
        let of = |path: &str| found[1].iter().find(|(known, _)| known == path).map(|(_, value)| *value);
        let mut compared = 0;
        for (path, alone) in &found[0] {
            let Some(tripled) = of(path) else { continue };
            let (name, end) = path.rsplit_once('/').unwrap();
            // A quantile of values that stand three times each lies elsewhere between its neighbours.
            if path.contains("/drift/") && !path.contains("reached") {
                continue;
            }
            // Its statistic is corrected by the number of rows, which is another.
            if path.contains("/rho_interval/") {
                continue;
            }
            if name.ends_with("interval") && end == "0" {
                let width = |found: &Vec<(String, f64)>| {
                    let end = |end: &str| found.iter().find(|(known, _)| *known == format!("{name}/{end}")).unwrap().1;
                    end("1") - end("0")
                };
                let (alone, tripled) = (width(&found[0]), width(&found[1]));
                prop_assert!(tripled >= alone - 1e-9, "{path}: {alone} to {tripled}");
                compared += 1;
            }
            let p = ["p", "p_adjusted", "mcnemar_p", "over_limit_p", "over_limit_holm_p"].contains(&end);
            if p || end == "upper" {
                prop_assert!(tripled >= alone - 1e-9, "{path}: {alone} to {tripled}");
            }
            if end == "lower" {
                prop_assert!(tripled <= alone + 1e-9, "{path}: {alone} to {tripled}");
            }
        }
        prop_assert!(compared > 20);
    }
}

#[test]
fn drift_of_cases_that_stand_three_times_is_as_unsure_as_that_of_the_cases() {
    // 90 cases with one drift each: 270 independent ones would make the interval of a median narrower by the root of 3.
    let told = |copies: usize| -> Vec<Told> {
        (0..90 * copies)
            .map(|id| {
                let mut told = Told::new(id, false).field("base", id % 90);
                let drift = (id % 90 * 53 % 90) as f64 / 200.0;
                told.sure = Some([
                    0.95,
                    0.95 - drift,
                    0.95,
                    0.95,
                    0.95,
                    0.95,
                    0.95,
                    0.95,
                    0.95,
                    0.95,
                ]);
                told
            })
            .collect()
    };
    let width = |told: &[Told], cluster| {
        let found = summary(told, &groups(cluster, &[]), false, "order<=5%");
        let drift = reverse(&found).drift.as_ref().unwrap();
        let [lower, upper] = drift.total_variation.median_interval.unwrap();
        assert_eq!(drift.draws, 2_000);
        upper - lower
    };
    let (once, apart, three) = (
        width(&told(1), None),
        width(&told(3), None),
        width(&told(3), Some("base")),
    );
    assert!(apart < 0.7 * once, "{apart} {once}");
    assert!((three / once - 1.0).abs() < 0.15, "{three} {once}");
}

/// Takes away what judges.
fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for name in ["verdict", "reason", "more_pairs"] {
                members.remove(name);
            }
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// Clusters of `size` cases that flip in the reversal.
fn flipping(clusters: usize, size: usize) -> Vec<Told> {
    (0..clusters * size)
        .map(|id| Told::new(id, true).field("base", id / size))
        .collect()
}

#[test]
fn flips_of_one_cluster_that_come_again_count_once_for_the_cause() {
    // 5 clusters against none: p 0.0625, and 6: 0.03125, however many flips each has. Source: the statistics page, 5.
    for (clusters, p, more, word) in [
        (5, 0.0625, 1, Verdict::CauseOpen),
        (6, 0.03125, 0, Verdict::OrderSensitive),
    ] {
        let told = flipping(clusters, 4);
        let found = summary(&told, &groups(Some("base"), &[]), false, "order<=5%");
        let confirmed = &found.confirmed["order"];
        assert_eq!(
            (confirmed.replicated, confirmed.swapped),
            (4 * clusters as u64, 0)
        );
        let signs = ClusterSigns {
            first: clusters as u64,
            second: 0,
        };
        assert_eq!(confirmed.clusters, Some(signs));
        near(Some(confirmed.p), p);
        assert_eq!(confirmed.replications_needed, Some(more));
        assert_eq!(reverse(&found).figure.verdict, word);
    }
    let found = summary(&flipping(5, 4), &groups(None, &[]), false, "order<=5%");
    assert!(found.confirmed["order"].p < 1e-5);
}

#[test]
fn a_cluster_in_which_as_many_swap_as_come_again_says_nothing() {
    let mut told = flipping(7, 2);
    // In every cluster but the last one flip comes again and one is swapped.
    for case in told.iter_mut().step_by(2).take(6) {
        case.more = vec![Some(1), Some(0), Some(0)];
    }
    let found = summary(&told, &groups(Some("base"), &[]), false, "order<=5%");
    let confirmed = &found.confirmed["order"];
    assert_eq!((confirmed.replicated, confirmed.swapped), (8, 6));
    assert_eq!(
        confirmed.clusters,
        Some(ClusterSigns {
            first: 1,
            second: 0
        })
    );
    near(Some(confirmed.p), 1.0);
    assert_eq!(reverse(&found).figure.verdict, Verdict::CauseOpen);
}

#[test]
fn accuracy_and_the_control_are_contrasted_over_clusters() {
    // The reversal loses every case of five clusters of three and wins one of a sixth: 5 against 1, p 0.21875.
    let mut told = flipping(6, 3);
    for case in &mut told {
        case.accept = Some(0);
    }
    for case in &mut told[15..] {
        case.chose = [Some(0), Some(0), Some(0)];
    }
    told[15].chose = [Some(1), Some(0), Some(1)];
    let found = summary(&told, &groups(Some("base"), &[]), false, "order<=5%");
    let accuracy = reverse(&found).accuracy.as_ref().unwrap();
    let signs = ClusterSigns {
        first: 1,
        second: 5,
    };
    assert_eq!(accuracy.clusters, Some(signs));
    near(Some(accuracy.mcnemar_p), 0.21875);
    // No flip of the control: its upper limit is that of six clusters without one, and nothing correlates with it.
    let anchored = reverse(&found).anchored.as_ref().unwrap();
    let flips = |hits| Cluster { hits, n: 3 };
    let order = [flips(3), flips(3), flips(3), flips(3), flips(3), flips(1)];
    let limits = korn_graubard(&order, 0.025).unwrap();
    let floor = 1.0 - 0.025_f64.powf(1.0 / 6.0);
    let (rate, lower) = (16.0 / 18.0, limits.lower.min(1.0 - floor));
    let away = ((rate - lower).powi(2) + floor.powi(2)).sqrt();
    near(Some(anchored.interval[0]), rate - away);
    near(Some(anchored.mcnemar_p), 0.03125);
    assert_eq!(
        anchored.clusters,
        Some(ClusterSigns {
            first: 6,
            second: 0
        })
    );
}

#[test]
fn accuracy_that_no_order_changes_has_an_interval_over_clusters_too() {
    // Half of the clusters are right in both orders, half in none: nothing tells the orders apart, and 20 clusters say so
    // no more surely than 20 cases do. Newcombe's method 10 for (10, 0, 0, 10): phi (100 - 10)/100 = 0.9.
    let mut told: Vec<Told> = (0..60)
        .map(|id| Told::new(id, false).field("base", id / 3))
        .collect();
    for case in &mut told {
        case.accept = Some(u16::from(case.id >= 30));
    }
    let found = summary(&told, &groups(Some("base"), &[]), false, "order<=5%");
    let accuracy = reverse(&found).accuracy.as_ref().unwrap();
    let alone = flipside_core::stats::paired::newcombe_paired(10, 0, 0, 10, 0.95).unwrap();
    let [lower, upper] = accuracy.difference_interval;
    near(Some(lower), -upper);
    assert!(
        upper >= alone.upper && upper < 1.3 * alone.upper,
        "{upper} {alone:?}"
    );
    near(Some(accuracy.mcnemar_p), 1.0);
}

#[test]
fn what_takes_cases_as_independent_is_null_over_clusters() {
    let mut told = flipping(12, 2);
    for case in &mut told {
        case.accept = Some(0);
    }
    let groups = groups(Some("base"), &["kind"]);
    for (place, case) in told.iter_mut().enumerate() {
        case.fields.push(("kind", format!("k{}", place % 2)));
    }
    let found = summary(&told, &groups, false, "order<=5%");
    let accepted = &found.fit.accepted_positions[0];
    assert_eq!(accepted.p, None);
    assert!(
        accepted
            .reason
            .as_ref()
            .unwrap()
            .contains("not independent")
    );
    let field = found.splits.by.iter().find(|split| split.name == "kind");
    let field = field.unwrap();
    assert!(field.reason.as_ref().unwrap().contains("not independent"));
    let orders = found.orders.as_ref().unwrap();
    assert!(orders.variance.choices.is_empty());
    let recall = &found.position.as_ref().unwrap().by_options[0].recall;
    assert_eq!(recall.p, None);
}
