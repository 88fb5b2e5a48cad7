//! Every command of the guides runs, and prints what the guide shows.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A block between ```` ```console ```` fences: commands after `$ `, below each what it printed, where `...` stands for any lines and
/// at the end of a line for the rest of it. `exit=N` beside the fence is the exit code of one of its commands, 0 of the others.
struct Block {
    line: usize,
    exit: i32,
    commands: Vec<(String, Vec<String>)>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut inside = false;
    for (number, line) in page.lines().enumerate() {
        if let Some(after) = line.strip_prefix("```") {
            inside = !inside && after.starts_with("console");
            if inside {
                let exit = after.split("exit=").nth(1);
                found.push(Block {
                    line: number + 1,
                    exit: exit.map_or(0, |code| code.parse().unwrap()),
                    commands: Vec::new(),
                });
            }
        } else if inside {
            let commands = &mut found.last_mut().unwrap().commands;
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
                (None, Some((_, shown))) => shown.push(line.to_owned()),
                (None, None) => panic!("line {}: output before a command", number + 1),
            }
        }
    }
    found
}

/// Whether `printed` has the lines `shown` in their order, with nothing between lines that stand together.
fn shows(printed: &str, shown: &[String]) -> Result<(), String> {
    let mut lines = printed.lines().map(str::trim_end);
    let mut skip = false;
    for expected in shown {
        if expected == "..." {
            skip = true;
            continue;
        }
        let fits = |line: &str| match expected.strip_suffix("...") {
            Some(start) => line.starts_with(start),
            None => line == expected.trim_end(),
        };
        let found = if skip {
            lines.any(fits)
        } else {
            lines.next().is_some_and(fits)
        };
        if !found {
            return Err(expected.clone());
        }
        skip = false;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// Runs the commands of a page in an empty folder that has `examples`, `data` and `sys1-eval`.
#[expect(clippy::print_stdout, reason = "a test says what it did not run")]
fn check(name: &str) {
    let page = std::fs::read_to_string(root().join("docs/guide").join(name)).unwrap();
    let (_guard, path) = folder("");
    for (from, to) in [
        ("examples", "examples"),
        ("data", "data"),
        ("crates/flipside/tests/data/sys1-eval", "sys1-eval"),
    ] {
        copy(&root().join(from), &path.join(to));
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_flipside")).parent().unwrap();
    let search = std::env::var("PATH").unwrap();
    let python = Command::new("python3").arg("--version").output().is_ok();
    let blocks = blocks(&page);
    assert!(!blocks.is_empty(), "{name} runs nothing");
    for block in blocks {
        let mut codes = Vec::new();
        for (command, shown) in &block.commands {
            if command.contains("python3") && !python {
                println!("not run, for there is no python3: {command}");
                codes.push(block.exit);
                continue;
            }
            let ran = Command::new("sh")
                .args(["-c", command])
                .current_dir(&path)
                .env_clear()
                .env("PATH", format!("{}:{search}", bin.display()))
                .output()
                .unwrap();
            let printed = String::from_utf8_lossy(&ran.stdout);
            let said = String::from_utf8_lossy(&ran.stderr);
            let place = format!("{name}:{}: {command}", block.line);
            if let Err(missing) = shows(&printed, shown) {
                panic!("{place}\nno line `{missing}` in\n{printed}\n{said}");
            }
            let code = ran.status.code().unwrap();
            assert!([0, block.exit].contains(&code), "{place}\n{code}\n{said}");
            codes.push(code);
        }
        assert!(codes.contains(&block.exit), "{name}:{}", block.line);
    }
}

#[test]
fn the_first_probe() {
    check("first-probe.md");
}

#[test]
fn asking_decisions_again() {
    check("asking-decisions-again.md");
}

#[test]
fn choosing_a_repair() {
    check("choosing-a-repair.md");
}

#[test]
fn adding_a_backend() {
    check("adding-a-backend.md");
}

#[test]
fn every_guide_is_listed_and_every_listed_guide_is_there() {
    let folder = root().join("docs/guide");
    let list = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut pages = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name != "README.md" {
            assert!(list.contains(&format!("({name})")), "{name} is not listed");
            pages += 1;
        }
    }
    assert_eq!(list.matches(".md)").count(), pages);
}

#[test]
fn a_line_that_was_not_printed_is_found_out() {
    let shown = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let printed = "one\ntwo  \nthree and more\n";
    assert_eq!(shows(printed, &shown(&["one", "two"])), Ok(()));
    assert_eq!(shows(printed, &shown(&["...", "three..."])), Ok(()));
    assert_eq!(shows(printed, &shown(&["two"])), Err("two".to_owned()));
    assert_eq!(
        shows(printed, &shown(&["...", "three"])),
        Err("three".to_owned())
    );
    assert_eq!(
        shows(printed, &shown(&["one", "...", "one"])),
        Err("one".to_owned())
    );
}
