//! Servers of language models: what each form answers, and what each refuses.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod chat;
#[path = "../common/mod.rs"]
mod common;
mod others;

use flipside_standin::{Dialect, Setting, Standin};

use common::{Reply, Wire, after, builder};

const PROMPT: &str = "Ticket: charged twice\\nWhich team?\\nA) billing: payments\\nB) technical: errors\\nC) human\\nLetter:";

/// `first`: 0.9, 0.05, 0.05; times the coverage 0.96 and the shares 5/8, 1/4, 1/8 of the spellings, the rest on five other tokens:
/// natural logarithms to four decimals, by Python's `math.log`.
const FIRST: [(&str, &str); 14] = [
    ("A", "-0.6162"),      // 0.54
    (" A", "-1.5325"),     // 0.216
    ("a", "-2.2256"),      // 0.108
    ("B", "-3.5066"),      // 0.03
    ("C", "-3.5066"),      // 0.03
    ("The", "-3.912"),     // 0.02
    (" B", "-4.4228"),     // 0.012
    (" C", "-4.4228"),     // 0.012
    (" The", "-4.6052"),   // 0.01
    ("b", "-5.116"),       // 0.006
    ("c", "-5.116"),       // 0.006
    ("Answer", "-5.2983"), // 0.005
    ("\\n", "-5.9915"),    // 0.0025
    ("**", "-5.9915"),     // 0.0025
];

fn server(dialect: &str, policy: &str, settings: &[&str]) -> Standin {
    let mut builder = builder(policy)
        .dialect(dialect.parse::<Dialect>().unwrap())
        .round(4);
    for setting in settings {
        builder = builder.setting(setting.parse::<Setting>().unwrap());
    }
    builder.start().unwrap()
}

/// The reply of a server to `{"model":"m",` and the rest of a body, `PROMPT` put in.
fn ask(standin: &Standin, rest: &str) -> Reply {
    let rest = rest.replace("PROMPT", PROMPT);
    Wire::to(standin).ask(&format!("{{\"model\":\"m\",{rest}}}"))
}

fn get(standin: &Standin, path: &str) -> Reply {
    Wire::to(standin).send(format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes())
}

fn post(standin: &Standin, path: &str, body: &str) -> Reply {
    let body = body.replace("PROMPT", PROMPT);
    let head = format!(
        "POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    Wire::to(standin).send((head + &body).as_bytes())
}

fn bytes(text: &str) -> String {
    let bytes: Vec<String> = text
        .replace("\\n", "\n")
        .bytes()
        .map(|byte| byte.to_string())
        .collect();
    bytes.join(",")
}

/// Entries as OpenAI's chat and Ollama list them.
fn listed(of: &[(&str, &str)]) -> String {
    let entries: Vec<String> = of
        .iter()
        .map(|(token, logprob)| {
            format!(
                "{{\"token\":\"{token}\",\"bytes\":[{}],\"logprob\":{logprob}}}",
                bytes(token)
            )
        })
        .collect();
    entries.join(",")
}

const CHAT: &str = r#""temperature":0,"max_completion_tokens":1,"logprobs":true,"top_logprobs":20,"seed":7,"messages":[{"role":"system","content":"Answer with one letter."},{"role":"user","content":"PROMPT"}]"#;

#[test]
fn a_letter_is_preferred_wherever_its_option_stands() {
    let standin = server("chat", "letter:B", &[]);
    let content = |body: &str| after(ask(&standin, body).text(), "\"content\":\"", "\"").to_owned();
    assert_eq!(content(CHAT), "B");
    let turned = CHAT.replace(
        "PROMPT",
        "Which?\\nA) human\\nB) billing: payments\\nLetter:",
    );
    assert_eq!(content(&turned), "B");
    assert_eq!(standin.seen()[1].keys, ["human", "billing"]);
    let moved = CHAT.replace(
        "PROMPT",
        "Which?\\nB) human\\nA) billing: payments\\nLetter:",
    );
    assert_eq!(content(&moved), "B");
    assert_eq!(standin.seen()[2].letters, ["B", "A"]);
    let numbers = ask(
        &standin,
        &CHAT.replace("PROMPT", "Which?\\n1) human\\n2) billing\\nNumber:"),
    );
    assert_eq!(
        (
            numbers.status,
            after(numbers.text(), "\"message\":\"", "\"")
        ),
        (400, "no letter `B` before an option")
    );
}

#[test]
fn policies_read_the_prompt_as_they_read_a_question() {
    let best = |policy: &str, prompt: &str| {
        let reply = ask(
            &server("chat", policy, &[]),
            &CHAT.replace("PROMPT", prompt),
        );
        after(reply.text(), "\"content\":\"", "\"").to_owned()
    };
    let forward = "paid twice\\nWhich?\\nA) no: x\\nB) yes: paid twice\\nC) also: y\\nLetter:";
    let backward = "paid twice\\nWhich?\\nA) also: y\\nB) yes: paid twice\\nC) no: x\\nLetter:";
    assert_eq!(
        (best("overlap", forward), best("key-biased", forward)),
        ("B".into(), "C".into())
    );
    assert_eq!(
        (best("overlap", backward), best("key-biased", backward)),
        ("B".into(), "A".into())
    );
    assert_eq!(
        (
            best("last", forward),
            best("slot:2", forward),
            best("uniform", forward)
        ),
        ("C".into(), "B".into(), "A".into())
    );
    let turn = |letter: &str| match letter {
        "A" => "C",
        "C" => "A",
        _ => "B",
    };
    assert_eq!(best("content", backward), turn(&best("content", forward)));
}

#[test]
fn each_server_says_what_it_is() {
    for (dialect, path, said) in [
        (
            "chat",
            "/v1/models",
            "\"data\":[{\"id\":\"standin-lm\",\"object\":\"model\",\"created\":1790812800,\"owned_by\":\"openai\"}]",
        ),
        (
            "completions",
            "/v1/models",
            "\"owned_by\":\"vllm\",\"root\":\"standin\",\"parent\":null,\"max_model_len\":8192",
        ),
        ("completions", "/version", "{\"version\":\"0.12.0\"}"),
        ("completions", "/health", ""),
        ("llamacpp", "/v1/models", "\"owned_by\":\"llamacpp\""),
        ("llamacpp", "/props", "\"build_info\":\"b7200-standin\""),
        ("llamacpp", "/health", "{\"status\":\"ok\"}"),
        ("ollama", "/v1/models", "\"owned_by\":\"library\""),
        (
            "ollama",
            "/api/tags",
            "{\"models\":[{\"name\":\"standin-lm\",\"model\":\"standin-lm\",",
        ),
        ("ollama", "/api/version", "{\"version\":\"0.13.0\"}"),
    ] {
        let standin = server(dialect, "first", &[]);
        let reply = get(&standin, path);
        assert!(
            reply.status == 200 && reply.text().contains(said),
            "{dialect} {path}: {}",
            reply.text()
        );
        assert_eq!(standin.count(), 0);
        assert_eq!(post(&standin, path, "{}").status, 405);
    }
    let standin = server("ollama", "first", &[]);
    let shown = post(&standin, "/api/show", "{\"model\":\"standin-lm\"}");
    assert!(
        shown.text().contains("\"family\":\"standin\"")
            && shown.text().contains("\"capabilities\":[\"completion\"]")
    );
    assert_eq!(get(&standin, "/props").status, 404);
    assert_eq!(get(&server("chat", "first", &[]), "/api/tags").status, 404);
}

#[test]
fn x_seen_tells_the_keys_of_the_list() {
    let standin = builder("first")
        .dialect("chat".parse().unwrap())
        .echo_seen(true)
        .start()
        .unwrap();
    let reply = ask(&standin, CHAT);
    assert!(
        reply
            .text()
            .contains("},\"x_seen\":{\"keys\":[\"billing\",\"technical\",\"human\"],\"sha256\":\""),
        "{}",
        reply.text()
    );
    assert!(
        reply
            .text()
            .ends_with("\"headers\":[\"Host\",\"Content-Type\",\"Content-Length\"]}}")
    );
}
