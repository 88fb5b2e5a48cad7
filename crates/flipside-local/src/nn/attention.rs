//! Scaled dot-product attention.

use candle_core::{Result, Tensor};

use super::Precision;
use super::shares::shares;

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
    let scores = precision.product(q, &k.transpose(1, 2)?)?;
    shares(&scores, scale, mask)?;
    precision.product(&scores, v)
}

/// As [`attend`], of rows that also look at all of `before`: keys and values of earlier rows in some pieces, which are read where
/// they lie. The mask is one of the rows' own keys.
pub(crate) fn attend_after(
    before: &[(Tensor, Tensor)],
    q: &Tensor,
    k: &Tensor,
    v: &Tensor,
    mask: Option<&Tensor>,
    precision: Precision,
) -> Result<Tensor> {
    if before.is_empty() {
        return attend(q, k, v, mask, precision);
    }
    let scale = (q.dim(2)? as f64).sqrt().recip();
    let scores = |k: &Tensor| precision.product(q, &k.transpose(1, 2)?);
    let mut all = Vec::with_capacity(before.len() + 1);
    for (k, _) in before {
        all.push(scores(k)?);
    }
    all.push(scores(k)?);
    let scores = Tensor::cat(&all, 2)?;
    let others = scores.dim(2)?;
    let mask = mask.map(|mask| mask.pad_with_zeros(1, others - mask.dim(1)?, 0));
    shares(&scores, scale, mask.transpose()?.as_ref())?;
    let scores = precision.round(&scores)?;
    // The parts of one sum: only the whole is rounded.
    let part = |place: usize, v: &Tensor| {
        let shares = scores.narrow(2, place, v.dim(1)?)?;
        shares.matmul(&precision.round(v)?)
    };
    let mut place = others - v.dim(1)?;
    let mut seen = part(place, v)?;
    for (_, v) in before.iter().rev() {
        place -= v.dim(1)?;
        seen = (seen + part(place, v)?)?;
    }
    precision.round(&seen)
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    /// Keys and values in pieces give what they give as one; every row sees all of what stands before.
    #[test]
    fn pieces_are_seen_as_one() {
        let tensor = |rows: usize, from: f32| {
            let count = 2 * rows * 4;
            let values = (0..count).map(|i| (i as f32 * 0.37 + from).sin());
            Tensor::from_iter(values, &Device::Cpu)
                .unwrap()
                .reshape((2, rows, 4))
                .unwrap()
        };
        let (k, v, q) = (tensor(9, 0.1), tensor(9, 0.7), tensor(3, 0.4));
        let piece = |from: usize, rows: usize| {
            let part = |x: &Tensor| x.narrow(1, from, rows).unwrap().contiguous().unwrap();
            (part(&k), part(&v))
        };
        let hidden = f32::NEG_INFINITY;
        let own = [[0.0, hidden, hidden], [0.0, 0.0, hidden], [0.0; 3]];
        let all: Vec<Vec<f32>> = own
            .iter()
            .map(|row| [&[0.0; 6][..], row].concat())
            .collect();
        let (own, all) = (
            Tensor::new(&own, &Device::Cpu).unwrap(),
            Tensor::new(all, &Device::Cpu).unwrap(),
        );
        for precision in [Precision::F32, Precision::Bf16] {
            let whole = attend(&q, &k, &v, Some(&all), precision).unwrap();
            let (last_k, last_v) = piece(6, 3);
            let before = [piece(0, 4), piece(4, 2)];
            let pieces =
                attend_after(&before, &q, &last_k, &last_v, Some(&own), precision).unwrap();
            let flat = |x: Tensor| x.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            for (found, expected) in flat(pieces).into_iter().zip(flat(whole)) {
                // A sum in another order; in 16 bits it may fall to the other side of a tie.
                let most = 4.0 * precision.epsilon() * f64::from(expected.abs().max(0.1));
                assert!(
                    f64::from((found - expected).abs()) <= most,
                    "{found} {expected}"
                );
            }
        }
    }
}
