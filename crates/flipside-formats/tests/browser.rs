//! Browser runs of system1-agents: what is read of them, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::record::Outcome;
use flipside_core::recorded::{Decision, Margins, Missing, Standing};
use flipside_formats::import::{self, Recording, Supplements};
use serde_json::{Value, json};

const RUN: &str = "../flipside/tests/data/s1a/browser-run";

fn read(path: &Utf8Path) -> Recording {
    import::read(path, &Supplements::default()).unwrap()
}

fn write(folder: &Utf8Path, file: &str, text: &str) -> Utf8PathBuf {
    let path = folder.join(file);
    fs_err::write(&path, text).unwrap();
    path
}

fn tick(more: &Value) -> Value {
    let mut tick = json!({
        "tick": 1, "operation": "CLICK", "target": "One", "elements": 2,
        "probabilities": {"2": 0.9, "1": 0.1}, "candidates": {"2": "One", "1": "Other"},
    });
    tick.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    tick
}

fn run(ticks: &[Value]) -> String {
    json!({"report": {}, "ticks": ticks, "final": null, "usage": {}}).to_string()
}

fn margins(ticks: &[Value]) -> (Recording, Margins) {
    let folder = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(folder.path()).unwrap();
    let found = read(&write(folder, "decision_ticks.json", &run(ticks)));
    let margins = found.margins.clone().unwrap();
    (found, margins)
}

#[test]
fn no_real_tick_can_be_asked_or_compared_and_each_says_why() {
    let found = read(Utf8Path::new(RUN));
    assert_eq!(
        (found.format.as_str(), found.decisions.len()),
        ("s1a-browser", 6)
    );
    let lacks = |all: bool| {
        let options = (!all).then_some(Missing::Options { kept: 6, of: None });
        let first = [Missing::State, Missing::Order].into_iter().chain(options);
        first
            .chain([Missing::Rules, Missing::Question, Missing::View])
            .collect::<Vec<_>>()
    };
    let kept: Vec<bool> = vec![true, false, false, true, false, true];
    for (decision, all) in found.decisions.iter().zip(&kept) {
        assert_eq!(decision.standing(), Standing::Neither);
        assert_eq!(decision.missing, lacks(*all), "{}", decision.case.id);
        assert!(decision.case.brought.unlisted);
        let Some(Outcome::Answered(answer)) = &decision.outcome else {
            panic!("an answer")
        };
        assert_eq!(
            answer.choice.unwrap().0,
            0,
            "the kept options are sorted by probability"
        );
        assert_eq!(answer.probabilities.is_some(), *all);
    }
    let third = &found.decisions[2].case;
    assert_eq!(
        (third.id.0.as_str(), third.question.name.as_str()),
        ("browser-run/5", "click_target")
    );
    assert_eq!(found.decisions[4].case.question.name, "operation");
    let fields: Vec<String> = third
        .fields
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let expected = [
        "backend=omnijev",
        "question=click_target",
        "front=browser",
        "episode=browser-run",
        "step=5",
        "operation=CLICK",
        "elements=26",
    ];
    assert_eq!(fields, expected);
    let sources: Vec<(&str, u64)> = found
        .sources
        .iter()
        .map(|source| (source.name.as_str(), source.decisions))
        .collect();
    assert_eq!(sources, [("decision_ticks.json", 6), ("answer.json", 0)]);
    assert_eq!(found.about.model, "omnijev");
    assert!(
        found.into_answers().cases.is_empty(),
        "nothing of it is compared"
    );
}

#[test]
fn the_six_real_ticks_have_these_margins_and_places() {
    let path = format!("{RUN}/decision_ticks.json");
    let found = read(Utf8Path::new(&path));
    let margins = found.margins.unwrap();
    // Best less next: 1 - 0, 0.963 - 0.028, 0.696 - 0.253, 0.993 - 0.007, 0.825 - 0.143, 0.894 - 0.068: sorted 0.443, 0.682, 0.826,
    // 0.935, 0.986, 1; the median is (0.826 + 0.935) / 2. Three ticks keep fewer than six options. Tick 8 scrolls.
    let close = |one: Option<f64>, other: f64| (one.unwrap() - other).abs() < 1e-12;
    assert!(close(margins.median, 0.8805) && close(margins.lowest, 0.443));
    assert_eq!(
        (
            margins.ticks,
            margins.all_kept,
            margins.margins,
            margins.below
        ),
        (6, 3, 6, 0)
    );
    let places: Vec<(u64, u64)> = margins
        .places
        .iter()
        .map(|each| (each.place, each.ticks))
        .collect();
    assert_eq!(places, [(2, 1), (3, 1), (12, 1), (15, 1), (18, 1)]);
    let targets = [
        margins.placed,
        margins.without_target,
        margins.ambiguous,
        margins.unknown,
    ];
    assert_eq!(targets, [5, 1, 0, 0]);
}

#[test]
fn a_label_that_several_options_have_does_not_say_which_was_chosen() {
    let same = tick(&json!({"candidates": {"2": "Explore", "1": "Explore"}, "target": "Explore"}));
    let other = tick(&json!({"tick": 2, "target": "Nowhere"}));
    let listed = tick(&json!({
        "tick": 3, "operation": "SELECT", "probabilities": {"4:2": 0.6, "4:1": 0.4},
        "candidates": {"4:2": "One", "4:1": "Other"},
    }));
    let (found, margins) = margins(&[same, other, listed]);
    let answer = |why: &str| Missing::Answer {
        why: why.to_owned(),
    };
    let expected = "2 of the kept options are called as the record names the target";
    assert_eq!(found.decisions[0].missing.last(), Some(&answer(expected)));
    let expected = "the record names a target that none of the kept options is called by";
    assert_eq!(found.decisions[1].missing.last(), Some(&answer(expected)));
    assert_eq!(
        [
            found.decisions[0].outcome.is_none(),
            found.decisions[2].outcome.is_none()
        ],
        [true, false]
    );
    assert_eq!(
        (margins.ambiguous, margins.unknown, margins.placed),
        (1, 1, 1)
    );
    assert_eq!(margins.places[0].place, 4);
}

#[test]
fn calls_that_are_kept_beside_it_are_requests_that_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(folder.path()).unwrap();
    write(folder, "decision_ticks.json", &run(&[tick(&json!({}))]));
    let call = r#"{"state":{"page":1},"questions":{"operation":{"type":"choice","criteria":{"CLICK":"Press","DONE":"Stop"}},"done":{"type":"noul"}}}"#;
    write(folder, "laya_calls.jsonl", &format!("{call}\n{call}\n"));
    let found = read(folder);
    let standings: Vec<Standing> = found.decisions.iter().map(Decision::standing).collect();
    assert_eq!(standings[0], Standing::Neither);
    assert_eq!(standings[1..], [Standing::Reask; 4]);
    let first = &found.decisions[1].case;
    assert_eq!(
        (first.id.0.as_str(), first.field("front")),
        ("laya_calls:1#operation", Some("browser"))
    );
    assert_eq!(first.question.after.len(), 1);
    assert_eq!(found.about.model, "not recorded");
    assert_eq!(found.margins.unwrap().ticks, 1, "calls are no ticks");
    let sources: Vec<&str> = found
        .sources
        .iter()
        .map(|source| source.name.as_str())
        .collect();
    assert_eq!(sources, ["decision_ticks.json", "laya_calls.jsonl"]);
    let bad = json!({"state": {}, "questions": {"q": {"type": "text"}}});
    write(folder, "laya_calls.jsonl", &bad.to_string());
    let errors = import::read(folder, &Supplements::default()).unwrap_err();
    let text = errors[0].to_string().replace(folder.as_str(), "IN");
    assert_eq!(
        text,
        "IN/laya_calls.jsonl:1: expected `questions.q.type` to be `choice`, `score` or `noul`, found `\"text\"`"
    );
}

#[test]
fn ticks_that_are_none_are_refused_in_these_words() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(folder.path()).unwrap();
    let mut text = String::new();
    let mut tell = |ticks: &[Value]| {
        let path = write(folder, "decision_ticks.json", &run(ticks));
        for error in import::read(&path, &Supplements::default()).unwrap_err() {
            text.extend([format!("error: {error}\n").replace(folder.as_str(), "IN")]);
            text.extend(error.help().map(|help| format!("  help: {help}\n")));
        }
    };
    tell(&[json!(1)]);
    tell(&[json!({"tick": 1})]);
    tell(&[tick(&json!({})), tick(&json!({}))]);
    for more in [
        json!({"tick": "1"}),
        json!({"tick": 0.5}),
        json!({"operation": 1}),
        json!({"target": 1}),
        json!({"elements": "2"}),
        json!({"candidates": []}),
        json!({"probabilities": {}}),
        json!({"probabilities": [0.5]}),
        json!({"probabilities": {"1": "0.5"}}),
        json!({"probabilities": {"1": 1.5}}),
    ] {
        tell(&[tick(&more)]);
    }
    insta::assert_snapshot!(text);
}
