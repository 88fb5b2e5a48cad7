//! PyTorch's `nn.TransformerEncoderLayer` with the norm first, without positions.

use candle_core::{Result, Tensor};

use super::rows::each_row;
use super::{Linear, Norm, Precision, attend, join_heads, split_heads};
use crate::error::LoadError;
use crate::weights::Weights;

/// PyTorch's default ε of a layer norm.
const EPS: f64 = 1e-5;

/// What stands between the two linear layers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Activation {
    /// The exact form, by the error function.
    Gelu,
    /// The library's default for a layer that names none.
    Relu,
}

/// Self-attention over all rows, then a feed-forward network of four times the width.
#[derive(Debug)]
pub(crate) struct SetLayer {
    norm1: Norm,
    packed: Linear,
    out: Linear,
    norm2: Norm,
    linear1: Linear,
    linear2: Linear,
    heads: usize,
    activation: Activation,
    precision: Precision,
}

impl SetLayer {
    /// The layer whose tensors begin with `name`.
    pub(crate) fn load(
        weights: &mut Weights,
        name: &str,
        (width, heads): (usize, usize),
        activation: Activation,
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        Ok(Self {
            norm1: Norm::layer(weights, &format!("{name}.norm1"), width, EPS)?,
            packed: Linear::load_packed(
                weights,
                &format!("{name}.self_attn.in_proj"),
                (3 * width, width),
                precision,
            )?,
            out: Linear::load_biased(
                weights,
                &format!("{name}.self_attn.out_proj"),
                (width, width),
                precision,
            )?,
            norm2: Norm::layer(weights, &format!("{name}.norm2"), width, EPS)?,
            linear1: Linear::load_biased(
                weights,
                &format!("{name}.linear1"),
                (4 * width, width),
                precision,
            )?,
            linear2: Linear::load_biased(
                weights,
                &format!("{name}.linear2"),
                (width, 4 * width),
                precision,
            )?,
            heads,
            activation,
            precision,
        })
    }

    /// [rows, width] → the same. Every row sees every row that `mask` lets it see.
    pub(crate) fn forward(&self, x: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
        let width = x.dim(1)?;
        let packed = self.packed.forward(&self.norm1.forward(x)?)?;
        let part = |place: usize| split_heads(&packed.narrow(1, place * width, width)?, self.heads);
        let seen = attend(&part(0)?, &part(1)?, &part(2)?, mask, self.precision)?;
        let x = (x + self.out.forward(&join_heads(&seen)?)?)?;
        let inner = self.linear1.forward(&self.norm2.forward(&x)?)?;
        let inner = match self.activation {
            Activation::Gelu => inner.gelu_erf()?,
            Activation::Relu => {
                each_row(&inner, |_, row| {
                    for value in row {
                        *value = value.max(0.0);
                    }
                })?;
                inner
            }
        };
        &x + self.linear2.forward(&inner)?
    }
}
