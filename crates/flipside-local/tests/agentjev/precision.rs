//! Rounding to bfloat16: a little off, by a stated bound, and as blind to order.

use flipside_local::agentjev::{AgentJev, Mode, Settings};
use flipside_local::{Observer, Precision};

use super::golden::Golden;
use super::support::{asked, bits, open, settings};

/// How far rounding moves a logit at most, as a part of it or of 1, whichever is more. One rounding is off by a part in 256 at most;
/// the longest way through these checkpoints has about thirty of them, which mostly cancel.
const LOGIT: f32 = 0.06;
/// How far it moves a probability at most.
const PROBABILITY: f32 = 0.03;

fn rounded(golden: &Golden, folder: &camino::Utf8Path) -> AgentJev {
    let settings = Settings {
        precision: Precision::Bf16,
        ..settings(golden)
    };
    AgentJev::open(folder, settings).unwrap()
}

#[test]
fn rounding_to_sixteen_bits_moves_answers_a_little() {
    for name in ["agentjev-a", "agentjev-b"] {
        let golden = Golden::open(name);
        let (_kept, folder) = golden.checkpoint();
        let (exact, rounded) = (open(&golden, &folder), rounded(&golden, &folder));
        for case in golden.list("cases") {
            let (state, question) = asked(case);
            let exact = exact.ask(&state, &question).unwrap().answer;
            let rounded = rounded.ask(&state, &question).unwrap().answer;
            let moved = |a: &[f32], b: &[f32], least: f32| {
                let parts = a.iter().zip(b);
                parts.fold(0.0f32, |most, (a, b)| {
                    most.max((a - b).abs() / a.abs().max(least))
                })
            };
            let logits = moved(&exact.logits, &rounded.logits, 1.0);
            let probabilities = moved(&exact.probabilities, &rounded.probabilities, 1.0);
            assert!(logits > 1e-5 && logits < LOGIT, "{} {logits}", case["name"]);
            assert!(
                probabilities < PROBABILITY,
                "{} {probabilities}",
                case["name"]
            );
        }
    }
}

/// Vectors are not moved by order in these numbers either, and logits by steps of rounding alone.
#[test]
fn order_changes_no_bit_of_a_rounded_vector() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let model = rounded(&golden, &folder);
    let (state, question) = asked(golden.case("five"));
    let paths = model.paths(&state, &question).unwrap();
    let mut turned = paths.clone();
    turned.candidates.reverse();
    for mode in [Mode::Path, Mode::Shared] {
        let (one, _) = model.vectors(&paths, mode).unwrap();
        let (other, _) = model.vectors(&turned, mode).unwrap();
        let mut reversed = bits(&other);
        reversed.reverse();
        assert_eq!(bits(&one), reversed, "{mode:?}");
        let one = model.score(&one, Observer::NONE).unwrap();
        let mut other = model.score(&other, Observer::NONE).unwrap();
        other.reverse();
        for (one, other) in one.iter().zip(&other) {
            #[expect(clippy::cast_possible_truncation, reason = "a power of two")]
            let step = Precision::Bf16.epsilon() as f32;
            assert!((one - other).abs() <= 8.0 * step * one.abs().max(1.0));
        }
    }
}

/// Weights that are bfloat16 already are not rounded again: both files are one model.
#[test]
fn the_published_number_format_gives_the_same_when_rounded() {
    let golden = Golden::open("agentjev-a");
    let (_kept, folder) = golden.checkpoint();
    let (_also_kept, published) = golden.checkpoint_with("model-bf16.safetensors");
    let (one, other) = (rounded(&golden, &folder), rounded(&golden, &published));
    assert_ne!(one.digest(), other.digest());
    for case in golden.list("cases") {
        let (state, question) = asked(case);
        let ask = |model: &AgentJev| {
            let asked = model.ask(&state, &question).unwrap();
            (bits(&asked.vectors), asked.answer)
        };
        assert_eq!(ask(&one), ask(&other), "{}", case["name"]);
    }
}
