//! The laws of the token tree: no prefix twice, and no bit of an answer by what else was asked.

use std::collections::BTreeSet;

use flipside_local::causal::{Causal, Numbers, Request};
use proptest::prelude::*;

use crate::reference::{ALL, file, open};
use crate::support::{letters, plain, texts};

/// Lists of the same words in several orders, some with texts to score.
fn questions(orders: &[Vec<usize>], scored: bool) -> Vec<Request> {
    const WORDS: [&str; 5] = ["the thing", "in", "there is another", "on the 12", "whole"];
    orders
        .iter()
        .map(|order| {
            let lines = order.iter().zip('A'..);
            let lines: Vec<String> = lines
                .map(|(word, letter)| format!("{letter}) {}\n", WORDS[*word]))
                .collect();
            let user = format!("State: something\n{}Letter:", lines.concat());
            if scored {
                plain(&user, texts(&WORDS))
            } else {
                plain(&user, letters(2))
            }
        })
        .collect()
}

/// Every prefix of what the requests need, counted by themselves.
fn prefixes(model: &Causal, requests: &[Request]) -> BTreeSet<Vec<u32>> {
    let mut all = BTreeSet::new();
    for request in requests {
        let before = model.before(request).unwrap();
        let mut path = |ids: &[u32]| all.extend((1..=ids.len()).map(|end| ids[..end].to_vec()));
        path(&before);
        if let flipside_local::causal::Read::Texts(answers) = &request.read {
            for answer in answers {
                let whole = format!("{} {answer}", request.words.user);
                let ids = model.encode(&whole).unwrap();
                path(&ids[..ids.len() - 1]);
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_is_computed_is_the_tree_and_no_bit_depends_on_the_others(
        orders in prop::collection::vec(
            Just(vec![0, 1, 2, 3, 4]).prop_shuffle(), 1..7),
        scored: bool,
        split in 0usize..7,
        which in 0usize..4,
    ) {
        let (model, _) = open(ALL[which]);
        let requests = questions(&orders, scored);
        let split = split.min(requests.len());
        // In two passes, of which the second goes on where the first was.
        let mut asked = model.ask(&requests[..split]);
        asked.extend(model.ask(&requests[split..]));
        let asked: Vec<_> = asked.into_iter().map(Result::unwrap).collect();
        let computed: usize = asked.iter().map(|asked| asked.computed).sum();
        prop_assert_eq!(computed, prefixes(&model, &requests).len());
        for (request, asked) in requests.iter().zip(&asked) {
            let alone = model.ask_alone(request).unwrap();
            prop_assert_eq!(&alone.scores, &asked.scores);
            prop_assert_eq!(alone.naive, asked.naive);
            prop_assert!(alone.computed >= asked.computed);
        }
    }
}

#[test]
fn a_question_asked_again_computes_nothing_and_answers_the_same() {
    let (model, _) = open("causal-llama");
    let request = questions(&[vec![0, 1, 2, 3, 4]], false).remove(0);
    let first = model.ask(std::slice::from_ref(&request)).remove(0).unwrap();
    let again = model.ask(std::slice::from_ref(&request)).remove(0).unwrap();
    assert_eq!(first.computed, first.naive);
    assert_eq!((again.computed, again.naive), (0, first.naive));
    assert_eq!(again.scores, first.scores);
}

#[test]
fn what_does_not_fit_begins_the_tree_anew_and_changes_no_answer() {
    let name = "causal-qwen3";
    let roomy = Causal::open(&file(name), Numbers::F32).unwrap();
    let narrow = Causal::open(&file(name), Numbers::F32).unwrap().keeping(60);
    let orders = [
        vec![0, 1, 2, 3, 4],
        vec![0, 1, 2, 4, 3],
        vec![4, 3, 2, 1, 0],
    ];
    let mut computed = [0, 0];
    for request in questions(&orders, false) {
        let request = std::slice::from_ref(&request);
        let roomy = roomy.ask(request).remove(0).unwrap();
        let narrow = narrow.ask(request).remove(0).unwrap();
        assert_eq!(roomy.scores, narrow.scores);
        computed[0] += roomy.computed;
        computed[1] += narrow.computed;
        assert_eq!(narrow.computed, narrow.naive, "nothing was kept");
    }
    assert!(computed[0] < computed[1], "{computed:?}");
}

#[test]
fn a_refused_question_leaves_the_others_answered() {
    let (model, _) = open("causal-llama");
    let mut requests = questions(&[vec![0, 1, 2, 3, 4], vec![1, 0, 2, 3, 4]], false);
    requests.insert(1, plain(&"too long ".repeat(400), letters(2)));
    let asked = model.ask(&requests);
    let refused = asked[1].as_ref().unwrap_err().to_string();
    assert!(
        refused.contains("tokens, the model reads 2048"),
        "{refused}"
    );
    for place in [0, 2] {
        let alone = model.ask_alone(&requests[place]).unwrap();
        assert_eq!(asked[place].as_ref().unwrap().scores, alone.scores);
    }
}

#[test]
fn the_shape_of_a_batch_moves_nothing() {
    for name in ALL {
        let (model, _) = open(name);
        assert!(model.floor().unwrap().abs() < f64::MIN_POSITIVE, "{name}");
    }
}

/// Activations of 8 bits are far from 32: the drift is there, here of about one nat at logits of random weights that reach past 20.
#[test]
fn quantised_numbers_drift_and_are_said_to() {
    let (model, _) = open("causal-llama");
    let quantised = Causal::open(&file("causal-llama"), Numbers::Quantised).unwrap();
    let drift = quantised.drift(&model).unwrap();
    println!("drift {drift}");
    assert!(drift > 1e-4 && drift < 3.0, "{drift}");
    assert!(model.drift(&model).unwrap().abs() < f64::MIN_POSITIVE);
}
