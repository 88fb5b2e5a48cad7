//! What is printed about several axes: every line names its own, and what nothing can say is short.

use crate::support::{eight_cases, folder, run, run_line};

const ALL: &str = "keys,descriptions,phrasing,state-keys,whitespace,letter-case,drop,decoy,batch";

/// The most lines of a default report on every axis.
const SCREEN: usize = 48;

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_report_on_every_axis_fits_a_screen_and_names_each() {
    let (_guard, path) = folder("");
    let words = format!("probe builtin:ticket-router --model overlap --order check --axis {ALL}");
    let ran = run_line(&path, &words);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.len() <= SCREEN, "{} lines\n{}", lines.len(), ran.out);
    assert!(
        lines.iter().all(|line| line.chars().count() <= 120),
        "{}",
        ran.out
    );
    for axis in ALL.split(',').chain(["order"]) {
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with(&format!("{axis} "))),
            "{axis} in {}",
            ran.out
        );
    }
    let text = flat(&ran.out);
    assert!(
        text.contains("phrasing - not applicable: the case brings no such rewording (30 cases)"),
        "{text}"
    );
    assert!(text.contains("keys change "), "{text}");
    assert!(!text.contains("order changes"), "no order flipped: {text}");
    assert!(
        ran.err
            .contains("no case can be asked under `phrasing` and `batch`"),
        "{}",
        ran.err
    );
}

#[test]
fn beside_another_axis_the_control_alone_asks_for_no_order() {
    let (_guard, path) = folder(&eight_cases());
    let axis = run_line(
        &path,
        "probe cases.jsonl --order same:1 --axis whitespace:doubled",
    );
    assert_eq!(axis.code, 0, "{}{}", axis.out, axis.err);
    assert!(
        axis.out
            .contains("gates  fit: held   whitespace: held   about this file   exit 0"),
        "{}",
        axis.out
    );
    let alone = run_line(&path, "probe cases.jsonl --order same:1");
    assert_eq!(alone.code, 1);
    assert!(
        alone.out.contains("order: NOT HELD (not measured)"),
        "{}",
        alone.out
    );
}

#[test]
fn a_dry_run_of_every_axis_counts_asks_by_axis_and_references_apart() {
    let (_guard, path) = folder(&eight_cases());
    let words = format!("probe cases.jsonl --order reverse --axis {ALL} --dry-run");
    let ran = run_line(&path, &words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = flat(&ran.out);
    // Of three options the last stands last already, so that two references of eight cases are asked.
    for expected in [
        "drop 0, 1, 2 24 asks 8 pairs each without a flip show `drop<=31.3%` at best",
        "drop references 16 asks what drop is compared with, no pairs",
        "letter-case lower, upper 16 asks 8 pairs each without a flip show `letter-case<=31.3%` at best; limit 5% \
         needs 59",
        "batch - 0 asks not applicable: the question is asked alone (8 cases)",
        "nothing was asked",
    ] {
        assert!(text.contains(expected), "{expected} in {}", ran.out);
    }
    assert!(!text.contains("last:"), "{}", ran.out);
}

#[test]
fn the_command_that_goes_on_names_the_axes() {
    let (_guard, path) = folder(&eight_cases());
    let words = "probe cases.jsonl --axis keys,letter-case --cross=2 --max-asks 5 --out run";
    let ran = run_line(&path, words);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.err.contains(&format!(" {words}`")), "{}", ran.err);
    assert!(
        flat(&ran.out).contains(
            "own order only, axes keys:abstract and letter-case, 2 of their combinations per case"
        ),
        "{}",
        ran.out
    );
}

#[test]
fn the_axis_example_of_the_help_is_a_command() {
    let (_guard, path) = folder(&eight_cases());
    let help = run(&path, &["probe", "--help"]).out;
    let example = help
        .lines()
        .find(|line| line.trim_start().starts_with("flipside probe") && line.contains("--axis"))
        .unwrap_or_else(|| panic!("no example in {help}"));
    let plain = example.trim().replace('\'', "").replace("jev", "overlap");
    let words = plain.trim_start_matches("flipside ");
    let ran = run_line(&path, &format!("{words} --dry-run"));
    assert_eq!(ran.code, 0, "{words}: {}", ran.err);
    // Every form of every axis stands beneath the flags.
    let forms = flipside_core::perturb::AXIS_FORMS;
    assert!(flat(&help).contains(&flat(forms)), "{help}");
}
