//! What the order of options may move.

use candle_core::Tensor;
use flipside_local::Observer;
use flipside_local::agentjev::{AgentJev, Mode, Settings};

use super::golden::{Golden, near};
use super::support::{TIGHT, asked, bits, open, orders, settings};

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

/// The largest difference that the way of running paths makes to a logit; the answer stays.
#[test]
fn shared_pieces_and_whole_paths_agree() {
    for name in ["agentjev-a", "agentjev-b"] {
        let golden = Golden::open(name);
        let (_kept, folder) = golden.checkpoint();
        let shared = open(&golden, &folder);
        let whole = Settings {
            mode: Mode::Path,
            ..settings(&golden)
        };
        let whole = AgentJev::open(&folder, whole).unwrap();
        for case in golden.list("cases") {
            let (state, question) = asked(case);
            let (shared, whole) = (
                shared.ask(&state, &question).unwrap(),
                whole.ask(&state, &question).unwrap(),
            );
            let name = case["name"].as_str().unwrap();
            near(name, &shared.answer.logits, &whole.answer.logits, TIGHT);
            assert_eq!(shared.answer.choice, whole.answer.choice, "{name}");
            assert!(shared.backbone_tokens < whole.backbone_tokens, "{name}");
            assert_eq!(
                whole.backbone_tokens,
                whole.paths.lengths().sum::<usize>(),
                "{name}"
            );
        }
    }
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
