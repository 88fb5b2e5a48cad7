//! `flipside explain`, `flipside completions` and `flipside man`.

use crate::support::{flat, folder, run_line};

#[test]
fn explain_says_what_a_word_means_and_lists_them_without_one() {
    let (_guard, path) = folder("");
    let ran = run_line(&path, "explain cause open");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.starts_with("cause open (also open)\n  "),
        "{}",
        ran.out
    );
    assert!(flat(&ran.out).contains("whether the change or noise is the cause"));
    let list = run_line(&path, "explain");
    assert!(
        list.out.contains("headroom") && list.out.contains("Verdicts\n"),
        "{}",
        list.out
    );
    assert!(
        list.out
            .ends_with("`flipside explain WORD` prints what a word means.\n")
    );
}

#[test]
fn a_word_that_no_report_has_is_refused_with_near_ones() {
    let (_guard, path) = folder("");
    let ran = run_line(&path, "explain headrooms");
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (
            2,
            "",
            "error: no report has the word `headrooms`\nhelp: there is `headroom`; `flipside explain` lists all\n"
        )
    );
    let ran = run_line(&path, "explain qqq");
    assert_eq!(
        ran.err,
        "error: no report has the word `qqq`\nhelp: `flipside explain` lists the words\n"
    );
}

#[test]
fn every_word_of_a_probe_that_begins_a_row_can_be_explained() {
    let (_guard, path) = folder("");
    let words = "probe builtin:ticket-router --order check --axis keys:abstract --verbose";
    let report = run_line(&path, words);
    let mut checked = 0;
    for line in report
        .out
        .lines()
        .take_while(|line| !line.starts_with("flipped "))
    {
        let Some((word, _)) = line.split_once("  ") else {
            continue;
        };
        // A sentence is no name of a row.
        if word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.contains(':') {
            let ran = run_line(&path, &format!("explain {word}"));
            assert_eq!(ran.code, 0, "{word}: {}", ran.err);
            checked += 1;
        }
    }
    assert!(checked > 8, "{}", report.out);
}

#[test]
fn every_shell_has_completions_that_know_the_commands() {
    let (_guard, path) = folder("");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run_line(&path, &format!("completions {shell}"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shell}");
        for word in ["probe", "reask", "max-orders"] {
            assert!(ran.out.contains(word), "{shell}: {word}");
        }
    }
    // What bash is given is a script that bash reads.
    let script = run_line(&path, "completions bash").out;
    std::fs::write(path.join("flipside.bash"), script).unwrap();
    let read = std::process::Command::new("bash")
        .current_dir(&path)
        .args(["-c", ". ./flipside.bash && complete -p flipside"])
        .output()
        .unwrap();
    assert!(read.status.success(), "{read:?}");
}

#[test]
fn there_is_a_manual_page_of_every_command() {
    let (_guard, path) = folder("");
    let ran = run_line(&path, "man suite run");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains(".TH flipside-suite-run 1"), "{}", ran.out);
    assert_eq!(run_line(&path, "man --out man").code, 0);
    for page in [
        "flipside",
        "flipside-probe",
        "flipside-suite-score",
        "flipside-man",
    ] {
        let text = std::fs::read_to_string(path.join(format!("man/{page}.1"))).unwrap();
        assert!(text.contains(".SH NAME"), "{page}");
    }
    let ran = run_line(&path, "man nothing");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: `flipside man nothing`: there is no such command\nhelp: `flipside --help` lists the commands\n"
        )
    );
}
