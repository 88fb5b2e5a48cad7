//! Answers from logits.

use flipside_core::case::QuestionKind;
use flipside_local::agentjev::{Answer, Question};
use serde_json::Value;

use super::golden::{Golden, floats, near, texts};

pub(crate) fn same_answer(
    name: &str,
    question: &Question,
    answer: &Answer,
    theirs: &Value,
    within: f64,
) {
    let close = |what: &str, found: f64, expected: &Value| {
        let expected = expected.as_f64().unwrap();
        assert!(
            (found - expected).abs() <= within,
            "{name}/{what}: {found}, expected {expected}"
        );
    };
    for (key, p) in question.keys.iter().zip(&answer.probabilities) {
        close(key, f64::from(*p), &theirs["distribution"][key]);
    }
    match question.kind {
        QuestionKind::Choice => {
            assert_eq!(
                theirs["value"],
                question.keys[answer.choice].as_str(),
                "{name}"
            );
            assert_eq!(
                theirs["description"],
                question.candidates[answer.choice].as_str(),
                "{name}"
            );
            close("margin", f64::from(answer.margin()), &theirs["margin"]);
        }
        QuestionKind::Score => {
            assert_eq!(
                theirs["level"].as_u64(),
                Some(answer.choice as u64),
                "{name}"
            );
            close("score", answer.score.unwrap(), &theirs["score"]);
        }
        QuestionKind::Noul => {
            close(
                "probability",
                f64::from(answer.probabilities[0]),
                &theirs["probability"],
            );
            assert_eq!(theirs["value"], answer.probabilities[0] >= 0.5, "{name}");
        }
    }
}

#[test]
fn answers_follow_from_logits() {
    let golden = Golden::open("agentjev-a");
    for decode in golden.list("decode") {
        let name = decode["name"].as_str().unwrap();
        let question = Question {
            id: "q".to_owned(),
            kind: match decode["type"].as_str().unwrap() {
                "boolean" => QuestionKind::Noul,
                "score" => QuestionKind::Score,
                _ => QuestionKind::Choice,
            },
            text: "x".to_owned(),
            keys: texts(&decode["keys"])
                .iter()
                .map(|&key| key.to_owned())
                .collect(),
            candidates: texts(&decode["candidates"])
                .iter()
                .map(|&key| key.to_owned())
                .collect(),
        };
        let answer = Answer::of(
            &question,
            floats(&decode["z"]),
            decode["temperature"].as_f64().unwrap(),
        )
        .unwrap();
        near(
            name,
            &answer.probabilities,
            &floats(&decode["p"]),
            (1e-6, 0.0),
        );
        same_answer(name, &question, &answer, &decode["answer"], 1e-6);
    }
}
