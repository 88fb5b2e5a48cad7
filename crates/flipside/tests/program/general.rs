//! Gates that speak in general: what a file can reach, which flags go together, alpha, and what bounds speak about.

use std::time::Duration;

use flipside_standin::{Policy, Standin};
use serde_json::Value;

use crate::support::{flat, flipside, folder, model, probe_line, ran, run_line, unlabelled};

#[test]
fn a_file_that_cannot_reach_a_verdict_is_told_so_before_anything_is_asked() {
    let (_guard, path) = folder(&unlabelled(40));
    let dry = run_line(&path, "probe cases.jsonl --order certify --dry-run");
    assert_eq!(dry.code, 0, "{}", dry.err);
    let text = flat(&dry.out);
    assert!(text.contains("at most 80 asks"), "{text}");
    assert!(
        text.contains("`stable` cannot be reached with 40 cases at a limit of 5%"),
        "{text}"
    );
    let server = Standin::builder()
        .policy(Policy::Overlap)
        .delay(Duration::from_millis(5))
        .start()
        .unwrap();
    for order in ["certify", "random:1 --strict"] {
        let words = format!(
            "probe cases.jsonl --model {} --order {order} --gate none:fit",
            model(&server)
        );
        let output = flipside()
            .current_dir(&path)
            .args(words.split_whitespace())
            .output()
            .unwrap();
        let ran = ran(&output);
        let warned = ran
            .err
            .find("40 pairs of `random:1` cannot show a limit of 5% in general");
        let asking = ran.err.find("asking `");
        assert!(warned.is_some() && warned < asking, "{}", ran.err);
        assert_eq!(ran.code, 1, "{}", ran.out);
    }
}

#[test]
fn the_open_rule_is_told_how_many_cases_its_own_bets_need() {
    let (_guard, path) = folder(&unlabelled(65));
    let words = "probe cases.jsonl --order certify --adaptive open --gate none:fit";
    let ran = run_line(&path, words);
    assert_eq!(ran.code, 1, "{}", ran.out);
    // (66, 0) is the first clean stop at a limit of 5 % (the statistics page, 16.3); a fixed sample would need 59.
    let warning =
        "65 pairs of `random:1` cannot show a limit of 5% in general, 66 without a flip would";
    assert!(ran.err.contains(warning), "{}", ran.err);
    let dry = run_line(&path, &format!("{words} --dry-run"));
    assert!(!dry.out.contains("pairs without a flip"), "{}", dry.out);
}

#[test]
fn several_models_warn_by_name_and_say_once_what_is_about_the_file() {
    let (_guard, path) = folder(&unlabelled(20));
    let words =
        "probe cases.jsonl --order reverse --strict --gate none:fit --model first --model last";
    let ran = run_line(&path, words);
    assert_eq!(
        ran.err.matches("cannot show a limit").count(),
        1,
        "{}",
        ran.err
    );
    for model in ["first", "last"] {
        let warning = format!("warning: {model}: all 40 answers");
        assert!(ran.err.contains(&warning), "{}", ran.err);
    }
}

#[test]
fn a_dry_run_prints_what_the_plan_does_at_known_rates() {
    let (_guard, path) = folder(&unlabelled(284));
    let dry = run_line(&path, "probe cases.jsonl --order certify --dry-run");
    // The published table of 284 cases at 5 %.
    for row in [
        "92.0 cases",
        "135.7 cases",
        "194.5 cases",
        "273.8 cases",
        "139.1 cases",
        "19.5 cases",
    ] {
        assert!(dry.out.contains(row), "{row}: {}", dry.out);
    }
    let open = run_line(
        &path,
        "probe cases.jsonl --order certify --adaptive open --dry-run",
    );
    assert!(
        open.out.contains("`stable` after 66 without a flip"),
        "{}",
        open.out
    );
}

#[test]
fn what_does_not_go_with_adaptive_asking_is_refused_before_anything_is_read() {
    let (_guard, path) = folder(&unlabelled(8));
    for (flags, expected) in [
        (
            "--order certify,reverse",
            "`--order certify` decides about one other order per case, and `--order certify,reverse` is asked",
        ),
        (
            "--adaptive planned",
            "`--adaptive` decides about one other order per case, and no other order is asked",
        ),
        (
            "--order check --adaptive open",
            "`--adaptive` decides about one other order per case, and `--order check` is asked",
        ),
        (
            "--order certify --population file",
            "`--order certify` speaks about traffic, `--population file` does not",
        ),
        (
            "--order certify --adaptive sprt",
            "`--adaptive sprt`: expected `planned` or `open`",
        ),
        (
            "--order certify --alpha 60%",
            "`--alpha 60%`: expected a share over 0% and under 50% such as `5%` or `0.01`",
        ),
        (
            "--alpha 0",
            "`--alpha 0`: expected a share over 0% and under 50%",
        ),
        (
            "--confirm maybe",
            "`--confirm maybe`: expected `auto`, `never` or `all`",
        ),
        (
            "--confirm all --no-confirm",
            "`--no-confirm` and `--confirm` contradict each other",
        ),
        (
            "--population all",
            "`--population all`: expected `traffic` or `file`",
        ),
        (
            "--order certify --gate none:order",
            "asking adaptively needs a gate on the order, and there is none",
        ),
        (
            "--order certify --gate order<=0%",
            "asking adaptively needs a limit over 0% and under 100%, since no sample shows either",
        ),
    ] {
        let ran = run_line(&path, &format!("probe cases.jsonl {flags}"));
        assert_eq!(ran.code, 2, "{flags}: {}", ran.out);
        assert!(ran.err.contains(expected), "{flags}: {}", ran.err);
    }
}

#[test]
fn a_stricter_alpha_needs_more_cases_and_the_gates_say_so() {
    let (_guard, path) = folder(&unlabelled(80));
    let words = "cases.jsonl --model overlap --order random:1 --strict --gate none:fit";
    let (ran, summary) = probe_line(&path, words);
    assert_eq!(ran.code, 0, "80 clean pairs show 5 % at 5 %: {}", ran.out);
    let (ran, strict) = probe_line(&path, &format!("{words} --alpha 1%"));
    assert_eq!(ran.code, 1, "and 1 - 0.01^(1/80) is 5.6 %: {}", ran.out);
    assert!(ran.out.contains("in general at 1%"), "{}", ran.out);
    let upper = |summary: &Value| {
        summary["axes"]["order"]["random:1"]["upper"]
            .as_f64()
            .unwrap()
    };
    assert!((upper(&summary) - (1.0 - 0.05_f64.powf(1.0 / 80.0))).abs() < 1e-12);
    assert!((upper(&strict) - (1.0 - 0.01_f64.powf(1.0 / 80.0))).abs() < 1e-12);
}

#[test]
fn of_the_file_as_population_the_count_is_the_answer() {
    let (_guard, path) = folder(&unlabelled(40));
    let words =
        "cases.jsonl --model overlap --order random:1 --strict --gate none:fit --population file";
    let (ran, summary) = probe_line(&path, words);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let line = &summary["axes"]["order"]["random:1"];
    assert_eq!((&line["lower"], &line["upper"]), (&0.0.into(), &0.0.into()));
    let text = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let stable = "0/40 flipped up to 0.0% in this file limit 5% stable in this file";
    assert!(text.contains(stable), "{text}");
    // 40 cases are too few for a sample, and these are none.
    assert!(!ran.err.contains("cannot show"), "{}", ran.err);
    let cut = format!("{words} --out cut --max-asks 40");
    let (ran, summary) = probe_line(&path, &cut);
    assert_eq!(ran.code, 3);
    let line = &summary["axes"]["order"]["random:1"];
    let (pairs, unasked) = (
        line["pairs"].as_u64().unwrap(),
        line["unasked"].as_u64().unwrap(),
    );
    assert_eq!(pairs + unasked, 40);
    // The largest number of flips in 40 that leaves `pairs` drawn without one a chance over 5 %, by plain products.
    let clean = |flips: u64| {
        (0..pairs).fold(1.0, |chance, drawn| {
            chance * (40.0 - flips as f64 - drawn as f64).max(0.0) / (40.0 - drawn as f64)
        })
    };
    let most = (0..=40).filter(|flips| clean(*flips) > 0.05).max().unwrap();
    assert_eq!(line["upper"], most as f64 / 40.0);
}

#[test]
fn of_the_file_as_population_repeats_stay_a_sample_of_what_the_backend_does() {
    let (_guard, path) = folder(&unlabelled(40));
    let words = "cases.jsonl --model overlap --order random:1,same:1 --strict --gate none:fit --population file";
    let (ran, summary) = probe_line(&path, words);
    let order = &summary["axes"]["order"]["random:1"];
    assert_eq!(order["upper"], 0.0);
    let control = &summary["control"];
    let upper = |figure: &Value| figure["upper"].as_f64().unwrap();
    // None of 40 shows no more than 1 - 0.05^(1/40), which is over the limit of 1 %.
    for figure in [control, &control["by_repeat"]["1"]] {
        assert!((upper(figure) - 0.072_157_5).abs() < 1e-6, "{figure}");
    }
    assert_eq!(control["verdict"], "noise-inconclusive");
    let same = ran.out.lines().find(|line| line.starts_with("same"));
    assert!(
        same.unwrap().contains("up to 7.2% in general"),
        "{}",
        ran.out
    );
}

#[test]
fn of_several_orders_none_is_over_the_limit_by_chance() {
    // Of 25 cases a first-option picker flips in four; in the others what it picks is declared to be one answer.
    let line = |case: usize| {
        let equal = if case < 4 {
            ""
        } else {
            ",\"equal\":[[\"a\",\"b\",\"d\"]]"
        };
        format!(
            "{{\"id\":\"c{case}\",\"state\":{{\"n\":{case}}},\"options\":{{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\",\"d\":\"4\"}},\"rules\":\"r\"{equal}}}"
        )
    };
    let cases: Vec<String> = (0..25).map(line).collect();
    let (_guard, path) = folder(&(cases.join("\n") + "\n"));
    let words = |orders: &str| {
        format!("cases.jsonl --model first --strict --gate none:fit --no-confirm --order {orders}")
    };
    // The chance of four or more of 25 at 5 %, by the binomial's first four terms.
    let term = |k: i32, ways: f64| ways * 0.05_f64.powi(k) * 0.95_f64.powi(25 - k);
    let p = 1.0 - term(0, 1.0) - term(1, 25.0) - term(2, 300.0) - term(3, 2300.0);
    assert!(p < 0.05 && 2.0 * p > 0.05, "{p}");
    let (_, alone) = probe_line(&path, &words("reverse"));
    assert_eq!(alone["axes"]["order"]["reverse"]["verdict"], "cause open");
    let (ran, both) = probe_line(&path, &words("reverse,rotate:1"));
    for order in ["reverse", "rotate:1"] {
        let line = &both["axes"]["order"][order];
        assert_eq!((&line["flips"], &line["pairs"]), (&4.into(), &25.into()));
        assert!((line["over_limit_p"].as_f64().unwrap() - p).abs() < 1e-12);
        assert!((line["over_limit_holm_p"].as_f64().unwrap() - 2.0 * p).abs() < 1e-12);
        assert_eq!(line["verdict"], "inconclusive");
    }
    let reason = "over the limit alone, not after correction for 2 orders (Holm p 0.07)";
    assert!(flat(&ran.out).contains(reason), "{}", ran.out);
}

#[test]
fn stable_in_general_is_withheld_where_two_models_served() {
    let (_guard, path) = folder(&unlabelled(70));
    let server = Standin::builder().policy(Policy::Overlap).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order random:1 --strict --gate none:fit --out run",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(summary["axes"]["order"]["random:1"]["verdict"], "stable");
    let served = summary["model"]["served"][0].as_str().unwrap();
    let file = path.join("run/asks.jsonl");
    let journal = std::fs::read_to_string(&file).unwrap();
    // Every case is still served by one model, and those whose number ends in 3 by another than the rest.
    let changed: Vec<String> = journal
        .lines()
        .map(|line| {
            if line.contains("3\",\"axis\"") {
                line.replace(served, "another")
            } else {
                line.to_owned()
            }
        })
        .collect();
    std::fs::write(&file, changed.join("\n") + "\n").unwrap();
    let (ran, summary) = probe_line(&path, &words);
    let line = &summary["axes"]["order"]["random:1"];
    assert_eq!((&line["pairs"], &line["missing"]), (&70.into(), &0.into()));
    assert_eq!(line["verdict"], "undecided");
    assert!(
        flat(&ran.out).contains("undecided: 2 served models answered"),
        "{}",
        ran.out
    );
    assert_eq!(ran.code, 1);
}
