//! The decision head, scorer and action head (the Laya page, 5).

use candle_core::{Device, Result, Tensor};

use super::config::AgentConfig;
use crate::error::LoadError;
use crate::nn::{Activation, Linear, Norm, Precision, SetLayer};
use crate::observe::Observer;
use crate::softmax::softmax;
use crate::weights::Weights;

/// Components of an attention head of the decision head.
const HEAD: usize = 64;
/// Width of the action head.
const ACTION: usize = 256;
/// Features of the distribution that the action head sees.
const FEATURES: usize = 4;
/// ε of the scorer's norm.
const EPS: f64 = 1e-5;

#[derive(Debug)]
pub(crate) struct Head {
    types: Tensor,
    layers: Vec<SetLayer>,
    score_norm: Norm,
    score_in: Linear,
    score_out: Linear,
    act_in: Linear,
    act_out: Linear,
}

/// What the head makes of a sequence.
#[derive(Clone, Debug)]
pub struct Scored {
    /// The vector at each slot's mask after the decision head: [slots, width].
    pub vectors: Tensor,
    /// Raw logits by slot.
    pub logits: Vec<f32>,
    /// Softmax of the action head; the first is "act".
    pub actions: Vec<f32>,
}

impl Head {
    pub(crate) fn load(
        weights: &mut Weights,
        config: &AgentConfig,
        d: usize,
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        let heads = (d / HEAD).max(1);
        if !d.is_multiple_of(heads) {
            return Err(LoadError::invalid(
                weights.file(),
                format!("{heads} heads do not divide the width {d}"),
            ));
        }
        let types = weights.take("type_emb.weight", &[3, d])?;
        let layers = (0..config.head_layers)
            .map(|place| {
                let name = format!("head.layers.{place}");
                SetLayer::load(weights, &name, (d, heads), Activation::Relu, precision)
            })
            .collect::<std::result::Result<_, _>>()?;
        let score_norm = Norm::layer(weights, "scorer.0", d, EPS)?;
        let mut linear = |name: &str, shape| Linear::load_biased(weights, name, shape, precision);
        Ok(Self {
            types,
            layers,
            score_norm,
            score_in: linear("scorer.1", (d, d))?,
            score_out: linear("scorer.3", (1, d))?,
            act_in: linear("act_head.0", (ACTION, d + FEATURES))?,
            act_out: linear("act_head.2", (config.actions, ACTION))?,
        })
    }

    /// Scores the slots whose masks stand at `markers` in `encoded`, [tokens, width].
    pub(crate) fn forward(
        &self,
        encoded: &Tensor,
        kind: usize,
        markers: &[usize],
        observer: Observer<'_>,
    ) -> Result<Scored> {
        let mut h = encoded.broadcast_add(&self.types.narrow(0, kind, 1)?)?;
        for (place, layer) in self.layers.iter().enumerate() {
            h = layer.forward(&h, None)?;
            observer.layer("head", place, &h);
        }
        let markers: Vec<u32> = markers
            .iter()
            .map(|marker| u32::try_from(*marker).expect("a sequence is short"))
            .collect();
        let slots = markers.len();
        let vectors = h.index_select(&Tensor::from_vec(markers, slots, &Device::Cpu)?, 0)?;
        let inner = self.score_in.forward(&self.score_norm.forward(&vectors)?)?;
        let logits: Vec<f32> = self
            .score_out
            .forward(&inner.gelu_erf()?)?
            .flatten_all()?
            .to_vec1()?;
        let features = Tensor::from_slice(&features(&logits), (1, FEATURES), &Device::Cpu)?;
        let input = Tensor::cat(&[&h.narrow(0, 0, 1)?, &features], 1)?;
        let act = self
            .act_out
            .forward(&self.act_in.forward(&input)?.gelu_erf()?)?;
        Ok(Scored {
            vectors,
            actions: softmax(&act.flatten_all()?.to_vec1()?, 1.0),
            logits,
        })
    }
}

/// The largest probability, its lead, the normalised entropy and the share of 255 options, of the untempered logits.
fn features(logits: &[f32]) -> [f32; FEATURES] {
    let p = softmax(logits, 1.0);
    let mut sorted = p.clone();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let second = sorted.get(1).copied().unwrap_or(0.0);
    let options = logits.len().max(2) as f32;
    let entropy: f32 = -p
        .iter()
        .map(|p| p.max(1e-9))
        .map(|p| p * p.ln())
        .sum::<f32>();
    [
        sorted[0],
        sorted[0] - second,
        entropy / options.ln(),
        options / 255.0,
    ]
}
