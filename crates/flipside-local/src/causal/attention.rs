//! Attention of some tokens in a row to everything before them, with the same bits however the tokens were read.

use candle_core::{Device, Result, Tensor};

use super::product::{STEP, least_rows};

/// Keys whose products are summed together: blocks lie at absolute positions, so that no sum is cut elsewhere when more tokens are read.
const BLOCK: usize = 512;
/// A block is filled up to a multiple of this.
const FILL: usize = 32;

/// Heads and their width.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heads {
    pub(super) queries: usize,
    pub(super) keys: usize,
    pub(super) width: usize,
}

impl Heads {
    /// Numbers of one token's keys.
    pub(super) fn keys_width(self) -> usize {
        self.keys * self.width
    }

    /// Numbers of one token's queries.
    pub(super) fn queries_width(self) -> usize {
        self.queries * self.width
    }
}

/// `softmax(q · kᵀ / √width) · v` for each query head of the `rows` last tokens of a sequence, each of which sees itself and
/// everything before it.
///
/// `queries` holds their queries; `gather` is given a range of positions and appends the keys and values there. The result is
/// [rows, queries · width].
pub(super) fn attend(
    heads: Heads,
    queries: &[f32],
    (rows, before): (usize, usize),
    gather: impl Fn(std::ops::Range<usize>, &mut Vec<f32>, &mut Vec<f32>),
) -> Result<Vec<f32>> {
    let group = heads.queries / heads.keys;
    let width = heads.width;
    let tall = (group * rows)
        .next_multiple_of(STEP)
        .max(least_rows(width, FILL));
    let q = grouped(heads, queries, rows, tall)?;
    let total = before + rows;
    let mut blocks = Vec::with_capacity(total.div_ceil(BLOCK));
    for start in (0..total).step_by(BLOCK) {
        let end = (start + BLOCK).min(total);
        let filled = (end - start).next_multiple_of(FILL);
        let mut keys = Vec::with_capacity(filled * heads.keys_width());
        let mut values = Vec::with_capacity(filled * heads.keys_width());
        gather(start..end, &mut keys, &mut values);
        keys.resize(filled * heads.keys_width(), 0.0);
        values.resize(filled * heads.keys_width(), 0.0);
        let by_head = |numbers: Vec<f32>| {
            Tensor::from_vec(numbers, (filled, heads.keys, width), &Device::Cpu)?.transpose(0, 1)
        };
        let (keys, values) = (by_head(keys)?, by_head(values)?);
        let scores = q.matmul(&keys.transpose(1, 2)?)?;
        blocks.push((
            start,
            filled,
            scores.flatten_all()?.to_vec1::<f32>()?,
            values,
        ));
    }
    for head in 0..heads.keys {
        for row in 0..group * rows {
            shares(&mut blocks, head * tall + row, before + row % rows + 1);
        }
    }
    let mut sum: Option<Tensor> = None;
    for (_, filled, shares, values) in blocks {
        let shares = Tensor::from_vec(shares, (heads.keys, tall, filled), &Device::Cpu)?;
        let part = shares.matmul(&values)?;
        sum = Some(match sum {
            None => part,
            Some(sum) => (sum + part)?,
        });
    }
    let seen = sum.map_or(Ok(Vec::new()), |sum| sum.flatten_all()?.to_vec1::<f32>())?;
    let mut out = vec![0.0; rows * heads.queries_width()];
    for head in 0..heads.queries {
        let (key, member) = (head / group, head % group);
        for row in 0..rows {
            let from = (key * tall + member * rows + row) * width;
            let to = row * heads.queries_width() + head * width;
            out[to..to + width].copy_from_slice(&seen[from..from + width]);
        }
    }
    Ok(out)
}

/// The query heads of one key head become rows of it: [keys, tall, width], scaled, filled with zeros.
fn grouped(heads: Heads, queries: &[f32], rows: usize, tall: usize) -> Result<Tensor> {
    let (group, width) = (heads.queries / heads.keys, heads.width);
    #[expect(clippy::cast_possible_truncation, reason = "a scale of 32-bit numbers")]
    let scale = (width as f64).sqrt().recip() as f32;
    let mut q = vec![0.0; heads.keys * tall * width];
    for head in 0..heads.queries {
        let (key, member) = (head / group, head % group);
        for row in 0..rows {
            let from = row * heads.queries_width() + head * width;
            let to = (key * tall + member * rows + row) * width;
            let pairs = q[to..to + width].iter_mut().zip(&queries[from..]);
            for (q, query) in pairs {
                *q = query * scale;
            }
        }
    }
    Tensor::from_vec(q, (heads.keys, tall, width), &Device::Cpu)
}

type Block = (usize, usize, Vec<f32>, Tensor);

/// Replaces the scores of one row by their softmax over the first `visible` positions, and by 0 behind.
fn shares(blocks: &mut [Block], row: usize, visible: usize) {
    let mut most = f32::NEG_INFINITY;
    for (start, filled, scores, _) in blocks.iter() {
        let seen = visible.saturating_sub(*start).min(*filled);
        let row = &scores[row * filled..row * filled + seen];
        most = row.iter().copied().fold(most, f32::max);
    }
    let mut sum = 0.0;
    for (start, filled, scores, _) in blocks.iter_mut() {
        let seen = visible.saturating_sub(*start).min(*filled);
        let row = &mut scores[row * *filled..(row + 1) * *filled];
        for score in &mut row[..seen] {
            *score = (*score - most).exp();
            sum += f64::from(*score);
        }
        row[seen..].fill(0.0);
    }
    #[expect(clippy::cast_possible_truncation, reason = "back to 32 bits")]
    let scale = sum.recip() as f32;
    for (_, filled, scores, _) in blocks.iter_mut() {
        for score in &mut scores[row * *filled..(row + 1) * *filled] {
            *score *= scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADS: Heads = Heads {
        queries: 4,
        keys: 2,
        width: 6,
    };

    fn numbers(count: usize, seed: f32) -> Vec<f32> {
        (0..count).map(|i| (i as f32 * 0.37 + seed).sin()).collect()
    }

    /// Rows `from..to` of a sequence.
    fn part(from: usize, to: usize) -> Vec<f32> {
        let (k, v) = (numbers(1200 * 12, 0.1), numbers(1200 * 12, 0.7));
        let q = numbers(1200 * 24, 0.4);
        attend(
            HEADS,
            &q[from * 24..to * 24],
            (to - from, from),
            |range, keys, values| {
                keys.extend_from_slice(&k[range.start * 12..range.end * 12]);
                values.extend_from_slice(&v[range.start * 12..range.end * 12]);
            },
        )
        .unwrap()
    }

    /// The formula as it stands, in 64 bits.
    #[test]
    fn attention_is_the_formula() {
        let (k, v) = (numbers(1200 * 12, 0.1), numbers(1200 * 12, 0.7));
        let q = numbers(1200 * 24, 0.4);
        for row in [0, 3, 700] {
            let found = part(row, row + 1);
            for head in 0..4 {
                let key = head / 2;
                let at = |numbers: &[f32], wide: usize, token: usize, head: usize| -> Vec<f64> {
                    let from = token * wide + head * 6;
                    numbers[from..from + 6]
                        .iter()
                        .map(|x| f64::from(*x))
                        .collect()
                };
                let query = at(&q, 24, row, head);
                let scores: Vec<f64> = (0..=row)
                    .map(|token| {
                        let key = at(&k, 12, token, key);
                        let dot: f64 = query.iter().zip(&key).map(|(a, b)| a * b).sum();
                        (dot / 6f64.sqrt()).exp()
                    })
                    .collect();
                let total: f64 = scores.iter().sum();
                for part in 0..6 {
                    let expected: f64 = (0..=row)
                        .map(|token| scores[token] / total * at(&v, 12, token, key)[part])
                        .sum();
                    let found = f64::from(found[head * 6 + part]);
                    assert!(
                        (found - expected).abs() < 1e-6,
                        "{row} {head}: {found} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_token_sees_the_same_bits_however_many_are_read_with_it() {
        let whole = part(0, 1100);
        for (from, to) in [
            (0, 1),
            (0, 40),
            (13, 14),
            (500, 530),
            (510, 516),
            (1023, 1100),
        ] {
            assert_eq!(part(from, to), whole[from * 24..to * 24], "{from} {to}");
        }
    }
}
