//! An `AgentJev` checkpoint, loaded.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use camino::Utf8Path;
use candle_core::{Device, Tensor};
use flipside_core::json::Json;

use super::answer::Answer;
use super::backbone::{Backbone, Kept};
use super::config::{BackboneConfig, Temperatures};
use super::head::Head;
use super::path::{LIMIT, Paths};
use super::question::Question;
use crate::error::{AskError, LoadError};
use crate::fields::Folder;
use crate::nn::Precision;
use crate::observe::Observer;
use crate::tokens::Tokens;

/// How the paths of a question are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Each path whole and alone: a vector depends on its path and on nothing else. The published order measurement ran so.
    Path,
    /// The state once, each question once after it, and its candidates side by side after that: always in these pieces, so that
    /// neither the other candidates nor what was asked before changes a bit.
    #[default]
    Shared,
}

/// How a checkpoint is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// In what numbers.
    pub precision: Precision,
    /// How paths are run.
    pub mode: Mode,
    /// Heads of the set layers, which no tensor tells.
    pub set_heads: usize,
    /// Whether each candidate is scored in a set of its own: no other option can move its logit then, as with every model that
    /// reads options one by one.
    pub alone: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            precision: Precision::F32,
            mode: Mode::Shared,
            set_heads: 4,
            alone: false,
        }
    }
}

/// Prefixes by their tokens, the last used one first.
type Prefixes = VecDeque<(Vec<u32>, Arc<Kept>)>;

const UNBROKEN: &str = "no holder of the lock panics";
/// Tokens of candidates that are read in one pass, which reads the weights once: enough for that to pay, few enough for memory.
const TOGETHER: usize = 256;
/// Prefixes that are kept for the next ask.
const KEPT: usize = 4;
/// Their tokens together, at most.
const KEPT_TOKENS: usize = 2 * LIMIT;

/// A checkpoint of the `AgentJev` family.
pub struct AgentJev {
    settings: Settings,
    temperatures: Temperatures,
    tokens: Tokens,
    backbone: Backbone,
    head: Head,
    digest: String,
    bytes: usize,
    prefixes: Mutex<Prefixes>,
}

/// One question answered, with everything that can be seen of it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The token paths.
    pub paths: Paths,
    /// The candidate vectors, [candidates, width].
    pub vectors: Tensor,
    /// The answer.
    pub answer: Answer,
    /// How many tokens went through the backbone for it.
    pub backbone_tokens: usize,
}

impl AgentJev {
    /// The checkpoint in `folder`: `model.safetensors`, `config.json`, `tokenizer.json` and `temperatures.json`.
    ///
    /// # Errors
    /// [`LoadError`] naming file and key or tensor.
    pub fn open(folder: &Utf8Path, settings: Settings) -> Result<Self, LoadError> {
        Self::load(&Folder::Disk(folder), settings)
    }

    pub(crate) fn load(folder: &Folder<'_>, settings: Settings) -> Result<Self, LoadError> {
        let parsed = |file: &str| Ok::<_, LoadError>((folder.name(file), folder.read(file)?));
        let (config_file, bytes) = parsed("config.json")?;
        let config = BackboneConfig::parse(&config_file, &bytes)?;
        let (file, bytes) = parsed("temperatures.json")?;
        let temperatures = Temperatures::parse(&file, &bytes)?;
        let (file, bytes) = parsed("tokenizer.json")?;
        let tokens = Tokens::parse(&file, &bytes)?;
        if tokens.most() >= config.vocabulary {
            return Err(LoadError::invalid(
                file,
                format!(
                    "the largest token id is {}, `vocab_size` is {}",
                    tokens.most(),
                    config.vocabulary
                ),
            ));
        }
        let mut weights = folder.weights("model.safetensors")?;
        let (digest, bytes) = (weights.digest(), weights.size());
        let backbone = Backbone::load(&mut weights, config, settings.precision)?;
        let head = Head::load(
            &mut weights,
            backbone.width(),
            settings.set_heads,
            settings.precision,
        )?;
        weights.finish()?;
        if backbone.positions() < LIMIT {
            return Err(LoadError::invalid(
                config_file,
                format!(
                    "`max_position_embeddings` is {}, expected {LIMIT} or more",
                    backbone.positions()
                ),
            ));
        }
        Ok(Self {
            settings,
            temperatures,
            tokens,
            backbone,
            head,
            digest,
            bytes,
            prefixes: Mutex::new(VecDeque::new()),
        })
    }

    /// How it is run.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Temperatures by question type.
    pub fn temperatures(&self) -> &Temperatures {
        &self.temperatures
    }

    /// SHA-256 of the weights in hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Bytes of the weights on disk.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Components of a candidate vector.
    pub fn width(&self) -> usize {
        self.backbone.width()
    }

    /// The token paths of `question` about `state`, a text as [`super::text`] makes it.
    ///
    /// # Errors
    /// [`AskError`] if a path is too long.
    pub fn paths(&self, state: &str, question: &Question) -> Result<Paths, AskError> {
        Paths::of(&self.tokens, state, question)
    }

    /// The vector of one path run whole and alone: [1, width].
    ///
    /// # Errors
    /// [`AskError`] if the pass fails.
    pub fn vector(&self, path: &[u32], observer: Observer<'_>) -> Result<Tensor, AskError> {
        let (hidden, _) = self.backbone.forward(path, None, observer)?;
        Ok(hidden.narrow(0, path.len() - 1, 1)?)
    }

    /// The vectors of all paths, [candidates, width], and how many tokens that took. Nothing is kept from or for another call in
    /// mode [`Mode::Path`].
    ///
    /// # Errors
    /// [`AskError`] if a pass fails.
    pub fn vectors(&self, paths: &Paths, mode: Mode) -> Result<(Tensor, usize), AskError> {
        let mut rows = Vec::with_capacity(paths.candidates.len());
        let mut read = 0;
        match mode {
            Mode::Path => {
                for path in 0..paths.candidates.len() {
                    let path = paths.path(path);
                    read += path.len();
                    rows.push(self.vector(&path, Observer::NONE)?);
                }
            }
            Mode::Shared => {
                let state = self.state(&paths.state, &mut read)?;
                read += paths.candidates.iter().map(Vec::len).sum::<usize>();
                let mut groups = groups(&paths.candidates).into_iter();
                let asked = [&paths.state[..], &paths.question].concat();
                let prefix = if let Some(known) = self.known(&asked) {
                    known
                } else {
                    let first = groups.next().unwrap_or_default();
                    let (vectors, made) = self.backbone.grow(&paths.question, &first, &state)?;
                    read += paths.question.len();
                    rows.push(vectors);
                    self.keep(asked, made)
                };
                for together in groups {
                    rows.push(self.backbone.branches(&together, &prefix)?);
                }
            }
        }
        Ok((Tensor::cat(&rows, 0)?, read))
    }

    /// What was kept of a state, or is now computed.
    fn state(&self, ids: &[u32], read: &mut usize) -> Result<Arc<Kept>, AskError> {
        if let Some(known) = self.known(ids) {
            return Ok(known);
        }
        let (_, made) = self.backbone.forward(ids, None, Observer::NONE)?;
        *read += ids.len();
        Ok(self.keep(ids.to_vec(), made))
    }

    /// What was kept of the prefix `ids`, which is now the last used one: a state stays while questions about it come and go.
    fn known(&self, ids: &[u32]) -> Option<Arc<Kept>> {
        let mut prefixes = self.prefixes.lock().expect(UNBROKEN);
        let place = prefixes.iter().position(|(known, _)| known == ids)?;
        let found = prefixes.remove(place)?;
        let kept = Arc::clone(&found.1);
        prefixes.push_front(found);
        Some(kept)
    }

    fn keep(&self, ids: Vec<u32>, made: Kept) -> Arc<Kept> {
        let made = Arc::new(made);
        let mut prefixes = self.prefixes.lock().expect(UNBROKEN);
        prefixes.push_front((ids, Arc::clone(&made)));
        let tokens =
            |prefixes: &Prefixes| -> usize { prefixes.iter().map(|(ids, _)| ids.len()).sum() };
        while prefixes.len() > KEPT || (prefixes.len() > 1 && tokens(&prefixes) > KEPT_TOKENS) {
            prefixes.pop_back();
        }
        made
    }

    /// Raw logits of candidate vectors, [candidates, width], each call a pass of its own.
    ///
    /// # Errors
    /// [`AskError`] if the pass fails.
    pub fn score(&self, vectors: &Tensor, observer: Observer<'_>) -> Result<Vec<f32>, AskError> {
        if !self.settings.alone {
            return Ok(self.head.forward(vectors, observer)?);
        }
        let mut logits = Vec::with_capacity(vectors.dim(0)?);
        for row in 0..vectors.dim(0)? {
            logits.extend(self.head.forward(&vectors.narrow(0, row, 1)?, observer)?);
        }
        Ok(logits)
    }

    /// Raw logits of candidate vectors as lists, each of the model's width.
    ///
    /// # Errors
    /// [`AskError`] if the pass fails.
    pub fn rescore(&self, vectors: &[Vec<f32>]) -> Result<Vec<f32>, AskError> {
        let flat: Vec<f32> = vectors.concat();
        let vectors = Tensor::from_vec(flat, (vectors.len(), self.width()), &Device::Cpu)?;
        self.score(&vectors, Observer::NONE)
    }

    /// Answers `question` about `state`, a text.
    ///
    /// # Errors
    /// [`AskError`] if a path is too long or a pass fails.
    pub fn ask(&self, state: &str, question: &Question) -> Result<Asked, AskError> {
        self.ask_paths(question, &self.paths(state, question)?)
    }

    pub(super) fn ask_paths(&self, question: &Question, paths: &Paths) -> Result<Asked, AskError> {
        let (vectors, backbone_tokens) = self.vectors(paths, self.settings.mode)?;
        let logits = self.score(&vectors, Observer::NONE)?;
        let answer = Answer::of(question, logits, self.temperatures.of(question.kind))?;
        Ok(Asked {
            paths: paths.clone(),
            vectors,
            answer,
            backbone_tokens,
        })
    }

    /// Whether a request of the service's `/api/evaluate` would be answered, without a forward pass.
    ///
    /// # Errors
    /// [`AskError`] for a request that the service would refuse.
    pub fn check(&self, request: &Json) -> Result<(), AskError> {
        super::reply::prepared(self, request).map(|_| ())
    }

    /// Answers a request of the service's `/api/evaluate` as the service would, with logits and temperature beside.
    ///
    /// # Errors
    /// [`AskError`] for a request that the service would refuse.
    pub fn reply(&self, name: &str, request: &Json) -> Result<String, AskError> {
        super::reply::reply(self, name, request)
    }
}

/// The candidates in groups of [`TOGETHER`] tokens at most, or of one.
fn groups(candidates: &[Vec<u32>]) -> Vec<Vec<&[u32]>> {
    let mut groups: Vec<Vec<&[u32]>> = Vec::new();
    let mut tokens = 0;
    for candidate in candidates {
        tokens += candidate.len();
        match groups.last_mut() {
            Some(group) if tokens <= TOGETHER => group.push(candidate),
            _ => {
                tokens = candidate.len();
                groups.push(vec![candidate]);
            }
        }
    }
    groups
}
