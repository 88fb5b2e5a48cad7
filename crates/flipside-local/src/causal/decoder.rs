//! The decoder of the Llama family, over the tokens of a tree.

use std::ops::Range;

use candle_core::{Device, Result, Tensor};
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};
use rayon::slice::ParallelSliceMut as _;

use super::attention::{Heads, attend};
use super::config::{Config, Family};
use super::file::Gguf;
use super::product::{Numbers, Product};
use crate::error::LoadError;
use crate::nn::Norm;

#[derive(Debug)]
pub(crate) struct Decoder {
    config: Config,
    embedding: Tensor,
    layers: Vec<Layer>,
    norm: Norm,
    output: Product,
    frequencies: Vec<f32>,
}

#[derive(Debug)]
struct Layer {
    attention_norm: Norm,
    q: Product,
    k: Product,
    v: Product,
    out: Product,
    /// Norms of single heads, of Qwen3.
    head_norms: Option<(Norm, Norm)>,
    inner_norm: Norm,
    gate: Product,
    up: Product,
    down: Product,
}

/// Keys, values and final hidden states of tokens, by their place in a tree.
#[derive(Debug, Default)]
pub(crate) struct Store {
    keys: Vec<Vec<f32>>,
    values: Vec<Vec<f32>>,
    hidden: Vec<f32>,
}

/// Tokens that follow each other on one path and lie next to each other in the store.
#[derive(Debug)]
pub(crate) struct Run {
    /// Their places among the rows of the pass.
    pub(crate) rows: Range<usize>,
    /// Where everything before them lies in the store, first token first.
    pub(crate) before: Vec<Range<usize>>,
    /// The position of the first.
    pub(crate) position: usize,
}

impl Decoder {
    pub(crate) fn load(
        file: &mut Gguf,
        config: Config,
        numbers: Numbers,
    ) -> std::result::Result<Self, LoadError> {
        let (d, inner) = (config.width, config.inner);
        let heads = heads(&config);
        let (queries, keys) = (heads.queries_width(), heads.keys_width());
        let embedding = file.take("token_embd.weight", &[config.vocabulary, d])?;
        let norm =
            |file: &mut Gguf, name: &str, width: usize| -> std::result::Result<_, LoadError> {
                let weight = file.take(&format!("{name}.weight"), &[width])?;
                let weight = weight.to_vec1();
                let weight = weight.map_err(|error| file.invalid(error.to_string()))?;
                Ok(Norm::rms_of(weight, config.eps))
            };
        let mut layers = Vec::with_capacity(config.layers);
        for place in 0..config.layers {
            let name = |part: &str| format!("blk.{place}.{part}");
            let product = |file: &mut Gguf, part: &str, shape| {
                Product::load(file, &name(part), shape, numbers)
            };
            layers.push(Layer {
                attention_norm: norm(file, &name("attn_norm"), d)?,
                q: product(file, "attn_q", (queries, d))?,
                k: product(file, "attn_k", (keys, d))?,
                v: product(file, "attn_v", (keys, d))?,
                out: product(file, "attn_output", (d, queries))?,
                head_norms: match config.family {
                    Family::Qwen3 => Some((
                        norm(file, &name("attn_q_norm"), config.head)?,
                        norm(file, &name("attn_k_norm"), config.head)?,
                    )),
                    Family::Llama | Family::Qwen2 => None,
                },
                inner_norm: norm(file, &name("ffn_norm"), d)?,
                gate: product(file, "ffn_gate", (inner, d))?,
                up: product(file, "ffn_up", (inner, d))?,
                down: product(file, "ffn_down", (d, inner))?,
            });
        }
        let frequencies = frequencies(file, &config)?;
        let norm = norm(file, "output_norm", d)?;
        let output = if file.shape("output.weight").is_some() {
            Product::load(file, "output", (config.vocabulary, d), numbers)?
        } else {
            Product::shared(file.file(), &embedding)?
        };
        Ok(Self {
            config,
            embedding,
            layers,
            norm,
            output,
            frequencies,
        })
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// An empty store.
    pub(crate) fn store(&self) -> Store {
        Store {
            keys: vec![Vec::new(); self.layers.len()],
            values: vec![Vec::new(); self.layers.len()],
            hidden: Vec::new(),
        }
    }

    /// Bytes that a store needs for one token.
    pub(crate) fn kept_bytes(&self) -> usize {
        let keys = 2 * self.layers.len() * heads(&self.config).keys_width();
        (keys + self.config.width) * size_of::<f32>()
    }

    /// Reads `tokens`, which lie at the end of what `store` has, in `runs`; of these none sees a later one.
    pub(crate) fn read(&self, tokens: &[u32], runs: &[Run], store: &mut Store) -> Result<()> {
        let ids = Tensor::from_slice(tokens, tokens.len(), &Device::Cpu)?;
        let mut x = self.embedding.index_select(&ids, 0)?;
        let angles = self.angles(tokens.len(), runs);
        for (place, layer) in self.layers.iter().enumerate() {
            x = self.layer(
                layer,
                &x,
                (runs, &angles),
                (&mut store.keys[place], &mut store.values[place]),
            )?;
        }
        let hidden = self.norm.forward(&x)?.flatten_all()?;
        store.hidden.extend(hidden.to_vec1::<f32>()?);
        Ok(())
    }

    fn layer(
        &self,
        layer: &Layer,
        x: &Tensor,
        (runs, angles): (&[Run], &[(f32, f32)]),
        (keys, values): (&mut Vec<f32>, &mut Vec<f32>),
    ) -> Result<Tensor> {
        let heads = heads(&self.config);
        let h = layer.attention_norm.forward(x)?;
        let normed = |numbers: Tensor, norm: Option<&Norm>| -> Result<Vec<f32>> {
            let numbers = match norm {
                None => numbers,
                Some(norm) => norm.forward(&numbers.reshape(((), heads.width))?)?,
            };
            numbers.flatten_all()?.to_vec1()
        };
        let norms = layer.head_norms.as_ref();
        let mut q = normed(layer.q.forward(&h)?, norms.map(|(q, _)| q))?;
        let mut k = normed(layer.k.forward(&h)?, norms.map(|(_, k)| k))?;
        let v: Vec<f32> = layer.v.forward(&h)?.flatten_all()?.to_vec1()?;
        self.turn(&mut q, heads.queries, angles);
        self.turn(&mut k, heads.keys, angles);
        let (wide, first) = (heads.keys_width(), keys.len() / heads.keys_width());
        keys.extend_from_slice(&k);
        values.extend_from_slice(&v);
        let (keys, values) = (&*keys, &*values);
        let seen: Vec<Vec<f32>> = runs
            .par_iter()
            .map(|run| {
                let own = first + run.rows.start..first + run.rows.end;
                let queries = heads.queries_width();
                attend(
                    heads,
                    &q[run.rows.start * queries..run.rows.end * queries],
                    (run.rows.len(), run.position),
                    |wanted, k, v| {
                        for piece in pieces(run.before.iter().chain([&own]), wanted) {
                            k.extend_from_slice(&keys[piece.start * wide..piece.end * wide]);
                            v.extend_from_slice(&values[piece.start * wide..piece.end * wide]);
                        }
                    },
                )
            })
            .collect::<Result<_>>()?;
        let seen = Tensor::from_vec(
            seen.concat(),
            (x.dim(0)?, heads.queries_width()),
            &Device::Cpu,
        )?;
        let x = (x + layer.out.forward(&seen)?)?;
        let h = layer.inner_norm.forward(&x)?;
        let gated = gated(&layer.gate.forward(&h)?, &layer.up.forward(&h)?)?;
        &x + layer.down.forward(&gated)?
    }

    /// Cosine and sine of every pair of a head, row by row.
    fn angles(&self, rows: usize, runs: &[Run]) -> Vec<(f32, f32)> {
        let half = self.frequencies.len();
        let mut angles = vec![(0.0, 0.0); rows * half];
        for run in runs {
            for row in run.rows.clone() {
                let position = (run.position + row - run.rows.start) as f32;
                let own = &mut angles[row * half..(row + 1) * half];
                for (angle, frequency) in own.iter_mut().zip(&self.frequencies) {
                    let (sin, cos) = (position * frequency).sin_cos();
                    *angle = (cos, sin);
                }
            }
        }
        angles
    }

    /// Turns each pair of components of each head by its angle.
    fn turn(&self, numbers: &mut [f32], heads: usize, angles: &[(f32, f32)]) {
        let (width, half) = (self.config.head, self.frequencies.len());
        for (place, head) in numbers.chunks_mut(width).enumerate() {
            let row = place / heads;
            for (pair, (cos, sin)) in angles[row * half..(row + 1) * half].iter().enumerate() {
                let (first, second) = match self.config.family {
                    Family::Llama => (2 * pair, 2 * pair + 1),
                    Family::Qwen2 | Family::Qwen3 => (pair, pair + half),
                };
                let (a, b) = (head[first], head[second]);
                head[first] = a * cos - b * sin;
                head[second] = a * sin + b * cos;
            }
        }
    }

    /// The final hidden state of the token at `place`.
    pub(crate) fn hidden<'s>(&self, store: &'s Store, place: usize) -> &'s [f32] {
        let d = self.config.width;
        &store.hidden[place * d..(place + 1) * d]
    }

    /// The logits of what follows each of `places`: [places, vocabulary].
    pub(crate) fn logits(&self, store: &Store, places: &[usize]) -> Result<Vec<Vec<f32>>> {
        let hidden = places.iter().map(|place| self.hidden(store, *place));
        let hidden: Vec<f32> = hidden.flatten().copied().collect();
        let hidden = Tensor::from_vec(hidden, (places.len(), self.config.width), &Device::Cpu)?;
        self.output.forward(&hidden)?.to_vec2()
    }
}

fn heads(config: &Config) -> Heads {
    Heads {
        queries: config.heads,
        keys: config.key_heads,
        width: config.head,
    }
}

/// The angle of pair m at position 1: `theta^(−2m / width)`, over the file's own factor where it has some, as Llama 3.1 does.
fn frequencies(file: &mut Gguf, config: &Config) -> std::result::Result<Vec<f32>, LoadError> {
    const FACTORS: &str = "rope_freqs.weight";
    let half = config.head / 2;
    let factors = if file.shape(FACTORS).is_none() {
        vec![1.0; half]
    } else {
        let factors = file.take(FACTORS, &[half])?.to_vec1();
        factors.map_err(|error| file.invalid(error.to_string()))?
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "frequencies are 32-bit in the original"
    )]
    let theta = config.theta as f32;
    let pairs = factors.into_iter().enumerate();
    Ok(pairs
        .map(|(pair, factor): (usize, f32)| {
            theta.powf((2 * pair) as f32 / config.head as f32).recip() / factor
        })
        .collect())
}

/// `silu(gate) · up`, element by element.
fn gated(gate: &Tensor, up: &Tensor) -> Result<Tensor> {
    let shape = gate.dims2()?;
    let mut gate: Vec<f32> = gate.flatten_all()?.to_vec1()?;
    let up: Vec<f32> = up.flatten_all()?.to_vec1()?;
    let width = shape.1;
    gate.par_chunks_mut(width * 8)
        .enumerate()
        .for_each(|(chunk, gate)| {
            let up = &up[chunk * width * 8..];
            for (gate, up) in gate.iter_mut().zip(up) {
                *gate = *gate / (1.0 + (-*gate).exp()) * up;
            }
        });
    Tensor::from_vec(gate, shape, &Device::Cpu)
}

/// The parts of `ranges`, one after the other, that hold the numbers `wanted` of them.
fn pieces<'r>(
    ranges: impl Iterator<Item = &'r Range<usize>>,
    wanted: Range<usize>,
) -> impl Iterator<Item = Range<usize>> {
    let mut passed = 0;
    ranges.filter_map(move |range| {
        let start = passed;
        passed += range.len();
        let from = wanted.start.max(start);
        let to = wanted.end.min(passed);
        (from < to).then(|| range.start + from - start..range.start + to - start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: ranges of 3, 2 and 4 numbers; the numbers 2 to 6 of them.
    #[test]
    fn pieces_are_cut_where_they_are_wanted() {
        let ranges = [10..13, 20..22, 30..34];
        let found: Vec<Range<usize>> = pieces(ranges.iter(), 2..6).collect();
        assert_eq!(found, [12..13, 20..22, 30..31]);
        assert_eq!(pieces(ranges.iter(), 9..12).count(), 0);
    }
}
