//! Rounding to bfloat16.

use flipside_local::Precision;
use flipside_local::agentjev::{AgentJev, Settings};

use super::golden::Golden;
use super::support::{asked, open, settings};

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
