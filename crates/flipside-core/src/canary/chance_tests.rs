//! The canary against models that see no order and are sure by chance: accused as seldom as chance allows, and places still named.

use super::super::ask::Wording;
use super::tests::{as_sent, found_in, javascript, sorted};
use super::*;

/// Salts of each kind of model.
const SALTS: u64 = 200;

/// A number from 0 to 1 by the bytes of `texts` and a salt (FNV-1a, then the end of `SplitMix64`).
fn hashed(salt: u64, texts: &[&str]) -> f64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64 ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in texts.iter().flat_map(|text| text.bytes().chain([0])) {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    sum = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    sum = (sum ^ (sum >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from(u32::try_from((sum ^ (sum >> 31)) >> 32).unwrap()) / f64::from(u32::MAX)
}

/// How sure a model is of what it hashes highest.
#[derive(Clone, Copy, Debug)]
enum Sure {
    /// Of one option to this share, the others alike.
    Peak(f64),
    /// The softmax of so much times the hash, to so many decimals.
    Softmax(f64, i32),
}

fn shares(sure: Sure, hashes: &[f64]) -> Vec<f64> {
    let best = hashes.iter().copied().fold(0.0, f64::max);
    match sure {
        Sure::Peak(share) => {
            let of = |hash: &f64| {
                if *hash < best {
                    (1.0 - share) / 3.0
                } else {
                    share
                }
            };
            hashes.iter().map(of).collect()
        }
        Sure::Softmax(sharpness, decimals) => {
            let weights: Vec<f64> = hashes
                .iter()
                .map(|hash| (sharpness * (hash - best)).exp())
                .collect();
            let all: f64 = weights.iter().sum();
            let scale = 10_f64.powi(decimals);
            weights
                .iter()
                .map(|weight| (weight / all * scale).round() / scale)
                .collect()
        }
    }
}

#[test]
fn models_that_see_no_order_are_accused_no_more_than_chance_allows() {
    let kinds = [
        Sure::Peak(1.0),
        Sure::Peak(0.97),
        Sure::Softmax(4.0, 12),
        Sure::Softmax(20.0, 2),
        Sure::Softmax(100.0, 2),
        Sure::Softmax(1_000.0, 6),
    ];
    for texts_too in [true, false] {
        for sure in kinds {
            let (mut cached, mut sorted_by, mut cut, mut unmoved) = (0, 0, 0, 0);
            for salt in 0..SALTS {
                let mut model = |options: &[(String, String)]| {
                    let hash = |(key, text): &(String, String)| {
                        if texts_too {
                            hashed(salt, &[key, text])
                        } else {
                            hashed(salt, &[key])
                        }
                    };
                    shares(sure, &options.iter().map(hash).collect::<Vec<_>>())
                };
                let (canary, _) = found_in(Wording::Same, as_sent, &mut model, 40);
                cached += u64::from(canary.order == OrderFinding::Cached);
                sorted_by += u64::from(canary.order == OrderFinding::Sorted);
                unmoved += u64::from(canary.order == OrderFinding::Unmoved);
                cut += u64::from(canary.cut_texts.is_some());
            }
            assert_eq!(cached, 0, "{sure:?}");
            assert!(sorted_by * 100 <= SALTS, "{sure:?}: {sorted_by}");
            assert!(cut * 100 <= SALTS, "{sure:?}: {cut}");
            // What rounds to a tie is broken by the first place, which is order that arrives.
            assert!(unmoved * 10 >= SALTS * 9, "{sure:?}: {unmoved}");
        }
    }
}

#[test]
fn models_that_read_texts_alone_are_not_accused_where_no_two_may_be_equal() {
    let (mut cached, mut sorted_by) = (0, 0);
    for salt in 0..SALTS {
        let mut model = |options: &[(String, String)]| {
            let hash = |(_, text): &(String, String)| hashed(salt, &[text]);
            shares(
                Sure::Peak(0.97),
                &options.iter().map(hash).collect::<Vec<_>>(),
            )
        };
        let (canary, _) = found_in(Wording::Apart, as_sent, &mut model, 0);
        cached += u64::from(canary.order == OrderFinding::Cached);
        sorted_by += u64::from(canary.order == OrderFinding::Sorted);
    }
    assert_eq!(cached, 0);
    assert!(sorted_by * 100 <= SALTS, "{sorted_by}");
}

#[test]
fn every_place_is_still_seen_behind_a_layer_that_sorts_or_is_javascript() {
    for by_place in [
        [0.9, 0.04, 0.03, 0.03],
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.4, 0.3, 0.2, 0.1],
        [0.25, 0.25, 0.1, 0.4],
    ] {
        for wording in [Wording::Same, Wording::Apart] {
            let find = |layer| {
                let mut model = |_: &[(String, String)]| by_place.to_vec();
                found_in(wording, layer, &mut model, 40).0.order
            };
            assert_eq!(find(as_sent), OrderFinding::Arrives, "{by_place:?}");
            assert_eq!(find(sorted), OrderFinding::Sorted, "{by_place:?}");
            assert_eq!(find(javascript), OrderFinding::IntegerKeys, "{by_place:?}");
        }
    }
}

#[test]
fn texts_that_must_differ_all_do() {
    use std::collections::BTreeSet;
    let mut seen = BTreeSet::new();
    let sets = [Content::Plain, Content::Integers].into_iter();
    for content in sets.chain((0..6).map(Content::Further)) {
        let question = Question {
            content,
            turn: Turn::Own,
            again: false,
        };
        for option in &question.case(Wording::Apart).options {
            let text = option.text.as_ref().and_then(|text| text.as_str()).unwrap();
            assert_eq!(text.split(' ').count(), 5, "{text}");
            assert!(seen.insert(text.to_owned()), "{text}");
        }
    }
    assert_eq!(seen.len(), 32);
}

#[test]
fn a_server_that_ignores_the_order_beside_is_no_cache() {
    let mut heard: Vec<Heard> = Vec::new();
    while let Some(question) = super::super::ask::next(&heard, 0) {
        heard.push(Heard {
            question,
            choice: Some(OptionId(0)),
            probabilities: Some(vec![0.7, 0.1, 0.1, 0.1]),
            request_id: None,
            all_cached: false,
        });
    }
    let canary = judge(&heard, None, Carrier::Beside);
    assert_eq!((canary.order, canary.asks), (OrderFinding::Unmoved, 11));
    assert_eq!(
        canary.why.as_deref(),
        Some(
            "the server, or a hop before it, ignores `option_order`: under every set of keys answers follow the places of the options in the object"
        )
    );
    assert_eq!(
        judge(&heard, None, Carrier::Members).order,
        OrderFinding::Cached
    );
    // As long as chance can explain it, no more than that is said.
    let canary = judge(&heard[..7], None, Carrier::Beside);
    assert_eq!(
        canary.why.as_deref(),
        Some("equivariant, or the server or a hop before it ignores `option_order`")
    );
    assert_eq!(
        judge(&heard[..7], None, Carrier::Members).order,
        OrderFinding::NotKnown
    );
}
