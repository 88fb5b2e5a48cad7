//! `OpenAI` Decisions and `AgentJev` over real HTTP: order kept, answers aligned, flips as planted, failures named.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::{
    count, flipside, folder, journal, lines, probe_line, ran, read, run_line, unlabelled,
};
use flipside_standin::{Dialect, Fault, Policy, Standin, When};
use serde_json::Value;

const CASES: usize = 8;
/// Keys that hops move, drop or rewrite, as the case file writes them.
const KEYS: [&str; 6] = ["zeta", "10", "2", "alpha", "\\u0041b", "é"];

/// Cases with [`KEYS`], whose texts are strings and structures.
fn cases() -> String {
    let line = |case: usize| {
        let options: Vec<String> = (KEYS.iter().enumerate())
            .map(|(place, key)| match place {
                1 => format!(r#""{key}":{{"z":{case},"10":["x"]}}"#),
                _ => format!(r#""{key}":"text {place} of {case}""#),
            })
            .collect();
        format!(
            r#"{{"id":"c{case}","state":{{"b":{case},"a":"s"}},"options":{{{}}},"rules":"Pick."}}"#,
            options.join(",")
        )
    };
    lines(&(0..CASES).map(line).collect::<Vec<_>>())
}

fn serve(dialect: Dialect, policy: &str) -> Standin {
    Standin::builder()
        .dialect(dialect)
        .policy(policy.parse::<Policy>().unwrap())
        .start()
        .unwrap()
}

fn faulty(dialect: Dialect, fault: &str, when: When) -> Standin {
    Standin::builder()
        .dialect(dialect)
        .fault(fault.parse::<Fault>().unwrap(), when)
        .start()
        .unwrap()
}

/// The model that `server` is.
fn spec(dialect: Dialect, server: &Standin) -> String {
    match dialect {
        Dialect::OpenaiDecisions => format!("openai-decisions:gpt-6-luna@{}/v1", server.origin()),
        _ => format!("agentjev-served:{}", server.url()),
    }
}

const BOTH: [Dialect; 2] = [Dialect::OpenaiDecisions, Dialect::Agentjev];

/// The key that a recorded reply chose, read without the program.
fn chosen(dialect: Dialect, line: &Value) -> String {
    let reply: Value = serde_json::from_str(line["reply"].as_str().unwrap()).unwrap();
    let path = match dialect {
        Dialect::OpenaiDecisions => "/answers/0/choice",
        _ => "/results/0/answers/0/value",
    };
    reply.pointer(path).unwrap().as_str().unwrap().to_owned()
}

fn order(line: &Value) -> Vec<usize> {
    let order = line["order"].as_array().unwrap().iter();
    order
        .map(|id| usize::try_from(id.as_u64().unwrap()).unwrap())
        .collect()
}

/// What each order's flips are by the recorded replies alone.
fn flips_in_replies(dialect: Dialect, asks: &[Value]) -> BTreeMap<String, u64> {
    let own: BTreeMap<&str, String> = asks
        .iter()
        .filter(|line| line["axis"] == "baseline")
        .map(|line| (line["case"].as_str().unwrap(), chosen(dialect, line)))
        .collect();
    let mut flips = BTreeMap::new();
    for line in asks.iter().filter(|line| line["axis"] == "order") {
        let flipped = own[line["case"].as_str().unwrap()] != chosen(dialect, line);
        *flips
            .entry(line["variant"].as_str().unwrap().to_owned())
            .or_default() += u64::from(flipped);
    }
    flips
}

/// Cases whose option at `slot` is another one than in their own order, by order.
fn moved_at(slot: usize, asks: &[Value]) -> BTreeMap<String, u64> {
    let mut moved = BTreeMap::new();
    for line in asks.iter().filter(|line| line["axis"] == "order") {
        *moved
            .entry(line["variant"].as_str().unwrap().to_owned())
            .or_default() += u64::from(order(line)[slot] != slot);
    }
    moved
}

#[test]
fn every_dialect_policy_and_order_has_the_flips_that_are_planted() {
    let (_guard, path) = folder(&cases());
    for (dialect, name) in BOTH.into_iter().zip(["openai-decisions", "agentjev"]) {
        for policy in [
            "first",
            "last",
            "slot:2",
            "content",
            "key-biased",
            "uniform",
            "noisy:0.3",
        ] {
            let server = serve(dialect, policy);
            let out = format!("{name}-{}", policy.replace([':', '.'], "-"));
            let words = format!(
                "cases.jsonl --model {} --order reverse,rotate:1,random:1 --no-canary --no-confirm --gate none:fit --concurrency 1 --out {out}",
                spec(dialect, &server)
            );
            let (ran, summary) = probe_line(&path, &words);
            let asks = journal(&path, &out);
            assert_eq!(
                (asks.len(), server.count()),
                (4 * CASES, 4 * CASES),
                "{}",
                ran.err
            );
            let orders = &summary["axes"]["order"];
            let counted = |field: &str| -> BTreeMap<String, u64> {
                let lines = orders.as_object().unwrap().iter();
                lines
                    .map(|(order, line)| (order.clone(), line[field].as_u64().unwrap()))
                    .collect()
            };
            let flips = counted("flips");
            assert_eq!(flips.len(), 3);
            assert_eq!(flips, flips_in_replies(dialect, &asks), "{name} {policy}");
            let none = |flips: &BTreeMap<String, u64>| flips.values().all(|flips| *flips == 0);
            match policy {
                "first" | "uniform" => assert_eq!(flips, moved_at(0, &asks), "{name} {policy}"),
                "last" => assert_eq!(flips, moved_at(KEYS.len() - 1, &asks), "{name}"),
                "slot:2" => assert_eq!(flips, moved_at(1, &asks), "{name}"),
                "noisy:0.3" => assert!(!none(&flips), "{name}"),
                _ => assert!(none(&flips), "{name} {policy} {flips:?}"),
            }
            if ["first", "last", "slot:2"].contains(&policy) {
                assert_eq!(
                    (flips["reverse"], flips["rotate:1"]),
                    (8, 8),
                    "{name} {policy}"
                );
                assert_eq!(
                    counted("tie_flips"),
                    flips
                        .keys()
                        .map(|k| (k.clone(), 0))
                        .collect::<BTreeMap<_, _>>()
                );
            }
            if policy == "uniform" {
                assert_eq!(counted("tie_flips"), flips, "{name}: a flip between equals");
            }
            arrived(&server, &asks);
        }
    }
}

/// What arrived are the recorded bytes, with the keys in the order that each line records.
fn arrived(server: &Standin, asks: &[Value]) {
    let sent: BTreeMap<&str, Vec<usize>> = asks
        .iter()
        .map(|line| (line["request"].as_str().unwrap(), order(line)))
        .collect();
    let seen = server.seen();
    assert_eq!(seen.len(), sent.len());
    for seen in seen {
        let order = &sent[std::str::from_utf8(&seen.body).unwrap()];
        let keys: Vec<String> = order
            .iter()
            .map(|id| KEYS[*id].replace("\\u0041", "A"))
            .collect();
        assert_eq!(seen.keys, keys);
    }
}

#[test]
fn typed_values_of_a_file_are_asked_as_they_are_typed() {
    let file = r#"{"id":"rain","input":"It rains.","questions":[{"type":"choice","name":"q","instructions":"Which?","choices":[{"value":true},{"value":"true"},{"value":"maybe"}]},{"type":"predicate","name":"p","instructions":"It is wet."}]}"#;
    let (_guard, path) = folder(&format!("{file}\n"));
    let server = serve(Dialect::OpenaiDecisions, "first");
    let words = format!(
        "cases.jsonl --model {} --order reverse,rotate:1 --no-canary --no-confirm --gate none:fit --concurrency 1 --out run",
        spec(Dialect::OpenaiDecisions, &server)
    );
    let (ran, summary) = probe_line(&path, &words);
    assert_eq!(
        count(&summary, "/axes/order/rotate:1/flips"),
        Some(1),
        "{}",
        ran.err
    );
    let predicate = r#"{"type":"predicate","name":"p","instructions":"It is wet."}"#;
    let asked: Vec<String> = server
        .seen()
        .iter()
        .map(|seen| String::from_utf8(seen.body.clone()).unwrap())
        .collect();
    for choices in [
        r#"{"value":true},{"value":"true"},{"value":"maybe"}"#,
        r#"{"value":"maybe"},{"value":"true"},{"value":true}"#,
        r#"{"value":"true"},{"value":"maybe"},{"value":true}"#,
    ] {
        let body = format!(
            r#"{{"model":"gpt-6-luna","input":"It rains.","questions":[{{"type":"choice","name":"q","instructions":"Which?","choices":[{choices}]}},{predicate}]}}"#
        );
        assert!(asked.contains(&body), "{asked:?}");
    }
    // The statement is asked beside the choice, in the same bytes, so that one reply answers both.
    assert_eq!(count(&summary, "/counts/cases"), Some(2));
    assert_eq!(server.count(), 3, "{asked:?}");
}

#[test]
fn a_refusal_is_counted_under_its_own_name() {
    let (_guard, path) = folder(&unlabelled(10));
    let refusing = |server: &Standin| {
        let words = format!(
            "cases.jsonl --model {} --order reverse --no-confirm --gate none:fit",
            spec(Dialect::OpenaiDecisions, server)
        );
        let (ran, summary) = probe_line(&path, &words);
        assert_eq!(count(&summary, "/counts/failed"), Some(0), "{}", ran.err);
        let line = |field: &str| count(&summary, &format!("/axes/order/reverse/{field}")).unwrap();
        [
            line("pairs"),
            line("flips"),
            line("no_decision"),
            line("no_decision_flips"),
            count(&summary, "/counts/no_decision").unwrap(),
        ]
    };
    // One side of each pair is refused: another outcome, told apart from a change between options.
    let half = serve(Dialect::OpenaiDecisions, "refuse-reversed");
    assert_eq!(refusing(&half), [10, 10, 0, 10, 10]);
    // Both sides are refused: no pair, and no flip.
    let all = faulty(Dialect::OpenaiDecisions, "refusal", When::Always);
    assert_eq!(refusing(&all), [0, 0, 10, 0, 20]);
}

#[test]
fn a_run_over_either_wire_is_replayed_with_the_same_figures() {
    for dialect in BOTH {
        let (_guard, path) = folder(&cases());
        let server = serve(dialect, "mixed:0.6");
        let rest = "--order reverse,random:1,same:1 --no-canary --no-confirm --gate none:fit";
        let words = format!(
            "cases.jsonl --model {} --out recorded {rest}",
            spec(dialect, &server)
        );
        let (_, first) = probe_line(&path, &words);
        let asked = server.count();
        let (ran, again) = probe_line(
            &path,
            &format!("cases.jsonl --model replay:recorded {rest}"),
        );
        assert_eq!(server.count(), asked);
        assert_eq!(first["axes"], again["axes"], "{}", ran.err);
        assert_eq!(first["control"], again["control"]);
        assert_eq!(count(&again, "/counts/failed"), Some(0));
    }
}

fn failed(path: &Path, model: &str) -> (crate::support::Ran, Value) {
    let words = format!(
        "cases.jsonl --model {model} --order reverse --no-canary --no-confirm --gate none:fit --concurrency 1 --out out"
    );
    let found = probe_line(path, &words);
    std::fs::remove_dir_all(path.join("out")).unwrap();
    found
}

#[test]
fn a_conflict_is_asked_again_at_openai_only() {
    for (dialect, missing) in BOTH.into_iter().zip([0, 1]) {
        let (_guard, path) = folder(&unlabelled(8));
        let server = faulty(dialect, "status:409", When::Nth(2));
        let (ran, summary) = failed(&path, &spec(dialect, &server));
        assert_eq!(
            count(&summary, "/counts/failed"),
            Some(missing),
            "{}",
            ran.err
        );
        assert_eq!(server.count(), if missing == 0 { 17 } else { 16 });
    }
}

#[test]
fn a_wait_of_more_than_two_minutes_is_not_waited_for() {
    let (_guard, path) = folder(&unlabelled(8));
    let server = faulty(
        Dialect::OpenaiDecisions,
        "retry-after:429:121",
        When::Nth(2),
    );
    let started = std::time::Instant::now();
    let (ran, summary) = failed(&path, &spec(Dialect::OpenaiDecisions, &server));
    assert_eq!(count(&summary, "/counts/failed"), Some(1), "{}", ran.err);
    assert!(started.elapsed().as_secs() < 60);
    assert_eq!(server.count(), 16);
}

#[test]
fn an_error_of_a_busy_backend_inside_a_success_stops_a_run_as_its_status_would() {
    let (_guard, path) = folder(&unlabelled(4));
    for dialect in BOTH {
        let server = faulty(dialect, "error-200", When::Always);
        let ran = run_line(
            &path,
            &format!(
                "probe cases.jsonl --model {} --order reverse --no-canary --gate none:fit --concurrency 1 --retries 0",
                spec(dialect, &server)
            ),
        );
        assert_eq!(ran.code, 3, "{}", ran.out);
        let said = "the reply is an error 429: too many requests upstream";
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn every_fault_of_an_answers_shape_is_survived_or_named() {
    let (_guard, path) = folder(&unlabelled(2));
    let harmless = [
        "reversed-keys",
        "pick-only",
        "no-probabilities",
        "no-usage",
        "bom",
        "gzip",
        "chunked",
        "rounded:2",
        "sum:0.97",
        "float-tokens",
        "negative-usage",
        "minus-zero",
    ];
    // What the journal says of each, by dialect.
    let alike = |fault, text| (fault, [text, text]);
    let broken = [
        (
            "duplicate-key",
            ["key `c` has two probabilities", "key `c` is given twice"],
        ),
        alike("missing-option", "no probability for"),
        alike(
            "extra-option",
            "a probability for `x_extra`, which was not offered",
        ),
        alike("text-numbers", "expected a number"),
        alike("infinite", "1e400, which is too large"),
        alike("nan", "no JSON that can be read"),
        alike("nan-extra", "no JSON that can be read"),
        alike("sum:0.9", "the probabilities add up to 0.9"),
        alike("sum:1.2", "expected 0 to 1"),
        alike("second-best", "the largest is 0.9"),
        alike(
            "not-offered",
            "the reply chose `x_not_offered`, which was not offered",
        ),
        alike("unknown-type", "(answer-type)"),
        alike("nobody-asked", "(answer-extra)"),
        alike("missing-answer", "(answer-missing)"),
        alike("prefix", "no JSON that can be read"),
        alike("trailing", "no JSON that can be read"),
        alike("empty", "the reply is empty"),
    ];
    for (which, dialect) in BOTH.into_iter().enumerate() {
        for fault in harmless {
            let server = faulty(dialect, fault, When::Always);
            let (ran, summary) = failed(&path, &spec(dialect, &server));
            assert_eq!(
                count(&summary, "/counts/answered"),
                Some(4),
                "{dialect:?} {fault}: {}",
                ran.err
            );
            assert_eq!(
                count(&summary, "/axes/order/reverse/flips"),
                Some(2),
                "{dialect:?} {fault}"
            );
        }
        for (fault, texts) in broken {
            let text = texts[which];
            let server = faulty(dialect, fault, When::From(2));
            let words = format!(
                "probe cases.jsonl --model {} --order reverse --no-canary --no-confirm --gate none:fit --concurrency 1 --out out",
                spec(dialect, &server)
            );
            let ran = run_line(&path, &words);
            let journal = read(&path, "out/asks.jsonl");
            std::fs::remove_dir_all(path.join("out")).unwrap();
            assert_eq!(
                journal.matches("\"failed\"").count(),
                3,
                "{dialect:?} {fault}: {}{}",
                ran.out,
                ran.err
            );
            assert!(journal.contains(text), "{dialect:?} {fault}: {journal}");
        }
    }
}

#[test]
fn openais_key_goes_to_openai_or_the_host_beside_it_and_to_no_other() {
    let (_guard, path) = folder(&unlabelled(8));
    let server = Standin::builder()
        .dialect(Dialect::OpenaiDecisions)
        .key("sk-secret-1")
        .start()
        .unwrap();
    let with = |model: &str, base: Option<String>| {
        let mut command = flipside();
        command.current_dir(&path).args([
            "probe",
            "cases.jsonl",
            "--gate",
            "none:fit",
            "--model",
            model,
        ]);
        command.env("OPENAI_API_KEY", "sk-secret-1");
        if let Some(base) = base {
            command.env("OPENAI_BASE_URL", base);
        }
        ran(&command.output().unwrap())
    };
    let beside = with(
        "openai-decisions:m",
        Some(format!("{}/v1", server.origin())),
    );
    assert_eq!(beside.code, 0, "{}", beside.err);
    assert!(
        beside.err.contains("key from OPENAI_API_KEY"),
        "{}",
        beside.err
    );
    let other = with(&spec(Dialect::OpenaiDecisions, &server), None);
    assert_eq!(other.code, 3, "{}", other.err);
    assert!(other.err.contains("401"), "{}", other.err);
    assert!(
        server
            .seen()
            .iter()
            .filter(|seen| !seen.authorization)
            .count()
            > 0
    );
    for ran in [&beside, &other] {
        assert!(!ran.err.contains("sk-") && !ran.out.contains("sk-"));
    }
}

#[test]
fn what_the_wire_has_no_words_for_is_refused_with_the_case_and_nothing_is_asked() {
    let wide: Vec<String> = (0..256)
        .map(|place| format!("\"k{place}\":\"t{place}\""))
        .collect();
    let wide = format!(
        r#"{{"id":"w","state":"s","options":{{{}}},"rules":"Pick."}}"#,
        wide.join(",")
    );
    for (dialect, case, reason) in [
        (
            Dialect::OpenaiDecisions,
            &wide,
            "OpenAI Decisions takes 2 to 255 choices, question `pick` has 256",
        ),
        (
            Dialect::Agentjev,
            &wide,
            "AgentJev takes 2 to 255 options, question `pick` has 256",
        ),
    ] {
        let (_guard, path) = folder(&format!("{case}\n"));
        let server = serve(dialect, "first");
        let ran = run_line(
            &path,
            &format!("probe cases.jsonl --model {}", spec(dialect, &server)),
        );
        assert_eq!((ran.code, server.count()), (2, 0), "{}", ran.err);
        assert!(ran.err.contains(reason), "{}", ran.err);
        assert!(ran.err.contains("cases.jsonl:1: "), "{}", ran.err);
    }
}
