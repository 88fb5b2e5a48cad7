//! Pieces, paths, and prefixes that are kept: they save tokens and change no bit.

use std::collections::BTreeMap;
use std::sync::Mutex;

use flipside_core::case::QuestionKind;
use flipside_local::Precision;
use flipside_local::agentjev::{AgentJev, Mode, Question, Settings};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use super::golden::Golden;
use super::random;
use super::support::{asked, bits, open};

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
}

fn choice(text: &str, candidates: &[&str]) -> Question {
    Question {
        id: "q".to_owned(),
        kind: QuestionKind::Choice,
        text: text.to_owned(),
        keys: (0..candidates.len()).map(|i| i.to_string()).collect(),
        candidates: candidates.iter().map(|&text| text.to_owned()).collect(),
    }
}

/// Ten questions about one state read it once, each question once, and each candidate once; asked again, the last ones read their
/// candidates alone.
#[test]
fn a_state_stays_while_questions_about_it_come_and_go() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let model = open(&golden, &folder);
    let state = "A state that ten questions share.";
    let questions: Vec<Question> = (0..10)
        .map(|number| choice(&format!("Question {number}?"), &["one", "two", "three"]))
        .collect();
    for (number, question) in questions.iter().enumerate() {
        let asked = model.ask(state, question).unwrap();
        let own: usize = asked.paths.candidates.iter().map(Vec::len).sum();
        let own = own + asked.paths.question.len();
        let expected = if number == 0 {
            own + asked.paths.state.len()
        } else {
            own
        };
        assert_eq!(asked.backbone_tokens, expected, "question {number}");
    }
    let again = model.ask(state, &questions[9]).unwrap();
    let candidates: usize = again.paths.candidates.iter().map(Vec::len).sum();
    assert_eq!(again.backbone_tokens, candidates);
}

/// Prefixes that together are longer than two of the longest paths are given up, the one used longest ago first.
#[test]
fn long_prefixes_are_not_kept_without_end() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let model = open(&golden, &folder);
    let question = choice("Which?", &["one", "two"]);
    let long = |mark: &str| mark.repeat(1900);
    let read = |state: &str| model.ask(state, &question).unwrap().backbone_tokens;
    let (first, second) = (long("a"), long("b"));
    let cold = read(&first);
    assert!(cold > 1900, "{cold}");
    assert!(read(&first) < 100, "state and question are kept");
    assert_eq!(read(&second), cold);
    assert_eq!(read(&first), cold, "it had to go");
}

const STATES: [&str; 4] = [
    "The card was charged twice.",
    "[STATE] The card was charged twice.",
    "The app crashes when it starts. It did so yesterday.",
    "{\"a\":1}",
];
const QUESTIONS: [&str; 3] = ["Which team?", "Which team should own this?", "Who pays."];
const CANDIDATES: [&str; 6] = ["money", "bugs", "bugs and outages", "a.", "é", "all else"];

/// Bits of a vector by mode, state, question and candidate, each found by a model that was asked nothing else.
type Known = BTreeMap<(bool, usize, usize, usize), Vec<u32>>;

fn cold(
    known: &Mutex<Known>,
    fresh: impl Fn() -> AgentJev,
    key: (bool, usize, usize, usize),
) -> Vec<u32> {
    let mut known = known.lock().unwrap();
    let (whole, state, question, candidate) = key;
    known
        .entry(key)
        .or_insert_with(|| {
            // Another candidate beside it, since one is no choice; which one must not matter.
            let beside = (candidate + 1) % CANDIDATES.len();
            let question = choice(
                QUESTIONS[question],
                &[CANDIDATES[candidate], CANDIDATES[beside]],
            );
            let model = fresh();
            let paths = model.paths(STATES[state], &question).unwrap();
            bits(&model.vectors(&paths, mode(whole)).unwrap().0).swap_remove(0)
        })
        .clone()
}

fn mode(whole: bool) -> Mode {
    if whole { Mode::Path } else { Mode::Shared }
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    })
}

/// Some of the candidates, in some order.
fn candidates() -> impl Strategy<Value = Vec<usize>> {
    let all: Vec<usize> = (0..CANDIDATES.len()).collect();
    (Just(all).prop_shuffle(), 2..=CANDIDATES.len()).prop_map(|(mut all, count)| {
        all.truncate(count);
        all
    })
}

#[test]
fn a_vector_depends_on_state_question_and_candidate_alone() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let known = Mutex::default();
    let asks = prop::collection::vec(
        (
            0..STATES.len(),
            0..QUESTIONS.len(),
            candidates(),
            any::<bool>(),
        ),
        1..12,
    );
    let mut runner = runner(64);
    let law = runner.run(&asks, |asks| {
        let model = open(&golden, &folder);
        for (state, question, candidates, whole) in asks {
            let texts: Vec<&str> = candidates.iter().map(|place| CANDIDATES[*place]).collect();
            let asked = choice(QUESTIONS[question], &texts);
            let paths = model.paths(STATES[state], &asked).unwrap();
            let found = bits(&model.vectors(&paths, mode(whole)).unwrap().0);
            for (found, candidate) in found.iter().zip(candidates) {
                let key = (whole, state, question, candidate);
                let alone = cold(&known, || open(&golden, &folder), key);
                prop_assert_eq!(found, &alone, "{:?}", key);
            }
        }
        Ok(())
    });
    law.unwrap();
}

/// Candidates share products with weights; how many share them changes no bit, in the sizes where such products are cut into blocks.
#[test]
fn no_number_of_neighbours_changes_a_bit_of_a_vector() {
    let kept = tempfile::tempdir().unwrap();
    let folder = camino::Utf8PathBuf::from_path_buf(kept.path().to_owned()).unwrap();
    random::write(&folder, random::LARGE);
    for precision in [Precision::F32, Precision::Bf16] {
        let settings = Settings {
            precision,
            ..Settings::default()
        };
        let model = AgentJev::open(&folder, settings).unwrap();
        let texts: Vec<String> = (0..60)
            .map(|i| format!("option {}", "x".repeat(i % 7)))
            .collect();
        let vectors = |from: usize, count: usize| {
            let texts: Vec<&str> = texts[from..from + count]
                .iter()
                .map(String::as_str)
                .collect();
            let paths = model.paths("A state.", &choice("Which?", &texts)).unwrap();
            bits(&model.vectors(&paths, Mode::Shared).unwrap().0)
        };
        let all = vectors(0, 60);
        for (from, count) in [
            (0, 1),
            (3, 1),
            (59, 1),
            (0, 2),
            (58, 2),
            (7, 3),
            (1, 11),
            (20, 40),
        ] {
            assert_eq!(
                vectors(from, count),
                all[from..from + count],
                "{from} {count}"
            );
        }
    }
}

/// Texts that meet what a tokenizer might merge or drop at a seam.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~\n]{1,24}",
        "\\PC{1,12}",
        "[a-z]{1,6}\\.",
        "(\\[STATE\\]|<\\|im_end\\|>|[ .\n]){1,4}x",
    ]
}

#[test]
fn pieces_are_read_one_by_one() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let model = open(&golden, &folder);
    let strategy = (
        texts(),
        texts(),
        prop::collection::vec(texts(), 2..6),
        texts(),
    );
    let mut runner = runner(256);
    let law = runner.run(&strategy, |(state, question, candidates, other)| {
        let texts: Vec<&str> = candidates.iter().map(String::as_str).collect();
        let asked = choice(&question, &texts);
        let paths = model.paths(&state, &asked).unwrap();
        // A path is its pieces, and as long as them.
        for (place, length) in paths.lengths().enumerate() {
            let path = paths.path(place);
            prop_assert_eq!(path.len(), length);
            let pieces = [&paths.state[..], &paths.question, &paths.candidates[place]];
            prop_assert_eq!(path, pieces.concat());
        }
        // No piece depends on what the others say.
        let elsewhere = model.paths(&other, &choice(&other, &texts)).unwrap();
        prop_assert_eq!(&elsewhere.candidates, &paths.candidates);
        let elsewhere = model
            .paths(&other, &choice(&question, &[&other, "x"]))
            .unwrap();
        prop_assert_eq!(&elsewhere.question, &paths.question);
        // Order is order.
        let reversed: Vec<&str> = texts.iter().rev().copied().collect();
        let mut turned = model.paths(&state, &choice(&question, &reversed)).unwrap();
        turned.candidates.reverse();
        prop_assert_eq!(&turned, &paths);
        // A prefix that is there is not put there again.
        if !state.starts_with("[STATE]") {
            let given = format!("[STATE] {state}");
            prop_assert_eq!(&model.paths(&given, &asked).unwrap(), &paths);
        }
        Ok(())
    });
    law.unwrap();
}
