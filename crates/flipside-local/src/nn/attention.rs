//! Scaled dot-product attention.

use candle_core::{Result, Tensor};

use super::Precision;

/// [rows, heads · width] → [heads, rows, width].
pub(crate) fn split_heads(x: &Tensor, heads: usize) -> Result<Tensor> {
    let (rows, all) = x.dims2()?;
    x.reshape((rows, heads, all / heads))?
        .transpose(0, 1)?
        .contiguous()
}

/// [heads, rows, width] → [rows, heads · width].
pub(crate) fn join_heads(x: &Tensor) -> Result<Tensor> {
    let (heads, rows, width) = x.dims3()?;
    x.transpose(0, 1)?.reshape((rows, heads * width))
}

/// `softmax(q · kᵀ / √width + mask) · v` for each head: q of [heads, rows, width], k and v of [heads, others, width], a mask of
/// [rows, others] that is added, 0 where a row may look and −∞ where it may not.
pub(crate) fn attend(
    q: &Tensor,
    k: &Tensor,
    v: &Tensor,
    mask: Option<&Tensor>,
    precision: Precision,
) -> Result<Tensor> {
    let width = q.dim(2)?;
    let scale = (width as f64).sqrt().recip();
    let scores = (precision.product(q, &k.transpose(1, 2)?)? * scale)?;
    let scores = match mask {
        None => scores,
        Some(mask) => scores.broadcast_add(mask)?,
    };
    precision.product(&candle_nn::ops::softmax_last_dim(&scores)?, v)
}
