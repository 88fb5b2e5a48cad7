//! What the tests of Laya share.

use camino::Utf8PathBuf;
use flipside_core::case::QuestionKind;
use flipside_local::Precision;
use flipside_local::laya::{Answer, Laya, Question, State};
use serde_json::Value;

use crate::golden::{raw, texts};

/// Logits: 1e-5, and a part in 1e5 of large ones. Measured over all cases: at most 1.5e-6, at a logit of 1.2.
pub(crate) const TIGHT: (f32, f32) = (1e-5, 1e-5);
/// Probabilities. Measured: at most 9.6e-7.
pub(crate) const SHARE: (f32, f32) = (1e-5, 0.0);

pub(crate) fn open(folder: &Utf8PathBuf) -> Laya {
    Laya::open(folder, Precision::F32).unwrap()
}

/// The question as it is asked, and the state.
pub(crate) fn asked(case: &Value) -> (State, Question) {
    let state = State::of(&raw(case, "state_json")).unwrap();
    let question = Question::parse(&raw(case, "question_json")).unwrap();
    (state, question)
}

/// The unrounded figures beside the distribution.
pub(crate) fn figures(name: &str, question: &Question, answer: &Answer, case: &Value) {
    let unrounded = &case["unrounded"];
    let close = |what: &str, found: f64| {
        let expected = unrounded[what].as_f64().unwrap();
        assert!(
            (found - expected).abs() < 1e-5,
            "{name}/{what}: {found}, expected {expected}"
        );
    };
    close("confidence", answer.confidence);
    close(
        "answer_confidence",
        f64::from(answer.probabilities[answer.choice]),
    );
    close("act_probability", f64::from(answer.act.unwrap()));
    match question.kind {
        QuestionKind::Score => close("score", answer.score.unwrap()),
        QuestionKind::Noul => close("noul", f64::from(answer.probabilities[1])),
        QuestionKind::Choice => {}
    }
}

/// What the original answers, in words.
pub(crate) fn same_answer(name: &str, question: &Question, answer: &Answer, case: &Value) {
    let theirs: Value = serde_json::from_str(case["answer_json"].as_str().unwrap()).unwrap();
    assert_eq!(theirs["type"], question.kind.name(), "{name}");
    if question.kind == QuestionKind::Choice {
        // A label that is a boolean comes back as one.
        let choice = theirs["choice"]
            .as_str()
            .map_or_else(|| theirs["choice"].to_string(), str::to_owned);
        let theirs = question.keys.iter().position(|key| *key == choice).unwrap();
        // Options that are cut to the same tokens differ by rounding alone.
        let p = &answer.probabilities;
        let tied = p[answer.choice] - p[theirs] < 1e-6;
        assert!(
            tied,
            "{name}: {} and not {choice}",
            question.keys[answer.choice]
        );
    }
    if let Some(legend) = theirs.get("legend") {
        let legend: Vec<&str> = match legend {
            Value::Array(_) => texts(legend),
            _ => question
                .keys
                .iter()
                .map(|key| legend[key].as_str().unwrap())
                .collect(),
        };
        assert_eq!(question.levels, legend, "{name}");
    }
}
