//! Language models behind servers that go wrong: each fault survived, or failed with a text that names the cause, and counted exactly.

use std::collections::BTreeSet;

use flipside_standin::{Dialect, Fault, Policy, Setting, Standin, When};
use serde_json::Value;

use crate::support::{Ran, count, folder, journal, lines, probe};

/// What becomes of four asks: two cases, each in its own order and reversed. The model prefers the first place, so both flip.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// Four answers and two flips.
    Survived,
    /// Four failed asks, and each says this.
    Failed(&'static str),
    /// Four answers without a decision.
    Refused,
    /// Four answers in which no option can be read.
    Unreadable,
}

use Fate::{Failed, Refused, Survived, Unreadable};

const CHAT: (&str, &str) = ("chat", "openai:m@ORIGIN/v1?");
const COMPLETIONS: (&str, &str) = ("completions", "openai:m@ORIGIN/v1?api=completions&");
const LLAMACPP: (&str, &str) = ("llamacpp", "llamacpp:ORIGIN?");
const OLLAMA: (&str, &str) = ("ollama", "ollama:m@ORIGIN?");
const ALL: [(&str, &str); 4] = [CHAT, COMPLETIONS, LLAMACPP, OLLAMA];

fn cases() -> String {
    let line = |case: usize| {
        format!(
            "{{\"id\":\"c{case}\",\"state\":\"Wéll, ticket {case}\",\"options\":{{\"pay\":\"send it\",\"wait\":\"look again\"}},\"rules\":\"Pick one.\"}}"
        )
    };
    lines(&(0..2).map(line).collect::<Vec<_>>())
}

fn server(dialect: &str, fault: Option<(&str, When)>, settings: &[&str]) -> Standin {
    let mut builder = Standin::builder()
        .dialect(dialect.parse::<Dialect>().unwrap())
        .policy(Policy::First);
    if let Some((fault, when)) = fault {
        builder = builder.fault(fault.parse::<Fault>().unwrap(), when);
    }
    for setting in settings {
        builder = builder.setting(setting.parse::<Setting>().unwrap());
    }
    builder.start().unwrap()
}

/// Four asks of `server`, one after the other: what the program left, its summary, and its journal.
fn asked(server: &Standin, way: &str, settings: &str) -> (Ran, Value, Vec<Value>) {
    let (_guard, path) = folder(&cases());
    let model = format!("{way}{settings}").replace("ORIGIN", &server.origin());
    let model = model.trim_end_matches(['?', '&']);
    let words = [
        "cases.jsonl",
        "--model",
        model,
        "--order",
        "reverse",
        "--confirm",
        "never",
        "--concurrency",
        "1",
        "--out",
        "run",
    ];
    let (ran, summary) = probe(&path, &words);
    let journal = journal(&path, "run");
    (ran, summary, journal)
}

/// Asks and checks every count.
fn check(server: &Standin, way: &str, settings: &str, fate: Fate, what: &str) {
    let (ran, summary, journal) = asked(server, way, settings);
    let number = |path: &str| count(&summary, path).unwrap_or(0);
    let counts = [
        number("/counts/answered"),
        number("/counts/failed"),
        number("/counts/no_decision"),
        number("/counts/unreadable"),
        number("/counts/unasked"),
    ];
    let pairs = [
        number("/axes/order/reverse/pairs"),
        number("/axes/order/reverse/flips"),
    ];
    let (expected, expected_pairs) = match fate {
        Survived => ([4, 0, 0, 0, 0], [2, 2]),
        Failed(_) => ([0, 4, 0, 0, 0], [0, 0]),
        Refused => ([4, 0, 4, 0, 0], [0, 0]),
        Unreadable => ([4, 0, 0, 4, 0], [0, 0]),
    };
    assert_eq!(
        (counts, pairs),
        (expected, expected_pairs),
        "{what} {fate:?}: {}\n{journal:?}",
        ran.err
    );
    assert_eq!(journal.len(), 4, "{what}");
    if settings.contains("read=text") && matches!(fate, Survived) {
        for line in &journal {
            scored(line, what);
        }
    }
    if let Failed(text) = fate {
        for line in &journal {
            let message = line["outcome"]["failed"]["message"].as_str().unwrap();
            assert!(message.contains(text), "{what}: {message}");
        }
    }
}

/// The text in the first place has the logarithm of 0.9, the other that of 0.1: nothing of the words before them, and all of their own.
fn scored(line: &Value, what: &str) {
    const LOGS: [f64; 2] = [-0.105_360_516, -std::f64::consts::LN_10];
    let logs = &line["outcome"]["answered"]["readout"]["log_probabilities"];
    for (place, expected) in LOGS.into_iter().enumerate() {
        let id = usize::try_from(line["order"][place].as_u64().unwrap()).unwrap();
        let found = logs[id].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{what}: {logs}");
    }
}

#[test]
fn every_server_of_letters_is_survived_or_failed_with_its_cause() {
    const NO_LETTER: Fate = Failed(
        "none of the letters is among the listed tokens, so that the model does not answer with one; change the template",
    );
    const REASONS: Fate = Failed(
        "the model reasons before it answers, so that its first token is no letter; turn that off with",
    );
    const NO_LOGPROBS: Fate =
        Failed("the reply has no log-probabilities, so that letters cannot be read");
    const ABOVE: Fate = Failed("has the log-probability 0.5, which is above 0");
    const ORDER: Fate = Failed("the listed tokens are not in order");
    const ZERO: Fate =
        Failed("every listed log-probability is 0, so that the server does not give them");
    const JSON: Fate =
        Failed("the reply begins a JSON object without an `answer` in it; set `tokens` to more");
    const BLANK: Fate =
        Failed("the reply has blanks where its answer was to be; set `tokens` to more");
    const NO_JSON: Fate = Failed("the reply is no JSON that can be read");
    // A fault, settings, and what becomes of it over chat, completions, llama.cpp and Ollama.
    let table: &[(&str, &str, [Fate; 4])] = &[
        ("chunked", "", [Survived; 4]),
        ("gzip", "", [Survived; 4]),
        ("bom", "", [Survived; 4]),
        ("no-usage", "", [Survived; 4]),
        ("no-bytes", "", [Survived; 4]),
        ("partial-utf8", "", [Survived; 4]),
        ("unlikely-entries", "", [Survived; 4]),
        ("several-letters", "", [Survived; 4]),
        ("fingerprint-changes", "", [Survived; 4]),
        ("json-text", "tokens=8", [Survived; 4]),
        ("markdown", "tokens=4", [Survived; 4]),
        ("prefix", "", [NO_JSON; 4]),
        ("trailing", "", [NO_JSON; 4]),
        (
            "empty",
            "",
            [Failed("the reply is empty, expected JSON"); 4],
        ),
        ("sentence", "", [NO_LETTER; 4]),
        ("refusal-text", "", [NO_LETTER; 4]),
        ("json-text", "", [JSON; 4]),
        ("markdown", "", [BLANK; 4]),
        ("thinks-aloud", "", [REASONS; 4]),
        (
            "reasoning-content",
            "",
            [REASONS, Survived, Survived, REASONS],
        ),
        ("content-filter", "", [Refused; 4]),
        ("no-text", "", [Refused; 4]),
        ("refusal", "", [Refused, NO_LETTER, NO_LETTER, NO_LETTER]),
        (
            "no-choices",
            "",
            [Failed("choice"), Failed("choice"), Refused, Refused],
        ),
        ("logprobs-null", "", [NO_LOGPROBS; 4]),
        ("known-fields", "", [NO_LOGPROBS; 4]),
        ("positive-logprob", "", [ABOVE; 4]),
        // In a map of tokens the order says nothing.
        ("unsorted-list", "", [ORDER, Survived, ORDER, ORDER]),
        ("zero-logprobs", "", [ZERO; 4]),
    ];
    for (fault, settings, fates) in table {
        for ((dialect, way), fate) in ALL.into_iter().zip(fates) {
            let server = server(dialect, Some((fault, When::Always)), &[]);
            check(
                &server,
                way,
                settings,
                *fate,
                &format!("{dialect} {fault} {settings}"),
            );
        }
    }
}

#[test]
fn plain_text_is_read_strictly_over_every_server() {
    let table = [
        ("json-text", Survived),
        ("thinks-aloud", Survived),
        ("reasoning-content", Survived),
        ("logprobs-null", Survived),
        ("sentence", Unreadable),
        ("refusal-text", Unreadable),
        ("several-letters", Unreadable),
        ("markdown", Unreadable),
        ("no-text", Refused),
        ("content-filter", Refused),
    ];
    for (fault, fate) in table {
        for (dialect, way) in ALL {
            let server = server(dialect, Some((fault, When::Always)), &[]);
            check(
                &server,
                way,
                "read=plain",
                fate,
                &format!("{dialect} {fault}"),
            );
        }
    }
}

#[test]
fn texts_by_echo_are_scored_or_failed_with_their_cause() {
    let table = [
        ("chunked", Survived),
        ("fingerprint-changes", Survived),
        (
            "straddling-token",
            Failed("no token begins where the option begins: token `: "),
        ),
        // Where the tokens spell what was sent, nobody needs the server's offsets.
        ("no-offsets", Survived),
        ("byte-offsets", Survived),
        (
            "logprobs-null",
            Failed(
                "the reply has no log-probabilities of what was sent; the server does not echo them, or a hop before it drops `echo` or `logprobs`",
            ),
        ),
        (
            "known-fields",
            Failed("the server does not echo them, or a hop before it drops `echo` or `logprobs`"),
        ),
        ("no-choices", Failed("choice")),
    ];
    for (fault, fate) in table {
        let server = server(COMPLETIONS.0, Some((fault, When::Always)), &[]);
        check(&server, COMPLETIONS.1, "read=text", fate, fault);
    }
    let refused = server(COMPLETIONS.0, None, &["no-echo"]);
    let why =
        Failed("Setting 'echo' and 'logprobs' at the same time is not supported for this model.");
    check(&refused, COMPLETIONS.1, "read=text", why, "no-echo");
    let least = server(COMPLETIONS.0, None, &["min-tokens:1"]);
    check(
        &least,
        COMPLETIONS.1,
        "read=text",
        Failed("max_tokens must be at least 1, got 0."),
        "min-tokens:1",
    );
    check(
        &least,
        COMPLETIONS.1,
        "read=text&tokens=1",
        Survived,
        "min-tokens:1, tokens=1",
    );
}

#[test]
fn what_passes_is_asked_again_and_what_does_not_fails_once() {
    for (dialect, way) in ALL {
        for fault in [
            "retry-after:429:0",
            "retry-after:503:0",
            "error-200",
            "close-mid-body",
            "accept-and-close",
        ] {
            let server = server(dialect, Some((fault, When::Nth(2))), &[]);
            check(&server, way, "", Survived, &format!("{dialect} {fault}"));
            assert_eq!(server.count(), 5, "{dialect} {fault}: one request more");
        }
        let server = server(dialect, Some(("status:400", When::Nth(2))), &[]);
        let (ran, summary, journal) = asked(&server, way, "");
        let number = |path: &str| count(&summary, path);
        assert_eq!(
            (
                number("/counts/answered"),
                number("/counts/failed"),
                number("/axes/order/reverse/pairs")
            ),
            (Some(3), Some(1), Some(1)),
            "{dialect}: {}",
            ran.err
        );
        assert_eq!(server.count(), 4, "{dialect}");
        let failed = journal
            .iter()
            .find_map(|line| line["outcome"]["failed"]["message"].as_str());
        assert!(
            failed.unwrap().contains("planned fault: 400 Bad Request"),
            "{dialect}: {failed:?}"
        );
    }
}

#[test]
fn a_model_or_fingerprint_that_changes_in_the_middle_makes_pairs_missing() {
    let changes = ALL.map(|way| (way, "model-changes"));
    let fingerprints = [CHAT, COMPLETIONS].map(|way| (way, "fingerprint-changes"));
    for ((dialect, way), fault) in changes.into_iter().chain(fingerprints) {
        let server = server(dialect, Some((fault, When::From(3))), &[]);
        let (ran, summary, journal) = asked(&server, way, "");
        let answered = count(&summary, "/counts/answered");
        assert_eq!(answered, Some(4), "{dialect} {fault}: {}", ran.err);
        let version = |line: &Value| {
            let answer = &line["outcome"]["answered"];
            format!("{} {}", answer["served_model"], answer["build"])
        };
        let versions: BTreeSet<String> = journal.iter().map(version).collect();
        assert_eq!(versions.len(), 2, "{dialect} {fault}: {versions:?}");
        let apart = ["c0", "c1"].into_iter().filter(|case| {
            let of_case = journal.iter().filter(|line| line["case"] == **case);
            of_case.map(version).collect::<BTreeSet<_>>().len() == 2
        });
        let apart = apart.count() as u64;
        let line = &summary["axes"]["order"]["reverse"];

        let found = ["pairs", "flips", "missing"].map(|name| line[name].as_u64().unwrap());
        assert_eq!(
            found,
            [2 - apart, 2 - apart, apart],
            "{dialect} {fault}: {line}"
        );
        if apart > 0 {
            assert!(
                line.to_string().contains("version"),
                "{dialect} {fault}: {line}"
            );
        }
    }
}
