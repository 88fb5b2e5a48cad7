//! A sentence encoder, loaded.

use std::collections::BTreeMap;

use camino::Utf8Path;
use candle_core::Tensor;
use flipside_core::json::Json;

use super::config::{EncoderConfig, mean_pooling};
use super::encoder::Encoder;
use super::sequence::{Readout, Sequence, Specials, sequence};
use crate::error::{AskError, LoadError};
use crate::fields::Folder;
use crate::laya::{self, Answer, Question, Said, State};
use crate::nn::Precision;
use crate::observe::Observer;
use crate::tokens::Tokens;

/// What a cosine is multiplied by to be a logit.
pub const SCALE: f64 = 20.0;

/// How a sentence encoder is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// In what numbers it computes.
    pub precision: Precision,
    /// How it reads state and options.
    pub readout: Readout,
}

/// A BERT sentence encoder: a text's vector is the mean of its tokens' vectors, of length 1.
pub struct Embed {
    specials: Specials,
    tokens: Tokens,
    encoder: Encoder,
    width: usize,
    settings: Settings,
    digest: String,
    bytes: usize,
}

/// What the encoder makes of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The state's vector, of length 1.
    pub state: Vec<f32>,
    /// The vector of each slot, of length 1.
    pub vectors: Vec<Vec<f32>>,
    /// [`SCALE`] times the cosine of each slot's vector and the state's.
    pub logits: Vec<f32>,
}

/// One question answered, with everything that can be seen of it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The tokens and cuts.
    pub sequence: Sequence,
    /// Vectors and logits by slot.
    pub scored: Scored,
    /// The answer, at temperature 1.
    pub answer: Answer,
}

/// The vectors of rows that were run before, by their tokens and spans.
type Memo = BTreeMap<(Vec<u32>, Vec<(usize, usize)>), Vec<Vec<f32>>>;

impl Embed {
    /// The encoder in `folder`: `config.json`, `model.safetensors` and `tokenizer.json`, and `1_Pooling/config.json` where there is one.
    ///
    /// # Errors
    /// [`LoadError`] naming file and key or tensor.
    pub fn open(folder: &Utf8Path, settings: Settings) -> Result<Self, LoadError> {
        let folder = Folder::Disk(folder);
        let named = |file: &str| Ok::<_, LoadError>((folder.name(file), folder.read(file)?));
        let (file, bytes) = named("config.json")?;
        let config = EncoderConfig::parse(&file, &bytes)?;
        let pooling = "1_Pooling/config.json";
        if let Some(bytes) = folder.read_if_there(pooling)? {
            mean_pooling(&folder.name(pooling), &bytes)?;
        }
        let (file, bytes) = named("tokenizer.json")?;
        let tokens = Tokens::parse(&file, &bytes)?;
        let id = |name: &str| {
            tokens
                .id(name)
                .ok_or_else(|| LoadError::invalid(&file, format!("no token `{name}`")))
        };
        let specials = Specials {
            cls: id("[CLS]")?,
            sep: id("[SEP]")?,
        };
        if tokens.most() >= config.vocabulary {
            return Err(LoadError::invalid(
                &file,
                format!(
                    "the largest token id is {}, `vocab_size` of the encoder is {}",
                    tokens.most(),
                    config.vocabulary
                ),
            ));
        }
        let mut weights = folder.weights("model.safetensors")?;
        let (digest, bytes) = (weights.digest(), weights.size());
        let width = config.width;
        let encoder = Encoder::load(&mut weights, config, settings.precision)?;
        weights.finish()?;
        Ok(Self {
            specials,
            tokens,
            encoder,
            width,
            settings,
            digest,
            bytes,
        })
    }

    /// How it is run.
    pub fn settings(&self) -> Settings {
        self.settings
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

    /// Tokens of a sequence, at most.
    pub fn positions(&self) -> usize {
        self.encoder.positions()
    }

    /// The tokens of `question` about `state`. The options are read as Laya reads them (`key: description`), the instructions not at all.
    ///
    /// # Errors
    /// [`AskError`] if a text has no tokens where it needs some, or the options do not fit.
    pub fn sequence(&self, state: &State, question: &Question) -> Result<Sequence, AskError> {
        sequence(
            self.settings.readout,
            self.positions(),
            self.specials,
            &self.tokens,
            question,
            state,
        )
    }

    /// The vectors and logits of one sequence, each row in a pass of its own; `observer` sees every row, in order.
    ///
    /// # Errors
    /// [`AskError`] if a pass fails.
    pub fn score(&self, sequence: &Sequence, observer: Observer<'_>) -> Result<Scored, AskError> {
        self.scored(sequence, observer, &mut Memo::new())
    }

    fn scored(
        &self,
        sequence: &Sequence,
        observer: Observer<'_>,
        memo: &mut Memo,
    ) -> Result<Scored, AskError> {
        let mut vectors = Vec::new();
        for row in &sequence.rows {
            let spans = row.spans.iter().map(|span| (span.start, span.end));
            let key = (row.ids.clone(), spans.collect());
            if let Some(known) = memo.get(&key) {
                vectors.extend_from_slice(known);
                continue;
            }
            let encoded = self.encoder.forward(&row.ids, observer)?;
            let spans = row.spans.iter();
            let made: Vec<Vec<f32>> = spans
                .map(|span| mean(&encoded.narrow(0, span.start, span.len())?))
                .collect::<Result<_, _>>()?;
            vectors.extend_from_slice(&made);
            memo.insert(key, made);
        }
        let state = vectors.remove(0);
        let logits = vectors.iter().map(|option| logit(&state, option)).collect();
        Ok(Scored {
            state,
            vectors,
            logits,
        })
    }

    /// Answers `question` about `state`.
    ///
    /// # Errors
    /// As [`Embed::sequence`] and [`Embed::score`].
    pub fn ask(&self, state: &State, question: &Question) -> Result<Asked, AskError> {
        let sequence = self.sequence(state, question)?;
        let scored = self.score(&sequence, Observer::NONE)?;
        Ok(Asked {
            answer: Answer::of(question, &scored.logits, 1.0, None),
            sequence,
            scored,
        })
    }

    /// The vector of one text on its own, of length 1.
    ///
    /// # Errors
    /// [`AskError`] if the text cannot be tokenised or is too long, or the pass fails.
    pub fn vector(&self, text: &str) -> Result<Vec<f32>, AskError> {
        let mut ids = vec![self.specials.cls];
        ids.extend(self.tokens.encode(text)?);
        ids.push(self.specials.sep);
        if ids.len() > self.positions() {
            return Err(AskError::refused(format!(
                "the text has {} tokens, which do not fit into {}",
                ids.len(),
                self.positions()
            )));
        }
        Ok(mean(&self.encoder.forward(&ids, Observer::NONE)?)?)
    }

    /// Whether a System One request would be answered, without a forward pass.
    ///
    /// # Errors
    /// [`AskError`] for a request that would be refused.
    pub fn check(&self, request: &Json) -> Result<(), AskError> {
        self.prepared(request).map(|_| ())
    }

    /// Answers a System One request as a server would, numbers unrounded, with logits and tokens beside them. A text that several
    /// questions share is read once.
    ///
    /// # Errors
    /// [`AskError`] for a request that would be refused.
    pub fn reply(&self, name: &str, request: &Json) -> Result<String, AskError> {
        let mut memo = Memo::new();
        laya::reply(name, self.prepared(request)?, |question, sequence| {
            let scored = self.scored(&sequence, Observer::NONE, &mut memo)?;
            Ok(Said {
                answer: Answer::of(question, &scored.logits, 1.0, None),
                tokens: sequence.tokens(),
                cuts: sequence.cuts,
            })
        })
    }

    fn prepared<'r>(
        &self,
        request: &'r Json,
    ) -> Result<Vec<(&'r str, Question, Sequence)>, AskError> {
        laya::prepared(request, |state, question| self.sequence(state, question))
    }
}

/// The mean of the rows, of length 1. Summed in 64 bits, row by row.
fn mean(rows: &Tensor) -> candle_core::Result<Vec<f32>> {
    let rows: Vec<Vec<f32>> = rows.to_vec2()?;
    let mut sum = vec![0.0; rows[0].len()];
    for row in &rows {
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += f64::from(*value);
        }
    }
    let length = sum.iter().map(|v| v * v).sum::<f64>().sqrt();
    // Nothing has no direction.
    let length = length.max(f64::MIN_POSITIVE);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "back to the precision of the input"
    )]
    Ok(sum.into_iter().map(|v| (v / length) as f32).collect())
}

fn logit(state: &[f32], option: &[f32]) -> f32 {
    let products = state
        .iter()
        .zip(option)
        .map(|(a, b)| f64::from(*a) * f64::from(*b));
    #[expect(
        clippy::cast_possible_truncation,
        reason = "logits are 32-bit everywhere"
    )]
    let logit = (SCALE * products.sum::<f64>()) as f32;
    logit
}
