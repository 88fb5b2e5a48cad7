//! What order moves: which sequences are the same, options side by side, and equal texts in every slot.

use flipside_core::case::QuestionKind;
use flipside_local::laya::{Question, State};

use crate::golden::{Golden, near, raw, texts, whole};
use crate::support::{TIGHT, asked, open};

#[test]
fn side_by_side_no_order_moves_a_logit_beyond_rounding() {
    let golden = Golden::open("laya-parallel");
    let relation = golden
        .list("relations")
        .iter()
        .find(|relation| relation["kind"] == "same_z_by_option")
        .unwrap();
    let (_kept, folder) = golden.checkpoint();
    let laya = open(&folder);
    let names = texts(&relation["cases"]);
    let logits = |name: &str| {
        let (state, question) = asked(golden.case(name));
        laya.ask(&state, &question).unwrap().answer.logits
    };
    let first = logits(names[0]);
    for name in &names {
        near(name, &logits(name), &first, (1e-5, 0.0));
    }
    assert!(names.len() >= 24);
}

#[test]
fn sequences_are_the_same_or_differ_as_the_package_says() {
    for name in ["laya-a", "laya-b"] {
        let golden = Golden::open(name);
        let (_kept, folder) = golden.checkpoint();
        let laya = open(&folder);
        let ids = |name: &str| {
            let (state, question) = asked(golden.case(name));
            laya.sequence(&state, &question).unwrap().ids
        };
        for relation in golden.list("relations") {
            let names = texts(&relation["cases"]);
            let same = ids(names[0]) == ids(names[1]);
            match relation["kind"].as_str().unwrap() {
                "same_ids" => assert!(same, "{names:?}"),
                "different_ids" => assert!(!same, "{names:?}"),
                _ => {}
            }
        }
    }
}

/// Identical texts in every slot, past the rule that keys differ.
#[test]
fn slots_of_equal_texts_have_the_packages_logits() {
    let golden = Golden::open("laya-a");
    let (_kept, folder) = golden.checkpoint();
    let laya = open(&folder);
    for slots in golden.list("slots") {
        let name = slots["name"].as_str().unwrap();
        let options: Vec<String> = texts(&slots["texts"])
            .iter()
            .map(|&text| text.to_owned())
            .collect();
        let question = Question {
            kind: QuestionKind::parse(slots["type"].as_str().unwrap()).unwrap(),
            instructions: slots["instructions"].as_str().unwrap().to_owned(),
            order: (0..options.len()).collect(),
            keys: (0..options.len()).map(|place| place.to_string()).collect(),
            levels: Vec::new(),
            options,
        };
        let state = State::of(&raw(slots, "state_json")).unwrap();
        let asked = laya.ask(&state, &question).unwrap();
        assert_eq!(asked.sequence.ids, whole::<u32>(&slots["ids"]), "{name}");
        assert_eq!(
            asked.sequence.markers,
            whole::<usize>(&slots["markers"]),
            "{name}"
        );
        let expected = golden.numbers(&format!("slots/{name}/z"));
        near(name, &asked.scored.logits, &expected, TIGHT);
        assert_eq!(asked.sequence.cuts.distinct, 1);
    }
}
