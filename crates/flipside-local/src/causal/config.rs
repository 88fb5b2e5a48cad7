//! The geometry of a decoder, out of a GGUF file's settings.

use flipside_core::foreign::Foreign;

use super::file::Gguf;
use crate::error::LoadError;

/// Which family a file belongs to: where they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Llama and what has its layout, such as `SmolLM2`: rotary pairs are neighbours, since converters to GGUF permute the weights so.
    Llama,
    /// Qwen2: biases on queries, keys and values; component m is paired with component m + half.
    Qwen2,
    /// Qwen3: norms of each query and key head; paired as in Qwen2.
    Qwen3,
}

impl Family {
    const ALL: [Self; 3] = [Self::Llama, Self::Qwen2, Self::Qwen3];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Llama => "llama",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
        }
    }
}

/// The geometry of a decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The family.
    pub family: Family,
    /// Layers.
    pub layers: usize,
    /// Components of a hidden state.
    pub width: usize,
    /// Components inside the gated layer.
    pub inner: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads, of which each serves `heads / key_heads` query heads.
    pub key_heads: usize,
    /// Components of a head.
    pub head: usize,
    /// Tokens that a sequence may have.
    pub positions: usize,
    /// Tokens that there are.
    pub vocabulary: usize,
    /// Base of the rotary frequencies.
    pub theta: f64,
    /// What is added to the mean square in a norm.
    pub eps: f64,
}

impl Config {
    pub(crate) fn read(file: &Gguf) -> Result<Self, LoadError> {
        const ARCHITECTURE: &str = "general.architecture";
        let name = file.some_text(ARCHITECTURE)?;
        let Some(family) = Family::ALL.into_iter().find(|one| one.name() == name) else {
            return Err(file.invalid(format!(
                "`{ARCHITECTURE}` is `{}`, expected `llama`, `qwen2` or `qwen3`",
                Foreign(name).cut(40)
            )));
        };
        let key = |name: &str| format!("{}.{name}", family.name());
        let count = |name: &str| file.some_count(&key(name));
        let (width, heads) = (count("embedding_length")?, count("attention.head_count")?);
        let key_heads = file
            .count(&key("attention.head_count_kv"))?
            .unwrap_or(heads);
        if heads % key_heads != 0 {
            return Err(file.invalid(format!(
                "`{}` is {key_heads}, expected a divisor of the {heads} query heads",
                key("attention.head_count_kv")
            )));
        }
        let head = match file.count(&key("attention.key_length"))? {
            Some(head) => head,
            None if width % heads == 0 => width / heads,
            None => {
                return Err(file.invalid(format!(
                    "{heads} heads do not divide a width of {width}, and there is no `{}`",
                    key("attention.key_length")
                )));
            }
        };
        // One width for everything that a head has, turned as a whole.
        for name in ["attention.value_length", "rope.dimension_count"] {
            if let Some(found) = file.count(&key(name))?.filter(|found| *found != head) {
                return Err(file.invalid(format!(
                    "`{}` is {found}, expected {head} as a head has",
                    key(name)
                )));
            }
        }
        if head % 2 != 0 {
            return Err(file.invalid(format!(
                "a head has {head} components, expected an even number"
            )));
        }
        if let Some(scaling) = file.text(&key("rope.scaling.type"))?
            && scaling != "none"
        {
            return Err(file.invalid(format!(
                "`{}` is `{}`, expected `none`",
                key("rope.scaling.type"),
                Foreign(scaling).cut(40)
            )));
        }
        Ok(Self {
            family,
            layers: count("block_count")?,
            width,
            inner: count("feed_forward_length")?,
            heads,
            key_heads,
            head,
            positions: count("context_length")?,
            vocabulary: file.texts("tokenizer.ggml.tokens")?.len(),
            theta: file.positive(&key("rope.freq_base"))?.unwrap_or(10_000.0),
            eps: match file.positive(&key("attention.layer_norm_rms_epsilon"))? {
                Some(eps) => eps,
                None => {
                    return Err(
                        file.invalid(format!("no `{}`", key("attention.layer_norm_rms_epsilon")))
                    );
                }
            },
        })
    }
}
