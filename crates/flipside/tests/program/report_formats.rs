//! `flipside report` in every format: the same figures everywhere, and what does not go together.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{eight_cases, flipside, folder, json, lines, ran, read, run, run_line};

/// A run of a model that always takes the first option, in `first`.
fn recorded(cases: &str) -> (tempfile::TempDir, PathBuf) {
    let (guard, path) = folder(cases);
    let ran = run_line(
        &path,
        "probe cases.jsonl --model first --order check --axis keys:abstract --out first",
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
    (guard, path)
}

fn report(path: &Path, words: &str) -> String {
    let ran = run_line(path, &format!("report {words}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

/// Every figure of a summary that has flips: axis, variant, flips, pairs.
fn figures(summary: &Value) -> Vec<(String, String, u64, u64)> {
    let axes = summary["axes"].as_object().unwrap().iter();
    let lines = axes.flat_map(|(axis, lines)| {
        let lines = lines.as_object().unwrap().iter();
        lines.map(|(name, line)| {
            let count = |field: &str| line[field].as_u64().unwrap();
            (axis.clone(), name.clone(), count("flips"), count("pairs"))
        })
    });
    lines.collect()
}

/// A table of CSV by the names of its columns; no cell here has a comma, but lists in quotes.
fn table(text: &str) -> Vec<Vec<(String, String)>> {
    let cells = |line: &str| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    let mut rows = text.lines().map(cells);
    let header = rows.next().unwrap();
    rows.map(|row| header.iter().cloned().zip(row).collect())
        .collect()
}

fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    &row.iter().find(|(known, _)| known == name).unwrap().1
}

#[test]
fn every_format_has_the_figures_of_the_summary() {
    let (_guard, path) = recorded(&eight_cases());
    let summary = json(&path, "first/summary.json");
    let figures = figures(&summary);
    assert_eq!(figures.len(), 3, "two orders and one set of keys");
    assert_eq!(
        report(&path, "first --format json"),
        read(&path, "first/summary.json"),
        "JSON to the byte"
    );
    let csv = table(&report(&path, "first --format csv --table figures"));
    let pairs = table(&report(&path, "first --format csv --table pairs"));
    let terminal = report(&path, "first");
    let markdown = report(&path, "first --format markdown");
    let junit = report(&path, "first --format junit");
    for (axis, name, flips, of) in &figures {
        let line = &summary["axes"][axis][name];
        let row = csv
            .iter()
            .find(|row| cell(row, "axis") == axis && cell(row, "variant") == name)
            .unwrap();
        for field in [
            "flips", "pairs", "missing", "rate", "lower", "upper", "verdict",
        ] {
            let expected = line[field].to_string();
            assert_eq!(
                cell(row, field).parse::<f64>().ok(),
                expected.parse::<f64>().ok(),
                "{axis}/{name} {field}"
            );
        }
        assert_eq!(cell(row, "verdict"), line["verdict"].as_str().unwrap());
        for (place, end) in ["interval_lower", "interval_upper"].into_iter().enumerate() {
            let exact: f64 = cell(row, end).parse().unwrap();
            assert_eq!(Some(exact), line["interval"][place].as_f64());
        }
        let of_line = |row: &&Vec<(String, String)>| {
            cell(row, "axis") == axis && cell(row, "variant") == name
        };
        let says = |word: &str| {
            let of = pairs.iter().filter(of_line);
            of.filter(|row| cell(row, "outcome") == word).count() as u64
        };
        assert_eq!((says("flip"), says("flip") + says("same")), (*flips, *of));
        let counted = format!("{flips}/{of} flipped");
        let shown = |text: &str, start: &str| {
            let mut lines = text.lines().filter(|line| {
                let plain = line.replace('|', " ");
                let mut words = plain.split_whitespace();
                words.next() == Some(axis) && words.next() == Some(name)
            });
            assert!(
                lines.any(|line| line.contains(&counted)),
                "{start}: {axis} {name} {counted} in {text}"
            );
        };
        shown(&terminal, "terminal");
        shown(&markdown, "markdown");
    }
    // A case fails on the order axis if any order flipped it.
    let flipped = pairs
        .iter()
        .filter(|row| cell(row, "axis") == "order" && cell(row, "outcome") == "flip");
    let mut cases: Vec<&str> = flipped.map(|row| cell(row, "case")).collect();
    cases.sort_unstable();
    cases.dedup();
    let counts = format!("tests=\"8\" failures=\"{}\" errors=\"0\"", cases.len());
    let suite = junit
        .lines()
        .find(|line| line.contains("<testsuite name=\"first order\""))
        .unwrap();
    assert!(suite.contains(&counts), "{counts} in {suite}");
    // Of every gate the word, and whether it held.
    let gates = table(&report(&path, "first --format csv --table gates"));
    for (row, gate) in gates.iter().zip(summary["gates"].as_array().unwrap()) {
        let (subject, verdict) = (&gate["subject"], gate["verdict"].as_str().unwrap());
        assert_eq!(Some(cell(row, "gate")), subject.as_str());
        assert_eq!(cell(row, "verdict"), verdict);
        assert_eq!(cell(row, "held"), gate["held"].to_string());
        let shown = format!("| {} |", subject.as_str().unwrap());
        assert!(markdown.contains(&shown), "{shown} in {markdown}");
    }
}

#[test]
fn annotations_stand_on_lines_of_the_case_file_and_the_job_summary_goes_where_github_says() {
    let (_guard, path) = recorded(&eight_cases());
    std::fs::write(path.join("job.md"), "# Before\n").unwrap();
    let output = flipside()
        .current_dir(&path)
        .args(["report", "first", "--format", "github"])
        .env("GITHUB_STEP_SUMMARY", "job.md")
        .output()
        .unwrap();
    let found = ran(&output);
    assert_eq!((found.code, found.err.as_str()), (0, ""));
    let commands = found.out.lines();
    assert!(
        commands.clone().all(|line| line.starts_with("::")),
        "{}",
        found.out
    );
    let case = read(&path, "cases.jsonl");
    for line in commands.filter(|line| line.contains("file=")) {
        let (_, rest) = line.split_once("file=cases.jsonl,line=").unwrap();
        let (number, rest) = rest.split_once(',').unwrap();
        let id = rest.strip_prefix("title=case ").unwrap();
        let id = id.split_whitespace().next().unwrap();
        let number: usize = number.parse().unwrap();
        let text = case.lines().nth(number - 1).unwrap();
        assert!(text.contains(&format!("\"id\":\"{id}\"")), "{line}: {text}");
    }
    let markdown = report(&path, "first --format markdown");
    assert_eq!(read(&path, "job.md"), format!("# Before\n{markdown}"));
    // Elsewhere it follows the annotations.
    let plain = flipside()
        .current_dir(&path)
        .args(["report", "first", "--format", "github"])
        .env_remove("GITHUB_STEP_SUMMARY")
        .output()
        .unwrap();
    assert_eq!(ran(&plain).out, format!("{}{markdown}", found.out));
    let named = report(&path, "first --format github --out other.md");
    assert_eq!((named, read(&path, "other.md")), (found.out, markdown));
}

#[test]
fn all_tables_go_into_a_folder_and_one_to_standard_output() {
    let (_guard, path) = recorded(&eight_cases());
    assert_eq!(report(&path, "first --format csv --out tables"), "");
    for name in ["asks", "pairs", "figures", "gates"] {
        let one = report(&path, &format!("first --format csv --table {name}"));
        assert_eq!(read(&path, &format!("tables/{name}.csv")), one);
    }
}

#[test]
fn of_two_runs_the_report_says_what_got_better() {
    let (_guard, path) = recorded(&eight_cases());
    let words =
        "probe cases.jsonl --model overlap --order check --axis keys:abstract --out overlap";
    assert!(run_line(&path, words).code < 2);
    let text = report(&path, "first overlap");
    // Eight flips gone under each order: exact p 2 / 2^8 = 0.0078125; accuracy 2/8 to 8/8: six better, p 2 / 2^6 = 0.03125.
    // Five rows: 5, 4 and 3 times, so that accuracy is not shown better.
    assert!(text.contains(": 2 better and 3 undecided\n"), "{text}");
    let row = text
        .lines()
        .find(|line| line.starts_with("order  reverse") && line.contains("better: "))
        .unwrap();
    assert!(row.contains("8/8 to 0/8 flipped"), "{row}");
    let markdown = report(&path, "first overlap --format markdown");
    assert!(
        markdown.starts_with("## Changed: 2 better and 3 undecided\n"),
        "{markdown}"
    );
    assert!(
        markdown.contains("\n## flipside: 1 of 2 runs held every gate\n"),
        "{markdown}"
    );
    // Of other cases there is nothing to compare, and both runs are reported all the same.
    std::fs::write(
        path.join("other.jsonl"),
        lines(&[eight_cases().lines().next().unwrap().replace("c0", "z0")]),
    )
    .unwrap();
    let words = "probe other.jsonl --model overlap --order reverse --out other";
    assert!(run_line(&path, words).code < 2);
    let text = report(&path, "first other");
    assert!(text.contains("\nchanged  not compared: "), "{text}");
}

#[test]
fn hostile_text_harms_no_format() {
    let text = "<script>alert(1)</script> | `x` \u{202e}\u{1b}[31m ::error::x %0A =1+1 ]]> &amp;";
    let long = "y".repeat(100_000);
    let options = serde_json::json!({ text: "first", long.as_str(): long, "c": text });
    let case = serde_json::json!({
        "id": format!("{text}\n{text}"), "state": long, "options": options, "rules": text, "accept": [text],
    });
    let (_guard, path) = folder(&lines(&[case.to_string()]));
    let words = "probe cases.jsonl --model last --order reverse --out run";
    assert_eq!(run_line(&path, words).code, 1);
    for format in [
        "terminal",
        "markdown",
        "github",
        "junit",
        "csv --table asks",
        "csv --table pairs",
    ] {
        let out = report(&path, &format!("run --format {format}"));
        assert!(!out.contains(['\u{1b}', '\u{202e}']), "{format}");
        let markup = ["markdown", "junit"].contains(&format);
        assert!(!markup || !out.contains("<script>"), "{format}: {out}");
        let cut = !format.starts_with("csv");
        assert!(!cut || out.len() < 20_000, "{format}: {} bytes", out.len());
    }
    let github = report(&path, "run --format github");
    for line in github.lines().filter(|line| line.contains("::error")) {
        let ours = line.starts_with("::error file=cases.jsonl,line=1,title=case ")
            || line.starts_with("::error title=flipside");
        // Elsewhere it is text, in the job summary.
        assert!(ours || !line.starts_with("::"), "{line}");
    }
}

#[test]
fn what_does_not_go_together_is_refused_before_a_run_is_read() {
    let (_guard, path) = folder("");
    let error = |words: &str| {
        let ran = run_line(&path, &format!("report none {words}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        ran.err
    };
    assert_eq!(
        error("--format csv"),
        "error: `--format csv` is four tables: asks, pairs, figures and gates\n\
         help: name one with `--table`, or a folder for all of them with `--out`\n"
    );
    assert_eq!(
        error("--table pairs"),
        "error: `--table pairs` is a table of values\nhelp: add `--format csv`\n"
    );
    assert_eq!(
        error("--table capability --format junit"),
        "error: `--table capability` is Markdown\nhelp: leave `--format` out, or name `markdown`\n"
    );
    assert_eq!(
        error("--format junit --verbose"),
        "error: `--verbose` is for the terminal: every other format has it all\nhelp: leave it out\n"
    );
}

#[test]
fn nothing_is_written_into_a_run() {
    let (_guard, path) = recorded(&eight_cases());
    let before = read(&path, "first/summary.json");
    for words in [
        "--format csv --out first",
        "--format json --out first/summary.json",
    ] {
        let mut all = vec!["report", "first"];
        all.extend(words.split_whitespace());
        let ran = run(&path, &all);
        let named = words.split_whitespace().last().unwrap();
        assert_eq!(
            (ran.code, ran.err),
            (
                2,
                format!(
                    "error: `--out {named}` is `first`, or in it\n\
                     help: name another file; what was recorded stays as it is\n"
                )
            )
        );
    }
    assert_eq!(read(&path, "first/summary.json"), before);
}
