//! `flipside mcp` as a host meets it: lines of JSON-RPC over standard input and output.

mod decide;
mod probes;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::{Value, json};

use crate::support::{Ran, flipside, model};

/// Longer than any answer takes here.
const PATIENCE: Duration = Duration::from_secs(30);

/// A host: a started server, and what comes out of it.
pub(crate) struct Host {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    folder: tempfile::TempDir,
}

impl Host {
    fn start(words: &[&str]) -> Self {
        Self::start_with(words, &[])
    }

    pub(crate) fn start_with(words: &[&str], variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = flipside()
            .current_dir(folder.path())
            .arg("mcp")
            .args(words)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in out.lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            folder,
        }
    }

    /// One that said hello already.
    pub(crate) fn ready(words: &[&str]) -> Self {
        Self::start(words).hello("2025-11-25")
    }

    pub(crate) fn hello(mut self, revision: &str) -> Self {
        let answer = self.ask(&initialize(revision));
        assert_eq!(answer["result"]["protocolVersion"], revision, "{answer}");
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        self
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// The next message, which is one of the protocol.
    fn next(&self) -> Value {
        let line = self
            .lines
            .recv_timeout(PATIENCE)
            .expect("a message in time");
        protocol(&line)
    }

    /// What a line is answered.
    pub(crate) fn ask(&mut self, line: &str) -> Value {
        self.send(line);
        self.next()
    }

    /// The result of a call.
    pub(crate) fn call(&mut self, id: u32, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask(&call(id, tool, arguments));
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    /// What it says to a call that fails.
    pub(crate) fn refused(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(99, tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(result.get("structuredContent"), None);
        let content = result["content"].as_array().unwrap();
        assert_eq!(content.len(), 1);
        content[0]["text"].as_str().unwrap().to_owned()
    }

    /// Closes its input and waits for its end; no message may be left.
    pub(crate) fn end(mut self) -> Ran {
        drop(self.input.take());
        let output = self.child.wait_with_output().unwrap();
        let left: Vec<String> = self.lines.iter().collect();
        assert_eq!(left, Vec::<String>::new());
        let kept: Vec<_> = std::fs::read_dir(self.folder.path()).unwrap().collect();
        assert_eq!(kept.len(), 0, "nothing is written: {kept:?}");
        crate::support::ran(&output)
    }
}

/// A line of the protocol.
fn protocol(line: &str) -> Value {
    let message: Value =
        serde_json::from_str(line).unwrap_or_else(|_| panic!("no message: {line}"));
    assert_eq!(message["jsonrpc"], "2.0", "{line}");
    assert!(message.get("id").is_some(), "{line}");
    assert_ne!(
        message.get("result").is_some(),
        message.get("error").is_some(),
        "{line}"
    );
    message
}

fn initialize(revision: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{}},"clientInfo":{{"name":"test","version":"1"}}}}}}"#
    )
}

fn call(id: u32, tool: &str, arguments: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        .to_string()
}

/// Three desks; `first` answers `billing`.
pub(crate) fn desks() -> Value {
    json!({
        "state": {"message": "the couriers lost my parcels"},
        "options": [
            {"key": "billing", "text": "payments"},
            {"key": "delivery", "text": "parcels couriers"},
            {"key": "other"},
        ],
        "rules": "Pick the desk.",
    })
}

pub(crate) fn standin(policy: Policy) -> Standin {
    Standin::builder().policy(policy).start().unwrap()
}

/// The tools by name, as `tools/list` gives them.
pub(crate) fn tools() -> [Value; 2] {
    let mut host = Host::ready(&[]);
    let answer = host.ask(r#"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#);
    assert_eq!(answer["id"], "list");
    let tools = answer["result"]["tools"].as_array().unwrap().clone();
    assert_eq!(host.end().code, 0);
    tools.try_into().expect("two tools")
}

/// Checks that a result has what its tool promises.
pub(crate) fn conforms(tool: &Value, result: &Value) {
    let schema = jsonschema::validator_for(&tool["outputSchema"]).unwrap();
    let errors: Vec<String> = (schema.iter_errors(&result["structuredContent"]))
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new(), "{result}");
}

#[test]
fn both_revisions_are_spoken_and_another_is_offered_the_newest() {
    for (wanted, found) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2025-11-25"),
        ("2999-01-01", "2025-11-25"),
    ] {
        let mut host = Host::start(&[]);
        let answer = host.ask(&initialize(wanted));
        assert_eq!(answer["result"]["protocolVersion"], found);
        assert_eq!(answer["result"]["serverInfo"]["name"], "flipside");
        assert_eq!(
            answer["result"]["capabilities"],
            json!({"tools": {"listChanged": false}})
        );
        let ran = host.end();
        assert_eq!(ran.code, 0);
        assert_eq!(
            ran.err,
            "serving `decide` and `probe` over standard input and output, `tiny-laya`, at most 500 asks a call\n"
        );
    }
}

#[test]
fn the_tool_decide_is_listed_as_the_wire_page_has_it_and_both_have_schemas_that_compile() {
    let tools = tools();
    assert_eq!(
        tools.iter().map(|tool| &tool["name"]).collect::<Vec<_>>(),
        ["decide", "probe"]
    );
    let input = json!({"type":"object","additionalProperties":false,"required":["state","options","rules"],"properties":{
        "state":{"type":["object","array","string"]},
        "options":{"type":"array","minItems":2,"maxItems":255,"items":{"type":"object","required":["key"],"additionalProperties":false,
            "properties":{"key":{"type":"string","minLength":1},"text":{"type":"string"}}}},
        "rules":{"type":"string"},"model":{"type":"string"},
        "order":{"type":"string","description":"flipside ORDERS; default check"}}});
    assert_eq!(tools[0]["inputSchema"], input);
    let output = json!({"type":"object","required":["choice","stable","asks"],"properties":{
        "choice":{"type":"string"},"stable":{"enum":["stable","order-sensitive","noisy","not applicable"]},
        "probabilities":{"type":"array","items":{"type":"object","required":["key","p"],"properties":{"key":{"type":"string"},"p":{"type":"number"}}}},
        "margin":{"type":"number"},"votes":{"type":"array","items":{"type":"object","required":["key","n"],"properties":{"key":{"type":"string"},"n":{"type":"integer"}}}},
        "asks":{"type":"integer"},"ms":{"type":"number"},"model":{"type":"string"}}});
    let mut found = tools[0]["outputSchema"].clone();
    let members = found["properties"].as_object_mut().unwrap();
    let ours = ["orders", "warnings"].map(|name| members.remove(name).is_some());
    assert_eq!((found, ours), (output, [true, true]));
    for tool in &tools {
        assert_eq!(
            tool["annotations"],
            json!({"readOnlyHint": true, "idempotentHint": false, "openWorldHint": true})
        );
        for schema in ["inputSchema", "outputSchema"] {
            assert!(jsonschema::meta::is_valid(&tool[schema]), "{schema}");
            assert_eq!(tool[schema]["type"], "object");
        }
    }
    let validator = |tool: &Value| jsonschema::validator_for(&tool["inputSchema"]).unwrap();
    assert!(validator(&tools[0]).is_valid(&desks()));
    assert!(validator(&tools[1]).is_valid(&json!({"cases": [desks()]})));
    assert!(validator(&tools[1]).is_valid(&json!({"cases": "builtin:ticket-router"})));
    assert!(!validator(&tools[1]).is_valid(&json!({"cases": []})));
}

#[test]
fn protocol_failures_are_json_rpc_errors_and_leave_the_server_alive() {
    let mut host = Host::start(&["--model", "first"]);
    let error = |answer: &Value| {
        let message = answer["error"]["message"].as_str().unwrap().to_owned();
        (
            answer["id"].clone(),
            answer["error"]["code"].as_i64().unwrap(),
            message,
        )
    };
    let failed = |host: &mut Host, line: &str| error(&host.ask(line));
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(
        failed(&mut host, list),
        (json!(1), -32600, "`initialize` comes first".to_owned())
    );
    assert_eq!(
        failed(
            &mut host,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#
        ),
        (json!(1), -32602, "`protocolVersion` is missing".to_owned())
    );
    assert_eq!(
        host.ask(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)["result"],
        json!({})
    );
    let mut host = host.hello("2025-11-25");
    for (line, code, message) in [
        ("{\"jsonrpc\":\"2.0\",\"id\":3", -32700, "expected"),
        ("nonsense", -32700, "column 1"),
        (
            "[]",
            -32600,
            "a message is one object on a line of its own; found an array",
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"resources/list"}"#,
            -32601,
            "`resources/list` is no method of this server",
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"reask"}}"#,
            -32602,
            "`reask` is no tool, expected `decide` or `probe`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}}"#,
            -32602,
            "`name` is missing, expected `decide` or `probe`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"decide","arguments":[]}}"#,
            -32602,
            "`arguments` is an array, expected an object",
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"2"}}"#,
            -32602,
            "`cursor`: the list has one page, which has no cursor",
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
            -32600,
            "`initialize` was called before",
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":1,"a":2}}"#,
            -32602,
            "`params`: key `a` is given twice",
        ),
    ] {
        let (_, found, said) = failed(&mut host, line);
        assert_eq!(found, code, "{line}");
        assert!(said.contains(message), "{line}: {said}");
    }
    // An answer to no `id` would leave the host waiting.
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":8,"method":"ping","params":{{"a":{}{}}}}}"#,
        "[".repeat(300),
        "]".repeat(300)
    );
    let (id, code, said) = failed(&mut host, &deep);
    assert_eq!((id, code), (json!(8), -32600));
    assert!(said.ends_with("nested more than 128 deep"), "{said}");
    let long = "x".repeat(33 << 20);
    let long =
        format!(r#"{{"jsonrpc":"2.0","method":"ping","params":{{"a":"{long}"}},"id":"long"}}"#);
    assert_eq!(
        failed(&mut host, &long),
        (
            json!("long"),
            -32600,
            "a message has more than 32 MiB".to_owned()
        )
    );
    // What wants no answer gets none.
    host.send("");
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":{}}"#);
    host.send(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#);
    assert_eq!(
        host.ask(r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#)["id"],
        "last"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn calls_run_beside_each_other_and_a_cancelled_one_is_never_answered() {
    let slow = Standin::builder()
        .fault(Fault::NeverAnswer, When::Always)
        .start()
        .unwrap();
    let mut host = Host::ready(&["--model", "first", "--model", &model(&slow)]);
    let mut waiting = desks();
    waiting["model"] = json!(model(&slow));
    host.send(&call(1, "decide", &waiting));
    assert_eq!(
        host.call(2, "decide", &desks())["structuredContent"]["choice"],
        "billing"
    );
    let twice = host.ask(&call(1, "decide", &desks()));
    assert_eq!(
        twice["error"]["message"],
        "a call with this `id` is in flight"
    );
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}"#);
    assert_eq!(host.call(3, "decide", &desks())["isError"], false);
    let began = Instant::now();
    assert_eq!(host.end().code, 0);
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "nothing is in flight any more"
    );
}

#[test]
fn the_end_of_input_waits_for_answers_that_are_on_their_way_and_no_longer() {
    let late = Standin::builder()
        .fault(Fault::Late(Duration::from_millis(300)), When::Always)
        .start()
        .unwrap();
    let mut host = Host::ready(&["--model", &model(&late)]);
    host.send(&call(1, "decide", &desks()));
    drop(host.input.take());
    assert_eq!(
        host.next()["result"]["structuredContent"]["choice"],
        "billing"
    );
    assert_eq!(host.end().code, 0);

    let never = Standin::builder()
        .fault(Fault::NeverAnswer, When::Always)
        .start()
        .unwrap();
    let mut host = Host::ready(&["--model", &model(&never), "--timeout", "60s"]);
    host.send(&call(1, "decide", &desks()));
    while never.count() == 0 {
        thread::sleep(Duration::from_millis(10));
    }
    let began = Instant::now();
    assert_eq!(host.end().code, 0);
    assert!(
        began.elapsed() < Duration::from_secs(8),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn bad_flags_end_it_before_a_word_of_protocol() {
    let host = Host::start(&["--model", "firts", "--max-asks", "0"]);
    let ran = host.end();
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("error: `--model`: `firts`: no such model"),
        "{}",
        ran.err
    );
    assert!(
        ran.err
            .contains("error: `--max-asks 0`: expected a plain number, 1 or more"),
        "{}",
        ran.err
    );
}

/// A Python that has the package `mcp`, which is a client that nobody here wrote.
fn python() -> Option<String> {
    let named = std::env::var("FLIPSIDE_TEST_PYTHON").ok();
    let candidates = named.into_iter().chain(["python3".to_owned()]);
    let mut able = candidates.filter(|python| {
        let import = Command::new(python).args(["-c", "import mcp"]).output();
        import.is_ok_and(|output| output.status.success())
    });
    able.next()
}

#[test]
fn a_client_that_nobody_here_wrote_lists_and_calls_the_tools() {
    let Some(python) = python() else {
        println!("skipped: no Python with the package `mcp` (FLIPSIDE_TEST_PYTHON names one)");
        return;
    };
    let server = standin(Policy::First);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mcp_client.py");
    let output = Command::new(python)
        .arg(script)
        .args([env!("CARGO_BIN_EXE_flipside"), &model(&server)])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["tools"], json!(["decide", "probe"]));
    assert_eq!(found["decide"]["stable"], "order-sensitive");
    assert_eq!(found["decide"]["asks"], 6);
    assert_eq!(found["probe"]["axes"][0]["count"], 2);
    assert_eq!(found["probe"]["axes"][0]["of"], 2);
    assert_eq!(found["refused"], true);
}
