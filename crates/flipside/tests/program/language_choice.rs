//! What a language model that goes by places is found to do, however its reply is read, and what a refused request is told to change.

use flipside_standin::{Dialect, Policy, Standin};
use serde_json::{Value, json};

use crate::language::Server;
use crate::support::{Ran, folder, journal, lines, probe};

/// Four cases whose keys are letters and no names.
fn lettered() -> String {
    let line = |case: usize| {
        format!(
            "{{\"id\":\"c{case}\",\"state\":\"Ticket {case}\",\"options\":{{\"A\":\"red\",\"B\":\"green\",\"C\":\"blue\"}},\"rules\":\"Pick one.\"}}"
        )
    };
    lines(&(0..4).map(line).collect::<Vec<_>>())
}

fn standin(dialect: &str, policy: Policy) -> Standin {
    let dialect = dialect.parse::<Dialect>().unwrap();
    Standin::builder()
        .dialect(dialect)
        .policy(policy)
        .start()
        .unwrap()
}

fn asked(model: &str) -> (Ran, Value, Vec<Value>) {
    let (_guard, path) = folder(&lettered());
    let (ran, summary) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            model,
            "--order",
            "rotate:1",
            "--confirm",
            "never",
            "--out",
            "run",
        ],
    );
    let journal = journal(&path, "run");
    (ran, summary, journal)
}

/// Pairs, flips and flips within ties.
fn figure(summary: &Value) -> [u64; 3] {
    let figure = &summary["axes"]["order"]["rotate:1"];
    ["pairs", "flips", "tie_flips"].map(|name| figure[name].as_u64().unwrap_or_default())
}

#[test]
fn a_model_of_places_flips_every_case_of_lettered_keys_in_plain_text() {
    let server = standin("chat", Policy::First);
    let (ran, summary, _) = asked(&format!("openai:m@{}/v1?read=plain", server.origin()));
    assert_eq!(figure(&summary), [4, 4, 0], "{}", ran.err);
    assert_eq!(
        summary["counts"]["unreadable"].as_u64().unwrap_or_default(),
        0
    );
}

#[test]
fn letters_that_are_equally_likely_go_to_the_generated_one_and_flip_within_ties() {
    let server = standin("chat", Policy::Uniform);
    let (ran, summary, journal) = asked(&format!("openai:m@{}/v1", server.origin()));
    assert_eq!(figure(&summary), [4, 4, 4], "{}", ran.err);
    for line in &journal {
        let answer = &line["outcome"]["answered"];
        assert_eq!(
            (&answer["tied"], &answer["tie_broken"]),
            (&json!(true), &Value::Null)
        );
    }
}

const TIED: &str = "a tie that nothing in the reply decides: whether its choice moves says nothing about the order";

#[test]
fn texts_that_are_equally_likely_are_not_called_stable_without_a_word() {
    let server = standin("completions", Policy::Uniform);
    let spec = format!("openai:m@{}/v1?api=completions&read=text", server.origin());
    let (ran, summary, journal) = asked(&spec);
    assert_eq!(figure(&summary)[0], 4, "{}", ran.err);
    for line in &journal {
        let answer = &line["outcome"]["answered"];
        assert_eq!(
            (&answer["tied"], &answer["tie_broken"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(answer["remarks"], json!([TIED]));
    }
    let said = format!("{}{}", ran.out, ran.err);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(TIED), "{said}");
}

#[test]
fn a_refused_request_is_told_which_setting_changes_what_is_refused() {
    const LOGPROBS: &str = "set `top=N` and `deeper=N` to as many tokens as the server lists, or ask with `read=plain` where it lists none";
    const READ: &str = "ask with another `read`, such as `read=letter` or `read=plain`";
    const TEXT: &str = "?api=completions&read=text";
    for (settings, status, said, remedy) in [
        ("", 400, "top_logprobs must be at most 5", Some(LOGPROBS)),
        ("", 422, "Logprobs is not supported", Some(LOGPROBS)),
        (
            "",
            400,
            "\'temperature\' does not support 0",
            Some("set `temperature=none` to send none"),
        ),
        (
            "?read=plain",
            400,
            "max_tokens is below 16",
            Some("set `tokens=N` to what the server takes"),
        ),
        (
            "",
            400,
            "max_completion_tokens is unknown",
            Some("set `tokens=N` to what the server takes"),
        ),
        (TEXT, 400, "echo is not supported", Some(READ)),
        (TEXT, 400, "logprobs need a license", Some(READ)),
        ("?read=plain", 400, "no logprobs here", None),
        ("", 400, "no such model", None),
        ("", 418, "no temperature here", None),
    ] {
        let body = json!({"error": {"message": said}}).to_string();
        let server = Server::start(move |_| (status, body.clone()));
        let (_, summary, journal) = asked(&format!("openai:m@{}{settings}", server.url));
        assert_eq!(summary["counts"]["answered"], 0, "{said}");
        let message = journal[0]["outcome"]["failed"]["message"].as_str().unwrap();
        let expected = remedy.map_or_else(|| said.to_owned(), |remedy| format!("{said}; {remedy}"));
        assert!(message.ends_with(&expected), "{message}");
    }
}
