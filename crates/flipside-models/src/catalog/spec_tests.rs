//! What specs are read as, and what is said of those that are none.

use super::*;

fn kind_of(text: &str) -> Kind {
    ModelSpec::parse(text).unwrap().kind
}

fn problem(text: &str) -> String {
    let error = ModelSpec::parse(text).unwrap_err();
    error.help.map_or_else(
        || error.problem.clone(),
        |help| format!("{} / {help}", error.problem),
    )
}

#[test]
fn every_form_is_read() {
    assert_eq!(kind_of("slot:12"), Kind::Slot(12));
    assert_eq!(
        kind_of("prior:.35,.15,0,1"),
        Kind::Prior(vec![0.35, 0.15, 0.0, 1.0])
    );
    assert_eq!(kind_of("noisy:0"), Kind::Noisy(0.0));
    assert_eq!(kind_of("next-to:a:b"), Kind::NextTo("a:b".to_owned()));
    assert_eq!(kind_of("jev"), Kind::Jev(None));
    assert_eq!(
        kind_of("jev:~typesafe/x"),
        Kind::Jev(Some("~typesafe/x".to_owned()))
    );
    assert!(matches!(
        kind_of("systemone:http://[::1]:80/v1/systemone"),
        Kind::SystemOne(_)
    ));
    assert!(matches!(kind_of("exec:python3 'a b.py'"), Kind::Exec(_)));
    for entry in catalog() {
        let text = entry
            .form
            .replace("[:NAME]", "")
            .replace("MODEL[@URL]", "m@http://h/v1")
            .replace("[:URL]", "")
            .replace("URL", "http://h/")
            .replace(":K", ":1");
        let text = text.replace("P1,P2,..", "1,2").replace(":P", ":0.5");
        assert!(ModelSpec::parse(&text).is_ok(), "{text}");
    }
}

#[test]
fn every_bad_argument_is_named_with_the_expected_form() {
    for bad in [
        "slot",
        "slot:",
        "slot:0",
        "slot:x",
        "slot:01",
        "slot:+1",
        "slot:99999",
    ] {
        assert_eq!(
            problem(bad),
            "expected a position from 1, such as `slot:2`",
            "{bad}"
        );
    }
    for bad in [
        "prior",
        "prior:-1,2",
        "prior:inf,1",
        "prior:NaN",
        "prior:1,,2",
        "prior:1e400",
    ] {
        assert!(
            problem(bad).starts_with("expected one weight per option"),
            "{bad}"
        );
    }
    assert_eq!(problem("prior:0,0"), "expected at least one weight above 0");
    for bad in ["noisy", "noisy:1.5", "noisy:-0.1", "noisy:x", "noisy:nan"] {
        assert_eq!(
            problem(bad),
            "expected a probability from 0 to 1, such as `noisy:0.1`",
            "{bad}"
        );
    }
    for bad in [
        "systemone",
        "systemone:host/v1",
        "systemone:ftp://h/",
        "systemone:http://",
    ] {
        assert!(
            problem(bad).starts_with("expected a URL with http:// or https://"),
            "{bad}"
        );
    }
    for bad in ["exec", "exec:", "exec:  ", "exec:python3 'x"] {
        assert!(problem(bad).contains("exec:python3"), "{bad}");
    }
    assert_eq!(
        problem("first:1"),
        "expected `first` alone, it takes no argument"
    );
    for bad in ["next-to", "next-to:", "rule:", "replay", "jev:"] {
        assert!(problem(bad).starts_with("expected a"), "{bad}");
    }
}

#[test]
fn settings_after_a_question_mark_are_read_and_others_are_refused() {
    let laya = |text: &str| match kind_of(text) {
        Kind::LayaServed(laya) | Kind::LayaPredict(laya) => (
            laya.url.map(|url| url.to_string()),
            laya.option_order,
            laya.tournament,
        ),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(laya("laya-served"), (None, false, false));
    assert_eq!(laya("laya-served?order=option_order"), (None, true, false));
    assert_eq!(
        laya("laya-served:?order=keys&tournament=on"),
        (None, false, true)
    );
    assert_eq!(
        laya("laya-served:http://h:1/v1/systemone?order=option_order"),
        (Some("http://h:1/v1/systemone".to_owned()), true, false)
    );
    assert_eq!(
        laya("laya-predict:http://h:1?tournament=on"),
        (Some("http://h:1/".to_owned()), false, true)
    );
    let openrouter = |text: &str| match kind_of(text) {
        Kind::OpenRouter(asked) => (asked.model, asked.providers),
        other => panic!("{text}: {other:?}"),
    };
    let owned = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        openrouter("openrouter:~typesafe/jev-latest:free"),
        ("~typesafe/jev-latest:free".to_owned(), owned(&[]))
    );
    assert_eq!(
        openrouter("openrouter:a/b?provider=TypeSafe,google-vertex/us&provider=Open%20Inference"),
        (
            "a/b".to_owned(),
            owned(&["TypeSafe", "google-vertex/us", "Open Inference"])
        )
    );
    assert!(matches!(kind_of("clm"), Kind::Clm(None)));
    assert!(matches!(kind_of("clm:http://h/v1"), Kind::Clm(Some(_))));
    assert_eq!(
        kind_of("cloudflare:@cf/cloudflare/clef"),
        Kind::Cloudflare("@cf/cloudflare/clef".to_owned())
    );
    for (bad, expected) in [
        (
            "laya-served?order=random",
            "expected `?order=option_order` or `?order=keys`",
        ),
        (
            "laya-predict?tournament=1",
            "expected `?tournament=on` or `?tournament=off`",
        ),
        (
            "laya-served?max=1",
            "expected `?order=option_order` or `?tournament=on` after `laya-served`, found `max`",
        ),
        (
            "laya-served:http://h/v1?ordr=option_order",
            "expected `?order=option_order` or `?tournament=on` after `laya-served`, found `ordr`",
        ),
        (
            "jev?order=option_order",
            "expected `jev` or `jev:NAME`, which take no settings after `?`",
        ),
        (
            "jev:m?top=3",
            "expected `jev` or `jev:NAME`, which take no settings after `?`",
        ),
        (
            "openai-decisions:m?top=3",
            "expected `openai-decisions:MODEL[@URL]`, which takes no settings after `?`",
        ),
        (
            "laya-served:",
            "expected a URL with http:// or https:// after `laya-served:`, such as `laya-served:http://127.0.0.1:8000/v1/systemone`",
        ),
        (
            "clm:h/v1",
            "expected a URL with http:// or https:// after `clm:`, such as `clm:http://127.0.0.1:8000/v1/systemone`",
        ),
        (
            "cua-served",
            "expected a URL with http:// or https:// after `cua-served:`, such as `cua-served:http://127.0.0.1:8000/v1/systemone`",
        ),
        (
            "openrouter",
            "expected a model after `openrouter:`, such as `openrouter:typesafe/jev-1.14`",
        ),
        (
            "openrouter:?provider=a",
            "expected a model after `openrouter:`, such as `openrouter:typesafe/jev-1.14`",
        ),
        (
            "openrouter:a/b?route=x",
            "expected `?provider=NAME` or `?provider=NAME,NAME` after the model",
        ),
        (
            "openrouter:a/b?provider=",
            "expected names of providers, such as `?provider=TypeSafe`",
        ),
        (
            "openrouter:a/b?provider=x,,y",
            "expected names of providers, such as `?provider=TypeSafe`",
        ),
        (
            "openrouter:a/b?",
            "expected names of providers, such as `?provider=TypeSafe`",
        ),
        (
            "cloudflare:../x",
            "expected a model after `cloudflare:`, such as `cloudflare:clef` or `cloudflare:@cf/cloudflare/clef-flash`",
        ),
        ("first?x", "expected `first` alone, it takes no argument"),
    ] {
        assert_eq!(problem(bad), expected, "{bad}");
    }
    for with_password in [
        "cua-served:http://me:hush@h/",
        "laya-served:http://me:hush@h/?order=keys",
    ] {
        let error = ModelSpec::parse(with_password).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hush"), "{error}");
        assert!(
            error
                .problem
                .starts_with("expected a URL without user name"),
            "{error}"
        );
    }
}

#[test]
fn a_url_keeps_its_own_query_but_no_setting_of_another_model() {
    for name in [
        "systemone:",
        "clm:",
        "cua-served:",
        "agentjev-served:",
        "openai-decisions:m@",
    ] {
        assert!(
            ModelSpec::parse(&format!("{name}http://h/v1?api-version=1&key=x")).is_ok(),
            "{name}"
        );
        assert_eq!(
            problem(&format!("{name}http://h/v1?a=b&order=option_order")),
            "no setting `order` here, expected a URL without one of the settings of other models: `api` `cache` `deeper` `length` \
             `order` `provider` `read` `reasoning` `scores` `temperature` `template` `thinking` `tokens` `top` `tournament`",
            "{name}"
        );
    }
}

#[test]
fn a_server_of_a_language_model_is_never_taken_for_its_name() {
    for bad in [
        "openai:m@127.0.0.1:8000/v1",
        "openai:m@localhost",
        "openai:m@host:8000",
        "openai:m@/v1",
        "openai:m@",
        "openai:m@2024@http://h/v1",
        "openai:m@ftp://h/v1",
    ] {
        assert_eq!(
            problem(bad),
            "expected a URL with http:// or https://, such as `openai:MODEL@http://127.0.0.1:8000/v1`",
            "{bad}"
        );
    }
    assert_eq!(
        problem("ollama:m@10.0.0.5:11434"),
        "expected a URL with http:// or https://, such as `ollama:MODEL@http://127.0.0.1:11434`"
    );
    for bad in [
        "openai:127.0.0.1:8000/v1",
        "openai:localhost:8000",
        "openai:[::1]:8000",
        "openai:http://h/v1",
    ] {
        assert_eq!(
            problem(bad),
            "expected a model name after `openai:`, such as `openai:MODEL@http://127.0.0.1:8000/v1`",
            "{bad}"
        );
    }
    for good in [
        "openai:org/m:free",
        "ollama:llama3:8b",
        "openai:m@https://h/v1",
        "ollama:m:8b@http://h",
    ] {
        assert!(ModelSpec::parse(good).is_ok(), "{good}");
    }
}

#[test]
fn an_unknown_name_lists_the_known_ones_and_the_nearest() {
    assert!(problem("frist").ends_with("/ did you mean `first`?"));
    assert!(problem("slto:2").ends_with("/ did you mean `slot:K`?"));
    let far = problem("decision-router");
    assert!(
        far.starts_with("no such model, expected one of tiny-laya tiny-agentjev first last slot:K prior:P1,P2,.. overlap")
    );
    assert!(!far.contains("did you mean"), "{far}");
}

#[test]
fn a_password_in_a_url_is_refused_and_not_repeated() {
    let error = ModelSpec::parse("systemone:https://me:hush@h/v1").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hush"));
    assert!(
        error
            .problem
            .starts_with("expected a URL without user name")
    );
}

#[test]
fn what_may_be_a_secret_is_in_no_spec_that_is_told() {
    for (given, told) in [
        ("systemone:https://h/v1?api_key=hush&order=keys", None),
        (
            "systemone:https://h/v1?api_key=hush",
            Some("systemone:https://h/v1?api_key=…"),
        ),
        (
            "systemone:https://h/v1?hush",
            Some("systemone:https://h/v1?…"),
        ),
        (
            "openai-decisions:m@https://h/v1?k=hush&v=2",
            Some("openai-decisions:m@https://h/v1?k=…&v=…"),
        ),
        (
            "openai:m@https://h/v1?k=hush?read=plain&tokens=9",
            Some("openai:m@https://h/v1?k=…?read=plain&tokens=9"),
        ),
        ("openai:me:hush@h/v1", None),
        ("laya-served:hush@h/v1", None),
        ("systemone:me:hush@h/v1", None),
        ("ollama:m:hush@h?read=plain", None),
        ("openai:m@https://me:hush@h/v1", None),
        (
            "cloudflare:@cf/cloudflare/clef",
            Some("cloudflare:@cf/cloudflare/clef"),
        ),
        (
            "laya-served?order=option_order",
            Some("laya-served?order=option_order"),
        ),
        (
            "openrouter:a/b?provider=X,Y",
            Some("openrouter:a/b?provider=X,Y"),
        ),
        ("exec:ask --at a@b?c=d", Some("exec:ask --at a@b?c=d")),
        ("next-to:a@b", Some("next-to:a@b")),
    ] {
        match (ModelSpec::parse(given), told) {
            (Ok(spec), Some(told)) => assert_eq!(spec.text(), told),
            (Err(error), None) => {
                assert!(!format!("{error} {error:?}").contains("hush"), "{error:?}");
            }
            other => panic!("{given}: {other:?}"),
        }
    }
}
