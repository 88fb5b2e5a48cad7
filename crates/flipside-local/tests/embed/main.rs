//! Sentence encoders against transformers' BERT, on a tiny checkpoint and on the real all-MiniLM-L6-v2 where it is.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails where it unwraps nothing, and says what it leaves out and what it measured"
)]

mod answers;
#[path = "../golden/mod.rs"]
mod golden;
mod load;
mod minilm;

use camino::Utf8PathBuf;
use flipside_core::json::Json;
use flipside_local::Precision;
use flipside_local::embed::{Embed, Readout, Settings};
use flipside_local::laya::{Question, State};

fn open(folder: &Utf8PathBuf, readout: Readout) -> Embed {
    let precision = Precision::F32;
    Embed::open(folder, Settings { precision, readout }).unwrap()
}

fn json(text: &str) -> Json {
    flipside_formats::json::parse(text).unwrap()
}

/// A question that chooses among `labels`, and a state.
fn choice(state: &str, labels: &[&str]) -> (State, Question) {
    let mut question = serde_json::json!({"type": "choice", "instructions": "Which?"});
    question["criteria"] = labels.into();
    let question = Question::parse(&json(&question.to_string())).unwrap();
    let state = State::of(&Json::String(state.to_owned())).unwrap();
    (state, question)
}
