//! Language models as selectors: letters, deeper requests, plain text, from the command line over real sockets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::{eight_cases, flipside, probe, probe_line, ran, run};

/// A server of a language model: what `answer` makes of a request's body, and every body that came.
pub(crate) struct Server {
    pub(crate) url: String,
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Value) -> (u16, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let bodies: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (seen, answer) = (Arc::clone(&bodies), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                std::thread::spawn(move || serve(&stream.unwrap(), &seen, answer.as_ref()));
            }
        });
        Self { url, bodies }
    }

    fn bodies(&self) -> Vec<Value> {
        self.bodies.lock().unwrap().clone()
    }
}

fn serve(stream: &TcpStream, seen: &Mutex<Vec<Value>>, answer: &dyn Fn(&Value) -> (u16, String)) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        let (status, reply) = answer(&body);
        seen.lock().unwrap().push(body);
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            reply.len()
        );
        let mut stream = stream;
        if stream.write_all((head + &reply).as_bytes()).is_err() {
            return;
        }
    }
}

/// What a request shows: the option lines of its last message.
fn shown(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().unwrap();
    let text = messages.last().unwrap()["content"].as_str().unwrap();
    text.lines()
        .filter(|line| line.as_bytes().get(1) == Some(&b')'))
        .map(str::to_owned)
        .collect()
}

/// A chat reply whose one position lists these tokens with these probabilities.
fn listing(tokens: &[(&str, f64)]) -> (u16, String) {
    let token =
        |(token, p): &(&str, f64)| json!({"token": token, "bytes": null, "logprob": p.ln()});
    let mut first = token(&tokens[0]);
    first["top_logprobs"] = tokens.iter().map(token).collect();
    let reply = json!({
        "model": "m-1", "system_fingerprint": "fp-1",
        "choices": [{"index": 0, "finish_reason": "length",
            "message": {"role": "assistant", "content": tokens[0].0}, "logprobs": {"content": [first]}}],
        "usage": {"prompt_tokens": 30, "completion_tokens": 1},
    });
    (200, reply.to_string())
}

fn journal(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("asks.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A report without the line breaks of its width.
fn unwrapped(report: &str) -> String {
    report.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cases.jsonl"), eight_cases()).unwrap();
    folder
}

#[test]
fn a_model_that_prefers_a_letter_flips_every_case_under_another_order() {
    let folder = folder();
    let server = Server::start(|_| listing(&[("B", 0.6), ("A", 0.25), (" C", 0.1), ("x", 0.02)]));
    let spec = format!("openai:m@{}", server.url);
    let (ran, summary) = probe_line(
        folder.path(),
        &format!("cases.jsonl --model {spec} --order rotate:1 --confirm never --out run"),
    );
    let figure = &summary["axes"]["order"]["rotate:1"];
    assert_eq!(
        (&figure["flips"], &figure["pairs"]),
        (&json!(8), &json!(8)),
        "{}",
        ran.err
    );
    let readout = &summary["readout"];
    assert_eq!(readout["kind"], "letter-logprobs");
    assert_eq!(
        (
            &readout["asks"],
            &readout["partial"],
            &readout["pairs_without_drift"]
        ),
        (&json!(16), &json!(0), &json!(0))
    );
    assert!((readout["smallest_covered"].as_f64().unwrap() - 0.95).abs() < 1e-9);
    // Letters stay in their places, options move.
    let bodies = server.bodies();
    let own = shown(&bodies[0]);
    assert!(
        own[0].starts_with("A) ") && own[1].starts_with("B) ") && own[2].starts_with("C) "),
        "{own:?}"
    );
    let moved = format!("A{}", &own[1][1..]);
    assert!(
        bodies.iter().any(|body| shown(body)[0] == moved),
        "{bodies:?}"
    );
    let digest = summary["model"]["protocol"]["settings"]["template-sha256"]
        .as_str()
        .unwrap();
    let read = ran
        .out
        .lines()
        .find(|line| line.starts_with("read"))
        .unwrap_or_else(|| panic!("{}", ran.out));
    assert!(
        read.contains("letters of 16 answers; smallest probability of all letters 0.95")
            && read.contains(&digest[..12]),
        "{}",
        ran.out
    );
    let line = &journal(&folder.path().join("run"))[0];
    let answer = &line["outcome"]["answered"];
    assert_eq!(answer["build"]["fingerprint"], "fp-1");
    assert_eq!(
        answer["usage"],
        json!({"input_tokens": 30, "output_tokens": 1})
    );
    assert_eq!(answer["readout"]["kind"], "letter-logprobs");
}

/// Twenty tokens without C, or a hundred with it.
fn capped(body: &Value) -> (u16, String) {
    let names: Vec<String> = (0..97).map(|n| format!("w{n}")).collect();
    let deep = body["top_logprobs"] == 100;
    let mut tokens = vec![("A", 0.5), ("B", 0.3)];
    tokens.extend(
        names[..if deep { 97 } else { 18 }]
            .iter()
            .map(|name| (name.as_str(), 0.001)),
    );
    if deep {
        tokens.push(("C", 0.0005));
    }
    listing(&tokens)
}

#[test]
fn a_deeper_reply_is_taken_recorded_resumed_and_replayed() {
    let folder = folder();
    let server = Server::start(capped);
    let spec = format!("openai:m@{}", server.url);
    let words = [
        "cases.jsonl",
        "--model",
        &spec,
        "--order",
        "reverse",
        "--confirm",
        "never",
        "--out",
        "run",
    ];
    let (ran, summary) = probe(folder.path(), &words);
    assert_eq!(summary["readout"]["partial"], 0, "{}", ran.err);
    assert_eq!(
        server.bodies().len(),
        32,
        "each of 16 asks once and once deeper"
    );
    let lines = journal(&folder.path().join("run"));
    for line in &lines {
        assert_eq!(line["attempts"], 2);
        assert_eq!(line["deeper"]["taken"], true);
        let request: Value =
            serde_json::from_str(line["deeper"]["request"].as_str().unwrap()).unwrap();
        assert_eq!(request["top_logprobs"], 100);
        assert!(line["reply"].is_string() && line["deeper"]["reply"].is_string());
        let answer = &line["outcome"]["answered"];
        // 0.5 / (0.5 + 0.3 + 0.0005)
        let id = usize::try_from(line["order"][0].as_u64().unwrap()).unwrap();
        assert!(
            (answer["probabilities"][id].as_f64().unwrap() - 0.624_609_618_988_132_5).abs() < 1e-9
        );
        assert_eq!(
            answer["usage"]["input_tokens"], 60,
            "both requests are counted"
        );
    }
    // Cut the journal in the middle and go on.
    let file = folder.path().join("run/asks.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let half: String = text.split_inclusive('\n').take(7).collect();
    std::fs::write(&file, half).unwrap();
    let (_, resumed) = probe(folder.path(), &words);
    assert_eq!(resumed["axes"], summary["axes"]);
    assert_eq!(server.bodies().len(), 32 + 2 * 9);
    let (_, replayed) = probe_line(
        folder.path(),
        "cases.jsonl --model replay:run --order reverse --confirm never",
    );
    assert_eq!(replayed["axes"], summary["axes"]);
    assert_eq!(replayed["readout"], summary["readout"]);
    assert_eq!(server.bodies().len(), 32 + 2 * 9, "a replay asks nobody");
}

#[test]
fn a_server_that_refuses_to_go_deeper_is_asked_so_once() {
    let folder = folder();
    let server = Server::start(|body| {
        if body["top_logprobs"].as_u64().unwrap() > 20 {
            return (
                400,
                r#"{"error":{"message":"top_logprobs is at most 20"}}"#.to_owned(),
            );
        }
        capped(body)
    });
    let spec = format!("openai:m@{}", server.url);
    let (ran, summary) = probe_line(
        folder.path(),
        &format!(
            "cases.jsonl --model {spec} --order reverse --confirm never --out run --concurrency 1"
        ),
    );
    let deeper = server
        .bodies()
        .iter()
        .filter(|body| body["top_logprobs"] == 100)
        .count();
    assert_eq!((deeper, server.bodies().len()), (1, 17));
    assert_eq!(summary["counts"]["answered"], 16, "{}", ran.err);
    let readout = &summary["readout"];
    assert_eq!(
        (&readout["partial"], &readout["pairs_without_drift"]),
        (&json!(16), &json!(8))
    );
    assert_eq!(summary["axes"]["order"]["reverse"]["flips"], 8);
    assert!(unwrapped(&ran.out).contains("16 without a distribution, since a letter was not observed; smallest probability of all letters 0.80; no drift of 8 pairs"), "{}", ran.out);
    let lines = journal(&folder.path().join("run"));
    let tried: Vec<&Value> = lines
        .iter()
        .filter(|line| !line["deeper"].is_null())
        .collect();
    assert_eq!(tried.len(), 1);
    assert_eq!(
        (&tried[0]["deeper"]["taken"], &tried[0]["deeper"]["reply"]),
        (&json!(false), &Value::Null)
    );
    let answer = &tried[0]["outcome"]["answered"];
    assert_eq!(
        answer["remarks"],
        json!([
            "more tokens were asked for in vain: the server answered 400: top_logprobs is at most 20; set `top=N` and `deeper=N` to as many tokens as the server lists, or ask with `read=plain` where it lists none"
        ])
    );
    assert_eq!(answer["probabilities"], Value::Null);
    let logs = answer["readout"]["log_probabilities"].as_array().unwrap();
    assert_eq!(logs.iter().filter(|log| log.is_null()).count(), 1);
    let resumed = run(
        folder.path(),
        &[
            "probe",
            "cases.jsonl",
            "--model",
            &spec,
            "--order",
            "reverse",
            "--confirm",
            "never",
            "--out",
            "run",
        ],
    );
    assert_eq!(
        (resumed.code, server.bodies().len()),
        (1, 17),
        "{}",
        resumed.err
    );
}

#[test]
fn plain_text_that_cannot_be_read_is_missing_and_no_flip() {
    let folder = folder();
    // The option that shares words with the state, by its letter; three of the cases ramble where it stands last.
    let server = Server::start(|body| {
        let messages = body["messages"].as_array().unwrap();
        let text = messages.last().unwrap()["content"]
            .as_str()
            .unwrap()
            .to_owned();
        let state = text.lines().next().unwrap();
        let right = shown(body).into_iter().find(|line| {
            line.split([' ', ':'])
                .skip(2)
                .any(|word| word.len() > 3 && state.contains(word))
        });
        let letter = right.unwrap()[..1].to_owned();
        let content = if letter == "C" {
            "It depends.".to_owned()
        } else {
            letter
        };
        (200, json!({"model": "m", "choices": [{"finish_reason": "stop", "message": {"content": content}}]}).to_string())
    });
    let spec = format!("openai:m@{}?read=plain", server.url);
    let (ran, summary) = probe_line(
        folder.path(),
        &format!("cases.jsonl --model {spec} --order reverse --confirm never"),
    );
    let counts = &summary["counts"];
    let unreadable = counts["unreadable"].as_u64().unwrap();
    assert!(unreadable > 0, "{}", ran.err);
    assert_eq!(
        (
            &counts["no_decision"],
            &counts["failed"],
            &counts["answered"]
        ),
        (&json!(0), &json!(0), &json!(16))
    );
    let figure = &summary["axes"]["order"]["reverse"];
    assert_eq!(figure["flips"], 0, "what is right stays right");
    let asks = || {
        summary["cases"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|case| case["asks"].as_array().unwrap())
    };
    let without: u64 = asks().filter(|ask| ask["declined"] == "unreadable").count() as u64;
    assert_eq!(without, unreadable);
    assert!(asks().all(|ask| ask["declined"] != "unreadable" || ask["flip"].is_null()));
    let pairs = figure["pairs"].as_u64().unwrap();
    assert_eq!(pairs + figure["missing"].as_u64().unwrap(), 8);
    assert!(pairs < 8);
    assert_eq!(
        figure["unreadable"], figure["missing"],
        "each with its reason"
    );
    assert!(
        ran.out
            .contains(&format!("{unreadable} unreadable, whose pairs are missing")),
        "{}",
        ran.out
    );
}

#[test]
fn other_keys_move_no_option_and_reach_the_letters() {
    let folder = folder();
    let server = Server::start(|_| listing(&[("A", 0.6), ("B", 0.25), ("C", 0.1)]));
    let spec = format!("openai:m@{}", server.url);
    std::fs::write(folder.path().join("keys.txt"), "[\"C\",\"A\",\"B\"]\n").unwrap();
    let (ran, summary) = probe_line(
        folder.path(),
        &format!(
            "cases.jsonl --model {spec} --axis keys:letters,keys:list:keys.txt --confirm never --max-asks 24 --concurrency 1"
        ),
    );
    let bodies = server.bodies();
    let texts = |lines: &[String]| -> Vec<String> {
        lines
            .iter()
            .map(|line| line.rsplit([')', ':']).next().unwrap().trim().to_owned())
            .collect()
    };
    let named: Vec<Vec<String>> = bodies
        .iter()
        .map(shown)
        .filter(|lines| lines[0].contains(':'))
        .collect();
    let letters: Vec<Vec<String>> = bodies
        .iter()
        .map(shown)
        .filter(|lines| !lines[0].contains(':'))
        .collect();
    assert_eq!(
        (named.len(), letters.len()),
        (8, 16),
        "{} {}",
        ran.err,
        ran.out
    );
    let own: std::collections::BTreeSet<Vec<String>> =
        named.iter().map(|lines| texts(lines)).collect();
    assert!(
        letters.iter().all(|lines| own.contains(&texts(lines))),
        "no option moved"
    );
    let marks = |lines: &[String]| {
        lines
            .iter()
            .map(|line| line[..1].to_owned())
            .collect::<String>()
    };
    assert_eq!(
        letters.iter().filter(|lines| marks(lines) == "ABC").count(),
        8
    );
    assert_eq!(
        letters.iter().filter(|lines| marks(lines) == "CAB").count(),
        8,
        "letters against positions"
    );
    let flips = |name: &str| summary["axes"]["keys"][name]["flips"].clone();
    assert_eq!(
        (flips("letters"), flips("list:1")),
        (json!(0), json!(8)),
        "the letter A is preferred, wherever it stands"
    );
}

#[test]
fn a_key_is_never_sent_to_another_host() {
    let folder = folder();
    let output = flipside()
        .current_dir(folder.path())
        .env("OPENAI_API_KEY", "hush hush")
        .args([
            "probe",
            "cases.jsonl",
            "--model",
            "openai:m",
            "--order",
            "reverse",
        ])
        .output()
        .unwrap();
    let ran = ran(&output);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("`OPENAI_API_KEY` has white space") && !ran.err.contains("hush"),
        "{}",
        ran.err
    );
}
