//! Language models of known preference behind every server: the bytes, the order, the answer, and flips exactly as planted.

use std::collections::BTreeMap;
use std::path::Path;

use flipside_standin::{Dialect, Policy, Seen, Setting, Standin};
use serde_json::{Value, json};

use crate::support::{folder, journal, lines, probe};

const CASES: usize = 6;

/// What logarithms and back may cost.
const NOISE: f64 = 1e-9;

/// Key and text of each option. The key that sorts first, the text that sorts first, and the heaviest text are three options.
const OPTIONS: [(&str, &str); 4] = [
    ("pay", "send 2 coins"),
    ("wait", "look 7 times"),
    ("ask", "write 3 lines"),
    ("drop", "close 5 files"),
];

/// The options of a case in its own order: every option stands everywhere.
fn own(case: usize) -> Vec<(&'static str, &'static str)> {
    let mut options = OPTIONS.to_vec();
    options.rotate_left(case % OPTIONS.len());
    options
}

fn cases() -> String {
    let line = |case: usize| {
        let options: Vec<String> = own(case)
            .iter()
            .map(|(key, text)| format!("\"{key}\":\"{text}\""))
            .collect();
        format!(
            "{{\"id\":\"c{case}\",\"state\":{{\"note\":\"ticket {case}\"}},\"options\":{{{}}},\"rules\":\"Pick one.\"}}",
            options.join(",")
        )
    };
    lines(&(0..CASES).map(line).collect::<Vec<_>>())
}

/// A way to ask: the stand-in's dialect, and the model's name with `ORIGIN` for its address.
type Way = (&'static str, &'static str);

const LETTERS: [Way; 4] = [
    ("chat", "openai:m@ORIGIN/v1"),
    ("completions", "openai:m@ORIGIN/v1?api=completions"),
    ("llamacpp", "llamacpp:ORIGIN"),
    ("ollama", "ollama:m@ORIGIN"),
];
const TEXTS: Way = (
    "completions",
    "openai:m@ORIGIN/v1?api=completions&read=text",
);
const PROMPTED: Way = (
    "completions",
    "openai:m@ORIGIN/v1?api=completions&read=text&scores=prompt",
);

fn server(dialect: &str, policy: &str, settings: &[&str]) -> Standin {
    let mut builder = Standin::builder()
        .dialect(dialect.parse::<Dialect>().unwrap())
        .policy(policy.parse::<Policy>().unwrap());
    for setting in settings {
        builder = builder.setting(setting.parse::<Setting>().unwrap());
    }
    builder.start().unwrap()
}

fn spec(way: &str, server: &Standin) -> String {
    way.replace("ORIGIN", &server.origin())
}

/// Orders and sets of letters asked of `model`, with a folder `run`.
fn asked(path: &Path, model: &str, axes: &[&str]) -> Value {
    let mut words = vec![
        "cases.jsonl",
        "--model",
        model,
        "--confirm",
        "never",
        "--out",
        "run",
    ];
    words.extend(axes);
    let (ran, summary) = probe(path, &words);
    assert!(ran.code < 2, "{model}: {}", ran.err);
    summary
}

const ORDERS: [&str; 2] = ["--order", "reverse,rotate:1"];
const ORDERS_AND_LETTERS: [&str; 4] = [
    "--order",
    "reverse,rotate:1",
    "--axis",
    "keys:letters,keys:list:letters.txt",
];

/// Flips of a variant, where every case is a pair.
fn flips(summary: &Value, axis: &str, variant: &str) -> u64 {
    let line = &summary["axes"][axis][variant];
    assert_eq!(line["pairs"], CASES, "{axis}/{variant}: {line}");
    line["flips"].as_u64().unwrap()
}

/// The place of each known preference, and how many of six flip under `reverse`, `rotate:1`, `keys:letters` and other letters.
///
/// With letters as keys the key is not shown, so that `key-biased` follows the text that sorts first, another option. `letter:B`
/// is the second option until the letters are D, A, C, B; then it is the last.
/// `uniform` makes all letters equally likely and generates the first.
const PLANTED: [(&str, Option<usize>, [u64; 4]); 7] = [
    ("first", Some(0), [6, 6, 0, 0]),
    ("last", Some(3), [6, 6, 0, 0]),
    ("slot:2", Some(1), [6, 6, 0, 0]),
    ("letter:B", Some(1), [6, 6, 0, 6]),
    ("weighed", None, [0, 0, 0, 0]),
    ("key-biased", None, [0, 0, 6, 6]),
    ("uniform", None, [6, 6, 0, 0]),
];

#[test]
fn flips_are_those_planted_through_every_server_of_letters() {
    for (dialect, way) in LETTERS {
        for (policy, place, expected) in PLANTED {
            let (_guard, path) = folder(&cases());
            std::fs::write(path.join("letters.txt"), "[\"D\",\"A\",\"C\",\"B\"]\n").unwrap();
            let server = server(dialect, policy, &[]);
            let summary = asked(&path, &spec(way, &server), &ORDERS_AND_LETTERS);
            let found = [
                flips(&summary, "order", "reverse"),
                flips(&summary, "order", "rotate:1"),
                flips(&summary, "keys", "letters"),
                flips(&summary, "keys", "list:1"),
            ];
            assert_eq!(found, expected, "{dialect} {policy}");
            let counts = &summary["counts"];
            assert_eq!(
                (
                    &counts["answered"],
                    &counts["failed"],
                    &counts["no_decision"]
                ),
                (&json!(30), &json!(0), &json!(0)),
                "{dialect} {policy}"
            );
            assert_eq!(
                server.count(),
                30,
                "nothing is asked deeper: {dialect} {policy}"
            );
            shown(&server.seen());
            aligned(&path, policy, place);
        }
    }
}

#[test]
fn content_never_flips_and_texts_read_by_echo_flip_as_planted() {
    for (dialect, way) in LETTERS {
        let (_guard, path) = folder(&cases());
        let server = server(dialect, "content", &[]);
        let summary = asked(&path, &spec(way, &server), &ORDERS);
        let found = ["reverse", "rotate:1"].map(|order| flips(&summary, "order", order));
        assert_eq!(found, [0, 0], "{dialect}");
        let moved = &summary["axes"]["order"]["reverse"]["drift"]["centred_logit"];
        assert!(
            moved["largest"].as_f64().unwrap() < NOISE,
            "{dialect}: {moved}"
        );
    }
    for (policy, place, [reverse, rotate, ..]) in PLANTED
        .into_iter()
        .filter(|(policy, ..)| *policy != "letter:B")
    {
        let (_guard, path) = folder(&cases());
        let server = server(TEXTS.0, policy, &[]);
        let summary = asked(&path, &spec(TEXTS.1, &server), &ORDERS);
        let found = ["reverse", "rotate:1"].map(|order| flips(&summary, "order", order));
        // Texts are generated nowhere: of equally likely ones the first shown is the choice.
        assert_eq!(found, [reverse, rotate], "{policy}");
        assert_eq!(summary["readout"]["kind"], "text-logprobs");
        aligned(&path, policy, place);
        // A server without an echo lists the tokens of the prompt.
        let (_guard, path) = folder(&cases());
        let server = self::server(PROMPTED.0, policy, &["no-echo"]);
        let summary = asked(&path, &spec(PROMPTED.1, &server), &ORDERS);
        let found = ["reverse", "rotate:1"].map(|order| flips(&summary, "order", order));
        assert_eq!(found, [reverse, rotate], "{policy}");
        aligned(&path, policy, place);
    }
}

/// What each case was shown with: five lists of letters and keys, each once.
fn shown(seen: &[Seen]) {
    let mut found: BTreeMap<usize, Vec<(String, Vec<String>)>> = BTreeMap::new();
    for seen in seen {
        let body = String::from_utf8(seen.body.clone()).unwrap();
        let number = body.split("ticket ").nth(1).unwrap()[..1].parse().unwrap();
        found
            .entry(number)
            .or_default()
            .push((seen.letters.concat(), seen.keys.clone()));
    }
    for case in 0..CASES {
        let keys: Vec<String> = own(case).iter().map(|(key, _)| (*key).to_owned()).collect();
        let texts: Vec<String> = own(case)
            .iter()
            .map(|(_, text)| (*text).to_owned())
            .collect();
        let (mut reversed, mut rotated) = (keys.clone(), keys.clone());
        reversed.reverse();
        rotated.rotate_left(1);
        let letters = || "ABCD".to_owned();
        let mut expected = vec![
            (letters(), keys),
            (letters(), reversed),
            (letters(), rotated),
            (letters(), texts.clone()),
            ("DACB".to_owned(), texts),
        ];
        expected.sort();
        let found = found.get_mut(&case).unwrap();
        found.sort();
        assert_eq!(*found, expected, "case {case}");
    }
}

/// Every answer in the journal is the option at the preferred place, with 0.9 of what the letters or texts have.
fn aligned(path: &Path, policy: &str, place: Option<usize>) {
    for line in journal(path, "run") {
        let answer = &line["outcome"]["answered"];
        let order: Vec<usize> = line["order"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| usize::try_from(id.as_u64().unwrap()).unwrap())
            .collect();
        let shares: Vec<f64> = order
            .iter()
            .map(|id| answer["probabilities"][*id].as_f64().unwrap())
            .collect();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < NOISE, "{line}");
        let Some(place) = place else {
            continue;
        };
        if policy == "letter:B"
            && line["variant"]
                .as_str()
                .is_some_and(|variant| variant.contains("list"))
        {
            continue;
        }
        assert_eq!(answer["choice"], order[place], "{policy}: {line}");
        for (at, share) in shares.into_iter().enumerate() {
            let expected = if at == place { 0.9 } else { 0.1 / 3.0 };
            assert!((share - expected).abs() < NOISE, "{policy}: {line}");
        }
    }
}

/// Option texts of a request as it was received, and the whole of it.
fn first_of(server: &Standin, case: &str) -> String {
    let bodies = server
        .seen()
        .into_iter()
        .map(|seen| String::from_utf8(seen.body).unwrap());
    let mut bodies: Vec<String> = bodies.filter(|body| body.contains(case)).collect();
    bodies.swap_remove(0)
}

#[test]
fn requests_are_these_bytes() {
    const SYSTEM: &str = "You choose exactly one option. Answer with its letter alone.";
    const USER: &str = "note: ticket 0\\n\\nPick one.\\nA) pay: send 2 coins\\nB) wait: look 7 times\\nC) ask: write 3 lines\\nD) drop: close 5 files\\nLetter:";
    const LISTED: &str = "note: ticket 0\\n\\nPick one.\\n- pay: send 2 coins\\n- wait: look 7 times\\n- ask: write 3 lines\\n- drop: close 5 files\\nAnswer:";
    let messages = format!(
        "[{{\"role\":\"system\",\"content\":\"{SYSTEM}\"}},{{\"role\":\"user\",\"content\":\"{USER}\"}}]"
    );
    let joined = format!("{SYSTEM}\\n\\n{USER}");
    let texts: Vec<String> = OPTIONS
        .iter()
        .map(|(key, text)| format!("\"{LISTED} {key}: {text}\""))
        .collect();
    let golden = [
        (
            LETTERS[0],
            format!(
                "{{\"model\":\"m\",\"temperature\":0,\"max_completion_tokens\":1,\"logprobs\":true,\"top_logprobs\":20,\"messages\":{messages}}}"
            ),
        ),
        (
            LETTERS[1],
            format!(
                "{{\"model\":\"m\",\"temperature\":0,\"max_tokens\":1,\"logprobs\":20,\"prompt\":\"{joined}\"}}"
            ),
        ),
        (
            LETTERS[2],
            format!(
                "{{\"n_predict\":1,\"n_probs\":40,\"temperature\":0,\"cache_prompt\":false,\"prompt\":\"{joined}\"}}"
            ),
        ),
        (
            LETTERS[3],
            format!(
                "{{\"model\":\"m\",\"stream\":false,\"logprobs\":true,\"top_logprobs\":20,\"options\":{{\"temperature\":0,\"num_predict\":1}},\
                 \"messages\":{messages}}}"
            ),
        ),
        (
            TEXTS,
            format!(
                "{{\"model\":\"m\",\"temperature\":0,\"max_tokens\":0,\"logprobs\":1,\"echo\":true,\"prompt\":[{}]}}",
                texts.join(",")
            ),
        ),
        (
            PROMPTED,
            format!(
                "{{\"model\":\"m\",\"temperature\":0,\"max_tokens\":1,\"prompt_logprobs\":0,\"prompt\":[{}]}}",
                texts.join(",")
            ),
        ),
    ];
    for ((dialect, way), expected) in golden {
        let (_guard, path) = folder(&cases());
        let server = server(dialect, "first", &[]);
        asked(
            &path,
            &spec(way, &server),
            &["--order", "reverse", "--concurrency", "1"],
        );
        let bodies: Vec<String> = server
            .seen()
            .into_iter()
            .map(|seen| String::from_utf8(seen.body).unwrap())
            .collect();
        assert!(
            bodies.contains(&expected),
            "{dialect}: {expected}\n{}",
            first_of(&server, "ticket 0")
        );
    }
}

/// One case of eight options.
fn eight_options() -> String {
    let options: Vec<String> = (1..=8)
        .map(|n| format!("\"k{n}\":\"choice {n}\""))
        .collect();
    format!(
        "{{\"id\":\"e\",\"state\":\"s\",\"options\":{{{}}},\"rules\":\"Pick.\"}}\n",
        options.join(",")
    )
}

#[test]
fn a_letter_beyond_the_list_is_not_observed_and_never_zero() {
    let (_guard, path) = folder(&eight_options());
    let server = server("top5", "first", &[]);
    let summary = asked(
        &path,
        &format!("openai:m@{}/v1", server.origin()),
        &["--order", "reverse"],
    );
    // 0.96 * 0.9 on the spellings of A: 0.54, 0.216, 0.108; then `The` and ` The` with 0.02 and 0.01. B to H have 0.96 * 0.1 / 7 each, at
    // most 0.0086 on one spelling. Smallest of the list: ln 0.01 = -4.605170; what is left of 1, 0.106, is more.
    assert_eq!(summary["readout"]["partial"], 2);
    assert_eq!(summary["axes"]["order"]["reverse"]["flips"], 1);
    assert_eq!(
        server.count(),
        2,
        "a list that the server cuts is not asked deeper"
    );
    for line in journal(&path, "run") {
        let answer = &line["outcome"]["answered"];
        assert_eq!(
            (&answer["choice"], &answer["probabilities"]),
            (&line["order"][0], &Value::Null)
        );
        let readout = &answer["readout"];
        assert!(
            (readout["bound"].as_f64().unwrap() + 4.605_170_186).abs() < 1e-9,
            "{readout}"
        );
        assert!(
            (readout["covered"].as_f64().unwrap() - 0.864).abs() < 1e-9,
            "{readout}"
        );
        let logs = readout["log_probabilities"].as_array().unwrap();
        assert_eq!(logs.iter().filter(|log| log.is_null()).count(), 7);
        // ln 0.864
        let known = logs.iter().find_map(Value::as_f64).unwrap();
        assert!((known + 0.146_182_51).abs() < 1e-8, "{known}");
    }
}

#[test]
fn the_whole_list_of_llamacpp_observes_every_letter() {
    let (_guard, path) = folder(&eight_options());
    let server = server("llamacpp", "first", &[]);
    let summary = asked(
        &path,
        &format!("llamacpp:{}", server.origin()),
        &["--order", "reverse"],
    );
    assert_eq!(summary["readout"]["partial"], 0);
    assert!((summary["readout"]["smallest_covered"].as_f64().unwrap() - 0.96).abs() < 1e-9);
    for line in journal(&path, "run") {
        let shares = line["outcome"]["answered"]["probabilities"]
            .as_array()
            .unwrap();
        let sorted: Vec<f64> = shares.iter().map(|share| share.as_f64().unwrap()).collect();
        assert!(
            sorted
                .iter()
                .all(|share| (share - 0.9).abs() < 1e-9 || (share - 0.1 / 7.0).abs() < 1e-9),
            "{sorted:?}"
        );
    }
}

/// What every ask of a model failed with.
fn failed(path: &Path, model: &str) -> Vec<String> {
    let (_, summary) = probe(
        path,
        &[
            "cases.jsonl",
            "--model",
            model,
            "--confirm",
            "never",
            "--out",
            "run",
            "--order",
            "reverse",
        ],
    );
    assert_eq!(summary["counts"]["answered"], 0, "{summary}");
    let message = |line: &Value| {
        line["outcome"]["failed"]["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    journal(path, "run").iter().map(message).collect()
}

#[test]
fn a_server_that_cannot_be_read_is_named_with_what_to_do() {
    let (_guard, path) = folder(&cases());
    let silent = server("no-logprobs", "first", &[]);
    let model = format!("openai:m@{}/v1", silent.origin());
    let texts = failed(&path, &model);
    assert_eq!(texts.len(), 2 * CASES);
    for text in texts {
        assert!(
            text.contains("the server or a gateway before it drops them; ask with `read=plain`, or ask a server that gives them"),
            "{text}"
        );
    }
    let (_guard, path) = folder(&cases());
    let plain = asked(&path, &format!("{model}?read=plain"), &ORDERS);
    assert_eq!(
        ["reverse", "rotate:1"].map(|order| flips(&plain, "order", order)),
        [6, 6]
    );

    let (_guard, path) = folder(&cases());
    let short = server("top5", "first", &["top:5"]);
    let model = format!("openai:m@{}/v1", short.origin());
    for text in failed(&path, &model) {
        assert!(
            text.contains("'top_logprobs': must be less than or equal to 5."),
            "{text}"
        );
    }
    let (_guard, path) = folder(&cases());
    let five = asked(&path, &format!("{model}?top=5&deeper=no"), &ORDERS);
    assert_eq!(
        ["reverse", "rotate:1"].map(|order| flips(&five, "order", order)),
        [6, 6]
    );
}

#[test]
fn low_coverage_is_remarked_and_lower_coverage_fails() {
    for (dialect, way) in LETTERS {
        let (_guard, path) = folder(&cases());
        let low = server(dialect, "first", &["coverage:0.3"]);
        let summary = asked(&path, &spec(way, &low), &ORDERS);
        assert_eq!(
            ["reverse", "rotate:1"].map(|order| flips(&summary, "order", order)),
            [6, 6],
            "{dialect}"
        );
        assert!(
            (summary["readout"]["smallest_covered"].as_f64().unwrap() - 0.3).abs() < 1e-9,
            "{dialect}"
        );
        assert_eq!(
            summary["readout"]["low_coverage"],
            3 * CASES,
            "{dialect}: {}",
            summary["readout"]
        );
        for line in journal(&path, "run") {
            let remarks = line["outcome"]["answered"]["remarks"].to_string();
            assert!(
                remarks.contains("low coverage") || remarks.contains("low-coverage"),
                "{dialect}: {remarks}"
            );
        }
        let (_guard, path) = folder(&cases());
        let least = server(dialect, "first", &["coverage:0.04"]);
        for text in failed(&path, &spec(way, &least)) {
            assert!(
                text.contains(
                    "the letters have a probability of 0.0400 together, expected at least 0.05"
                ),
                "{dialect}: {text}"
            );
        }
    }
}
