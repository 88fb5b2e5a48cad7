//! What the documents show is what the program prints.

use std::path::Path;

use flipside_core::perturb::{AXIS_FORMS, Axis};

use crate::support::{folder, run, run_line};

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap()
}

#[test]
fn the_readmes_first_result_is_what_its_first_command_prints() {
    let (_guard, path) = folder("");
    let words = ["probe", "builtin:ticket-router", "--order", "check"];
    assert!(readme().contains(&format!(
        "cargo run --release -p flipside -- {}",
        words.join(" ")
    )));
    let ran = run(&path, &words);
    assert_eq!(ran.code, 0);
    let shown: String = ran
        .out
        .lines()
        .map(|line| {
            if line.is_empty() {
                "\n".to_owned()
            } else {
                format!("    {line}\n")
            }
        })
        .collect();
    assert!(readme().contains(&shown), "{shown}");
    let mut first = words.to_vec();
    first.extend(["--model", "first"]);
    let first = run(&path, &first);
    for line in first.out.lines().filter(|line| {
        ["order ", "same ", "gates "]
            .iter()
            .any(|start| line.starts_with(start))
    }) {
        assert!(readme().contains(&format!("    {line}\n")), "{line}");
    }
}

#[test]
fn the_readmes_axes_are_those_of_the_program_with_their_gates() {
    let readme = readme();
    let rows: Vec<Vec<&str>> = readme
        .lines()
        .skip_while(|line| !line.starts_with("| axis |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let axes = Axis::CHANGES
        .into_iter()
        .filter(|axis| !matches!(axis, Axis::Order | Axis::Cross | Axis::Unrecorded));
    assert_eq!(rows.len(), axes.clone().count());
    for axis in axes {
        let name = format!("`{}`", axis.name());
        let row = rows
            .iter()
            .find(|row| row[1] == name)
            .unwrap_or_else(|| panic!("no row {name}"));
        let gate = if axis.is_gated() { "5 %" } else { "none" };
        assert_eq!(row[4], gate, "{name}");
        let entry = |entry: &&str| entry.split(['[', ' ']).next() == Some(axis.name());
        let forms = AXIS_FORMS.split(", ").find(entry).unwrap();
        for value in forms
            .trim_start_matches(axis.name())
            .trim_matches([':', '[', ']'])
            .split('|')
            .filter(|value| !value.is_empty())
        {
            assert!(row[3].contains(&format!("`{value}`")), "{name}: {value}");
        }
    }
}

#[test]
fn the_readmes_result_on_several_axes_is_what_its_command_prints() {
    let readme = readme();
    let command = readme
        .lines()
        .find(|line| line.contains("probe examples/tickets.jsonl --order"))
        .unwrap();
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let ran = run(&root, &words);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let lines = ran.out.lines();
    let lines = lines.skip_while(|line| !line.starts_with("order "));
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let shown = format!("    {}\n", lines.join("\n    "));
    assert!(shown.contains("gates "), "{shown}");
    assert!(readme.contains(&shown), "{shown}");
}

#[test]
fn every_command_of_the_readme_and_the_examples_page_is_one_that_the_program_has() {
    let (_guard, path) = folder("");
    let examples = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/README.md"),
    )
    .unwrap();
    let text = readme() + &examples;
    let mut checked = 0;
    for flag in text
        .split_whitespace()
        .filter_map(|word| word.trim_matches('`').strip_prefix("--"))
    {
        let name = flag.trim_end_matches([',', '.', '`', ':', ';']);
        if ["release", "workspace", "policy", "delay"].contains(&name) || name.is_empty() {
            continue;
        }
        let commands = [
            "probe",
            "reask",
            "decide",
            "compare",
            "report",
            "suite generate",
            "suite run",
            "suite score",
        ];
        let known = commands.iter().any(|command| {
            let help = run_line(&path, &format!("{command} --help"));
            help.out.contains(&format!("--{name}"))
        });
        assert!(known, "--{name}");
        checked += 1;
    }
    assert!(checked > 10);
}

#[test]
fn the_examples_do_what_their_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (_guard, out) = folder("");
    let ran = |words: &[&str]| run(&root, words);
    assert_eq!(
        ran(&["probe", "examples/tickets.jsonl", "--order", "check"]).code,
        0
    );
    let rules = ran(&[
        "probe",
        "examples/tickets.jsonl",
        "--model",
        "rule:examples/rules.jsonl",
    ]);
    assert!(rules.out.contains("fit "), "{}", rules.err);
    let listed = ran(&[
        "probe",
        "examples/tickets.jsonl",
        "--model",
        "first",
        "--order",
        "list:examples/orders.jsonl",
    ]);
    assert!(
        listed.out.contains("list:1") && listed.out.contains("list:2"),
        "{}",
        listed.out
    );
    let folder = out.join("run");
    let adapter = ran(&[
        "probe",
        "examples/tickets.jsonl",
        "--model",
        "exec:python3 examples/exec_adapter.py",
        "--order",
        "check",
        "--out",
        folder.to_str().unwrap(),
    ]);
    if std::process::Command::new("python3")
        .arg("--version")
        .output()
        .is_ok()
    {
        assert!(
            adapter.out.contains("0/8 flipped"),
            "{}\n{}",
            adapter.out,
            adapter.err
        );
    }
}
