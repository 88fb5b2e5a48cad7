//! Requests: the exact bytes out.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{case, golden, json, levels, noul};
use flipside_core::case::{Case, KeyBinding};
use flipside_core::digest::Digest;
use flipside_core::model::Wire;
use flipside_core::order::{OptionId, Order};
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

fn asked(wire: &str, settings: &[(&str, &str)], case: &Case, order: &Order) -> String {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let wire = Wire {
        name: wire.to_owned(),
        settings: settings.iter().map(owned).collect(),
    };
    let protocol = flipside_models::wire::open(&wire).unwrap();
    let shown = Presentation::new(case, order);
    String::from_utf8(protocol.request(&shown, Some("m")).unwrap()).unwrap()
}

#[test]
fn option_order_carries_the_order_and_the_object_keeps_its_own() {
    let case = golden();
    let laya = |order: &Order| asked("laya", &[("order", "option_order")], &case, order);
    let criteria = r#""criteria":{"zeta":"payments","10":"errors","2":null,"alpha":"é"}"#;
    for (order, indices) in [
        (Order::own(4), "[0,1,2,3]"),
        (Order::reverse(4), "[3,2,1,0]"),
        (Order::rotate(4, 1), "[1,2,3,0]"),
    ] {
        let text = laya(&order);
        assert!(
            text.ends_with(&format!("{criteria},\"option_order\":{indices}}}}}}}")),
            "{text}"
        );
    }
    // Without an option the indices are those of what is left: alpha, zeta, 10 of zeta, 10, alpha.
    let left = Order::listing(&[OptionId(3), OptionId(0), OptionId(1)]);
    let text = laya(&left);
    assert!(
        text.contains(r#"{"zeta":"payments","10":"errors","alpha":"é"},"option_order":[2,0,1]"#),
        "{text}"
    );
    // Letters that stay with the place: the model must see them ascending, whatever stands under them.
    let mut lettered = golden();
    lettered.keys = KeyBinding::Place;
    let text = asked(
        "laya",
        &[("order", "option_order")],
        &lettered,
        &Order::reverse(4),
    );
    let places =
        r#"{"alpha":"payments","2":"errors","10":null,"zeta":"é"},"option_order":[3,2,1,0]"#;
    assert!(text.contains(places), "{text}");
    let plain = asked("laya", &[], &case, &Order::reverse(4));
    assert_eq!(plain, bytes(&case, &Order::reverse(4), Some("m")));
}

#[test]
fn a_pinned_route_stands_behind_the_questions_and_clef_names_no_model() {
    let (case, order) = (golden(), Order::own(4));
    let plain = asked("openrouter-decisions", &[], &case, &order);
    assert_eq!(plain, bytes(&case, &order, Some("m")));
    let pinned = asked(
        "openrouter-decisions",
        &[("providers", "TypeSafe,a \"b\"")],
        &case,
        &order,
    );
    let route = r#","provider":{"order":["TypeSafe","a \"b\""],"allow_fallbacks":false}}"#;
    assert_eq!(pinned, plain[..plain.len() - 1].to_owned() + route);
    assert_eq!(
        asked("clef", &[], &case, &order),
        bytes(&case, &order, None)
    );
    for (wire, setting) in [
        ("laya", "more"),
        ("openrouter-decisions", "more"),
        ("clef", "more"),
    ] {
        let wire = Wire {
            name: wire.to_owned(),
            settings: [(setting.to_owned(), "x".to_owned())].into(),
        };
        assert!(flipside_models::wire::open(&wire).is_none(), "{wire:?}");
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
