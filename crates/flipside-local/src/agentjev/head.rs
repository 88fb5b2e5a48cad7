//! The set head: candidates see each other, and no positions (the AgentJev page, 5).

use candle_core::{Result, Tensor};

use crate::error::LoadError;
use crate::nn::{Activation, Linear, Norm, Precision, SetLayer};
use crate::observe::Observer;
use crate::weights::Weights;

/// ε of the scorer's norm, whatever the backbone's.
const EPS: f64 = 1e-6;

#[derive(Debug)]
pub(crate) struct Head {
    proj_in: Linear,
    layers: Vec<SetLayer>,
    proj_out: Linear,
    norm: Norm,
    fc1: Linear,
    fc2: Linear,
}

impl Head {
    /// Sizes are read from the tensors; how many heads there are is not in them.
    pub(crate) fn load(
        weights: &mut Weights,
        d: usize,
        set_heads: usize,
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        const LAYERS: &str = "set_encoder.encoder.layers.";
        let rows = |weights: &Weights, name: &str, columns: usize| match weights.shape(name) {
            Some([rows, found]) if *found == columns && *rows > 0 => Ok(*rows),
            Some(found) => Err(LoadError::invalid(
                weights.file(),
                format!("tensor `{name}` has shape {found:?}, expected {columns} columns"),
            )),
            None => Err(LoadError::invalid(
                weights.file(),
                format!("no tensor `{name}`, expected one with {columns} columns"),
            )),
        };
        let set = rows(weights, "proj_in.weight", d)?;
        let hidden = rows(weights, "scorer.fc1.weight", d)?;
        if set_heads == 0 || !set.is_multiple_of(set_heads) {
            return Err(LoadError::invalid(
                weights.file(),
                format!(
                    "{set_heads} set heads do not divide the {set} rows of `proj_in.weight`; set `set_heads`"
                ),
            ));
        }
        let count = weights.layers(LAYERS);
        let linear = |weights: &mut Weights, name: &str, shape| {
            Linear::load_biased(weights, name, shape, precision)
        };
        Ok(Self {
            proj_in: linear(weights, "proj_in", (set, d))?,
            layers: (0..count)
                .map(|place| {
                    let name = format!("{LAYERS}{place}");
                    SetLayer::load(
                        weights,
                        &name,
                        (set, set_heads),
                        Activation::Gelu,
                        precision,
                    )
                })
                .collect::<std::result::Result<_, _>>()?,
            proj_out: linear(weights, "proj_out", (d, set))?,
            norm: Norm::rms(weights, "scorer.norm", d, EPS)?,
            fc1: linear(weights, "scorer.fc1", (hidden, d))?,
            fc2: linear(weights, "scorer.fc2", (1, hidden))?,
        })
    }

    /// Raw logits of candidate vectors, [candidates, width], in their order.
    pub(crate) fn forward(&self, vectors: &Tensor, observer: Observer<'_>) -> Result<Vec<f32>> {
        let mut x = self.proj_in.forward(vectors)?;
        observer.see("set_in", &x);
        for (place, layer) in self.layers.iter().enumerate() {
            x = layer.forward(&x, None)?;
            observer.layer("set", place, &x);
        }
        let residual = (vectors + self.proj_out.forward(&x)?)?;
        let inner = self.fc1.forward(&self.norm.forward(&residual)?)?.silu()?;
        self.fc2.forward(&inner)?.flatten_all()?.to_vec1()
    }
}
