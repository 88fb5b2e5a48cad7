//! How fast recorded answers are compared, against reading the same bytes alone, and how much memory that needs.
//!
//! `cargo bench -p flipside --bench compare` prints seconds, ratios and the peak of the real binary; nothing here fails on a slow
//! machine.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints its figures and stops where something is missing"
)]

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Recorded pairs.
const PAIRS: usize = 100_000;
/// Rounds of each figure, of which the middle one is told.
const ROUNDS: usize = 5;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, compare, rest @ ..] = &words[..]
        && compare == "--once"
    {
        once(rest);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    results(path, "baseline.jsonl", false);
    results(path, "variant.jsonl", true);
    cases(path, "cases.jsonl", false);
    cases(path, "cases-flip.jsonl", true);
    table(path, "answers.csv");
    let files = ["baseline.jsonl", "variant.jsonl"];
    told(path, "results", &files, &[]);
    let with_cases = [
        "--cases",
        "cases.jsonl",
        "--variant-cases",
        "cases-flip.jsonl",
    ];
    let all = [&files[..], &["cases.jsonl", "cases-flip.jsonl"]].concat();
    told(path, "with cases", &all, &with_cases);
    told(path, "table", &["answers.csv"], &[]);
    told(
        path,
        "and --json",
        &["answers.csv"],
        &["--json", "summary.json"],
    );
}

/// A share between 0 and 1 that depends on nothing but the case and the side.
fn share(case: usize, reversed: bool) -> f64 {
    let mixed = (case * 2 + usize::from(reversed)).wrapping_mul(2_654_435_761) % 10_000;
    (mixed.clamp(1, 9_998) as f64) / 10_000.0
}

fn results(path: &Path, name: &str, reversed: bool) {
    let mut text = String::new();
    for case in 0..PAIRS {
        let p = share(case, reversed);
        let choice = if p >= 0.5 { "cheap" } else { "strong" };
        let other = 1.0 - p;
        writeln!(
            text,
            "{{\"id\": \"L{case:06}\", \"track\": \"A_model_router\", \"dataset\": \"made\", \"lang\": \"en\", \"option_count\": 2, \"ok\": true, \
             \"ms\": 40.3, \"model\": \"english\", \"mean_confidence\": null, \"answers\": {{\"route\": {{\"type\": \"choice\", \
             \"choice\": \"{choice}\", \"confidence\": 0.5, \"probabilities\": {{\"cheap\": {p:.4}, \"strong\": {other:.4}}}}}}}, \"error\": null}}"
        )
        .unwrap();
    }
    std::fs::write(path.join(name), text).unwrap();
}

fn cases(path: &Path, name: &str, reversed: bool) {
    let mut text = String::new();
    for case in 0..PAIRS {
        let gold = if case % 2 == 0 { "cheap" } else { "strong" };
        let criteria = if reversed {
            "\"strong\": \"a large model\", \"cheap\": \"a small model\""
        } else {
            "\"cheap\": \"a small model\", \"strong\": \"a large model\""
        };
        writeln!(
            text,
            "{{\"id\": \"L{case:06}\", \"track\": \"A_model_router\", \"dataset\": \"made\", \"lang\": \"en\", \"option_count\": 2, \"state\": \
             \"Request {case}: summarise the attached report in three sentences and name its author.\", \"questions\": {{\"route\": \
             {{\"type\": \"choice\", \"instructions\": \"Which model is enough?\", \"criteria\": {{{criteria}}}}}}}, \"gold\": {{\"route\": \"{gold}\"}}}}"
        )
        .unwrap();
    }
    std::fs::write(path.join(name), text).unwrap();
}

fn table(path: &Path, name: &str) {
    let mut text =
        "id,gold,choice_original,p_cheap_original,choice_reversed,p_cheap_reversed\n".to_owned();
    for case in 0..PAIRS {
        let [own, other] = [false, true].map(|reversed| share(case, reversed));
        let choice = |p: f64| if p >= 0.5 { "cheap" } else { "strong" };
        let gold = choice(case as f64 % 2.0);
        let (first, second) = (choice(own), choice(other));
        writeln!(
            text,
            "L{case:06},{gold},{first},{own:.4},{second},{other:.4}"
        )
        .unwrap();
    }
    std::fs::write(path.join(name), text).unwrap();
}

/// Prints how long comparing the first files takes, beside parsing every byte that it reads.
fn told(path: &Path, what: &str, files: &[&str], flags: &[&str]) {
    let sides: Vec<&str> = files.iter().take(2).copied().collect();
    let mut rounds: Vec<(f64, f64, f64)> = (0..ROUNDS)
        .map(|_| {
            let (seconds, peak) = compare(path, &sides, flags);
            (seconds, peak, parse(path, files))
        })
        .collect();
    rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (seconds, peak, parsing) = rounds[rounds.len() / 2];
    println!(
        "{what:<10} 100,000 pairs: {seconds:.2} s (bound 2 s), {:.1} times parsing the same bytes ({parsing:.2} s); peak {peak:.0} MB (bound 200 MB)",
        seconds / parsing
    );
}

/// Seconds and peak memory in MB of one comparison.
///
/// The peak of children is that of the largest so far, so each comparison is the child of a process of its own.
fn compare(path: &Path, sides: &[&str], flags: &[&str]) -> (f64, f64) {
    let output = Command::new(std::env::current_exe().unwrap())
        .current_dir(path)
        .arg("--once")
        .args(sides)
        .args(flags)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (seconds, peak) = text.trim().split_once(' ').unwrap();
    (seconds.parse().unwrap(), peak.parse().unwrap())
}

fn once(words: &[String]) {
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_flipside"))
        .arg("compare")
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    let seconds = start.elapsed().as_secs_f64();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    let usage =
        nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).unwrap();
    println!("{seconds} {}", usage.max_rss() as f64 * 1024.0 / 1e6);
}

/// Seconds that the parser alone needs for the bytes of `files`, row by row; of a table, splitting it into its cells.
fn parse(path: &Path, files: &[&str]) -> f64 {
    let start = Instant::now();
    let mut parts = 0;
    for file in files {
        let text = std::fs::read_to_string(path.join(file)).unwrap();
        for line in text.lines() {
            parts += if line.starts_with('{') {
                let value = flipside_formats::json::parse(line).unwrap();
                value.as_object().unwrap().members().len()
            } else {
                line.split(',').filter(|cell| !cell.is_empty()).count()
            };
        }
    }
    assert!(parts >= PAIRS);
    start.elapsed().as_secs_f64()
}
