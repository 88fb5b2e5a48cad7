//! The two small trained checkpoints inside the program.

use crate::agentjev::{AgentJev, Settings};
use crate::error::LoadError;
use crate::fields::Folder;
use crate::laya::Laya;
use crate::nn::Precision;

macro_rules! files {
    ($folder:literal: $($file:literal),+) => {
        &[$(($file, include_bytes!(concat!("../data/", $folder, "/", $file)))),+]
    };
}

const LAYA: &[(&str, &[u8])] = files!(
    "tiny-laya":
    "rl_agent_config.json",
    "model.safetensors",
    "encoder/config.json",
    "tokenizer/tokenizer.json",
    "tokenizer/tokenizer_config.json"
);
const AGENTJEV: &[(&str, &[u8])] = files!(
    "tiny-agentjev": "config.json", "model.safetensors", "tokenizer.json", "temperatures.json"
);

/// `tiny-laya`: a small checkpoint of the Laya family, trained by this project.
///
/// # Errors
/// None that can happen with the files inside; the loader's own.
pub fn laya(precision: Precision) -> Result<Laya, LoadError> {
    Laya::load(&Folder::Inside("tiny-laya", LAYA), precision)
}

/// `tiny-agentjev`: a small checkpoint of the `AgentJev` family, trained by this project.
///
/// # Errors
/// None that can happen with the files inside; the loader's own.
pub fn agentjev(settings: Settings) -> Result<AgentJev, LoadError> {
    AgentJev::load(&Folder::Inside("tiny-agentjev", AGENTJEV), settings)
}
