//! What a run costs: counted, printed, bounded, and never paid twice.

use std::path::Path;
use std::time::Duration;

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::Value;

use crate::support::{
    faulty, flat, folder, journal, json, json_lines, launch, model, read, run, run_as_given,
    unlabelled,
};

const REVERSE: &str = "--order reverse --gate none:fit";

/// Input tokens as the server's own replies state them, of journal lines.
fn tokens(lines: &[Value]) -> u64 {
    let of = |line: &Value| {
        let reply: Value = serde_json::from_str(line["reply"].as_str()?).unwrap();
        reply["usage"]["input_tokens"].as_u64()
    };
    lines.iter().filter_map(of).sum()
}

fn words<'a>(model: &'a str, more: &'a str) -> Vec<&'a str> {
    let mut words = vec!["probe", "cases.jsonl", "--model", model, "--out", "out"];
    words.extend(more.split_whitespace());
    words
}

fn canary(path: &Path) -> Vec<Value> {
    json_lines(&read(path, "out/canary.jsonl"))
}

#[test]
fn a_run_says_what_it_cost_with_its_canary_and_what_confirmed_flips() {
    let (_guard, path) = folder(&unlabelled(3));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = model(&server);
    let more = format!("{REVERSE} --price 0.042");
    let ran = run_as_given(&path, &words(&model, &more));
    let summary = json(&path, "out/summary.json");
    let cost = &summary["cost"];
    let asked = journal(&path, "out");
    let confirming = asked.iter().filter(|line| line.get("confirms").is_some());
    let confirming = confirming.count() as u64;
    assert!(confirming > 0, "every reversal flips");
    let canary = canary(&path);
    assert!(!canary.is_empty());
    assert_eq!(cost["asks"], server.count() as u64);
    assert_eq!(cost["canary"], canary.len() as u64);
    assert_eq!(cost["confirming"], confirming);
    assert_eq!((&cost["failed"], &cost["unknown"]), (&0.into(), &0.into()));
    let tokens = tokens(&asked) + tokens(&canary);
    assert_eq!(cost["input_tokens"], tokens);
    // 0.042 dollars for 10^6 tokens are 42,000 * 10^-12 dollars for one.
    assert_eq!(cost["usd_picos"], tokens * 42_000);
    assert_eq!(json(&path, "out/run.json")["cost"], *cost);
    let said = format!(
        "cost {} asks ({} on whether order arrives and {confirming} to confirm flips), {tokens} tokens in and ",
        server.count(),
        canary.len(),
    );
    assert!(flat(&ran.out).contains(&said), "{said} in {}", ran.out);
    let nanos = tokens * 42;
    let money = format!("$0.{nanos:09}");
    assert!(
        flat(&ran.out).contains(money.trim_end_matches('0')),
        "{money} in {}",
        ran.out
    );
    // Going on asks nothing, and says the same.
    run_as_given(&path, &words(&model, &more));
    assert_eq!(json(&path, "out/summary.json")["cost"], *cost);
}

#[test]
fn a_cost_that_nobody_states_is_unknown_and_no_zero() {
    let (_guard, path) = folder(&unlabelled(2));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = model(&server);
    let ran = run(&path, &words(&model, &format!("{REVERSE} --no-confirm")));
    let cost = json(&path, "out/summary.json")["cost"].clone();
    assert_eq!(cost["usd_picos"], Value::Null);
    assert_eq!(cost["unknown"], 4);
    assert!(flat(&ran.out).contains("out: cost unknown"), "{}", ran.out);
    let control = "probe cases.jsonl --model first --json s.json --no-confirm";
    run(&path, &control.split_whitespace().collect::<Vec<_>>());
    assert_eq!(json(&path, "s.json")["cost"], Value::Null);
}

#[test]
fn max_cost_is_not_passed_by_asks_in_flight() {
    let (_guard, path) = folder(&unlabelled(60));
    let server = Standin::builder()
        .policy(Policy::First)
        .delay(Duration::from_millis(20))
        .start()
        .unwrap();
    let model = model(&server);
    // A thousandth of a dollar for each token.
    let more = format!("{REVERSE} --no-confirm --concurrency 16 --price 1000 --max-cost 0.5");
    let ran = run(&path, &words(&model, &more));
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(
        ran.err.contains("`--max-cost 0.50` is reached"),
        "{}",
        ran.err
    );
    let asked = journal(&path, "out");
    assert_eq!(asked.len(), server.count());
    let spent = tokens(&asked);
    assert!(spent <= 500, "{spent} thousandths of a dollar");
    let dearest = asked.iter().map(|line| tokens(std::slice::from_ref(line)));
    let dearest = dearest.max().unwrap();
    assert!(
        spent + 2 * dearest > 500,
        "{spent} and {dearest}: another ask would have fit"
    );
}

#[test]
fn max_cost_bounds_the_canary_too() {
    let (_guard, path) = folder(&unlabelled(4));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = model(&server);
    let ran = run_as_given(&path, &words(&model, &format!("{REVERSE} --max-cost 1")));
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert_eq!(server.count(), 1, "what one ask cost nobody knows");
    assert_eq!(
        json(&path, "out/summary.json")["canary"]["why"],
        "an answer came whose cost nobody states, and `--max-cost` is given"
    );
}

#[test]
fn a_canary_that_was_killed_goes_on_and_pays_no_ask_twice() {
    let (_guard, path) = folder(&unlabelled(4));
    let calm = Standin::builder().policy(Policy::Content).start().unwrap();
    let spec = model(&calm);
    let whole = run_as_given(&path, &words(&spec, REVERSE));
    assert_eq!(whole.code, 0, "{}", whole.err);
    let all = canary(&path).len();
    let expected = json(&path, "out/summary.json")["canary"].clone();
    std::fs::remove_dir_all(path.join("out")).unwrap();

    let server = Standin::builder()
        .policy(Policy::Content)
        .delay(Duration::from_millis(60))
        .start()
        .unwrap();
    let spec = model(&server);
    let mut child = launch(&path, &words(&spec, REVERSE));
    while server.count() < 4 {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let (kept, sent) = (canary(&path).len(), server.count());
    assert!(kept >= 3 && kept < all, "{kept} of {all}");
    assert!(sent - kept <= 1, "{sent} sent, {kept} kept");
    let ran = run_as_given(&path, &words(&spec, REVERSE));
    assert_eq!(ran.code, 0, "{}", ran.err);
    // What was not kept, and the 8 asks of the run.
    assert_eq!(server.count() - sent, all - kept + 8);
    let summary = json(&path, "out/summary.json");
    assert_eq!(summary["canary"], expected);
    assert_eq!(summary["cost"]["canary"], all as u64);
    let numbers = canary(&path).into_iter().map(|line| line["ask"].clone());
    let expected: Vec<Value> = (0..all).map(Value::from).collect();
    assert_eq!(numbers.collect::<Vec<_>>(), expected);
}

#[test]
fn what_was_to_confirm_a_flip_and_failed_is_counted() {
    let (_guard, path) = folder(&unlabelled(2));
    // Four planned asks, then those that confirm.
    let server = faulty(Policy::First, Fault::Status(422), When::From(6));
    let spec = model(&server);
    let ran = run(&path, &words(&spec, &format!("{REVERSE} --concurrency 1")));
    let counts = json(&path, "out/summary.json")["counts"].clone();
    assert_eq!(counts["confirming"], 4, "{}", ran.out);
    assert_eq!(counts["confirming_failed"], 3);
    assert_eq!(counts["confirming_unasked"], 0);
    assert_eq!(counts["failed"], 0);
    let said = "4 asks and 4 to confirm flips (3 of them failed)";
    assert!(flat(&ran.out).contains(said), "{}", ran.out);
}

#[test]
fn an_outage_in_a_run_is_asked_again_by_the_command_that_goes_on() {
    for (fault, text) in [
        (Fault::HtmlOk, "answered 200: an HTML page in place of JSON"),
        (Fault::Status(409), "answered 409: planned fault: 409"),
    ] {
        let (_guard, path) = folder(&unlabelled(2));
        let server = faulty(Policy::Content, fault, When::Nth(2));
        let spec = model(&server);
        let more = format!("{REVERSE} --no-confirm --concurrency 1 --retries 0");
        let ran = run(&path, &words(&spec, &more));
        let counts = json(&path, "out/summary.json")["counts"].clone();
        assert_eq!((&counts["failed"], server.count()), (&1.into(), 4));
        assert!(flat(&ran.out).contains(text), "{text} in {}", ran.out);
        run(&path, &words(&spec, &more));
        let counts = json(&path, "out/summary.json")["counts"].clone();
        assert_eq!(
            (&counts["failed"], server.count()),
            (&0.into(), 5),
            "{text}"
        );
        assert_eq!(counts["answered"], 4);
    }
}

#[test]
fn a_dry_run_says_how_many_deeper_requests_may_come_on_top() {
    let (_guard, path) = folder(&unlabelled(3));
    let told = |model: &str| {
        let line = format!("probe cases.jsonl --model {model} {REVERSE} --no-confirm --dry-run");
        let ran = run(&path, &line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.err
    };
    let at = "@http://127.0.0.1:1/v1";
    let said = "not counted: up to 6 more requests, one for each answer whose list of tokens leaves options out";
    assert!(told(&format!("openai:m{at}")).contains(said));
    for silent in [
        format!("openai:m{at}?deeper=no"),
        format!("openai:m{at}?read=plain"),
        "systemone:http://127.0.0.1:1/v1/systemone".to_owned(),
    ] {
        assert!(!told(&silent).contains("not counted"), "{silent}");
    }
}
