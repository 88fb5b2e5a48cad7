//! Specs, addresses and keys of language models.

use flipside_models::catalog::{ModelSpec, Options, build};

use super::at;
use crate::common::environment;

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
