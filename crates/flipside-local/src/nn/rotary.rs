//! Rotary position embedding in its half-split form: component m is paired with component m + width / 2.

use candle_core::{Device, Result, Tensor};

/// Cosines and sines of some positions.
#[derive(Debug)]
pub(crate) struct Rotary {
    cos: Tensor,
    sin: Tensor,
}

impl Rotary {
    /// Of `positions`, for heads of `width` components: the angle of pair m is the position times `theta^(−2m / width)`.
    pub(crate) fn new(width: usize, theta: f64, positions: &[u32]) -> Result<Self> {
        let half = width / 2;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "frequencies are 32-bit in the original"
        )]
        let theta = theta as f32;
        let frequencies: Vec<f32> = (0..half)
            .map(|pair| theta.powf((2 * pair) as f32 / width as f32).recip())
            .collect();
        let angles: Vec<f32> = positions
            .iter()
            .flat_map(|position| frequencies.iter().map(move |f| *position as f32 * f))
            .collect();
        let angles = Tensor::from_vec(angles, (positions.len(), half), &Device::Cpu)?;
        Ok(Self {
            cos: angles.cos()?,
            sin: angles.sin()?,
        })
    }

    /// [heads, positions, width] → the same, turned.
    pub(crate) fn apply(&self, x: &Tensor) -> Result<Tensor> {
        candle_nn::rotary_emb::rope(&x.unsqueeze(0)?.contiguous()?, &self.cos, &self.sin)?
            .squeeze(0)
    }
}
