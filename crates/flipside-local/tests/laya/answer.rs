//! Every case: texts, tokens, hidden states, vectors, logits, probabilities and answers.

use std::cell::RefCell;
use std::collections::BTreeMap;

use candle_core::DType;
use flipside_local::Observer;
use flipside_local::laya::{Answer, Laya, Question};
use serde_json::Value;

use crate::golden::{Golden, flat, floats, near, near_scaled, raw, rewrite, texts, whole};
use crate::support::{SHARE, TIGHT, asked, figures, open, same_answer};

fn check(name: &str) {
    let golden = Golden::open(name);
    let (_kept, folder) = golden.checkpoint();
    let laya = open(&folder);
    assert!(!golden.list("cases").is_empty());
    for case in golden.list("cases") {
        one(&golden, &laya, case);
    }
}

fn one(golden: &Golden, laya: &Laya, case: &Value) {
    let name = case["name"].as_str().unwrap();
    let (state, question) = asked(case);
    assert_eq!(question.options, texts(&case["options"]), "{name}");
    assert_eq!(question.keys, texts(&case["keys"]), "{name}");
    assert_eq!(question.order, whole::<usize>(&case["order"]), "{name}");
    let seen: RefCell<BTreeMap<String, Vec<f32>>> = RefCell::default();
    let rows: Vec<usize> = whole(&case["hidden_rows"]);
    let see = |what: &str, tensor: &candle_core::Tensor| {
        let all: Vec<Vec<f32>> = tensor.to_vec2().unwrap();
        let kept = rows.iter().flat_map(|row| all[*row].clone()).collect();
        seen.borrow_mut().insert(what.to_owned(), kept);
    };
    let sequence = laya.sequence(&state, &question).unwrap();
    assert_eq!(sequence.ids, whole::<u32>(&case["ids"]), "{name}");
    assert_eq!(sequence.markers, whole::<usize>(&case["markers"]), "{name}");
    let layout = &case["layout"];
    match &sequence.sides {
        None => assert!(layout.is_null(), "{name}"),
        Some(sides) => {
            assert_eq!(
                sides.positions,
                whole::<u32>(&layout["position_ids"]),
                "{name}"
            );
            // Only the numbers of what is common and of options differ: slots count from 1 on both sides.
            let owners: Vec<u32> = whole(&layout["option_ids"]);
            assert_eq!(sides.owners, owners, "{name}");
        }
    }
    let stats = &case["stats"];
    let count = |member: &str| usize::try_from(stats[member].as_u64().unwrap()).unwrap();
    let cuts = &sequence.cuts;
    assert_eq!(cuts.options.len(), count("options"), "{name}");
    assert_eq!(cuts.distinct, count("options_distinct"), "{name}");
    assert_eq!(cuts.state.0, count("state_tokens"), "{name}");
    assert_eq!(cuts.state.1, count("state_tokens_used"), "{name}");
    assert_eq!(
        cuts.state.0 - cuts.state.1,
        count("state_tokens_dropped"),
        "{name}"
    );

    let scored = laya
        .score(&question, &sequence, Observer::new(&see))
        .unwrap();
    let expected = |what: &str| golden.numbers(&format!("{name}/{what}"));
    if !rows.is_empty() {
        let names = seen.borrow();
        for (what, found) in names.iter() {
            if golden.has(&format!("{name}/{what}")) {
                near_scaled(&format!("{name}/{what}"), found, &expected(what));
            }
        }
        for what in ["embeddings", "layer0", "layer1", "final", "head0"] {
            assert!(
                golden.has(&format!("{name}/{what}")) && names.contains_key(what),
                "{name}: {what}"
            );
        }
    }
    near(&format!("{name}/z"), &scored.logits, &expected("z"), TIGHT);
    if golden.has(&format!("{name}/marks")) {
        near_scaled(
            &format!("{name}/marks"),
            &flat(&scored.vectors),
            &expected("marks"),
        );
    }
    near(
        &format!("{name}/act"),
        &scored.actions,
        &expected("act"),
        SHARE,
    );
    let answer = laya.ask(&state, &question).unwrap().answer;
    near(
        &format!("{name}/p"),
        &answer.probabilities,
        &expected("p"),
        SHARE,
    );
    let temperature = case["temperature"].as_f64().unwrap();
    assert!(
        (answer.temperature - temperature).abs() < 1e-6,
        "{name}: {}",
        answer.temperature
    );
    figures(name, &question, &answer, case);
    same_answer(name, &question, &answer, case);
}

#[test]
fn the_first_geometry_is_that_of_the_package() {
    check("laya-a");
}

#[test]
fn tight_budgets_cut_as_the_package_does() {
    check("laya-a-tight");
}

#[test]
fn another_geometry_with_other_special_tokens_is_that_of_the_package() {
    check("laya-b");
}

#[test]
fn options_side_by_side_are_those_of_the_package() {
    check("laya-parallel");
}

#[test]
fn answers_follow_from_logits_as_in_the_package() {
    let golden = Golden::open("laya-a");
    for decode in golden.list("decode") {
        let name = decode["name"].as_str().unwrap();
        let question = Question::parse(&raw(decode, "question_json")).unwrap();
        let temperature = decode["temperature"].as_f64().unwrap();
        let act = floats(&decode["act"])[0];
        let answer = Answer::of(&question, &floats(&decode["z"]), temperature, Some(act));
        near(
            name,
            &answer.probabilities,
            &floats(&decode["p"]),
            (1e-6, 0.0),
        );
        figures(name, &question, &answer, decode);
        same_answer(name, &question, &answer, decode);
    }
}

#[test]
fn rows_of_a_padded_batch_are_those_of_single_rows() {
    let golden = Golden::open("laya-a");
    let (_kept, folder) = golden.checkpoint();
    let laya = open(&folder);
    for batch in golden.list("batches") {
        let names = texts(&batch["cases"]);
        let all = golden.numbers(&format!("batch/{}/z", batch["name"].as_str().unwrap()));
        let most = all.len() / names.len();
        for (name, row) in names.iter().zip(all.chunks(most)) {
            let (state, question) = asked(golden.case(name));
            let logits = laya.ask(&state, &question).unwrap().scored.logits;
            near(name, &logits, &row[..logits.len()], TIGHT);
        }
    }
}

/// The published files hold 16-bit floats; what is computed from them is what the same numbers in 32 bits give, bit by bit.
#[test]
fn the_type_on_disk_changes_no_bit() {
    let golden = Golden::open("laya-a");
    let (_kept, folder) = golden.checkpoint();
    let half = open(&folder);
    rewrite(&folder, |tensors| {
        for tensor in tensors.values_mut() {
            assert_eq!(tensor.dtype(), DType::F16);
            *tensor = tensor.to_dtype(DType::F32).unwrap();
        }
    });
    let single = open(&folder);
    assert_ne!(half.digest(), single.digest());
    for case in golden.list("cases").iter().take(12) {
        let (state, question) = asked(case);
        let logits = |laya: &Laya| laya.ask(&state, &question).unwrap().scored.logits;
        assert_eq!(logits(&half), logits(&single), "{}", case["name"]);
    }
}
