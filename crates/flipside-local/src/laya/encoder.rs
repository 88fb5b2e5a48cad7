//! The `ModernBERT` encoder (the Laya page, 4).

use candle_core::{Device, Result, Tensor};

use super::config::{EncoderConfig, Reach};
use super::sequence::Sequence;
use crate::error::LoadError;
use crate::nn::{Linear, Norm, Precision, Rotary, attend, join_heads, split_heads};
use crate::observe::Observer;
use crate::weights::Weights;

#[derive(Debug)]
pub(crate) struct Encoder {
    config: EncoderConfig,
    embedding: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
    final_norm: Norm,
    precision: Precision,
}

#[derive(Debug)]
struct Layer {
    /// The first layer has none: the embedding was just normed.
    attention_norm: Option<Norm>,
    qkv: Linear,
    out: Linear,
    inner_norm: Norm,
    inner: Linear,
    inner_out: Linear,
    reach: Reach,
}

impl Encoder {
    pub(crate) fn load(
        weights: &mut Weights,
        config: EncoderConfig,
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        let (d, inner) = (config.width, config.inner);
        let embedding = weights.take(
            "encoder.embeddings.tok_embeddings.weight",
            &[config.vocabulary, d],
        )?;
        let norm = Norm::layer_unbiased(weights, "encoder.embeddings.norm", d, config.eps)?;
        let layers = config
            .reaches
            .iter()
            .enumerate()
            .map(|(place, reach)| {
                let name = |part: &str| format!("encoder.layers.{place}.{part}");
                let norm = |weights: &mut Weights, part: &str| {
                    Norm::layer_unbiased(weights, &name(part), d, config.eps)
                };
                let linear = |weights: &mut Weights, part: &str, shape| {
                    Linear::load(weights, &name(part), shape, precision)
                };
                Ok(Layer {
                    attention_norm: (place > 0)
                        .then(|| norm(weights, "attn_norm"))
                        .transpose()?,
                    qkv: linear(weights, "attn.Wqkv", (3 * d, d))?,
                    out: linear(weights, "attn.Wo", (d, d))?,
                    inner_norm: norm(weights, "mlp_norm")?,
                    inner: linear(weights, "mlp.Wi", (2 * inner, d))?,
                    inner_out: linear(weights, "mlp.Wo", (d, inner))?,
                    reach: *reach,
                })
            })
            .collect::<std::result::Result<_, LoadError>>()?;
        let final_norm = Norm::layer_unbiased(weights, "encoder.final_norm", d, config.eps)?;
        Ok(Self {
            config,
            embedding,
            norm,
            layers,
            final_norm,
            precision,
        })
    }

    /// How many tokens a sequence may have.
    pub(crate) fn positions(&self) -> usize {
        self.config.positions
    }

    /// [tokens, width] after the final norm.
    pub(crate) fn forward(&self, sequence: &Sequence, observer: Observer<'_>) -> Result<Tensor> {
        let tokens = sequence.ids.len();
        let ids = Tensor::from_slice(&sequence.ids, tokens, &Device::Cpu)?;
        let mut x = self.norm.forward(&self.embedding.index_select(&ids, 0)?)?;
        observer.see("embeddings", &x);
        let own: Vec<u32>;
        let positions = if let Some(sides) = &sequence.sides {
            &sides.positions
        } else {
            own = (0u32..).take(tokens).collect();
            &own
        };
        let head = self.config.width / self.config.heads;
        let full = Rotary::new(head, self.config.theta_full, positions)?;
        let window = Rotary::new(head, self.config.theta_window, positions)?;
        let owners = sequence.sides.as_ref().map(|sides| sides.owners.as_slice());
        let full_mask = owners.map(|owners| mask(tokens, |a, b| common(owners, a, b)));
        let full_mask = full_mask.transpose()?;
        let reach = u32::try_from(self.config.window).unwrap_or(u32::MAX);
        let window_mask = mask(tokens, |a, b| {
            positions[a].abs_diff(positions[b]) <= reach
                && owners.is_none_or(|owners| common(owners, a, b))
        })?;
        for (place, layer) in self.layers.iter().enumerate() {
            x = match layer.reach {
                Reach::Full => self.layer(layer, &x, &full, full_mask.as_ref())?,
                Reach::Window => self.layer(layer, &x, &window, Some(&window_mask))?,
            };
            observer.layer("layer", place, &x);
        }
        let x = self.final_norm.forward(&x)?;
        observer.see("final", &x);
        Ok(x)
    }

    fn layer(
        &self,
        layer: &Layer,
        x: &Tensor,
        rotary: &Rotary,
        mask: Option<&Tensor>,
    ) -> Result<Tensor> {
        let d = self.config.width;
        let h = match &layer.attention_norm {
            None => x.clone(),
            Some(norm) => norm.forward(x)?,
        };
        let qkv = layer.qkv.forward(&h)?;
        let part = |place: usize| split_heads(&qkv.narrow(1, place * d, d)?, self.config.heads);
        let (q, k) = (rotary.apply(&part(0)?)?, rotary.apply(&part(1)?)?);
        let seen = attend(&q, &k, &part(2)?, mask, self.precision)?;
        let x = (x + layer.out.forward(&join_heads(&seen)?)?)?;
        let both = layer.inner.forward(&layer.inner_norm.forward(&x)?)?;
        let inner = self.config.inner;
        let gated = (both.narrow(1, 0, inner)?.gelu_erf()? * both.narrow(1, inner, inner)?)?;
        &x + layer.inner_out.forward(&gated)?
    }
}

/// Whether a token of owner `owners[a]` may see one of `owners[b]`: not that of another option.
fn common(owners: &[u32], a: usize, b: usize) -> bool {
    owners[a] == 0 || owners[b] == 0 || owners[a] == owners[b]
}

/// [tokens, tokens]: 0 where `sees` holds of row and column, else −∞.
fn mask(tokens: usize, sees: impl Fn(usize, usize) -> bool) -> Result<Tensor> {
    let mut values = Vec::with_capacity(tokens * tokens);
    for row in 0..tokens {
        values.extend((0..tokens).map(|column| {
            if sees(row, column) {
                0.0
            } else {
                f32::NEG_INFINITY
            }
        }));
    }
    Tensor::from_vec(values, (tokens, tokens), &Device::Cpu)
}
