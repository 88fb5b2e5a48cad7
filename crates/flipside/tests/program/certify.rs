//! Adaptive asking: no more asks than it takes, boundaries and state in the run folder, and what it says.

use std::time::Duration;

use flipside_standin::{Policy, Standin};
use serde_json::Value;

use crate::support::{folder, journal, json, model, probe_line, read, run_line, unlabelled};

/// The boundaries of section 16.2 by its own recursion, as plain as it stands there: what may have been spent on each side.
fn boundaries(cases: usize, limit: f64, alpha: f64) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let budget = |n: usize| alpha * (n as f64 / cases as f64).powf(1.5);
    let step = |path: &[f64]| -> Vec<f64> {
        let mut next = vec![0.0; path.len() + 1];
        for (flips, mass) in path.iter().enumerate() {
            next[flips] += mass * (1.0 - limit);
            next[flips + 1] += mass * limit;
        }
        next
    };
    let (mut stable, mut sensitive) = (Vec::new(), Vec::new());
    let (mut path, mut spent, mut taken) = (vec![1.0], 0.0, 0);
    for n in 1..=cases {
        path = step(&path);
        let mut extra = 0.0;
        while taken <= n && spent + extra + path[taken] <= budget(n) {
            extra += path[taken];
            taken += 1;
        }
        path[..taken].fill(0.0);
        spent += extra;
        stable.push(taken.checked_sub(1));
    }
    let (mut path, mut spent) = (vec![1.0], 0.0);
    for n in 1..=cases {
        path = step(&path);
        let (mut extra, mut least) = (0.0, n + 1);
        while least > 0 && spent + extra + path[least - 1] <= budget(n) {
            extra += path[least - 1];
            least -= 1;
        }
        path[least..].fill(0.0);
        spent += extra;
        sensitive.push((least <= n).then_some(least));
    }
    (stable, sensitive)
}

#[test]
fn a_model_that_never_flips_is_asked_exactly_as_long_as_the_boundaries_say() {
    let (_guard, path) = folder(&unlabelled(150));
    let (stable, sensitive) = boundaries(150, 0.05, 0.05);
    let first = 1 + stable.iter().position(Option::is_some).unwrap();
    for concurrency in [1, 8, 64] {
        let server = Standin::builder()
            .policy(Policy::Overlap)
            .delay(Duration::from_millis(2))
            .start()
            .unwrap();
        let out = format!("run{concurrency}");
        let words = format!(
            "cases.jsonl --model {} --order certify --gate none:fit --out {out} --concurrency {concurrency}",
            model(&server)
        );
        let (ran, summary) = probe_line(&path, &words);
        assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
        assert_eq!(
            server.count(),
            2 * first,
            "no ask more than one after another"
        );
        let found = &summary["sequential"];
        assert_eq!(found["observed"], first);
        assert_eq!(found["spared_asks"], 2 * (150 - first));
        assert_eq!(summary["axes"]["order"]["random:1"]["verdict"], "stable");
        assert!(ran.out.contains("at most 5.0% in general"), "{}", ran.out);

        let run = json(&path, &format!("{out}/run.json"));
        let kept = &run["judging"]["adaptive"]["planned"]["boundaries"];
        let side = |name: &str| -> Vec<Option<usize>> {
            let side = kept[name].as_array().unwrap();
            side.iter()
                .map(|flips| flips.as_u64().map(|flips| flips as usize))
                .collect()
        };
        // A state that cannot be reached costs nothing, so the page's recursion and ours may name different ones there.
        assert_eq!(side("stable"), stable);
        for (n, (ours, page)) in side("sensitive").iter().zip(&sensitive).enumerate() {
            let reachable = |flips: &Option<usize>| flips.filter(|flips| *flips <= n + 1);
            assert_eq!(reachable(ours), reachable(page), "after {} pairs", n + 1);
        }
        // The state in the journal is what its own lines add up to.
        let states: Vec<Value> = journal(&path, &out)
            .iter()
            .map(|line| line["state"].clone())
            .filter(|state| !state.is_null())
            .collect();
        let last = &states.last().unwrap()["planned"];
        assert_eq!(
            *last,
            serde_json::json!({"n": first, "flips": 0, "missing": 0})
        );
        let n: Vec<u64> = states
            .iter()
            .map(|state| state["planned"]["n"].as_u64().unwrap())
            .collect();
        assert!(n.is_sorted(), "{n:?}");
    }
}

#[test]
fn a_picker_of_a_place_is_asked_until_its_flips_reach_the_boundary_and_each_once_more() {
    let (_guard, path) = folder(&unlabelled(284));
    let server = Standin::builder().policy(Policy::Last).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order certify --gate none:fit --out run",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    let found = &summary["sequential"];
    // One of the five other orders leaves the last option in its place, so that four cases need not do.
    let (observed, flips) = (
        found["observed"].as_u64().unwrap(),
        found["flips"].as_u64().unwrap(),
    );
    let (_, sensitive) = boundaries(284, 0.05, 0.05);
    let reached = |n: u64| sensitive[n as usize - 1].is_some_and(|least| flips as usize >= least);
    assert!(reached(observed), "{found}");
    assert_eq!(server.count() as u64, 2 * observed + 2 * flips);
    assert_eq!(found["decision"], "sensitive");
    assert_eq!(ran.code, 1);
    assert_eq!(summary["cases"].as_array().unwrap().len() as u64, observed);
    assert!(ran.out.contains("decided after "), "{}", ran.out);
}

#[test]
fn open_bets_stop_at_twenty_and_the_journal_has_their_wealth() {
    let (_guard, path) = folder(&unlabelled(90));
    let words =
        "cases.jsonl --model overlap --order certify --adaptive open --gate none:fit --out run";
    let (ran, summary) = probe_line(&path, words);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let found = &summary["sequential"];
    assert_eq!(found["observed"], 66);
    // Published: 20.014370 after 66 pairs without a flip.
    assert!((found["e_stable"].as_f64().unwrap() - 20.014_370).abs() < 5e-7);
    let last: Value = journal(&path, "run")
        .into_iter()
        .rfind(|line| !line["state"].is_null())
        .unwrap();
    let state = &last["state"]["open"];
    assert_eq!(state["n"], 66);
    // Never a flip: the bet that none comes has gained 1/(1 - 5 %) each time.
    let gained = -66.0 * 0.95_f64.ln();
    assert!((state["ln_stable"][0].as_f64().unwrap() - gained).abs() < 1e-9);
}

#[test]
fn a_run_cut_short_goes_on_to_the_same_end_and_asks_nothing_twice() {
    let (_guard, path) = folder(&unlabelled(150));
    let (_, whole) = probe_line(
        &path,
        "cases.jsonl --model noisy:0.1 --order certify --gate none:fit --out whole",
    );
    let words = "cases.jsonl --model noisy:0.1 --order certify --gate none:fit --out cut";
    let mut stops = 0;
    for limit in (10..400).step_by(37) {
        let (ran, _) = probe_line(&path, &format!("{words} --max-asks {limit}"));
        if ran.code != 3 {
            break;
        }
        stops += 1;
        assert!(ran.err.contains(" of at most 300 asks"), "{}", ran.err);
        let text = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        // A stop is no end of the plan, and what was not asked yet is not spared.
        let plan_is_open = limit < 300;
        assert_eq!(
            text.contains("general: asking stopped after "),
            plan_is_open,
            "{text}"
        );
        assert!(!text.contains("spared"), "{text}");
    }
    assert!(stops > 1);
    let (_, cut) = probe_line(&path, words);
    for part in ["sequential", "axes", "counts", "cases"] {
        let strip = |value: &Value| {
            let text = value.to_string();
            without_times(&text)
        };
        assert_eq!(strip(&cut[part]), strip(&whole[part]), "{part}");
    }
    let lines = |run: &str| journal(&path, run).len();
    assert_eq!(lines("cut"), lines("whole"));
}

/// The text without the times in it, which differ from run to run.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\"ms\":") {
        out += before;
        rest = after.split_once(',').map_or("", |(_, rest)| rest);
    }
    out + rest
}

#[test]
fn another_rule_limit_or_alpha_is_another_plan() {
    let (_guard, path) = folder(&unlabelled(70));
    let base = "probe cases.jsonl --model overlap --order certify --gate none:fit --out run";
    assert_eq!(run_line(&path, base).code, 0);
    for (flags, now) in [
        (
            "--adaptive open",
            "by the rule `open` at a limit of 0.05 and an alpha of 0.05",
        ),
        (
            "--alpha 1%",
            "by the rule `planned` at a limit of 0.05 and an alpha of 0.01",
        ),
        (
            "--gate order<=10%",
            "by the rule `planned` at a limit of 0.1 and an alpha of 0.05",
        ),
    ] {
        let ran = run_line(&path, &format!("{base} {flags}"));
        assert_eq!(ran.code, 2, "{}", ran.out);
        let text = format!(
            "`run` holds another plan: it asks by the rule `planned` at a limit of 0.05 and an alpha of 0.05, this command {now}"
        );
        assert!(ran.err.contains(&text), "{}", ran.err);
    }
}

#[test]
fn an_open_run_grows_by_more_cases_and_a_planned_one_does_not() {
    let all = unlabelled(90);
    let first: String = all.split_inclusive('\n').take(40).collect();
    let (_guard, path) = folder(&first);
    let server = Standin::builder().policy(Policy::Overlap).start().unwrap();
    let words = |rule: &str| {
        format!(
            "cases.jsonl --model {} --order certify --adaptive {rule} --gate none:fit --out {rule}",
            model(&server)
        )
    };
    let (ran, summary) = probe_line(&path, &words("open"));
    assert_eq!((ran.code, server.count()), (1, 80));
    assert_eq!(summary["sequential"]["decision"], "open");
    assert!(ran.out.contains("40 cases leave it open"), "{}", ran.out);

    std::fs::write(path.join("cases.jsonl"), &all).unwrap();
    let (ran, summary) = probe_line(&path, &words("open"));
    assert_eq!((ran.code, server.count()), (0, 132), "{}", ran.err);
    assert_eq!(summary["sequential"]["observed"], 66);
    assert_eq!(summary["sequential"]["units"], 90);
    let run = json(&path, "open/run.json");
    assert_eq!(
        run["judging"]["adaptive"]["grown_from"],
        serde_json::json!([40])
    );
    let cases = read(&path, "open/cases.jsonl");
    assert_eq!(cases.lines().count(), 90);
    let (ran, again) = probe_line(&path, &words("open"));
    assert_eq!(
        (ran.code, server.count()),
        (0, 132),
        "nothing is left to ask"
    );
    assert_eq!(again["sequential"], summary["sequential"]);

    // Other cases are another run.
    let backwards: String = all.split_inclusive('\n').rev().collect();
    std::fs::write(path.join("cases.jsonl"), backwards).unwrap();
    let refused = run_line(&path, &format!("probe {}", words("open")));
    assert_eq!(refused.code, 2);
    let help = "an `open` run grows by cases after those that it had";
    assert!(refused.err.contains(help), "{}", refused.err);

    std::fs::write(path.join("cases.jsonl"), &first).unwrap();
    assert_eq!(
        run_line(&path, &format!("probe {}", words("planned"))).code,
        1
    );
    std::fs::write(path.join("cases.jsonl"), &all).unwrap();
    let refused = run_line(&path, &format!("probe {}", words("planned")));
    assert_eq!(refused.code, 2);
    let help = "a `planned` run ends with its cases, `--adaptive open` can grow by more";
    assert!(refused.err.contains(help), "{}", refused.err);
}

#[test]
fn flips_confirmed_before_a_run_grew_are_found_again() {
    let all = unlabelled(60);
    let first: String = all.split_inclusive('\n').take(3).collect();
    let (_guard, path) = folder(&first);
    let words =
        "cases.jsonl --model noisy:0.5 --order certify --adaptive open --gate none:fit --out run";
    let (_, before) = probe_line(&path, words);
    assert_eq!(before["sequential"]["decision"], "open");
    let kept = read(&path, "run/asks.jsonl");
    assert!(kept.contains("\"confirms\""), "something was confirmed");
    std::fs::write(path.join("cases.jsonl"), &all).unwrap();
    let (_, after) = probe_line(&path, words);
    assert!(read(&path, "run/asks.jsonl").starts_with(&kept));
    let mut confirmed: Vec<u64> = journal(&path, "run")
        .iter()
        .filter_map(|line| line["confirms"].as_u64())
        .collect();
    let all = confirmed.len();
    confirmed.sort_unstable();
    confirmed.dedup();
    assert_eq!(confirmed.len(), all, "no flip is confirmed twice");
    assert_eq!(after["counts"]["confirming"], all);
}
