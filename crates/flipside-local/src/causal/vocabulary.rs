//! The tokenizer that a GGUF file describes.

use std::collections::BTreeMap;

use flipside_core::foreign::Foreign;
use flipside_core::letter;
use tokenizers::models::bpe::BPE;
use tokenizers::normalizers::unicode::NFC;
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::tokenizer::SplitDelimiterBehavior;
use tokenizers::{AddedToken, Tokenizer};

use super::file::Gguf;
use crate::error::{AskError, LoadError};

/// Text to token ids and back, and which tokens are a letter.
pub(crate) struct Vocabulary {
    tokenizer: Tokenizer,
    tokens: Vec<String>,
    /// Put before every text, where the file asks for it.
    begin: Option<u32>,
    begin_text: Option<String>,
    end_text: Option<String>,
    /// Upper-case letters and the tokens that are each.
    letters: BTreeMap<u8, Vec<u32>>,
}

/// Token types of llama.cpp that stand for themselves in a text: control, and defined by a user.
const WHOLE: [usize; 2] = [3, 4];

/// How a text is cut before pairs are merged, by the name in the file.
///
/// candle's own reader takes any other name for GPT-2's rules with a blank before the text, and so reads `SmolLM2` wrongly.
fn cutter(pre: &str) -> Option<(PreTokenizerWrapper, bool)> {
    // The rules of the families' own `tokenizer.json`.
    const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
    const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
    let by_rule = |rule: &str| {
        let pattern = SplitPattern::Regex(rule.to_owned());
        let split = Split::new(pattern, SplitDelimiterBehavior::Isolated, false);
        let split = split.expect("our own rules can be read");
        Sequence::new(vec![
            split.into(),
            ByteLevel::new(false, true, false).into(),
        ])
        .into()
    };
    match pre {
        "smollm" => Some((
            Sequence::new(vec![
                Digits::new(true).into(),
                ByteLevel::new(false, true, true).into(),
            ])
            .into(),
            false,
        )),
        "gpt-2" => Some((ByteLevel::new(false, true, true).into(), false)),
        "qwen2" | "deepseek-r1-qwen" => Some((by_rule(QWEN2), true)),
        "llama-bpe" | "llama3" | "llama-v3" => Some((by_rule(LLAMA3), false)),
        _ => None,
    }
}

impl Vocabulary {
    pub(crate) fn read(file: &Gguf) -> Result<Self, LoadError> {
        const MODEL: &str = "tokenizer.ggml.model";
        const PRE: &str = "tokenizer.ggml.pre";
        let model = file.some_text(MODEL)?;
        if model != "gpt2" {
            return Err(file.invalid(format!(
                "`{MODEL}` is `{}`, expected `gpt2`, a byte-level vocabulary with merges",
                Foreign(model).cut(40)
            )));
        }
        let pre = file.some_text(PRE)?;
        let Some((cut, composed)) = cutter(pre) else {
            return Err(file.invalid(format!(
                "`{PRE}` is `{}`, expected `smollm`, `gpt-2`, `qwen2` or `llama-bpe`",
                Foreign(pre).cut(40)
            )));
        };
        let tokens: Vec<String> = file
            .texts("tokenizer.ggml.tokens")?
            .into_iter()
            .map(str::to_owned)
            .collect();
        let merges = file
            .texts("tokenizer.ggml.merges")?
            .into_iter()
            .map(|merge| match merge.split_once(' ') {
                Some((left, right)) => Ok((left.to_owned(), right.to_owned())),
                None => Err(file.invalid(format!(
                    "`tokenizer.ggml.merges` holds `{}`, expected two parts with a blank between",
                    Foreign(merge).cut(40)
                ))),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let vocabulary = (0u32..).zip(&tokens).map(|(id, text)| (text.clone(), id));
        let invalid = |error: tokenizers::Error| {
            file.invalid(format!(
                "no tokenizer: {}",
                Foreign(&error.to_string()).cut(160)
            ))
        };
        let pairs = BPE::builder()
            .vocab_and_merges(
                vocabulary.collect::<tokenizers::models::bpe::Vocab>(),
                merges,
            )
            // Llama 3 keeps words that are tokens, which its merges alone would not make.
            .ignore_merges(matches!(pre, "llama-bpe" | "llama3" | "llama-v3"))
            .build()
            .map_err(invalid)?;
        let mut tokenizer = Tokenizer::new(pairs);
        if composed {
            tokenizer.with_normalizer(Some(NFC)).map_err(invalid)?;
        }
        tokenizer.with_pre_tokenizer(Some(cut));
        let types = file
            .wholes("tokenizer.ggml.token_type")?
            .unwrap_or_default();
        if !types.is_empty() && types.len() != tokens.len() {
            return Err(file.invalid(format!(
                "`tokenizer.ggml.token_type` has {} entries, expected {} as there are tokens",
                types.len(),
                tokens.len()
            )));
        }
        let whole = tokens.iter().zip(&types);
        let whole = whole.filter(|(_, kind)| WHOLE.contains(kind));
        let whole: Vec<AddedToken> = whole
            .map(|(text, _)| AddedToken::from(text.clone(), true).normalized(false))
            .collect();
        tokenizer.add_special_tokens(whole).map_err(invalid)?;
        let named = |name: &str| file.token(&format!("tokenizer.ggml.{name}"), tokens.len());
        let text = |id: Option<u32>| id.map(|id| tokens[id as usize].clone());
        let (begin, end) = (named("bos_token_id")?, named("eos_token_id")?);
        let (begin_text, end_text) = (text(begin), text(end));
        let begin = match file.is_true("tokenizer.ggml.add_bos_token")? {
            true if begin.is_none() => {
                return Err(file.invalid(
                    "`tokenizer.ggml.add_bos_token` is true and there is no `tokenizer.ggml.bos_token_id`",
                ));
            }
            true => begin,
            false => None,
        };
        let mut letters: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
        for (id, text) in (0u32..).zip(&tokens) {
            if let Some(letter) = letter::of_token(text.as_bytes()) {
                letters.entry(letter).or_default().push(id);
            }
        }
        Ok(Self {
            tokenizer,
            tokens,
            begin,
            begin_text,
            end_text,
            letters,
        })
    }

    /// The ids of `text`, after the token that begins every text where the file asks for one and `text` does not begin with it. What
    /// spells a special token becomes that token.
    ///
    /// # Errors
    /// [`AskError`] if the tokenizer cannot read it.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u32>, AskError> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(|error| {
            AskError::refused(format!("the tokenizer cannot read a text: {error}"))
        })?;
        let ids = encoding.get_ids();
        Ok(match self.begin {
            Some(begin) if ids.first() != Some(&begin) => {
                std::iter::once(begin).chain(ids.iter().copied()).collect()
            }
            _ => ids.to_vec(),
        })
    }

    /// Every token that is `letter` after blanks and marks, in upper or lower case.
    pub(crate) fn letter(&self, letter: u8) -> &[u32] {
        let known = self.letters.get(&letter.to_ascii_uppercase());
        known.map_or(&[], Vec::as_slice)
    }

    /// How a token is written in the file.
    pub(crate) fn text(&self, id: u32) -> &str {
        self.tokens.get(id as usize).map_or("", String::as_str)
    }

    pub(crate) fn begin_text(&self) -> Option<&str> {
        self.begin_text.as_deref()
    }

    pub(crate) fn end_text(&self) -> Option<&str> {
        self.end_text.as_deref()
    }
}
