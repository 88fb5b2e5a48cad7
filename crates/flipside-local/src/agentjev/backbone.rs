//! The Qwen3 decoder without a language-model head (the AgentJev page, 4).

use candle_core::{Device, Result, Tensor};
use rayon::prelude::*;

use super::config::BackboneConfig;
use crate::error::LoadError;
use crate::nn::{Linear, Norm, Precision, Rotary, attend_after, join_heads, split_heads};
use crate::observe::Observer;
use crate::weights::Weights;

#[derive(Debug)]
pub(crate) struct Backbone {
    config: BackboneConfig,
    embedding: Tensor,
    layers: Vec<Layer>,
    norm: Norm,
    precision: Precision,
}

#[derive(Debug)]
struct Layer {
    attention_norm: Norm,
    q: Linear,
    k: Linear,
    v: Linear,
    out: Linear,
    q_norm: Norm,
    k_norm: Norm,
    inner_norm: Norm,
    gate: Linear,
    up: Linear,
    down: Linear,
}

/// Keys and values of some tokens in one layer.
type Pieces = Vec<(Tensor, Tensor)>;

/// Keys and values of every layer for the tokens of a prefix, in the pieces in which they were read. A branch reads it and never
/// writes into it; what continues it shares its pieces.
#[derive(Debug)]
pub(crate) struct Kept {
    layers: Vec<Pieces>,
    tokens: usize,
}

impl Kept {
    pub(crate) fn tokens(&self) -> usize {
        self.tokens
    }
}

/// Whose rows stand in a pass: those of a trunk, then those of branches that see it.
struct Shape {
    trunk: Option<Piece>,
    branches: Vec<Piece>,
}

/// Rows that follow each other in a pass and on each other.
struct Piece {
    start: usize,
    rows: usize,
    mask: Option<Tensor>,
}

impl Backbone {
    pub(crate) fn load(
        weights: &mut Weights,
        config: BackboneConfig,
        precision: Precision,
    ) -> std::result::Result<Self, LoadError> {
        const ROOT: &str = "path_encoder.backbone";
        let (d, inner) = (config.width, config.inner);
        let (queries, keys) = (config.heads * config.head, config.key_heads * config.head);
        let embedding = weights.take(
            &format!("{ROOT}.embed_tokens.weight"),
            &[config.vocabulary, d],
        )?;
        let mut layers = Vec::with_capacity(config.layers);
        for place in 0..config.layers {
            let name = |part: &str| format!("{ROOT}.layers.{place}.{part}");
            let norm = |weights: &mut Weights, part: &str, width: usize| {
                Norm::rms(weights, &name(part), width, config.eps)
            };
            let linear = |weights: &mut Weights, part: &str, shape| {
                Linear::load(weights, &name(part), shape, precision)
            };
            layers.push(Layer {
                attention_norm: norm(weights, "input_layernorm", d)?,
                q: linear(weights, "self_attn.q_proj", (queries, d))?,
                k: linear(weights, "self_attn.k_proj", (keys, d))?,
                v: linear(weights, "self_attn.v_proj", (keys, d))?,
                out: linear(weights, "self_attn.o_proj", (d, queries))?,
                q_norm: norm(weights, "self_attn.q_norm", config.head)?,
                k_norm: norm(weights, "self_attn.k_norm", config.head)?,
                inner_norm: norm(weights, "post_attention_layernorm", d)?,
                gate: linear(weights, "mlp.gate_proj", (inner, d))?,
                up: linear(weights, "mlp.up_proj", (inner, d))?,
                down: linear(weights, "mlp.down_proj", (d, inner))?,
            });
        }
        let norm = Norm::rms(weights, &format!("{ROOT}.norm"), d, config.eps)?;
        Ok(Self {
            config,
            embedding,
            layers,
            norm,
            precision,
        })
    }

    pub(crate) fn width(&self) -> usize {
        self.config.width
    }

    pub(crate) fn positions(&self) -> usize {
        self.config.positions
    }

    /// Reads `tokens` after the prefix `kept`: hidden states of [tokens, width] after the final norm, and what a continuation
    /// needs.
    pub(crate) fn forward(
        &self,
        tokens: &[u32],
        kept: Option<&Kept>,
        observer: Observer<'_>,
    ) -> Result<(Tensor, Kept)> {
        let mut layers = Vec::with_capacity(self.layers.len());
        let x = self.pass(tokens, &[], kept, observer, &mut |place, own| {
            layers.push(after(kept, place, own));
        })?;
        let tokens = kept.map_or(0, Kept::tokens) + tokens.len();
        Ok((x, Kept { layers, tokens }))
    }

    /// Reads each of `branches` after the prefix `kept`, none of which sees another: the hidden state of each one's last token
    /// after the final norm, [branches, width]. They share the products with weights and nothing else; a row of such a product
    /// has the same bits whatever the other rows are.
    pub(crate) fn branches(&self, branches: &[&[u32]], kept: &Kept) -> Result<Tensor> {
        let x = self.pass(&[], branches, Some(kept), Observer::NONE, &mut |_, _| ())?;
        lasts(&x, 0, branches)
    }

    /// What [`Self::forward`] keeps of `trunk` after `kept`, and what [`Self::branches`] gives after that, in one pass over the
    /// weights and with the same bits.
    pub(crate) fn grow(
        &self,
        trunk: &[u32],
        branches: &[&[u32]],
        kept: &Kept,
    ) -> Result<(Tensor, Kept)> {
        let mut layers = Vec::with_capacity(self.layers.len());
        let x = self.pass(
            trunk,
            branches,
            Some(kept),
            Observer::NONE,
            &mut |place, own| layers.push(after(Some(kept), place, own)),
        )?;
        let tokens = kept.tokens() + trunk.len();
        Ok((lasts(&x, trunk.len(), branches)?, Kept { layers, tokens }))
    }

    /// Hidden states of the trunk and of all branches, which see it and not each other, in a row after the final norm; `keep` is
    /// given the trunk's keys and values of each layer. One of both may be empty.
    fn pass(
        &self,
        trunk: &[u32],
        branches: &[&[u32]],
        kept: Option<&Kept>,
        observer: Observer<'_>,
        keep: &mut dyn FnMut(usize, (Tensor, Tensor)),
    ) -> Result<Tensor> {
        let tokens = [trunk, &branches.concat()].concat();
        let ids = Tensor::from_slice(&tokens, tokens.len(), &Device::Cpu)?;
        let mut x = self.embedding.index_select(&ids, 0)?;
        let first = u32::try_from(kept.map_or(0, Kept::tokens)).expect("a path is short");
        let fork = first + u32::try_from(trunk.len()).expect("a path is short");
        let positions: Vec<u32> = (first..fork)
            .chain(
                branches
                    .iter()
                    .flat_map(|branch| (fork..).take(branch.len())),
            )
            .collect();
        let rotary = Rotary::new(self.config.head, self.config.theta, &positions)?;
        let group = self.config.heads / self.config.key_heads;
        let mut start = 0;
        let mut piece = |tokens: &[u32]| {
            let (rows, mask) = (tokens.len(), causal(group, tokens.len())?);
            start += rows;
            let start = start - rows;
            Ok(Piece { start, rows, mask })
        };
        let shape = Shape {
            trunk: (!trunk.is_empty()).then(|| piece(trunk)).transpose()?,
            branches: branches
                .iter()
                .map(|branch| piece(branch))
                .collect::<Result<_>>()?,
        };
        for (place, layer) in self.layers.iter().enumerate() {
            let before = kept.map_or(&[][..], |kept| &kept.layers[place]);
            let (next, own) = self.layer(layer, &x, &rotary, &shape, before)?;
            x = next;
            if let Some(own) = own {
                keep(place, own);
            }
            observer.layer("layer", place, &x);
        }
        let x = self.norm.forward(&x)?;
        observer.see("final", &x);
        Ok(x)
    }

    /// The next hidden states, and the trunk's keys and values.
    fn layer(
        &self,
        layer: &Layer,
        x: &Tensor,
        rotary: &Rotary,
        shape: &Shape,
        before: &[(Tensor, Tensor)],
    ) -> Result<(Tensor, Option<(Tensor, Tensor)>)> {
        let (heads, key_heads) = (self.config.heads, self.config.key_heads);
        let h = layer.attention_norm.forward(x)?;
        let q = split_heads(&layer.q.forward(&h)?, heads)?;
        let k = split_heads(&layer.k.forward(&h)?, key_heads)?;
        let v = split_heads(&layer.v.forward(&h)?, key_heads)?;
        let q = rotary.apply(&layer.q_norm.forward(&q)?)?;
        let k = rotary.apply(&layer.k_norm.forward(&k)?)?;
        let see = |piece: &Piece, before: &[(Tensor, Tensor)]| {
            let part = |x: &Tensor| x.narrow(1, piece.start, piece.rows)?.contiguous();
            let (q, k, v) = (part(&q)?, part(&k)?, part(&v)?);
            // The query heads of one key head become rows of it.
            let rows = heads / key_heads * piece.rows;
            let grouped = q.reshape((key_heads, rows, self.config.head))?;
            let mask = piece.mask.as_ref();
            let seen = attend_after(before, &grouped, &k, &v, mask, self.precision)?;
            let seen = join_heads(&seen.reshape((heads, piece.rows, self.config.head))?)?;
            Ok::<_, candle_core::Error>((seen, (k, v)))
        };
        let trunk = shape.trunk.as_ref().map(|trunk| see(trunk, before));
        let (first, own) = trunk.transpose()?.unzip();
        let grown: Vec<_> = before.iter().chain(&own).cloned().collect();
        let branches = shape.branches.par_iter();
        let branches: Vec<Tensor> = branches
            .map(|branch| Ok(see(branch, &grown)?.0))
            .collect::<Result<_>>()?;
        let seen: Vec<Tensor> = first.into_iter().chain(branches).collect();
        let x = (x + layer.out.forward(&Tensor::cat(&seen, 0)?)?)?;
        let h = layer.inner_norm.forward(&x)?;
        let gated = (layer.gate.forward(&h)?.silu()? * layer.up.forward(&h)?)?;
        let x = (&x + layer.down.forward(&gated)?)?;
        Ok((x, own))
    }
}

/// The pieces of one layer of a prefix, and `own` after them.
fn after(kept: Option<&Kept>, place: usize, own: (Tensor, Tensor)) -> Pieces {
    let before = kept.map_or(&[][..], |kept| &kept.layers[place]);
    before.iter().cloned().chain([own]).collect()
}

/// The rows of `x` that are the last of a branch, where the first branch begins at row `start`.
fn lasts(x: &Tensor, start: usize, branches: &[&[u32]]) -> Result<Tensor> {
    let mut rows = Vec::with_capacity(branches.len());
    let mut end = start;
    for branch in branches {
        end += branch.len();
        rows.push(x.narrow(0, end - 1, 1)?);
    }
    Tensor::cat(&rows, 0)
}

/// [group · rows, rows]: a token sees itself and earlier ones. `None` for one token.
fn causal(group: usize, rows: usize) -> Result<Option<Tensor>> {
    if rows == 1 {
        return Ok(None);
    }
    let mut values = Vec::with_capacity(group * rows * rows);
    for _ in 0..group {
        for row in 0..rows {
            values.extend((0..rows).map(|column| {
                if column <= row {
                    0.0
                } else {
                    f32::NEG_INFINITY
                }
            }));
        }
    }
    Tensor::from_vec(values, (group * rows, rows), &Device::Cpu).map(Some)
}
