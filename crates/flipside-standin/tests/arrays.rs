//! The dialects whose questions are an array, and the strict server of System One.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use common::{Reply, Wire, builder, choice};
use flipside_standin::{Dialect, Fault, Standin, When};

fn speaking(dialect: &str, policy: &str) -> Standin {
    builder(policy)
        .dialect(dialect.parse::<Dialect>().unwrap())
        .start()
        .unwrap()
}

fn openai(policy: &str, body: &str) -> Reply {
    Wire::to(&speaking("openai-decisions", policy)).ask(body)
}

fn agentjev(policy: &str, body: &str) -> Reply {
    Wire::to(&speaking("agentjev", policy)).ask(body)
}

fn faulty(dialect: &str, fault: &str, body: &str) -> Reply {
    let server = builder("first")
        .dialect(dialect.parse::<Dialect>().unwrap())
        .fault(fault.parse::<Fault>().unwrap(), When::Always)
        .start()
        .unwrap();
    Wire::to(&server).ask(body)
}

fn get(server: &Standin, path: &str) -> Reply {
    Wire::to(server).send(format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes())
}

fn asked(questions: &str) -> String {
    format!(r#"{{"model":"m","input":"s","questions":[{questions}]}}"#)
}

const MIXED: &str = r#"{"model":"gpt-6-luna","input":"s","questions":[
    {"type":"choice","name":"q","instructions":"Which?","choices":[{"value":"b","description":"y"},{"value":true},{"value":"true"}]},
    {"type":"predicate","instructions":"It is."},
    {"type":"score","name":"u","instructions":"How?","levels":[{"label":"low"},{"label":"high"}]}]}"#;

#[test]
fn openai_decisions_answers_in_arrays_with_typed_values_and_null_names() {
    let reply = openai("first", MIXED);
    // Input 3 bytes, questions 8+22, 8+17 and 6+13 with their options: 77, a quarter of it are tokens.
    assert_eq!(
        reply.text(),
        r#"{"model":"gpt-6-luna","answers":[{"type":"choice","name":"q","choice":"b","confidence":0.8500000000000001,"probabilities":[{"value":"b","probability":0.9},{"value":true,"probability":0.05},{"value":"true","probability":0.05}]},{"type":"predicate","name":null,"probability":0.9},{"type":"score","name":"u","score":0.1,"confidence":0.8,"probabilities":[{"value":0,"label":"low","probability":0.9},{"value":1,"label":"high","probability":0.1}]}],"usage":{"input_tokens":20,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":0,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":20}}"#
    );
    assert_eq!(reply.header("x-request-id"), Some("req-1"));
    let choices = r#"[{"value":"b"},{"value":true},{"value":"true"}]"#;
    let alone = asked(&format!(
        r#"{{"type":"choice","instructions":"Which?","choices":{choices}}}"#
    ));
    for (policy, choice) in [("slot:2", "true"), ("slot:3", r#""true""#)] {
        let reply = openai(policy, &alone);
        let chosen = format!("\"choice\":{choice},");
        assert!(reply.text().contains(&chosen), "{}", reply.text());
    }
    let server = speaking("openai-decisions", "first");
    Wire::to(&server).ask(MIXED);
    assert_eq!(server.seen()[0].keys, ["b", "true", "\"true\""]);
    assert_eq!(server.seen()[0].path, "/v1/decisions");
    assert_eq!(
        get(&server, "/v1/models").text(),
        r#"{"object":"list","data":[{"id":"gpt-6-luna","object":"model"}]}"#
    );
}

#[test]
fn one_question_is_refused_while_another_is_answered() {
    // It refuses where the first key sorts after the last.
    let question = |name: &str, keys: [&str; 2]| {
        format!(
            r#"{{"type":"choice","name":"{name}","instructions":"Which?","choices":[{{"value":"{}"}},{{"value":"{}"}}]}}"#,
            keys[0], keys[1]
        )
    };
    let body = asked(&[question("up", ["a", "b"]), question("down", ["b", "a"])].join(","));
    let reply = openai("refuse-reversed", &body);
    assert!(
        reply.text().contains(r#"{"type":"refusal","name":"down"}"#),
        "{}",
        reply.text()
    );
    assert!(
        reply
            .text()
            .contains(r#"{"type":"choice","name":"up","choice":"#),
        "{}",
        reply.text()
    );
}

#[test]
fn openai_decisions_refuses_what_the_service_refuses() {
    let choices = |n: usize| {
        let values: Vec<String> = (0..n).map(|n| format!("{{\"value\":\"k{n}\"}}")).collect();
        format!(
            r#"{{"type":"choice","instructions":"?","choices":[{}]}}"#,
            values.join(",")
        )
    };
    let levels = |n: usize| {
        let labels: Vec<String> = (0..n).map(|n| format!("{{\"label\":\"l{n}\"}}")).collect();
        format!(
            r#"{{"type":"score","instructions":"?","levels":[{}]}}"#,
            labels.join(",")
        )
    };
    let input = |input: &str| {
        format!(
            r#"{{"model":"m","input":{input},"questions":[{}]}}"#,
            choices(2)
        )
    };
    let part = |data: &str| {
        input(&format!(
            r#"[{{"role":"user","content":[{{"type":"input_json","data":{data}}}]}}]"#
        ))
    };
    let nested = |depth: usize| {
        format!(
            "{{\"a\":{}{}}}",
            "[".repeat(depth - 1),
            "]".repeat(depth - 1)
        )
    };
    for good in [
        asked(&choices(255)),
        asked(&levels(10)),
        asked(&vec![choices(2); 400].join(",")),
        input(r#"[{"role":"user","content":"x"}]"#),
        part(&nested(32)),
        part("[{}]"),
    ] {
        assert_eq!(
            openai("first", &good).status,
            200,
            "{}",
            openai("first", &good).text()
        );
    }
    for (bad, message) in [
        (asked(&choices(256)), "256 choices, expected 2 to 255"),
        (asked(&choices(1)), "1 choices, expected 2 to 255"),
        (asked(&levels(11)), "11 levels, expected 2 to 10"),
        (asked(&levels(1)), "1 levels, expected 2 to 10"),
        (
            asked(&vec![choices(2); 401].join(",")),
            "401 questions, expected 1 to 400",
        ),
        (asked(""), "0 questions, expected 1 to 400"),
        (
            asked(&choices(2).replace("k1", "k0")),
            "each choice must be unique, `k0` is not",
        ),
        (
            asked(&choices(2).replace("\"k1\"", "1")),
            "a value is a string or a boolean",
        ),
        (
            asked(&choices(2).replace("\"instructions\":\"?\",", "")),
            "instructions are required",
        ),
        (
            asked(&choices(2).replace("choice\"", "noul\"")),
            "expected one of 'predicate', 'choice', 'score'",
        ),
        (
            asked(&choices(2)).replace("\"input\":\"s\"", "\"state\":\"s\""),
            "Unknown parameter: 'state'.",
        ),
        (
            asked(&choices(2)).replace("\"input\":\"s\",", ""),
            "Missing required parameter: 'input'.",
        ),
        (
            asked(&choices(2)).replace("\"model\":\"m\",", ""),
            "you must provide a model parameter",
        ),
        (input("{}"), "expected a string or a list of items"),
        (input("[{}]"), "an item needs a `role` or a `type`"),
        (part("7"), "`data` must be an object or a list of objects"),
        (
            part(&nested(33)),
            "a JSON part has at most 32 levels, 10000 values and 262144 bytes",
        ),
        (
            part(&format!("{{\"a\":[{}]}}", vec!["1"; 9_999].join(","))),
            "a JSON part has at most 32 levels, 10000 values and 262144 bytes",
        ),
        (choice("s", &["a", "b"]), "Unknown parameter: 'state'."),
    ] {
        let reply = openai("first", &bad);
        assert_eq!(reply.status, 400, "{message}");
        let start =
            format!(r#"{{"error":{{"message":"{message}","type":"invalid_request_error","param":"#);
        assert!(
            reply.text().starts_with(&start),
            "{message}: {}",
            reply.text()
        );
    }
    let keyed = builder("first")
        .dialect(Dialect::OpenaiDecisions)
        .key("sesame")
        .start()
        .unwrap();
    let reply = Wire::to(&keyed).ask(MIXED);
    assert_eq!(reply.status, 401);
    assert!(
        reply
            .text()
            .contains(r#""type":"authentication_error","param":null"#)
    );
}

#[test]
fn shapes_go_wrong_in_arrays_too() {
    let shares = |fault: &str| {
        let reply = faulty("openai-decisions", fault, MIXED);
        common::after(reply.text(), "\"probabilities\":[", "]").to_owned()
    };
    let (b, yes, word) = (
        r#"{"value":"b","probability":0.9}"#,
        r#"{"value":true,"probability":0.05}"#,
        r#"{"value":"true","probability":0.05}"#,
    );
    assert_eq!(shares("duplicate-key"), format!("{b},{yes},{word},{b}"));
    assert_eq!(shares("missing-option"), format!("{b},{yes}"));
    assert_eq!(shares("reversed-keys"), format!("{word},{yes},{b}"));
    assert_eq!(
        shares("extra-option"),
        format!(r#"{b},{yes},{word},{{"value":"x_extra","probability":0}}"#)
    );
    assert_eq!(
        shares("text-numbers"),
        format!("{b},{yes},{word}")
            .replace("0.9", "\"0.9\"")
            .replace("0.05", "\"0.05\"")
    );
    let text = |dialect: &str, fault: &str| faulty(dialect, fault, MIXED).text().to_owned();
    let refusal = r#"[{"type":"refusal","name":"q"},{"type":"refusal","name":null},{"type":"refusal","name":"u"}]"#;
    assert!(text("openai-decisions", "refusal").contains(refusal));
    let legend = text("openai-decisions", "legend-from-one");
    assert!(
        legend.contains(r#"{"value":1,"label":"low""#)
            && legend.contains(r#"{"value":2,"label":"high""#)
    );
    assert!(text("openai-decisions", "nobody-asked").contains(r#""name":"x_nobody""#));
    assert!(!text("openai-decisions", "missing-answer").contains(r#""name":"u""#));
    assert!(!text("openai-decisions", "no-usage").contains("usage"));
    assert!(!text("openai-decisions", "pick-only").contains("probabilities"));
    assert!(text("openai-decisions", "not-offered").contains(r#""choice":"x_not_offered""#));
    assert!(text("openai-decisions", "model-changes").contains("gpt-6-luna-changed"));
    assert!(text("openai-decisions", "nan-extra").contains("\"x_debug\":NaN"));
    assert!(text("openai-decisions", "status:409").contains("planned fault: 409 Conflict"));
    let jev = |fault: &str| faulty("agentjev", fault, JEV).text().to_owned();
    assert!(
        jev("second-best").contains(r#""value":"a","top_probability":0.9"#),
        "{}",
        jev("second-best")
    );
    assert!(
        jev("sum:0.5").contains(r#""distribution":{"b":0.45,"a":0.05}"#),
        "{}",
        jev("sum:0.5")
    );
    assert!(jev("confidence:1.5").contains(r#""margin":1.5"#));
    assert!(jev("unknown-type").contains(r#"{"id":"q","type":"oracle"}"#));
    assert!(jev("status:500").contains(r#"{"error":"planned fault: 500 Internal Server Error"}"#));
}

const JEV: &str = r#"{"state":{"z":1,"a":2},"questions":[{"id":"q","question":"Which?","options":{"b":"y","a":"x"}}]}"#;

#[test]
fn agentjev_answers_as_documented() {
    let body = r#"{"state":"s","questions":[
        {"id":"q","question":"Which?","options":{"b":"y","a":"x"}},
        {"id":"t","type":"boolean","instructions":"It is.","criteria":{"false":"no","true":"yes"}},
        {"id":"u","type":"score","question":"How?","levels":["low",{"of":"high"}]},
        {"id":"v","type":"choice","question":"Which?","options":["p","q"]}]}"#;
    // State 3 bytes, questions 8+8, 8+18, 6+20 and 8+8 with their options: 87, a quarter of it are tokens.
    assert_eq!(
        agentjev("first", body).text(),
        r#"{"api_version":"agentjev.decision.v1","model":"agentjev-0.6b","results":[{"id":"0","answers":[{"id":"q","type":"choice","value":"b","top_probability":0.9,"margin":0.8,"distribution":{"b":0.9,"a":0.1}},{"id":"t","type":"boolean","probability":0.9,"value":true,"distribution":{"true":0.9,"false":0.09999999999999998}},{"id":"u","type":"score","score":0.1,"level":"0","legend":{"0":"low","1":{"of":"high"}},"distribution":{"0":0.9,"1":0.1}},{"id":"v","type":"choice","value":"0","top_probability":0.9,"margin":0.8,"distribution":{"0":0.9,"1":0.1}}]}],"usage":{"questions":4,"candidate_paths":8,"input_path_tokens":22,"generated_tokens":0,"truncated_inputs":0,"wall_ms":0.1}}"#
    );
    let server = speaking("agentjev", "first");
    assert_eq!(get(&server, "/health").text(), r#"{"status":"ok"}"#);
    assert_eq!(
        get(&server, "/api/info").text(),
        r#"{"api_version":"agentjev.decision.v1","model":"agentjev-0.6b"}"#
    );
    Wire::to(&server).ask(JEV);
    assert_eq!(server.seen().last().unwrap().keys, ["b", "a"]);
}

#[test]
fn several_states_are_answered_in_their_order() {
    let two = r#"{"requests":[{"id":"t1","state":"s","questions":[{"id":"q","question":"?","options":{"b":"y","a":"x"}}]},{"state":"t","questions":[{"id":"p","question":"?","options":{"d":"y","c":"x"}}]}]}"#;
    let reply = agentjev("first", two);
    let text = reply.text();
    assert!(
        text.contains(r#"{"id":"t1","answers":[{"id":"q","type":"choice","value":"b""#),
        "{text}"
    );
    assert!(
        text.contains(r#"{"id":"1","answers":[{"id":"p","type":"choice","value":"d""#),
        "{text}"
    );
    assert!(
        text.contains(r#""questions":2,"candidate_paths":4"#),
        "{text}"
    );
}

#[test]
fn agentjev_sees_neither_keys_nor_the_order_of_a_states_keys() {
    let shares = |body: &str| {
        let reply = agentjev("content", body);
        common::after(reply.text(), "\"distribution\":{", "}").to_owned()
    };
    let plain = shares(JEV);
    assert_eq!(
        shares(&JEV.replace(r#"{"z":1,"a":2}"#, r#"{"a":2,"z":1}"#)),
        plain
    );
    assert_ne!(shares(&JEV.replace("\"z\":1", "\"z\":3")), plain);
    let renamed = JEV.replace("\"b\":\"y\"", "\"c\":\"y\"");
    assert_eq!(shares(&renamed), plain.replace("\"b\"", "\"c\""));
    let long = JEV.replace("\"y\"", "\"a text that goes on\"");
    let cut = agentjev("truncating:4", &long);
    assert!(
        cut.text().contains("\"truncated_inputs\":1"),
        "{}",
        cut.text()
    );
}

#[test]
fn agentjev_refuses_what_the_service_refuses() {
    let many = |n: usize| {
        let options: Vec<String> = (0..n).map(|n| format!("\"k{n}\":\"t{n}\"")).collect();
        format!(
            r#"{{"id":"q","question":"?","options":{{{}}}}}"#,
            options.join(",")
        )
    };
    let levels = |n: usize| {
        let levels: Vec<String> = (0..n).map(|n| format!("\"l{n}\"")).collect();
        format!(
            r#"{{"id":"q","type":"score","question":"?","levels":[{}]}}"#,
            levels.join(",")
        )
    };
    let of = |question: &str| format!(r#"{{"state":"s","questions":[{question}]}}"#);
    let repeated = |n: usize, options: usize| {
        let all: Vec<String> = (0..n)
            .map(|n| many(options).replace("\"id\":\"q\"", &format!("\"id\":\"q{n}\"")))
            .collect();
        of(&all.join(","))
    };
    for good in [
        of(&many(255)),
        of(&levels(10)),
        repeated(128, 2),
        repeated(4, 255),
    ] {
        assert_eq!(
            agentjev("first", &good).status,
            200,
            "{}",
            agentjev("first", &good).text()
        );
    }
    let nonempty = "must be nonempty text, an object or an array";
    for (bad, message) in [
        (
            of(&many(256)),
            "question 'q' has 256 options; expected 2 to 255".to_owned(),
        ),
        (
            of(&many(1)),
            "question 'q' has 1 options; expected 2 to 255".to_owned(),
        ),
        (
            of(&levels(11)),
            "question 'q' has 11 levels; expected 2 to 10".to_owned(),
        ),
        (
            of(&many(2).replace("t1", "t0")),
            "question 'q' has two options with one description".to_owned(),
        ),
        (
            of(&many(2)
                .replace("\"t0\"", r#"{"a":1,"b":2}"#)
                .replace("\"t1\"", r#"{"b":2,"a":1}"#)),
            "question 'q' has two options with one description".to_owned(),
        ),
        (
            of(&many(2).replace("t1", " ")),
            format!("option {nonempty}"),
        ),
        (
            of(&many(2).replace("\"t1\"", "null")),
            format!("option {nonempty}"),
        ),
        (
            of(&many(2)).replace("\"s\"", "7"),
            format!("state {nonempty}"),
        ),
        (
            of(&many(2)).replace("\"?\"", "\"\""),
            format!("question {nonempty}"),
        ),
        (
            repeated(129, 2),
            "129 questions and 258 paths; limits 128 and 1024".to_owned(),
        ),
        (
            repeated(5, 255),
            "5 questions and 1275 paths; limits 128 and 1024".to_owned(),
        ),
        (
            of(&format!("{},{}", many(2), many(2))),
            "question id 'q' is not unique".to_owned(),
        ),
        (
            of(&many(2).replace("t1", &"x".repeat(8_200))),
            "question 'q' needs 2051 tokens; limit 2048. Shorten the input; nothing was truncated."
                .to_owned(),
        ),
        (
            of(&many(2).replace("\"id\":\"q\",", "")),
            "question id must be a nonempty string".to_owned(),
        ),
        (
            r#"{"requests":[]}"#.to_owned(),
            "requests must list 1 to 32 states".to_owned(),
        ),
    ] {
        let reply = agentjev("first", &bad);
        assert_eq!(
            (reply.status, reply.text()),
            (400, format!("{{\"error\":\"{message}\"}}").as_str())
        );
    }
    let huge = of(&many(2)).replace("\"s\"", &format!("\"{}\"", "x".repeat(1_000_000)));
    let reply = agentjev("first", &huge);
    assert_eq!(
        (reply.status, reply.text()),
        (413, r#"{"error":"the body is too large"}"#)
    );
}

#[test]
fn the_strict_server_refuses_unknown_fields_short_lists_and_statements_of_one_side() {
    let ask = |body: &str| Wire::to(&speaking("jev-compatible", "first")).ask(body);
    let body = |question: &str| format!(r#"{{"state":"s","questions":{{"q":{question}}}}}"#);
    let two = r#"{"type":"choice","criteria":{"b":null,"a":null}}"#;
    let levels = |n: usize| {
        let levels: Vec<String> = (0..n).map(|n| format!("\"l{n}\"")).collect();
        body(&format!(
            r#"{{"type":"score","criteria":[{}]}}"#,
            levels.join(",")
        ))
    };
    assert_eq!(ask(&body(two)).status, 200);
    let scored = ask(&levels(3));
    assert!(
        scored.text().contains(r#""legend":["l0","l1","l2"]"#),
        "{}",
        scored.text()
    );
    assert_eq!(ask(&levels(255)).status, 200);
    assert_eq!(
        ask(&body(
            r#"{"type":"noul","criteria":{"true":"y","false":"n"}}"#
        ))
        .status,
        200
    );
    for (bad, message) in [
        (
            body(two).replace("\"state\"", "\"more\":1,\"state\""),
            "unknown field",
        ),
        (
            body(&two.replace("\"type\"", "\"more\":1,\"type\"")),
            "unknown field",
        ),
        (
            body(r#"{"type":"choice","criteria":{"b":null}}"#),
            "1 options, at least 2",
        ),
        (levels(256), "256 levels, at most 255"),
        (
            body(r#"{"type":"noul","criteria":{"true":"y"}}"#),
            "`criteria` must describe `true` and `false`",
        ),
        (
            body(two).replace("\"q\"", &format!("\"{}\"", "n".repeat(129))),
            "a name has 1 to 128 characters",
        ),
    ] {
        let reply = ask(&bad);
        assert_eq!(reply.status, 422, "{message}");
        assert!(
            reply.text().contains(&format!("\"msg\":\"{message}\"")),
            "{}",
            reply.text()
        );
    }
    assert_eq!(
        common::after(
            faulty("jev-compatible", "unsupported", &body(two)).text(),
            "\"answers\":",
            "\"usage\""
        ),
        r#"{"q":{"type":"unsupported","question_type":"choice","reason":"this model does not answer choice questions","supported_types":[]}},"#
    );
    let server = speaking("jev-compatible", "first");
    assert_eq!(get(&server, "/health").status, 200);
    let request = Wire::to(&server)
        .request(&body(two))
        .replace("/v1/systemone", "/systemone");
    assert_eq!(Wire::to(&server).send(request.as_bytes()).status, 200);
}

#[test]
fn what_arrived_is_told_on_request() {
    for (dialect, body) in [("openai-decisions", MIXED), ("agentjev", JEV)] {
        let server = builder("first")
            .dialect(dialect.parse::<Dialect>().unwrap())
            .echo_seen(true)
            .start()
            .unwrap();
        let reply = Wire::to(&server).ask(body);
        let keys = server.seen()[0].keys.clone();
        let told = common::after(reply.text(), "\"x_seen\":{\"keys\":[", "]");
        let expected: Vec<String> = keys.iter().map(|key| format!("{key:?}")).collect();
        assert_eq!(told, expected.join(","), "{dialect}");
    }
}
