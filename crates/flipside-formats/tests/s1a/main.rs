//! Runs of system1-agents: what each tick becomes, what it lacks, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod refused;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::case::Case;
use flipside_core::order::OptionId;
use flipside_core::record::Outcome;
use flipside_core::recorded::{Decision, Missing, Standing};
use flipside_formats::import::{self, Recording, Supplements};
use flipside_formats::read::{Input, ReadOptions, read_cases};
use serde_json::{Value, json};

const JOB: &str = "../flipside/tests/data/s1a/tool-run/2026-09-30__00-00-00-000000__laya";
const TRIAL: &str = "ticket_router--0__0000000";

fn read(path: &str) -> Recording {
    import::read(Utf8Path::new(path), &Supplements::default()).unwrap()
}

fn refused(path: &Utf8Path, supplements: &Supplements) -> String {
    let errors = import::read(path, supplements).unwrap_err();
    let told = errors.iter().map(|error| {
        let help = error.help().map(|help| format!("  help: {help}\n"));
        format!("error: {error}\n{}", help.unwrap_or_default())
    });
    told.collect()
}

fn choice(decision: &Decision) -> Option<&str> {
    let Some(Outcome::Answered(answer)) = &decision.outcome else {
        return None;
    };
    let chosen = answer.choice?;
    Some(decision.case.options[chosen.index()].key.0.as_str())
}

fn with_rules(text: &str) -> Supplements {
    Supplements {
        rules: Some(text.to_owned()),
        ..Supplements::default()
    }
}

fn cases(file: &str) -> Vec<Case> {
    read_cases(&[Input::Path(file.into())], &ReadOptions::default())
        .unwrap()
        .cases
}

/// A folder with what it holds, and the path of it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }

    fn write(&self, file: &str, value: &Value) -> Utf8PathBuf {
        let path = self.path().join(file);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, value.to_string()).unwrap();
        path
    }

    /// What `text` says, with the folder's own name left out.
    fn plain(&self, text: &str) -> String {
        text.replace(self.path().as_str(), "IN")
    }
}

/// An episode in which the first of two options is chosen once, with `more` in its tick.
fn episode(more: &Value) -> Value {
    let mut tick = json!({
        "step": 1, "key": "a", "confidence": 0.5, "probabilities": {"a": 0.75, "b": 0.25},
        "plan": false, "blocked": [], "source": "laya",
    });
    tick.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let view = json!({"state": {"ticket": {"id": "t"}}, "candidates": {"a": "one", "b": "two"}});
    let end = json!({"state": {}, "candidates": {}, "done": true});
    json!({"decisions": [tick], "views": [view, end], "extra": {}})
}

fn one(more: &Value) -> Decision {
    let folder = Folder::new();
    let path = folder.write("episode.json", &episode(more));
    let mut found = import::read(&path, &with_rules("r")).unwrap();
    assert_eq!(found.decisions.len(), 1);
    found.decisions.remove(0)
}

#[test]
fn the_real_run_has_thirty_decisions_of_which_twenty_one_are_right_and_each_lacks_its_rules_alone()
{
    let run = read(JOB);
    assert_eq!(run.format, "s1a-job");
    assert_eq!(run.decisions.len(), 30);
    for decision in &run.decisions {
        assert_eq!(decision.missing, [Missing::Rules], "{}", decision.case.id);
        assert_eq!(decision.standing(), Standing::Compare);
        assert_eq!(decision.case.question.instructions, None);
        assert_eq!(decision.case.options.len(), 5);
        assert!(decision.case.is_labelled());
    }
    let right = run.decisions.iter().filter(|decision| {
        let Some(Outcome::Answered(answer)) = &decision.outcome else {
            return false;
        };
        answer
            .choice
            .is_some_and(|choice| decision.case.accepts(choice) == Some(true))
    });
    assert_eq!(right.count(), 21);
    let first = &run.decisions[0];
    assert_eq!(first.case.id.0, "ticket_router/0/1");
    assert!(first.case.named);
    let keys: Vec<&str> = first
        .case
        .options
        .iter()
        .map(|option| option.key.0.as_str())
        .collect();
    assert_eq!(
        keys,
        ["logistics", "payment", "returns", "account", "human"]
    );
    assert_eq!(first.case.question.name, "pick");
    assert_eq!(first.case.accept, [OptionId(0)]);
    assert!(
        first
            .case
            .state
            .to_text()
            .starts_with(r#"{"ticket":{"id":"t_a5a229edd810""#)
    );
    let Some(Outcome::Answered(answer)) = &first.outcome else {
        panic!("an answer")
    };
    assert_eq!(
        answer.probabilities,
        Some(vec![0.7733, 0.0682, 0.0616, 0.0329, 0.064])
    );
    assert_eq!(answer.backend_confidence, Some(0.477));
    let fields: Vec<String> = (first.case.fields.iter())
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let expected = [
        "backend=laya",
        "front=tool",
        "question=pick",
        "job=2026-09-30__00-00-00-000000__laya",
        "episode=ticket_router/0",
        "seed=0",
        "step=1",
    ];
    assert_eq!(fields, expected);
    let sources: Vec<(&str, u64)> = (run.sources.iter())
        .map(|source| (source.name.as_str(), source.decisions))
        .collect();
    let of_trial = |file: &str| format!("{TRIAL}/{file}");
    assert_eq!(
        sources,
        [
            ("config.json", 0),
            ("result.json", 0),
            (of_trial("result.json").as_str(), 0),
            (of_trial("agent/episode.json").as_str(), 30),
        ]
    );
    assert_eq!(
        (
            run.about.model.as_str(),
            run.about.cases,
            run.about.recorded
        ),
        ("laya", 30, 30)
    );
    assert_eq!(
        run.about.started.as_deref(),
        Some("2026-09-30T00:00:00+00:00")
    );
    assert!(run.about.complete && run.about.failed == 0 && run.warnings.is_empty());
}

#[test]
fn rules_makes_every_decision_of_the_real_run_one_that_can_be_asked_again() {
    let run = import::read(Utf8Path::new(JOB), &with_rules("Pick the desk.")).unwrap();
    for decision in &run.decisions {
        assert_eq!(decision.standing(), Standing::Reask);
        let instructions = decision.case.question.instructions.as_ref().unwrap();
        assert_eq!(instructions.to_text(), r#"{"rules":"Pick the desk."}"#);
    }
}

#[test]
fn a_trial_its_agent_folder_and_its_episode_say_what_the_job_says_but_for_the_job() {
    let whole = read(JOB);
    let agent = format!("{JOB}/{TRIAL}/agent");
    for path in [
        format!("{JOB}/{TRIAL}"),
        agent.clone(),
        format!("{agent}/episode.json"),
    ] {
        let part = read(&path);
        for (one, other) in part.decisions.iter().zip(&whole.decisions) {
            let mut case = other.case.clone();
            case.source.file.clone_from(&one.case.source.file);
            case.fields.retain(|(name, _)| name != "job");
            assert_eq!((&one.case, &one.outcome), (&case, &other.outcome));
        }
        assert_eq!(part.decisions.len(), 30);
        assert_eq!(part.about.model, "laya");
    }
    let folder = Folder::new();
    let copy = folder.path().join("run.json.episode.json");
    fs_err::copy(format!("{agent}/episode.json"), &copy).unwrap();
    let lone = folder.path().join("episode.json");
    fs_err::rename(&copy, &lone).unwrap();
    let lone = import::read(&lone, &Supplements::default()).unwrap();
    assert_eq!(lone.decisions[29].case.id.0, "episode/30");
    assert_eq!(lone.decisions[29].case.field("seed"), Some("0"));
}

#[test]
fn rules_from_takes_the_rules_of_cases_that_agree() {
    let supplements = Supplements {
        rules_from: cases("tests/data/ticket_router_probe.jsonl"),
        ..Supplements::default()
    };
    let rules = supplements.rules_from[0].question.instructions.clone();
    let run = import::read(Utf8Path::new(JOB), &supplements).unwrap();
    for decision in &run.decisions {
        assert_eq!(decision.case.question.instructions, rules);
        assert_eq!(decision.standing(), Standing::Reask);
    }
    let both = Supplements {
        rules: Some("mine".to_owned()),
        ..supplements
    };
    let run = import::read(Utf8Path::new(JOB), &both).unwrap();
    let mine = run.decisions[0]
        .case
        .question
        .instructions
        .as_ref()
        .unwrap();
    assert_eq!(mine.to_text(), r#"{"rules":"mine"}"#);
}

#[test]
fn rules_from_cases_that_differ_go_by_the_state_or_are_refused() {
    let folder = Folder::new();
    let file = folder.write("episode.json", &episode(&json!({})));
    let case = |state: &Value, rules: &str| {
        json!({"state": state, "options": {"x": "y"}, "rules": rules}).to_string() + "\n"
    };
    let supplied = |lines: &[String]| {
        let path = folder.path().join("cases.jsonl");
        fs_err::write(&path, lines.concat()).unwrap();
        Supplements {
            rules_from: cases(path.as_str()),
            ..Supplements::default()
        }
    };
    let own = json!({"ticket": {"id": "t"}});
    let found = supplied(&[
        case(&own, "mine"),
        case(&json!("other"), "theirs"),
        case(&own, "mine"),
    ]);
    let run = import::read(&file, &found).unwrap();
    let rules = run.decisions[0]
        .case
        .question
        .instructions
        .as_ref()
        .unwrap();
    assert_eq!(rules.to_text(), r#"{"rules":"mine"}"#);

    let refusals = [
        supplied(&[case(&json!("one"), "mine"), case(&json!("other"), "theirs")]),
        supplied(&[case(&own, "mine"), case(&own, "theirs")]),
    ];
    let text = refusals
        .map(|supplements| folder.plain(&refused(&file, &supplements)))
        .concat();
    let refusal = |why: &str| {
        let decision = "error: IN/episode.json:1: decision `episode/1`";
        let help =
            "pass `--rules TEXT`, or cases in which every decision's state has one set of rules";
        format!(
            "{decision}: the cases of `--rules-from` have different rules, and {why}\n  help: {help}\n"
        )
    };
    let expected = [
        refusal("none of them has its state"),
        refusal("there are 2 for its state"),
    ];
    assert_eq!(text, expected.concat());
}

#[test]
fn what_stood_in_the_state_and_is_not_kept_is_named() {
    let lacks = |more: &Value| one(more).missing;
    assert_eq!(lacks(&json!({})), []);
    assert_eq!(lacks(&json!({"plan": true})), [Missing::Plan]);
    assert_eq!(
        lacks(&json!({"harness_notices": ["one"]})),
        [Missing::Notices]
    );
    assert_eq!(lacks(&json!({"harness_notices": []})), []);
    let folder = Folder::new();
    for (state, pictures) in [
        (json!({"screen": "frames/1.png"}), true),
        (json!([{"type": "image", "data": ""}]), true),
        (json!({"screen": "data:image/png;base64,AAAA"}), true),
        (json!({"words": "a png picture", "type": "page"}), false),
    ] {
        let mut run = episode(&json!({}));
        run["views"][0]["state"] = state;
        let path = folder.write("episode.json", &run);
        let run = import::read(&path, &with_rules("r")).unwrap();
        let missing = &run.decisions[0].missing;
        assert_eq!(
            missing.as_slice() == [Missing::Images],
            pictures,
            "{missing:?}"
        );
    }
}

#[test]
fn a_tick_without_probabilities_has_a_choice_and_a_confidence_that_means_nothing_is_left_out() {
    let llm =
        one(&json!({"probabilities": {}, "confidence": 0.0, "source": "llm", "accepted": true}));
    let Some(Outcome::Answered(answer)) = &llm.outcome else {
        panic!("an answer")
    };
    assert_eq!(
        (answer.choice, &answer.probabilities),
        (Some(OptionId(0)), &None)
    );
    assert_eq!(answer.backend_confidence, None);
    assert_eq!(
        (llm.standing(), llm.case.field("backend")),
        (Standing::Reask, Some("llm"))
    );
    let served = one(&json!({"source": "laya-served", "served_by": "laya-0.4"}));
    let Some(Outcome::Answered(answer)) = &served.outcome else {
        panic!("an answer")
    };
    assert_eq!(answer.served_model.as_deref(), Some("laya-0.4"));
}

#[test]
fn blocked_options_were_not_offered_and_an_expected_one_among_them_is_not_accepted() {
    let folder = Folder::new();
    let mut run = episode(&json!({"blocked": ["b"], "probabilities": {"a": 1.0}}));
    let path = folder.write("episode.json", &run);
    let found = import::read(&path, &Supplements::default()).unwrap();
    assert_eq!(found.decisions[0].case.options.len(), 1);
    run["extra"] = json!({"ticket_router": {"seed": 3, "routes": [{"id": "t", "expected": "b"}]}});
    let path = folder.write("episode.json", &run);
    let found = import::read(&path, &Supplements::default()).unwrap();
    assert!(found.decisions[0].case.accept.is_empty());
    assert_eq!(found.decisions[0].case.field("seed"), Some("3"));
    run["decisions"][0] = episode(&json!({}))["decisions"][0].clone();
    let path = folder.write("episode.json", &run);
    let found = import::read(&path, &Supplements::default()).unwrap();
    assert_eq!(found.decisions[0].case.accept, [OptionId(1)]);
}

#[test]
fn answers_that_break_a_rule_failed_and_decisions_that_failed_have_no_answer() {
    let broken = one(&json!({"probabilities": {"a": 0.2, "b": 0.2}}));
    let Some(Outcome::Failed(failed)) = &broken.outcome else {
        panic!("a failed ask")
    };
    assert_eq!(
        failed.message,
        "the probabilities add up to 0.400000, expected 1 (probability-sum)"
    );
    let peak = one(&json!({"key": "b"}));
    let Some(Outcome::Failed(failed)) = &peak.outcome else {
        panic!("a failed ask")
    };
    assert!(
        failed.message.ends_with("(choice-not-peak)"),
        "{}",
        failed.message
    );
    let folder = Folder::new();
    let mut run = episode(&json!({"key": null, "probabilities": {}, "error": "timed out"}));
    run["views"].as_array_mut().unwrap().pop();
    let path = folder.write("episode.json", &run);
    let found = import::read(&path, &with_rules("r")).unwrap();
    let decision = &found.decisions[0];
    let why = "timed out".to_owned();
    assert_eq!(
        (&decision.outcome, &decision.missing),
        (&None, &vec![Missing::Answer { why }])
    );
    // What was asked is all on record.
    assert_eq!(decision.standing(), Standing::Reask);
}

#[test]
fn a_tick_whose_view_is_not_known_keeps_its_answer_and_is_good_for_nothing() {
    let folder = Folder::new();
    let mut run = episode(&json!({}));
    run["views"][0]["candidates"] = json!({"a": "one", "c": "three"});
    let path = folder.write("episode.json", &run);
    let found = import::read(&path, &with_rules("r")).unwrap();
    let decision = &found.decisions[0];
    assert_eq!(decision.missing, [Missing::View, Missing::Rules]);
    assert_eq!(choice(decision), Some("a"));
    assert!(decision.case.brought.unlisted);
    assert_eq!(decision.standing(), Standing::Neither);
}
