//! Layer norm and root-mean-square norm over the last dimension.

use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;

use super::rows::SHARE;
use crate::error::LoadError;
use crate::weights::Weights;

/// A norm over the last dimension: `(x − mean) / √(variance + ε) · weight + bias`, with the variance of the population; or
/// without mean and bias.
#[derive(Debug)]
pub(crate) struct Norm {
    kernel: Kernel,
}

#[derive(Clone, Debug)]
struct Kernel {
    weight: Vec<f32>,
    bias: Option<Vec<f32>>,
    eps: f64,
    centred: bool,
}

impl Norm {
    /// Layer norm with `{name}.weight` and `{name}.bias` of [`width`].
    pub(crate) fn layer(
        weights: &mut Weights,
        name: &str,
        width: usize,
        eps: f64,
    ) -> std::result::Result<Self, LoadError> {
        let weight = vector(weights, &format!("{name}.weight"), width)?;
        let bias = vector(weights, &format!("{name}.bias"), width)?;
        Ok(Self::of(weight, Some(bias), eps, true))
    }

    /// Layer norm with `{name}.weight` alone.
    pub(crate) fn layer_unbiased(
        weights: &mut Weights,
        name: &str,
        width: usize,
        eps: f64,
    ) -> std::result::Result<Self, LoadError> {
        let weight = vector(weights, &format!("{name}.weight"), width)?;
        Ok(Self::of(weight, None, eps, true))
    }

    /// Root-mean-square norm with `{name}.weight`.
    pub(crate) fn rms(
        weights: &mut Weights,
        name: &str,
        width: usize,
        eps: f64,
    ) -> std::result::Result<Self, LoadError> {
        let weight = vector(weights, &format!("{name}.weight"), width)?;
        Ok(Self::of(weight, None, eps, false))
    }

    /// Root-mean-square norm with this weight.
    pub(crate) fn rms_of(weight: Vec<f32>, eps: f64) -> Self {
        Self::of(weight, None, eps, false)
    }

    fn of(weight: Vec<f32>, bias: Option<Vec<f32>>, eps: f64, centred: bool) -> Self {
        Self {
            kernel: Kernel {
                weight,
                bias,
                eps,
                centred,
            },
        }
    }

    /// The norm of each row.
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        x.contiguous()?.apply_op1_no_bwd(&self.kernel)
    }
}

fn vector(
    weights: &mut Weights,
    name: &str,
    width: usize,
) -> std::result::Result<Vec<f32>, LoadError> {
    let file = weights.file().to_owned();
    weights
        .take(name, &[width])?
        .to_vec1()
        .map_err(|error| LoadError::invalid(file, error.to_string()))
}

impl Kernel {
    /// Moments are summed in 64 bits, so that no order of summation shows.
    fn row(&self, x: &[f32], out: &mut [f32]) {
        let width = x.len() as f64;
        let mean = if self.centred {
            x.iter().map(|v| f64::from(*v)).sum::<f64>() / width
        } else {
            0.0
        };
        let square = x
            .iter()
            .map(|v| (f64::from(*v) - mean).powi(2))
            .sum::<f64>()
            / width;
        let scale = (square + self.eps).sqrt().recip();
        let parts = x.iter().zip(&self.weight).zip(out.iter_mut());
        for ((v, weight), out) in parts {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "back to the precision of the input"
            )]
            let scaled = ((f64::from(*v) - mean) * scale) as f32;
            *out = scaled * weight;
        }
        if let Some(bias) = &self.bias {
            for (out, bias) in out.iter_mut().zip(bias) {
                *out += bias;
            }
        }
    }
}

impl CustomOp1 for Kernel {
    fn name(&self) -> &'static str {
        "norm"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let CpuStorage::F32(values) = storage else {
            bail!("a norm takes 32-bit floats");
        };
        let Some((from, to)) = layout.contiguous_offsets() else {
            bail!("a norm takes contiguous rows");
        };
        let width = self.weight.len();
        let mut out = vec![0.0; to - from];
        out.par_chunks_mut(width)
            .zip(values[from..to].par_chunks(width))
            .with_min_len(SHARE.div_ceil(width))
            .for_each(|(out, x)| self.row(x, out));
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    /// By hand: of 1, 2, 3, 6 the mean is 3, the variance 3.5, the mean square 12.5.
    #[test]
    fn rows_are_normed_as_the_formulas_say() {
        let x = Tensor::new(&[[1f32, 2.0, 3.0, 6.0]], &Device::Cpu).unwrap();
        let weight = vec![1.0, 2.0, 1.0, 1.0];
        let layer = Norm::of(weight.clone(), Some(vec![0.0, 0.0, 0.5, 0.0]), 0.0, true);
        let rms = Norm::of(weight, None, 1.0, false);
        let near = |found: &Tensor, expected: [f32; 4]| {
            for (found, expected) in found.to_vec2::<f32>().unwrap()[0].iter().zip(expected) {
                assert!((found - expected).abs() < 1e-6, "{found} {expected}");
            }
        };
        near(
            &layer.forward(&x).unwrap(),
            [-1.069_045, -1.069_045, 0.5, 1.603_567_5],
        );
        near(
            &rms.forward(&x).unwrap(),
            [0.272_165_5, 1.088_662_1, 0.816_496_6, 1.632_993_2],
        );
    }
}
