//! Flips asked once more: what the round asks, keeps and says.

use std::time::Duration;

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::Value;

use crate::support::{
    faulty, flat, flipside, folder, journal, json, model, probe_line, read, run_line, unlabelled,
};

/// The choice of every ask and its repetition, by case: own, own again, reversed, reversed again.
fn answers(summary: &Value) -> Vec<[Option<u64>; 4]> {
    let cases = summary["cases"].as_array().unwrap();
    let of_case = |case: &Value| {
        let ask = |axis: &str| {
            let asks = case["asks"].as_array().unwrap();
            asks.iter().find(|ask| ask["axis"] == axis).unwrap().clone()
        };
        let (own, other) = (ask("baseline"), ask("order"));
        [&own, &own["again"], &other, &other["again"]].map(|ask| ask["choice"].as_u64())
    };
    cases.iter().map(of_case).collect()
}

#[test]
fn both_orders_of_each_flip_are_asked_once_more_and_flips_that_come_again_are_the_orders() {
    let (_guard, path) = folder(&unlabelled(12));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --out run",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    assert_eq!(server.count(), 24 + 24);
    let found = &summary["confirmed"]["order"];
    assert_eq!(
        (&found["flips"], &found["replicated"], &found["swapped"]),
        (&12.into(), &12.into(), &0.into())
    );
    // Two-sided, twelve of twelve: 2 / 2^12.
    let p = found["p"].as_f64().unwrap();
    assert!((p - 2.0 / 4096.0).abs() < 1e-12, "{p}");
    assert_eq!(found["effect"], 1.0);
    assert_eq!(
        summary["axes"]["order"]["reverse"]["verdict"],
        "order-sensitive"
    );
    assert!(
        flat(&ran.out).contains("12/12 came again, 0 swapped, exact test p 0.000488"),
        "{}",
        ran.out
    );
    assert_eq!(summary["counts"]["confirming"], 24);
    let lines = journal(&path, "run");
    let confirming: Vec<&Value> = lines
        .iter()
        .filter(|line| !line["confirms"].is_null())
        .collect();
    assert_eq!((lines.len(), confirming.len()), (48, 24));
    for line in confirming {
        let repeated = lines
            .iter()
            .find(|ask| ask["ask"] == line["confirms"])
            .unwrap();
        for same in ["case", "axis", "variant", "order", "digest"] {
            assert_eq!(line[same], repeated[same]);
        }
    }

    // The same command has nothing left to ask.
    let again = run_line(&path, &format!("probe {words}"));
    assert_eq!((again.code, server.count()), (1, 48), "{}", again.err);
    let expected =
        "going on with `run`: 24 of 24 asks are in its journal, and 24 that confirm flips";
    assert!(again.err.contains(expected), "{}", again.err);
}

#[test]
fn a_model_of_chance_is_counted_as_its_answers_say_and_order_is_not_blamed() {
    let (_guard, path) = folder(&unlabelled(120));
    let words = "cases.jsonl --model random --order reverse,same:1 --gate none:fit";
    let (_, summary) = probe_line(&path, words);
    let line = &summary["axes"]["order"]["reverse"];
    let (mut flips, mut replicated, mut swapped) = (0, 0, 0);
    for [own, own_again, other, other_again] in answers(&summary) {
        if own == other {
            assert_eq!(
                (own_again, other_again),
                (None, None),
                "no flip, nothing to confirm"
            );
            continue;
        }
        flips += 1;
        replicated += u64::from((own_again, other_again) == (own, other));
        swapped += u64::from((own_again, other_again) == (other, own));
    }
    let found = &summary["confirmed"]["order"];
    assert_eq!(line["flips"], flips);
    assert_eq!(found["replicated"], replicated);
    assert_eq!(found["swapped"], swapped);
    assert_eq!(found["neither"], flips - replicated - swapped);
    let effect = (replicated as f64 - swapped as f64) / 120.0;
    assert!((found["effect"].as_f64().unwrap() - effect).abs() < 1e-12);
    assert_ne!(line["verdict"], "order-sensitive");

    // Beside the control, case by case.
    let flips = |axis: &str| -> Vec<bool> {
        let cases = summary["cases"].as_array().unwrap().iter();
        let asks = cases.flat_map(|case| case["asks"].as_array().unwrap());
        asks.filter(|ask| ask["axis"] == axis)
            .map(|ask| ask["flip"].as_bool().unwrap())
            .collect()
    };
    let (order, same) = (flips("order"), flips("same"));
    let count = |flips: &[bool]| flips.iter().filter(|flip| **flip).count() as f64;
    let beside = &line["anchored"];
    assert_eq!(beside["variant_flips"], count(&order) as u64);
    assert_eq!(beside["same_flips"], count(&same) as u64);
    let difference = (count(&order) - count(&same)) / 120.0;
    assert!((beside["difference"].as_f64().unwrap() - difference).abs() < 1e-12);
}

#[test]
fn without_the_round_the_cause_stays_open_and_it_can_be_made_later() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --out run",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &format!("{words} --no-confirm"));
    assert_eq!((ran.code, server.count()), (1, 20));
    assert_eq!(summary["axes"]["order"]["reverse"]["verdict"], "cause open");
    assert!(
        ran.out
            .contains("cause open: its flips were not asked once more"),
        "{}",
        ran.out
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(server.count(), 40);
    assert_eq!(
        summary["axes"]["order"]["reverse"]["verdict"],
        "order-sensitive"
    );
}

#[test]
fn five_flips_that_come_again_leave_the_cause_open_and_the_line_says_how_many_more_would_show_it() {
    let (_guard, path) = folder(&unlabelled(5));
    let words = "cases.jsonl --model first --order reverse --gate none:fit";
    let (ran, summary) = probe_line(&path, words);
    let found = &summary["confirmed"]["order"];
    assert_eq!(
        (&found["p"], &found["replications_needed"]),
        (&0.0625.into(), &1.into())
    );
    let reason = "5/5 came again, 0 swapped, exact test p 0.0625; order changes 100.0% of 5 cases";
    assert!(
        flat(&ran.out).contains("; 1 more that come again would show it"),
        "{}",
        ran.out
    );
    assert!(flat(&ran.out).contains(reason), "{}", ran.out);
}

#[test]
fn a_gate_that_holds_confirms_nothing_unless_all_flips_are_to_be() {
    let (_guard, path) = folder(&unlabelled(40));
    let base = "cases.jsonl --model noisy:0.05 --order reverse --gate none:fit,order<=90%";
    let (_, summary) = probe_line(&path, base);
    let flips = summary["axes"]["order"]["reverse"]["flips"]
        .as_u64()
        .unwrap();
    assert!(flips > 0);
    assert_eq!(summary["counts"]["confirming"], 0);
    let (ran, summary) = probe_line(&path, &format!("{base} --confirm all --verbose"));
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert_eq!(summary["counts"]["confirming"], 2 * flips);
    assert!(ran.out.contains("asked again"), "{}", ran.out);
}

#[test]
fn two_asks_confirm_a_case_in_however_many_orders_it_flipped() {
    let cases =
        "{\"id\":\"two\",\"state\":{},\"options\":{\"a\":\"1\",\"b\":\"2\"},\"rules\":\"r\"}\n";
    let (_guard, path) = folder(cases);
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse,rotate:1,random:1 --gate none:fit",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(server.count(), 2 + 2);
    let found = &summary["confirmed"]["order"];
    assert_eq!(
        (&found["flips"], &found["replicated"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn each_case_is_confirmed_in_the_order_that_flips_most_of_those_in_which_it_flipped() {
    let (_guard, path) = folder(&unlabelled(60));
    let words = "cases.jsonl --model slot:2 --order reverse,rotate:1,random:2 --gate none:fit";
    let (_, summary) = probe_line(&path, words);
    let lines = summary["axes"]["order"].as_object().unwrap();
    let mut by_flips: Vec<(&String, u64)> = lines
        .iter()
        .map(|(name, line)| (name, line["flips"].as_u64().unwrap()))
        .collect();
    by_flips.sort_by_key(|(_, flips)| std::cmp::Reverse(*flips));
    assert_eq!(
        by_flips[0].0, "rotate:1",
        "the middle moves under every rotation"
    );
    assert_eq!(lines["reverse"]["flips"], 0, "and under no reversal");
    let mut expected = serde_json::Map::new();
    for case in summary["cases"].as_array().unwrap() {
        let asks = case["asks"].as_array().unwrap();
        let flipped = |name: &str| {
            asks.iter()
                .any(|ask| ask["variant"] == *name && ask["flip"] == true)
        };
        let first = by_flips
            .iter()
            .map(|(name, _)| *name)
            .find(|name| flipped(name));
        let repeated: Vec<&str> = asks
            .iter()
            .filter(|ask| !ask["again"].is_null())
            .map(|ask| ask["variant"].as_str().unwrap())
            .collect();
        match first {
            None => assert!(repeated.is_empty(), "{repeated:?}"),
            Some(name) => {
                assert_eq!(repeated, ["own", name]);
                let count = expected.entry(name.clone()).or_insert(0.into());
                *count = (count.as_u64().unwrap() + 1).into();
            }
        }
    }
    let found = &summary["confirmed"]["order"];
    assert_eq!(found["by_variant"], Value::Object(expected));
    assert_eq!(
        summary["counts"]["confirming"],
        2 * found["flips"].as_u64().unwrap()
    );
}

#[test]
fn a_repetition_that_fails_is_missing_and_shows_nothing() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = faulty(Policy::First, Fault::Status(422), When::From(21));
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --out run --retries 0",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let line = &summary["axes"]["order"]["reverse"];
    assert_eq!(line["verdict"], "cause open");
    let found = &summary["confirmed"]["order"];
    assert_eq!(
        (&found["missing"], &found["replicated"]),
        (&10.into(), &0.into())
    );
    assert_eq!(found["upper"], 1.0, "what is missing may have come again");
    let reason = "0/10 came again, 0 swapped, 10 missing, exact test p 1; order changes 0.0-100.0% of 10 cases (95% CI, whatever is missing); 6 more that come again would show it";
    assert!(flat(&ran.out).contains(reason), "{}", ran.out);
}

#[test]
fn a_run_killed_while_it_confirms_goes_on_where_it_was_and_loses_no_answer() {
    let (_guard, path) = folder(&unlabelled(30));
    let start = || {
        Standin::builder()
            .policy(Policy::First)
            .delay(Duration::from_millis(10))
            .start()
            .unwrap()
    };
    let words = |server: &Standin, out: &str| {
        let model = model(server);
        format!(
            "probe cases.jsonl --model {model} --order reverse --gate none:fit --concurrency 3 --out {out}"
        )
    };
    let calm = start();
    assert_eq!(run_line(&path, &words(&calm, "calm")).code, 1);
    let server = start();
    let command = words(&server, "killed");
    // From the middle of the first round to near the end of the confirmation.
    for killed_at in [45, 63, 75, 90, 105, 117] {
        let mut child = flipside()
            .current_dir(&path)
            .args(command.split_whitespace())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while server.count() < killed_at && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = read(&path, "killed/asks.jsonl");
    let whole = before.rfind('\n').map_or("", |end| &before[..=end]);
    let confirming = whole
        .lines()
        .filter(|line| line.contains("\"confirms\""))
        .count();
    assert!(confirming > 0, "some kills met the confirmation round");
    let sent = server.count();
    let resumed = run_line(&path, &command);
    assert_eq!(resumed.code, 1, "{}", resumed.err);
    assert_eq!(server.count() - sent, 120 - whole.lines().count());
    assert!(read(&path, "killed/asks.jsonl").starts_with(whole));
    let mut asks: Vec<u64> = journal(&path, "killed")
        .iter()
        .map(|line| line["ask"].as_u64().unwrap())
        .collect();
    asks.sort_unstable();
    assert_eq!(asks, (0..120).collect::<Vec<_>>());
    let line = |run: &str| json(&path, &format!("{run}/summary.json"))["axes"].clone();
    assert_eq!(line("killed"), line("calm"));
}

#[test]
fn flips_that_could_not_be_asked_again_leave_the_effect_open() {
    let (_guard, path) = folder(&unlabelled(12));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --concurrency 1 --max-asks 24 --out run",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    let found = &summary["confirmed"]["order"];
    assert_eq!(
        (&found["flips"], &found["unasked"]),
        (&12.into(), &12.into())
    );
    assert_eq!(found["effect"], Value::Null);
    // Tango's limits of 0 and of 12 among 12 pairs: with z = 1.959964, (n - z^2) / (n + z^2) below 12, and its mirror above 0.
    let z2 = 1.959_964_f64.powi(2);
    let interval = [0, 1].map(|end| found["interval"][end].as_f64().unwrap());
    assert!(
        (interval[0] + z2 / (12.0 + z2)).abs() < 1e-6,
        "{interval:?}"
    );
    assert!((interval[1] - 1.0).abs() < 1e-9, "{interval:?}");
    assert!(
        flat(&ran.out)
            .contains("order changes 0.0-100.0% of 12 cases (95% CI, whatever is missing)"),
        "{}",
        ran.out
    );
}
