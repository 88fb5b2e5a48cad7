//! Each fault, as it shows on the wire.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::{ABC, Reply, Wire, address, after, builder, choice};
use flipside_standin::{Fault, Standin, When};

const MIXED: &str = r#"{"model":"m","state":"s","questions":{
    "q":{"type":"choice","criteria":{"É":"x","b":"y","c":null}},
    "u":{"type":"score","criteria":["low","mid","high"]},
    "n":{"type":"noul"}}}"#;

fn faulty(fault: &str) -> Standin {
    builder("first")
        .fault(fault.parse::<Fault>().unwrap(), When::Always)
        .start()
        .unwrap()
}

fn reply(fault: &str, body: &str) -> Reply {
    Wire::to(&faulty(fault)).ask(body)
}

fn raw(fault: &str) -> Vec<u8> {
    let standin = faulty(fault);
    let mut wire = Wire::to(&standin);
    let request = wire.request(&choice("s", &ABC));
    std::io::Write::write_all(&mut wire.stream, request.as_bytes()).unwrap();
    wire.rest()
}

#[test]
fn every_status_can_be_sent_and_keeps_the_connection() {
    for status in [
        400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503, 504, 529,
    ] {
        let standin = faulty(&format!("status:{status}"));
        let mut wire = Wire::to(&standin);
        for _ in 0..2 {
            let reply = wire.ask(MIXED);
            assert_eq!(reply.status, status);
            assert_eq!(reply.header("content-type"), Some("application/json"));
            assert!(reply.text().contains("planned fault"), "{}", reply.text());
        }
        assert_eq!(standin.seen()[0].status, status);
    }
    let page = reply("status:502", MIXED);
    assert_eq!(
        (page.status, page.header("content-type")),
        (502, Some("text/html; charset=utf-8"))
    );
    assert!(page.text().starts_with("<html>"));
    let line = reply("text-error:503", MIXED);
    assert_eq!(
        (line.status, line.header("content-type"), line.text()),
        (
            503,
            Some("text/plain"),
            "upstream connect error or disconnect before headers"
        )
    );
}

#[test]
fn delays_are_asked_for_in_every_form() {
    for text in ["0", "1", "0.5"] {
        let reply = reply(&format!("retry-after:429:{text}"), MIXED);
        assert_eq!(
            (reply.status, reply.header("retry-after")),
            (429, Some(text))
        );
    }
    let date = reply("retry-after:503:date", MIXED);
    assert!(
        date.header("retry-after").unwrap().ends_with(" GMT"),
        "{}",
        date.head
    );
    assert_eq!(
        reply("retry-after:429:absurd", MIXED).header("retry-after"),
        Some("99999999999")
    );
    assert_eq!(
        reply("retry-after:429:ms=50", MIXED).header("retry-after-ms"),
        Some("50")
    );
    assert_eq!(
        reply("should-retry:500:false", MIXED).header("x-should-retry"),
        Some("false")
    );
}

#[test]
fn faults_happen_on_the_requests_that_they_name() {
    let standin = builder("first")
        .fault(Fault::Status(500), When::Nth(2))
        .fault(Fault::Status(503), When::Every(2))
        .fault(Fault::Status(429), When::From(7))
        .start()
        .unwrap();
    let mut wire = Wire::to(&standin);
    let statuses: Vec<u16> = (0..8).map(|_| wire.ask(MIXED).status).collect();
    assert_eq!(statuses, [200, 500, 200, 503, 200, 503, 429, 503]);
    let seen: Vec<u16> = standin.seen().iter().map(|seen| seen.status).collect();
    assert_eq!(statuses, seen);
}

#[test]
fn a_probability_of_faults_is_a_matter_of_the_seed() {
    let statuses = |seed: u64| {
        let standin = builder("first")
            .fault(Fault::Status(500), When::Probability { p: 0.3, seed })
            .start()
            .unwrap();
        let mut wire = Wire::to(&standin);
        (0..200).map(|_| wire.ask(MIXED).status).collect::<Vec<_>>()
    };
    let first = statuses(1);
    assert_eq!(first, statuses(1));
    let failed = first.iter().filter(|status| **status == 500).count();
    assert!((30..90).contains(&failed), "{failed}");
}

#[test]
fn replies_that_say_200_may_still_be_none() {
    let error = reply("error-200", MIXED);
    assert_eq!(error.status, 200);
    assert!(error.text().starts_with("{\"error\":{\"code\":429"));
    assert_eq!(reply("empty", MIXED).body, b"");
    assert_eq!(
        reply("html", MIXED).header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let redirect = reply("redirect:http://other.test/x", MIXED);
    assert_eq!(
        (redirect.status, redirect.header("location")),
        (307, Some("http://other.test/x"))
    );
}

#[test]
fn a_server_may_repeat_the_credentials() {
    let standin = faulty("echo-key");
    let mut wire = Wire::to(&standin);
    let reply = wire.send(
        b"POST /v1/systemone HTTP/1.1\r\nAuthorization: Bearer s3cret\r\nContent-Length: 0\r\n\r\n",
    );
    assert_eq!(reply.status, 401);
    assert!(reply.text().contains("Bearer s3cret"));
}

#[test]
fn a_refusing_server_is_gone_from_that_request_on() {
    let standin = builder("first")
        .fault(Fault::Refuse, When::Nth(3))
        .start()
        .unwrap();
    let mut wire = Wire::to(&standin);
    assert_eq!((wire.ask(MIXED).status, wire.ask(MIXED).status), (200, 200));
    assert_eq!(wire.rest(), b"");
    while TcpStream::connect(address(&standin)).is_ok() {
        std::thread::yield_now();
    }
    let never = faulty("refuse");
    assert!(TcpStream::connect(address(&never)).is_err());
}

#[test]
fn a_connection_may_be_closed_unread() {
    let standin = builder("first")
        .fault(Fault::AcceptAndClose, When::Nth(1))
        .start()
        .unwrap();
    assert!(Wire::to(&standin).reply().is_none());
    let mut wire = Wire::to(&standin);
    assert_eq!(wire.ask(MIXED).status, 200);
    assert_eq!((standin.count(), standin.seen().len()), (2, 1));
}

#[test]
fn a_kept_connection_may_be_closed_under_the_request() {
    let standin = builder("first")
        .fault(Fault::AcceptAndClose, When::Nth(2))
        .start()
        .unwrap();
    let mut wire = Wire::to(&standin);
    assert_eq!(wire.ask(MIXED).status, 200);
    let request = wire.request(MIXED);
    std::io::Write::write_all(&mut wire.stream, request.as_bytes()).unwrap();
    assert!(wire.reply().is_none());
    assert_eq!(standin.seen()[1].status, 0);
}

#[test]
fn replies_may_end_too_early() {
    let whole = raw("length-too-long");
    let body = String::from_utf8(whole.clone()).unwrap();
    let length: usize = after(&body, "content-length: ", "\r").parse().unwrap();
    let sent = body.split_once("\r\n\r\n").unwrap().1.len();
    assert_eq!(length, sent + 10);
    let short = String::from_utf8(raw("length-too-short")).unwrap();
    let length: usize = after(&short, "content-length: ", "\r").parse().unwrap();
    assert_eq!(length + 10, short.split_once("\r\n\r\n").unwrap().1.len());
    let half_head = raw("close-mid-header");
    assert!(
        half_head.starts_with(b"HTTP/1.1 200 OK\r\n")
            && !half_head.windows(4).any(|w| w == b"\r\n\r\n")
    );
    let half = String::from_utf8(raw("close-mid-body")).unwrap();
    let length: usize = after(&half, "content-length: ", "\r").parse().unwrap();
    assert_eq!(half.split_once("\r\n\r\n").unwrap().1.len(), length / 2);
}

#[test]
fn a_server_may_be_silent_or_late_or_slow() {
    let standin = faulty("never-answer");
    let mut wire = Wire::to(&standin);
    wire.stream
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let request = wire.request(MIXED);
    std::io::Write::write_all(&mut wire.stream, request.as_bytes()).unwrap();
    while standin.seen().is_empty() {
        std::thread::yield_now();
    }
    assert!(wire.reply().is_none());
    assert_eq!((standin.count(), standin.seen()[0].status), (1, 0));

    let start = Instant::now();
    assert_eq!(reply("late:60", MIXED).status, 200);
    assert!(start.elapsed() >= Duration::from_millis(60));

    let start = Instant::now();
    assert_eq!(Wire::to(&faulty("trickle:1")).ask(MIXED).status, 200);
    assert!(start.elapsed() >= Duration::from_millis(300));
}

#[test]
fn a_delay_comes_before_every_decision() {
    let standin = builder("first")
        .delay(Duration::from_millis(40))
        .start()
        .unwrap();
    let mut wire = Wire::to(&standin);
    let start = Instant::now();
    wire.ask(MIXED);
    wire.ask(MIXED);
    assert!(start.elapsed() >= Duration::from_millis(80));
}

#[test]
fn faults_are_for_decisions_only() {
    let standin = faulty("status:500");
    let reply = Wire::to(&standin).send(b"GET /v1/models HTTP/1.1\r\n\r\n");
    assert_eq!(reply.status, 200);
    assert_eq!((standin.count(), standin.seen().len()), (0, 1));
}
