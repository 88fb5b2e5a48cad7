//! What the tests of the program share: running it as a process, case files, reading what it wrote.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::Value;

/// The program, with none of the caller's keys and addresses in its environment.
pub(crate) fn flipside() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
    for (name, _) in std::env::vars() {
        let foreign = [
            "TYPESAFE_",
            "OPENROUTER_",
            "LAYA_",
            "CLM_",
            "JEV_",
            "CLOUDFLARE_",
            "OPENAI_",
            "LLM_",
        ];
        if foreign.iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    command.env("NO_COLOR", "1");
    command
}

/// What one run of the program left.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn ran(output: &Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout.clone()).unwrap(),
        err: String::from_utf8(output.stderr.clone()).unwrap(),
    }
}

/// Runs the program in `folder`, without the order canary, so that what a server saw is what the test asked.
pub(crate) fn run(folder: &Path, words: &[&str]) -> Ran {
    let asks =
        matches!(words.first(), Some(&("probe" | "reask"))) && !words.contains(&"--no-canary");
    let over_http = words.iter().any(|word| word.contains("http://"));
    let without = ["--no-canary"].iter().filter(|_| asks && over_http);
    run_as_given(
        folder,
        &words.iter().chain(without).copied().collect::<Vec<_>>(),
    )
}

/// Runs the program in `folder` with these words and no other.
pub(crate) fn run_as_given(folder: &Path, words: &[&str]) -> Ran {
    ran(&flipside().current_dir(folder).args(words).output().unwrap())
}

/// Runs a probe with `--json` and returns its summary too.
pub(crate) fn probe(folder: &Path, words: &[&str]) -> (Ran, Value) {
    let json = folder.join("summary-for-test.json");
    let mut all = vec!["probe"];
    all.extend(words);
    let file = json.to_str().unwrap().to_owned();
    all.extend(["--json", &file]);
    let ran = run(folder, &all);
    let text = std::fs::read_to_string(&json).unwrap_or_else(|_| panic!("no summary: {}", ran.err));
    (ran, serde_json::from_str(&text).unwrap())
}

/// [`probe`] with its words in one line.
pub(crate) fn probe_line(folder: &Path, words: &str) -> (Ran, Value) {
    probe(folder, &words.split_whitespace().collect::<Vec<_>>())
}

/// [`run`] with its words in one line.
pub(crate) fn run_line(folder: &Path, words: &str) -> Ran {
    run(folder, &words.split_whitespace().collect::<Vec<_>>())
}

/// Starts the program in `folder` and does not wait for it; what it prints can be read.
pub(crate) fn launch(folder: &Path, words: &[&str]) -> Child {
    flipside()
        .current_dir(folder)
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A server that answers by `policy`, with one fault.
pub(crate) fn faulty(policy: Policy, fault: Fault, when: When) -> Standin {
    Standin::builder()
        .policy(policy)
        .fault(fault, when)
        .start()
        .unwrap()
}

/// Eight labelled three-option cases that share words with exactly one option; the accepted one stands in
/// each position in turn.
pub(crate) fn eight_cases() -> String {
    let subjects = [
        (
            "billing",
            "payments invoices refunds",
            "my refunds and payments went wrong",
        ),
        (
            "delivery",
            "parcels couriers tracking",
            "the parcels from the couriers are late",
        ),
        (
            "account",
            "passwords logins profiles",
            "the passwords and logins do not work",
        ),
    ];
    let line = |case: usize| {
        let (right, _, state) = subjects[case % 3];
        let options: Vec<String> = (0..3)
            .map(|place| subjects[(place + case / 3) % 3])
            .map(|(key, text, _)| format!("\"{key}\":\"{text}\""))
            .collect();
        format!(
            "{{\"id\":\"c{case}\",\"state\":{{\"message\":\"{state} {case}\"}},\"options\":{{{}}},\"rules\":\"Pick the desk.\",\"accept\":[\"{right}\"]}}",
            options.join(",")
        )
    };
    lines(&(0..8).map(line).collect::<Vec<_>>())
}

/// Lines with their line feeds.
pub(crate) fn lines(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

/// `count` three-option cases without labels.
pub(crate) fn unlabelled(count: usize) -> String {
    let line = |case: usize| {
        format!(
            "{{\"id\":\"u{case}\",\"state\":{{\"n\":{case}}},\"options\":{{\"a\":\"one {case}\",\"b\":\"two\",\"c\":\"three\"}},\"rules\":\"Pick.\"}}"
        )
    };
    lines(&(0..count).map(line).collect::<Vec<_>>())
}

/// A folder with `cases.jsonl` in it.
pub(crate) fn folder(cases: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    std::fs::write(path.join("cases.jsonl"), cases).unwrap();
    (folder, path)
}

/// A summary without what differs from run to run: times, and where the model was.
pub(crate) fn timeless(mut summary: Value) -> Value {
    for name in ["ms", "latency", "asking", "endpoint", "spec"] {
        strip(&mut summary, name);
    }
    summary
}

/// Removes every member `name`, however deep.
pub(crate) fn strip(value: &mut Value, name: &str) {
    match value {
        Value::Object(members) => {
            members.remove(name);
            members.values_mut().for_each(|value| strip(value, name));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| strip(value, name)),
        _ => {}
    }
}

/// The model that `server` is.
pub(crate) fn model(server: &Standin) -> String {
    format!("systemone:{}", server.url())
}

/// A whole number in a summary; `None` for null.
pub(crate) fn count(summary: &Value, path: &str) -> Option<u64> {
    summary
        .pointer(path)
        .unwrap_or_else(|| panic!("{path} is in the summary"))
        .as_u64()
}

/// The text of a file that the program wrote.
pub(crate) fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

/// A JSON file that the program wrote.
pub(crate) fn json(folder: &Path, file: &str) -> Value {
    serde_json::from_str(&read(folder, file)).unwrap()
}

/// The lines of a run's journal.
pub(crate) fn journal(folder: &Path, run: &str) -> Vec<Value> {
    json_lines(&read(folder, &format!("{run}/asks.jsonl")))
}

/// Lines of JSON.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

/// The text without its line breaks and columns.
pub(crate) fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `count` cases of four options, without labels.
pub(crate) fn four_options(count: usize) -> String {
    unlabelled(count).replace("\"c\":\"three\"", "\"c\":\"three\",\"d\":\"four\"")
}
