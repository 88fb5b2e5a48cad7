//! What the `AgentJev` service was asked and answered, as decisions.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::order::OptionId;
use flipside_core::record::Outcome;
use flipside_core::recorded::{Decision, Missing, Standing};
use flipside_formats::import::{self, Recording, Supplements};

const QUESTIONS: &str = r#"[{"id":"queue","type":"choice","question":"Which team?","options":{"pay":"payments","it":"outages"}},{"id":"angry","type":"boolean","question":"The writer is angry."},{"id":"soon","type":"score","question":"How soon?","levels":["whenever","this week","today"]}]"#;
const ANSWERS: &str = r#"[{"id":"queue","type":"choice","value":"it","top_probability":0.71,"margin":0.42,"distribution":{"pay":0.29,"it":0.71}},{"id":"angry","type":"boolean","probability":0.8,"value":true,"distribution":{"true":0.8,"false":0.2}},{"id":"soon","type":"score","score":1.5,"level":"2","legend":{"0":"whenever","1":"this week","2":"today"},"distribution":{"0":0.1,"1":0.3,"2":0.6}}]"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn write(&self, text: &str) -> Utf8PathBuf {
        let path = Utf8Path::from_path(self.0.path())
            .unwrap()
            .join("calls.jsonl");
        fs_err::write(&path, text).unwrap();
        path
    }
}

fn read(text: &str) -> Recording {
    let folder = Folder(tempfile::tempdir().unwrap());
    import::read(&folder.write(text), &Supplements::default()).unwrap()
}

fn refused(text: &str) -> String {
    let folder = Folder(tempfile::tempdir().unwrap());
    let errors = import::read(&folder.write(text), &Supplements::default()).unwrap_err();
    let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    told.join("\n")
        .replace(folder.0.path().to_str().unwrap(), "IN")
}

fn exchange(questions: &str, answers: &str) -> String {
    format!(
        r#"{{"id":"t1","request":{{"state":{{"ticket":"Charged twice"}},"questions":{questions}}},"response":{{"api_version":"agentjev.decision.v1","model":"agentjev-0.6b","results":[{{"id":"t1","answers":{answers}}}]}},"status":200}}"#
    )
}

fn failed(decision: &Decision) -> &str {
    match &decision.outcome {
        Some(Outcome::Failed(failed)) => &failed.message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn answers_of_every_type_are_read_by_identity() {
    let found = read(&exchange(QUESTIONS, ANSWERS));
    let answers: Vec<_> = found
        .decisions
        .iter()
        .map(|decision| match &decision.outcome {
            Some(Outcome::Answered(answer)) => answer.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(found.format, "agentjev");
    assert_eq!(
        (answers[0].choice, &answers[0].probabilities),
        (Some(OptionId(1)), &Some(vec![0.29, 0.71]))
    );
    // The service asks `true` first.
    assert_eq!(answers[1].choice, Some(OptionId(0)));
    assert_eq!(found.decisions[1].case.options[0].key.0, "true");
    // 0.3 + 2 * 0.6 = 1.5
    assert_eq!(
        (answers[2].choice, answers[2].score),
        (Some(OptionId(2)), Some(1.5))
    );
    assert!(
        answers
            .iter()
            .all(|answer| answer.backend_confidence.is_none())
    );
    for decision in &found.decisions {
        assert_eq!(decision.standing(), Standing::Reask);
        assert_eq!(decision.case.field("backend"), Some("agentjev-0.6b"));
        assert_eq!(
            decision.case.question.before.len() + decision.case.question.after.len(),
            2
        );
    }
    assert_eq!(found.about.served, ["agentjev-0.6b"]);
    assert_eq!(found.decisions[2].case.id.0, "t1#soon");
}

#[test]
fn several_states_are_answered_in_their_order() {
    let body = |id: &str, options: &str| {
        format!(
            r#"{{"id":"{id}","state":"s","questions":[{{"id":"q","question":"Which?","options":{options}}}]}}"#
        )
    };
    let answer = |id: &str, key: &str| {
        format!(
            r#"{{"id":"{id}","answers":[{{"id":"q","type":"choice","value":"{key}","distribution":{{"a":0.5,"b":0.5}}}}]}}"#
        )
    };
    let row = format!(
        r#"{{"request":{{"requests":[{},{}]}},"response":{{"results":[{},{}]}}}}"#,
        body("x", r#"{"b":"two","a":"one"}"#),
        body("y", r#"{"a":"one","b":"two"}"#),
        answer("x", "a"),
        answer("y", "a"),
    );
    let found = read(&row);
    let chosen: Vec<_> = (found.decisions.iter())
        .map(|decision| match &decision.outcome {
            Some(Outcome::Answered(answer)) => (decision.case.id.0.as_str(), answer.choice),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        chosen,
        [("x#q", Some(OptionId(1))), ("y#q", Some(OptionId(0)))]
    );
    let one = row.replace(&format!(",{}", answer("y", "a")), "");
    assert!(refused(&one).starts_with(
        "IN/calls.jsonl:1: expected `response.results` to be as many results as the request has states, 2, found `[{"
    ));
}

#[test]
fn requests_alone_can_be_asked_and_responses_alone_are_good_for_nothing() {
    let request = format!(r#"{{"id":"r","state":"s","questions":{QUESTIONS}}}"#);
    let found = read(&request);
    assert_eq!(found.decisions.len(), 3);
    assert!(
        found
            .decisions
            .iter()
            .all(|each| each.outcome.is_none() && each.standing() == Standing::Reask)
    );
    let found = read(&format!(
        r#"{{"model":"m","results":[{{"id":"t","answers":{ANSWERS}}}]}}"#
    ));
    assert_eq!(found.decisions.len(), 3);
    assert_eq!(found.decisions[0].case.id.0, "t#queue");
    for decision in &found.decisions {
        assert_eq!(decision.missing[0], Missing::Request);
        assert_eq!(decision.standing(), Standing::Neither);
    }
}

#[test]
fn what_failed_and_what_breaks_a_rule_is_a_failed_ask() {
    let one = r#"[{"id":"q","question":"Which?","options":{"a":"one","b":"two"}}]"#;
    let answer = |more: &str| format!(r#"[{{"id":"q","type":"choice",{more}}}]"#);
    let message = |answers: &str| failed(&read(&exchange(one, answers)).decisions[0]).to_owned();
    assert_eq!(message("[]"), "the reply has no answer to `q`");
    let twice =
        r#"[{"id":"q","type":"choice","value":"a"},{"id":"q","type":"choice","value":"b"}]"#;
    assert_eq!(message(twice), "the reply answers it twice");
    assert_eq!(
        message(&answer(r#""value":"c""#)),
        "the reply chose `c`, which was not offered (`a`, `b`) (choice-offered)"
    );
    let boolean = r#"[{"id":"q","type":"boolean","probability":0.5}]"#;
    assert_eq!(
        message(boolean),
        "the answer has type `noul`, the question `choice` (answer-type)"
    );
    let refused = format!(
        r#"{{"request":{{"state":"s","questions":{one}}},"response":{{"error":"a path of 2,100 tokens"}},"status":400}}"#
    );
    let found = read(&refused);
    assert_eq!(
        failed(&found.decisions[0]),
        "status 400: a path of 2,100 tokens"
    );
    assert_eq!(found.decisions[0].standing(), Standing::Reask);
}

#[test]
fn a_file_whose_writer_sorted_keys_lost_the_order_of_its_options() {
    let sorted = r#"{"request":{"questions":[{"id":"q","options":{"a":"one","b":"two"},"question":"Which?","type":"choice"},{"id":"r","options":["one","two"],"question":"Which?","type":"choice"}],"state":{"a":1,"b":2}},"response":{"results":[{"answers":[]}]}}"#;
    let found = read(sorted);
    assert_eq!(found.decisions[0].missing, [Missing::Order]);
    assert!(found.decisions[0].case.brought.unlisted);
    assert_eq!(
        found.decisions[1].missing,
        [],
        "the order of a list is its own"
    );
}

#[test]
fn rows_that_are_none_are_refused_in_these_words() {
    let row = |response: &str, more: &str| {
        format!(
            r#"{{"request":{{"state":"s","questions":[{{"id":"q","question":"Which?","options":["a","b"]}}]}},"response":{response}{more}}}"#
        )
    };
    let refusals = [
        (
            row("3", ""),
            "expected `response` to be an object or null, found a number",
        ),
        (row("{}", ""), "field `response.results` is missing"),
        (
            row(r#"{"results":{}}"#, ""),
            "expected `response.results` to be an array of objects, found an object",
        ),
        (
            row(r#"{"results":[1]}"#, ""),
            "expected `response.results[0]` to be an object, found a number",
        ),
        (
            row("{}", r#","status":"ok""#),
            "expected `status` to be a number, found a string",
        ),
    ];
    for (row, expected) in refusals {
        assert_eq!(refused(&row), format!("IN/calls.jsonl:1: {expected}"));
    }
    let twice = row(r#"{"results":[{"answers":[]}]}"#, r#","id":"x""#);
    let text = refused(&format!("{twice}\n{twice}"));
    assert_eq!(text, "IN/calls.jsonl:2: id `x#q` stands in line 1 too");
}
