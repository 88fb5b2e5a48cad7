//! Softmax of attention scores, scaled and masked, in one pass where they lie.

use candle_core::{Result, Tensor};

use super::rows::each_row;

/// Each row of `scores` becomes `softmax(scale · row + mask)`. Scores are [heads, rows, others] that nobody else holds; the mask of
/// [rows, others] is added to those of every head, and leaves something to see in each row.
pub(crate) fn shares(scores: &Tensor, scale: f64, mask: Option<&Tensor>) -> Result<()> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "in the precision of the scores"
    )]
    let scale = scale as f32;
    let Some(mask) = mask else {
        return each_row(scores, |_, row| {
            for value in &mut *row {
                *value *= scale;
            }
            softmax(row);
        });
    };
    let mask = mask.to_vec2::<f32>()?;
    each_row(scores, |number, row| {
        for (value, mask) in row.iter_mut().zip(&mask[number % mask.len()]) {
            *value = *value * scale + mask;
        }
        softmax(row);
    })
}

/// Numbers that are kept beside each other, so that the processor can work on several at once.
const LANES: usize = 8;

fn softmax(row: &mut [f32]) {
    let top = largest(row);
    let mut sums = [0f32; LANES];
    for part in row.chunks_mut(LANES) {
        for (value, sum) in part.iter_mut().zip(&mut sums) {
            *value = (*value - top).exp();
            *sum += *value;
        }
    }
    let all: f32 = sums.iter().sum();
    for value in row {
        *value /= all;
    }
}

fn largest(row: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let mut tops = [f32::NEG_INFINITY; LANES];
    let mut parts = row.chunks_exact(LANES);
    for part in parts.by_ref() {
        for (top, value) in tops.iter_mut().zip(part) {
            *top = larger(*top, *value);
        }
    }
    tops.into_iter()
        .chain(parts.remainder().iter().copied())
        .fold(f32::NEG_INFINITY, larger)
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    /// By hand: halves of 0, 2 ln 2 and 2 ln 5 are the logarithms of 1, 2 and 5, of 8; without the last, of 3.
    #[test]
    fn scores_become_shares_of_what_a_row_may_see() {
        let row = [0.0, 2f32.ln() * 2.0, 5f32.ln() * 2.0];
        let scores = || Tensor::new(&[[row, row], [row, row]], &Device::Cpu).unwrap();
        let near = |found: &Tensor, expected: [[f32; 3]; 2]| {
            for head in found.to_vec3::<f32>().unwrap() {
                for (found, expected) in head.concat().iter().zip(expected.concat()) {
                    assert!((found - expected).abs() < 1e-7, "{found} {expected}");
                }
            }
        };
        let all = [0.125, 0.25, 0.625];
        let open = scores();
        shares(&open, 0.5, None).unwrap();
        near(&open, [all, all]);
        let hidden = [[0.0, 0.0, 0.0], [0.0, 0.0, f32::NEG_INFINITY]];
        let masked = scores();
        shares(
            &masked,
            0.5,
            Some(&Tensor::new(&hidden, &Device::Cpu).unwrap()),
        )
        .unwrap();
        near(&masked, [all, [1.0 / 3.0, 2.0 / 3.0, 0.0]]);
    }

    /// Nineteen equal scores: the last lanes have less to add.
    #[test]
    fn rows_of_any_length_sum_to_one() {
        let scores = Tensor::ones((1, 1, 19), candle_core::DType::F32, &Device::Cpu).unwrap();
        shares(&scores, 1.0, None).unwrap();
        for share in scores.flatten_all().unwrap().to_vec1::<f32>().unwrap() {
            assert!((share - 1.0 / 19.0).abs() < 1e-8, "{share}");
        }
    }
}
