//! Order, duplicates and number text survive.

use proptest::prelude::*;

use super::{Json, Reader, write_text};

fn keys(text: &str) -> Vec<String> {
    let Json::Object(members) = Reader::document(text).unwrap().json else {
        panic!("not an object");
    };
    members.into_iter().map(|m| m.key.into_owned()).collect()
}

#[test]
fn keys_stay_in_the_order_received_and_duplicates_stay_visible() {
    let text = r#"{"zeta":1,"10":2,"2":3,"alpha":4,"10":5}"#;
    assert_eq!(keys(text), ["zeta", "10", "2", "alpha", "10"]);
}

#[test]
fn numbers_keep_their_text() {
    for text in ["1.10", "-0", "1e400", "12345678901234567890123", "0.5E-3"] {
        assert_eq!(Reader::document(text).unwrap().json, Json::Number(text));
    }
}

#[test]
fn an_escaped_key_reads_as_its_plain_twin() {
    assert_eq!(keys(r#"{"\u0041b":1,"\ud83d\ude00\n":2}"#), ["Ab", "😀\n"]);
}

#[test]
fn a_value_keeps_the_text_it_was_read_from() {
    let node = Reader::document(r#" {"a": [1, {"b":null}] } "#).unwrap();
    let Json::Object(members) = node.json else {
        panic!("not an object");
    };
    assert_eq!(members[0].node.raw, r#"[1, {"b":null}]"#);
}

#[test]
fn a_lone_surrogate_is_noticed() {
    let mut reader = Reader::new(r#""\ud800""#);
    assert_eq!(reader.node().unwrap().json, Json::Text("\u{fffd}".into()));
    assert!(reader.lone_surrogate);
}

#[test]
fn broken_texts_are_refused() {
    for text in [
        "",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "01",
        "1.",
        "+1",
        "nul",
        "\"\u{1}\"",
        "\"\\x\"",
        "1 2",
        "{\"a\" 1}",
        "NaN",
        "\"\\u12g4\"",
        "\"\\u+123\"",
        "\"abc",
        "\"\\",
    ] {
        assert!(Reader::document(text).is_err(), "{text}");
    }
    assert!(Reader::document(&"[".repeat(200)).is_err());
}

#[test]
fn written_text_reads_back() {
    let text = "é \" \\ \u{1} \n\t\u{7f} \u{1F600}";
    let mut out = Vec::new();
    write_text(&mut out, text);
    let out = String::from_utf8(out).unwrap();
    assert_eq!(
        Reader::document(&out).unwrap().json,
        Json::Text(text.into())
    );
}

proptest! {
    #[test]
    fn any_keys_read_back_as_they_were_written(keys in prop::collection::vec(".{0,6}", 0..8)) {
        let mut out = b"{".to_vec();
        for (at, key) in keys.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b", " } else { b"" });
            write_text(&mut out, key);
            out.extend_from_slice(b" :1");
        }
        out.push(b'}');
        let text = String::from_utf8(out).unwrap();
        let Json::Object(members) = Reader::document(&text).unwrap().json else {
            panic!("not an object");
        };
        let read: Vec<&str> = members.iter().map(|member| member.key.as_ref()).collect();
        prop_assert_eq!(read, keys);
    }

    #[test]
    fn no_text_makes_the_tokenizer_panic(text in "[\\[\\]{}\",:\\\\u0-9a-fEnulrs. -]{0,40}") {
        let _ = Reader::document(&text);
    }
}
