//! Every case of the goldens, stage by stage.

use std::cell::RefCell;
use std::collections::BTreeMap;

use candle_core::Tensor;
use flipside_local::Observer;
use flipside_local::agentjev::{AgentJev, Answer, Mode};
use serde_json::Value;

use super::answer::same_answer;
use super::golden::{Golden, flat, near, near_scaled, texts, whole};
use super::support::{TIGHT, asked, bits, open};

/// Probabilities.
const SHARE: (f32, f32) = (1e-5, 0.0);

fn check(name: &str, weights: &str) {
    let golden = Golden::open(name);
    let (_kept, folder) = golden.checkpoint_with(weights);
    let model = open(&golden, &folder);
    assert!(!golden.list("cases").is_empty());
    for case in golden.list("cases") {
        one(&golden, &model, case);
    }
}

fn one(golden: &Golden, model: &AgentJev, case: &Value) {
    let name = case["name"].as_str().unwrap();
    let (state, question) = asked(case);
    assert_eq!(state, case["state_text"].as_str().unwrap(), "{name}");
    assert_eq!(
        question.text,
        case["question_text"].as_str().unwrap(),
        "{name}"
    );
    assert_eq!(question.keys, texts(&case["keys"]), "{name}");
    assert_eq!(question.candidates, texts(&case["candidates"]), "{name}");
    let paths = model.paths(&state, &question).unwrap();
    assert_eq!(paths.state, whole::<u32>(&case["state_ids"]), "{name}");
    assert_eq!(
        paths.question,
        whole::<u32>(&case["question_ids"]),
        "{name}"
    );
    let candidates: Vec<Vec<u32>> = case["candidate_ids"]
        .as_array()
        .unwrap()
        .iter()
        .map(whole)
        .collect();
    assert_eq!(paths.candidates, candidates, "{name}");
    let lengths: Vec<usize> = paths.lengths().collect();
    assert_eq!(lengths, whole::<usize>(&case["path_tokens"]), "{name}");

    let expected = |what: &str| golden.numbers(&format!("{name}/{what}"));
    let seen: RefCell<BTreeMap<String, Tensor>> = RefCell::default();
    let see = |what: &str, tensor: &Tensor| {
        seen.borrow_mut().insert(what.to_owned(), tensor.clone());
    };
    let mut last: BTreeMap<&str, Vec<f32>> = BTreeMap::new();
    for path in 0..candidates.len() {
        let ids = paths.path(path);
        let vector = model.vector(&ids, Observer::new(&see)).unwrap();
        last.entry("vectors").or_default().extend(flat(&vector));
        for layer in ["layer0", "layer1"] {
            let row = seen.borrow()[layer].narrow(0, ids.len() - 1, 1).unwrap();
            last.entry(layer).or_default().extend(flat(&row));
        }
        if case["path_hidden"].as_u64() == Some(path as u64) {
            for layer in ["layer0", "layer1", "final"] {
                let found = flat(&seen.borrow()[layer]);
                near_scaled(
                    &format!("{name}/path/{layer}"),
                    &found,
                    &expected(&format!("path/{layer}")),
                );
            }
        }
    }
    for (what, found) in last {
        near_scaled(&format!("{name}/{what}"), &found, &expected(what));
    }

    let (vectors, read) = model.vectors(&paths, Mode::Path).unwrap();
    assert_eq!(read, lengths.iter().sum::<usize>(), "{name}");
    let logits = model.score(&vectors, Observer::new(&see)).unwrap();
    near(&format!("{name}/z"), &logits, &expected("z"), TIGHT);
    for what in ["set_in", "set0", "set1", "set2"] {
        if golden.has(&format!("{name}/{what}")) {
            near_scaled(
                &format!("{name}/{what}"),
                &flat(&seen.borrow()[what]),
                &expected(what),
            );
        }
    }
    let temperature = model.temperatures().of(question.kind);
    assert!(
        (temperature - case["temperature"].as_f64().unwrap()).abs() < 1e-9,
        "{name}"
    );
    let answer = Answer::of(&question, logits, temperature).unwrap();
    near(
        &format!("{name}/p"),
        &answer.probabilities,
        &expected("p"),
        SHARE,
    );
    same_answer(name, &question, &answer, &case["answer"], 1e-5);

    let shared = model.ask(&state, &question).unwrap();
    near(
        &format!("{name}/shared"),
        &shared.answer.logits,
        &answer.logits,
        (1e-5, 1e-5),
    );
    assert_eq!(shared.answer.choice, answer.choice, "{name}");
}

#[test]
fn the_first_geometry_is_that_of_transformers() {
    check("agentjev-a", "model.safetensors");
}

#[test]
fn the_published_number_format_gives_the_same() {
    check("agentjev-a", "model-bf16.safetensors");
}

#[test]
fn another_geometry_is_that_of_transformers() {
    check("agentjev-b", "model.safetensors");
}

#[test]
fn without_one_candidate_logits_are_the_references() {
    for name in ["agentjev-a", "agentjev-b"] {
        let golden = Golden::open(name);
        let (_kept, folder) = golden.checkpoint();
        let model = open(&golden, &folder);
        for case in golden
            .list("cases")
            .iter()
            .filter(|case| case["leave_one_out"] == true)
        {
            let (state, question) = asked(case);
            let paths = model.paths(&state, &question).unwrap();
            let (vectors, _) = model.vectors(&paths, Mode::Path).unwrap();
            let expected = golden.numbers(&format!(
                "{}/leave_one_out_z",
                case["name"].as_str().unwrap()
            ));
            let all: Vec<Vec<f32>> = vectors.to_vec2().unwrap();
            for (left_out, expected) in expected.chunks(4).enumerate() {
                let mut kept = all.clone();
                kept.remove(left_out);
                near(
                    &format!("without {left_out}"),
                    &model.rescore(&kept).unwrap(),
                    expected,
                    TIGHT,
                );
            }
        }
    }
}

#[test]
fn cases_that_say_the_same_read_the_same() {
    for name in ["agentjev-a", "agentjev-b"] {
        let golden = Golden::open(name);
        let (_kept, folder) = golden.checkpoint();
        let model = open(&golden, &folder);
        assert!(!golden.list("relations").is_empty());
        for relation in golden.list("relations") {
            let [one, other] = texts(&relation["cases"])[..] else {
                panic!("two cases");
            };
            let read = |case: &str| {
                let (state, question) = asked(golden.case(case));
                let asked = model.ask(&state, &question).unwrap();
                (asked.paths, bits(&asked.vectors))
            };
            let (one, mut other) = (read(one), read(other));
            if relation["kind"] == "reversed" {
                other.0.candidates.reverse();
                other.1.reverse();
            }
            assert_eq!(one, other, "{relation}");
        }
    }
}
