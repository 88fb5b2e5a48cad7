//! What each dialect refuses, and in which words.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use common::{ABC, Reply, Wire, builder, choice};
use flipside_standin::{Dialect, Standin};

fn speaking(dialect: &str) -> Standin {
    builder("first")
        .dialect(dialect.parse::<Dialect>().unwrap())
        .start()
        .unwrap()
}

fn ask(dialect: &str, body: &str) -> Reply {
    Wire::to(&speaking(dialect)).ask(body)
}

fn get(standin: &Standin, path: &str) -> Reply {
    Wire::to(standin).send(format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes())
}

fn post(standin: &Standin, path: &str, head: &str, body: &[u8]) -> Reply {
    let mut request = format!(
        "POST {path} HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend_from_slice(body);
    Wire::to(standin).send(&request)
}

fn options(n: usize) -> String {
    let keys: Vec<String> = (0..n).map(|n| format!("k{n}")).collect();
    choice("s", &keys.iter().map(String::as_str).collect::<Vec<_>>())
        .replace("jev-latest", "laya-latest")
}

#[test]
fn keys_are_asked_for_where_one_is_set() {
    for (dialect, missing) in [
        ("typesafe", 403),
        ("laya", 401),
        ("clm", 401),
        ("openrouter", 401),
    ] {
        let standin = builder("first")
            .dialect(dialect.parse().unwrap())
            .key("k1")
            .start()
            .unwrap();
        let path = standin.url().replace(&standin.origin(), "");
        let body = options(2).replace(
            "laya-latest",
            if dialect == "clm" {
                "clm-latest"
            } else {
                "jev-latest"
            },
        );
        let with = |head: &str| post(&standin, &path, head, body.as_bytes()).status;
        assert_eq!(with(""), missing, "{dialect}");
        assert_eq!(with("Authorization: Bearer k2\r\n"), 401);
        assert_eq!(with("authorization: Bearer k1\r\n"), 200);
    }
    let open = speaking("typesafe");
    let stray = post(
        &open,
        "/v1/systemone",
        "Authorization: Bearer x\r\n",
        options(2).as_bytes(),
    );
    assert_eq!(stray.status, 200);
}

#[test]
fn too_many_options_are_refused_in_each_dialects_words() {
    for (dialect, most, status, words) in [
        (
            "typesafe",
            255,
            422,
            r#"{"detail":[{"loc":["body","questions","q","choice","criteria"],"msg":"256 options"#,
        ),
        (
            "openrouter",
            255,
            400,
            r#"{"error":{"code":400,"message":"256 options"#,
        ),
        ("vercel", 255, 400, r#"{"message":"256 options"#),
        ("laya", 100, 413, r#"{"detail":"101 options"#),
        ("predict", 100, 413, r#"{"detail":"101 options"#),
        (
            "problem-json",
            100,
            413,
            r#"{"type":"about:blank","title":"Content Too Large","status":413,"detail":"101"#,
        ),
        ("laya-pkg", 255, 422, r#"{"error":{"message":"256 options"#),
    ] {
        assert_eq!(ask(dialect, &options(most)).status, 200, "{dialect}");
        let refused = ask(dialect, &options(most + 1));
        assert_eq!(refused.status, status, "{dialect}");
        assert!(refused.text().starts_with(words), "{}", refused.text());
    }
    assert_eq!(
        ask("clm", &options(300).replace("laya-latest", "clm-latest")).status,
        200
    );
}

#[test]
fn broken_requests_are_refused_and_never_crash_the_server() {
    let question = r#""questions":{"q":{"type":"choice","criteria":{"a":null}}}"#;
    let bodies = [
        (String::new(), 422, 400),
        ("[]".into(), 422, 400),
        ("{".into(), 422, 400),
        (format!("{{\"model\":\"m\",{question}}} x"), 422, 400),
        (format!("{{\"model\":\"m\",{question}}}"), 422, 400),
        (format!("{{\"model\":\"m\",\"state\":null,{question}}}"), 422, 400),
        (format!("{{\"model\":\"m\",\"state\":7,{question}}}"), 422, 400),
        (r#"{"model":"m","state":"s"}"#.into(), 422, 400),
        (r#"{"model":"m","state":"s","questions":{}}"#.into(), 422, 400),
        (r#"{"model":"m","state":"s","questions":[]}"#.into(), 422, 400),
        (r#"{"model":"m","state":"s","questions":{"q":1}}"#.into(), 422, 422),
        (r#"{"model":"m","state":"s","questions":{"q":{"type":"box"}}}"#.into(), 422, 422),
        (r#"{"model":"m","state":"s","questions":{"q":{"type":"choice","criteria":{}}}}"#.into(), 422, 422),
        (r#"{"model":"m","state":"s","questions":{"q":{"type":"choice","criteria":{"a":1}}}}"#.into(), 422, 422),
        (r#"{"model":"m","state":"s","questions":{"q":{"type":"score","criteria":["a",null]}}}"#.into(), 422, 422),
        (r#"{"model":"m","state":"s","questions":{"q":{"type":"score","criteria":{"a":"b"}}}}"#.into(), 422, 422),
        (r#"{"model":"m","state":"s","questions":{"q":{"type":"noul","criteria":{"maybe":"b"}}}}"#.into(), 422, 422),
    ];
    let (typesafe, laya) = (speaking("typesafe"), speaking("laya"));
    let (mut one, mut two) = (Wire::to(&typesafe), Wire::to(&laya));
    for (body, by_typesafe, by_laya) in bodies {
        let reply = one.ask(&body);
        assert_eq!(reply.status, by_typesafe, "{body}");
        assert!(
            reply.text().starts_with("{\"detail\":[{\"loc\":[\"body\""),
            "{}",
            reply.text()
        );
        assert_eq!(two.ask(&body).status, by_laya, "{body}");
    }
    assert_eq!(one.ask(&choice("s", &ABC)).status, 200);
}

#[test]
fn a_request_beyond_the_models_reach_is_413() {
    let reply = ask("typesafe", &choice(&"x".repeat(300_000), &ABC));
    assert_eq!(reply.status, 413);
    assert!(
        reply
            .text()
            .contains("\"error_type\":\"max_tokens_exceeded\"")
    );
}

#[test]
fn laya_has_all_its_limits() {
    let standin = speaking("laya");
    let mut wire = Wire::to(&standin);
    let questions = |n: usize, question: &str| {
        let all: Vec<String> = (0..n).map(|at| format!("\"q{at}\":{question}")).collect();
        format!("{{\"state\":\"s\",\"questions\":{{{}}}}}", all.join(","))
    };
    assert_eq!(wire.ask(&questions(64, r#"{"type":"noul"}"#)).status, 200);
    assert_eq!(wire.ask(&questions(65, r#"{"type":"noul"}"#)).status, 413);
    let levels = |n: usize| {
        format!(
            "{{\"type\":\"score\",\"criteria\":[{}]}}",
            vec!["\"l\""; n].join(",")
        )
    };
    assert_eq!(wire.ask(&questions(1, &levels(32))).status, 200);
    assert_eq!(wire.ask(&questions(1, &levels(33))).status, 413);
    assert_eq!(wire.ask(&questions(16, &levels(32))).status, 200);
    let one_more = format!("}},\"more\":{}}}}}", levels(1));
    let most = questions(16, &levels(32));
    let over = format!("{}{one_more}", most.strip_suffix("}}}").unwrap());
    assert_eq!(wire.ask(&over).status, 413);
    assert_eq!(wire.ask(&choice(&"é".repeat(49_998), &ABC)).status, 200);
    assert_eq!(wire.ask(&choice(&"é".repeat(49_999), &ABC)).status, 413);
    assert_eq!(wire.ask(&choice(&"x".repeat(2_100_000), &ABC)).status, 413);
    assert_eq!(wire.ask(&choice("\\ud800", &ABC)).status, 400);
    assert_eq!(
        wire.ask(&options(2).replace("laya-latest", "who/model"))
            .status,
        422
    );
    assert_eq!(
        wire.ask(&options(2).replace("\"state\"", "\"max_len\":0,\"state\""))
            .status,
        422
    );
}

#[test]
fn laya_says_busy_above_sixteen_at_once() {
    let standin = builder("first")
        .dialect(Dialect::Laya)
        .delay(std::time::Duration::from_secs(1))
        .start()
        .unwrap();
    let mut wires: Vec<Wire> = (0..18).map(|_| Wire::to(&standin)).collect();
    for wire in &mut wires {
        let request = wire.request(&choice("s", &ABC));
        std::io::Write::write_all(&mut wire.stream, request.as_bytes()).unwrap();
    }
    let replies: Vec<Reply> = wires.iter_mut().map(|wire| wire.reply().unwrap()).collect();
    let busy: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 503).collect();
    assert_eq!(busy.len(), 2);
    assert_eq!(busy[0].header("retry-after"), Some("1"));
}

#[test]
fn other_paths_and_methods_are_not_served() {
    let standin = speaking("typesafe");
    assert_eq!(post(&standin, "/v1/decisions", "", b"{}").status, 404);
    assert_eq!(get(&standin, "/v1/systemone").status, 405);
    assert_eq!(standin.count(), 0);
}
