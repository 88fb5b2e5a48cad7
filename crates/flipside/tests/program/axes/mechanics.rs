//! A run with every axis is kept, resumed, replayed and foretold like any other, and other cases change none of its presentations.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use flipside_standin::{Policy, Standin};
use serde_json::Value;

use super::cases::{EVERY_AXIS, alone, beside, planted, write};
use crate::support::{
    flat, flipside, journal, json, json_lines, model, probe_line, read, run_line, timeless,
};

#[test]
fn a_run_with_every_axis_killed_and_resumed_loses_nothing_and_repeats_nothing() {
    let (_guard, path) = planted();
    let calm = Standin::builder()
        .policy(Policy::KeyBiased)
        .start()
        .unwrap();
    let words = |server: &Standin, out: &str| {
        format!(
            "probe {EVERY_AXIS} --no-canary --concurrency 3 --model {} --out {out}",
            model(server)
        )
    };
    let undisturbed = run_line(&path, &words(&calm, "calm"));
    assert_eq!(undisturbed.code, 1, "{}", undisturbed.err);
    let all = calm.count();

    let server = Standin::builder()
        .policy(Policy::KeyBiased)
        .delay(Duration::from_millis(4))
        .start()
        .unwrap();
    let command = words(&server, "killed");
    for part in 1..10 {
        let mut child = flipside()
            .current_dir(&path)
            .args(command.split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The last moments are in the round that confirms flips.
        let until = all * part / 10;
        while server.count() < until && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = read(&path, "killed/asks.jsonl");
    let whole = before.rfind('\n').map_or("", |end| &before[..=end]);
    let paid = json_lines(whole)
        .iter()
        .filter(|line| line["attempts"] != 0)
        .count();
    let sent = server.count();
    assert!(paid > all / 2 && paid < all, "{paid} of {all}");
    let resumed = run_line(&path, &command);
    assert_eq!(resumed.code, 1, "{}", resumed.err);
    assert_eq!(server.count() - sent, all - paid);
    assert!(read(&path, "killed/asks.jsonl").starts_with(whole));
    let asks = |run: &str| {
        let mut asks: Vec<u64> = journal(&path, run)
            .iter()
            .map(|line| line["ask"].as_u64().unwrap())
            .collect();
        asks.sort_unstable();
        asks
    };
    assert_eq!(asks("killed"), asks("calm"));
    let summary = |run: &str| {
        let mut summary = timeless(json(&path, &format!("{run}/summary.json")));
        summary["model"] = Value::Null;
        summary
    };
    assert_eq!(summary("killed"), summary("calm"));
}

#[test]
fn a_folder_with_other_axes_says_which() {
    let (_guard, path) = planted();
    let server = Standin::builder().policy(Policy::Weighed).start().unwrap();
    let with = |axes: &str| {
        let model = model(&server);
        run_line(
            &path,
            &format!("probe cases.jsonl --model {model} --gate none:fit --out run --axis {axes}"),
        )
    };
    assert_eq!(with("keys,whitespace").code, 0);
    let asked = server.count();
    for (axes, expected) in [
        (
            "keys",
            "its axes are `keys:abstract,whitespace`, this command's are `keys:abstract`",
        ),
        (
            "whitespace,keys",
            "its axes are `keys:abstract,whitespace`, this command's are `whitespace,keys:abstract`",
        ),
        (
            "keys,whitespace --cross",
            "it crosses no axes, this command axes in full",
        ),
        (
            "keys,whitespace --cross=2",
            "it crosses no axes, this command 2 drawn combinations of axes",
        ),
    ] {
        let refused = with(axes);
        let expected =
            format!("error: `run` holds another plan: {expected}\nhelp: name a new `--out`\n");
        assert_eq!((refused.code, refused.err), (2, expected), "{axes}");
    }
    let none = run_line(
        &path,
        &format!(
            "probe cases.jsonl --model {} --gate none:fit --out run",
            model(&server)
        ),
    );
    assert!(
        none.err
            .contains("its axes are `keys:abstract,whitespace`, this command's are none"),
        "{}",
        none.err
    );
    assert_eq!(with("keys,whitespace").code, 0, "the folder is as it was");
    assert_eq!(server.count(), asked);
}

#[test]
fn a_replayed_run_of_every_axis_has_the_same_figures_and_asks_nothing() {
    let (_guard, path) = planted();
    let server = Standin::builder()
        .policy(Policy::FirstWord)
        .start()
        .unwrap();
    let recorded = format!("{EVERY_AXIS} --model {} --out recorded", model(&server));
    let (_, first) = probe_line(&path, &recorded);
    let asked = server.count();
    let (_, again) = probe_line(&path, &format!("{EVERY_AXIS} --model replay:recorded"));
    assert_eq!(server.count(), asked);
    let (first, again) = (timeless(first), timeless(again));
    for figures in [
        "axes",
        "confirmed",
        "control",
        "gates",
        "fit",
        "orders",
        "position",
        "exit",
    ] {
        assert_eq!(first[figures], again[figures], "{figures}");
    }
    assert_eq!(again["counts"]["failed"], 0);
}

/// By axis and variant: how many lines of the journal belong to it, those left out that confirm a flip.
fn kept(path: &Path, run: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for line in journal(path, run)
        .iter()
        .filter(|line| line["confirms"].is_null())
    {
        let name = |field: &str| line[field].as_str().unwrap().to_owned();
        let name = match name("axis").as_str() {
            "baseline" => "fit own order".to_owned(),
            "same" => format!("same repeat {}", name("variant")),
            // What an option less is compared with.
            "drop" if name("variant").starts_with("last:") => "drop references".to_owned(),
            axis => format!("{axis} {}", name("variant")),
        };
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

#[test]
fn a_dry_run_counts_what_is_then_asked() {
    let (_guard, path) = planted();
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    // An axis with others between its entries is told once.
    let apart = EVERY_AXIS
        .replace("--order check", "--order reverse,same:1,rotate:1")
        .replace("keys:shuffled,", "")
        + " --axis keys:shuffled";
    let words = format!("{apart} --model {}", model(&server));
    let dry = run_line(&path, &format!("probe {words} --dry-run --verbose"));
    assert_eq!(dry.code, 0, "{}", dry.err);
    assert_eq!(server.count(), 0);
    let asked = run_line(&path, &format!("probe {words} --out run --no-confirm"));
    assert_eq!(asked.code, 1, "{}", asked.err);
    let (mut told, mut rows) = (BTreeMap::new(), Vec::new());
    for line in dry.out.lines().skip_while(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let asks = words
            .iter()
            .position(|word| matches!(*word, "ask" | "asks"));
        let Some(end) = asks.filter(|end| *end > 2) else {
            continue;
        };
        let count: u64 = words[end - 1].parse().unwrap();
        *told.entry(words[..end - 1].join(" ")).or_insert(0) += count;
        rows.push(words[..end - 1].join(" "));
    }
    rows.retain(|row| row != "drop references");
    let all = rows.len();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), all, "each is told once");
    // What no case can be asked is told with no ask, and has no line in the journal.
    told.retain(|_, count| *count > 0);
    let kept = kept(&path, "run");
    assert_eq!(told, kept);
    let summary = json(&path, "run/summary.json");
    let (asks, requests) = (kept.values().sum::<u64>(), server.count());
    assert_eq!(summary["counts"]["asks"], asks);
    let volume = format!("20 cases, {asks} asks in {requests} requests");
    assert!(flat(&dry.out).contains(&volume), "{volume} in {}", dry.out);
}

/// By case, axis and variant: the order and the digest of the request.
fn presentations(path: &Path, run: &str) -> BTreeMap<[String; 3], (Value, Value)> {
    let lines = journal(path, run);
    let shown = lines
        .iter()
        .filter(|line| line["confirms"].is_null())
        .map(|line| {
            let name =
                ["case", "axis", "variant"].map(|field| line[field].as_str().unwrap().to_owned());
            (name, (line["order"].clone(), line["digest"].clone()))
        });
    shown.collect()
}

fn backwards(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.reverse();
    lines.join("\n") + "\n"
}

#[test]
fn other_lines_another_order_of_them_and_concurrency_change_no_presentation() {
    let (_guard, path) = planted();
    let probe = |out: &str, extra: &str| {
        let words = format!("probe {EVERY_AXIS} --model overlap --out {out} {extra}");
        let ran = run_line(&path, &words);
        assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    };
    probe("own", "--seed 7 --concurrency 8");
    probe("one-at-a-time", "--seed 7 --concurrency 1");
    let own = presentations(&path, "own");
    assert_eq!(presentations(&path, "one-at-a-time"), own);
    let plan = |run: &str| json(&path, &format!("{run}/run.json"))["plan"].clone();
    assert_eq!(plan("one-at-a-time"), plan("own"));
    probe("other-seed", "--seed 8");
    let other = presentations(&path, "other-seed");
    let changed = own.iter().filter(|(name, shown)| other[*name] != **shown);
    let changed: Vec<&str> = changed
        .map(|([_, _, variant], _)| variant.as_str())
        .collect();
    assert!(changed.contains(&"shuffled") && changed.contains(&"shuffle:1"));
    assert!(
        changed.iter().all(|variant| variant.starts_with("shuffle")),
        "{changed:?}"
    );

    write(&path, "cases.jsonl", &backwards(&alone()));
    write(&path, "bodies.jsonl", &backwards(&beside()));
    probe("backwards", "--seed 7");
    assert_eq!(presentations(&path, "backwards"), own);

    let half: Vec<String> = alone().lines().step_by(2).map(str::to_owned).collect();
    write(&path, "cases.jsonl", &(half.join("\n") + "\n"));
    probe("half", "--seed 7");
    let half = presentations(&path, "half");
    assert!(half.len() < own.len());
    for (name, shown) in &half {
        assert_eq!(own[name], *shown, "{name:?}");
    }
}

#[test]
fn cases_without_ids_are_drawn_by_what_they_say() {
    let without_ids = |text: String| -> String {
        let lines = text
            .lines()
            .map(|line| format!("{{{}\n", &line[line.find("\"state\"").unwrap()..]));
        lines.collect()
    };
    let (_guard, path) = planted();
    let mut shown = Vec::new();
    for (file, text) in [
        ("cases.jsonl", without_ids(alone())),
        ("others.jsonl", backwards(&without_ids(alone()))),
    ] {
        write(&path, file, &text);
        let words = format!(
            "probe {file} --model overlap --axis keys:shuffled,state-keys:shuffle:3 --out {file}-run"
        );
        let ran = run_line(&path, &words);
        assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
        let shuffled = presentations(&path, &format!("{file}-run"));
        let mut digests: Vec<(String, String)> = shuffled
            .into_iter()
            .map(|([_, axis, variant], (_, digest))| {
                (format!("{axis}/{variant}"), digest.to_string())
            })
            .collect();
        digests.sort_unstable();
        shown.push(digests);
    }
    assert_eq!(shown[0], shown[1]);
}
