//! Files that are refused, in our words.

use std::collections::BTreeMap;
use std::fs::File;

use camino::Utf8PathBuf;
use candle_core::quantized::gguf_file::{self, Content, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use flipside_local::causal::{Causal, Numbers};
use tempfile::TempDir;

use crate::reference::file;

/// Settings and tensors of a file by name.
struct Parts {
    settings: BTreeMap<String, Value>,
    tensors: BTreeMap<String, QTensor>,
}

impl Parts {
    fn of(name: &str) -> Self {
        let mut bytes = File::open(file(name)).unwrap();
        let content = Content::read(&mut bytes).unwrap();
        let names = content.tensor_infos.keys();
        let tensors = names.map(|name| {
            let tensor = content.tensor(&mut bytes, name, &Device::Cpu).unwrap();
            (name.clone(), tensor)
        });
        Self {
            tensors: tensors.collect(),
            settings: content.metadata.into_iter().collect(),
        }
    }

    fn write(&self) -> (TempDir, Utf8PathBuf) {
        let kept = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(kept.path().join("m.gguf")).unwrap();
        let settings: Vec<_> = self.settings.iter().map(|(k, v)| (k.as_str(), v)).collect();
        let tensors: Vec<_> = self.tensors.iter().map(|(k, v)| (k.as_str(), v)).collect();
        let mut out = File::create(&path).unwrap();
        gguf_file::write(&mut out, &settings, &tensors).unwrap();
        drop(out);
        (kept, path)
    }

    fn set(&mut self, name: &str, value: Value) {
        self.settings.insert(name.to_owned(), value);
    }
}

/// What loading `name` says after `change`, without the file's path.
fn refused(name: &str, change: impl FnOnce(&mut Parts)) -> String {
    let mut parts = Parts::of(name);
    change(&mut parts);
    let (_kept, path) = parts.write();
    let error = Causal::open(&path, Numbers::F32)
        .err()
        .expect("it is refused");
    error.to_string().replace(path.as_str(), "FILE")
}

/// A file without one of its settings.
pub(crate) fn without(name: &str, setting: &str) -> (TempDir, Utf8PathBuf) {
    let mut parts = Parts::of(name);
    parts.settings.remove(setting).unwrap();
    parts.write()
}

/// A file with another chat template.
pub(crate) fn with_template(template: &str) -> (TempDir, Utf8PathBuf) {
    let mut parts = Parts::of("causal-llama");
    parts.set("tokenizer.chat_template", text(template));
    parts.write()
}

/// A file whose tokens for a letter, in both cases, are written otherwise.
pub(crate) fn without_letter(letter: u8) -> (TempDir, Utf8PathBuf) {
    let mut parts = Parts::of("causal-llama");
    let Some(Value::Array(tokens)) = parts.settings.get_mut("tokenizer.ggml.tokens") else {
        panic!("there are tokens");
    };
    for token in tokens {
        let Value::String(written) = token else {
            panic!("tokens are texts");
        };
        if written.eq_ignore_ascii_case(&char::from(letter).to_string()) {
            *written = format!("<{written}>");
        }
    }
    parts.write()
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn zeros(shape: &[usize]) -> QTensor {
    let tensor = Tensor::zeros(shape, candle_core::DType::F32, &Device::Cpu).unwrap();
    QTensor::quantize(&tensor, GgmlDType::F32).unwrap()
}

#[test]
fn a_file_that_is_written_again_unchanged_is_loaded() {
    let (_kept, path) = Parts::of("causal-qwen3").write();
    let model = Causal::open(&path, Numbers::F32).unwrap();
    assert_eq!(model.name(), Some("causal-qwen3"));
    assert_eq!(model.digest().len(), 64);
    assert_eq!(model.config().head, 24);
}

#[test]
fn what_is_no_gguf_file_is_named() {
    let kept = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(kept.path().join("m.gguf")).unwrap();
    let open = || Causal::open(&path, Numbers::F32).err().unwrap().to_string();
    assert_eq!(open(), format!("`{path}` cannot be read"));
    std::fs::write(&path, b"no model at all").unwrap();
    let error = open();
    assert!(
        error.starts_with(&format!("{path}: no GGUF file: ")),
        "{error}"
    );
}

#[test]
fn every_tensor_is_asked_for_by_name_and_shape_and_none_is_left() {
    let name = "causal-qwen2";
    let error = refused(name, |parts| {
        drop(parts.tensors.remove("blk.1.attn_k.weight"));
    });
    assert_eq!(
        error,
        "FILE: no tensor `blk.1.attn_k.weight`, expected one of shape [32, 64]"
    );
    let error = refused(name, |parts| {
        parts
            .tensors
            .insert("blk.0.ffn_up.weight".to_owned(), zeros(&[64, 128]));
    });
    assert_eq!(
        error,
        "FILE: tensor `blk.0.ffn_up.weight` has shape [64, 128], expected [128, 64]"
    );
    let error = refused(name, |parts| {
        parts
            .tensors
            .insert("blk.2.attn_norm.weight".to_owned(), zeros(&[64]));
    });
    assert_eq!(
        error,
        "FILE: tensor `blk.2.attn_norm.weight` of shape [64], which this architecture does not have"
    );
    let error = refused(name, |parts| {
        let values = Tensor::new(&[f32::NAN; 64], &Device::Cpu).unwrap();
        let tensor = QTensor::quantize(&values, GgmlDType::F32).unwrap();
        parts
            .tensors
            .insert("output_norm.weight".to_owned(), tensor);
    });
    assert_eq!(
        error,
        "FILE: tensor `output_norm.weight` holds NaN at 0, expected finite numbers"
    );
}

#[test]
fn settings_that_would_be_read_otherwise_are_refused() {
    let name = "causal-llama";
    let cases: [(&str, Value, &str); 16] = [
        (
            "general.architecture",
            text("mamba"),
            "`general.architecture` is `mamba`, expected `llama`, `qwen2` or `qwen3`",
        ),
        (
            "llama.attention.head_count_kv",
            Value::U32(3),
            "`llama.attention.head_count_kv` is 3, expected a divisor of the 4 query heads",
        ),
        (
            "llama.attention.head_count",
            text("four"),
            "`llama.attention.head_count` is `four`, expected a whole number from 1",
        ),
        (
            "llama.attention.head_count",
            Value::U32(12),
            "12 heads do not divide a width of 64, and there is no `llama.attention.key_length`",
        ),
        (
            "llama.rope.dimension_count",
            Value::U32(8),
            "`llama.rope.dimension_count` is 8, expected 16 as a head has",
        ),
        (
            "llama.attention.key_length",
            Value::U32(15),
            "`llama.rope.dimension_count` is 16, expected 15 as a head has",
        ),
        (
            "llama.rope.scaling.type",
            text("yarn"),
            "`llama.rope.scaling.type` is `yarn`, expected `none`",
        ),
        (
            "llama.rope.freq_base",
            Value::F32(-1.0),
            "`llama.rope.freq_base` is -1, expected a positive number",
        ),
        (
            "tokenizer.ggml.model",
            text("llama"),
            "`tokenizer.ggml.model` is `llama`, expected `gpt2`, a byte-level vocabulary with merges",
        ),
        (
            "tokenizer.ggml.pre",
            text("other"),
            "`tokenizer.ggml.pre` is `other`, expected `smollm`, `gpt-2`, `qwen2` or `llama-bpe`",
        ),
        (
            "tokenizer.ggml.tokens",
            Value::U32(1),
            "`tokenizer.ggml.tokens` is 1, expected a list of texts",
        ),
        (
            "tokenizer.ggml.merges",
            Value::Array(vec![text("one")]),
            "`tokenizer.ggml.merges` holds `one`, expected two parts with a blank between",
        ),
        (
            "tokenizer.ggml.token_type",
            Value::Array(vec![Value::I32(1)]),
            "`tokenizer.ggml.token_type` has 1 entries, expected 273 as there are tokens",
        ),
        (
            "tokenizer.ggml.token_type",
            text("normal"),
            "`tokenizer.ggml.token_type` is `normal`, expected a list of whole numbers",
        ),
        (
            "tokenizer.ggml.bos_token_id",
            Value::U32(400),
            "`tokenizer.ggml.bos_token_id` is 400, expected a token below 273",
        ),
        (
            "tokenizer.ggml.add_bos_token",
            Value::U32(1),
            "`tokenizer.ggml.add_bos_token` is 1, expected true or false",
        ),
    ];
    for (setting, value, message) in cases {
        let error = refused(name, |parts| parts.set(setting, value));
        assert_eq!(error, format!("FILE: {message}"));
    }
    let error = refused(name, |parts| {
        parts.settings.remove("llama.block_count");
    });
    assert_eq!(error, "FILE: no `llama.block_count`");
    let error = refused(name, |parts| {
        parts
            .settings
            .remove("llama.attention.layer_norm_rms_epsilon");
    });
    assert_eq!(error, "FILE: no `llama.attention.layer_norm_rms_epsilon`");
    let error = refused(name, |parts| {
        parts.set("tokenizer.ggml.add_bos_token", Value::Bool(true));
        parts.settings.remove("tokenizer.ggml.bos_token_id");
    });
    assert_eq!(
        error,
        "FILE: `tokenizer.ggml.add_bos_token` is true and there is no `tokenizer.ggml.bos_token_id`"
    );
    let error = refused(name, |parts| {
        parts.set("tokenizer.chat_template", text("{% for %}"));
    });
    assert!(
        error.starts_with("FILE: `tokenizer.chat_template` cannot be read: "),
        "{error}"
    );
    let error = refused(name, |parts| {
        parts.set("llama.attention.head_count", Value::U32(64));
        parts.set("llama.attention.head_count_kv", Value::U32(64));
        parts.settings.remove("llama.rope.dimension_count");
    });
    assert_eq!(
        error,
        "FILE: a head has 1 components, expected an even number"
    );
}

/// candle's product of `Q4_1` takes two blocks of 32 at a time, and ends the program where there are three.
#[test]
fn rows_that_quantised_products_cannot_take_are_refused() {
    let mut parts = Parts::of("causal-llama");
    parts.set("llama.feed_forward_length", Value::U32(96));
    let narrow = |shape: &[usize]| {
        let tensor = Tensor::zeros(shape, candle_core::DType::F32, &Device::Cpu).unwrap();
        QTensor::quantize(&tensor, GgmlDType::Q4_1).unwrap()
    };
    for layer in 0..2 {
        for (part, shape) in [("gate", [96, 64]), ("up", [96, 64]), ("down", [64, 96])] {
            let name = format!("blk.{layer}.ffn_{part}.weight");
            parts.tensors.insert(name, narrow(&shape));
        }
    }
    let (_kept, path) = parts.write();
    assert!(Causal::open(&path, Numbers::F32).is_ok());
    let error = Causal::open(&path, Numbers::Quantised).err().unwrap();
    assert_eq!(
        error.to_string().replace(path.as_str(), "FILE"),
        "FILE: tensor `blk.0.ffn_down.weight` has rows of 96 numbers, expected a multiple of 64 for quantised products; load it with `precision=f32`"
    );
}
