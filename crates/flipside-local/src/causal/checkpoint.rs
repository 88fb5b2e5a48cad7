//! A causal language model, loaded.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use camino::Utf8Path;

use super::chat::Chat;
use super::config::Config;
use super::decoder::Decoder;
use super::file::Gguf;
use super::product::Numbers;
use super::request::{Request, Tokens};
use super::scores::{Scores, scores};
use super::tree::Tree;
use super::vocabulary::Vocabulary;
use crate::error::{AskError, LoadError};

/// Bytes of keys, values and states that are kept for the next ask; what would pass them makes the tree begin anew.
const KEPT_BYTES: usize = 1 << 30;

/// A causal language model out of one GGUF file.
pub struct Causal {
    numbers: Numbers,
    vocabulary: Vocabulary,
    chat: Option<Chat>,
    decoder: Decoder,
    digest: String,
    bytes: usize,
    name: Option<String>,
    most: usize,
    tree: Mutex<Tree>,
}

/// One request answered, with what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What was read.
    pub scores: Scores,
    /// The same after the words that it is compared with.
    pub less: Option<Scores>,
    /// Tokens that went through the decoder for it and for no earlier request.
    pub computed: usize,
    /// Tokens that a client without a tree would have sent.
    pub naive: usize,
    /// The share of the time of the pass that its computed tokens have.
    pub took: Duration,
}

/// The tokens of one request.
struct Prepared<'r> {
    request: &'r Request,
    tokens: Tokens,
    less: Option<Tokens>,
}

/// Places of the paths of one question, and how many of them are new.
struct Laid {
    places: Vec<Vec<usize>>,
    new: usize,
}

impl Causal {
    /// The model in the GGUF file at `path`.
    ///
    /// # Errors
    /// [`LoadError`] naming file and setting or tensor.
    pub fn open(path: &Utf8Path, numbers: Numbers) -> Result<Self, LoadError> {
        const TEMPLATE: &str = "tokenizer.chat_template";
        let mut file = Gguf::open(path)?;
        let (digest, bytes) = (file.digest(), file.size());
        let config = Config::read(&file)?;
        let vocabulary = Vocabulary::read(&file)?;
        let chat = match file.text(TEMPLATE)? {
            Some(template) => Some(Chat::parse(file.file(), template)?),
            None => None,
        };
        let name = file.text("general.name")?.map(str::to_owned);
        let decoder = Decoder::load(&mut file, config, numbers)?;
        file.finish()?;
        Ok(Self {
            numbers,
            vocabulary,
            chat,
            tree: Mutex::new(Tree::new(&decoder)),
            most: KEPT_BYTES / decoder.kept_bytes(),
            decoder,
            digest,
            bytes,
            name,
        })
    }

    /// The same, keeping at most `tokens` tokens for the next ask.
    #[must_use]
    pub fn keeping(mut self, tokens: usize) -> Self {
        self.most = tokens;
        self
    }

    /// Begins the tree anew: nothing that was asked is kept.
    pub fn forget(&self) {
        *self.kept() = Tree::new(&self.decoder);
    }

    fn kept(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(|broken| {
            // A pass that ended in the middle may have left anything.
            let mut tree = PoisonError::into_inner(broken);
            *tree = Tree::new(&self.decoder);
            self.tree.clear_poison();
            tree
        })
    }

    /// In what numbers it computes.
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// Its geometry.
    pub fn config(&self) -> &Config {
        self.decoder.config()
    }

    /// SHA-256 of the file in hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// What the file calls itself, where it does.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the file has a chat template.
    pub fn chats(&self) -> bool {
        self.chat.is_some()
    }

    /// Bytes that each kept token needs.
    pub fn kept_bytes(&self) -> usize {
        self.decoder.kept_bytes()
    }

    /// Tokens that are kept at most for the next ask.
    pub fn kept_tokens(&self) -> usize {
        self.most
    }

    /// The token ids of `text`.
    ///
    /// # Errors
    /// [`AskError`] if the tokenizer cannot read it.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, AskError> {
        self.vocabulary.encode(text)
    }

    /// How a token is written in the file.
    pub fn token(&self, id: u32) -> &str {
        self.vocabulary.text(id)
    }

    /// Every token that is `letter`: after blanks and marks, in upper or lower case.
    pub fn letter(&self, letter: u8) -> &[u32] {
        self.vocabulary.letter(letter)
    }

    /// The tokens before the answer to `request`.
    ///
    /// # Errors
    /// As [`Causal::check`].
    pub fn before(&self, request: &Request) -> Result<Vec<u32>, AskError> {
        Ok(self.prepared(request)?.tokens.before)
    }

    /// The logits of what follows `ids`, from nothing that was kept.
    ///
    /// # Errors
    /// [`AskError`] if there are none or too many, or the pass fails.
    pub fn next(&self, ids: &[u32]) -> Result<Vec<f32>, AskError> {
        self.fits(ids.len())?;
        let mut tree = Tree::new(&self.decoder);
        let (places, _) = tree.lay(ids);
        let Some(last) = places.last() else {
            return Err(AskError::refused("the question has no tokens"));
        };
        tree.compute(&self.decoder)?;
        Ok(self.decoder.logits(tree.store(), &[*last])?.remove(0))
    }

    /// Whether `request` would be answered, without a pass.
    ///
    /// # Errors
    /// [`AskError`] for a request that would be refused.
    pub fn check(&self, request: &Request) -> Result<(), AskError> {
        self.prepared(request).map(|_| ())
    }

    /// Answers `requests` in one pass, after what earlier calls left. Which requests come together, and what was asked before, decides
    /// what is computed and changes no bit of an answer.
    pub fn ask(&self, requests: &[Request]) -> Vec<Result<Asked, AskError>> {
        self.ask_in(&mut self.kept(), requests)
    }

    /// As [`Causal::ask`], from nothing that was kept; keeps nothing.
    pub(super) fn apart_from_others(&self, requests: &[Request]) -> Vec<Result<Asked, AskError>> {
        self.ask_in(&mut Tree::new(&self.decoder), requests)
    }

    /// Answers `request` from nothing that was kept, and keeps nothing.
    ///
    /// # Errors
    /// [`AskError`] for a request that is refused, and if the pass fails.
    pub fn ask_alone(&self, request: &Request) -> Result<Asked, AskError> {
        let mut asked = self.apart_from_others(std::slice::from_ref(request));
        asked.pop().expect("one answer for one request")
    }

    /// As [`Causal::ask_alone`], with the final hidden states that each option was read from: the one before the letter, or the mean of
    /// those that a text was read from. Summed in 64 bits.
    ///
    /// # Errors
    /// As [`Causal::ask_alone`].
    pub fn see(&self, request: &Request) -> Result<(Asked, Vec<Vec<f32>>), AskError> {
        let mut tree = Tree::new(&self.decoder);
        let asked = self.ask_in(&mut tree, std::slice::from_ref(request));
        let asked = asked
            .into_iter()
            .next()
            .expect("one answer for one request")?;
        let tokens = self.prepared(request)?.tokens;
        let first = tokens.before.len() - 1;
        let states = tokens.paths().into_iter().map(|path| {
            let (places, _) = tree.lay(&path);
            let hidden = places[first..]
                .iter()
                .map(|at| self.decoder.hidden(tree.store(), *at));
            mean(hidden)
        });
        let mut states: Vec<Vec<f32>> = states.collect();
        if tokens.texts.is_empty() {
            states = vec![states.remove(0); asked.scores.log_probabilities.len()];
        }
        Ok((asked, states))
    }

    fn ask_in(&self, tree: &mut Tree, requests: &[Request]) -> Vec<Result<Asked, AskError>> {
        let start = Instant::now();
        let prepared: Vec<Result<Prepared<'_>, AskError>> = requests
            .iter()
            .map(|request| self.prepared(request))
            .collect();
        let needed = prepared
            .iter()
            .flatten()
            .map(Prepared::longest)
            .sum::<usize>();
        if tree.len() > 0 && tree.len() + needed > self.most {
            *tree = Tree::new(&self.decoder);
        }
        let laid: Vec<Option<(Laid, Option<Laid>)>> = prepared
            .iter()
            .map(|prepared| {
                let prepared = prepared.as_ref().ok()?;
                let own = lay(tree, &prepared.tokens);
                Some((own, prepared.less.as_ref().map(|less| lay(tree, less))))
            })
            .collect();
        let computed = tree.compute(&self.decoder);
        if let Err(error) = computed {
            let reason = error.to_string();
            *tree = Tree::new(&self.decoder);
            let failed = |_| Err(AskError::Forward(candle_core::Error::Msg(reason.clone())));
            return requests.iter().map(failed).collect();
        }
        let known = (&*tree, &self.decoder, &self.vocabulary);
        let read = |prepared: Prepared<'_>, laid: &Option<(Laid, Option<Laid>)>| {
            let (own, less) = laid.as_ref().expect("what was prepared was laid");
            let read = &prepared.request.read;
            let scores = |tokens: &Tokens, laid: &Laid| scores(read, tokens, &laid.places, known);
            let compared = prepared.less.as_ref().zip(less.as_ref());
            Ok(Asked {
                scores: scores(&prepared.tokens, own)?,
                less: compared
                    .map(|(tokens, laid)| scores(tokens, laid))
                    .transpose()?,
                computed: own.new + less.as_ref().map_or(0, |less| less.new),
                naive: prepared.tokens.naive() + prepared.less.as_ref().map_or(0, Tokens::naive),
                took: Duration::ZERO,
            })
        };
        let mut asked: Vec<Result<Asked, AskError>> = prepared
            .into_iter()
            .zip(&laid)
            .map(|(prepared, laid)| read(prepared?, laid))
            .collect();
        let all = asked
            .iter()
            .flatten()
            .map(|asked| asked.computed)
            .sum::<usize>();
        let answered = asked.iter().flatten().count();
        let took = start.elapsed();
        for asked in asked.iter_mut().flatten() {
            asked.took = if all == 0 {
                took.div_f64(answered as f64)
            } else {
                took.mul_f64(asked.computed as f64 / all as f64)
            };
        }
        asked
    }

    fn prepared<'r>(&self, request: &'r Request) -> Result<Prepared<'r>, AskError> {
        let (tokens, less) = request.tokens(&self.vocabulary, self.chat.as_ref())?;
        let prepared = Prepared {
            request,
            tokens,
            less,
        };
        self.fits(prepared.tokens.longest())?;
        if let Some(less) = &prepared.less {
            self.fits(less.longest())?;
        }
        Ok(prepared)
    }

    fn fits(&self, tokens: usize) -> Result<(), AskError> {
        let most = self.config().positions;
        if tokens <= most {
            return Ok(());
        }
        Err(AskError::refused(format!(
            "the question has {tokens} tokens, the model reads {most}"
        )))
    }
}

impl Prepared<'_> {
    /// Tokens that it may add to a tree, at most.
    fn longest(&self) -> usize {
        self.tokens.naive() + self.less.as_ref().map_or(0, Tokens::naive)
    }
}

fn lay(tree: &mut Tree, tokens: &Tokens) -> Laid {
    let mut new = 0;
    let places = tokens.paths().into_iter().map(|path| {
        let (places, added) = tree.lay(&path);
        new += added;
        places
    });
    Laid {
        places: places.collect(),
        new,
    }
}

/// The mean of some vectors, summed in 64 bits.
fn mean<'v>(vectors: impl Iterator<Item = &'v [f32]>) -> Vec<f32> {
    let mut sum: Vec<f64> = Vec::new();
    let mut count = 0.0;
    for vector in vectors {
        sum.resize(vector.len(), 0.0);
        for (sum, value) in sum.iter_mut().zip(vector) {
            *sum += f64::from(*value);
        }
        count += 1.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "back to 32 bits")]
    sum.into_iter()
        .map(|value| (value / count) as f32)
        .collect()
}
