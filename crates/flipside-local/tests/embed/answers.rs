//! Tokens, vectors, logits, probabilities and replies.

use std::cell::RefCell;
use std::collections::BTreeMap;

use flipside_local::Observer;
use flipside_local::embed::{Embed, Readout, Row, SCALE};
use flipside_local::laya::{Question, State};
use serde_json::Value;

use super::golden::{Golden, flat, near, near_scaled, raw, texts, whole};
use super::{choice, json, open};

const TIGHT: (f32, f32) = (1e-5, 1e-5);
const SHARE: (f32, f32) = (1e-5, 0.0);

fn asked(case: &Value) -> (State, Question) {
    (
        State::of(&raw(case, "state_json")).unwrap(),
        Question::parse(&raw(case, "question_json")).unwrap(),
    )
}

fn pair(value: &Value) -> (usize, usize) {
    let both: Vec<usize> = whole(value);
    (both[0], both[1])
}

fn rows(case: &Value) -> Vec<Row> {
    let rows = case["rows"].as_array().unwrap().iter();
    rows.map(|row| Row {
        ids: whole(&row["ids"]),
        spans: row["spans"]
            .as_array()
            .unwrap()
            .iter()
            .map(|span| pair(span).0..pair(span).1)
            .collect(),
    })
    .collect()
}

fn both() -> (tempfile::TempDir, Golden, [Embed; 2]) {
    let golden = Golden::open("embed-a");
    let (kept, folder) = golden.checkpoint();
    let models = [Readout::Apart, Readout::Together].map(|readout| open(&folder, readout));
    (kept, golden, models)
}

fn of<'m>(models: &'m [Embed; 2], case: &Value) -> &'m Embed {
    let readout = Readout::parse(case["readout"].as_str().unwrap()).unwrap();
    let mut models = models.iter();
    models
        .find(|model| model.settings().readout == readout)
        .unwrap()
}

#[test]
fn every_case_is_that_of_transformers() {
    let (_kept, golden, models) = both();
    assert!(golden.list("cases").len() > 20);
    for case in golden.list("cases") {
        one(&golden, of(&models, case), case);
    }
}

fn one(golden: &Golden, model: &Embed, case: &Value) {
    let name = case["name"].as_str().unwrap();
    let (state, question) = asked(case);
    assert_eq!(question.options, texts(&case["options"]), "{name}");
    assert_eq!(question.keys, texts(&case["keys"]), "{name}");
    assert_eq!(question.order, whole::<usize>(&case["order"]), "{name}");
    let sequence = model.sequence(&state, &question).unwrap();
    assert_eq!(sequence.rows, rows(case), "{name}");
    let cuts = &sequence.cuts;
    assert_eq!(cuts.state, pair(&case["state_tokens"]), "{name}");
    let options = case["option_tokens"].as_array().unwrap().iter().map(pair);
    assert_eq!(cuts.options, options.collect::<Vec<_>>(), "{name}");
    let distinct = usize::try_from(case["options_distinct"].as_u64().unwrap()).unwrap();
    assert_eq!(cuts.distinct, distinct, "{name}");

    let seen: RefCell<BTreeMap<String, Vec<f32>>> = RefCell::default();
    let see = |what: &str, tensor: &candle_core::Tensor| {
        // The first row's.
        let mut seen = seen.borrow_mut();
        seen.entry(what.to_owned()).or_insert_with(|| flat(tensor));
    };
    let scored = model.score(&sequence, Observer::new(&see)).unwrap();
    let expected = |what: &str| golden.numbers(&format!("{name}/{what}"));
    if case["hidden"] == true {
        for what in ["embeddings", "layer0", "layer1", "layer2"] {
            near_scaled(
                &format!("{name}/{what}"),
                &seen.borrow()[what],
                &expected(what),
            );
        }
    }
    near_scaled(&format!("{name}/state"), &scored.state, &expected("state"));
    let vectors = scored.vectors.concat();
    near_scaled(&format!("{name}/vectors"), &vectors, &expected("vectors"));
    near(&format!("{name}/z"), &scored.logits, &expected("z"), TIGHT);
    let answer = model.ask(&state, &question).unwrap().answer;
    near(
        &format!("{name}/p"),
        &answer.probabilities,
        &expected("p"),
        SHARE,
    );
}

#[test]
fn apart_no_order_moves_a_bit_and_in_one_sequence_orders_do() {
    let (_kept, golden, models) = both();
    for relation in golden.list("relations") {
        let logits = |name: &&str| {
            let case = golden.case(name);
            let (state, question) = asked(case);
            of(&models, case)
                .ask(&state, &question)
                .unwrap()
                .answer
                .logits
        };
        let all: Vec<Vec<f32>> = texts(&relation["cases"]).iter().map(logits).collect();
        assert_eq!(all.len(), 3);
        for other in &all[1..] {
            if relation["kind"] == "same_z_by_option" {
                assert_eq!(*other, all[0]);
            } else {
                let moved = all[0].iter().zip(other).map(|(a, b)| (a - b).abs());
                assert!(moved.fold(0.0, f32::max) > 0.01, "{all:?}");
            }
        }
    }
}

#[test]
fn what_one_sequence_has_no_vector_for_is_refused() {
    let (_kept, golden, [apart, together]) = both();
    for (name, said) in [
        (
            "long-options",
            "the options need 126 of 40 tokens, which leaves none for the state; offer fewer, or shorter ones",
        ),
        (
            "empty-state",
            "the state has no tokens, so that it has no vector in one sequence",
        ),
        (
            "empty-option",
            "option ` ` has no tokens, so that it has no vector in one sequence",
        ),
        (
            "no-room",
            "the options need 38 of 40 tokens, which leaves none for the state; offer fewer, or shorter ones",
        ),
    ] {
        let mut errors = golden.list("errors").iter();
        let (state, question) = asked(errors.find(|error| error["name"] == name).unwrap());
        let found = together.ask(&state, &question).unwrap_err().to_string();
        assert_eq!(found, said);
        apart.ask(&state, &question).unwrap();
    }
    assert_eq!(golden.list("errors").len(), 4);
    let (state, mut question) = choice("app", &["bugs", " ", "money"]);
    question.order = vec![2, 0, 1];
    let found = together.ask(&state, &question).unwrap_err().to_string();
    assert_eq!(
        found,
        "option ` ` has no tokens, so that it has no vector in one sequence"
    );
}

#[test]
fn a_token_of_room_is_enough_for_a_state() {
    let (_kept, _, [_, together]) = both();
    let letters: Vec<String> = ('a'..='r').map(String::from).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    let (state, question) = choice("app crash app", &letters);
    let cuts = together.ask(&state, &question).unwrap().sequence.cuts;
    // Two special tokens and 18 options of a token and an end leave 2 of 40.
    assert_eq!(cuts.state, (3, 2));
    assert!(cuts.any());
}

#[test]
fn a_vector_has_length_one_and_a_text_beyond_the_positions_is_refused() {
    let (_kept, _, [apart, _]) = both();
    let vector = apart.vector("card charged twice").unwrap();
    assert_eq!(vector.len(), apart.width());
    let length: f32 = vector.iter().map(|v| v * v).sum();
    assert!((length - 1.0).abs() < 1e-6, "{length}");
    assert_eq!(apart.vector(&"a ".repeat(38)).unwrap().len(), 32);
    assert_eq!(
        apart.vector(&"a ".repeat(39)).unwrap_err().to_string(),
        "the text has 41 tokens, which do not fit into 40"
    );
}

#[test]
fn a_reply_says_what_was_asked_and_reads_shared_texts_alike() {
    let (_kept, _, models) = both();
    let request = json(
        r#"{"state":"card charged twice","questions":{
            "team":{"type":"choice","instructions":"Which?","criteria":{"pay":"money","tech":"bugs"}},
            "level":{"type":"score","instructions":"How bad?","criteria":["no","yes"],"option_order":[1,0]},
            "true":{"type":"noul","instructions":"Is it?"}}}"#,
    );
    let questions = request.as_object().unwrap().get("questions").unwrap();
    for model in models {
        model.check(&request).unwrap();
        let reply: Value = serde_json::from_str(&model.reply("m", &request).unwrap()).unwrap();
        assert_eq!(reply["model"], "m");
        let mut tokens = 0;
        for (id, question) in questions.as_object().unwrap().members() {
            let (state, _) = choice("card charged twice", &["a"]);
            let question = Question::parse(question).unwrap();
            let asked = model.ask(&state, &question).unwrap();
            tokens += asked.sequence.tokens();
            let said = &reply["answers"][id];
            for (key, logit) in question.keys.iter().zip(&asked.answer.logits) {
                let found = said["logits"][key].as_f64().unwrap();
                assert!((found - f64::from(*logit)).abs() < 1e-6, "{id} {said}");
                assert!(found.abs() <= SCALE);
            }
            assert_eq!(said["type"], question.kind.name());
            assert_eq!(said["temperature"], 1);
            assert!(said.get("action").is_none());
        }
        assert_eq!(reply["usage"]["input_tokens"], tokens);
        assert_eq!(reply["usage"]["truncated_questions"], 0);
        assert_eq!(reply["usage"]["state_tokens"], 9);
    }
}

#[test]
fn a_request_that_cannot_be_answered_is_refused_with_the_question() {
    let (_kept, _, [_, together]) = both();
    for (request, said) in [
        (
            r#"{"state":"","questions":{"q":{"type":"noul","instructions":"x"}}}"#,
            "question `q`: the state has no tokens, so that it has no vector in one sequence",
        ),
        (
            r#"{"state":"a","questions":{"q":{"type":"choice","criteria":["a"]}}}"#,
            "question `q`: the question has no `instructions`",
        ),
        (
            r#"{"state":"a","questions":{" ":{"type":"noul","instructions":"x"}}}"#,
            "a question's name must not be blank",
        ),
        (
            r#"{"state":"a","questions":{}}"#,
            "the request needs `state` and an object of `questions`",
        ),
    ] {
        let request = json(request);
        assert_eq!(together.check(&request).unwrap_err().to_string(), said);
        assert_eq!(together.reply("m", &request).unwrap_err().to_string(), said);
    }
}
