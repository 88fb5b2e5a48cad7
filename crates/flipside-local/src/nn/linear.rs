//! A linear layer.

use candle_core::{Result, Tensor};

use super::Precision;
use super::rows::each_row;
use crate::error::LoadError;
use crate::weights::Weights;

/// Rows up to which `weight · xᵀ` is the faster form: it reads a large weight as it lies instead of packing it for every pass
/// (measured with weights of 1024 by 3072: 1.8 times as fast at 12 rows, 1.1 times at 96, slower from 250).
const FEW: usize = 96;

/// `x · weightᵀ + bias`, with a weight of [out, in].
#[derive(Debug)]
pub(crate) struct Linear {
    weight: Tensor,
    bias: Option<Vec<f32>>,
    precision: Precision,
}

impl Linear {
    /// `{name}.weight` of [`out`, `inputs`], without a bias.
    pub(crate) fn load(
        weights: &mut Weights,
        name: &str,
        (out, inputs): (usize, usize),
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        let weight = weights.take(&format!("{name}.weight"), &[out, inputs])?;
        Self::of(weights.file(), &weight, None, precision)
    }

    /// `{name}.weight` and `{name}.bias`.
    pub(crate) fn load_biased(
        weights: &mut Weights,
        name: &str,
        (out, inputs): (usize, usize),
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        let weight = weights.take(&format!("{name}.weight"), &[out, inputs])?;
        let bias = weights.take(&format!("{name}.bias"), &[out])?;
        Self::of(weights.file(), &weight, Some(&bias), precision)
    }

    /// The packed projection `{name}_weight`, `{name}_bias` of PyTorch's attention.
    pub(crate) fn load_packed(
        weights: &mut Weights,
        name: &str,
        (out, inputs): (usize, usize),
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        let weight = weights.take(&format!("{name}_weight"), &[out, inputs])?;
        let bias = weights.take(&format!("{name}_bias"), &[out])?;
        Self::of(weights.file(), &weight, Some(&bias), precision)
    }

    /// `weight` of [out, in] and `bias` of [out], which the file called `file` holds.
    pub(crate) fn of(
        file: &str,
        weight: &Tensor,
        bias: Option<&Tensor>,
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        let invalid = |error: candle_core::Error| LoadError::invalid(file, error.to_string());
        let rounded = |tensor: &Tensor| {
            let rounded = precision.round(tensor);
            rounded.map_err(invalid)
        };
        Ok(Self {
            weight: rounded(weight)?,
            bias: bias
                .map(|bias| rounded(bias)?.to_vec1().map_err(invalid))
                .transpose()?,
            precision,
        })
    }

    /// [rows, in] → [rows, out].
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let x = self.precision.round(x)?;
        let product = if x.dim(0)? <= FEW {
            self.weight.matmul(&x.t()?)?.t()?.contiguous()?
        } else {
            x.matmul(&self.weight.t()?)?
        };
        if let Some(bias) = &self.bias {
            each_row(&product, |_, row| {
                for (value, bias) in row.iter_mut().zip(bias) {
                    *value += bias;
                }
            })?;
        }
        self.precision.round(&product)
    }
}
