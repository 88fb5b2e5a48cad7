//! What is written, where, and what is left alone.

use std::time::Duration;

use flipside_standin::{Dialect, Fault, Policy, Standin, When};

use crate::support::{
    faulty, flipside, folder, launch, probe, probe_line, ran, read, run, run_line, unlabelled,
};

#[test]
fn exit_2_leaves_json_and_folders_as_they_were() {
    let (_guard, path) = folder(&unlabelled(3));
    let base = [
        "probe",
        "cases.jsonl",
        "--model",
        "first",
        "--gate",
        "none:fit",
        "--out",
        "a",
    ];
    assert_eq!(run(&path, &base).code, 0);
    std::fs::write(path.join("keep.json"), "precious").unwrap();
    for json in ["keep.json", "new.json"] {
        let mut other = base.to_vec();
        other.extend(["--order", "reverse", "--json", json]);
        assert_eq!(run(&path, &other).code, 2);
    }
    assert_eq!(read(&path, "keep.json"), "precious");
    assert!(!path.join("new.json").exists());
    let words = "probe cases.jsonl --model first --out fresh --json no-such-folder/s.json";
    assert_eq!(run_line(&path, words).code, 2);
    assert!(!path.join("fresh").exists());
}

#[test]
fn json_never_replaces_what_was_read() {
    let (_guard, path) = folder(&unlabelled(3));
    let before = std::fs::read(path.join("cases.jsonl")).unwrap();
    let ran = run(&path, &["probe", "cases.jsonl", "--json", "./cases.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err
            .starts_with("error: `--json ./cases.jsonl` is a file of this run\n"),
        "{}",
        ran.err
    );
    assert_eq!(std::fs::read(path.join("cases.jsonl")).unwrap(), before);
}

#[test]
fn a_shorter_summary_replaces_a_longer_one_whole() {
    let (_guard, path) = folder(&unlabelled(3));
    std::fs::write(path.join("s.json"), "x".repeat(1_000_000)).unwrap();
    assert_eq!(
        run(
            &path,
            &[
                "probe",
                "cases.jsonl",
                "--gate",
                "none:fit",
                "--json",
                "s.json"
            ]
        )
        .code,
        0
    );
    let text = std::fs::read(path.join("s.json")).unwrap();
    assert!(serde_json::from_slice::<serde_json::Value>(&text).is_ok());
}

#[test]
fn standard_output_that_takes_nothing_is_an_error_and_a_closed_pipe_is_not() {
    let (_guard, path) = folder(&unlabelled(3));
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let words = ["probe", "cases.jsonl", "--gate", "none:fit"];
    let output = flipside()
        .current_dir(&path)
        .args(words)
        .stdout(full)
        .output()
        .unwrap();
    let full = ran(&output);
    assert_eq!(full.code, 3);
    assert!(
        full.err
            .contains("error: standard output cannot be written: "),
        "{}",
        full.err
    );
    let mut child = launch(&path, &words);
    drop(child.stdout.take());
    assert_eq!(ran(&child.wait_with_output().unwrap()).code, 0);
}

#[test]
fn the_command_that_goes_on_with_several_models_asks_nothing_again() {
    let (_guard, path) = folder(&unlabelled(6));
    let server = faulty(Policy::First, Fault::Status(401), When::Nth(5));
    let model = format!("systemone:{}", server.url());
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--model",
        "first",
        "--gate",
        "none:fit",
        "--concurrency",
        "1",
    ];
    let stopped = run(&path, &words);
    assert_eq!(stopped.code, 3, "{}", stopped.err);
    let again = stopped
        .err
        .split("repeat `")
        .nth(1)
        .unwrap()
        .split('`')
        .next()
        .unwrap();
    let out = again.rsplit("--out ").next().unwrap();
    let mut words = words.to_vec();
    words.extend(["--out", out]);
    let sent = server.count();
    let resumed = run(&path, &words);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(
        resumed.err.contains(": 4 of 6 asks are in its journal"),
        "{}",
        resumed.err
    );
    assert_eq!(server.count() - sent, 2);
}

#[test]
fn asks_that_failed_for_lack_of_an_answer_are_asked_again_by_the_same_command() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = Standin::builder()
        .policy(Policy::Content)
        .fault(Fault::Status(500), When::Nth(4))
        .fault(Fault::MissingOption, When::Nth(7))
        .start()
        .unwrap();
    let model = format!("systemone:{}", server.url());
    let words =
        format!("cases.jsonl --model {model} --gate none:fit --concurrency 1 --retries 0 --out a");
    let (_, first) = probe_line(&path, &words);
    assert_eq!(
        (&first["counts"]["failed"], server.count()),
        (&2.into(), 10)
    );
    let (_, second) = probe_line(&path, &words);
    assert_eq!(
        second["counts"]["failed"], 1,
        "a broken reply was an answer"
    );
    assert_eq!(server.count(), 11);
    let (_, third) = probe_line(&path, &words);
    assert_eq!(
        crate::support::timeless(second),
        crate::support::timeless(third)
    );
    assert_eq!(server.count(), 11);
}

#[test]
fn an_error_of_a_busy_backend_inside_a_success_is_asked_again_too() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = Standin::builder()
        .dialect(Dialect::Openrouter)
        .policy(Policy::Content)
        .fault(Fault::ErrorInOk, When::Nth(4))
        .start()
        .unwrap();
    let model = format!("systemone:{}", server.url());
    let words =
        format!("cases.jsonl --model {model} --gate none:fit --concurrency 1 --retries 0 --out a");
    let (ran, first) = probe_line(&path, &words);
    assert!(ran.out.contains("error 429"), "{}", ran.out);
    assert_eq!(first["counts"]["failed"], 1);
    let (_, second) = probe_line(&path, &words);
    assert_eq!(
        (&second["counts"]["failed"], server.count()),
        (&0.into(), 11)
    );
}

#[test]
fn a_small_file_on_a_backend_that_only_fails_is_no_finished_run() {
    let (_guard, path) = folder(&unlabelled(3));
    let server = Standin::builder()
        .fault(Fault::Status(500), When::Always)
        .start()
        .unwrap();
    let model = format!("systemone:{}", server.url());
    let words = format!("cases.jsonl --model {model} --gate none:fit --retries 0 --out a");
    let (ran, summary) = probe_line(&path, &words);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert_eq!(summary["counts"]["unasked"], 3);
    assert!(
        ran.err.contains("help: see that it answers and repeat `"),
        "{}",
        ran.err
    );
}

#[test]
fn an_interrupt_while_the_last_answer_is_under_way_loses_nothing() {
    let (_guard, path) = folder("");
    let server = Standin::builder()
        .policy(Policy::First)
        .delay(Duration::from_millis(700))
        .start()
        .unwrap();
    let model = format!("systemone:{}", server.url());
    let words = [
        "decide", "--state", "{}", "--option", "a=1", "--option", "b=2", "--rules", "r", "--model",
        &model,
    ];
    let child = launch(&path, &words);
    while server.count() < 1 {
        std::thread::yield_now();
    }
    let id = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
    let ended = ran(&child.wait_with_output().unwrap());
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.out.contains("\"choice\":\"a\""), "{}", ended.out);
}

#[test]
fn json_never_replaces_a_journal_a_replayed_run_or_a_rule_file() {
    let (_guard, path) = folder(&unlabelled(3));
    std::fs::write(path.join("rules.jsonl"), "{\"choose\":\"a\"}\n").unwrap();
    let base = ["probe", "cases.jsonl", "--gate", "none:fit"];
    let with = |extra: &[&str]| {
        let mut words = base.to_vec();
        words.extend(extra);
        run(&path, &words).code
    };
    assert_eq!(with(&["--model", "first", "--out", "a"]), 0);
    std::fs::hard_link(path.join("cases.jsonl"), path.join("linked.jsonl")).unwrap();
    let before = std::fs::read(path.join("a/asks.jsonl")).unwrap();
    assert_eq!(
        with(&["--model", "first", "--out", "a", "--json", "a/asks.jsonl"]),
        2
    );
    assert_eq!(with(&["--model", "replay:a", "--json", "a/run.json"]), 2);
    assert_eq!(
        with(&["--model", "rule:rules.jsonl", "--json", "rules.jsonl"]),
        2
    );
    assert_eq!(with(&["--json", "linked.jsonl"]), 2);
    assert_eq!(std::fs::read(path.join("a/asks.jsonl")).unwrap(), before);
    assert_eq!(
        with(&["--json", "/dev/null"]),
        0,
        "a device has nothing to cut"
    );
}

#[test]
fn a_replay_takes_the_later_answer_of_an_ask_that_was_asked_again() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = faulty(Policy::Content, Fault::Status(500), When::Nth(4));
    let model = format!("systemone:{}", server.url());
    let words =
        format!("cases.jsonl --model {model} --gate none:fit --concurrency 1 --retries 0 --out a");
    assert_eq!(probe_line(&path, &words).1["counts"]["failed"], 1);
    assert_eq!(probe_line(&path, &words).1["counts"]["failed"], 0);
    let (_, replayed) = probe(
        &path,
        &["cases.jsonl", "--model", "replay:a", "--gate", "none:fit"],
    );
    assert_eq!(replayed["counts"]["answered"], 10);
}

#[test]
fn one_ask_that_never_gets_an_answer_leaves_the_verdict_as_it_was() {
    let (_guard, path) = folder(&unlabelled(10));
    let first = faulty(Policy::Content, Fault::Status(500), When::Nth(4));
    let port: u16 = first.origin().rsplit(':').next().unwrap().parse().unwrap();
    let model = format!("systemone:{}", first.url());
    let words = format!(
        "cases.jsonl --model {model} --order reverse --gate none:fit --concurrency 1 --retries 0 --out a"
    );
    let (before, _) = probe_line(&path, &words);
    drop(first);
    let _second = Standin::builder()
        .fault(Fault::Status(500), When::Always)
        .port(port)
        .start()
        .unwrap();
    let (after, summary) = probe_line(&path, &words);
    assert_eq!((before.code, after.code), (1, 1), "{}", after.err);
    assert_eq!(summary["complete"], true);
}

#[test]
fn models_with_like_names_have_folders_of_their_own() {
    let (_guard, path) = folder(&unlabelled(3));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let (one, two) = (
        format!("systemone:{}", server.url()),
        format!("systemone:{}/", server.url()),
    );
    let ran = run(
        &path,
        &[
            "probe",
            "cases.jsonl",
            "--model",
            &one,
            "--model",
            &two,
            "--gate",
            "none:fit",
            "--out",
            "a",
        ],
    );
    assert_ne!(ran.code, 2, "{}", ran.err);
    let entries = std::fs::read_dir(path.join("a")).unwrap();
    let folders = entries.filter(|entry| entry.as_ref().unwrap().path().is_dir());
    assert_eq!(folders.count(), 2);
}
