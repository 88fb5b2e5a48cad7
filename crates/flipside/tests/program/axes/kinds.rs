//! Every axis with other kinds of questions and of models: levels, statements, an adapter, controls of a fixed place.

use std::collections::BTreeMap;

use flipside_standin::{Policy, Standin};
use serde_json::Value;

use super::cases::{EVERY_AXIS, planted, write};
use crate::support::{folder, lines, model, probe_line, run_line};

/// By variant: pairs, flips, and vacuous cases by reason.
fn figures(summary: &Value) -> BTreeMap<String, (u64, u64, BTreeMap<String, u64>)> {
    let mut found = BTreeMap::new();
    for (axis, variants) in summary["axes"].as_object().unwrap() {
        for (variant, line) in variants.as_object().unwrap() {
            let number = |field: &str| line[field].as_u64().unwrap();
            let reasons = line["vacuous_reasons"].as_object().unwrap().iter();
            let reasons = reasons.map(|(reason, cases)| (reason.clone(), cases.as_u64().unwrap()));
            assert_eq!(
                number("missing") + number("no_decision"),
                0,
                "{axis}/{variant}"
            );
            let name = format!("{axis}/{variant}");
            found.insert(name, (number("pairs"), number("flips"), reasons.collect()));
        }
    }
    found
}

/// Six requests with a question of three levels and a statement.
fn levels_and_statements() -> String {
    let body = |number: usize| {
        format!(
            "{{\"id\":\"b{number}\",\"state\":{{\"note\":\"Two crates of {number}\\nlost\",\"raw\":\"[{number}]\"}},\"questions\":{{\
             \"s\":{{\"type\":\"score\",\"instructions\":\"How much?\",\"criteria\":[\"low 2\",\"middle 7\",\"high 5\"]}},\
             \"n\":{{\"type\":\"noul\",\"instructions\":\"It is lost.\",\"criteria\":{{\"true\":\"yes 5\",\"false\":\"no 3\"}}}}}}}}"
        )
    };
    lines(&(0..6).map(body).collect::<Vec<_>>())
}

/// A line's name, its pairs, its flips, and why other cases are vacuous.
type Expected<'a> = (&'a str, u64, u64, &'a [(&'a str, u64)]);

#[test]
fn levels_and_statements_are_asked_where_the_axis_has_something_to_say() {
    let (_guard, path) = folder(&levels_and_statements());
    let axes = "keys,descriptions,descriptions:swapped,phrasing,state-keys,whitespace,letter-case,drop,decoy,batch";
    let asked = |policy: &str| {
        let server = Standin::builder()
            .policy(policy.parse::<Policy>().unwrap())
            .start()
            .unwrap();
        let words = format!(
            "cases.jsonl --order check --axis {axes} --gate none:fit --model {}",
            model(&server)
        );
        let (ran, summary) = probe_line(&path, &words);
        assert_eq!(
            ran.code, 1,
            "what nothing can be asked about does not hold: {}",
            ran.out
        );
        assert_eq!(summary["counts"]["failed"], 0, "{policy}");
        (figures(&summary), summary)
    };
    let (found, summary) = asked("weighed");
    // Levels and statements count six each.
    let expected: [Expected<'_>; 17] = [
        ("order/reverse", 12, 0, &[]),
        ("order/rotate:1", 6, 0, &[]),
        ("keys/abstract", 0, 0, &[("fixed-keys", 12)]),
        // Without descriptions a statement weighs as much as its opposite, and a half is a yes.
        ("descriptions/drop", 6, 0, &[("levels-are-text", 6)]),
        ("descriptions/swapped", 6, 6, &[("levels-are-text", 6)]),
        ("phrasing/1", 0, 0, &[("no-phrasing", 12)]),
        ("state-keys/reverse", 12, 0, &[]),
        ("whitespace/doubled", 12, 0, &[]),
        ("whitespace/trailing", 12, 0, &[]),
        ("whitespace/line-ends", 12, 0, &[]),
        ("whitespace/pretty", 12, 0, &[]),
        ("letter-case/lower", 12, 0, &[]),
        ("letter-case/upper", 12, 0, &[]),
        ("drop/0", 0, 0, &[("not-a-choice", 12)]),
        ("decoy/none", 0, 0, &[("not-a-choice", 12)]),
        ("batch/alone", 12, 0, &[]),
        ("batch/reverse", 12, 0, &[]),
    ];
    let expected: BTreeMap<String, _> = expected
        .into_iter()
        .map(|(name, pairs, flips, reasons)| {
            let reasons = reasons
                .iter()
                .map(|(reason, cases)| ((*reason).to_owned(), *cases));
            (name.to_owned(), (pairs, flips, reasons.collect()))
        })
        .collect();
    assert_eq!(found, expected);
    let gates = summary["gates"].as_array().unwrap().iter();
    let not_held: Vec<&str> = gates
        .filter(|gate| gate["held"] == false)
        .map(|gate| gate["subject"].as_str().unwrap())
        .collect();
    assert_eq!(not_held, ["keys", "phrasing"]);
    // A model that reads places follows them in levels and statements too, and nothing else.
    let (found, _) = asked("first");
    let flipped = found.iter().filter(|(_, (_, flips, _))| *flips > 0);
    let flipped: Vec<(&str, u64)> = flipped
        .map(|(name, (_, flips, _))| (name.as_str(), *flips))
        .collect();
    assert_eq!(flipped, [("order/reverse", 12), ("order/rotate:1", 6)]);
}

/// Prefers the option with the largest last number in its text, or in its key without one.
const ADAPTER: &str = r#"
import json, re, sys
for line in sys.stdin:
    ask = json.loads(line)
    numbers = [[o["key"], int((re.findall(r"\d+", o.get("text") or o["key"]) or ["1"])[-1])] for o in ask["options"]]
    total = sum(n for _, n in numbers)
    p = {key: n / total for key, n in numbers}
    print(json.dumps({"id": ask["id"], "choice": max(p, key=p.get), "probabilities": p}), flush=True)
"#;

#[test]
fn an_adapter_is_asked_with_fewer_options_and_with_more_and_never_beside_other_questions() {
    let (_guard, path) = planted();
    write(&path, "adapter.py", ADAPTER);
    let mut words: Vec<&str> = EVERY_AXIS.split_whitespace().collect();
    words.extend(["--model", "exec:python3 adapter.py"]);
    let (ran, summary) = crate::support::probe(&path, &words);
    assert_eq!(summary["counts"]["failed"], 0, "{}", ran.err);
    let found = figures(&summary);
    assert!(found.values().all(|(_, flips, _)| *flips == 0), "{found:?}");
    assert_eq!((found["drop/4"].0, found["decoy/none"].0), (3, 20));
    // An adapter is asked one question at a time, so that company cannot change its requests.
    let reasons = [("equal-bytes", 8), ("one-question", 12)];
    let reasons: BTreeMap<String, u64> = reasons
        .map(|(reason, cases)| (reason.to_owned(), cases))
        .into();
    for batch in ["batch/alone", "batch/reverse"] {
        assert_eq!(found[batch], (0, 0, reasons.clone()), "{batch}");
    }
}

#[test]
fn a_control_in_process_answers_every_axis_as_the_same_policy_does_over_http() {
    let (_guard, path) = planted();
    for name in ["first", "slot:2", "last"] {
        let server = Standin::builder()
            .policy(name.parse::<Policy>().unwrap())
            .start()
            .unwrap();
        let [own, served] = [name.to_owned(), model(&server)].map(|model| {
            let (_, summary) = probe_line(&path, &format!("{EVERY_AXIS} --model {model}"));
            (figures(&summary), summary["gates"].clone())
        });
        assert_eq!(own, served, "{name}");
        // Added last, a decoy is what the reader of the last place takes; left out last, every option is its own choice.
        let last = name == "last";
        assert_eq!(own.0["decoy/none"].1, if last { 20 } else { 0 }, "{name}");
        assert_eq!(own.0["drop/0"].0, if last { 0 } else { 17 }, "{name}");
    }
}

#[test]
fn a_control_that_needs_so_many_options_is_not_asked_about_fewer_and_the_report_says_so() {
    let (_guard, path) = folder(&crate::support::four_options(10));
    for name in ["slot:4", "prior:4,3,2,1"] {
        let words = format!("cases.jsonl --model {name} --axis drop,decoy --gate none:fit");
        let (ran, summary) = probe_line(&path, &words);
        assert_eq!(summary["counts"]["failed"], 0, "{name}");
        let drop = summary["axes"]["drop"].as_object().unwrap();
        assert_eq!(drop.len(), 4, "{name}: each option");
        for line in drop.values() {
            assert_eq!(line["vacuous_reasons"]["cannot-be-asked"], 10, "{name}");
            assert_eq!(
                (&line["pairs"], &line["asked"]),
                (&0.into(), &0.into()),
                "{name}"
            );
        }
        assert!(
            ran.out.contains("the model cannot be asked so"),
            "{}",
            ran.out
        );
        // One option more leaves the fourth place where it is, and the weights of a prior are for four.
        let decoy = &summary["axes"]["decoy"]["none"];
        let expected = if name == "slot:4" { [10, 0] } else { [0, 10] };
        assert_eq!(
            (&decoy["pairs"], &decoy["vacuous"]),
            (&expected[0].into(), &expected[1].into()),
            "{name}"
        );
        assert_eq!(decoy["flips"], 0, "{name}");
    }
    // Another key cannot stand next to one that is not there.
    let words =
        "probe cases.jsonl --model next-to:b --axis keys,keys:shuffled --gate none:fit --verbose";
    let ran = run_line(&path, words);
    assert!(
        ran.out.contains("the model cannot be asked so"),
        "{}",
        ran.out
    );
}
