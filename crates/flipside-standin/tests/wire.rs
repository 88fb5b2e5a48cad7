//! HTTP as clients meet it: kept connections, pipelines, packets cut anywhere, servers that die.

mod common;

use std::io::Write;
use std::net::TcpStream;

use common::{ABC, Wire, address, builder, choice, serve};
use flipside_standin::{Dialect, Standin};

#[test]
fn a_connection_is_kept_for_the_next_request() {
    let standin = serve("first");
    let mut wire = Wire::to(&standin);
    let local = wire.stream.local_addr().unwrap();
    for _ in 0..50 {
        assert_eq!(wire.ask(&choice("s", &ABC)).status, 200);
    }
    assert_eq!(wire.stream.local_addr().unwrap(), local);
    assert_eq!((standin.count(), standin.seen().len()), (50, 50));
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let standin = serve("first");
    let mut wire = Wire::to(&standin);
    let keys: Vec<String> = (0..30).map(|n| format!("key{n}")).collect();
    let all: String = keys
        .iter()
        .map(|key| wire.request(&choice("s", &[key, "other"])))
        .collect();
    wire.stream.write_all(all.as_bytes()).unwrap();
    for key in keys {
        assert_eq!(wire.reply().unwrap().choice(), key);
    }
}

#[test]
fn a_request_may_come_in_packets_of_any_size() {
    let standin = serve("last");
    let mut wire = Wire::to(&standin);
    let body = choice("naïve é", &ABC);
    let request = wire.request(&body);
    for size in [1, 7, 64] {
        for part in request.as_bytes().chunks(size) {
            wire.stream.write_all(part).unwrap();
            std::thread::yield_now();
        }
        assert_eq!(wire.reply().unwrap().choice(), "gamma");
    }
    assert!(
        standin
            .seen()
            .iter()
            .all(|seen| seen.body == body.as_bytes())
    );
}

#[test]
fn chunked_requests_and_large_bodies_are_read_whole() {
    let standin = serve("first");
    let mut wire = Wire::to(&standin);
    let body = choice("s", &ABC);
    let (one, two) = body.split_at(20);
    let head = "POST /v1/systemone HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    let request = format!(
        "{head}{:x}\r\n{one}\r\n{:X}\r\n{two}\r\n0\r\n\r\n",
        one.len(),
        two.len()
    );
    assert_eq!(wire.send(request.as_bytes()).choice(), "alpha");
    assert_eq!(standin.seen()[0].body, body.as_bytes());
    assert_eq!(wire.ask(&choice(&"x".repeat(200_000), &ABC)).status, 200);
}

#[test]
fn a_client_that_expects_continue_is_told_to() {
    let standin = serve("first");
    let mut wire = Wire::to(&standin);
    let body = choice("s", &ABC);
    let head = format!(
        "POST /v1/systemone HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    wire.stream.write_all(head.as_bytes()).unwrap();
    let mut told = [0; 25];
    std::io::Read::read_exact(&mut wire.stream, &mut told).unwrap();
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    assert_eq!(wire.send(body.as_bytes()).status, 200);
}

#[test]
fn what_was_seen_keeps_order_and_duplicates_and_no_secret() {
    let standin = serve("first");
    let body = r#"{"model":"m","state":"s","questions":{"n":{"type":"noul"},
        "q":{"type":"choice","criteria":{"zeta":1.0e1,"10":null,"2":"x","\u0041b":"é","10":"again"}}}}"#
        .replace("1.0e1", "null");
    let request = format!(
        "POST /v1/systemone?x=1 HTTP/1.1\r\nAuthorization: Bearer secret-7\r\nCookie: c\r\nX-Mine: yes\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(Wire::to(&standin).send(request.as_bytes()).status, 200);
    let seen = &standin.seen()[0];
    assert_eq!(seen.keys, ["zeta", "10", "2", "Ab", "10"]);
    assert_eq!(
        (seen.method.as_str(), seen.path.as_str(), seen.status),
        ("POST", "/v1/systemone?x=1", 200)
    );
    assert!(seen.authorization);
    // printf 'Bearer secret-7' | sha256sum
    let digest = "7fb3efbb2d9e0f3313845215a49735dabe747d511ea9e7b27908a91a62019bc8";
    assert_eq!(seen.authorization_digest.as_deref(), Some(digest));
    assert!(!format!("{seen:?}").contains("secret-7"));
    assert!(seen.headers.contains(&("X-Mine".into(), "yes".into())));
    assert_eq!(
        seen.headers[0],
        ("Authorization".into(), "<redacted>".into())
    );
}

#[test]
fn x_seen_says_what_arrived_when_asked_to() {
    let standin = builder("first").echo_seen(true).start().unwrap();
    let golden = "{\"model\":\"jev-latest\",\"state\":{\"subject\":\"Charged twice\",\"note\":\"naïve é / \\\"quoted\\\" \\t tab\"},\
                  \"questions\":{\"q\":{\"type\":\"choice\",\"instructions\":\"Which team?\",\"criteria\":{\"zeta\":\"payments\",\
                  \"10\":\"errors\",\"2\":null,\"alpha\":\"é\"}}}}";
    assert_eq!(golden.len(), 229);
    let reply = Wire::to(&standin).ask(golden);
    let expected = "\"x_seen\":{\"keys\":[\"zeta\",\"10\",\"2\",\"alpha\"],\
                    \"sha256\":\"fbdf0b407eb9c1b3ddcb2cd75d7d2298db1cdacde382a1936305c50f9cd1e1b3\",\
                    \"headers\":[\"Host\",\"Content-Type\",\"Content-Length\"]}";
    assert!(reply.text().contains(expected), "{}", reply.text());
    let silent = serve("first");
    assert!(!Wire::to(&silent).ask(golden).text().contains("x_seen"));
}

#[test]
fn recording_can_be_left_out() {
    let standin = builder("first").record(false).start().unwrap();
    Wire::to(&standin).ask(&choice("s", &ABC));
    assert_eq!((standin.count(), standin.seen().len()), (1, 0));
}

#[test]
fn a_stopped_server_refuses_and_drops_open_connections() {
    let standin = builder("first").threads(2).start().unwrap();
    let mut wires: Vec<Wire> = (0..3).map(|_| Wire::to(&standin)).collect();
    for wire in &mut wires {
        assert_eq!(wire.ask(&choice("s", &ABC)).status, 200);
    }
    standin.stop();
    assert!(wires.iter_mut().all(|wire| wire.reply().is_none()));
    assert!(TcpStream::connect(address(&standin)).is_err());
    assert_eq!(standin.count(), 3);
}

#[test]
fn several_threads_share_the_work() {
    let standin = builder("first").threads(3).start().unwrap();
    let mut wires: Vec<Wire> = (0..9).map(|_| Wire::to(&standin)).collect();
    for wire in &mut wires {
        assert_eq!(wire.ask(&choice("s", &ABC)).choice(), "alpha");
    }
    assert_eq!(standin.count(), 9);
}

#[test]
fn what_is_not_http_is_refused() {
    let standin = serve("first");
    let mut wire = Wire::to(&standin);
    assert_eq!(wire.send(b"\x16\x03\x01 hello\r\n\r\n").status, 400);
    assert!(wire.reply().is_none());
    assert_eq!(standin.count(), 0);
}

#[test]
fn the_url_names_the_dialects_endpoint() {
    let url = |dialect| {
        let standin = Standin::builder().dialect(dialect).start().unwrap();
        standin.url().replace(&standin.origin(), "")
    };
    assert_eq!(url(Dialect::Typesafe), "/v1/systemone");
    assert_eq!(url(Dialect::Openrouter), "/api/alpha/decisions");
    assert_eq!(url(Dialect::Predict), "/predict");
}

#[test]
fn a_standin_can_be_shared_between_threads() {
    fn shareable<T: Send + Sync>() {}
    shareable::<Standin>();
}
