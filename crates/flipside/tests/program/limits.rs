//! Budgets, dry runs, interrupts and outputs of a run.

use std::process::Stdio;
use std::time::Duration;

use crate::support::{
    eight_cases, faulty, flipside, folder, json, launch, probe, ran, read, run, unlabelled,
};
use flipside_standin::{Fault, Policy, Standin, When};

#[test]
fn max_asks_stops_the_run_and_a_raised_limit_goes_on() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let words = |limit| {
        [
            "probe",
            "cases.jsonl",
            "--model",
            &model,
            "--order",
            "reverse",
            "--gate",
            "none:fit",
            "--no-confirm",
            "--out",
            "a",
            "--max-asks",
            limit,
        ]
        .map(str::to_owned)
    };
    let stopped = ran(&flipside()
        .current_dir(&path)
        .args(words("7"))
        .output()
        .unwrap());
    assert_eq!(stopped.code, 3, "{}", stopped.err);
    assert_eq!(server.count(), 7);
    assert!(
        stopped
            .err
            .contains("error: stopped after 7 of 20 asks: `--max-asks 7` is reached"),
        "{}",
        stopped.err
    );
    assert!(
        stopped
            .err
            .contains("help: raise `--max-asks` and repeat `"),
        "{}",
        stopped.err
    );
    let summary = json(&path, "a/summary.json");
    assert_eq!(
        (&summary["complete"], &summary["exit"]),
        (&false.into(), &3.into())
    );
    let same = ran(&flipside()
        .current_dir(&path)
        .args(words("7"))
        .output()
        .unwrap());
    assert_eq!((same.code, server.count()), (3, 7));
    let raised = ran(&flipside()
        .current_dir(&path)
        .args(words("20"))
        .output()
        .unwrap());
    assert_eq!((raised.code, server.count()), (1, 20), "{}", raised.err);
}

#[test]
fn max_cost_stops_at_known_prices_and_refuses_to_run_blind() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let words = [
        "cases.jsonl",
        "--model",
        &model,
        "--order",
        "reverse",
        "--gate",
        "none:fit",
        "--concurrency",
        "1",
    ];
    let mut blind = words.to_vec();
    blind.extend(["--max-cost", "1"]);
    let (blind, _) = probe(&path, &blind);
    assert_eq!(blind.code, 3);
    assert!(
        blind.err.contains("whose cost nobody states"),
        "{}",
        blind.err
    );
    assert!(
        blind
            .err
            .contains("help: give the price with `--price` and repeat"),
        "{}",
        blind.err
    );
    assert_eq!(server.count(), 1);
    // Each ask costs more than a millionth of a dollar at this price, so that none is made.
    let mut priced = words.to_vec();
    priced.extend(["--max-cost", "0.000001", "--price", "1000"]);
    let (priced, _) = probe(&path, &priced);
    assert_eq!(priced.code, 3);
    assert!(
        priced.err.contains("`--max-cost 0.000001` is reached"),
        "{}",
        priced.err
    );
    assert_eq!(server.count(), 1);
}

#[test]
fn a_dry_run_asks_nothing_and_says_what_the_file_can_show() {
    let (_guard, path) = folder(&eight_cases());
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let ran = run(
        &path,
        &[
            "probe",
            "cases.jsonl",
            "--model",
            &model,
            "--order",
            "reverse,same:1",
            "--dry-run",
            "--price",
            "0.042",
        ],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(server.count(), 0);
    for expected in ["127.0.0.1", "24", "`order<=31.3%`", "59"] {
        assert!(ran.out.contains(expected), "{expected} in {}", ran.out);
    }
    assert!(!path.join("flipside-runs").exists());
}

#[test]
fn a_first_interrupt_finishes_what_is_in_flight_and_leaves_a_resumable_folder() {
    let (_guard, path) = folder(&unlabelled(200));
    let server = Standin::builder()
        .policy(Policy::First)
        .delay(Duration::from_millis(30))
        .start()
        .unwrap();
    let model = format!("systemone:{}", server.url());
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--order",
        "reverse",
        "--gate",
        "none:fit",
        "--out",
        "a",
        "--no-canary",
        "--concurrency",
        "4",
    ];
    let child = launch(&path, &words);
    while server.count() < 20 {
        std::thread::yield_now();
    }
    interrupt(child.id());
    let ended = ran(&child.wait_with_output().unwrap());
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(ended.err.contains("interrupted"), "{}", ended.err);
    let kept = read(&path, "a/asks.jsonl").lines().count();
    assert_eq!(kept, server.count(), "every ask that was sent is kept");
    assert!(kept < 400);
}

#[test]
fn a_second_interrupt_stops_without_waiting() {
    let (_guard, path) = folder(&unlabelled(20));
    let server = faulty(Policy::First, Fault::NeverAnswer, When::Always);
    let model = format!("systemone:{}", server.url());
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--gate",
        "none:fit",
        "--timeout",
        "60s",
    ];
    let start = std::time::Instant::now();
    let mut child = launch(&path, &words);
    while server.count() < 4 {
        std::thread::yield_now();
    }
    while child.try_wait().unwrap().is_none() {
        interrupt(child.id());
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = ran(&child.wait_with_output().unwrap());
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(start.elapsed() < Duration::from_secs(30));
}

fn interrupt(id: u32) {
    let id = nix::unistd::Pid::from_raw(i32::try_from(id).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
}

#[test]
fn two_processes_cannot_write_one_folder() {
    let (_guard, path) = folder(&unlabelled(40));
    let server = Standin::builder()
        .policy(Policy::First)
        .delay(Duration::from_millis(50))
        .start()
        .unwrap();
    let model = format!("systemone:{}", server.url());
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--gate",
        "none:fit",
        "--out",
        "a",
        "--concurrency",
        "1",
    ];
    let first = flipside()
        .current_dir(&path)
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut first = first.unwrap();
    while server.count() < 2 {
        std::thread::yield_now();
    }
    let second = run(&path, &words);
    assert_eq!(second.code, 2);
    assert!(
        second
            .err
            .contains("error: `a` is being written by another flipside"),
        "{}",
        second.err
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn transient_failures_are_tried_again_with_the_same_bytes_and_leave_no_trace_in_the_figures() {
    let (_guard, path) = folder(&unlabelled(6));
    let calm = Standin::builder().policy(Policy::First).start().unwrap();
    let shaky = faulty(Policy::First, Fault::Status(503), When::Every(3));
    let words = |model: &str| {
        [
            "cases.jsonl",
            "--model",
            model,
            "--order",
            "reverse",
            "--gate",
            "none:fit",
            "--concurrency",
            "1",
            "--retries",
            "5",
        ]
        .map(str::to_owned)
    };
    let summary = |server: &Standin| {
        let words = words(&format!("systemone:{}", server.url()));
        let (_, mut summary) = probe(&path, &words.iter().map(String::as_str).collect::<Vec<_>>());
        summary["model"] = serde_json::Value::Null;
        // Attempts may be billed, and so they are counted.
        summary["cost"] = serde_json::Value::Null;
        crate::support::timeless(summary)
    };
    assert_eq!(summary(&calm), summary(&shaky));
    assert!(shaky.count() > calm.count());
    let mut bodies: Vec<Vec<u8>> = shaky.seen().into_iter().map(|seen| seen.body).collect();
    bodies.sort();
    bodies.dedup();
    assert_eq!(bodies.len(), 12, "an attempt again sends the same bytes");
}

#[test]
fn several_models_make_one_table_and_the_worst_exit_speaks() {
    let (_guard, path) = folder(&eight_cases());
    let (ran, summary) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            "overlap",
            "--model",
            "first",
            "--order",
            "check",
        ],
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(summary["models"].as_array().unwrap().len(), 2);
    assert!(
        ran.out.contains("overlap") && ran.out.contains("first"),
        "{}",
        ran.out
    );
    let twice = run(
        &path,
        &[
            "probe",
            "cases.jsonl",
            "--model",
            "first",
            "--model",
            "first",
        ],
    );
    assert_eq!(
        (twice.code, twice.err.as_str()),
        (2, "error: `--model first` is given twice\n")
    );
}

#[test]
fn a_recorded_run_is_replayed_with_the_same_figures_and_nothing_is_asked() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let orders = ["--order", "reverse,same:1", "--gate", "none:fit"];
    let mut words = vec!["cases.jsonl", "--model", &model, "--out", "recorded"];
    words.extend(orders);
    let (_, first) = probe(&path, &words);
    let asked = server.count();
    let mut words = vec!["cases.jsonl", "--model", "replay:recorded"];
    words.extend(orders);
    let (_, again) = probe(&path, &words);
    assert_eq!(server.count(), asked);
    assert_eq!(first["axes"], again["axes"]);
    assert_eq!(first["control"], again["control"]);
    let (_, other) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            "replay:recorded",
            "--order",
            "rotate:1",
            "--gate",
            "none:fit",
        ],
    );
    assert_eq!(
        other["axes"]["order"]["rotate:1"]["missing"], 10,
        "what was not recorded is missing, not stable"
    );
}

#[test]
fn decide_prints_one_object_and_says_whether_the_order_flipped_it() {
    let (_guard, path) = folder("");
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let words = [
        "decide",
        "--state",
        "{\"text\":\"late parcel\"}",
        "--option",
        "b=billing desk",
        "--option",
        "d=parcel desk",
        "--rules",
        "Pick.",
        "--model",
        &model,
    ];
    let plain = run(&path, &words);
    assert_eq!(plain.code, 0, "{}", plain.err);
    let object: serde_json::Value = serde_json::from_str(&plain.out).unwrap();
    assert_eq!(object["choice"], "b");
    assert_eq!(object["confidence"], 0.9);
    assert!(object["ms"].as_f64().unwrap() >= 0.0);
    assert!(object.get("flipped").is_none());
    let mut ordered = words.to_vec();
    ordered.extend(["--order", "check"]);
    let ordered = run(&path, &ordered);
    let object: serde_json::Value = serde_json::from_str(&ordered.out).unwrap();
    assert_eq!(object["flipped"], true);
    assert_eq!(object["asks"][0]["order"], serde_json::json!(["d", "b"]));
    assert_eq!(object["asks"][0]["choice"], "d");
    assert_eq!(object["asks"][1]["flip"], false);
}

#[test]
fn models_lists_what_there_is_and_asks_one_whether_it_answers_now() {
    let (_guard, path) = folder("");
    let list = run(&path, &["models"]);
    assert_eq!(list.code, 0);
    for name in [
        "overlap",
        "slot:K",
        "systemone:URL",
        "exec:COMMAND",
        "replay:RUN",
        "jev",
    ] {
        assert!(list.out.contains(name), "{name} in {}", list.out);
    }
    let server = Standin::builder().policy(Policy::Overlap).start().unwrap();
    let asked = run(&path, &["models", &format!("systemone:{}", server.url())]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(
        asked.out.contains("`delivery` to a small question"),
        "{}",
        asked.out
    );
    server.stop();
    let dead = run(&path, &["models", &format!("systemone:{}", server.url())]);
    assert_eq!(dead.code, 3);
    assert!(dead.err.contains("refused the connection"), "{}", dead.err);
}
