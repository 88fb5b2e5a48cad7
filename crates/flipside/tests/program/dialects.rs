//! Dialect by policy by order: the bytes that leave, the order that arrives, the answer by identity, and the flips that were planted.

use std::process::Command;

use flipside_standin::{Dialect, Policy, Standin};
use serde_json::Value;

use crate::support::{flipside, folder, json, ran};

/// A dialect of System One or its kin, and how its model is named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kin {
    pub(crate) name: &'static str,
    pub(crate) dialect: Dialect,
    /// What stands before the URL of its endpoint; a spec of its own where a variable leads to it.
    spec: &'static str,
    /// The variable that leads to it.
    variable: Option<&'static str>,
    /// The model name in requests; empty where the path has it.
    model: &'static str,
}

impl Kin {
    /// Adds the model that `server` is to `command`.
    pub(crate) fn add(&self, command: &mut Command, server: &Standin) {
        let url = match self.dialect {
            Dialect::Cloudflare => format!("{}/client/v4", server.origin()),
            _ => server.url(),
        };
        match self.variable {
            None => command.args(["--model", &format!("{}{url}", self.spec)]),
            Some(variable) => command.env(variable, url).args(["--model", self.spec]),
        };
        command.env("CLOUDFLARE_ACCOUNT_ID", "standin");
    }
}

const fn at_url(
    name: &'static str,
    dialect: Dialect,
    spec: &'static str,
    model: &'static str,
) -> Kin {
    Kin {
        name,
        dialect,
        spec,
        variable: None,
        model,
    }
}

/// Every dialect that writes options as the members of an object.
pub(crate) fn kin() -> &'static [Kin] {
    const ONE: &str = "systemone:";
    const LATEST: &str = "jev-latest";
    const KIN: &[Kin] = &[
        at_url("typesafe", Dialect::Typesafe, ONE, LATEST),
        Kin {
            name: "openrouter",
            dialect: Dialect::Openrouter,
            spec: "openrouter:typesafe/jev-1.14",
            variable: Some("OPENROUTER_BASE_URL"),
            model: "typesafe/jev-1.14",
        },
        at_url("vercel", Dialect::Vercel, ONE, LATEST),
        at_url("runware", Dialect::Runware, ONE, LATEST),
        at_url("kev", Dialect::Kev, ONE, LATEST),
        at_url("ollama-s1", Dialect::OllamaS1, ONE, LATEST),
        at_url("jev-compatible", Dialect::JevCompatible, ONE, LATEST),
        at_url("laya", Dialect::Laya, "laya-served:", "english"),
        at_url("laya-pkg", Dialect::LayaPkg, ONE, LATEST),
        at_url(
            "problem-json",
            Dialect::ProblemJson,
            "laya-served:",
            "english",
        ),
        at_url(
            "predict",
            Dialect::Predict,
            "laya-predict:",
            "typed-decisions",
        ),
        at_url("clm", Dialect::Clm, "clm:", "clm-latest"),
        at_url("cua", Dialect::Cua, "cua-served:", "cua-s1-4b-0.2"),
        Kin {
            name: "cloudflare",
            dialect: Dialect::Cloudflare,
            spec: "cloudflare:clef",
            variable: Some("CLOUDFLARE_BASE_URL"),
            model: "",
        },
    ];
    KIN
}

/// The case of the wire page, 10.6, and what asks it.
const BASELINE: &str = r#"{"model":"MODEL","state":{"subject":"Charged twice","note":"naïve é / \"quoted\" \t tab"},"questions":{"q":{"type":"choice","instructions":"Which team?","criteria":{"zeta":"payments","10":"errors","2":null,"alpha":"é"}}}}"#;
const REVERSE: &str = r#"{"model":"MODEL","state":{"subject":"Charged twice","note":"naïve é / \"quoted\" \t tab"},"questions":{"q":{"type":"choice","instructions":"Which team?","criteria":{"alpha":"é","2":null,"10":"errors","zeta":"payments"}}}}"#;
const ROTATED: &str = r#"{"model":"MODEL","state":{"subject":"Charged twice","note":"naïve é / \"quoted\" \t tab"},"questions":{"q":{"type":"choice","instructions":"Which team?","criteria":{"10":"errors","2":null,"alpha":"é","zeta":"payments"}}}}"#;

/// Orders with the keys as shown and the bytes that ask them.
const ORDERS: [(&str, [&str; 4], &str); 3] = [
    ("own", ["zeta", "10", "2", "alpha"], BASELINE),
    ("reverse", ["alpha", "2", "10", "zeta"], REVERSE),
    ("rotate:1", ["10", "2", "alpha", "zeta"], ROTATED),
];

/// Policies with the key that each chooses in each of [`ORDERS`], by hand; `None` for one and the same that a hash decides.
const POLICIES: [(&str, Option<[&str; 3]>); 11] = [
    ("first", Some(["zeta", "alpha", "10"])),
    ("last", Some(["alpha", "zeta", "zeta"])),
    ("slot:2", Some(["10", "2", "2"])),
    ("slot:3", Some(["2", "10", "alpha"])),
    ("prior:.1,.2,.3,.4", Some(["alpha", "zeta", "zeta"])),
    ("content", None),
    // The key that sorts first bytewise.
    ("key-biased", Some(["10", "10", "10"])),
    // The option after `zeta`, round the end.
    ("next-to:zeta", Some(["10", "alpha", "10"])),
    // Integers come first, ascending: 2, 10, and then the others as listed.
    ("js-order:first", Some(["2", "2", "2"])),
    ("js-order:last", Some(["alpha", "zeta", "zeta"])),
    ("sorted-order:first", Some(["10", "10", "10"])),
];

#[test]
fn every_dialect_gets_the_bytes_in_their_order_and_flips_as_planted() {
    let (_guard, path) = folder(&format!("{}\n", BASELINE.replace("MODEL", "any")));
    for (policy, chosen) in POLICIES {
        let server = |kin: &Kin| {
            let policy = policy.parse::<Policy>().unwrap();
            Standin::builder()
                .dialect(kin.dialect)
                .policy(policy)
                .start()
                .unwrap()
        };
        let servers: Vec<Standin> = kin().iter().map(server).collect();
        let mut command = flipside();
        command.current_dir(&path).args([
            "probe",
            "cases.jsonl",
            "--order",
            "reverse,rotate:1",
            "--gate",
            "none:fit",
            "--no-confirm",
            "--no-canary",
            "--json",
            "s.json",
            "--out",
            &format!("runs/{}", policy.replace([':', ',', '.'], "-")),
        ]);
        for (kin, server) in kin().iter().zip(&servers) {
            kin.add(&mut command, server);
        }
        let ran = ran(&command.output().unwrap());
        assert!(ran.code < 2, "{policy}: {}", ran.err);
        let summary = json(&path, "s.json");
        let summaries = summary["models"].as_array().unwrap();
        for ((kin, server), summary) in kin().iter().zip(&servers).zip(summaries) {
            let about = format!("{policy} at {}", kin.name);
            arrived(kin, server, &about);
            flipped(summary, chosen, &about);
        }
    }
}

/// Each order arrived once, byte for byte and key by key.
fn arrived(kin: &Kin, server: &Standin, about: &str) {
    let seen = server.seen();
    assert_eq!(seen.len(), ORDERS.len(), "{about}");
    for (_, keys, bytes) in ORDERS {
        let bytes = match kin.model {
            "" => bytes.replace(r#""model":"MODEL","#, ""),
            model => bytes.replace("MODEL", model),
        };
        let found = seen.iter().find(|seen| seen.body == bytes.as_bytes());
        let bodies = || {
            seen.iter()
                .map(|seen| String::from_utf8_lossy(&seen.body))
                .collect::<Vec<_>>()
        };
        let found =
            found.unwrap_or_else(|| panic!("{about}: {bytes} is not among {:#?}", bodies()));
        assert_eq!(found.keys, keys, "{about}");
    }
}

/// Every answer belongs to the option that was chosen, wherever it stood, and flips are those of the planted choices.
fn flipped(summary: &Value, chosen: Option<[&str; 3]>, about: &str) {
    let own = ORDERS[0].1;
    let asks = summary["cases"][0]["asks"].as_array().unwrap();
    assert_eq!(asks.len(), 3, "{about}");
    let mut found = Vec::new();
    for (ask, (variant, keys, _)) in asks.iter().zip(ORDERS) {
        assert_eq!(ask["variant"], variant, "{about}");
        assert_eq!(ask["keys"], serde_json::json!(keys), "{about}");
        let identity = usize::try_from(ask["choice"].as_u64().unwrap()).unwrap();
        assert_eq!(ask["key"], own[identity], "{about} {variant}");
        // The chosen option has the largest probability, by identity.
        let p: Vec<f64> = serde_json::from_value(ask["probabilities"].clone()).unwrap();
        assert!(
            p.iter().all(|value| *value <= p[identity]),
            "{about} {variant}: {p:?}"
        );
        found.push(own[identity]);
    }
    if let Some(chosen) = chosen {
        assert_eq!(found, chosen, "{about}");
    }
    for (place, (variant, ..)) in ORDERS.iter().enumerate().skip(1) {
        let line = &summary["axes"]["order"][variant];
        let flips = chosen.map_or(0, |chosen| u64::from(chosen[place] != chosen[0]));
        assert_eq!(
            (line["flips"].as_u64(), line["pairs"].as_u64()),
            (Some(flips), Some(1)),
            "{about} {variant}"
        );
    }
}
