//! What a call of `flipside mcp` may not learn, and what its results say about the way to the model.

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::{Value, json};

use crate::mcp::{Host, conforms, desks, standin, tools};
use crate::support::model;

const KEY: &str = "sk-hush/0123456789";
const NO_FILES: &str =
    "help: name one that needs no file, or run `flipside probe`, which reads such files";

/// As many cases that differ in their state.
fn cases(count: u32) -> Value {
    let case = |n| {
        let mut case = desks();
        case["state"]["n"] = json!(n);
        case
    };
    (0..count).map(case).collect()
}

#[test]
fn a_call_may_name_no_list_in_a_file() {
    let variables = [("CLM_API_KEY", KEY)];
    let mut host = Host::start_with(&["--model", "first"], &variables).hello("2025-11-25");
    let mut question = desks();
    question["order"] = json!("reverse,list:/proc/self/environ");
    assert_eq!(
        host.refused("decide", &question),
        format!("error: `order list:/proc/self/environ`: a call may not name files\n{NO_FILES}")
    );
    let told = host.refused("probe", &json!({"cases": cases(1), "axis": "keys:nope"}));
    assert!(told.contains("`shuffled`"), "{told}");
    assert!(!told.contains("FILE"), "{told}");
    let asked = json!({"cases": cases(1), "order": "list:/proc/self/environ", "axis": "keys,keys:list:/proc/self/environ"});
    assert_eq!(
        host.refused("probe", &asked),
        format!(
            "error: `order list:/proc/self/environ`: a call may not name files\n\
             error: `axis keys:list:/proc/self/environ`: a call may not name files\n{NO_FILES}"
        )
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn errors_about_a_file_of_cases_tell_no_word_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let words = [
        "--model",
        "first",
        "--cases",
        folder.path().to_str().unwrap(),
    ];
    let mut host = Host::ready(&words);
    let mut told = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let told = host.refused("probe", &json!({"cases": path}));
        told.replace(path, "c.jsonl")
    };
    let help = "help: calls are told nothing of what is in a file; `flipside probe FILE` on the server's machine says more";
    for (text, error) in [
        ("TOKEN=hush\0PATH=/bin", "this is not JSON"),
        ("{\"hush\":1,\"hush\":2}", "a key is given twice"),
        (
            "{\"hush\":\"hush\"}",
            "expected the fields of a case, found others",
        ),
    ] {
        assert_eq!(told(text), format!("error: c.jsonl:1: {error}\n{help}"));
    }
    assert_eq!(host.end().code, 0);
}

/// A line of a case file, whose id and keys a caller must not see.
const HUSH: &str = r#"{"id":"hush","state":"s","options":{"hush-a":"a","hush-b":"b"},"rules":"r"}"#;

#[test]
fn a_call_may_name_case_files_of_the_command_line_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, HUSH).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (named, other) = (write("named.jsonl"), write("other.jsonl"));
    let (within, beside) = (write("cases/in.jsonl"), write("cases-not/in.jsonl"));
    let cases = folder.path().join("cases");
    let cases = cases.to_str().unwrap();
    let out = format!("{cases}/../other.jsonl");
    let link = format!("{cases}/link.jsonl");
    std::os::unix::fs::symlink(&other, &link).unwrap();
    let words = ["--model", "first", "--cases", &named, "--cases", cases];
    let mut host = Host::ready(&words);
    for path in [&named, &within, &format!("{cases}/../named.jsonl")] {
        let result = host.call(1, "probe", &json!({"cases": path}));
        assert_eq!(result["structuredContent"]["cases"], 1, "{path}: {result}");
    }
    let nowhere = format!("{cases}/nowhere.jsonl");
    for path in [&other, &beside, &out, &link, &nowhere, cases, "/dev/zero"] {
        // What is asked of its options would fail, and say their keys.
        for asked in [
            json!({"cases": path}),
            json!({"cases": path, "model": "next-to:nobody"}),
        ] {
            let told = host.refused("probe", &asked);
            assert!(
                told.ends_with(
                    "` is no case file that this server was started with\n\
                     help: start it with `--cases` and that path, or give an array of cases"
                ),
                "{told}"
            );
            assert!(!told.contains("hush"), "{told}");
        }
    }
    assert_eq!(host.end().code, 0);

    let ran = Host::start_with(&["--cases", &nowhere, "--cases", "/dev/null"], &[]).end();
    assert_eq!(ran.code, 2);
    for path in [&*nowhere, "/dev/null"] {
        let error = format!("error: `--cases {path}`: expected a case file or a folder of them\n");
        assert!(ran.err.contains(&error), "{}", ran.err);
    }
}

#[test]
fn no_result_shows_a_key_of_the_server_wherever_it_comes_from() {
    let mut question = desks();
    question["options"][0]["key"] = json!(KEY);
    let variables = [("CLM_API_KEY", KEY)];
    let mut host = Host::start_with(&["--model", "first"], &variables).hello("2025-11-25");
    let result = host.call(1, "decide", &question);
    assert_eq!(result["structuredContent"]["choice"], "[key]");
    assert!(!result.to_string().contains("hush"), "{result}");
    let told = host.refused("decide", &json!({KEY: 1}));
    assert!(told.starts_with("error: `[key]` is unknown"), "{told}");
    // An `id` is the client's own, which has to find its call by it.
    let ping = json!({"jsonrpc": "2.0", "id": KEY, "method": "ping"});
    assert_eq!(host.ask(&ping.to_string())["id"], KEY);
    assert_eq!(host.end().code, 0);

    let server = standin(Policy::First);
    let words = ["--model", &model(&server), "--key-from", "MINE"];
    let mut host = Host::start_with(&words, &[("MINE", KEY)]).hello("2025-11-25");
    let told = host.refused("decide", &json!({KEY: 1}));
    assert!(told.starts_with("error: `[key]` is unknown"), "{told}");
    assert!(!told.contains("hush"), "{told}");
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_probe_says_what_the_canary_found_and_counts_its_requests() {
    let [_, probe] = tools();
    let server = standin("cached:first".parse().unwrap());
    let mut host = Host::ready(&["--model", &model(&server)]);
    let asked = json!({"cases": cases(8), "order": "reverse"});
    let result = host.call(1, "probe", &asked);
    conforms(&probe, &result);
    let found = &result["structuredContent"];
    assert_eq!(found["canary"]["order"], "cached", "{found}");
    let warning = found["canary"]["warning"].as_str().unwrap();
    assert!(
        warning.starts_with("a cache that leaves out order repeats its first answer"),
        "{warning}"
    );
    // The cache hides every flip, so that the 16 planned asks are all of the run.
    let canary = found["canary"]["asks"].as_u64().unwrap();
    assert!((1..=14).contains(&canary), "{canary}");
    assert_eq!(found["asks"], 16 + canary);
    assert_eq!(server.count() as u64, 16 + canary);
    assert_eq!(host.end().code, 0);

    let server = standin(Policy::First);
    let mut host = Host::ready(&["--model", &model(&server)]);
    let result = host.call(1, "probe", &asked);
    conforms(&probe, &result);
    let found = &result["structuredContent"];
    assert_eq!(found["canary"]["order"], "arrives");
    assert_eq!(found["canary"].get("warning"), None);
    assert_eq!(found["asks"], server.count());
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_probe_says_why_no_canary_was_asked() {
    let [_, probe] = tools();
    let server = standin(Policy::Content);
    let mut host = Host::ready(&["--model", "first", "--model", &model(&server)]);
    let mut canary = |more: Value| {
        let mut asked = json!({"cases": cases(1)});
        asked
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let result = host.call(1, "probe", &asked);
        conforms(&probe, &result);
        result["structuredContent"]["canary"].clone()
    };
    assert_eq!(
        canary(json!({})),
        json!({"order": "not-asked", "asks": 0, "why": "nothing of this model goes over a network"})
    );
    assert_eq!(
        canary(json!({"model": model(&server), "max_asks": 4})),
        json!({"order": "not-asked", "asks": 0, "why": "`max_asks` leaves no room for it"})
    );
    // White space moves no option.
    assert_eq!(canary(json!({"axis": "whitespace"})), Value::Null);
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_warning_about_failed_asks_names_no_command_that_a_call_has_not() {
    // With four asks there is no canary, so that the second request is of the run.
    let server = Standin::builder()
        .policy(Policy::Content)
        .fault(Fault::Status(400), When::Nth(2))
        .start()
        .unwrap();
    let mut host = Host::ready(&["--model", &model(&server), "--concurrency", "1"]);
    let result = host.call(1, "probe", &json!({"cases": cases(1), "max_asks": 4}));
    // Of the one pair of each line one ask failed, or none.
    let found = &result["structuredContent"];
    let lines = found["axes"].as_array().unwrap();
    let number = |line: &Value, name: &str| line[name].as_u64().unwrap();
    assert_eq!(lines.len(), 2);
    for line in lines {
        assert_eq!(number(line, "of") + number(line, "missing"), 1, "{line}");
        assert_eq!(number(line, "vacuous"), 0, "{line}");
    }
    assert!(lines.iter().any(|line| line["missing"] == 1), "{lines:?}");
    let warnings = result["structuredContent"]["warnings"].as_array().unwrap();
    let failed: Vec<&str> = (warnings.iter().filter_map(Value::as_str))
        .filter(|warning| warning.contains("1 of 4 asks failed"))
        .collect();
    assert_eq!(failed.len(), 1, "{warnings:?}");
    assert!(
        failed[0].ends_with("; then call again, which asks everything anew"),
        "{}",
        failed[0]
    );
    assert!(!result.to_string().contains("--out"), "{result}");
    assert_eq!(host.end().code, 0);
}
