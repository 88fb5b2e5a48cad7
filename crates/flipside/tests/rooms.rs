//! The rooms stay apart: which package may use which, and what core may never touch.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The edges between rooms. A change here comes with its reason in `ARCHITECTURE.md`.
const MAY_USE: &[(&str, &[&str])] = &[
    ("flipside-core", &[]),
    ("flipside-formats", &["flipside-core"]),
    ("flipside-local", &["flipside-core"]),
    (
        "flipside-models",
        &["flipside-core", "flipside-formats", "flipside-local"],
    ),
    ("flipside-engine", &["flipside-core", "flipside-formats"]),
    ("flipside-report", &["flipside-core"]),
    (
        "flipside",
        &[
            "flipside-core",
            "flipside-engine",
            "flipside-formats",
            "flipside-models",
            "flipside-report",
        ],
    ),
    ("flipside-standin", &[]),
];

/// Every package that core may depend on. None of them does I/O for core.
const CORE_USES: &[&str] = &["indexmap", "schemars", "serde", "sha2", "thiserror"];

/// Words that no source line of core may hold outside its tests: I/O, clocks, environment, threads, hash collections.
const CORE_NEVER: &[&str] = &[
    "std::fs",
    "fs_err",
    "std::io",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "SystemTime",
    "HashMap",
    "HashSet",
    "tokio",
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "include_str!(\"/",
    "async fn",
    ".await",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(workspace())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap().to_owned();
    let normal = |package: &serde_json::Value| {
        let all = package["dependencies"].as_array().unwrap();
        all.iter()
            .filter(|dependency| dependency["kind"].is_null())
            .map(name)
            .collect()
    };
    packages
        .iter()
        .map(|package| (name(package), normal(package)))
        .collect()
}

#[test]
fn rooms_use_only_what_the_table_allows() {
    let dependencies = dependencies();
    let rooms: Vec<&str> = MAY_USE.iter().map(|(room, _)| *room).collect();
    let found: Vec<&String> = dependencies.keys().collect();
    let mut listed = rooms.clone();
    listed.sort_unstable();
    assert_eq!(
        found, listed,
        "every package of the workspace is a room of the table"
    );
    for (room, allowed) in MAY_USE {
        for used in dependencies[*room]
            .iter()
            .filter(|used| rooms.contains(&used.as_str()))
        {
            assert!(
                allowed.contains(&used.as_str()),
                "{room} uses {used}, which the table does not allow"
            );
        }
    }
}

#[test]
fn core_depends_on_nothing_that_could_do_io() {
    for used in &dependencies()["flipside-core"] {
        assert!(CORE_USES.contains(&used.as_str()), "core depends on {used}");
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The lines of a source file before its tests, without comments.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .enumerate()
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    let code = lines.filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.map(|(number, line)| (number + 1, line.to_owned()))
        .collect()
}

#[test]
fn core_never_touches_the_world() {
    let mut files = Vec::new();
    sources(&workspace().join("crates/flipside-core/src"), &mut files);
    assert!(files.len() > 10);
    for file in files {
        for (number, line) in code(&file) {
            for never in CORE_NEVER {
                assert!(
                    !line.contains(never),
                    "{}:{number}: `{never}` in core",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn stats_takes_numbers_and_uses_no_sibling() {
    let mut files = Vec::new();
    sources(
        &workspace().join("crates/flipside-core/src/stats"),
        &mut files,
    );
    for file in files {
        for (number, line) in code(&file) {
            let uses_sibling = line.contains("crate::") && !line.contains("crate::stats");
            assert!(
                !uses_sibling,
                "{}:{number}: stats uses a sibling: {line}",
                file.display()
            );
        }
    }
}

#[test]
fn each_room_begins_with_what_it_is() {
    for (room, _) in MAY_USE {
        let lib = std::fs::read_to_string(workspace().join("crates").join(room).join("src/lib.rs"))
            .unwrap();
        let first = lib.lines().next().unwrap();
        assert!(
            first.starts_with("//! ") && first.ends_with(['.', '`']),
            "{room}: {first}"
        );
    }
}

#[test]
fn only_the_binary_reads_the_environment_and_prints() {
    for (room, _) in MAY_USE
        .iter()
        .filter(|(room, _)| !matches!(*room, "flipside" | "flipside-standin"))
    {
        let mut files = Vec::new();
        sources(
            &workspace().join("crates").join(room).join("src"),
            &mut files,
        );
        for file in files {
            for (number, line) in code(&file) {
                for never in ["std::env::var", "env::vars", "println!", "eprintln!"] {
                    assert!(
                        !line.contains(never),
                        "{}:{number}: `{never}`",
                        file.display()
                    );
                }
            }
        }
    }
}
