//! Templates: recorded, made again, and refused with their line.

use flipside_core::order::Order;
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_models::wire::language::{Read, Template};

use super::{model, two, words};
use crate::common::{case, environment};

#[test]
fn a_template_file_is_used_recorded_and_made_again_from_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.txt");
    let text = "[user]\nState {{state}}; {{ instructions }}\n{{options}}\nPick:\n[option]\n({{letter}}) {{text}}/{{key}}\n\n";
    std::fs::write(&file, text).unwrap();
    let spec = format!("openai:m?template={}", file.display());
    let model = model(&spec);
    let two = two();
    let order = Order::own(2);
    let shown = Presentation::new(&two, &order);
    let bytes = String::from_utf8(model.request(&shown).unwrap()).unwrap();
    assert!(
        bytes.ends_with(r#""messages":[{"role":"user","content":"State charged twice; Which team?\n(A) payments/billing\n(B) /human\nPick:"}]}"#),
        "{bytes}"
    );
    let wire = model.card().protocol.clone().unwrap();
    assert_eq!(wire.settings["template"], text);
    // printf '[user]\nState {{state}}; ..' | sha256sum
    assert_eq!(wire.settings["template-sha256"], DIGEST);
    let again = flipside_models::wire::open(&wire).unwrap();
    assert_eq!(again.wire(), wire);
    assert_eq!(
        again.request(&shown, Some("m")).unwrap(),
        bytes.into_bytes()
    );
    for (name, value) in [
        ("template", "[user]\n{{options}}\n"),
        ("top", "x"),
        ("read", "text"),
        ("new", "1"),
    ] {
        let mut other = wire.clone();
        other.settings.insert(name.to_owned(), value.to_owned());
        assert!(flipside_models::wire::open(&other).is_none(), "{name}");
    }
}

const DIGEST: &str = "e15e55a3d45741792235ba65c96145814c547edfd586f0884b6dcedf2aa5dbcc";

#[test]
fn every_protocol_is_made_again_from_its_own_record() {
    for spec in [
        "openai:m",
        "openai:m?read=plain&temperature=none&reasoning=none&thinking=off&tokens=64",
        "openai:m?api=completions&top=7&deeper=no",
        "openai:m?api=completions&read=text&length=mean&tokens=1",
        "llamacpp:http://h?cache=yes&tokens=3",
        "ollama:m?thinking=off&deeper=30",
    ] {
        let wire = model(spec).card().protocol.clone().unwrap();
        assert_eq!(
            flipside_models::wire::open(&wire).unwrap().wire(),
            wire,
            "{spec}"
        );
    }
}

#[test]
fn a_template_that_is_none_is_refused_with_its_line() {
    for (read, text, error) in [
        (
            Read::Letter,
            "hello",
            "line 1: `hello` stands before any part, expected `[system]` or `[user]` alone on a line",
        ),
        (
            Read::Letter,
            "\n[system]\nx\n",
            "line 3: there is no part `[user]`",
        ),
        (
            Read::Letter,
            "[user]\n{{options}}\n[user]\n",
            "line 3: the part `[user]` stands twice",
        ),
        (
            Read::Letter,
            "[system]\nx\n[user]\n{{state}}\n",
            "line 3: `[user]` has no `{{options}}`, so that no option would be shown",
        ),
        (
            Read::Plain,
            "[user]\n{{state}}\n",
            "line 1: `[user]` has no `{{options}}`, so that no option would be shown",
        ),
        (
            Read::Letter,
            "[user]\n{{options}}\n{{stat}}\n",
            "line 3: `[user]` knows no `{{stat}}`, expected one of `{{state}}` `{{instructions}}` `{{options}}`",
        ),
        (
            Read::Letter,
            "[user]\n{{options}}\n{{state\n",
            "line 3: `{{` without `}}`",
        ),
        (
            Read::Letter,
            "[user]\n{{options}}\n[option]\n{{state}}\n",
            "line 4: `[option]` knows no `{{state}}`, expected one of `{{letter}}` `{{key}}` `{{text}}` `{{option}}`",
        ),
        (
            Read::Letter,
            "[user]\n{{options}}\n[option]\n{{text}}\n",
            "line 3: `[option]` has no `{{letter}}`, by which the answer is read",
        ),
        (
            Read::Letter,
            "[user]\n{{options}}\n[answer]\n{{text}}\n",
            "line 3: `[answer]` belongs to `read=text` alone",
        ),
        (
            Read::Text,
            "[user]\nx:\n[answer]\nsame\n",
            "line 3: `[answer]` has none of `{{key}}`, `{{text}}` and `{{option}}`, so that all answers would be one",
        ),
        (
            Read::Text,
            "[user]\n{{options}}\n[option]\n{{letter}}\n",
            "line 4: `[option]` knows no `{{letter}}`, expected one of `{{key}}` `{{text}}` `{{option}}`",
        ),
    ] {
        assert_eq!(Template::parse(text, read).unwrap_err().to_string(), error);
    }
    // Texts can be scored without listing them.
    assert!(Template::parse("[user]\n{{state}}\nAnswer:\n", Read::Text).is_ok());
    let spec = ModelSpec::parse("openai:m@http://127.0.0.1:1?template=no-such-file.txt").unwrap();
    let error = build(&spec, &environment(&[]), &Options::default())
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("no-such-file.txt"), "{error}");
}

#[test]
fn what_is_put_into_a_template_is_not_looked_at_again() {
    let odd = case(
        "c",
        r#""{{options}} [user]""#,
        &[("x", r#""{{state}}""#), ("y", "null")],
    );
    let words = words("openai:m?api=completions", &odd, &Order::own(2));
    assert!(
        words.contains("{{options}} [user]\n\n") && words.contains("A) x: {{state}}"),
        "{words}"
    );
}

#[test]
fn scored_texts_begin_where_a_token_can_begin() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.txt");
    std::fs::write(&file, "[user]\n{{state}}\nAnswer: \n").unwrap();
    let spec = format!(
        "openai:m?api=completions&read=text&template={}",
        file.display()
    );
    let two = two();
    let order = Order::own(2);
    assert_eq!(
        model(&spec)
            .request(&Presentation::new(&two, &order))
            .unwrap_err()
            .to_string(),
        "the words before the options end in a blank, so that tokens would not begin where options begin; end the template in a character such as `:`"
    );
}
