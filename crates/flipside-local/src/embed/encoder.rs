//! BERT: learned positions, and every norm after its sum.

use candle_core::{Device, Result, Tensor};

use super::config::EncoderConfig;
use crate::error::LoadError;
use crate::nn::{Linear, Norm, Precision, attend, join_heads, split_heads};
use crate::observe::Observer;
use crate::weights::Weights;

#[derive(Debug)]
pub(crate) struct Encoder {
    config: EncoderConfig,
    words: Tensor,
    positions: Tensor,
    /// The segment that every token belongs to.
    segment: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
    precision: Precision,
}

#[derive(Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    out: Linear,
    out_norm: Norm,
    inner: Linear,
    inner_out: Linear,
    inner_norm: Norm,
}

impl Encoder {
    pub(crate) fn load(
        weights: &mut Weights,
        config: EncoderConfig,
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        let (d, inner) = (config.width, config.inner);
        let mut table = |name: &str, rows| {
            weights.take(&format!("embeddings.{name}_embeddings.weight"), &[rows, d])
        };
        let words = table("word", config.vocabulary)?;
        let positions = table("position", config.positions)?;
        let segments = table("token_type", config.segments)?;
        let segment = segments
            .narrow(0, 0, 1)
            .map_err(|error| LoadError::invalid(weights.file(), error.to_string()))?;
        weights.skip_places("embeddings.position_ids", config.positions)?;
        let norm = Norm::layer(weights, "embeddings.LayerNorm", d, config.eps)?;
        let layers = (0..config.layers)
            .map(|place| {
                let name = |part: &str| format!("encoder.layer.{place}.{part}");
                let linear = |weights: &mut Weights, part: &str, shape| {
                    Linear::load_biased(weights, &name(part), shape, precision)
                };
                let norm = |weights: &mut Weights, part: &str| {
                    Norm::layer(weights, &name(part), d, config.eps)
                };
                Ok(Layer {
                    query: linear(weights, "attention.self.query", (d, d))?,
                    key: linear(weights, "attention.self.key", (d, d))?,
                    value: linear(weights, "attention.self.value", (d, d))?,
                    out: linear(weights, "attention.output.dense", (d, d))?,
                    out_norm: norm(weights, "attention.output.LayerNorm")?,
                    inner: linear(weights, "intermediate.dense", (inner, d))?,
                    inner_out: linear(weights, "output.dense", (d, inner))?,
                    inner_norm: norm(weights, "output.LayerNorm")?,
                })
            })
            .collect::<std::result::Result<_, LoadError>>()?;
        // Stored beside the encoder by its training, and read by no mean of its vectors.
        if weights.shape("pooler.dense.weight").is_some() {
            Linear::load_biased(weights, "pooler.dense", (d, d), Precision::F32)?;
        }
        Ok(Self {
            config,
            words,
            positions,
            segment,
            norm,
            layers,
            precision,
        })
    }

    /// How many tokens a sequence may have.
    pub(crate) fn positions(&self) -> usize {
        self.config.positions
    }

    /// [tokens, width] after the last layer.
    pub(crate) fn forward(&self, ids: &[u32], observer: Observer<'_>) -> Result<Tensor> {
        let tokens = ids.len();
        let ids = Tensor::from_slice(ids, tokens, &Device::Cpu)?;
        let words = self.words.index_select(&ids, 0)?;
        let sum = (words.broadcast_add(&self.segment)? + self.positions.narrow(0, 0, tokens)?)?;
        let mut x = self.norm.forward(&sum)?;
        observer.see("embeddings", &x);
        for (place, layer) in self.layers.iter().enumerate() {
            x = self.layer(layer, &x)?;
            observer.layer("layer", place, &x);
        }
        Ok(x)
    }

    fn layer(&self, layer: &Layer, x: &Tensor) -> Result<Tensor> {
        let part = |linear: &Linear| split_heads(&linear.forward(x)?, self.config.heads);
        let (q, k, v) = (part(&layer.query)?, part(&layer.key)?, part(&layer.value)?);
        let seen = attend(&q, &k, &v, None, self.precision)?;
        let x = (x + layer.out.forward(&join_heads(&seen)?)?)?;
        let x = layer.out_norm.forward(&x)?;
        let inner = layer.inner.forward(&x)?.gelu_erf()?;
        let sum = (&x + layer.inner_out.forward(&inner)?)?;
        layer.inner_norm.forward(&sum)
    }
}
