//! Figures across all orders, recomputed from the asks that the program wrote.

use serde_json::Value;

use crate::support::{count, folder, lines, probe_line};

/// `cases` three-option cases whose content prefers an option by two words, by one, or not at all.
fn graded(cases: usize) -> String {
    let line = |case: usize| {
        let words = ["red", "green", "blue", "white"];
        let state = match case % 4 {
            0 => "red sky".to_owned(),
            1 => "green and blue".to_owned(),
            2 => "white".to_owned(),
            _ => "blue red blue".to_owned(),
        };
        let option = |place: usize| format!("\"{}\":\"{}\"", words[place], words[place]);
        format!(
            "{{\"id\":\"g{case}\",\"state\":{{\"m\":\"{state} {case}\"}},\"options\":{{{},{},{}}},\"rules\":\"Pick.\",\"accept\":[\"{}\"]}}",
            option(case % 3),
            option((case + 1) % 3),
            option((case + 2) % 3),
            words[case % 3]
        )
    };
    lines(&(0..cases).map(line).collect::<Vec<_>>())
}

/// By case: the choice of each of its orders, the own one first, straight from the asks.
fn answers(summary: &Value) -> Vec<Vec<u64>> {
    let of_case = |case: &Value| {
        let asks = case["asks"].as_array().unwrap();
        asks.iter()
            .filter(|ask| ask["axis"] != "same")
            .map(|ask| ask["choice"].as_u64().unwrap())
            .collect()
    };
    let cases = summary["cases"].as_array().unwrap();
    cases.iter().map(of_case).collect()
}

fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

/// The names that a report prints in its second column, with the line.
fn told<'a>(text: &'a str, name: &str) -> &'a str {
    text.lines()
        .find(|line| {
            line.strip_prefix("orders")
                .is_some_and(|rest| rest.trim_start().starts_with(&format!("{name} ")))
        })
        .unwrap_or_else(|| panic!("no line `{name}` in\n{text}"))
}

#[test]
fn forty_cases_in_all_six_orders_have_fifteen_pair_rates_that_can_be_checked_by_hand() {
    let (_guard, path) = folder(&graded(40));
    for model in ["noisy:0.15", "prior:.5,.3,.2"] {
        let words = format!(
            "cases.jsonl --model {model} --order all --verbose --gate none:fit --gate none:order"
        );
        let (ran, summary) = probe_line(&path, &words);
        let answers = answers(&summary);
        assert_eq!(answers.len(), 40);
        assert!(answers.iter().all(|case| case.len() == 6));
        let names = ["own", "all:1", "all:2", "all:3", "all:4", "all:5"];
        let floor = &summary["orders"]["noise_floor"][0];
        let (mut rates, mut place) = (Vec::new(), 0);
        for first in 0..6 {
            for second in first + 1..6 {
                let flips = answers.iter().filter(|case| case[first] != case[second]);
                let flips = flips.count() as u64;
                let pair = &floor["pairs"][place];
                assert_eq!(pair["first"], names[first]);
                assert_eq!(pair["second"], names[second]);
                assert_eq!(
                    (pair["flips"].as_u64(), pair["pairs"].as_u64()),
                    (Some(flips), Some(40))
                );
                let rate = flips as f64 / 40.0;
                near(&pair["rate"], rate);
                let line = told(
                    &ran.out,
                    &format!("flip rate {} / {}", names[first], names[second]),
                );
                assert!(line.contains(&format!(" {flips}/40 ")), "{line}");
                rates.push(rate);
                place += 1;
            }
        }
        assert_eq!(place, 15);
        assert_eq!(floor["pairs"].as_array().unwrap().len(), 15);
        let mean = rates.iter().sum::<f64>() / 15.0;
        let sd = (rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / 15.0).sqrt();
        near(&floor["mean"], mean);
        near(&floor["sd"], sd);
        let (low, high) = rates.iter().fold((1.0_f64, 0.0_f64), |(low, high), rate| {
            (low.min(*rate), high.max(*rate))
        });
        near(&floor["range"][0], low);
        near(&floor["range"][1], high);
        let below = rates
            .iter()
            .filter(|rate| **rate < rates[0] - 1e-12)
            .count() as u64;
        assert_eq!(floor["published"]["pairs_below"].as_u64(), Some(below));
        let flipped = answers
            .iter()
            .filter(|case| case.iter().any(|id| *id != case[0]));
        let flipped = flipped.count() as u64;
        assert!(
            flipped > 0 && low < high,
            "the model is worth the test: {flipped} {rates:?}"
        );
        assert_eq!(
            count(&summary, "/orders/agreement/any_flip/count"),
            Some(flipped)
        );
        assert_eq!(count(&summary, "/orders/agreement/any_flip/of"), Some(40));
        assert_eq!(count(&summary, "/orders/agreement/orders/most"), Some(6));
        // The definition of D over counts, which over complete cases is the mean of the 15 rates.
        let disagreement = answers
            .iter()
            .map(|case| {
                let of = |id: u64| case.iter().filter(|chosen| **chosen == id).count();
                let same: usize = (0..3).map(of).map(|n| n * n.saturating_sub(1)).sum();
                1.0 - same as f64 / 30.0
            })
            .sum::<f64>()
            / 40.0;
        assert!((disagreement - mean).abs() < 1e-9);
        near(
            &summary["orders"]["agreement"]["pairwise_disagreement"]["value"],
            disagreement,
        );
        // Each figure under its own name, a line each.
        let percent = format!("{:.1}%", mean * 100.0);
        assert!(told(&ran.out, "pairwise disagreement D").contains(&percent));
        assert!(told(&ran.out, "noise floor").contains(&percent));
        assert!(told(&ran.out, "any-flip U").contains(&format!(" {flipped}/40 ")));
        told(&ran.out, "modal share");
    }
}

#[test]
fn two_lines_by_default_tell_the_pairs_from_the_cases() {
    let (_guard, path) = folder(&graded(40));
    let all = "cases.jsonl --model noisy:0.15 --order all --gate none:fit --gate none:order";
    let (ran, summary) = probe_line(&path, all);
    let beside = |text: &str| -> Vec<String> {
        let lines = text.lines();
        lines
            .filter(|line| {
                line.starts_with("order  all pairs") || line.starts_with("order  any flip")
            })
            .map(str::to_owned)
            .collect()
    };
    let found = beside(&ran.out);
    assert_eq!(found.len(), 2, "{}", ran.out);
    assert!(
        found[0].contains("differ") && found[0].contains("15 order pairs"),
        "{}",
        found[0]
    );
    let flipped = count(&summary, "/orders/agreement/any_flip/count").unwrap();
    assert!(
        found[1].contains(&format!("{flipped}/40 flipped")),
        "{}",
        found[1]
    );
    assert!(found[1].contains("over 6 orders"), "{}", found[1]);
    assert!(!ran.out.contains("\norders "), "{}", ran.out);
    // One other order has one pair, whose line is there already.
    let (ran, summary) = probe_line(&path, "cases.jsonl --model first --order reverse");
    assert_eq!(beside(&ran.out), Vec::<String>::new());
    assert!(summary["orders"].is_object());
    let (_, summary) = probe_line(&path, "cases.jsonl --model first");
    assert!(summary["orders"].is_null());
}
