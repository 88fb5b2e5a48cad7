//! Killed at random moments and resumed: nothing lost, nothing asked twice, the same summary.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::support::{
    faulty, flipside, folder, json, json_lines, probe, ran, read, run, run_line, timeless,
    unlabelled,
};
use flipside_standin::{Fault, Policy, Standin, When};

const ORDERS: &str = "reverse,rotate:1,random:2,same:1";

/// How often each exact request reached the server.
fn requests(server: &Standin) -> BTreeMap<Vec<u8>, usize> {
    let mut counts = BTreeMap::new();
    for seen in server.seen() {
        *counts.entry(seen.body).or_insert(0) += 1;
    }
    counts
}

fn summary(path: &std::path::Path, out: &str) -> serde_json::Value {
    timeless(json(path, &format!("{out}/summary.json")))
}

#[test]
fn a_run_killed_at_twenty_moments_and_resumed_is_the_undisturbed_one() {
    let (_guard, path) = folder(&unlabelled(40));
    let calm = Standin::builder().policy(Policy::Content).start().unwrap();
    let words = |url: &str, out: &str| -> Vec<String> {
        let model = format!("systemone:{url}");
        [
            "probe",
            "cases.jsonl",
            "--model",
            &model,
            "--order",
            ORDERS,
            "--gate",
            "none:fit",
            "--out",
            out,
            "--concurrency",
            "4",
        ]
        .map(str::to_owned)
        .to_vec()
    };
    let undisturbed = ran(&flipside()
        .current_dir(&path)
        .args(words(&calm.url(), "calm"))
        .output()
        .unwrap());
    assert_eq!(undisturbed.code, 0, "{}", undisturbed.err);
    let expected = summary(&path, "calm");

    let server = Standin::builder()
        .policy(Policy::Content)
        .delay(Duration::from_millis(40))
        .start()
        .unwrap();
    let command = words(&server.url(), "killed");
    let mut killed = 0;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    while killed < 20 {
        let mut child = flipside()
            .current_dir(&path)
            .args(&command)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // A fixed sequence of moments, from before the first ask to well into the run.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let until = Instant::now() + Duration::from_millis(5 + (state >> 33) % 60);
        while Instant::now() < until {
            std::thread::yield_now();
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
    }
    assert_eq!(killed, 20, "the run outlasts twenty kills");
    let journal_before =
        std::fs::read_to_string(path.join("killed/asks.jsonl")).unwrap_or_default();
    let sent_before = requests(&server);
    let resumed = ran(&flipside()
        .current_dir(&path)
        .args(&command)
        .output()
        .unwrap());
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    let mut found = summary(&path, "killed");
    let mut expected = expected;
    // The two servers have two addresses; nothing else may differ.
    for summary in [&mut found, &mut expected] {
        summary["model"] = serde_json::Value::Null;
    }
    assert_eq!(found, expected);

    // What was whole in the journal is there still, unchanged, and was not asked again.
    let journal = read(&path, "killed/asks.jsonl");
    let whole = journal_before
        .rfind('\n')
        .map_or("", |end| &journal_before[..=end]);
    assert!(journal.starts_with(whole));
    let asked_again = requests(&server);
    for line in whole.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if let (Some(request), true) = (line["request"].as_str(), line["axis"] == "order") {
            let bytes = request.as_bytes();
            assert_eq!(
                asked_again.get(bytes),
                sent_before.get(bytes),
                "asked again: {request}"
            );
        }
    }
    let lines = json_lines(&journal);
    let mut asks: Vec<u64> = lines
        .iter()
        .map(|line| line["ask"].as_u64().unwrap())
        .collect();
    asks.sort_unstable();
    assert_eq!(
        asks,
        (0..asks.len() as u64).collect::<Vec<_>>(),
        "each planned ask stands there once"
    );
}

#[test]
fn a_backend_that_dies_ends_the_run_with_exit_3_and_everything_is_kept() {
    let (_guard, path) = folder(&unlabelled(30));
    let alive = Standin::builder()
        .policy(Policy::First)
        .delay(Duration::from_millis(5))
        .start()
        .unwrap();
    let model = format!("systemone:{}", alive.url());
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--order",
        "reverse,same:1",
        "--gate",
        "none:fit",
        "--out",
        "dead",
    ];
    let mut child = flipside();
    let child = child
        .current_dir(&path)
        .args(words)
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let child = child.spawn().unwrap();
    while alive.count() < 25 {
        std::thread::yield_now();
    }
    alive.stop();
    let ended = ran(&child.wait_with_output().unwrap());
    assert_eq!(ended.code, 3, "{}\n{}", ended.out, ended.err);
    assert!(ended.err.contains("error: stopped after "), "{}", ended.err);
    assert!(
        ended.err.contains("refused the connection 3 times"),
        "{}",
        ended.err
    );
    assert!(
        ended.err.contains("help: start it and repeat `"),
        "{}",
        ended.err
    );
    assert!(
        ended.err.contains("are kept and will not be asked again"),
        "{}",
        ended.err
    );
    let kept = read(&path, "dead/asks.jsonl");
    let kept_lines = kept.lines().count();
    assert!(kept_lines > 0);
    assert!(
        kept.lines().all(|line| line.contains("\"answered\"")),
        "no failure is kept as an answer"
    );

    // The same address answers again, with the same policy.
    let port = alive.origin().rsplit(':').next().unwrap().parse().unwrap();
    drop(alive);
    let again = Standin::builder()
        .policy(Policy::First)
        .port(port)
        .start()
        .unwrap();
    let resumed = run(&path, &words);
    assert_eq!(resumed.code, 1, "{}", resumed.err);
    assert_eq!(
        again.count(),
        90 + 60 - kept_lines,
        "only what was missing is asked, and both orders of 30 flips once more"
    );
    let summary = json(&path, "dead/summary.json");
    assert_eq!(summary["axes"]["order"]["reverse"]["flips"], 30);
    assert_eq!(summary["control"]["flips"], 0);
}

#[test]
fn a_backend_that_only_fails_stops_the_run_and_its_failures_are_asked_again() {
    let (_guard, path) = folder(&unlabelled(40));
    let server = faulty(Policy::First, Fault::Status(400), When::Nth(1));
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
    let (ended, summary) = probe(&path, &words);
    assert_eq!(ended.code, 1, "{}", ended.err);
    assert_eq!(
        summary["counts"]["failed"], 1,
        "a refused request is that ask's own failure"
    );

    let broken = faulty(Policy::First, Fault::Status(500), When::Always);
    let model = format!("systemone:{}", broken.url());
    let words = [
        "cases.jsonl",
        "--model",
        &model,
        "--order",
        "reverse",
        "--gate",
        "none:fit",
        "--retries",
        "0",
        "--out",
        "broken",
    ];
    let (ended, summary) = probe(&path, &words);
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert_eq!(
        summary["counts"]["unasked"], 80,
        "no failure of a dead backend becomes a missing answer"
    );
    assert_eq!(read(&path, "broken/asks.jsonl"), "");
}

#[test]
fn a_torn_last_line_is_dropped_and_its_ask_is_asked_again() {
    let (_guard, path) = folder(&unlabelled(5));
    let server = Standin::builder().policy(Policy::Content).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let words =
        format!("probe cases.jsonl --model {model} --order reverse --gate none:fit --out torn");
    assert_eq!(run_line(&path, &words).code, 0);
    let before = summary(&path, "torn");
    let journal = path.join("torn/asks.jsonl");
    let text = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() - 20]).unwrap();
    let asked = server.count();
    assert_eq!(run_line(&path, &words).code, 0);
    assert_eq!(server.count(), asked + 1);
    assert_eq!(summary(&path, "torn"), before);
    assert!(
        std::fs::read_to_string(&journal)
            .unwrap()
            .lines()
            .all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
    );
}

#[test]
fn a_full_disk_stops_the_run_keeps_whole_lines_and_room_lets_it_go_on() {
    let (_guard, path) = folder(&unlabelled(12));
    let server = Standin::builder().policy(Policy::Content).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--order",
        "reverse,rotate:1",
        "--gate",
        "none:fit",
        "--out",
        "full",
        "--no-canary",
        "--concurrency",
        "2",
    ];
    // No file may grow beyond 8 KiB, and the signal that says so is ignored, so that writing fails as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$@\"";
    let limited = std::process::Command::new("sh")
        .current_dir(&path)
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_flipside")])
        .args(words)
        .output()
        .unwrap();
    let limited = ran(&limited);
    assert_eq!(limited.code, 3, "{}", limited.err);
    assert!(
        limited
            .err
            .contains("the journal cannot be written: `full/asks.jsonl` could not be written: "),
        "{}",
        limited.err
    );
    assert!(
        limited.err.contains("help: make room and repeat `"),
        "{}",
        limited.err
    );
    let kept = read(&path, "full/asks.jsonl");
    assert!(kept.ends_with('\n') && !kept.is_empty());
    let sent = server.count();
    let resumed = run(&path, &words);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!(server.count() - sent, 36 - kept.lines().count());
    assert!(
        sent - kept.lines().count() <= 2,
        "only what was in flight is asked again"
    );
}
