//! What the tests share.

use camino::Utf8Path;
use candle_core::Tensor;
use flipside_local::agentjev::{AgentJev, Question, Settings, text};
use serde_json::Value;

use super::golden::{Golden, raw};

/// Vectors and logits: 1e-5, and a part in 1e5 of large ones.
pub(crate) const TIGHT: (f32, f32) = (1e-5, 1e-5);

pub(crate) fn settings(golden: &Golden) -> Settings {
    Settings {
        set_heads: usize::try_from(golden.all["set_heads"].as_u64().unwrap()).unwrap(),
        ..Settings::default()
    }
}

pub(crate) fn open(golden: &Golden, folder: &Utf8Path) -> AgentJev {
    AgentJev::open(folder, settings(golden)).unwrap()
}

pub(crate) fn asked(case: &Value) -> (String, Question) {
    let state = text("state", &raw(case, "state_json")).unwrap();
    let question = Question::parse(&raw(case, "question_json"), 0).unwrap();
    (state, question)
}

pub(crate) fn bits(tensor: &Tensor) -> Vec<Vec<u32>> {
    let rows: Vec<Vec<f32>> = tensor.to_vec2().unwrap();
    rows.iter()
        .map(|row| row.iter().map(|x| x.to_bits()).collect())
        .collect()
}

/// Every order of five candidates, lexicographic.
pub(crate) fn orders() -> Vec<Vec<usize>> {
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
