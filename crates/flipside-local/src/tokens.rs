//! A checkpoint's own tokenizer.

use tokenizers::Tokenizer;

use crate::error::{AskError, LoadError};

/// The tokenizer of a `tokenizer.json`, without its truncation and padding: pieces are cut by the rules of each model.
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
}

impl Tokens {
    /// The tokenizer in `bytes`, called `file` in errors.
    ///
    /// # Errors
    /// [`LoadError`] if they are no tokenizer.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let invalid =
            |error: tokenizers::Error| LoadError::invalid(file, format!("no tokenizer: {error}"));
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(invalid)?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(invalid)?;
        Ok(Self { tokenizer })
    }

    /// The ids of `text` on its own: nothing is put around it, and what spells a special token becomes that token.
    ///
    /// # Errors
    /// [`AskError`] if the tokenizer cannot read it.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u32>, AskError> {
        match self.tokenizer.encode_fast(text, false) {
            Ok(encoding) => Ok(encoding.get_ids().to_vec()),
            Err(error) => Err(AskError::refused(format!(
                "the tokenizer cannot read a text: {error}"
            ))),
        }
    }

    /// The id of the token that is written `text`.
    pub(crate) fn id(&self, text: &str) -> Option<u32> {
        self.tokenizer.token_to_id(text)
    }

    /// The largest token id.
    pub(crate) fn most(&self) -> usize {
        let ids = self.tokenizer.get_vocab(true).into_values();
        ids.max().map_or(0, |id| id as usize)
    }
}
