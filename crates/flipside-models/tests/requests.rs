//! Requests: the exact bytes out.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{case, golden, json, levels, noul};
use flipside_core::case::Case;
use flipside_core::digest::Digest;
use flipside_core::order::Order;
use flipside_core::present::Presentation;
use flipside_models::wire::systemone;

fn bytes(case: &Case, order: &Order, model: Option<&str>) -> String {
    String::from_utf8(systemone::request(&Presentation::new(case, order), model)).unwrap()
}

#[test]
fn the_golden_bytes_of_the_wire_page_come_out() {
    let case = golden();
    let baseline = r#"{"model":"jev-latest","state":{"subject":"Charged twice","note":"naïve é / \"quoted\" \t tab"},"questions":{"q":{"type":"choice","instructions":"Which team?","criteria":{"zeta":"payments","10":"errors","2":null,"alpha":"é"}}}}"#;
    assert_eq!(bytes(&case, &Order::own(4), Some("jev-latest")), baseline);
    for (order, digest) in [
        (
            Order::own(4),
            "fbdf0b407eb9c1b3ddcb2cd75d7d2298db1cdacde382a1936305c50f9cd1e1b3",
        ),
        (
            Order::reverse(4),
            "799cdbe2678be26ea197c8a095a672a46adb1d640bef6be1b074e8cc8f597e46",
        ),
        (
            Order::rotate(4, 1),
            "1e88a57cc998dd018abcf2a2ff0113abe1ca62d5400cdc10b7fdbd4dbe273e15",
        ),
    ] {
        let bytes = bytes(&case, &order, Some("jev-latest"));
        assert_eq!(bytes.len(), 229);
        assert_eq!(Digest::of(bytes.as_bytes()).to_string(), digest);
    }
}

#[test]
fn numbers_nested_objects_and_siblings_stay_as_they_were_read() {
    let mut case = case(
        "n",
        r#"{"price":1.10,"big":12345678901234567890123}"#,
        &[("b", r#"{"z":1,"10":[1e2],"2":null}"#), ("a", r#""x""#)],
    );
    case.question.before = vec![(
        "10".to_owned(),
        json(r#"{"type":"noul","instructions":"It is 1.10."}"#),
    )];
    case.question.after = vec![(
        "2".to_owned(),
        json(r#"{"type":"score","criteria":["lo","hi"]}"#),
    )];
    case.question.instructions = None;
    assert_eq!(
        bytes(&case, &Order::reverse(2), None),
        r#"{"state":{"price":1.10,"big":12345678901234567890123},"questions":{"10":{"type":"noul","instructions":"It is 1.10."},"q":{"type":"choice","criteria":{"a":"x","b":{"z":1,"10":[1e2],"2":null}}},"2":{"type":"score","criteria":["lo","hi"]}}}"#
    );
}

#[test]
fn score_levels_are_an_array_in_shown_order() {
    let bytes = bytes(&levels(), &Order::rotate(3, 1), None);
    assert!(
        bytes.ends_with(r#""criteria":["mid","high","low"]}}}"#),
        "{bytes}"
    );
}

#[test]
fn noul_sides_are_sent_as_given_in_shown_order_and_omitted_without_texts() {
    let sent = |texts, order: Order| bytes(&noul(texts), &order, None);
    let both = sent([Some("\"yes\""), Some("\"no\"")], Order::reverse(2));
    assert!(
        both.ends_with(r#""instructions":"Which team?","criteria":{"false":"no","true":"yes"}}}}"#),
        "{both}"
    );
    assert!(
        sent([None, Some("\"no\"")], Order::own(2)).ends_with(r#""criteria":{"false":"no"}}}}"#)
    );
    assert!(sent([None, None], Order::own(2)).ends_with(r#""instructions":"Which team?"}}}"#));
}
