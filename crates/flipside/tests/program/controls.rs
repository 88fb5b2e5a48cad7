//! Models with a known answer, in process and over HTTP.

use flipside_standin::{Policy, Standin};

use crate::support::{count, folder, model, probe, probe_line, unlabelled};

/// The known truth of the statistics page, 18: flips of 30 cases under reverse, rotate:1 and the control.
const KNOWN: &[(&str, u64, u64, u64)] = &[
    ("first", 30, 30, 0),
    ("last", 30, 30, 0),
    ("slot:2", 0, 30, 0),
    ("slot:1", 30, 30, 0),
    ("next-to:b", 30, 0, 0),
];

#[test]
fn every_control_has_its_known_value_in_process_and_over_http() {
    let (_guard, path) = folder(&unlabelled(30));
    let orders = ["--order", "reverse,rotate:1,same:1", "--gate", "none:fit"];
    for (name, reverse, rotate, same) in KNOWN {
        let server = Standin::builder()
            .policy(name.parse().unwrap())
            .start()
            .unwrap();
        for spec in [(*name).to_owned(), model(&server)] {
            let mut words = vec!["cases.jsonl", "--model", &spec];
            words.extend(orders);
            let (_, summary) = probe(&path, &words);
            assert_eq!(
                count(&summary, "/axes/order/reverse/flips"),
                Some(*reverse),
                "{spec}"
            );
            assert_eq!(
                count(&summary, "/axes/order/rotate:1/flips"),
                Some(*rotate),
                "{spec}"
            );
            assert_eq!(count(&summary, "/control/flips"), Some(*same), "{spec}");
        }
    }
    let content = Standin::builder().policy(Policy::Content).start().unwrap();
    for spec in ["overlap".to_owned(), model(&content)] {
        let mut words = vec!["cases.jsonl", "--model", &spec];
        words.extend(orders);
        let (ran, summary) = probe(&path, &words);
        assert_eq!(ran.code, 0, "{spec}");
        for line in ["/axes/order/reverse", "/axes/order/rotate:1", "/control"] {
            assert_eq!(
                count(&summary, &format!("{line}/flips")),
                Some(0),
                "{spec} {line}"
            );
        }
    }
}

#[test]
fn a_prior_for_both_ends_hides_from_reverse_and_shows_under_rotation() {
    let cases: String = unlabelled(40).replace("\"c\":\"three\"", "\"c\":\"three\",\"d\":\"four\"");
    let (_guard, path) = folder(&cases);
    let prior = "prior:.35,.15,.15,.35";
    let server = Standin::builder()
        .policy(prior.parse().unwrap())
        .start()
        .unwrap();
    for spec in [prior.to_owned(), model(&server)] {
        let words =
            format!("cases.jsonl --model {spec} --order reverse,rotate:1,same:1 --gate none:fit");
        let (ran, summary) = probe_line(&path, &words);
        assert_eq!(
            count(&summary, "/axes/order/reverse/flips"),
            Some(0),
            "{spec}"
        );
        assert!(
            count(&summary, "/axes/order/rotate:1/flips") > Some(0),
            "{spec}"
        );
        assert_eq!(count(&summary, "/control/flips"), Some(0), "{spec}");
        assert_eq!(ran.code, 1);
    }
}

#[test]
fn chance_and_noise_flip_the_control_as_often_as_the_order_and_order_is_not_blamed() {
    let (_guard, path) = folder(&unlabelled(300));
    let random = Standin::builder()
        .policy(Policy::Random { seed: 3 })
        .record(false)
        .start()
        .unwrap();
    let noisy = Standin::builder()
        .policy(Policy::Noisy { p: 0.2, seed: 3 })
        .record(false)
        .start()
        .unwrap();
    for (spec, expected) in [
        ("random".to_owned(), 2.0 / 3.0),
        (model(&random), 2.0 / 3.0),
        ("noisy:0.2".to_owned(), 0.2),
        (model(&noisy), 0.2),
    ] {
        // The server's coin falls by the order in which asks arrive: one after the other, every run is the same.
        let words = format!(
            "cases.jsonl --model {spec} --order reverse,rotate:1,same:1 --gate none:fit --concurrency 1"
        );
        let (ran, summary) = probe_line(&path, &words);
        for line in ["/axes/order/reverse", "/axes/order/rotate:1", "/control"] {
            let rate = summary.pointer(line).unwrap()["rate"].as_f64().unwrap();
            // Five standard errors of a share of 300.
            let within = 5.0 * (expected * (1.0 - expected) / 300.0_f64).sqrt();
            assert!((rate - expected).abs() < within, "{spec} {line} {rate}");
        }
        let word = summary["axes"]["order"]["reverse"]["verdict"].as_str();
        assert!(
            matches!(word, Some("noisy" | "cause open")),
            "{spec}: {word:?}"
        );
        assert_eq!(ran.code, 1);
    }
}
