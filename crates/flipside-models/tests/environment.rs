//! What the environment makes of a model: endpoint, key, name (the wire page, 12.2).

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::environment;
use flipside_core::model::{Card, Price};
use flipside_models::catalog::{BuildError, ModelSpec, Options, build, catalog};
use flipside_models::env::VARIABLES;

fn card(spec: &str, values: &[(&str, &str)]) -> Card {
    let spec = ModelSpec::parse(spec).unwrap();
    build(&spec, &environment(values), &Options::default())
        .unwrap()
        .card()
        .clone()
}

fn error(spec: &str, values: &[(&str, &str)]) -> BuildError {
    let spec = ModelSpec::parse(spec).unwrap();
    build(&spec, &environment(values), &Options::default())
        .err()
        .unwrap()
}

/// Variables; endpoint, variable of the key, and model name that they lead to.
type Row = (
    &'static [(&'static str, &'static str)],
    &'static str,
    Option<&'static str>,
    &'static str,
);

const TS: (&str, &str) = ("TYPESAFE_API_KEY", "typesafe-key");
const OR: (&str, &str) = ("OPENROUTER_API_KEY", "openrouter-key");
const TYPESAFE: &str = "https://api.typesafe.ai/v1/systemone";
const OPENROUTER: &str = "https://openrouter.ai/api/alpha/decisions";

#[test]
fn jev_takes_endpoint_key_and_model_by_precedence() {
    const fn url(url: &'static str) -> (&'static str, &'static str) {
        ("TYPESAFE_API_URL", url)
    }
    const fn base(url: &'static str) -> (&'static str, &'static str) {
        ("TYPESAFE_BASE_URL", url)
    }
    const TABLE: &[Row] = &[
        (&[TS], TYPESAFE, Some(TS.0), "jev-latest"),
        (&[TS, OR], TYPESAFE, Some(TS.0), "jev-latest"),
        (&[OR], OPENROUTER, Some(OR.0), "~typesafe/jev-latest"),
        (
            &[OR, ("TYPESAFE_API_KEY", "")],
            OPENROUTER,
            Some(OR.0),
            "~typesafe/jev-latest",
        ),
        (
            &[TS, OR, url("https://openrouter.ai")],
            OPENROUTER,
            Some(OR.0),
            "~typesafe/jev-latest",
        ),
        (
            &[TS, OR, url("https://api.typesafe.ai/v1")],
            TYPESAFE,
            Some(TS.0),
            "jev-latest",
        ),
        (
            &[TS, OR, url("https://gw.example/v1/")],
            "https://gw.example/v1/systemone",
            Some(TS.0),
            "jev-latest",
        ),
        (
            &[OR, url("https://gw.example/api/decisions")],
            "https://gw.example/api/decisions",
            Some(OR.0),
            "jev-latest",
        ),
        (
            &[url("http://127.0.0.1:9/v1")],
            "http://127.0.0.1:9/v1/systemone",
            None,
            "jev-latest",
        ),
        (
            &[TS, url("http://localhost:9")],
            "http://localhost:9/v1/systemone",
            Some(TS.0),
            "jev-latest",
        ),
        (
            &[TS, base("https://b.example/typesafe")],
            "https://b.example/typesafe/v1/systemone",
            Some(TS.0),
            "jev-latest",
        ),
        (
            &[TS, base("https://b.example"), url("https://u.example")],
            "https://u.example/v1/systemone",
            Some(TS.0),
            "jev-latest",
        ),
        (
            &[TS, ("TYPESAFE_DEFAULT_MODEL", "d")],
            TYPESAFE,
            Some(TS.0),
            "d",
        ),
        (
            &[TS, ("TYPESAFE_DEFAULT_MODEL", "d"), ("TYPESAFE_MODEL", "m")],
            TYPESAFE,
            Some(TS.0),
            "m",
        ),
    ];
    for (values, endpoint, key, model) in TABLE {
        let card = card("jev", values);
        assert_eq!(card.endpoint.as_deref(), Some(*endpoint), "{values:?}");
        assert_eq!(card.key_variable.as_deref(), *key, "{values:?}");
        assert_eq!(card.requested.as_deref(), Some(*model), "{values:?}");
        assert!(card.remote && card.object_order);
        assert_eq!(card.concurrency, 8);
    }
}

#[test]
fn a_model_name_in_the_spec_beats_variables_and_an_option_beats_both() {
    let values = [TS, ("TYPESAFE_MODEL", "m")];
    assert_eq!(card("jev:mine", &values).requested.as_deref(), Some("mine"));
    let options = Options {
        model_name: Some("flag".to_owned()),
        ..Options::default()
    };
    let spec = ModelSpec::parse("jev:mine").unwrap();
    let model = build(&spec, &environment(&values), &options).unwrap();
    assert_eq!(model.card().requested.as_deref(), Some("flag"));
    assert_eq!(model.card().spec, "jev:mine");
}

#[test]
fn only_typesafe_itself_has_a_known_price() {
    let price = Price {
        input_usd_micros: 42_000,
        output_usd_micros: 0,
    };
    assert_eq!(card("jev", &[TS]).price, Some(price));
    assert_eq!(card("jev", &[OR]).price, None);
    assert_eq!(
        card("jev", &[TS, ("TYPESAFE_API_URL", "https://gw.example")]).price,
        None
    );
}

#[test]
fn a_missing_variable_is_named_and_says_what_to_do() {
    let missing = error("jev", &[]);
    assert_eq!(
        missing.to_string(),
        "`jev` needs `TYPESAFE_API_KEY` or `OPENROUTER_API_KEY`, which is not set"
    );
    assert!(missing.help().unwrap().contains("overlap"));
    let wrong = error("jev", &[TS, ("TYPESAFE_API_URL", "https://openrouter.ai")]);
    assert_eq!(
        wrong.to_string(),
        "`jev` needs `OPENROUTER_API_KEY`, which is not set"
    );
    let gateway = error("jev", &[("TYPESAFE_API_URL", "https://gw.example")]);
    assert!(gateway.help().unwrap().contains("systemone:URL"));
    assert_eq!(
        error("laya-served", &[]).to_string(),
        "`laya-served` needs `LAYA_SERVED_URL`, which is not set"
    );
    assert_eq!(
        error("clm", &[TS]).to_string(),
        "`clm` needs `CLM_URL`, which is not set"
    );
}

#[test]
fn keys_are_refused_before_they_leave_where_others_could_read_them() {
    let insecure = error("jev", &[TS, ("TYPESAFE_API_URL", "http://gw.example:8/v1")]);
    assert_eq!(
        insecure.to_string(),
        "`TYPESAFE_API_KEY` would go to `gw.example:8` over http://, where others can read it"
    );
    for bad in ["two words", "line\nbreak", "ümlaut-key"] {
        let refused = error("jev", &[("TYPESAFE_API_KEY", bad)]);
        let text = format!("{refused} {refused:?}");
        assert!(
            text.contains("TYPESAFE_API_KEY") && !text.contains(bad),
            "{text}"
        );
    }
}

#[test]
fn a_url_variable_that_is_no_endpoint_is_named_without_its_value() {
    for bad in [
        "gw.example/v1",
        "ftp://gw.example",
        "https://me:hush@gw.example/v1",
    ] {
        for (spec, variable) in [
            ("jev", "TYPESAFE_API_URL"),
            ("jev", "TYPESAFE_BASE_URL"),
            ("clm", "CLM_URL"),
        ] {
            let text = error(spec, &[TS, (variable, bad)]).to_string();
            assert!(
                text.starts_with(&format!("`{variable}`: expected a URL"))
                    && !text.contains("hush"),
                "{text}"
            );
        }
    }
}

#[test]
fn laya_served_and_clm_take_their_own_variables_only() {
    let laya = card(
        "laya-served",
        &[
            TS,
            ("LAYA_SERVED_URL", "http://127.0.0.1:8000/v1/systemone"),
        ],
    );
    assert_eq!(
        (
            laya.requested.as_deref(),
            laya.key_variable,
            laya.concurrency
        ),
        (Some("english"), None, 1)
    );
    let keyed = card(
        "laya-served",
        &[
            ("LAYA_SERVED_URL", "https://laya.example/v1/systemone"),
            ("LAYA_SERVED_MODEL", "multilingual"),
            ("LAYA_SERVED_API_KEY", "laya-key"),
        ],
    );
    assert_eq!(keyed.requested.as_deref(), Some("multilingual"));
    assert_eq!(keyed.key_variable.as_deref(), Some("LAYA_SERVED_API_KEY"));
    let clm = card(
        "clm",
        &[
            ("CLM_URL", "http://127.0.0.1:8700/v1/systemone"),
            ("CLM_MODEL", "clm-raw"),
        ],
    );
    assert_eq!(
        (clm.requested.as_deref(), clm.concurrency),
        (Some("clm-raw"), 8)
    );
    assert_eq!(
        card("clm", &[("CLM_URL", "http://[::1]:8700/")])
            .requested
            .as_deref(),
        Some("clm-latest")
    );
}

#[test]
fn systemone_sends_a_key_to_known_hosts_only_each_its_own() {
    let key =
        |url: &str, values: &[(&str, &str)]| card(&format!("systemone:{url}"), values).key_variable;
    assert_eq!(key(TYPESAFE, &[TS, OR]).as_deref(), Some(TS.0));
    assert_eq!(key(OPENROUTER, &[TS, OR]).as_deref(), Some(OR.0));
    assert_eq!(key(OPENROUTER, &[TS]), None);
    assert_eq!(key(TYPESAFE, &[OR]), None);
    let runware = [TS, OR, ("RUNWARE_API_KEY", "runware-key")];
    let at = "https://api.runware.ai/v1/decisions";
    assert_eq!(key(at, &runware).as_deref(), Some("RUNWARE_API_KEY"));
    assert_eq!(
        key("https://api.fireworks.ai/inference/v1/systemone", &runware),
        None
    );
    for other in [
        "https://gw.example/",
        "http://127.0.0.1:1/",
        "https://api.typesafe.ai.evil.example/",
        "https://x.openrouter.ai/",
    ] {
        assert_eq!(key(other, &[TS, OR]), None, "{other}");
    }
    let card = card(
        "systemone:http://127.0.0.1:1/v1/systemone?model=x",
        &[("TYPESAFE_MODEL", "m")],
    );
    assert_eq!(
        (card.requested, card.endpoint.as_deref()),
        (
            Some("jev-latest".to_owned()),
            Some("http://127.0.0.1:1/v1/systemone")
        )
    );
}

#[test]
fn hosted_models_take_their_own_endpoint_key_and_name() {
    const ACCOUNT: (&str, &str) = ("CLOUDFLARE_ACCOUNT_ID", "acc0");
    const TOKEN: (&str, &str) = ("CLOUDFLARE_API_TOKEN", "cf-key");
    type Row = (
        &'static str,
        &'static [(&'static str, &'static str)],
        &'static str,
        Option<&'static str>,
        &'static str,
        usize,
    );
    const TABLE: &[Row] = &[
        (
            "openrouter:typesafe/jev-1.14",
            &[OR, TS],
            OPENROUTER,
            Some(OR.0),
            "typesafe/jev-1.14",
            8,
        ),
        (
            "openrouter:a/b?provider=x",
            &[OR, ("OPENROUTER_BASE_URL", "https://gw.example/api/v1")],
            "https://gw.example/api/alpha/decisions",
            Some(OR.0),
            "a/b",
            8,
        ),
        (
            "laya-served:http://127.0.0.1:8000/v1/systemone?order=option_order",
            &[
                ("LAYA_SERVED_API_KEY", "laya-key"),
                ("LAYA_SERVED_MODEL", "multilingual"),
            ],
            "http://127.0.0.1:8000/v1/systemone",
            Some("LAYA_SERVED_API_KEY"),
            "multilingual",
            1,
        ),
        // A key whose host is named goes nowhere else.
        (
            "laya-served:http://127.0.0.1:8000/v1/systemone",
            &[
                ("LAYA_SERVED_API_KEY", "laya-key"),
                ("LAYA_SERVED_URL", "https://laya.example/v1/systemone"),
            ],
            "http://127.0.0.1:8000/v1/systemone",
            None,
            "english",
            1,
        ),
        (
            "laya-predict",
            &[
                ("LAYA_BASE_URL", "http://127.0.0.1:8001/"),
                ("LAYA_API_KEY", "laya-key"),
            ],
            "http://127.0.0.1:8001/predict",
            Some("LAYA_API_KEY"),
            "typed-decisions",
            1,
        ),
        (
            "laya-predict:http://127.0.0.1:8001/predict",
            &[("LAYA_MODEL", "english")],
            "http://127.0.0.1:8001/predict",
            None,
            "english",
            1,
        ),
        (
            "clm:http://127.0.0.1:8700/v1/systemone",
            &[("CLM_API_KEY", "clm-key")],
            "http://127.0.0.1:8700/v1/systemone",
            Some("CLM_API_KEY"),
            "clm-latest",
            8,
        ),
        (
            "cua-served:http://127.0.0.1:8080/v1/systemone",
            &[TS, OR],
            "http://127.0.0.1:8080/v1/systemone",
            None,
            "cua-s1-4b-0.2",
            1,
        ),
        (
            "cloudflare:clef-flash",
            &[ACCOUNT, TOKEN],
            "https://api.cloudflare.com/client/v4/accounts/acc0/ai/run/@cf/cloudflare/clef-flash",
            Some("CLOUDFLARE_API_TOKEN"),
            "@cf/cloudflare/clef-flash",
            8,
        ),
        (
            "cloudflare:@cf/other/model",
            &[
                ACCOUNT,
                ("CLOUDFLARE_BASE_URL", "http://127.0.0.1:9/client/v4/"),
            ],
            "http://127.0.0.1:9/client/v4/accounts/acc0/ai/run/@cf/other/model",
            None,
            "@cf/other/model",
            8,
        ),
    ];
    for (spec, values, endpoint, key, model, concurrency) in TABLE {
        let card = card(spec, values);
        assert_eq!(card.endpoint.as_deref(), Some(*endpoint), "{spec}");
        assert_eq!(card.key_variable.as_deref(), *key, "{spec}");
        assert_eq!(card.requested.as_deref(), Some(*model), "{spec}");
        assert_eq!(
            (card.concurrency, card.price),
            (*concurrency, None),
            "{spec}"
        );
        // A record can be read again by what it says of the protocol.
        let wire = card.protocol.unwrap();
        assert_eq!(flipside_models::wire::open(&wire).unwrap().wire(), wire);
    }
}

#[test]
fn what_a_hosted_model_lacks_or_cannot_use_is_named() {
    for (spec, values, text) in [
        (
            "openrouter:a/b",
            &[TS][..],
            "`openrouter:a/b` needs `OPENROUTER_API_KEY`, which is not set",
        ),
        (
            "cloudflare:clef",
            &[("CLOUDFLARE_API_TOKEN", "k")],
            "`cloudflare:clef` needs `CLOUDFLARE_ACCOUNT_ID`, which is not set",
        ),
        (
            "cloudflare:clef",
            &[("CLOUDFLARE_ACCOUNT_ID", "a")],
            "`cloudflare:clef` needs `CLOUDFLARE_API_TOKEN`, which is not set",
        ),
        (
            "cloudflare:clef",
            &[("CLOUDFLARE_ACCOUNT_ID", "a/b")],
            "`CLOUDFLARE_ACCOUNT_ID`: expected letters, digits and `-`",
        ),
        (
            "laya-predict",
            &[],
            "`laya-predict` needs `LAYA_BASE_URL`, which is not set",
        ),
        (
            "laya-served:http://127.0.0.1/",
            &[("LAYA_SERVED_MAX_LEN", "long")],
            "`LAYA_SERVED_MAX_LEN`: expected a whole number of tokens over 0",
        ),
        (
            "laya-served:http://laya.example/",
            &[("LAYA_SERVED_API_KEY", "laya-key")],
            "`LAYA_SERVED_API_KEY` would go to `laya.example` over http://, where others can read it",
        ),
    ] {
        assert_eq!(error(spec, values).to_string(), text);
    }
}

#[test]
fn a_named_key_goes_to_the_host_that_is_asked_and_never_to_another_ones() {
    let built = |spec: &str, variable: &str, values: &[(&str, &str)]| {
        let spec = ModelSpec::parse(spec).unwrap();
        let environment = environment(values).naming(variable, "sesame-key".to_owned());
        assert!(!format!("{environment:?}").contains("sesame"));
        build(&spec, &environment, &Options::default())
            .map(|model| model.card().key_variable.clone())
            .map_err(|error| (error.to_string(), error.help().map(str::to_owned)))
    };
    for spec in [
        "systemone:https://gw.example/v1/systemone",
        "cua-served:https://gw.example/v1/systemone",
        "laya-served:https://gw.example/v1/systemone",
        "clm:https://gw.example/v1/systemone",
        "openrouter:a/b",
        "jev",
    ] {
        assert_eq!(
            built(spec, "MINE", &[OR]),
            Ok(Some("MINE".to_owned())),
            "{spec}"
        );
    }
    let (refused, help) =
        built("systemone:https://gw.example/v1", "TYPESAFE_API_KEY", &[]).unwrap_err();
    assert_eq!(
        refused,
        "`TYPESAFE_API_KEY` is the key of api.typesafe.ai and would go to `gw.example`"
    );
    assert_eq!(
        help.unwrap(),
        "put the key of the host that is asked in a variable of its own"
    );
    let (insecure, _) = built("systemone:http://gw.example/v1", "MINE", &[]).unwrap_err();
    assert_eq!(
        insecure,
        "`MINE` would go to `gw.example` over http://, where others can read it"
    );
}

#[test]
fn controls_need_nothing_and_are_no_remote() {
    for spec in [
        "first",
        "last",
        "slot:2",
        "prior:1,2",
        "overlap",
        "random",
        "noisy:0.5",
        "next-to:a",
    ] {
        let card = card(spec, &[]);
        assert_eq!(
            (
                card.spec.as_str(),
                card.remote,
                card.endpoint,
                card.concurrency
            ),
            (spec, false, None, 8)
        );
    }
}

#[test]
fn the_catalog_names_every_model_and_what_it_needs() {
    let mut forms: Vec<&str> = catalog().iter().map(|entry| entry.name).collect();
    forms.sort_unstable();
    forms.dedup();
    assert_eq!(forms.len(), catalog().len());
    let jev = catalog().iter().find(|entry| entry.name == "jev").unwrap();
    assert_eq!(jev.needs.words(), "TYPESAFE_API_KEY or OPENROUTER_API_KEY");
    let laya = catalog().iter().find(|entry| entry.name == "laya-served");
    assert_eq!(laya.unwrap().needs.words(), "a URL or LAYA_SERVED_URL");
    let mut names: Vec<&str> = VARIABLES.iter().map(|variable| variable.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), VARIABLES.len());
}
