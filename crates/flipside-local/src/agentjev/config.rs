//! `config.json` and `temperatures.json` of an `AgentJev` checkpoint (the AgentJev page, 2.2 and 6).

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use serde_json::Value;

use crate::error::LoadError;
use crate::fields::Fields;

/// The geometry of the backbone.
#[derive(Clone, Debug)]
pub(crate) struct BackboneConfig {
    pub(crate) vocabulary: usize,
    pub(crate) width: usize,
    pub(crate) inner: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) key_heads: usize,
    pub(crate) head: usize,
    pub(crate) theta: f64,
    pub(crate) eps: f64,
    pub(crate) positions: usize,
}

impl BackboneConfig {
    /// # Errors
    /// [`LoadError`] naming the key.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let fields = Fields::parse(file, bytes)?;
        for (flag, why) in [
            ("attention_bias", "false: this backbone has no biases"),
            (
                "use_sliding_window",
                "false: every layer sees the whole path",
            ),
        ] {
            if fields.is_true(flag) {
                return Err(fields.wrong(flag, why));
            }
        }
        fields.only("hidden_act", "silu")?;
        if let Some(types) = fields.get("layer_types") {
            let full = |kind: &Value| kind.as_str() == Some("full_attention");
            if !types.as_array().is_some_and(|types| types.iter().all(full)) {
                return Err(fields.wrong("layer_types", "\"full_attention\" in every layer"));
            }
        }
        let count = |name: &str| fields.required(name, fields.count(name)?);
        let theta = match fields.object("rope_parameters")? {
            None => fields.positive("rope_theta")?,
            Some(parameters) => {
                parameters.only("rope_type", "default")?;
                parameters.positive("rope_theta")?
            }
        };
        if let Some(scaling) = fields.object("rope_scaling")? {
            // Older versions of the library call it `type`.
            scaling.only("type", "default")?;
            scaling.only("rope_type", "default")?;
        }
        let (heads, key_heads) = (count("num_attention_heads")?, count("num_key_value_heads")?);
        if !heads.is_multiple_of(key_heads) {
            return Err(fields.wrong(
                "num_key_value_heads",
                &format!("a divisor of `num_attention_heads`, which is {heads}"),
            ));
        }
        let head = count("head_dim")?;
        if !head.is_multiple_of(2) {
            return Err(fields.wrong("head_dim", "an even number"));
        }
        Ok(Self {
            vocabulary: count("vocab_size")?,
            width: count("hidden_size")?,
            inner: count("intermediate_size")?,
            layers: count("num_hidden_layers")?,
            heads,
            key_heads,
            head,
            theta: fields.required("rope_theta", theta)?,
            eps: fields.required("rms_norm_eps", fields.positive("rms_norm_eps")?)?,
            positions: fields
                .count("max_position_embeddings")?
                .unwrap_or(usize::MAX),
        })
    }
}

/// Temperatures by question type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperatures {
    boolean: f64,
    choice: f64,
    score: f64,
}

impl Temperatures {
    const TYPES: [&str; 3] = ["boolean", "choice", "score"];
    /// The least and the largest that is accepted.
    const RANGE: std::ops::RangeInclusive<f64> = 0.05..=20.0;

    /// # Errors
    /// [`LoadError`] naming the type whose temperature is none.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let fields = Fields::parse(file, bytes)?;
        for (name, _) in fields.members() {
            if !Self::TYPES.contains(&name) {
                return Err(LoadError::invalid(
                    file,
                    format!(
                        "`{}` is no type of question, expected `boolean`, `choice` or `score`",
                        Foreign(name)
                    ),
                ));
            }
        }
        let of = |name: &str| match fields.object(name)? {
            None => Ok(1.0),
            Some(kind) => match kind.given("temperature") {
                None => Err(LoadError::invalid(
                    file,
                    format!("no `temperature` for `{name}`"),
                )),
                Some(value) => value
                    .as_f64()
                    .filter(|value| Self::RANGE.contains(value))
                    .ok_or_else(|| {
                        kind.wrong(
                            "temperature",
                            &format!("a number from 0.05 to 20 for `{name}`"),
                        )
                    }),
            },
        };
        Ok(Self {
            boolean: of("boolean")?,
            choice: of("choice")?,
            score: of("score")?,
        })
    }

    /// The temperature of questions of `kind`.
    pub fn of(&self, kind: QuestionKind) -> f64 {
        match kind {
            QuestionKind::Noul => self.boolean,
            QuestionKind::Choice => self.choice,
            QuestionKind::Score => self.score,
        }
    }
}
