//! AgentJev against transformers: ids and texts exactly, numbers within 1e-5.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod golden;

use std::cell::RefCell;
use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use candle_core::Tensor;
use flipside_core::case::QuestionKind;
use flipside_local::agentjev::{AgentJev, Answer, Mode, Question, Settings, text};
use flipside_local::{Observer, Precision};
use golden::{Golden, damage, flat, floats, near, near_scaled, raw, texts, whole};
use serde_json::Value;

/// Vectors and logits: 1e-5, and a part in 1e5 of large ones.
const TIGHT: (f32, f32) = (1e-5, 1e-5);
/// Probabilities.
const SHARE: (f32, f32) = (1e-5, 0.0);

fn settings(golden: &Golden) -> Settings {
    Settings {
        set_heads: usize::try_from(golden.all["set_heads"].as_u64().unwrap()).unwrap(),
        ..Settings::default()
    }
}

fn open(golden: &Golden, folder: &Utf8PathBuf) -> AgentJev {
    AgentJev::open(folder, settings(golden)).unwrap()
}

fn asked(case: &Value) -> (String, Question) {
    let state = text("state", &raw(case, "state_json")).unwrap();
    let question = Question::parse(&raw(case, "question_json"), 0).unwrap();
    (state, question)
}

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

fn same_answer(name: &str, question: &Question, answer: &Answer, theirs: &Value, within: f64) {
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

fn bits(tensor: &Tensor) -> Vec<Vec<u32>> {
    let rows: Vec<Vec<f32>> = tensor.to_vec2().unwrap();
    rows.iter()
        .map(|row| row.iter().map(|x| x.to_bits()).collect())
        .collect()
}

/// Every order of five candidates, lexicographic.
fn orders() -> Vec<Vec<usize>> {
    fn extend(order: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if order.len() == 5 {
            all.push(order.clone());
        }
        for next in 0..5 {
            if !order.contains(&next) {
                order.push(next);
                extend(order, all);
                order.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(&mut Vec::new(), &mut all);
    all
}

#[test]
fn every_order_gives_the_reference_logits_and_bit_identical_vectors() {
    for name in ["agentjev-a", "agentjev-b"] {
        let golden = Golden::open(name);
        let (_kept, folder) = golden.checkpoint();
        let model = open(&golden, &folder);
        for case in golden
            .list("cases")
            .iter()
            .filter(|case| case["permutations"] == true)
        {
            let (state, question) = asked(case);
            let paths = model.paths(&state, &question).unwrap();
            let (vectors, _) = model.vectors(&paths, Mode::Path).unwrap();
            let (shared, _) = model.vectors(&paths, Mode::Shared).unwrap();
            let (own, own_shared) = (bits(&vectors), bits(&shared));
            let logits = model.score(&vectors, Observer::NONE).unwrap();
            let best = golden_best(&logits);
            let expected = golden.numbers(&format!("{}/perms_z", case["name"].as_str().unwrap()));
            for (order, expected) in orders().iter().zip(expected.chunks(5)) {
                let mut permuted = paths.clone();
                permuted.candidates = order
                    .iter()
                    .map(|place| paths.candidates[*place].clone())
                    .collect();
                for (mode, own) in [(Mode::Path, &own), (Mode::Shared, &own_shared)] {
                    let found = bits(&model.vectors(&permuted, mode).unwrap().0);
                    for (row, place) in found.iter().zip(order) {
                        assert_eq!(row, &own[*place], "{mode:?} {order:?}");
                    }
                }
                let rows: Vec<Tensor> = order
                    .iter()
                    .map(|place| vectors.narrow(0, *place, 1).unwrap())
                    .collect();
                let found = model
                    .score(&Tensor::cat(&rows, 0).unwrap(), Observer::NONE)
                    .unwrap();
                near(&format!("{order:?}"), &found, expected, TIGHT);
                assert_eq!(order[golden_best(&found)], best, "{order:?}");
                for (z, place) in found.iter().zip(order) {
                    // A few steps of rounding.
                    assert!(
                        (z - logits[*place]).abs() <= 4e-6 * z.abs().max(1.0),
                        "{order:?}"
                    );
                }
            }
        }
    }
}

fn golden_best(values: &[f32]) -> usize {
    (0..values.len())
        .rev()
        .max_by(|a, b| values[*a].total_cmp(&values[*b]))
        .unwrap()
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

/// What was asked before, in whichever order, changes no bit.
#[test]
fn kept_prefixes_change_no_bit() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let alone = |case: &Value| {
        let model = open(&golden, &folder);
        let (state, question) = asked(case);
        bits(&model.ask(&state, &question).unwrap().vectors)
    };
    let warm = open(&golden, &folder);
    let cases: Vec<&Value> = golden.list("cases").iter().collect();
    for case in cases.iter().chain(cases.iter().rev()) {
        let (state, question) = asked(case);
        let found = bits(&warm.ask(&state, &question).unwrap().vectors);
        assert_eq!(found, alone(case), "{}", case["name"]);
    }
    let (state, question) = asked(cases[0]);
    let paths = warm.paths(&state, &question).unwrap();
    warm.vectors(&paths, Mode::Shared).unwrap();
    let (_, read) = warm.vectors(&paths, Mode::Shared).unwrap();
    let candidates: usize = paths.candidates.iter().map(Vec::len).sum();
    assert_eq!(read, candidates, "state and question are kept");
}

#[test]
fn scored_alone_no_neighbour_moves_a_logit() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let alone = AgentJev::open(
        &folder,
        Settings {
            alone: true,
            ..settings(&golden)
        },
    )
    .unwrap();
    let together = open(&golden, &folder);
    let (state, question) = asked(golden.case("five"));
    let seen = alone.ask(&state, &question).unwrap();
    let vectors: Vec<Vec<f32>> = seen.vectors.to_vec2().unwrap();
    assert_eq!(
        alone.rescore(&vectors[1..]).unwrap(),
        seen.answer.logits[1..]
    );
    assert_ne!(
        together.ask(&state, &question).unwrap().answer.logits,
        seen.answer.logits
    );
}

#[test]
fn rounding_to_sixteen_bits_moves_logits_a_little() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let rounded = AgentJev::open(
        &folder,
        Settings {
            precision: Precision::Bf16,
            ..settings(&golden)
        },
    )
    .unwrap();
    let exact = open(&golden, &folder);
    let mut moved = 0.0f32;
    for case in golden.list("cases") {
        let (state, question) = asked(case);
        let a = exact.ask(&state, &question).unwrap().answer.logits;
        let b = rounded.ask(&state, &question).unwrap().answer.logits;
        for (a, b) in a.iter().zip(&b) {
            moved = moved.max((a - b).abs() / a.abs().max(1.0));
        }
    }
    assert!(moved > 1e-4 && moved < 0.2, "{moved}");
}

#[test]
fn values_are_rendered_as_the_service_does() {
    let golden = Golden::open("agentjev-a");
    assert!(golden.list("renders").len() > 10);
    for render in golden.list("renders") {
        let found = text("option", &raw(render, "json")).unwrap();
        assert_eq!(found, render["text"].as_str().unwrap());
    }
    for render in golden.list("render_errors") {
        let found = text("option", &raw(render, "json")).unwrap_err();
        assert_eq!(found.to_string(), render["error"].as_str().unwrap());
    }
}

#[test]
fn what_the_service_refuses_is_refused() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let model = open(&golden, &folder);
    let (mut refused, mut taken) = (0, Vec::new());
    for error in golden.list("errors") {
        let mut request = error["request_json"].as_str().unwrap().to_owned();
        if let Some(repeats) = error["repeat"].as_object() {
            for (mark, repeat) in repeats {
                let count = usize::try_from(repeat[1].as_u64().unwrap()).unwrap();
                let long = repeat[0].as_str().unwrap().repeat(count);
                request = request.replace(&format!("\"{mark}\""), &format!("\"{long}\""));
            }
        }
        let Ok(request) = flipside_formats::json::parse(&request) else {
            // NaN and keys given twice never reach a model here.
            continue;
        };
        if error["error"].is_null() {
            model.check(&request).unwrap();
            continue;
        }
        refused += 1;
        match model.check(&request) {
            Ok(()) => taken.push(error["name"].as_str().unwrap()),
            Err(found) => {
                let theirs = error["error"].as_str().unwrap();
                if theirs.contains("limit 2048") || theirs.contains("must be nonempty text") {
                    assert!(
                        found
                            .to_string()
                            .ends_with(theirs.split(": ").last().unwrap()),
                        "{found} | {theirs}"
                    );
                }
            }
        }
    }
    assert!(taken.is_empty(), "{taken:?}");
    assert!(refused > 40, "{refused}");
}

#[test]
fn up_to_255_options_fit() {
    let golden = Golden::open("agentjev-a");
    for wide in golden.list("wide") {
        let count = wide["count"].as_u64().unwrap();
        let options: Vec<String> = (0..count).map(|i| format!("\"option {i}\"")).collect();
        let question = format!(
            r#"{{"id":"q","question":"Which?","options":[{}]}}"#,
            options.join(",")
        );
        let found = Question::parse(&flipside_formats::json::parse(&question).unwrap(), 0);
        assert_eq!(found.is_err(), !wide["error"].is_null(), "{count}");
    }
    let error = |text: &str| {
        Question::parse(&flipside_formats::json::parse(text).unwrap(), 0)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(r#"{"id":"q","question":"x","options":["a"]}"#),
        "question `q`: 1 options, expected 2 to 255"
    );
    assert_eq!(
        error(r#"{"id":"q","question":"x","options":{"a":"t","b":"t"}}"#),
        "question `q`: `a` and `b` have the same text, which no model could tell apart"
    );
    assert_eq!(
        error(r#"{"id":"","question":"x"}"#),
        "a question's `id` must be a string that is not empty"
    );
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

#[test]
fn temperatures_are_read_or_refused() {
    let golden = Golden::open("agentjev-a");
    for entry in golden.list("temperatures") {
        let name = entry["name"].as_str().unwrap();
        let (_kept, folder) = golden.checkpoint();
        std::fs::write(
            folder.join("temperatures.json"),
            entry["config_json"].as_str().unwrap(),
        )
        .unwrap();
        let model = AgentJev::open(&folder, settings(&golden));
        if !entry["error"].is_null() {
            let error = model
                .err()
                .unwrap_or_else(|| panic!("{name} loads"))
                .to_string();
            assert!(error.contains("temperatures.json"), "{error}");
            continue;
        }
        let model = model.unwrap_or_else(|error| panic!("{name}: {error}"));
        for (kind, of) in [
            ("boolean", QuestionKind::Noul),
            ("choice", QuestionKind::Choice),
            ("score", QuestionKind::Score),
        ] {
            let expected = entry["applied"][kind].as_f64().unwrap();
            assert!(
                (model.temperatures().of(of) - expected).abs() < 1e-12,
                "{name}/{kind}"
            );
        }
    }
}

#[test]
fn damaged_checkpoints_are_named() {
    let golden = Golden::open("agentjev-a");
    for entry in golden.list("load_errors") {
        let (_kept, folder) = golden.checkpoint();
        damage(&folder, entry);
        let Err(error) = AgentJev::open(&folder, settings(&golden)) else {
            panic!("{} loads", entry["name"]);
        };
        let tensor = entry["tensor"].as_str().unwrap();
        assert!(
            error.to_string().contains(&format!("`{tensor}`")),
            "{error}"
        );
    }
    let (_kept, folder) = golden.checkpoint();
    let heads = Settings {
        set_heads: 3,
        ..Settings::default()
    };
    let error = AgentJev::open(&folder, heads).err().unwrap().to_string();
    assert!(
        error.ends_with(
            "3 set heads do not divide the 16 rows of `proj_in.weight`; set `set_heads`"
        ),
        "{error}"
    );
    for (found, put, expected) in [
        (
            "\"silu\"",
            "\"gelu\"",
            "`hidden_act` is the string \"gelu\", expected \"silu\"",
        ),
        (
            "\"hidden_size\": 32",
            "\"hidden_size\": 0",
            "`hidden_size` is the number 0, expected a whole number from 1",
        ),
        (
            "\"num_key_value_heads\": 2",
            "\"num_key_value_heads\": 3",
            "`num_key_value_heads` is the number 3, expected a divisor of `num_attention_heads`, which is 4",
        ),
    ] {
        let (_kept, folder) = golden.checkpoint();
        let file = folder.join("config.json");
        let config = std::fs::read_to_string(&file).unwrap();
        assert!(config.contains(found), "{config}");
        std::fs::write(&file, config.replace(found, put)).unwrap();
        let error = AgentJev::open(&folder, settings(&golden))
            .err()
            .unwrap()
            .to_string();
        assert!(error.ends_with(expected), "{error}");
    }
    let (_kept, folder) = golden.checkpoint();
    std::fs::remove_file(folder.join("tokenizer.json")).unwrap();
    let error = AgentJev::open(&folder, settings(&golden))
        .err()
        .unwrap()
        .to_string();
    assert!(error.ends_with("tokenizer.json` cannot be read"), "{error}");
}
