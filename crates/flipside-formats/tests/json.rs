//! The strict parser: what it takes, what it refuses, and in which words.

use flipside_formats::json::{MOST_DEPTH, ParseErrorKind, parse, parse_bytes};

fn error(text: &str) -> String {
    parse(text).expect_err("the text is bad").to_string()
}

#[test]
fn order_and_number_text_are_kept() {
    let text = r#"{"zeta":1.10,"10":1e999,"2":-0,"alpha":[true,false,null,"é\"\\ \t"],"n":{"b":12345678901234567890123,"a":{}}}"#;
    assert_eq!(parse(text).unwrap().to_text(), text);
}

#[test]
fn a_byte_order_mark_and_white_space_are_skipped() {
    assert_eq!(
        parse("\u{feff} \r\n\t[ 1 , {} , [] ] \n")
            .unwrap()
            .to_text(),
        "[1,{},[]]"
    );
}

#[test]
fn escapes_are_decoded() {
    let text = r#""\u0041\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#;
    assert_eq!(
        parse(text).unwrap().as_str(),
        Some("Aé😀/\u{8}\u{c}\n\r\t\"\\")
    );
}

#[test]
fn every_error_says_where_and_what() {
    let cases = [
        "",
        " \n ",
        "{",
        "[1,",
        "[1 2]",
        "{\"a\" 1}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "1 2",
        "{} x",
        "tru",
        "truely",
        "None",
        "NaN",
        "-Infinity",
        "[Infinity]",
        "01",
        "1.",
        "+1",
        ".5",
        "-",
        "1e",
        "0x1",
        "2024-01-02",
        "\"a",
        "\"a\\",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\\udc00\"",
        "\"a\nb\"",
        "{\"a\":1,\"\\u0061\":2}",
        "{\n\"a\":1,\n \"b\":{\"x\":1,\"x\":2}}",
        "[\n{\"é\":1,\"é\":2}]",
        "{\"a\":\n1,\"a\":2}",
        "\u{202e}",
        "\"\u{1}\"",
    ];
    let lines: Vec<String> = cases
        .iter()
        .map(|text| format!("{text:?}: {}", error(text)))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_repeated_key_is_found_at_any_depth_with_both_spans() {
    let text = r#"{"questions":{"q":{"criteria":{"pay":1,"human":2,"p\u0061y" :3}}}}"#;
    let error = parse(text).unwrap_err();
    assert_eq!(
        error.kind,
        ParseErrorKind::Duplicate {
            key: "pay".to_owned()
        }
    );
    assert_eq!(error.within, ["questions", "q", "criteria"]);
    let second = error.second.as_deref().unwrap();
    assert_eq!(&text[error.offset..error.offset + error.length], r#""pay""#);
    assert_eq!(
        &text[second.offset..second.offset + second.length],
        r#""p\u0061y""#
    );
    assert_eq!(
        error.to_string(),
        "key `pay` is given twice, at columns 32 and 50"
    );
}

#[test]
fn repeated_keys_at_every_depth_take_no_exponential_time() {
    let text = "{\"a\":1,\"a\":".repeat(MOST_DEPTH) + "1" + &"}".repeat(MOST_DEPTH);
    assert!(matches!(
        parse(&text).unwrap_err().kind,
        ParseErrorKind::Duplicate { .. }
    ));
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nested(MOST_DEPTH)).is_ok());
    assert_eq!(
        error(&nested(MOST_DEPTH + 1)),
        "column 129: arrays and objects are nested more than 128 deep"
    );
}

#[test]
fn bytes_that_are_no_text_are_named_with_their_place() {
    let error = parse_bytes(b"{\"a\":1,\n\"\xc3\xa9\xff\":1}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 3: byte 0xFF is not UTF-8"
    );
    assert_eq!(error.offset, 11);
}
