//! A Laya checkpoint, loaded.

use camino::Utf8Path;
use flipside_core::json::Json;

use super::answer::Answer;
use super::config::{AgentConfig, EncoderConfig, SpecialNames};
use super::encoder::Encoder;
use super::head::{Head, Scored};
use super::question::{Question, State};
use super::reply::{self, Said};
use super::sequence::{Sequence, Specials, sequence};
use super::temperature::type_index;
use crate::error::{AskError, LoadError};
use crate::fields::Folder;
use crate::nn::Precision;
use crate::observe::Observer;
use crate::tokens::Tokens;

/// A checkpoint of the Laya family: encoder, decision head, tokenizer and settings.
pub struct Laya {
    config: AgentConfig,
    specials: Specials,
    tokens: Tokens,
    encoder: Encoder,
    head: Head,
    width: usize,
    precision: Precision,
    digest: String,
    bytes: usize,
}

/// One question answered, with everything that can be seen of it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The tokens and cuts.
    pub sequence: Sequence,
    /// Vectors, logits and actions by slot.
    pub scored: Scored,
    /// The answer.
    pub answer: Answer,
}

impl Laya {
    /// The checkpoint in `folder`: `rl_agent_config.json`, `model.safetensors`, `encoder/config.json`, `tokenizer/tokenizer.json`
    /// and `tokenizer/tokenizer_config.json`.
    ///
    /// # Errors
    /// [`LoadError`] naming file and key or tensor.
    pub fn open(folder: &Utf8Path, precision: Precision) -> Result<Self, LoadError> {
        Self::load(&Folder::Disk(folder), precision)
    }

    pub(crate) fn load(folder: &Folder<'_>, precision: Precision) -> Result<Self, LoadError> {
        let parsed = |file: &str| Ok::<_, LoadError>((folder.name(file), folder.read(file)?));
        let (file, bytes) = parsed("rl_agent_config.json")?;
        let config = AgentConfig::parse(&file, &bytes)?;
        let (file, bytes) = parsed("encoder/config.json")?;
        let encoder = EncoderConfig::parse(&file, &bytes)?;
        let (file, bytes) = parsed("tokenizer/tokenizer.json")?;
        let tokens = Tokens::parse(&file, &bytes)?;
        let (names_file, bytes) = parsed("tokenizer/tokenizer_config.json")?;
        let names = SpecialNames::parse(&names_file, &bytes)?;
        let id = |name: &str| {
            tokens.id(name).ok_or_else(|| {
                LoadError::invalid(
                    &file,
                    format!("no token `{name}`, which {names_file} names"),
                )
            })
        };
        let specials = Specials {
            cls: id(&names.cls)?,
            sep: id(&names.sep)?,
            mask: id(&names.mask)?,
            mask_text: names.mask.clone(),
        };
        if tokens.most() >= encoder.vocabulary {
            return Err(LoadError::invalid(
                &file,
                format!(
                    "the largest token id is {}, `vocab_size` of the encoder is {}",
                    tokens.most(),
                    encoder.vocabulary
                ),
            ));
        }
        let mut weights = folder.weights("model.safetensors")?;
        let (digest, bytes) = (weights.digest(), weights.size());
        let width = encoder.width;
        let encoder = Encoder::load(&mut weights, encoder, precision)?;
        let head = Head::load(&mut weights, &config, width, precision)?;
        // A buffer that is stored beside the weights and that inference does not use.
        weights.take("temperature", &[3])?;
        weights.finish()?;
        if config.max_len > encoder.positions() {
            return Err(LoadError::invalid(
                folder.name("rl_agent_config.json"),
                format!(
                    "`max_len` is {}, the encoder has {} positions",
                    config.max_len,
                    encoder.positions()
                ),
            ));
        }
        Ok(Self {
            config,
            specials,
            tokens,
            encoder,
            head,
            width,
            precision,
            digest,
            bytes,
        })
    }

    /// What the configuration says.
    pub fn config(&self) -> &AgentConfig {
        &self.config
    }

    /// SHA-256 of the weights in hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Bytes of the weights on disk.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Components of a vector.
    pub fn width(&self) -> usize {
        self.width
    }

    /// In what numbers it computes.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The tokens of `question` about `state`, cut as the checkpoint cuts them.
    ///
    /// # Errors
    /// [`AskError`] if the options do not fit.
    pub fn sequence(&self, state: &State, question: &Question) -> Result<Sequence, AskError> {
        sequence(&self.config, &self.specials, &self.tokens, question, state)
    }

    /// One forward pass of one sequence, unbatched, so that nothing else can change its bits.
    ///
    /// # Errors
    /// [`AskError`] if the pass fails.
    pub fn score(
        &self,
        question: &Question,
        sequence: &Sequence,
        observer: Observer<'_>,
    ) -> Result<Scored, AskError> {
        let encoded = self.encoder.forward(sequence, observer)?;
        let kind = type_index(question.kind);
        Ok(self
            .head
            .forward(&encoded, kind, &sequence.markers, observer)?)
    }

    /// Answers `question` about `state`.
    ///
    /// # Errors
    /// [`AskError`] if the options do not fit or the pass fails.
    pub fn ask(&self, state: &State, question: &Question) -> Result<Asked, AskError> {
        self.ask_sequence(question, self.sequence(state, question)?)
    }

    fn ask_sequence(&self, question: &Question, sequence: Sequence) -> Result<Asked, AskError> {
        let scored = self.score(question, &sequence, Observer::NONE)?;
        let temperature = self
            .config
            .temperatures
            .of(question.kind, question.options.len());
        let act = scored.actions.first().copied();
        let answer = Answer::of(question, &scored.logits, temperature, act);
        Ok(Asked {
            sequence,
            scored,
            answer,
        })
    }

    /// Whether a System One request would be answered, without a forward pass.
    ///
    /// # Errors
    /// [`AskError`] for a request that a server would refuse.
    pub fn check(&self, request: &Json) -> Result<(), AskError> {
        self.prepared(request).map(|_| ())
    }

    /// Answers a System One request as a Laya server would, numbers unrounded, with logits, temperature and tokens beside them.
    ///
    /// # Errors
    /// [`AskError`] for a request that a server would refuse.
    pub fn reply(&self, name: &str, request: &Json) -> Result<String, AskError> {
        reply::reply(name, self.prepared(request)?, |question, sequence| {
            let asked = self.ask_sequence(question, sequence)?;
            Ok(Said {
                answer: asked.answer,
                tokens: asked.sequence.ids.len(),
                cuts: asked.sequence.cuts,
            })
        })
    }

    fn prepared<'r>(
        &self,
        request: &'r Json,
    ) -> Result<Vec<(&'r str, Question, Sequence)>, AskError> {
        reply::prepared(request, |state, question| self.sequence(state, question))
    }
}
