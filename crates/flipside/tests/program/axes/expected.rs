//! What a planted model must get on every axis: exact pairs, flips and vacuous cases, verdicts, and requests that change one thing.

use std::collections::BTreeMap;
use std::path::Path;

use flipside_standin::{Policy, Standin};
use serde_json::Value;

use super::bytes::{Request, only_its_axis};
use super::cases::{EVERY_AXIS, planted};
use crate::schema::valid;
use crate::support::{Ran, flat, journal, model, probe_line};

/// By variant: how many pairs there are beside those of `drop`, and the vacuous cases with their reason.
///
/// Twelve cases stand alone, three each of two to five options; four requests have one question of three options and one of four.
/// So there are 20 cases, 17 of three options or more. One of five options has an option without a text.
const PAIRS: [(&str, u64, u64, &str); 28] = [
    ("order/reverse", 20, 0, ""),
    ("order/rotate:1", 17, 0, ""),
    ("keys/abstract", 19, 1, "keys-are-text"),
    ("keys/letters", 19, 1, "keys-are-text"),
    ("keys/numbers", 19, 1, "keys-are-text"),
    ("keys/shuffled", 19, 1, "keys-are-text"),
    ("keys/list:1", 3, 0, ""),
    ("keys/list:2", 7, 0, ""),
    ("keys/list:3", 7, 0, ""),
    ("keys/list:4", 2, 1, "keys-are-text"),
    ("descriptions/drop", 20, 0, ""),
    ("descriptions/key", 20, 0, ""),
    ("phrasing/words", 12, 8, "no-phrasing"),
    ("phrasing/texts", 12, 8, "no-phrasing"),
    ("state-keys/reverse", 20, 0, ""),
    ("state-keys/shuffle:1", 20, 0, ""),
    ("state-keys/shuffle:2", 20, 0, ""),
    ("whitespace/doubled", 20, 0, ""),
    ("whitespace/trailing", 20, 0, ""),
    ("whitespace/line-ends", 20, 0, ""),
    ("whitespace/pretty", 20, 0, ""),
    ("letter-case/lower", 20, 0, ""),
    ("letter-case/upper", 20, 0, ""),
    ("decoy/none", 20, 0, ""),
    ("decoy/own:1", 12, 8, "no-decoy"),
    ("batch/alone", 8, 12, "one-question"),
    ("batch/reverse", 8, 12, "one-question"),
    ("drop/0", 0, 3, "too-few-options"),
];

/// Asks everything of a model that answers by `policy`; checks what is the same for every model.
pub(super) fn asked(path: &Path, policy: &str) -> (Ran, Value) {
    let server = Standin::builder()
        .policy(policy.parse::<Policy>().unwrap())
        .start()
        .unwrap();
    let words = format!("{EVERY_AXIS} --model {} --out run", model(&server));
    let (ran, summary) = probe_line(path, &words);
    valid("summary.schema.json", &summary);
    assert_eq!(summary["counts"]["failed"], 0, "{policy}");
    assert_eq!(summary["counts"]["cases"], 20, "{policy}");
    assert_eq!(summary["control"]["flips"], 0, "{policy}");
    assert_eq!(summary["control"]["pairs"], 20, "{policy}");
    requests(path, &server);
    (ran, summary)
}

/// Checks that the server received what the journal says, each request as often, and that each changes its own axis alone.
fn requests(path: &Path, server: &Standin) {
    let lines = journal(path, "run");
    let mut by_digest: BTreeMap<&str, &str> = BTreeMap::new();
    for line in &lines {
        if let Some(request) = line["request"].as_str() {
            let again = by_digest.insert(line["digest"].as_str().unwrap(), request);
            assert_eq!(again, None, "a request stands in the journal once");
        }
    }
    let text = |line: &Value| by_digest[line["digest"].as_str().unwrap()];
    let mut received: BTreeMap<String, i64> = BTreeMap::new();
    for seen in server.seen() {
        *received
            .entry(String::from_utf8(seen.body).unwrap())
            .or_default() += 1;
    }
    for line in lines.iter().filter(|line| line["attempts"] != 0) {
        assert_eq!(line["attempts"], 1);
        *received.entry(text(line).to_owned()).or_default() -= 1;
    }
    received.retain(|_, more| *more != 0);
    assert_eq!(received, BTreeMap::new(), "received more often than kept");
    let question = |line: &Value| {
        let case = line["case"].as_str().unwrap();
        case.split_once('#')
            .map_or("pick", |(_, name)| name)
            .to_owned()
    };
    let baselines: BTreeMap<&str, Request> = lines
        .iter()
        .filter(|line| line["axis"] == "baseline" && line["confirms"].is_null())
        .map(|line| {
            let own = Request::read(text(line), &question(line));
            (line["case"].as_str().unwrap(), own)
        })
        .collect();
    assert_eq!(baselines.len(), 20);
    for line in &lines {
        let own = &baselines[line["case"].as_str().unwrap()];
        only_its_axis(line, own, &Request::read(text(line), &question(line)));
    }
}

/// What the baseline of each case chose, by its id and its number of options.
pub(super) fn choices(summary: &Value) -> Vec<(String, usize, usize)> {
    let cases = summary["cases"].as_array().unwrap().iter();
    cases
        .map(|case| {
            let choice = case["asks"][0]["choice"].as_u64().unwrap();
            let options = case["keys"].as_array().unwrap().len();
            (
                case["id"].as_str().unwrap().to_owned(),
                options,
                choice as usize,
            )
        })
        .collect()
}

/// Checks pairs, flips and vacuous cases of every variant: those of `flips` flip as often as it says, and no other once.
pub(super) fn exactly(policy: &str, summary: &Value, drop_pairs: [u64; 5], flips: &[(&str, u64)]) {
    let mut expected: BTreeMap<String, (u64, u64, &str)> = PAIRS
        .iter()
        .map(|(name, pairs, vacuous, reason)| ((*name).to_owned(), (*pairs, *vacuous, *reason)))
        .collect();
    for (id, pairs) in drop_pairs.into_iter().enumerate() {
        expected.entry(format!("drop/{id}")).or_insert((0, 0, "")).0 = pairs;
    }
    let mut found = BTreeMap::new();
    for (axis, variants) in summary["axes"].as_object().unwrap() {
        for (variant, line) in variants.as_object().unwrap() {
            let name = format!("{axis}/{variant}");
            let number = |field: &str| line[field].as_u64().unwrap();
            let reasons = line["vacuous_reasons"].as_object().unwrap();
            let reason = reasons
                .keys()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(",");
            let flipped = flips
                .iter()
                .find(|(known, _)| *known == name)
                .map_or(0, |(_, flips)| *flips);
            assert_eq!(number("flips"), flipped, "{policy} {name}");
            assert_eq!(number("firm_flips"), flipped, "{policy} {name}: no tie");
            assert_eq!(
                number("missing") + number("no_decision"),
                0,
                "{policy} {name}"
            );
            found.insert(name, (number("pairs"), number("vacuous"), reason));
        }
    }
    let found = found.iter().map(|(name, (pairs, vacuous, reason))| {
        (name.clone(), (*pairs, *vacuous, reason.as_str()))
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{policy}");
}

/// Checks that the gates of `axes` find their axis at fault and all others hold.
pub(super) fn gates(policy: &str, ran: &Ran, summary: &Value, axes: &[&str]) {
    let mut expected: BTreeMap<String, String> = BTreeMap::new();
    let every = [
        "order",
        "keys",
        "descriptions",
        "phrasing",
        "state-keys",
        "whitespace",
        "letter-case",
        "drop",
        "decoy",
        "batch",
    ];
    for axis in every {
        let verdict = if axes.contains(&axis) {
            format!("{axis}-sensitive")
        } else {
            "stable".to_owned()
        };
        expected.insert(axis.to_owned(), verdict);
    }
    let gates = summary["gates"].as_array().unwrap().iter();
    let found: BTreeMap<String, String> = gates
        .map(|gate| {
            let text = |field: &str| gate[field].as_str().unwrap().to_owned();
            assert_eq!(gate["held"], gate["verdict"] == "stable", "{policy}");
            (text("subject"), text("verdict"))
        })
        .collect();
    assert_eq!(found, expected, "{policy}");
    let code = i32::from(!axes.is_empty());
    assert_eq!(
        (ran.code, summary["exit"].as_i64()),
        (code, Some(i64::from(code))),
        "{policy}"
    );
    let text = flat(&ran.out);
    let line = text
        .split(" gates ")
        .nth(1)
        .unwrap_or_else(|| panic!("no gates in {}", ran.out));
    for axis in every {
        let word = if axes.contains(&axis) {
            format!("{axis}: NOT HELD")
        } else {
            format!("{axis}: held")
        };
        assert!(line.contains(&word), "{policy}: {word} in {line}");
    }
    for axis in axes {
        let confirmed = &summary["confirmed"][*axis];
        assert_eq!(confirmed["replicated"], confirmed["flips"], "{policy}");
        assert_eq!(confirmed["swapped"], 0, "{policy}");
    }
}

/// Where none of 17 cases chose the option left out, all of them have that option's pair.
pub(super) const EVERY_DROP: [u64; 5] = [17, 17, 17, 10, 3];

/// The pairs of each option left out, by what each case chose of all: for a model that does not read the order, there is no pair
/// where that is the option.
pub(super) fn drop_pairs(chosen: &[(String, usize, usize)]) -> [u64; 5] {
    let mut pairs = [0; 5];
    for (_, options, choice) in chosen.iter().filter(|(_, options, _)| *options > 2) {
        for (id, pairs) in pairs.iter_mut().enumerate() {
            *pairs += u64::from(id < *options && id != *choice);
        }
    }
    pairs
}

/// The identity that each number of options has under a name, from two options to five.
pub(super) type Chosen = [usize; 4];

pub(super) const HEAVIEST: Chosen = [0, 1, 2, 2];
pub(super) const LIGHTEST: Chosen = [1, 2, 1, 3];
pub(super) const FIRST_KEY: Chosen = [1, 1, 3, 2];
pub(super) const FIRST_WORD: Chosen = [1, 2, 1, 3];

/// A model that does not read the order: what flips under it, which axes its gates find, and what each case chooses.
pub(super) fn blind_to_order(
    policy: &str,
    flips: &[(&str, u64)],
    axes: &[&str],
    chosen: impl Fn(&str, usize) -> usize,
) -> Value {
    let (_guard, path) = planted();
    let (ran, summary) = asked(&path, policy);
    let found = choices(&summary);
    for (id, options, choice) in &found {
        assert_eq!(*choice, chosen(id, *options), "{policy} {id}");
    }
    exactly(policy, &summary, drop_pairs(&found), flips);
    gates(policy, &ran, &summary, axes);
    let orders = summary["axes"]["order"].as_object().unwrap();
    for (variant, line) in orders {
        assert_eq!(
            line["drift"]["invariance"]["numerically_invariant"], true,
            "{policy} {variant}"
        );
        assert_eq!(
            line["drift"]["log_odds"]["largest"], 0.0,
            "{policy} {variant}"
        );
    }
    let text = flat(&ran.out);
    for word in [" position", "order-sensitive"] {
        assert!(!text.contains(word), "{policy}: `{word}` in {}", ran.out);
    }
    summary
}
