//! Hosted models with the real program: whose key goes where, what is compressed, what it costs, what confidence means.

use std::path::Path;

use flipside_standin::{Confidence, Dialect, Fault, Policy, Retry, Standin, When};
use serde_json::Value;

use crate::support::{Ran, flipside, folder, json, probe, ran, run, unlabelled};

const KEY: &str = "sk-hush-sesame";

fn keyed(dialect: Dialect) -> Standin {
    Standin::builder()
        .dialect(dialect)
        .policy(Policy::Content)
        .key(KEY)
        .start()
        .unwrap()
}

/// The program with a key in `MY_KEY`.
fn with_key(folder: &Path, words: &[&str]) -> Ran {
    let output = flipside()
        .current_dir(folder)
        .args(words)
        .env("MY_KEY", KEY)
        .output();
    ran(&output.unwrap())
}

const PLAIN: [&str; 6] = [
    "probe",
    "cases.jsonl",
    "--gate",
    "none:fit",
    "--order",
    "reverse",
];

#[test]
fn a_secret_in_the_query_of_a_models_url_is_sent_and_told_nowhere() {
    let (_guard, path) = folder(&unlabelled(2));
    let server = Standin::builder()
        .dialect(Dialect::Typesafe)
        .policy(Policy::First)
        .model("jev of sesame-hush")
        .header("x-typesafe-request-id", "sesame-hush/7")
        .start()
        .unwrap();
    let model = format!("systemone:{}?api_key=sesame-hush", server.url());
    let words = [
        &PLAIN[..],
        &["--model", &model, "--out", "run", "--gate", "none:order"],
    ]
    .concat();
    let ran = run(&path, &words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let seen = server.seen();
    assert!(
        seen.iter()
            .all(|seen| seen.path.ends_with("?api_key=sesame-hush"))
    );
    assert!(
        !ran.err.contains("sesame") && !ran.out.contains("sesame"),
        "{}{}",
        ran.err,
        ran.out
    );
    for file in std::fs::read_dir(path.join("run")).unwrap() {
        let text = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains("sesame"));
    }
    let recorded = json(&path, "run/run.json");
    let command = recorded["command"].as_array().unwrap();
    let place = command.iter().position(|word| word == "--model").unwrap();
    let shown = format!("systemone:{}?api_key=…", server.url());
    assert_eq!(command[place + 1], shown);
}

#[test]
fn key_from_sends_a_named_key_to_the_one_host_that_is_asked() {
    let (_guard, path) = folder(&unlabelled(2));
    let server = keyed(Dialect::Typesafe);
    let model = format!("systemone:{}", server.url());
    let without = with_key(&path, &[&PLAIN[..], &["--model", &model]].concat());
    assert_eq!(without.code, 3, "{}", without.err);
    assert!(
        without
            .err
            .contains("no key was sent (`--key-from VARIABLE` names one); mend it and repeat"),
        "{}",
        without.err
    );
    let asked = with_key(
        &path,
        &[&PLAIN[..], &["--model", &model, "--key-from", "MY_KEY"]].concat(),
    );
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(asked.err.contains("key from MY_KEY"), "{}", asked.err);
    assert!(!asked.err.contains("sesame") && !asked.out.contains("sesame"));
    let checked = with_key(&path, &["models", &model, "--key-from", "MY_KEY"]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    assert!(checked.out.contains("key from  MY_KEY"), "{}", checked.out);
    let decided = with_key(
        &path,
        &[
            "decide",
            "--state",
            "{}",
            "--option",
            "a=b",
            "--option",
            "c=d",
            "--rules",
            "r",
            "--model",
            &model,
            "--key-from",
            "MY_KEY",
        ],
    );
    assert_eq!(decided.code, 0, "{}", decided.err);
}

#[test]
fn key_from_is_refused_where_it_is_not_clear_whose_key_it_is() {
    let (_guard, path) = folder(&unlabelled(2));
    let (one, two) = (keyed(Dialect::Typesafe), keyed(Dialect::Laya));
    let model = |server: &Standin| format!("systemone:{}", server.url());
    let host = |server: &Standin| server.origin().replace("http://", "");
    let refused = |words: &[&str]| {
        let ran = with_key(&path, &[&PLAIN[..], words].concat());
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(!ran.err.contains("sesame"), "{}", ran.err);
        ran.err
    };
    let both = refused(&[
        "--model",
        &model(&one),
        "--model",
        &model(&two),
        "--key-from",
        "MY_KEY",
    ]);
    let mut hosts = [host(&one), host(&two)];
    hosts.sort();
    assert!(
        both.contains(&format!(
            "error: `--key-from MY_KEY`: the models are at {}, expected one host",
            hosts.join(" and ")
        )),
        "{both}"
    );
    assert!(
        both.contains("help: ask each host with a command of its own"),
        "{both}"
    );
    let none = refused(&["--model", "first", "--key-from", "MY_KEY"]);
    assert!(
        none.contains("error: `--key-from MY_KEY`: no model that is named sends a key"),
        "{none}"
    );
    assert!(none.contains("help: leave the flag out"), "{none}");
    let unset = refused(&["--model", &model(&one), "--key-from", "NOT_SET_HERE"]);
    assert!(
        unset.contains(
            "error: `--key-from NOT_SET_HERE`: the variable is not set, expected the key in it"
        ),
        "{unset}"
    );
    // A key in place of a variable's name is not repeated.
    let confused = refused(&["--model", &model(&one), "--key-from", KEY]);
    assert!(
        confused.contains("error: `--key-from`: expected the name of an environment variable such as `GATEWAY_KEY`, and not the key"),
        "{confused}"
    );
    assert_eq!((one.count(), two.count()), (0, 0));
    // Beside a control, one host is clear.
    let clear = with_key(
        &path,
        &[
            &PLAIN[..],
            &[
                "--model",
                "first",
                "--model",
                &model(&one),
                "--key-from",
                "MY_KEY",
            ],
        ]
        .concat(),
    );
    assert!(clear.code < 2, "{}", clear.err);
}

#[test]
fn compress_changes_what_travels_and_not_what_is_recorded() {
    let cases = unlabelled(2).replace("\"one ", &format!("\"{} ", "one".repeat(400)));
    let (_guard, path) = folder(&cases);
    let server = Standin::builder().policy(Policy::Content).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let digests = |out: &str| {
        let lines = std::fs::read_to_string(path.join(out).join("asks.jsonl")).unwrap();
        let mut digests: Vec<String> = (lines.lines())
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter_map(|line| line["digest"].as_str().map(str::to_owned))
            .collect();
        digests.sort();
        digests
    };
    let plain = run(
        &path,
        &[&PLAIN[..], &["--model", &model, "--out", "plain"]].concat(),
    );
    let sent = server.seen().len();
    let packed = run(
        &path,
        &[
            &PLAIN[..],
            &["--model", &model, "--out", "packed", "--compress"],
        ]
        .concat(),
    );
    assert_eq!(
        (plain.code, packed.code),
        (0, 0),
        "{} {}",
        plain.err,
        packed.err
    );
    let seen = server.seen();
    let compressed = |at: usize| {
        seen[at]
            .headers
            .iter()
            .any(|(name, value)| name == "content-encoding" && value == "zstd")
    };
    assert!((0..sent).all(|at| !compressed(at)));
    assert!((sent..2 * sent).all(compressed));
    assert!(seen[sent].body.len() < seen[0].body.len());
    assert_eq!(digests("plain").len(), 4);
    assert_eq!(digests("plain"), digests("packed"));
}

/// Every hosted model: its stand-in, and the variable that leads to it.
const HOSTED: [(&str, Dialect, &str); 7] = [
    ("jev", Dialect::Typesafe, "TYPESAFE_API_URL"),
    ("openrouter:a/b", Dialect::Openrouter, "OPENROUTER_BASE_URL"),
    ("laya-served", Dialect::Laya, "LAYA_SERVED_URL"),
    (
        "laya-served?order=option_order",
        Dialect::Laya,
        "LAYA_SERVED_URL",
    ),
    ("laya-predict", Dialect::Predict, "LAYA_BASE_URL"),
    ("clm", Dialect::Clm, "CLM_URL"),
    (
        "cloudflare:clef",
        Dialect::Cloudflare,
        "CLOUDFLARE_BASE_URL",
    ),
];

#[test]
fn attempts_at_every_host_are_the_same_bytes_and_only_where_another_one_helps() {
    let (_guard, path) = folder(&unlabelled(1));
    for (spec, dialect, variable) in HOSTED {
        let ask = |fault: Fault| {
            let server = Standin::builder()
                .dialect(dialect)
                .policy(Policy::Content)
                .fault(fault, When::Nth(1))
                .start()
                .unwrap();
            let base = match dialect {
                Dialect::Cloudflare => format!("{}/client/v4", server.origin()),
                Dialect::Predict => server.origin(),
                _ => server.url(),
            };
            let words = [
                "probe",
                "cases.jsonl",
                "--gate",
                "none:fit",
                "--model",
                spec,
            ];
            let output = flipside()
                .current_dir(&path)
                .args(words)
                .env(variable, base)
                .env("CLOUDFLARE_ACCOUNT_ID", "standin")
                .output();
            let ran = ran(&output.unwrap());
            let seen = server.seen();
            let bodies: Vec<Vec<u8>> = seen.into_iter().map(|seen| seen.body).collect();
            (ran, bodies)
        };
        for status in [408, 429, 500, 502, 503, 504, 529] {
            let (ran, bodies) = ask(Fault::RetryAfter(status, Retry::Milliseconds(1)));
            assert_eq!(ran.code, 0, "{spec} {status}: {}", ran.err);
            assert_eq!(bodies.len(), 2, "{spec} {status}");
            assert_eq!(bodies[0], bodies[1], "{spec} {status}");
        }
        for status in [400, 401, 402, 403, 404, 413, 415, 422] {
            let (ran, bodies) = ask(Fault::RetryAfter(status, Retry::Milliseconds(1)));
            assert_eq!(bodies.len(), 1, "{spec} {status}: {}", ran.err);
            let said = format!("answered {status}");
            assert!(
                ran.out.contains(&said) || ran.err.contains(&said),
                "{spec} {status}: {}{}",
                ran.out,
                ran.err
            );
        }
    }
}

#[test]
fn the_list_of_models_says_what_each_host_needs() {
    let (_guard, path) = folder("");
    let list = |variables: &[(&str, &str)]| {
        let mut command = flipside();
        command
            .current_dir(&path)
            .arg("models")
            .envs(variables.iter().copied());
        ran(&command.output().unwrap()).out
    };
    let line = |text: &str, form: &str| {
        let found = text.lines().find(|line| line.starts_with(form));
        found
            .unwrap_or_else(|| panic!("{form} in {text}"))
            .to_owned()
    };
    let bare = list(&[]);
    for (form, needs) in [
        ("openrouter:MODEL ", "; needs OPENROUTER_API_KEY, not set"),
        ("laya-served[:URL] ", "; needs a URL or LAYA_SERVED_URL"),
        ("laya-predict[:URL] ", "; needs a URL or LAYA_BASE_URL"),
        ("clm[:URL] ", "; needs a URL or CLM_URL"),
        ("cua-served:URL ", "; needs the server"),
        ("cloudflare:MODEL ", "; needs CLOUDFLARE_API_TOKEN, not set"),
    ] {
        assert!(line(&bare, form).ends_with(needs), "{}", line(&bare, form));
    }
    let set = list(&[
        ("CLM_URL", "http://127.0.0.1:1/"),
        ("CLOUDFLARE_API_TOKEN", "k"),
    ]);
    assert!(line(&set, "clm[:URL] ").ends_with("; CLM_URL is set"));
    assert!(line(&set, "cloudflare:MODEL ").ends_with("; CLOUDFLARE_API_TOKEN is set"));
}

#[test]
fn an_unknown_price_is_said_and_a_given_one_counts() {
    let (_guard, path) = folder(&unlabelled(2));
    let dry = |model: &str, rest: &[&str]| {
        let words = [&PLAIN[..], &["--dry-run", "--model", model], rest].concat();
        let output = flipside()
            .current_dir(&path)
            .args(words)
            .env("OPENROUTER_API_KEY", "k")
            .env("TYPESAFE_API_KEY", "k")
            .output();
        let ran = ran(&output.unwrap());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    assert!(dry("openrouter:a/b", &[]).contains("cost unknown"));
    assert!(!dry("jev", &[]).contains("cost unknown"));
    assert!(!dry("openrouter:a/b", &["--price", "1"]).contains("cost unknown"));
}

#[test]
fn a_case_that_a_backend_would_refuse_is_refused_before_anything_is_asked() {
    let members: Vec<String> = (0..27).map(|at| format!("\"k{at}\":\"t{at}\"")).collect();
    let case = format!(
        "{{\"id\":\"wide\",\"state\":\"s\",\"options\":{{{}}},\"rules\":\"Pick.\"}}\n",
        members.join(",")
    );
    let (_guard, path) = folder(&case);
    let server = keyed(Dialect::Cua);
    let model = format!("cua-served:{}", server.url());
    let refused = run(&path, &[&PLAIN[..], &["--model", &model]].concat());
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(
        refused
            .err
            .contains("Cua-S1 takes at most 26 options and is asked with 27; shorten the list"),
        "{}",
        refused.err
    );
    assert_eq!(server.count(), 0);
}

/// Four servers print the same probabilities, each with its own meaning of `confidence`: what is derived is the same to the bit.
#[test]
fn four_meanings_of_confidence_leave_what_we_derive_the_same() {
    let (_guard, path) = folder(&unlabelled(12));
    let mut derived: Vec<Value> = Vec::new();
    let mut stated: Vec<Vec<Value>> = Vec::new();
    for (confidence, name) in [
        (Confidence::AboveChance, "above-chance"),
        (Confidence::Entropy, "entropy"),
        (Confidence::MaxP, "largest"),
        (Confidence::Margin, "margin"),
    ] {
        let server = Standin::builder()
            .policy(Policy::Mixed(0.7))
            .confidence(confidence)
            .round(4)
            .start()
            .unwrap();
        let model = format!("systemone:{}", server.url());
        let words = [
            "cases.jsonl",
            "--model",
            &model,
            "--order",
            "reverse,same:1",
            "--no-confirm",
            "--gate",
            "none:fit,none:order,none:same",
            "--threshold",
            "0.6",
        ];
        let (ran, summary) = probe(&path, &words);
        assert!(ran.code < 2, "{}", ran.err);
        let fits = summary["model"]["confidence_fits"].as_array().unwrap();
        assert!(fits.contains(&name.into()), "{name}: {fits:?}");
        // With three options no two kinds agree on twelve cases.
        assert_eq!(fits.len(), 1, "{name}: {fits:?}");
        let mut summary = crate::support::timeless(summary);
        let asks = summary["cases"].as_array().unwrap().iter();
        let asks = asks.flat_map(|case| case["asks"].as_array().unwrap().iter());
        stated.push(asks.map(|ask| ask["backend_confidence"].clone()).collect());
        for name in ["backend_confidence", "confidence_fits"] {
            crate::support::strip(&mut summary, name);
        }
        assert!(summary["cases"][0]["asks"][0]["confidence"]["top"].is_number());
        derived.push(summary);
    }
    for other in &derived[1..] {
        assert_eq!(*other, derived[0]);
    }
    for pair in stated.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
    assert!(
        derived[0]["axes"]["order"]["reverse"]["flips"]
            .as_u64()
            .unwrap()
            > 0
    );
}

#[test]
fn a_route_is_in_the_journal_with_the_id_and_is_read_again_by_its_protocol() {
    let (_guard, path) = folder(&unlabelled(2));
    let server = Standin::builder()
        .dialect(Dialect::Openrouter)
        .policy(Policy::First)
        .start()
        .unwrap();
    let words = [
        &PLAIN[..],
        &[
            "--no-confirm",
            "--model",
            "openrouter:a/b?provider=Fireworks",
            "--out",
            "a",
        ],
    ]
    .concat();
    let output = flipside()
        .current_dir(&path)
        .args(words)
        .env("OPENROUTER_BASE_URL", server.url())
        .output();
    let asked = ran(&output.unwrap());
    assert_eq!(asked.code, 1, "{}", asked.err);
    let run_file = json(&path, "a/run.json");
    assert_eq!(
        run_file["protocol"]["name"], "openrouter-decisions",
        "{run_file}"
    );
    assert_eq!(run_file["protocol"]["settings"]["providers"], "Fireworks");
    let journal = std::fs::read_to_string(path.join("a/asks.jsonl")).unwrap();
    assert_eq!(
        journal.matches("\"provider\":\"Fireworks\"").count(),
        4,
        "{journal}"
    );
    assert_eq!(
        journal.matches("\"request_id\":\"dec-").count(),
        4,
        "{journal}"
    );
    let again = run(
        &path,
        &[&PLAIN[..], &["--no-confirm", "--model", "replay:a"]].concat(),
    );
    assert_eq!(again.code, 1, "{}", again.err);
}
