//! The hosts' dialects of System One: their fields, their limits, their words.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use common::{ABC, Reply, Wire, builder, choice};
use flipside_standin::{Confidence, Dialect, Standin};

fn speaking(dialect: &str) -> Standin {
    builder("first")
        .dialect(dialect.parse::<Dialect>().unwrap())
        .start()
        .unwrap()
}

fn ask(dialect: &str, body: &str) -> Reply {
    Wire::to(&speaking(dialect)).ask(body)
}

fn post(standin: &Standin, path: &str, body: &str) -> Reply {
    let request = format!(
        "POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    Wire::to(standin).send(request.as_bytes())
}

/// A body of these questions, with the model that `dialect` serves.
fn body(dialect: &str, state: &str, questions: &str) -> String {
    let model = if dialect == "cua" {
        "cua-s1-4b-0.2"
    } else {
        "m"
    };
    format!(r#"{{"model":"{model}","state":{state},"questions":{questions}}}"#)
}

fn options(n: usize) -> String {
    let members: Vec<String> = (0..n).map(|at| format!("\"k{at}\":null")).collect();
    format!(
        r#"{{"q":{{"type":"choice","criteria":{{{}}}}}}}"#,
        members.join(",")
    )
}

fn questions(n: usize, name: &str) -> String {
    let question = r#"{"type":"choice","criteria":{"a":null,"b":null}}"#;
    let members: Vec<String> = (0..n)
        .map(|at| format!("\"{name}{at}\":{question}"))
        .collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn each_dialect_has_its_own_limits_and_words() {
    let detail = r#"{"detail":""#;
    let clef = r#"{"success":false,"errors":[{"code":5422,"message":""#;
    for (dialect, fits, exceeds, status, words) in [
        (
            "cua",
            options(26),
            options(27),
            422,
            format!("{detail}27 options, at most 26"),
        ),
        (
            "ollama-s1",
            options(26),
            options(27),
            400,
            r#"{"error":"27 options, at most 26"#.to_owned(),
        ),
        (
            "kev",
            options(255),
            options(256),
            422,
            format!("{detail}256 options, at most 255"),
        ),
        (
            "runware",
            options(255),
            options(256),
            422,
            r#"{"detail":[{"loc":["body","questions","q","choice","criteria"],"msg":"256 options"#
                .to_owned(),
        ),
        (
            "cloudflare",
            options(2),
            options(1),
            422,
            format!("{clef}`criteria` must hold at least 2 options"),
        ),
        (
            "cloudflare",
            questions(64, "q"),
            questions(65, "q"),
            422,
            format!("{clef}65 questions, at most 64"),
        ),
        (
            "cloudflare",
            questions(1, "a.b-c_"),
            questions(1, "a b"),
            422,
            format!("{clef}a name has 1 to 100 of"),
        ),
        (
            "cloudflare",
            questions(1, &"n".repeat(99)),
            questions(1, &"n".repeat(100)),
            422,
            format!("{clef}a name has 1 to 100 of"),
        ),
    ] {
        let reply = ask(dialect, &body(dialect, "\"s\"", &fits));
        assert_eq!(reply.status, 200, "{dialect}: {}", reply.text());
        let refused = ask(dialect, &body(dialect, "\"s\"", &exceeds));
        assert_eq!(refused.status, status, "{dialect}");
        assert!(refused.text().starts_with(&words), "{}", refused.text());
    }
    let long = format!("\"{}\"", "x".repeat(32_768));
    let refused = ask("kev", &body("kev", &long, &options(2)));
    assert_eq!(
        (refused.status, refused.text()),
        (422, r#"{"detail":"more than 8192 tokens"}"#)
    );
}

#[test]
fn cua_refuses_what_it_cannot_answer_and_keys_that_are_given_twice() {
    let refused = |body: &str| {
        let reply = ask("cua", body);
        (reply.status, reply.text().to_owned())
    };
    let of = |state: &str, questions: &str| body("cua", state, questions);
    let detail = |status: u16, text: &str| (status, format!(r#"{{"detail":"{text}"}}"#));
    for (body, expected) in [
        (
            of("\"s\"", r#"{"q":{"type":"noul"}}"#),
            detail(422, "only `choice` questions are answered"),
        ),
        (
            of("\"s\"", r#"{"q":{"type":"score","criteria":["a","b"]}}"#),
            detail(422, "only `choice` questions are answered"),
        ),
        (
            of(
                "\"s\"",
                r#"{"q":{"type":"choice","criteria":{"a":1,"b":null}}}"#,
            ),
            detail(422, "option `a` is not a text"),
        ),
        (
            of("\" \"", &options(2)),
            detail(422, "`state` must not be empty"),
        ),
        (
            of("{}", &options(2)),
            detail(422, "`state` must not be empty"),
        ),
        (
            of("\"s\"", &options(2)).replace("cua-s1", "cua-s2"),
            detail(422, "unknown model `cua-s2-4b-0.2`"),
        ),
        (
            of(
                "\"s\"",
                r#"{"q":{"type":"choice","criteria":{"a":null,"b":null,"\u0061":null}}}"#,
            ),
            detail(400, "key `a` is given twice"),
        ),
        (
            of(r#"{"x":[{"y":1,"y":2}]}"#, &options(2)),
            detail(400, "key `y` is given twice"),
        ),
        (
            of(
                "\"s\"",
                r#"{"q":{"type":"choice","criteria":{"a":null,"b":null}},"q":{}}"#,
            ),
            detail(400, "key `q` is given twice"),
        ),
    ] {
        assert_eq!(refused(&body), expected, "{body}");
    }
    assert_eq!(refused(&of(r#""\ud800""#, &options(2))).0, 400);
    assert_eq!(refused(&of("NaN", &options(2))).0, 400);
    assert_eq!(
        refused(&of(r#"{"x":[{"y":1},{"y":2}]}"#, &options(2))).0,
        200
    );
}

#[test]
fn cua_answers_by_letters_so_that_keys_of_described_options_are_not_seen() {
    let standin = builder("content").dialect(Dialect::Cua).start().unwrap();
    let shares = |first: &str| {
        let question =
            format!(r#"{{"q":{{"type":"choice","criteria":{{"{first}":"payments","b":null}}}}}}"#);
        Wire::to(&standin)
            .ask(&body("cua", "\"s\"", &question))
            .share(first)
    };
    assert_eq!(shares("a").to_bits(), shares("z").to_bits());
    let reply = Wire::to(&standin).ask(&body("cua", "\"s\"", &options(2)));
    assert!(
        reply
            .text()
            .starts_with(r#"{"model":"cua-s1-4b-0.2","answers":"#),
        "{}",
        reply.text()
    );
    assert!(
        reply.text().ends_with(r#""output_tokens":0}}"#),
        "{}",
        reply.text()
    );
}

#[test]
fn confidence_is_entropy_at_cua_and_ollama_and_whatever_is_asked_for() {
    // 0.9 and 0.1: 1 - H / ln 2 = 0.5310.
    for dialect in ["cua", "ollama-s1"] {
        let stated = ask(dialect, &body(dialect, "\"s\"", &options(2))).number("confidence");
        assert!((stated - 0.5310).abs() < 5e-5, "{dialect}: {stated}");
    }
    // 0.9, 0.05, 0.05 of three: 0.85, 1 - 0.3944 / ln 3, 0.9, 0.85.
    for (confidence, value) in [
        (Confidence::AboveChance, 0.85),
        (Confidence::Entropy, 0.6410),
        (Confidence::MaxP, 0.9),
        (Confidence::Margin, 0.85),
    ] {
        let standin = builder("first").confidence(confidence).start().unwrap();
        let stated = Wire::to(&standin)
            .ask(&choice("s", &ABC))
            .number("confidence");
        assert!((stated - value).abs() < 5e-5, "{confidence:?}: {stated}");
    }
}

#[test]
fn clefs_answer_is_in_its_envelope_at_the_path_of_account_and_model() {
    let standin = speaking("cloudflare");
    assert!(
        standin
            .url()
            .ends_with("/client/v4/accounts/standin/ai/run/@cf/cloudflare/clef")
    );
    let reply = Wire::to(&standin).ask(&body("cloudflare", "\"s\"", &options(2)));
    assert!(
        reply.text().starts_with(
            r#"{"success":true,"errors":[],"messages":[],"result":{"model":"clef","answers":{"q":"#
        ),
        "{}",
        reply.text()
    );
    assert!(reply.text().ends_with("}}}"));
    assert!(speaking("runware").url().ends_with("/v1/decisions"));
}

#[test]
fn kev_asks_one_question_in_many_orders() {
    let permute = |policy: &str, rest: &str| {
        let standin = builder(policy).dialect(Dialect::Kev).start().unwrap();
        let request = body("kev", "\"s\"", &options(4));
        let reply = post(
            &standin,
            "/v1/systemone/permute",
            &format!(r#"{{"request":{request}{rest}}}"#),
        );
        (reply.status, reply.text().to_owned())
    };
    let (status, biased) = permute("first", r#","question":"q","n_perm":8,"seed":3"#);
    assert_eq!(status, 200, "{biased}");
    assert_eq!(biased.matches("\"order\":").count(), 8);
    assert!(
        biased.starts_with(r#"{"runs":[{"order":["k0","k1","k2","k3"],"probabilities":{"k0":0.9,"#),
        "{biased}"
    );
    // From 0.9 in the first place to a third of 0.1 in any other.
    assert!(
        biased.contains(r#""argmax_stable":false,"spread":0.866666666666666"#),
        "{biased}"
    );
    let (_, stable) = permute("content", "");
    assert_eq!(stable.matches("\"order\":").count(), 6);
    assert!(
        stable.ends_with(r#""argmax_stable":true,"spread":0.0}"#),
        "{stable}"
    );
    assert_eq!(
        permute("first", r#","seed":3"#),
        permute("first", r#","seed":3"#)
    );
    assert_ne!(
        permute("first", r#","seed":3"#),
        permute("first", r#","seed":4"#)
    );
    for (rest, words) in [
        (r#","n_perm":65"#, "`n_perm` must be from 1 to 64"),
        (r#","n_perm":0"#, "`n_perm` must be from 1 to 64"),
        (r#","seed":"x""#, "a whole number is expected"),
        (r#","question":"other""#, "`question` must name a question"),
    ] {
        assert_eq!(
            permute("first", rest),
            (422, format!(r#"{{"detail":"{words}"}}"#))
        );
    }
    let reply = ask("kev", &body("kev", "\"s\"", &options(2)));
    assert!(
        reply.text().ends_with(r#","latency_ms":0.1}"#),
        "{}",
        reply.text()
    );
    assert_eq!(reply.header("x-typesafe-request-id"), Some("req-1"));
    assert!(reply.header("server-timing").is_some());
}

#[test]
fn openrouter_answers_by_the_provider_that_is_asked_for() {
    let with = |provider: &str| {
        let mut body = choice("s", &ABC);
        body.truncate(body.len() - 1);
        ask("openrouter", &format!("{body},\"provider\":{provider}}}"))
    };
    let pinned = with(r#"{"order":["Fireworks","TypeSafe"],"allow_fallbacks":false}"#);
    assert!(
        pinned.text().contains(r#""provider":"Fireworks""#),
        "{}",
        pinned.text()
    );
    assert!(
        with(r#"{"sort":"price"}"#)
            .text()
            .contains(r#""provider":"TypeSafe""#)
    );
    assert_eq!(with(r#"{"order":"Fireworks"}"#).status, 400);
    assert_eq!(with("7").status, 400);
}

#[test]
fn laya_counts_no_more_tokens_than_its_window_for_each_question() {
    let state = format!("\"{}\"", "x".repeat(10_000));
    for (model, n, tokens) in [
        ("english", 1, "512"),
        ("english", 3, "1536"),
        ("other", 2, "2048"),
    ] {
        let standin = builder("first")
            .dialect(Dialect::Laya)
            .model(model)
            .start()
            .unwrap();
        let reply = Wire::to(&standin).ask(&body("laya", &state, &questions(n, "q")));
        assert!(
            reply
                .text()
                .contains(&format!("\"input_tokens\":{tokens},")),
            "{}",
            reply.text()
        );
    }
}
