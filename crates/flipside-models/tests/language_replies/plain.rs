//! Plain text, read strictly.

use flipside_core::answer::{Declined, ReadoutKind};
use flipside_core::order::{OptionId, Order};
use flipside_core::present::Presentation;
use flipside_models::wire::Protocol;
use flipside_models::wire::language::{Api, LanguageModel, Read, Settings, Template};

use super::{chat_of, plain, protocol, readout, reply, three};
use crate::common::case;

#[test]
fn plain_text_is_read_strictly() {
    for (content, id) in [
        ("B", 1),
        (" b\n", 1),
        ("B)", 1),
        ("B.", 1),
        ("technical", 1),
        ("errors", 1),
        ("technical: errors", 1),
        ("human", 2),
        (r#"{"answer":"B"}"#, 1),
        (
            "Here it is:\n```json\n{\"why\":\"x\",\"answer\": \"billing\"}\n```",
            0,
        ),
        ("<think>A? No, B.</think>\n\nB", 1),
    ] {
        let answer = plain(&three(), content);
        assert_eq!(
            (answer.choice, answer.declined),
            (Some(OptionId(id)), None),
            "{content}"
        );
        assert_eq!(
            (
                answer.probabilities,
                readout(&plain(&three(), content)).kind
            ),
            (None, ReadoutKind::Text)
        );
    }
    for content in [
        "D",
        "A or B",
        "The answer is B",
        "B) technical",
        "Technical",
        "(B)",
        "A B",
        "<think>B",
        r#"{"answer":"D"}"#,
        r#"{"answer":2}"#,
        r#"{"choice":"B"}"#,
        r#"{"answer":"A"} {"answer":"B"}"#,
        "\u{ff22}",
    ] {
        let answer = plain(&three(), content);
        assert_eq!(
            (answer.choice, answer.declined),
            (None, Some(Declined::Unreadable)),
            "{content}"
        );
        assert!(answer.is_unreadable());
    }
    assert_eq!(plain(&three(), "").declined, Some(Declined::Refusal));
}

#[test]
fn plain_text_that_fits_two_options_is_unreadable() {
    let same = case(
        "c",
        r#""s""#,
        &[("x", r#""one""#), ("y", r#""one""#), ("A", r#""two""#)],
    );
    assert!(plain(&same, "one").is_unreadable());
    assert!(
        plain(&same, "A").is_unreadable(),
        "the letter of one option and the key of another"
    );
    assert_eq!(plain(&same, "two").choice, Some(OptionId(2)));
}

#[test]
fn the_letters_that_are_shown_count_and_no_key_that_is_not() {
    // Shown as `A) green`, `B) blue`: no key is visible, and the letters stay where they are.
    for keys in [["A", "B", "C"], ["a", "b", "c"]] {
        let colours = [r#""red""#, r#""green""#, r#""blue""#];
        let lettered = case(
            "c",
            r#""s""#,
            &[
                (keys[0], colours[0]),
                (keys[1], colours[1]),
                (keys[2], colours[2]),
            ],
        );
        let order = Order::rotate(3, 1);
        let shown = Presentation::new(&lettered, &order);
        let ids = order.identities();
        for (content, place) in [("A", 0), ("b", 1), ("C)", 2)] {
            let body = chat_of(content);
            let answer = protocol(Api::Chat, Read::Plain)
                .read(&shown, &reply(&body))
                .unwrap();
            assert_eq!(answer.choice, Some(ids[place]), "{content}");
        }
        let colour = ["red", "green", "blue"][ids[1].index()];
        let line = chat_of(&format!("{}) {colour}", keys[1]));
        let answer = protocol(Api::Chat, Read::Plain)
            .read(&shown, &reply(&line))
            .unwrap();
        assert_eq!(answer.choice, Some(ids[1]));
    }
    // A template without keys: a key that is the letter of another option means the letter, another key its option.
    let template = Template::parse(
        "[user]\n{{options}}\n[option]\n{{letter}}. {{text}}\n",
        Read::Plain,
    )
    .unwrap();
    let model = LanguageModel::new(Settings::standard(Api::Chat, Read::Plain), template);
    let hidden = case(
        "c",
        r#""s""#,
        &[("x", r#""one""#), ("y", r#""two""#), ("A", r#""three""#)],
    );
    let order = Order::own(3);
    let shown = Presentation::new(&hidden, &order);
    for (content, id) in [("A", 0), ("x", 0), ("y", 1), ("C. three", 2)] {
        let answer = model.read(&shown, &reply(&chat_of(content))).unwrap();
        assert_eq!(answer.choice, Some(OptionId(id)), "{content}");
    }
    assert_eq!(
        plain(&three(), "B) technical: errors").choice,
        Some(OptionId(1))
    );
    assert!(plain(&three(), "C) technical: errors").is_unreadable());
}
