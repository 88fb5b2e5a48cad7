//! Each dialect's own fields and routes.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use common::{ABC, Reply, Wire, builder, choice};
use flipside_standin::{Dialect, Fault, Standin, When};

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
fn typesafe_answers_as_documented() {
    let body = r#"{"model":"jev-latest","state":{"a":1},"questions":{"q":{"type":"choice","criteria":{"x":null,"y":"t"}}},"more":1}"#;
    let reply = ask("typesafe", body);
    assert_eq!(
        reply.text(),
        r#"{"model":"jev-1.14.0","answers":{"q":{"type":"choice","choice":"x","confidence":0.8,"probabilities":{"x":0.9,"y":0.1}}},"usage":{"input_tokens":5,"output_tokens":1}}"#
    );
    assert_eq!(reply.header("x-typesafe-request-id"), Some("req-1"));
    let named = builder("first").model("jev-9").round(1).start().unwrap();
    let reply = Wire::to(&named).ask(&choice("s", &ABC));
    assert!(reply.text().contains("\"model\":\"jev-9\""));
    assert!(
        reply
            .text()
            .contains("\"alpha\":0.9,\"beta\":0.1,\"gamma\":0.1")
    );
}

#[test]
fn typesafe_reads_zstd_and_others_say_415() {
    // A zstd frame by hand: magic, single segment with a one-byte size, one raw block that is the last.
    let body = choice("s", &["b", "a"]);
    let size = u8::try_from(body.len()).unwrap();
    let block = (u32::from(size) << 3 | 1).to_le_bytes();
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, size];
    frame.extend_from_slice(&block[..3]);
    frame.extend_from_slice(body.as_bytes());
    let standin = speaking("typesafe");
    let reply = post(
        &standin,
        "/v1/systemone",
        "Content-Encoding: zstd\r\n",
        &frame,
    );
    assert_eq!(reply.choice(), "b");
    let seen = &standin.seen()[0];
    assert_eq!(
        (seen.keys.as_slice(), seen.body.as_slice()),
        (["b".into(), "a".into()].as_slice(), frame.as_slice())
    );
    assert_eq!(
        post(
            &standin,
            "/v1/systemone",
            "Content-Encoding: zstd\r\n",
            b"no"
        )
        .status,
        422
    );
    assert_eq!(
        post(
            &standin,
            "/v1/systemone",
            "Content-Encoding: gzip\r\n",
            b"no"
        )
        .status,
        415
    );
    let laya = speaking("laya");
    assert_eq!(
        post(&laya, "/v1/systemone", "Content-Encoding: zstd\r\n", &frame).status,
        415
    );
}

#[test]
fn openrouter_adds_its_own_fields() {
    let reply = ask("openrouter", &choice("s", &ABC));
    assert!(reply.text().starts_with(
        r#"{"id":"dec-1","model":"typesafe/jev-1.14","provider":"TypeSafe","answers":"#
    ));
    assert!(
        reply
            .text()
            .contains(r#""input_tokens_details":{"cached_tokens":0},"cost":0.0"#),
        "{}",
        reply.text()
    );
    let elsewhere = Standin::builder()
        .dialect("openrouter".parse().unwrap())
        .fault(Fault::ProviderChanges, When::Always)
        .start()
        .unwrap();
    let reply = Wire::to(&elsewhere).ask(&choice("s", &ABC));
    assert!(
        reply.text().contains(r#""provider":"Elsewhere""#),
        "{}",
        reply.text()
    );
    assert!(
        get(&speaking("openrouter"), "/api/v1/models")
            .text()
            .contains("\"output_modalities\":[\"decisions\"]")
    );
}

#[test]
fn vercel_listens_under_typesafe() {
    let standin = speaking("vercel");
    assert!(standin.url().ends_with("/typesafe/v1/systemone"));
    assert_eq!(Wire::to(&standin).ask(&choice("s", &ABC)).status, 200);
    assert_eq!(get(&standin, "/typesafe/v1/models").status, 200);
}

#[test]
fn laya_adds_its_own_fields_in_four_decimals() {
    let standin = builder("content").dialect(Dialect::Laya).start().unwrap();
    let reply = Wire::to(&standin).ask(&choice("s", &ABC));
    let text = reply.text();
    assert!(text.starts_with("{\"model\":\"laya-rl-agent\""));
    for field in [
        "answer_confidence",
        "act_probability",
        "x_jev_confidence",
        "routing",
    ] {
        assert!(text.contains(&format!("\"{field}\":")), "{text}");
    }
    let share = reply.share("alpha");
    assert!(((share * 1e4).round() / 1e4).to_bits() == share.to_bits());
    assert!(
        reply
            .header("server-timing")
            .unwrap()
            .starts_with("inference;dur=")
    );
    assert!(reply.header("x-inference-time-ms").is_some());
    assert_eq!(get(&standin, "/health").text(), "{\"status\":\"ok\"}");
}

#[test]
fn laya_takes_lists_and_option_orders_and_batches() {
    let standin = speaking("laya");
    let mut wire = Wire::to(&standin);
    let with = |question: &str| {
        format!("{{\"state\":\"s\",\"questions\":{{\"q\":{{\"type\":\"choice\",{question}}}}}}}")
    };
    assert_eq!(wire.ask(&with(r#""criteria":["b","a"]"#)).choice(), "b");
    assert_eq!(wire.ask(&with(r#""criteria":["b","b"]"#)).status, 422);
    assert_eq!(
        wire.ask(&with(
            r#""criteria":{"b":null,"a":null,"c":null},"option_order":[2,0,1]"#
        ))
        .choice(),
        "c"
    );
    assert_eq!(
        wire.ask(&with(
            r#""criteria":{"b":null,"a":null},"option_order":[0,0]"#
        ))
        .status,
        422
    );
    let batch = br#"{"states":["s",{"t":1}],"questions":{"q":{"type":"noul"}}}"#;
    let reply = post(&standin, "/v1/systemone/batch", "", batch);
    assert_eq!(reply.text().matches("\"noul\":0.9").count(), 2);
    assert!(reply.text().contains("\"total_usage\":{\"input_tokens\":"));
    let predict = post(&speaking("predict"), "/predict/batch", "", batch);
    assert_eq!(predict.status, 200);
}

#[test]
fn laya_pkg_is_strict() {
    let standin = speaking("laya-pkg");
    let mut wire = Wire::to(&standin);
    let good = options(3);
    let reply = wire.ask(&good);
    assert_eq!(reply.status, 200);
    assert!(
        (reply.number("confidence") - 0.640_97).abs() < 1e-4,
        "entropy, {}",
        reply.text()
    );
    assert!(!reply.text().contains("routing"));
    assert_eq!(
        wire.ask(&good.replace("\"state\"", "\"lang\":\"en\",\"state\""))
            .status,
        422
    );
    assert_eq!(
        wire.ask(&good.replace("\"instructions\"", "\"hint\""))
            .status,
        422
    );
    assert_eq!(wire.ask(&good.replace("laya-latest", "gpt")).status, 422);
    assert_eq!(
        (
            get(&standin, "/healthz").status,
            get(&standin, "/v1/models").status
        ),
        (200, 200)
    );
}

#[test]
fn problem_json_has_codes_and_returns_the_request_id() {
    let standin = speaking("problem-json");
    let reply = post(&standin, "/v1/systemone", "X-Request-Id: me-7\r\n", b"{");
    assert_eq!(
        (reply.status, reply.header("x-request-id")),
        (400, Some("me-7"))
    );
    assert_eq!(
        reply.header("content-type"),
        Some("application/problem+json")
    );
    assert!(reply.text().contains("\"code\":\"malformed_request\""));
    assert_eq!(
        (
            get(&standin, "/livez").status,
            get(&standin, "/readyz").status
        ),
        (200, 200)
    );
}

#[test]
fn clm_hides_the_keys_of_described_options() {
    let standin = builder("content").dialect(Dialect::Clm).start().unwrap();
    let mut wire = Wire::to(&standin);
    let clm = |options: &[&str]| choice("s", options).replace("jev-latest", "clm-latest");
    let own = wire.ask(&clm(&["a=one", "b=two"]));
    let renamed = wire.ask(&clm(&["x=one", "y=two"]));
    assert_eq!(own.share("a").to_bits(), renamed.share("x").to_bits());
    let bare = wire.ask(&clm(&["a", "b"]));
    assert_ne!(
        bare.share("a").to_bits(),
        wire.ask(&clm(&["x", "y"])).share("x").to_bits()
    );
    assert!(
        own.text()
            .contains("\"usage\":{\"billing_units\":1,\"input_tokens\":")
    );
    assert!(own.header("x-clm-latency-ms").is_some());
    assert_eq!(
        wire.ask(&choice("s", &ABC)).status,
        422,
        "jev-latest is unknown there"
    );
}

#[test]
fn clm_divides_logits_by_the_temperature_and_ranks() {
    let standin = speaking("clm");
    let mut wire = Wire::to(&standin);
    let with = |t: &str| {
        format!(
            r#"{{"state":"s","temperature":{t},"questions":{{"q":{{"type":"choice","criteria":{{"a":null,"b":null}}}}}}}}"#
        )
    };
    assert!((wire.ask(&with("2")).share("a") - 0.75).abs() < 1e-9);
    assert_eq!(wire.ask(&with("0")).status, 422);
    assert_eq!(wire.ask(&with("101")).status, 422);
    let reply = post(
        &standin,
        "/v1/rank",
        "",
        br#"{"context":"c","question":"q","answers":["x","y"]}"#,
    );
    assert_eq!(
        reply.text(),
        r#"{"model":"clm-latest","ranked":[{"rank":1,"candidate":"x","prob":0.9},{"rank":2,"candidate":"y","prob":0.1}]}"#
    );
}
