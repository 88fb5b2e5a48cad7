//! Language models: specs, templates, letters, and the exact bytes of requests.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{case, environment, golden, json, levels, noul};
use flipside_core::case::{Case, CaseOption, Key, KeyBinding};
use flipside_core::json::Json;
use flipside_core::model::Model;
use flipside_core::order::Order;
use flipside_core::present::Presentation;
use flipside_models::catalog::{ModelSpec, Options, build};
use flipside_models::wire::language::{Read, Template};
use std::sync::Arc;

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

#[test]
fn a_spec_that_fits_nothing_says_what_is_possible() {
    for (spec, error) in [
        (
            "openai:",
            "expected a model name after `openai:`, such as `openai:MODEL@http://127.0.0.1:8000/v1`",
        ),
        (
            "openai",
            "expected a model name after `openai:`, such as `openai:MODEL@http://127.0.0.1:8000/v1`",
        ),
        (
            "openai:http://h",
            "expected a model name after `openai:`, such as `openai:MODEL@http://127.0.0.1:8000/v1`",
        ),
        (
            "llamacpp:h",
            "expected a URL with http:// or https://, such as `llamacpp:http://127.0.0.1:8080`",
        ),
        (
            "llamacpp:http://h?api=chat",
            "`llamacpp` has one API and no setting `api`; its OpenAI routes are `openai:MODEL@URL`",
        ),
        (
            "openai:m?api=responses",
            "expected `api=chat` or `api=completions`, found `responses`",
        ),
        (
            "openai:m?read=text",
            "`read=text` needs a server that echoes, over `openai:MODEL@URL?api=completions&read=text`; `api=chat` has `read=letter` or `read=plain`",
        ),
        (
            "ollama:m?read=text",
            "`read=text` needs a server that echoes, over `openai:MODEL@URL?api=completions&read=text`; `ollama` has `read=letter` or `read=plain`",
        ),
        (
            "openai:m?api=completions&read=json",
            "expected `read=letter` or `read=text` or `read=plain` for `api=completions`, found `json`",
        ),
        (
            "openai:m?read",
            "expected settings such as `?read=plain&template=FILE`, found `read`",
        ),
        ("openai:m?top=5&top=6", "the setting `top` is given twice"),
        (
            "openai:m?length=sum",
            "no setting `length` for `api=chat` and `read=letter`, expected one of `api` `read` `template` `temperature` `tokens` `top` `deeper` `reasoning` `thinking`",
        ),
        (
            "ollama:m?cache=yes",
            "no setting `cache` for `ollama` and `read=letter`, expected one of `read` `template` `temperature` `tokens` `top` `deeper` `thinking`",
        ),
        (
            "openai:m?read=plain&top=5",
            "no setting `top` for `api=chat` and `read=plain`, expected one of `api` `read` `template` `temperature` `tokens` `reasoning` `thinking`",
        ),
        (
            "openai:m?top=1",
            "`top` is `1`, expected a whole number from 2 to 1000",
        ),
        (
            "openai:m?deeper=x",
            "`deeper` is `x`, expected `no`, or a whole number from 2 to 10000",
        ),
        (
            "openai:m?tokens=0",
            "`tokens` is `0`, expected a whole number from 1 to 64",
        ),
        (
            "openai:m?read=plain&tokens=+5",
            "`tokens` is `+5`, expected a whole number from 1 to 4096",
        ),
        (
            "openai:m?api=completions&read=text&tokens=2",
            "`tokens` is `2`, expected `0` or `1`",
        ),
        (
            "openai:m?temperature=1",
            "`temperature` is `1`, expected `0`, or `none` to send no temperature",
        ),
        (
            "openai:m?reasoning=low",
            "`reasoning` is `low`, expected `none`",
        ),
        ("openai:m?thinking=on", "`thinking` is `on`, expected `off`"),
        (
            "llamacpp:http://h?cache=1",
            "`cache` is `1`, expected `yes` or `no`",
        ),
        (
            "openai:m?api=completions&read=text&length=max",
            "`length` is `max`, expected `sum` or `mean`",
        ),
    ] {
        assert_eq!(ModelSpec::parse(spec).unwrap_err().problem, error, "{spec}");
    }
    let secret = ModelSpec::parse("openai:m@http://me:hush@h/v1").unwrap_err();
    assert_eq!(
        secret.problem,
        "expected a URL without user name and password; a key comes from its environment variable"
    );
    assert!(!secret.to_string().contains("hush"), "{secret}");
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
fn a_base_is_completed_and_a_whole_endpoint_stays() {
    for (spec, endpoint) in [
        (
            "openai:m@http://h:8000/v1",
            "http://h:8000/v1/chat/completions",
        ),
        (
            "openai:m@http://h:8000",
            "http://h:8000/v1/chat/completions",
        ),
        (
            "openai:m@http://h/api/v1/?read=plain",
            "http://h/api/v1/chat/completions",
        ),
        (
            "openai:m@http://h/v1/chat/completions",
            "http://h/v1/chat/completions",
        ),
        (
            "openai:m@http://h/v1?api=completions",
            "http://h/v1/completions",
        ),
        (
            "openai:m@http://h/v1/completions?api=completions",
            "http://h/v1/completions",
        ),
        ("llamacpp:http://h:8080", "http://h:8080/completion"),
        ("llamacpp:http://h/completion", "http://h/completion"),
        ("ollama:m", "http://127.0.0.1:11434/api/chat"),
        ("ollama:m@http://h:1", "http://h:1/api/chat"),
    ] {
        assert_eq!(
            at(spec, &[]).unwrap(),
            (endpoint.to_owned(), None),
            "{spec}"
        );
    }
}

#[test]
fn the_endpoint_of_another_api_is_refused_with_the_way_to_ask_it() {
    const COMPLETIONS: &str = "`/v1/completions` is the endpoint of completions, which is asked as `openai:MODEL@URL?api=completions`; expected a base URL, or one that ends in `/chat/completions`";
    let spec = "openai:m@http://h/v1/completions";
    assert_eq!(
        at(spec, &[]).unwrap_err(),
        format!("`{spec}`: {COMPLETIONS}")
    );
    let variable = [
        ("OPENAI_BASE_URL", "http://h/v1/completions/"),
        ("OPENAI_API_KEY", "hush"),
    ];
    let error = at("openai:m", &variable).unwrap_err();
    assert!(
        error.contains("OPENAI_BASE_URL") && error.contains(COMPLETIONS),
        "{error}"
    );
    for (spec, path, route) in [
        (
            "llamacpp:http://h/v1/chat/completions",
            "/v1/chat/completions",
            "/completion",
        ),
        (
            "ollama:m@http://h/v1/completions",
            "/v1/completions",
            "/api/chat",
        ),
    ] {
        assert_eq!(
            at(spec, &[]).unwrap_err(),
            format!(
                "`{spec}`: `{path}` is an endpoint of OpenAI's API, which is asked as `openai:MODEL@URL`; expected a base URL, or one that ends in `{route}`"
            )
        );
    }
}

#[test]
fn a_key_goes_to_its_own_host_or_to_that_of_its_url_variable() {
    let openai = ("OPENAI_API_KEY", "hush-open");
    let other = ("LLM_API_KEY", "hush-other");
    let key = |spec: &str, values: &[(&str, &str)]| at(spec, values).unwrap().1;
    let own = Some("OPENAI_API_KEY".to_owned());
    let llm = Some("LLM_API_KEY".to_owned());
    assert_eq!(key("openai:m", &[openai, other]), own);
    assert_eq!(key("openai:m@https://api.openai.com/v1", &[openai]), own);
    assert_eq!(key("openai:m@https://h/v1", &[openai, other]), None);
    assert_eq!(
        key("openai:m", &[openai, ("OPENAI_BASE_URL", "https://h/v1")]),
        own
    );
    assert_eq!(
        key(
            "openai:m@https://h/v1",
            &[openai, ("OPENAI_BASE_URL", "https://h/v1")]
        ),
        own
    );
    assert_eq!(
        key(
            "openai:m@https://h:444/v1",
            &[openai, ("OPENAI_BASE_URL", "https://h/v1")]
        ),
        None
    );
    assert_eq!(
        key("openai:m", &[other, ("LLM_BASE_URL", "https://h/v1")]),
        llm
    );
    assert_eq!(
        key("openai:m", &[openai, ("LLM_BASE_URL", "https://h/v1")]),
        None
    );
    assert_eq!(
        key(
            "openai:m@https://h/v1",
            &[openai, other, ("LLM_BASE_URL", "https://h/v1")]
        ),
        llm
    );
    assert_eq!(
        key(
            "llamacpp:https://h",
            &[openai, other, ("OPENAI_BASE_URL", "https://h/v1")]
        ),
        None
    );
    for (spec, values, error) in [
        (
            "openai:m",
            &[][..],
            "`openai:m` needs `OPENAI_API_KEY`, which is not set",
        ),
        (
            "openai:m",
            &[openai, ("OPENAI_BASE_URL", "http://h/v1")],
            "`OPENAI_API_KEY` would go to `h` over http://, where others can read it",
        ),
        (
            "openai:m",
            &[("OPENAI_BASE_URL", "h")],
            "`OPENAI_BASE_URL`: expected a URL with http:// or https://",
        ),
        (
            "openai:m",
            &[("LLM_BASE_URL", "ftp://h")],
            "`LLM_BASE_URL`: expected a URL with http:// or https://",
        ),
    ] {
        assert_eq!(at(spec, values).unwrap_err(), error);
    }
}

#[test]
fn openai_itself_is_asked_for_what_it_lists_and_never_deeper() {
    let environment = environment(&[("OPENAI_API_KEY", "hush-open")]);
    for (spec, top, deeper) in [
        ("openai:m", "20", "no"),
        ("openai:m?api=completions", "5", "no"),
        ("openai:m?api=completions&top=4&deeper=30", "4", "30"),
        ("openai:m@http://127.0.0.1:1", "20", "100"),
        ("llamacpp:http://h", "40", "1000"),
        ("ollama:m", "20", "no"),
    ] {
        let model = build(
            &ModelSpec::parse(spec).unwrap(),
            &environment,
            &Options::default(),
        )
        .unwrap();
        let settings = model.card().protocol.clone().unwrap().settings;
        assert_eq!(
            (settings["top"].as_str(), settings["deeper"].as_str()),
            (top, deeper),
            "{spec}"
        );
    }
}

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
