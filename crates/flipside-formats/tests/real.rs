//! Real files: what other people's programs write is read, and comes to what is known about it.

use camino::Utf8PathBuf;
use flipside_core::case::{Case, KeyBinding, QuestionKind};
use flipside_core::json::Json;
use flipside_formats::read::{CaseSet, Format, Input, ReadOptions, read_cases};

fn data(name: &str) -> Input {
    Input::Path(Utf8PathBuf::from(format!(
        "{}/tests/data/{name}",
        env!("CARGO_MANIFEST_DIR")
    )))
}

fn read(name: &str) -> CaseSet {
    read_cases(&[data(name)], &ReadOptions::default()).expect("the file is good")
}

fn keys(case: &Case) -> Vec<&str> {
    case.options
        .iter()
        .map(|option| option.key.0.as_str())
        .collect()
}

#[test]
fn the_probe_cases_of_the_ticket_router_are_read() {
    let set = read("ticket_router_probe.jsonl");
    assert_eq!(set.cases.len(), 12);
    assert!(
        set.cases
            .iter()
            .all(|case| case.options.len() == 5 && case.accept.len() == 1)
    );
    assert_eq!(
        keys(&set.cases[0]),
        ["logistics", "payment", "returns", "account", "human"]
    );
    assert_eq!(set.cases[0].id.0, "ticket_router_probe:1");
    assert_eq!(set.cases[0].note.as_deref(), Some("ordinary logistics"));
    let instructions = set.cases[0]
        .question
        .instructions
        .as_ref()
        .unwrap()
        .to_text();
    assert!(
        instructions.starts_with("{\"rules\":\"Route the current explicit request"),
        "{instructions}"
    );
    assert_eq!(set.warnings, []);
    assert_eq!(
        (
            set.sources[0].format,
            set.sources[0].bytes,
            set.sources[0].cases
        ),
        (Format::Probe, 16_079, 12)
    );
}

#[test]
fn the_built_in_tickets_are_thirty() {
    let set = read_cases(
        &["builtin:ticket-router".parse().unwrap()],
        &ReadOptions::default(),
    )
    .unwrap();
    assert_eq!(set.cases.len(), 30);
    assert!(
        set.cases
            .iter()
            .all(|case| case.is_labelled() && case.options.len() == 5)
    );
    assert_eq!(set.cases[29].source.file, "builtin:ticket-router".into());
    assert_eq!(set.warnings, []);
}

#[test]
fn seventy_seven_options_are_read_in_order() {
    let set = read("banking77-3.jsonl");
    assert_eq!(set.cases.len(), 3);
    let case = &set.cases[0];
    assert_eq!(case.options.len(), 77);
    assert_eq!(case.options[0].key.0, "Refund_not_showing_up");
    assert!(keys(case).contains(&"reverted_card_payment?"));
    assert_eq!(case.keys, KeyBinding::Option);
    assert_eq!(set.warnings, []);
}

#[test]
fn recorded_exchanges_become_cases_and_failures_are_counted() {
    let set = read("exchanges.jsonl");
    let ids: Vec<&str> = set.cases.iter().map(|case| case.id.0.as_str()).collect();
    assert_eq!(
        ids,
        [
            "laya-served-three-types#department",
            "laya-served-three-types#urgency",
            "laya-served-three-types#refund",
            "clm-choice#pick",
            "clm-noul#check",
            "clm-structured-options#click_target",
        ]
    );
    let kinds: Vec<QuestionKind> = set.cases.iter().map(|case| case.question.kind).collect();
    let (choice, score, noul) = (
        QuestionKind::Choice,
        QuestionKind::Score,
        QuestionKind::Noul,
    );
    assert_eq!(kinds, [choice, score, noul, choice, noul, choice]);
    let urgency = &set.cases[1];
    assert_eq!(
        (keys(urgency), urgency.keys),
        (vec!["0", "1", "2"], KeyBinding::Place)
    );
    let siblings = |siblings: &[(String, Json)]| {
        siblings
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(siblings(&urgency.question.before), ["department"]);
    assert_eq!(siblings(&urgency.question.after), ["refund"]);
    assert_eq!(keys(&set.cases[2]), ["false", "true"]);
    let element = set.cases[5].options[0].text.as_ref().unwrap().to_text();
    assert_eq!(
        element,
        r#"{"element":"[e1] Sign in","current_value":"","role":"button"}"#
    );
    let warnings: Vec<String> = set.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].ends_with(
            "exchanges.jsonl:5 and 1 more case: 2 recorded failures left out: status 422"
        ),
        "{warnings:?}"
    );
}
