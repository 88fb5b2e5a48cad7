//! `flipside mcp` as a host meets it: lines of JSON-RPC over standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use flipside_standin::{Fault, Policy, Standin, When};
use serde_json::{Value, json};

use crate::support::{Ran, flipside, folder, model, probe_line};

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
    fn ask(&mut self, line: &str) -> Value {
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
            "serving `decide` and `probe` over standard input and output, `overlap`, at most 500 asks a call\n"
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
    assert_eq!(tools[0]["outputSchema"], output);
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
fn a_decision_by_position_is_order_sensitive_with_its_votes_and_one_by_content_is_stable() {
    let [decide, _] = tools();
    let server = standin(Policy::First);
    let mut host = Host::ready(&["--model", &model(&server)]);
    let result = host.call(1, "decide", &desks());
    conforms(&decide, &result);
    let found = &result["structuredContent"];
    assert_eq!(result["isError"], false);
    assert_eq!(found["choice"], "billing");
    assert_eq!(found["stable"], "order-sensitive");
    // 0.9 on the first of three, the rest shared equally.
    assert_eq!(
        found["probabilities"],
        json!([{"key": "billing", "p": 0.9}, {"key": "delivery", "p": 0.05}, {"key": "other", "p": 0.05}])
    );
    assert!((found["margin"].as_f64().unwrap() - 0.85).abs() < 1e-12);
    // Own order, reversal and rotation each put another option first.
    assert_eq!(
        found["votes"],
        json!([{"key": "billing", "n": 1}, {"key": "delivery", "n": 1}, {"key": "other", "n": 1}])
    );
    // Four planned, and both orders of the flip once more.
    assert_eq!(found["asks"], 6);
    assert_eq!(found["model"], server_model(&server));
    assert!(found["ms"].as_f64().unwrap() > 0.0);
    assert_eq!(found.get("warnings"), None);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), found);
    let orders: Vec<Vec<String>> = server.seen().into_iter().map(|seen| seen.keys).collect();
    for order in [
        ["billing", "delivery", "other"],
        ["other", "delivery", "billing"],
        ["delivery", "other", "billing"],
    ] {
        assert!(
            orders.contains(&order.map(str::to_owned).to_vec()),
            "{orders:?}"
        );
    }
    assert_eq!(host.end().code, 0);

    let server = standin(Policy::Content);
    let mut host = Host::ready(&["--model", &model(&server)]);
    let result = host.call(1, "decide", &desks());
    conforms(&decide, &result);
    let found = &result["structuredContent"];
    assert_eq!(found["stable"], "stable");
    assert_eq!(found["asks"], 4);
    assert_eq!(found["votes"], json!([{"key": found["choice"], "n": 3}]));
    assert_eq!(host.end().code, 0);
}

/// The model that a stand-in says it is.
fn server_model(server: &Standin) -> Value {
    let (_guard, path) = folder(&crate::support::unlabelled(1));
    let (_, summary) = probe_line(&path, &format!("cases.jsonl --model {}", model(server)));
    summary["model"]["served"][0].clone()
}

#[test]
fn a_model_that_contradicts_itself_is_noisy() {
    // Every answer is drawn anew.
    let server = standin(Policy::Random { seed: 3 });
    let mut host = Host::ready(&["--model", &model(&server), "--concurrency", "1"]);
    let mut words = Vec::new();
    for id in 1..=12 {
        let result = host.call(id, "decide", &desks());
        assert_eq!(result["isError"], false, "{result}");
        words.push(
            result["structuredContent"]["stable"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    // The repeat agrees in 1 of 3 calls; a flip comes again in both orders in 1 of 9.
    let noisy = words.iter().filter(|word| *word == "noisy").count();
    assert!(noisy >= 7, "{words:?}");
    assert_eq!(host.end().code, 0);
}

#[test]
fn an_order_that_changes_no_request_is_not_applicable() {
    let [decide, _] = tools();
    let mut host = Host::ready(&["--model", "first"]);
    let mut question = desks();
    // Three options rotated by three places are as they were.
    question["order"] = json!("rotate:3");
    let result = host.call(1, "decide", &question);
    conforms(&decide, &result);
    let found = &result["structuredContent"];
    assert_eq!(
        (&found["stable"], &found["asks"]),
        (&json!("not applicable"), &json!(1))
    );
    assert_eq!(found["votes"], json!([{"key": "billing", "n": 1}]));
    assert_eq!(host.end().code, 0);
}

#[test]
fn options_as_an_object_are_taken_in_their_order_and_integer_like_keys_are_warned_about() {
    let [decide, _] = tools();
    let server = standin(Policy::First);
    let mut host = Host::ready(&["--model", &model(&server)]);
    // Written by hand: the order of members and the text of a number are what this is about.
    let line = |options: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{"name":"decide","arguments":{{"state":{{"z":1.10,"a":2}},"options":{options},"rules":"Pick."}}}}}}"#
        )
    };
    let answer = host.ask(&line(r#"{"zeta":"payments","alpha":null}"#));
    conforms(&decide, &answer["result"]);
    assert_eq!(answer["result"]["structuredContent"]["choice"], "zeta");
    assert_eq!(answer["result"]["structuredContent"].get("warnings"), None);
    assert_eq!(answer["result"]["content"].as_array().unwrap().len(), 1);
    let body = String::from_utf8(server.seen()[0].body.clone()).unwrap();
    assert!(body.contains(r#""state":{"z":1.10,"a":2}"#), "{body}");
    assert!(
        body.contains(r#""criteria":{"zeta":"payments","alpha":null}"#),
        "{body}"
    );

    let answer = host.ask(&line(r#"{"zeta":"payments","10":"ten","2":"two"}"#));
    conforms(&decide, &answer["result"]);
    let found = &answer["result"]["structuredContent"];
    assert_eq!(found["choice"], "zeta");
    let warning = "`options` is an object with integer-like keys (`10`, `2`): hosts in JavaScript move these to the front, so the \
                   order asked may not be the order written; give `options` as an array";
    let warnings = found["warnings"].as_array().unwrap();
    assert!(warnings.contains(&json!(warning)), "{warnings:?}");
    let texts = answer["result"]["content"].as_array().unwrap();
    assert!(texts.contains(&json!({"type": "text", "text": format!("warning: {warning}")})));
    let seen = server.seen().pop().unwrap().keys;
    assert!(seen.contains(&"10".to_owned()), "{seen:?}");

    let answer = host.ask(&line(r#"{"a":"one","b":"two","\u0061":"three"}"#));
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "error: `params.arguments.options`: key `a` is given twice\n\
         help: give each key once; flipside never merges or drops one"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn bad_arguments_are_told_together_in_the_words_of_the_tool() {
    let mut host = Host::ready(&["--model", "first"]);
    let told = host.refused("decide", &json!({"optoins": 1, "state": 3, "options": [{"key": ""}, 7, {"text": "x"}], "order": "shuffle:01"}));
    assert_eq!(
        told,
        "error: `optoins` is unknown, expected one of `state`, `options`, `rules`, `model`, `order`\n\
         error: `state` is a number, expected an object, an array or a string\n\
         error: `options[0].key` is empty\n\
         error: `options[1]` is a number, expected an object with `key` and `text`\n\
         error: `options[2].key` is missing\n\
         error: `rules` is missing\n\
         error: `order`: `shuffle:01`: expected a plain number from 1 to 50 after `shuffle:`\n\
         help: orders are reverse, rotate, rotate:K, balanced, random:N, shuffle:N, all, same:N, check, certify"
    );
    let mut question = desks();
    question["options"] = json!([{"key": "a"}, {"key": "b"}, {"key": "a"}]);
    assert_eq!(
        host.refused("decide", &question),
        "error: `options`: key `a` is given twice, as option 1 and option 3\n\
         help: give each option its own key; flipside never merges or drops one"
    );
    question["options"] = json!([{"key": "a"}]);
    assert_eq!(
        host.refused("decide", &question),
        "error: `options`: expected 2 to 255 options, found 1"
    );
    question["options"] = json!("a,b");
    assert_eq!(
        host.refused("decide", &question),
        "error: `options` is a string, expected an array of objects with `key` and `text`"
    );
    question["options"] = json!({"a": "x", "b": 1});
    assert_eq!(
        host.refused("decide", &question),
        "error: `options.b` is a number, expected a string or null"
    );
    let mut question = desks();
    question["order"] = json!("same:1");
    assert_eq!(
        host.refused("decide", &question),
        "error: `order same:1` asks no other order, so that nothing could be called stable\n\
         help: leave it out for `check`, or add an order such as `reverse`"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_call_may_name_the_servers_models_and_harmless_controls_and_nothing_else() {
    let mut host = Host::ready(&["--model", "last", "--model", "slot:2"]);
    let mut question = desks();
    for (named, choice) in [
        (None, "other"),
        (Some("slot:2"), "delivery"),
        (Some("first"), "billing"),
    ] {
        question["model"] = json!(named);
        if named.is_none() {
            question.as_object_mut().unwrap().remove("model");
        }
        let result = host.call(1, "decide", &question);
        assert_eq!(result["structuredContent"]["choice"], choice, "{result}");
    }
    for named in [
        "exec:touch ran",
        "systemone:http://127.0.0.1:1/",
        "rule:/etc/passwd",
        "replay:x",
        "jev",
    ] {
        question["model"] = json!(named);
        assert_eq!(
            host.refused("decide", &question),
            format!(
                "error: `model {named}`: this server asks `last`, `slot:2`, and controls such as `first`\n\
                 help: start it with that `--model` too, where calls are to name it"
            )
        );
    }
    question["model"] = json!("firts");
    let told = host.refused("decide", &question);
    assert!(
        told.starts_with("error: `model`: `firts`: no such model"),
        "{told}"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_probe_of_cases_in_the_call_counts_fits_and_flips_with_intervals() {
    let [_, probe] = tools();
    let mut host = Host::ready(&["--model", "first"]);
    let mut cases = Vec::new();
    for n in 0..8 {
        let mut case = desks();
        case["state"]["n"] = json!(n);
        case["expect"] = if n < 6 {
            json!("billing")
        } else {
            json!(["delivery", "other"])
        };
        cases.push(case);
    }
    let result = host.call(
        1,
        "probe",
        &json!({"cases": cases, "order": "reverse,same:1"}),
    );
    conforms(&probe, &result);
    let found = &result["structuredContent"];
    assert_eq!(found["complete"], true);
    // 8 cases in two orders and once more, 8 flips in both orders once more.
    assert_eq!(
        (&found["exit"], &found["asks"], &found["cases"]),
        (&json!(1), &json!(40), &json!(8))
    );
    let fit = &found["fit"];
    assert_eq!(
        (&fit["count"], &fit["of"], &fit["rate"]),
        (&json!(6), &json!(8), &json!(0.75))
    );
    assert_eq!(fit["verdict"], "not a decision-model task");
    let line = &found["axes"][0];
    assert_eq!(
        (&line["axis"], &line["variant"]),
        (&json!("order"), &json!("reverse"))
    );
    assert_eq!(
        (&line["count"], &line["of"], &line["missing"]),
        (&json!(8), &json!(8), &json!(0))
    );
    assert_eq!(line["verdict"], "order-sensitive");
    // Wilson's interval of 8 of 8 is [8 / (8 + z^2), 1], with z^2 = 3.841459.
    let low = line["interval"][0].as_f64().unwrap();
    assert!((low - 8.0 / 11.841_459).abs() < 1e-6, "{low}");
    assert_eq!(line["interval"][1], 1.0);
    assert_eq!(
        (&found["control"]["count"], &found["control"]["of"]),
        (&json!(0), &json!(8))
    );
    let gates: Vec<(&str, bool)> = (found["gates"].as_array().unwrap().iter())
        .map(|gate| {
            (
                gate["subject"].as_str().unwrap(),
                gate["held"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(gates, [("fit", false), ("order", false)]);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("8/8 flipped"), "{text}");
    assert!(!text.contains('\u{1b}'));
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_probe_takes_builtin_cases_axes_gates_and_a_seed() {
    let [_, probe] = tools();
    let mut host = Host::ready(&[]);
    let result = host.call(1, "probe", &json!({"cases": "builtin:ticket-router"}));
    conforms(&probe, &result);
    assert_eq!(result["structuredContent"]["cases"], 30);
    let axes = result["structuredContent"]["axes"].as_array().unwrap();
    let variants: Vec<&str> = axes
        .iter()
        .map(|line| line["variant"].as_str().unwrap())
        .collect();
    assert_eq!(variants, ["reverse", "rotate:1"]);
    let asked = json!({"cases": "builtin:ticket-router", "axis": "keys:letters", "gate": "keys<=100%", "model": "first"});
    let result = host.call(2, "probe", &asked);
    conforms(&probe, &result);
    let found = &result["structuredContent"];
    assert_eq!(found["axes"][0]["axis"], "keys");
    assert_eq!(found["axes"].as_array().unwrap().len(), 1);
    assert_eq!(found["gates"][1]["held"], true, "{}", found["gates"]);
    let drawn =
        |seed: u32| json!({"cases": "builtin:ticket-router", "order": "random:1", "seed": seed});
    let [one, again] =
        [3, 4].map(|id| host.call(id, "probe", &drawn(7))["structuredContent"]["axes"].clone());
    assert_eq!(one, again);
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_probe_is_refused_for_bad_cases_paths_and_too_many_asks() {
    let mut host = Host::ready(&["--model", "first", "--max-asks", "50"]);
    let mut refused = |arguments: Value| host.refused("probe", &arguments);
    assert_eq!(refused(json!({})), "error: `cases` is missing");
    assert_eq!(
        refused(json!({"cases": 3, "seed": "x"})),
        "error: `seed` is a string, expected a whole number\n\
         error: `cases` is a number, expected an array of cases, a path or `builtin:NAME`"
    );
    assert_eq!(
        refused(json!({"cases": []})),
        "error: `cases` is empty, expected one case or more"
    );
    assert_eq!(
        refused(json!({"cases": "-"})),
        "error: `cases`: standard input carries the protocol, expected a path or `builtin:NAME`"
    );
    assert_eq!(
        refused(json!({"cases": "/dev/stdin"})),
        "error: `cases`: `/dev/stdin` is no regular file"
    );
    let told = refused(json!({"cases": "nowhere.jsonl"}));
    assert!(
        told.starts_with("error: `nowhere.jsonl`") || told.contains("nowhere.jsonl"),
        "{told}"
    );
    let mut wrong = desks();
    wrong["expect"] = json!("nobody");
    let mut typed = desks();
    typed["expect"] = json!([1]);
    let mut unnamed = desks();
    unnamed["id"] = json!("");
    assert_eq!(
        refused(json!({"cases": [7, wrong, typed, unnamed]})),
        "error: `cases[0]` is a number, expected an object\n\
         error: `cases[1].expect`: `nobody` is no option, expected one of `billing`, `delivery`, `other`\n\
         error: `cases[2].expect` is neither the key of an option nor an array of keys\n\
         error: `cases[3].id` is empty"
    );
    let mut named = desks();
    named["id"] = json!("a");
    assert_eq!(
        refused(json!({"cases": [named, desks(), named]})),
        "error: `cases`: id `a` is given twice, by case 1 and case 3"
    );
    assert_eq!(
        refused(json!({"cases": "builtin:ticket-router"})),
        "error: this needs 120 asks, and the call may make 50\n\
         help: ask fewer cases or orders, or start the server with a larger `--max-asks`"
    );
    assert_eq!(
        refused(json!({"cases": [desks()], "max_asks": 51})),
        "error: `max_asks 51`: this server allows 50 asks a call\n\
         help: ask fewer, or start it with a larger `--max-asks`"
    );
    assert_eq!(
        refused(json!({"cases": [desks()], "max_asks": 3})),
        "error: this needs 4 asks, and the call may make 3\n\
         help: ask fewer cases or orders, or start the server with a larger `--max-asks`"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_run_that_stops_half_way_fails_and_gives_what_was_measured() {
    let [_, probe] = tools();
    let mut host = Host::ready(&["--model", "first"]);
    // Four planned asks fit; the two that would confirm the flip do not.
    let result = host.call(1, "probe", &json!({"cases": [desks()], "max_asks": 5}));
    conforms(&probe, &result);
    assert_eq!(result["isError"], true);
    let found = &result["structuredContent"];
    assert_eq!(
        (&found["complete"], &found["exit"]),
        (&json!(false), &json!(3))
    );
    let told = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        told,
        "error: stopped after 5 of 6 asks: `--max-asks 5` is reached\nhelp: raise `--max-asks` and repeat the call"
    );
    assert!(
        result["content"][1]["text"]
            .as_str()
            .unwrap()
            .contains("flipped")
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_backend_that_fails_is_told_and_no_key_is_ever_in_a_result() {
    let key = "sk-secret-0123456789";
    let server = Standin::builder()
        .key("another")
        .fault(Fault::EchoKey, When::Always)
        .start()
        .unwrap();
    let variables = [
        ("TYPESAFE_API_KEY", key),
        ("TYPESAFE_API_URL", &server.url()),
    ];
    let mut host = Host::start_with(&["--model", "jev"], &variables).hello("2025-06-18");
    let told = host.refused("decide", &desks());
    assert!(
        told.starts_with("error: stopped after 0 of 4 asks: `jev`"),
        "{told}"
    );
    assert!(told.contains("answered 401"), "{told}");
    assert!(
        told.ends_with(
            "\nhelp: mend the key in TYPESAFE_API_KEY, or what it may do, and repeat the call"
        ),
        "{told}"
    );
    assert!(!told.contains(key), "{told}");
    let ran = host.end();
    assert!(ran.err.contains("key from TYPESAFE_API_KEY"), "{}", ran.err);
    assert!(!ran.err.contains(key), "{}", ran.err);
}

#[test]
fn an_order_that_gets_no_answer_leaves_it_open_and_says_why() {
    // Of two asks, one at a time, the reversal goes out first, and fails for good.
    let server = Standin::builder()
        .policy(Policy::Content)
        .fault(Fault::Status(400), When::Nth(1))
        .start()
        .unwrap();
    let mut host = Host::ready(&["--model", &model(&server), "--concurrency", "1"]);
    let mut question = desks();
    question["order"] = json!("reverse");
    let told = host.refused("decide", &question);
    assert!(told.starts_with("error: the model chose `"), "{told}");
    assert!(
        told.contains("in the order given, and whether the order decides is open: undecided"),
        "{told}"
    );
    assert!(told.contains("; 1 ask failed: answered 400"), "{told}");
    assert!(
        told.ends_with("\nhelp: call again, or with another `order`"),
        "{told}"
    );
    let server = Standin::builder()
        .fault(Fault::Refusal, When::Always)
        .start()
        .unwrap();
    drop(host.end());
    let mut host = Host::ready(&["--model", &model(&server)]);
    let told = host.refused("decide", &desks());
    assert!(told.starts_with("error: the model did not "), "{told}");
    drop(host.end());
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
