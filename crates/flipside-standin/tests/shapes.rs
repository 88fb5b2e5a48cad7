//! Faults in the shape of a reply, as they show on the wire.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use std::io::Read;

use common::{ABC, Reply, Wire, after, builder, choice, serve};
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

/// The choice question's probabilities as text, under a fault.
fn shares(fault: &str) -> String {
    after(
        reply(fault, &choice("s", &ABC)).text(),
        "\"probabilities\":{",
        "}",
    )
    .to_owned()
}

#[test]
fn bodies_may_be_wrapped_in_other_bytes() {
    let plain = Wire::to(&serve("first")).ask(MIXED);
    let chunked = reply("chunked", MIXED);
    assert_eq!(chunked.header("content-length"), None);
    assert!(chunked.text().starts_with("40\r\n{\"model\":"));
    let zipped = reply("gzip", MIXED);
    assert_eq!(zipped.header("content-encoding"), Some("gzip"));
    let mut unzipped = Vec::new();
    flate2::read::GzDecoder::new(zipped.body.as_slice())
        .read_to_end(&mut unzipped)
        .unwrap();
    assert_eq!(unzipped, plain.body);
    assert_eq!(
        reply("bom", MIXED).body,
        [b"\xef\xbb\xbf".as_slice(), &plain.body].concat()
    );
    assert_eq!(
        reply("prefix", MIXED).body,
        [b"OK: ".as_slice(), &plain.body].concat()
    );
    assert_eq!(
        reply("trailing", MIXED).body,
        [&plain.body, b" {\"and\":\"more\"}".as_slice()].concat()
    );
    let huge = reply("huge", MIXED);
    assert_eq!(huge.body.len(), 9 * 1024 * 1024);
    assert_eq!(huge.text().trim_end(), plain.text());
}

#[test]
fn probabilities_go_wrong_in_every_listed_way() {
    let plain = "\"alpha\":0.9,\"beta\":0.05,\"gamma\":0.05";
    assert_eq!(shares("duplicate-key"), format!("{plain},\"alpha\":0.9"));
    assert_eq!(shares("missing-option"), "\"alpha\":0.9,\"beta\":0.05");
    assert_eq!(shares("extra-option"), format!("{plain},\"x_extra\":0"));
    assert_eq!(
        shares("reversed-keys"),
        "\"gamma\":0.05,\"beta\":0.05,\"alpha\":0.9"
    );
    assert_eq!(
        shares("rounded:1"),
        "\"alpha\":0.9,\"beta\":0.1,\"gamma\":0.1"
    );
    assert_eq!(shares("nan"), plain.replace("0.9", "NaN"));
    assert_eq!(shares("infinite"), plain.replace("0.9", "1e400"));
    assert_eq!(
        shares("minus-zero"),
        "\"alpha\":0.9,\"beta\":-0.0,\"gamma\":0.05"
    );
    assert_eq!(
        shares("text-numbers"),
        "\"alpha\":\"0.9\",\"beta\":\"0.05\",\"gamma\":\"0.05\""
    );
    for sum in [0.97, 1.03, 0.9, 1.2] {
        let reply = reply(&format!("sum:{sum}"), &choice("s", &ABC));
        let found: f64 = ["alpha", "beta", "gamma"]
            .iter()
            .map(|key| reply.share(key))
            .sum();
        assert!((found - sum).abs() < 1e-9, "{found}");
    }
    let absent = reply("no-probabilities", &choice("s", &ABC));
    assert!(!absent.text().contains("probabilities") && absent.text().contains("confidence"));
    let pick = reply("pick-only", MIXED);
    assert!(
        pick.text()
            .contains("{\"type\":\"choice\",\"choice\":\"É\"}"),
        "{}",
        pick.text()
    );
    assert!(!pick.text().contains("legend"));
}

#[test]
fn answers_go_wrong_in_every_listed_way() {
    let text = |fault: &str| reply(fault, MIXED).text().to_owned();
    assert!(text("unknown-type").contains("\"q\":{\"type\":\"oracle\"}"));
    assert!(text("unsupported").contains("\"u\":{\"type\":\"unsupported\"}"));
    assert!(text("refusal").contains("\"n\":{\"type\":\"refusal\"}"));
    assert!(text("model-changes").contains("\"model\":\"jev-1.14.0-changed\""));
    assert!(
        !text("provider-changes").contains("provider"),
        "this dialect names none"
    );
    assert!(!text("no-usage").contains("usage"));
    assert!(text("nfd-keys").contains("\"choice\":\"E\u{301}\""));
    assert!(text("lower-keys").contains("{\"é\":0.9"));
    assert!(
        text("legend-from-one").contains("\"legend\":{\"1\":\"low\",\"2\":\"mid\",\"3\":\"high\"}")
    );
    assert!(text("second-best").contains("\"choice\":\"b\""));
    assert!(text("not-offered").contains("\"choice\":\"x_not_offered\""));
    assert!(text("nobody-asked").contains("\"x_nobody\":{\"type\":"));
    assert!(!text("missing-answer").contains("\"n\":"));
    assert!(text("float-tokens").contains("\"input_tokens\":118.5"));
    assert!(text("negative-usage").contains("\"input_tokens\":-1"));
    assert!(text("confidence:1.5").contains("\"confidence\":1.5"));
    assert!(text("nan-extra").contains("\"x_debug\":NaN"));
}

#[test]
fn several_faults_meet_in_one_reply() {
    let standin = builder("first")
        .fault(Fault::ReversedProbabilities, When::Always)
        .fault(Fault::NoUsage, When::Always)
        .fault(Fault::Chunked, When::Always)
        .start()
        .unwrap();
    let reply = Wire::to(&standin).ask(&choice("s", &["a", "b"]));
    assert_eq!(reply.header("transfer-encoding"), Some("chunked"));
    assert!(!reply.text().contains("usage"));
}
