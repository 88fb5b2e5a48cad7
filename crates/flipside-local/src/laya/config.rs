//! What the configuration files of a Laya checkpoint say (the Laya page, 2.1 and 2.3).

use serde_json::Value;

use super::temperature::Temperatures;
use crate::error::LoadError;
use crate::fields::Fields;

/// How the options share the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One after the other: every option stands at a position of its own and sees every other.
    Sequential,
    /// Side by side: every option begins at the same position, and no option sees another in the encoder.
    Parallel,
}

/// `rl_agent_config.json`.
#[derive(Clone, Debug)]
pub struct AgentConfig {
    /// The name of the base encoder, for information.
    pub encoder: String,
    /// Layers of the decision head.
    pub head_layers: usize,
    /// Tokens of the whole sequence, at most.
    pub max_len: usize,
    /// Tokens of question and options, at most.
    pub head_max_len: usize,
    /// Outputs of the action head.
    pub actions: usize,
    /// Temperatures, confined.
    pub temperatures: Temperatures,
    /// The layout of options.
    pub layout: Layout,
}

impl AgentConfig {
    /// # Errors
    /// [`LoadError`] naming the key.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let fields = Fields::parse(file, bytes)?;
        let head_layers = match fields.get("head_layers") {
            Some(value) if value.as_u64() == Some(0) => 0,
            _ => fields.required("head_layers", fields.count("head_layers")?)?,
        };
        let actions = 1 + fields
            .object("act_costs")?
            .map_or(0, |costs| costs.members().count());
        let layout = match fields.text("option_layout")? {
            None | Some("sequential") => Layout::Sequential,
            Some("parallel") => Layout::Parallel,
            Some(_) => {
                return Err(fields.wrong("option_layout", "\"sequential\" or \"parallel\""));
            }
        };
        Ok(Self {
            encoder: fields
                .required("encoder", fields.text("encoder")?)?
                .to_owned(),
            head_layers,
            max_len: fields.count("max_len")?.unwrap_or(512),
            head_max_len: fields.count("head_max_len")?.unwrap_or(192),
            actions,
            temperatures: Temperatures::read(&fields)?,
            layout,
        })
    }
}

/// Whether a layer sees everything or a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Full,
    Window,
}

/// `encoder/config.json`.
#[derive(Clone, Debug)]
pub(crate) struct EncoderConfig {
    pub(crate) vocabulary: usize,
    pub(crate) width: usize,
    pub(crate) inner: usize,
    pub(crate) heads: usize,
    pub(crate) reaches: Vec<Reach>,
    pub(crate) theta_full: f64,
    pub(crate) theta_window: f64,
    /// A token sees others at most this far away in a windowed layer.
    pub(crate) window: usize,
    pub(crate) eps: f64,
    pub(crate) positions: usize,
}

impl EncoderConfig {
    /// # Errors
    /// [`LoadError`] naming the key.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let fields = Fields::parse(file, bytes)?;
        for flag in ["norm_bias", "attention_bias", "mlp_bias"] {
            if fields.is_true(flag) {
                return Err(fields.wrong(flag, "false: these encoders have no biases"));
            }
        }
        fields.only("hidden_activation", "gelu")?;
        fields.only("hidden_act", "gelu")?;
        let count = |name: &str| fields.required(name, fields.count(name)?);
        let (theta_full, theta_window) = thetas(&fields)?;
        let eps = match fields.positive("norm_eps")? {
            Some(eps) => eps,
            None => fields.positive("layer_norm_eps")?.unwrap_or(1e-5),
        };
        let (width, heads) = (count("hidden_size")?, count("num_attention_heads")?);
        if width % (2 * heads) != 0 {
            return Err(fields.wrong(
                "num_attention_heads",
                &format!("heads of an even size: `hidden_size` is {width}"),
            ));
        }
        Ok(Self {
            vocabulary: count("vocab_size")?,
            width,
            inner: count("intermediate_size")?,
            heads,
            reaches: reaches(&fields, count("num_hidden_layers")?)?,
            theta_full,
            theta_window,
            window: fields.count("local_attention")?.unwrap_or(128) / 2,
            eps,
            positions: fields.count("max_position_embeddings")?.unwrap_or(8192),
        })
    }
}

fn thetas(fields: &Fields<'_>) -> Result<(f64, f64), LoadError> {
    let flat = (
        fields.positive("global_rope_theta")?.unwrap_or(160_000.0),
        fields.positive("local_rope_theta")?.unwrap_or(10_000.0),
    );
    let Some(parameters) = fields.object("rope_parameters")? else {
        return Ok(flat);
    };
    parameters.only("rope_type", "default")?;
    if let Some(both) = parameters.positive("rope_theta")? {
        return Ok((both, both));
    }
    let of = |kind: &str, otherwise: f64| match parameters.object(kind)? {
        None => Ok(otherwise),
        Some(kind) => {
            kind.only("rope_type", "default")?;
            Ok(kind.positive("rope_theta")?.unwrap_or(otherwise))
        }
    };
    Ok((
        of("full_attention", flat.0)?,
        of("sliding_attention", flat.1)?,
    ))
}

fn reaches(fields: &Fields<'_>, layers: usize) -> Result<Vec<Reach>, LoadError> {
    let Some(types) = fields.get("layer_types") else {
        let every = fields.count("global_attn_every_n_layers")?.unwrap_or(3);
        let reach = |layer: usize| {
            if layer.is_multiple_of(every) {
                Reach::Full
            } else {
                Reach::Window
            }
        };
        return Ok((0..layers).map(reach).collect());
    };
    let expected = format!("{layers} times \"full_attention\" or \"sliding_attention\"");
    let types = types
        .as_array()
        .filter(|types| types.len() == layers)
        .ok_or_else(|| fields.wrong("layer_types", &expected))?;
    types
        .iter()
        .map(|kind| match kind.as_str() {
            Some("full_attention") => Ok(Reach::Full),
            Some("sliding_attention") => Ok(Reach::Window),
            _ => Err(fields.wrong("layer_types", &expected)),
        })
        .collect()
}

/// The special tokens by name, from `tokenizer/tokenizer_config.json`.
#[derive(Clone, Debug)]
pub(crate) struct SpecialNames {
    pub(crate) cls: String,
    pub(crate) sep: String,
    pub(crate) mask: String,
}

impl SpecialNames {
    /// # Errors
    /// [`LoadError`] naming the key.
    pub(crate) fn parse(file: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let fields = Fields::parse(file, bytes)?;
        let name = |key: &str| {
            let value = fields.required(key, fields.get(key))?;
            let content = match value {
                Value::Object(token) => token.get("content"),
                plain => Some(plain),
            };
            content
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or_else(|| fields.wrong(key, "a string, or an object with `content`"))
        };
        Ok(Self {
            cls: name("cls_token")?,
            sep: name("sep_token")?,
            mask: name("mask_token")?,
        })
    }
}
