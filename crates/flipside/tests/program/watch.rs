//! `flipside probe --watch` and `--quiet`: real processes, real files, a real server.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::time::Duration;

use flipside_standin::{Policy, Standin};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{eight_cases, folder, json, launch, model, read, run_line, unlabelled};

/// The lines of standard error, as they come.
fn said(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let err = child.stderr.take().unwrap();
    BufReader::new(err).lines().map(Result::unwrap)
}

fn next(lines: &mut impl Iterator<Item = String>, part: &str) -> String {
    let mut found = Vec::new();
    for line in lines {
        if line.contains(part) {
            return line;
        }
        found.push(line);
    }
    panic!("{part} does not come: {found:?}");
}

#[test]
fn a_changed_file_is_probed_again_and_only_what_is_new_is_asked() {
    let (_guard, path) = folder(&unlabelled(4));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let at = model(&server);
    let words = [
        "probe",
        "cases.jsonl",
        "--order",
        "check",
        "--no-canary",
        "--no-confirm",
        "--model",
        &at,
        "--watch",
        "--out",
        "runs",
    ];
    let mut child = launch(&path, &words);
    let mut lines = said(&mut child);
    next(&mut lines, "watching `cases.jsonl`, Ctrl-C ends");
    // Four cases in their own order, two others and once more.
    assert_eq!(server.count(), 16);
    // One case more, before the others, so that every line moves.
    let more = unlabelled(5);
    let last = more.lines().last().unwrap();
    std::fs::write(
        path.join("cases.jsonl"),
        format!("{last}\n{}", unlabelled(4)),
    )
    .unwrap();
    let told = next(&mut lines, "watching");
    assert_eq!(
        told,
        "4 new answers, the others kept; watching `cases.jsonl`, Ctrl-C ends"
    );
    assert_eq!(server.count(), 20);
    // Each round is a whole run, with every answer in its journal.
    for (round, asks) in [(1, 16), (2, 20)] {
        let summary = json(&path, &format!("runs/round-{round}/summary.json"));
        assert_eq!(summary["counts"]["answered"], asks);
        assert_eq!(
            read(&path, &format!("runs/round-{round}/asks.jsonl"))
                .lines()
                .count(),
            asks
        );
    }
    // What was kept was paid for once.
    let cost = json(&path, "runs/round-2/summary.json")["cost"].clone();
    assert_eq!(cost["asks"], 4);
    kill(
        Pid::from_raw(i32::try_from(child.id()).unwrap()),
        Signal::SIGINT,
    )
    .unwrap();
    // Every unlabelled case flips: the gates did not hold.
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_file_that_is_broken_for_a_while_is_told_and_waited_for() {
    let (_guard, path) = folder(&eight_cases());
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        "overlap",
        "--order",
        "reverse",
        "--watch",
    ];
    let mut child = launch(&path, &words);
    let mut lines = said(&mut child);
    next(&mut lines, "watching");
    std::fs::write(path.join("cases.jsonl"), "{\"id\":").unwrap();
    next(&mut lines, "error: cases.jsonl:1:7: expected a JSON value");
    next(&mut lines, "watching");
    // An editor that writes a new file and renames it.
    std::fs::write(path.join("new"), eight_cases()).unwrap();
    std::fs::rename(path.join("new"), path.join("cases.jsonl")).unwrap();
    assert_eq!(
        next(&mut lines, "watching"),
        "0 new answers, the others kept; watching `cases.jsonl`, Ctrl-C ends"
    );
    kill(
        Pid::from_raw(i32::try_from(child.id()).unwrap()),
        Signal::SIGINT,
    )
    .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_interrupt_while_asking_leaves_a_run_to_go_on_with() {
    let (_guard, path) = folder(&unlabelled(3));
    let server = Standin::builder()
        .policy(Policy::First)
        .delay(Duration::from_millis(400))
        .start()
        .unwrap();
    let at = model(&server);
    let words = [
        "probe",
        "cases.jsonl",
        "--order",
        "reverse",
        "--no-canary",
        "--concurrency",
        "1",
        "--model",
        &at,
        "--watch",
        "--out",
        "runs",
    ];
    let mut child = launch(&path, &words);
    let mut lines = said(&mut child);
    // Then the run listens for interrupts.
    while server.count() == 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    kill(
        Pid::from_raw(i32::try_from(child.id()).unwrap()),
        Signal::SIGINT,
    )
    .unwrap();
    next(&mut lines, "interrupted");
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(path.join("runs/round-1/asks.jsonl").exists());
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let (_guard, path) = folder(&eight_cases());
    let error = |words: &str| {
        let ran = run_line(&path, &format!("probe {words} --watch"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        ran.err
    };
    assert_eq!(
        error("builtin:ticket-router"),
        "error: `--watch`: no case file is named that could change\nhelp: name a file, or leave `--watch` out\n"
    );
    assert_eq!(
        error("cases.jsonl -"),
        "error: `--watch`: standard input can be read once only\n"
    );
    assert_eq!(
        error("cases.jsonl --dry-run"),
        "error: `--watch` and `--dry-run` do not go together\n"
    );
}

#[test]
fn quiet_prints_the_gates_and_nothing_else() {
    let (_guard, path) = folder(&eight_cases());
    let ran = run_line(
        &path,
        "probe cases.jsonl --model first --order check --quiet",
    );
    let whole = run_line(&path, "probe cases.jsonl --model first --order check");
    let gates: Vec<&str> = whole
        .out
        .lines()
        .filter(|line| line.starts_with("gates "))
        .collect();
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(ran.out, format!("{}\n", gates[0]));
    assert!(whole.out.lines().count() > 5);
    // Errors are told all the same.
    let ran = run_line(&path, "probe none.jsonl --quiet");
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    let several = run_line(
        &path,
        "probe cases.jsonl --model first --model overlap --order check -q",
    );
    let lines: Vec<&str> = several.out.lines().collect();
    assert_eq!(lines.len(), 4, "{}", several.out);
    assert!(
        lines[0].starts_with("model  first") && lines[2].starts_with("model  overlap"),
        "{}",
        several.out
    );
}
