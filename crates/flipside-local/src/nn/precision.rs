//! In what numbers a forward pass is computed.

use candle_core::{DType, Result, Tensor};

/// In what numbers matrix products are computed. Everything else is always 32-bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats: the reference.
    #[default]
    F32,
    /// Factors and products of matrix products are rounded to bfloat16, sums are 32-bit: what automatic mixed precision does
    /// on a GPU.
    Bf16,
}

impl Precision {
    /// Its name in settings and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
        }
    }

    /// The precision of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::F32, Self::Bf16]
            .into_iter()
            .find(|precision| precision.name() == name)
    }

    /// The distance from 1 to the next larger number.
    pub fn epsilon(self) -> f64 {
        match self {
            Self::F32 => f64::from(f32::EPSILON),
            Self::Bf16 => 2f64.powi(-7),
        }
    }

    /// `tensor` as it enters or leaves a matrix product.
    pub(crate) fn round(self, tensor: &Tensor) -> Result<Tensor> {
        match self {
            Self::F32 => Ok(tensor.clone()),
            Self::Bf16 => tensor.to_dtype(DType::BF16)?.to_dtype(DType::F32),
        }
    }

    /// The product of `left` and `right`.
    pub(crate) fn product(self, left: &Tensor, right: &Tensor) -> Result<Tensor> {
        self.round(&self.round(left)?.matmul(&self.round(right)?)?)
    }
}
