//! `--baseline recorded`: what is on record is the baseline, is not asked, and survives everything that a run does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::Value;

use crate::reask::{in_place_of, reask};
use crate::support::{
    count, faulty, flat, flipside, folder, journal, json, model, probe, probe_line, ran, run_line,
    timeless, unlabelled,
};

/// `count` cases in the run folder `a` as a server answered them that chose the first option, and that server.
fn answered(count: usize) -> (tempfile::TempDir, PathBuf, Standin) {
    let (guard, path) = folder(&unlabelled(count));
    let then = Standin::builder().policy(Policy::First).start().unwrap();
    let words = [
        "cases.jsonl",
        "--model",
        &model(&then),
        "--gate",
        "none:fit",
        "--out",
        "a",
    ];
    probe(&path, &words);
    (guard, path, then)
}

/// The same, and a server at its address that chooses the last option now.
fn changed(count: usize, delay: Duration) -> (tempfile::TempDir, PathBuf, Standin) {
    let (guard, path, then) = answered(count);
    let now = in_place_of(then, &Standin::builder().policy(Policy::Last).delay(delay));
    (guard, path, now)
}

/// The lines of a journal that were on record.
fn on_record(path: &Path, run: &str) -> Vec<Value> {
    let lines = journal(path, run).into_iter();
    lines.filter(|line| line["recorded"] == true).collect()
}

#[test]
fn the_recorded_answer_is_the_baseline_and_only_other_orders_are_asked() {
    let (_guard, path, server) = changed(10, Duration::ZERO);
    let words = format!(
        "a --model {} --baseline recorded --no-confirm --gate none:fit",
        model(&server)
    );
    let (ran, summary) = reask(&path, &format!("{words} --out b"));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(server.count(), 10);
    // The first option, now shown last, is chosen again.
    let reverse = &summary["axes"]["order"]["reverse"];
    assert_eq!(
        (&reverse["flips"], &reverse["pairs"]),
        (&0.into(), &10.into())
    );
    let counts = &summary["counts"];
    assert_eq!(
        (&counts["asks"], &counts["recorded"], &counts["requests"]),
        (&20.into(), &10.into(), &10.into())
    );
    let found = &summary["recorded"];
    assert_eq!(
        (&found["baseline"], &found["as_baseline"]),
        (&"recorded".into(), &10.into())
    );
    assert_eq!(found["line"], Value::Null);
    assert!(
        found["reason"]
            .as_str()
            .unwrap()
            .starts_with("the recorded answers are the baseline's")
    );
    assert!(
        flat(&ran.out).contains(
            "10 cases (0 labelled), 10 asks, order reverse, baseline recorded (10 of 10 cases)"
        ),
        "{}",
        ran.out
    );
    assert!(
        ran.err.contains(": 10 requests, kept in `b`"),
        "{}",
        ran.err
    );
    assert_eq!(summary["cases"][0]["asks"][0]["recorded"], true);
    assert_eq!(summary["cases"][0]["asks"][0]["ms"], Value::Null);

    let lines = journal(&path, "b");
    assert!(lines[..10].iter().all(|line| line["recorded"] == true
        && line["attempts"] == 0
        && line["request"].is_null()));
    assert!(lines[10..].iter().all(|line| line["recorded"].is_null()));
    assert_eq!(json(&path, "b/run.json")["baseline"], "recorded");

    // Without a folder it is the same.
    let ran = run_line(&path, &format!("reask {words} --dry-run"));
    assert!(
        ran.out
            .contains("10 cases, 10 asks in 10 requests; the baseline of 10 cases is recorded"),
        "{}",
        ran.out
    );
    // Another baseline is another plan.
    let words = format!(
        "reask a --model {} --no-confirm --gate none:fit --out b",
        model(&server)
    );
    let ran = run_line(&path, &words);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.ends_with(
            "error: `b` holds another plan: its baseline is `recorded`, this command's is `ask`\n\
             help: pass `--baseline recorded` to go on with it, or name a new `--out`\n"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn without_a_folder_the_recorded_baseline_is_known_too() {
    let (_guard, path) = folder(&unlabelled(6));
    probe(&path, &["cases.jsonl", "--model", "first", "--out", "a"]);
    let (ran, summary) = reask(&path, "a --model first --baseline recorded --gate none:fit");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(6));
    // Twelve repetitions: the own order is asked for the first time there.
    assert_eq!(
        (
            &summary["counts"]["confirming"],
            &summary["asking"]["requests"]
        ),
        (&12.into(), &18.into())
    );
    assert_eq!(count(&summary, "/confirmed/order/replicated"), Some(6));
    assert!(
        flat(&ran.out).contains("order asked again the own order is asked for the first time here, and compared with the record"),
        "{}",
        ran.out
    );
}

#[test]
fn a_flip_against_the_record_is_confirmed_by_asking_the_own_order() {
    let (_guard, path, then) = answered(8);
    // Now content decides, so that nothing flips by order and what differs is the record.
    let server = in_place_of(then, &Standin::builder().policy(Policy::Content));
    let words = format!(
        "a --model {} --baseline recorded --gate none:fit",
        model(&server)
    );
    let (_, summary) = reask(&path, &words);
    let flips = count(&summary, "/axes/order/reverse/flips").unwrap();
    assert!(flips > 0);
    assert_eq!(server.count() as u64, 8 + 2 * flips);
    let found = &summary["confirmed"]["order"];
    // Both orders answer as content says: the record's answer comes again in neither.
    assert_eq!(
        (&found["replicated"], &found["swapped"], &found["neither"]),
        (&0.into(), &0.into(), &flips.into())
    );
    assert_ne!(summary["gates"][0]["verdict"], "order-sensitive");
}

#[test]
fn a_run_over_the_record_killed_midway_and_resumed_asks_nothing_twice() {
    let (_guard, path, server) = changed(30, Duration::from_millis(15));
    let words = format!(
        "reask a --model {} --baseline recorded --gate none:fit --order reverse,rotate:1 --no-confirm --no-canary --out",
        model(&server)
    );
    let calm = run_line(&path, &format!("{words} calm"));
    assert_eq!(server.count(), 60, "{}", calm.err);
    let before = server.count();
    let all: Vec<&str> = words.split_whitespace().chain(["killed"]).collect();
    for more in [7, 13] {
        let until = server.count() + more;
        let mut child = flipside()
            .current_dir(&path)
            .args(&all)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while server.count() < until {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // What is on record was in the journal before anything was asked.
        assert_eq!(on_record(&path, "killed").len(), 30);
    }
    let kept = journal(&path, "killed").len() - 30;
    assert!(kept > 0 && kept < 60, "{kept}");
    let sent = server.count();
    let resumed = ran(&flipside().current_dir(&path).args(&all).output().unwrap());
    assert_eq!(resumed.code, calm.code, "{}", resumed.err);
    assert!(
        resumed.err.contains(&format!(
            "going on with `killed`: {kept} of 60 asks are in its journal"
        )),
        "{}",
        resumed.err
    );
    assert_eq!(
        server.count() - sent,
        60 - kept,
        "only what was missing is asked"
    );
    assert!(server.count() > before);
    let mut asks: BTreeMap<u64, usize> = BTreeMap::new();
    for line in journal(&path, "killed") {
        *asks.entry(line["ask"].as_u64().unwrap()).or_insert(0) += 1;
    }
    assert_eq!(asks.len(), 90);
    assert!(asks.values().all(|n| *n == 1), "{asks:?}");
    let summary = |run: &str| timeless(json(&path, &format!("{run}/summary.json")));
    assert_eq!(summary("killed"), summary("calm"));
}

#[test]
fn a_limit_of_asks_counts_what_is_asked_and_not_what_is_on_record() {
    let (_guard, path, server) = changed(10, Duration::ZERO);
    let words = format!(
        "a --model {} --baseline recorded --gate none:fit --max-asks 4 --concurrency 1 --out b",
        model(&server)
    );
    let (ran, summary) = reask(&path, &words);
    assert_eq!((ran.code, server.count()), (3, 4), "{}", ran.err);
    assert!(
        ran.err
            .contains("error: stopped after 4 of 10 asks: `--max-asks 4` is reached"),
        "{}",
        ran.err
    );
    assert!(
        ran.err
            .contains("the 4 answers in `b` are kept and will not be asked again"),
        "{}",
        ran.err
    );
    assert!(
        flat(&ran.out).contains("run not complete, 6 of 10 asks not made"),
        "{}",
        ran.out
    );
    assert_eq!(
        (
            &summary["counts"]["answered"],
            &summary["counts"]["unasked"]
        ),
        (&14.into(), &6.into())
    );
}

#[test]
fn a_recorded_ask_that_failed_has_its_baseline_asked() {
    let (_guard, path) = folder(&unlabelled(6));
    let then = faulty(Policy::First, Fault::Status(400), When::Nth(3));
    let words = [
        "cases.jsonl",
        "--model",
        &model(&then),
        "--gate",
        "none:fit",
        "--concurrency",
        "1",
        "--out",
        "a",
    ];
    let (_, recorded) = probe(&path, &words);
    assert_eq!(recorded["counts"]["failed"], 1);
    let now = in_place_of(then, &Standin::builder().policy(Policy::First));
    let words = format!(
        "a --model {} --baseline recorded --gate none:fit --no-confirm --out b",
        model(&now)
    );
    let (ran, summary) = reask(&path, &words);
    assert_eq!(now.count(), 7, "{}", ran.err);
    let found = &summary["recorded"];
    assert_eq!(
        (&found["cases"], &found["answered"], &found["as_baseline"]),
        (&6.into(), &5.into(), &5.into())
    );
    assert_eq!(count(&summary, "/axes/order/reverse/pairs"), Some(6));
    assert!(
        flat(&ran.out).contains("baseline recorded (5 of 6 cases)"),
        "{}",
        ran.out
    );
    assert_eq!(on_record(&path, "b").len(), 5);
    // The other way round, that is a pair without the record's side.
    let (ran, summary) = reask(
        &path,
        &format!("a --model {} --gate none:fit --no-confirm", model(&now)),
    );
    let line = &summary["recorded"]["line"];
    assert_eq!(
        (&line["pairs"], &line["failed_then"], &line["failed_now"]),
        (&5.into(), &1.into(), &0.into())
    );
    assert!(
        flat(&ran.out).contains("1 failed as recorded"),
        "{}",
        ran.out
    );
}

#[test]
fn a_run_over_the_record_can_be_replayed_and_asked_again_itself() {
    let (_guard, path, server) = changed(6, Duration::ZERO);
    let words = format!(
        "a --model {} --baseline recorded --gate none:fit --no-confirm --out b",
        model(&server)
    );
    let (_, first) = reask(&path, &words);
    let asked = server.count();
    let (ran, replayed) = probe(
        &path,
        &[
            "b/cases.jsonl",
            "--model",
            "replay:b",
            "--order",
            "reverse",
            "--gate",
            "none:fit",
        ],
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(replayed["axes"]["order"], first["axes"]["order"]);
    // The replay answers the own order as recorded, which is what the cases bring along.
    assert_eq!(
        (
            &replayed["recorded"]["line"]["flips"],
            &replayed["recorded"]["line"]["pairs"]
        ),
        (&0.into(), &6.into())
    );
    let (ran, again) = reask(
        &path,
        &format!(
            "b --model {} --baseline recorded --gate none:fit --no-confirm",
            model(&server)
        ),
    );
    assert_eq!(server.count() - asked, 6, "{}", ran.err);
    assert_eq!(again["axes"]["order"], first["axes"]["order"]);
}

#[test]
fn records_of_two_models_that_nobody_knows_are_no_baseline_of_either() {
    let (_guard, path, first) = answered(3);
    let second = Standin::builder().policy(Policy::Last).start().unwrap();
    let others = unlabelled(3).replace("\"state\":{", "\"state\":{\"other\":true,");
    std::fs::write(path.join("others.jsonl"), others).unwrap();
    let words = [
        "others.jsonl",
        "--model",
        &model(&second),
        "--gate",
        "none:fit",
        "--out",
        "b",
    ];
    probe(&path, &words);
    let asked = first.count();
    let (one, other) = (model(&first), model(&second));
    let ran = run_line(
        &path,
        &format!("reask a b --model {one} --baseline recorded --out c"),
    );
    assert_eq!((ran.code, first.count()), (2, asked), "{}", ran.err);
    assert!(
        ran.err.contains(
            "error: `--baseline recorded` needs the model that answered: the records are of `"
        ) && ran.err.contains(&one)
            && ran.err.contains(&other)
            && ran
                .err
                .contains(&format!("and `{one}` is one of them at most\n"))
            && ran.err.ends_with(
                "help: name the runs of one model, or leave `--baseline recorded` out\n"
            ),
        "{}",
        ran.err
    );
}

#[test]
fn the_record_of_one_model_is_no_baseline_of_another() {
    let (_guard, path) = folder(&unlabelled(4));
    probe(&path, &["cases.jsonl", "--model", "first", "--out", "a"]);
    let ran = run_line(
        &path,
        "reask a --model last --model first --baseline recorded --out b",
    );
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.ends_with(
            "error: `--baseline recorded` needs the model that answered: the record is of `first` served by `first`, `last` is \
             another\nhelp: name that model with `--model`, or leave `--baseline recorded` out: the baseline is asked then, and \
             compared with the record\n"
        ),
        "{}",
        ran.err
    );
    assert!(!path.join("b").exists());
    // Two addresses may be one model.
    let then = Standin::builder().policy(Policy::First).start().unwrap();
    probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            &model(&then),
            "--gate",
            "none:fit",
            "--out",
            "c",
        ],
    );
    let now = Standin::builder()
        .policy(Policy::First)
        .model("another")
        .start()
        .unwrap();
    let (ran, summary) = reask(
        &path,
        &format!(
            "c --model {} --baseline recorded --gate none:fit --no-confirm",
            model(&now)
        ),
    );
    assert!(
        ran.err.contains(&format!(
            "warning: whether `{}` is the model of the record, `{}` served by `",
            model(&now),
            model(&then)
        )),
        "{}",
        ran.err
    );
    assert!(
        ran.err
            .contains("is not known; where it is another, pairs compare two models"),
        "{}",
        ran.err
    );
    // It says that it is another version, so no pair is one of orders.
    let reverse = &summary["axes"]["order"]["reverse"];
    assert_eq!(
        (&reverse["pairs"], &reverse["other_version"]),
        (&0.into(), &4.into())
    );
}

#[test]
fn a_record_that_changed_under_a_run_is_no_record_of_it() {
    let (_guard, path, server) = changed(3, Duration::ZERO);
    let words = format!(
        "reask a --model {} --baseline recorded --gate none:fit --no-confirm --max-asks 1 --out b",
        model(&server)
    );
    assert_eq!(run_line(&path, &words).code, 3);
    let journal = std::fs::read_to_string(path.join("a/asks.jsonl")).unwrap();
    let other = journal.replace("\"choice\":0", "\"choice\":1");
    assert_ne!(journal, other);
    std::fs::write(path.join("a/asks.jsonl"), other).unwrap();
    let ran = run_line(&path, &words);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("b/asks.jsonl:1: the record has another answer to ask 0\nhelp: the journal is unchanged; name a new `--out`"), "{}", ran.err);
}

#[test]
fn a_run_that_was_asked_in_other_words_is_no_baseline() {
    let (_guard, path) = folder(&unlabelled(4));
    let server = Standin::builder()
        .dialect("chat".parse().unwrap())
        .policy(Policy::Content)
        .start()
        .unwrap();
    let model = |rest: &str| format!("openai:m@{}/v1{rest}", server.origin());
    let own = model("");
    let (ran, _) = probe_line(
        &path,
        &format!("cases.jsonl --model {own} --order reverse --gate none:fit --out a"),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let asked = server.count();
    let other = |model: &str| {
        let words = "--baseline recorded --no-confirm --gate none:fit";
        run_line(&path, &format!("reask a --model {model} {words}"))
    };
    let plain = other(&model("?read=plain"));
    assert_eq!((plain.code, server.count()), (2, asked), "{}", plain.out);
    let said =
        "error: `--baseline recorded` needs requests as they were: `a` was asked with another `";
    assert!(
        plain.err.contains(said) && plain.err.contains("`read`"),
        "{}",
        plain.err
    );
    let object = other(&format!("systemone:{}", server.url()));
    let over = format!(
        "was asked over `language-model`, and `systemone:{}` is asked over `system-one`",
        server.url()
    );
    assert!(object.err.contains(&over), "{}", object.err);
    assert_eq!(other(&own).code, 0);
}
