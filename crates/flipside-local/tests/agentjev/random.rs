//! Checkpoints of any size with random weights, written in the published format.

use std::collections::HashMap;

use camino::Utf8Path;
use candle_core::{DType, Device, Tensor};

/// The sizes of a checkpoint.
#[derive(Clone, Copy)]
pub(crate) struct Geometry {
    pub(crate) width: usize,
    pub(crate) inner: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) key_heads: usize,
    pub(crate) head: usize,
    pub(crate) set: usize,
    pub(crate) set_layers: usize,
}

/// Large enough that products are summed in several blocks and shared out to threads.
pub(crate) const LARGE: Geometry = Geometry {
    width: 192,
    inner: 1100,
    layers: 2,
    heads: 6,
    key_heads: 3,
    head: 64,
    set: 64,
    set_layers: 2,
};

/// Tokens of the byte-level tokenizer that the goldens use.
const VOCABULARY: usize = 300;

/// Writes a checkpoint into `folder`. The same geometry gives the same bytes.
pub(crate) fn write(folder: &Utf8Path, size: Geometry) {
    let config = format!(
        r#"{{"hidden_size":{},"intermediate_size":{},"num_hidden_layers":{},"num_attention_heads":{},"num_key_value_heads":{},
            "head_dim":{},"vocab_size":{VOCABULARY},"hidden_act":"silu","rms_norm_eps":1e-6,"rope_theta":1000000.0}}"#,
        size.width, size.inner, size.layers, size.heads, size.key_heads, size.head
    );
    std::fs::write(folder.join("config.json"), config).unwrap();
    std::fs::write(folder.join("temperatures.json"), "{}").unwrap();
    let tokenizer = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/goldens/agentjev-a/tokenizer.json"
    );
    std::fs::copy(tokenizer, folder.join("tokenizer.json")).unwrap();
    let mut draw = Draw(1);
    let tensors: HashMap<String, Tensor> = shapes(size)
        .into_iter()
        .map(|(name, shape)| {
            let tensor = draw.tensor(&name, &shape);
            (name, tensor)
        })
        .collect();
    candle_core::safetensors::save(&tensors, folder.join("model.safetensors")).unwrap();
}

fn shapes(size: Geometry) -> Vec<(String, Vec<usize>)> {
    let (d, inner, set) = (size.width, size.inner, size.set);
    let (queries, keys) = (size.heads * size.head, size.key_heads * size.head);
    let mut all = Vec::new();
    let mut put = |name: String, shape: &[usize]| all.push((name, shape.to_vec()));
    let root = "path_encoder.backbone";
    put(format!("{root}.embed_tokens.weight"), &[VOCABULARY, d]);
    for layer in 0..size.layers {
        for (part, shape) in [
            ("input_layernorm", &[d][..]),
            ("self_attn.q_proj", &[queries, d]),
            ("self_attn.k_proj", &[keys, d]),
            ("self_attn.v_proj", &[keys, d]),
            ("self_attn.o_proj", &[d, queries]),
            ("self_attn.q_norm", &[size.head]),
            ("self_attn.k_norm", &[size.head]),
            ("post_attention_layernorm", &[d]),
            ("mlp.gate_proj", &[inner, d]),
            ("mlp.up_proj", &[inner, d]),
            ("mlp.down_proj", &[d, inner]),
        ] {
            put(format!("{root}.layers.{layer}.{part}.weight"), shape);
        }
    }
    put(format!("{root}.norm.weight"), &[d]);
    let biased = |name: &str, out: usize, inputs: usize| {
        [
            (format!("{name}.weight"), vec![out, inputs]),
            (format!("{name}.bias"), vec![out]),
        ]
    };
    all.extend(biased("proj_in", set, d));
    for layer in 0..size.set_layers {
        let name = format!("set_encoder.encoder.layers.{layer}");
        for norm in ["norm1", "norm2"] {
            all.push((format!("{name}.{norm}.weight"), vec![set]));
            all.push((format!("{name}.{norm}.bias"), vec![set]));
        }
        let packed = format!("{name}.self_attn.in_proj");
        all.push((format!("{packed}_weight"), vec![3 * set, set]));
        all.push((format!("{packed}_bias"), vec![3 * set]));
        all.extend(biased(&format!("{name}.self_attn.out_proj"), set, set));
        all.extend(biased(&format!("{name}.linear1"), 4 * set, set));
        all.extend(biased(&format!("{name}.linear2"), set, 4 * set));
    }
    all.extend(biased("proj_out", d, set));
    all.push(("scorer.norm.weight".to_owned(), vec![d]));
    all.extend(biased("scorer.fc1", set, d));
    all.extend(biased("scorer.fc2", 1, set));
    all
}

/// Marsaglia's xorshift of 64 bits.
struct Draw(u64);

impl Draw {
    /// Evenly from −1 to 1.
    fn number(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        f32::from(i16::try_from(self.0 >> 49).unwrap()) / 16384.0 - 1.0
    }

    /// Matrices keep the size of what they multiply, norms lie around 1.
    fn tensor(&mut self, name: &str, shape: &[usize]) -> Tensor {
        let (spread, mean) = match shape {
            [_, inputs] => (
                (3.0 / f32::from(u16::try_from(*inputs).unwrap())).sqrt(),
                0.0,
            ),
            _ if name.contains("norm") && name.ends_with("weight") => (0.2, 1.0),
            _ => (0.1, 0.0),
        };
        let count = shape.iter().product();
        let values: Vec<f32> = (0..count).map(|_| mean + spread * self.number()).collect();
        let tensor = Tensor::from_vec(values, shape, &Device::Cpu).unwrap();
        // As published.
        tensor.to_dtype(DType::BF16).unwrap()
    }
}
