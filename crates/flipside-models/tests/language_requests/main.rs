//! Language models: specs, templates, letters, and the exact bytes of requests.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

#[path = "../common/mod.rs"]
mod common;
mod specs;
mod templates;

use std::sync::Arc;

use flipside_core::case::{Case, CaseOption, Key, KeyBinding};
use flipside_core::json::Json;
use flipside_core::model::Model;
use flipside_core::order::Order;
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};

use common::{case, environment, golden, json, levels, noul};

/// The model of `spec`, at a loopback server unless the spec names another.
fn model(spec: &str) -> Arc<dyn Model> {
    let environment = environment(&[("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")]);
    build(
        &ModelSpec::parse(spec).unwrap(),
        &environment,
        &Options::default(),
    )
    .unwrap()
}

fn asked(spec: &str, case: &Case, order: &Order) -> String {
    let bytes = model(spec)
        .request(&Presentation::new(case, order))
        .unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The words that a completion is asked in.
fn words(spec: &str, case: &Case, order: &Order) -> String {
    let body = json(&asked(spec, case, order));
    let prompt = body.as_object().unwrap().get("prompt").unwrap();
    match prompt {
        Json::Array(all) => all[0].as_str().unwrap().to_owned(),
        prompt => prompt.as_str().unwrap().to_owned(),
    }
}

fn two() -> Case {
    case(
        "c",
        r#""charged twice""#,
        &[("billing", r#""payments""#), ("human", "null")],
    )
}

const USER: &str = r"charged twice\n\nWhich team?\nA) billing: payments\nB) human\nLetter:";

const SYSTEM: &str = "You choose exactly one option. Answer with its letter alone.";

#[test]
fn every_api_has_its_golden_bytes() {
    let own = Order::own(2);
    let messages = format!(
        r#"[{{"role":"system","content":"{SYSTEM}"}},{{"role":"user","content":"{USER}"}}]"#
    );
    for (spec, bytes) in [
        (
            "openai:m",
            format!(
                r#"{{"model":"m","temperature":0,"max_completion_tokens":1,"logprobs":true,"top_logprobs":20,"messages":{messages}}}"#
            ),
        ),
        (
            "openai:m?read=plain&temperature=none&reasoning=none&thinking=off",
            format!(
                r#"{{"model":"m","max_completion_tokens":32,"reasoning_effort":"none","chat_template_kwargs":{{"enable_thinking":false}},"messages":{messages}}}"#
            ),
        ),
        (
            "openai:m?api=completions",
            format!(
                r#"{{"model":"m","temperature":0,"max_tokens":1,"logprobs":20,"prompt":"{SYSTEM}\n\n{USER}"}}"#
            ),
        ),
        (
            "openai:m?api=completions&read=text",
            r#"{"model":"m","temperature":0,"max_tokens":0,"logprobs":1,"echo":true,"prompt":["charged twice\n\nWhich team?\n- billing: payments\n- human\nAnswer: billing: payments","charged twice\n\nWhich team?\n- billing: payments\n- human\nAnswer: human"]}"#.to_owned(),
        ),
        (
            "llamacpp:http://127.0.0.1:8080",
            format!(
                r#"{{"n_predict":1,"n_probs":40,"temperature":0,"cache_prompt":false,"prompt":"{SYSTEM}\n\n{USER}"}}"#
            ),
        ),
        (
            "ollama:llama3:8b?thinking=off",
            format!(
                r#"{{"model":"llama3:8b","stream":false,"think":false,"logprobs":true,"top_logprobs":20,"options":{{"temperature":0,"num_predict":1}},"messages":{messages}}}"#
            ),
        ),
    ] {
        assert_eq!(asked(spec, &two(), &own), bytes, "{spec}");
    }
}

#[test]
fn settings_reach_the_request() {
    let own = Order::own(2);
    for (spec, part) in [
        ("openai:m?top=5", r#""top_logprobs":5"#),
        ("openai:m?tokens=4", r#""max_completion_tokens":4"#),
        (
            "openai:m?api=completions&read=text&tokens=1",
            r#""max_tokens":1"#,
        ),
        ("llamacpp:http://h/?cache=yes", r#""cache_prompt":true"#),
        (
            "ollama:m?temperature=none",
            r#""options":{"num_predict":1}"#,
        ),
    ] {
        let body = asked(spec, &two(), &own);
        assert!(body.contains(part), "{spec}: {body}");
    }
}

#[test]
fn every_request_keeps_the_order_of_the_options() {
    for spec in [
        "openai:m",
        "openai:m?api=completions",
        "llamacpp:http://h",
        "ollama:m",
    ] {
        let golden = golden();
        let body = asked(spec, &golden, &Order::reverse(4));
        let places: Vec<usize> = ["A) alpha: é", "B) 2", "C) 10: errors", "D) zeta: payments"]
            .iter()
            .map(|line| body.find(line).expect(&body))
            .collect();
        assert!(places.is_sorted(), "{spec}: {body}");
    }
}

#[test]
fn states_instructions_and_options_are_rendered_as_documented() {
    let spec = "openai:m?api=completions&read=text";
    let mut odd = case(
        "c",
        r#"{"subject":"Charged \"twice\"","tags":["a",1.10],"none":null}"#,
        &[("x", r#"{"min":1}"#), ("y", r#""""#)],
    );
    odd.question.instructions = Some(json(r#"{"ask":"x"}"#));
    odd.question.before = vec![("other".to_owned(), json(r#"{"type":"noul"}"#))];
    assert_eq!(
        words(spec, &odd, &Order::own(2)),
        "subject: Charged \"twice\"\ntags: [\"a\",1.10]\nnone: null\n\n{\"ask\":\"x\"}\n- x: {\"min\":1}\n- y\nAnswer: x: {\"min\":1}"
    );
    odd.question.instructions = None;
    odd.state = json(r#"["x",null]"#);
    assert_eq!(
        words(spec, &odd, &Order::own(2)),
        "[\"x\",null]\n\n- x: {\"min\":1}\n- y\nAnswer: x: {\"min\":1}",
        "a line that is one empty placeholder is left out"
    );
    let letters = "openai:m?api=completions";
    assert!(
        words(letters, &levels(), &Order::own(3)).ends_with("A) low\nB) mid\nC) high\nLetter:")
    );
    assert!(words(letters, &noul([None, None]), &Order::own(2)).contains("\nA) true"));
}

/// The option lines of a request, each from its letter on.
fn lines(case: &Case, order: &Order) -> Vec<String> {
    let words = words("openai:m?api=completions", case, order);
    words
        .lines()
        .filter(|line| line.as_bytes().get(1) == Some(&b')'))
        .map(str::to_owned)
        .collect()
}

fn renamed(case: &Case, keys: &[&str], binding: KeyBinding) -> Case {
    let mut case = case.clone();
    case.keys = binding;
    for (option, key) in case.options.iter_mut().zip(keys) {
        option.key = Key((*key).to_owned());
    }
    case
}

fn texts() -> Case {
    case(
        "c",
        r#""s""#,
        &[("x", r#""one""#), ("y", r#""two""#), ("z", r#""three""#)],
    )
}

#[test]
fn another_order_moves_no_letter_and_other_keys_move_no_option() {
    let named = texts();
    assert_eq!(
        lines(&named, &Order::own(3)),
        ["A) x: one", "B) y: two", "C) z: three"]
    );
    assert_eq!(
        lines(&named, &Order::reverse(3)),
        ["A) z: three", "B) y: two", "C) x: one"]
    );
    for binding in [KeyBinding::Place, KeyBinding::Option] {
        let own = renamed(&named, &["A", "B", "C"], binding);
        assert_eq!(
            lines(&own, &Order::own(3)),
            ["A) one", "B) two", "C) three"]
        );
        assert_eq!(
            lines(&own, &Order::reverse(3)),
            ["A) three", "B) two", "C) one"]
        );
        let permuted = renamed(&named, &["C", "A", "B"], binding);
        assert_eq!(
            lines(&permuted, &Order::own(3)),
            ["C) one", "A) two", "B) three"]
        );
        assert_eq!(
            lines(&permuted, &Order::reverse(3)),
            ["C) three", "A) two", "B) one"]
        );
    }
    // Other alphabets are letters where they stay in their places, and names where they belong to options.
    let other = renamed(&named, &["p", "q", "r"], KeyBinding::Place);
    assert_eq!(
        lines(&other, &Order::reverse(3)),
        ["p) three", "q) two", "r) one"]
    );
    let names = renamed(&named, &["n", "y", "q"], KeyBinding::Option);
    assert_eq!(
        lines(&names, &Order::reverse(3)),
        ["A) q: three", "B) y: two", "C) n: one"]
    );
    let folded = renamed(&named, &["a", "A", "b"], KeyBinding::Place);
    assert_eq!(
        lines(&folded, &Order::own(3))[0],
        "A) a: one",
        "not apart in one case"
    );
}

#[test]
fn more_options_than_letters_are_refused_with_a_way_out() {
    let many: Vec<(String, String)> = (0..27)
        .map(|n| (format!("k{n}"), format!("\"t{n}\"")))
        .collect();
    let options: Vec<(&str, &str)> = many.iter().map(|(k, t)| (k.as_str(), t.as_str())).collect();
    let many = case("c", r#""s""#, &options);
    let order = Order::own(27);
    let shown = Presentation::new(&many, &order);
    for spec in [
        "openai:m",
        "openai:m?read=plain",
        "llamacpp:http://h",
        "ollama:m",
    ] {
        assert_eq!(
            model(spec).request(&shown).unwrap_err().to_string(),
            "27 options are shown, letters reach 26; `read=text` on a server of `openai:` has no such limit"
        );
    }
    assert!(
        model("openai:m?api=completions&read=text")
            .request(&shown)
            .is_ok()
    );
}

/// Endpoint and key variable of `spec`.
fn at(spec: &str, values: &[(&str, &str)]) -> Result<(String, Option<String>), String> {
    let environment = environment(values);
    let model = build(
        &ModelSpec::parse(spec).unwrap(),
        &environment,
        &Options::default(),
    );
    let model = model.map_err(|error| error.to_string())?;
    Ok((
        model.card().endpoint.clone().unwrap(),
        model.card().key_variable.clone(),
    ))
}

#[test]
fn an_option_that_is_left_out_takes_the_last_letter_with_it() {
    let mut four = texts();
    four.options.push(CaseOption {
        key: Key("w".to_owned()),
        text: Some(json(r#""four""#)),
    });
    let order = Order::listing(&[0, 2, 3].map(flipside_core::order::OptionId));
    assert_eq!(
        lines(&four, &order),
        ["A) x: one", "B) z: three", "C) w: four"]
    );
}
