//! Reading the goldens: `tools/goldens/README.md` says what is in them.

#![allow(dead_code, reason = "no test binary needs every part of the reader")]

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use camino::Utf8PathBuf;
use candle_core::{DType, Device, Tensor};
use flipside_core::json::Json;
use serde_json::Value;

/// One golden folder.
pub(crate) struct Golden {
    /// `cases.json`.
    pub(crate) all: Value,
    tensors: HashMap<String, Tensor>,
    name: String,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/goldens")
        .join(name)
}

impl Golden {
    /// The golden called `name`.
    pub(crate) fn open(name: &str) -> Self {
        let folder = folder(name);
        let text = std::fs::read_to_string(folder.join("cases.json")).unwrap();
        Self {
            all: serde_json::from_str(&text).unwrap(),
            tensors: candle_core::safetensors::load(
                folder.join("expected.safetensors"),
                &Device::Cpu,
            )
            .unwrap(),
            name: name.to_owned(),
        }
    }

    /// A folder of its own with everything that a checkpoint needs, and its weights from the file `weights`.
    pub(crate) fn checkpoint_with(&self, weights: &str) -> (tempfile::TempDir, Utf8PathBuf) {
        let kept = tempfile::tempdir().unwrap();
        let from = folder(&self.name);
        copy(&from, kept.path());
        let to = kept.path().join("model.safetensors");
        std::fs::copy(from.join(weights), to).unwrap();
        let path = Utf8PathBuf::from_path_buf(kept.path().to_owned()).unwrap();
        (kept, path)
    }

    /// As [`Golden::checkpoint_with`] its own weights.
    pub(crate) fn checkpoint(&self) -> (tempfile::TempDir, Utf8PathBuf) {
        self.checkpoint_with(self.all["weights"].as_str().unwrap())
    }

    /// The objects of a list.
    pub(crate) fn list(&self, name: &str) -> &[Value] {
        self.all[name].as_array().map_or(&[], Vec::as_slice)
    }

    /// The case called `name`.
    pub(crate) fn case(&self, name: &str) -> &Value {
        let mut cases = self.list("cases").iter();
        cases.find(|case| case["name"] == name).unwrap()
    }

    /// The numbers of a tensor.
    pub(crate) fn numbers(&self, name: &str) -> Vec<f32> {
        let tensor = self
            .tensors
            .get(name)
            .unwrap_or_else(|| panic!("no {name}"));
        tensor.flatten_all().unwrap().to_vec1().unwrap()
    }

    /// Whether there is such a tensor.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir(&target).unwrap();
            copy(&entry.path(), &target);
        } else if entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "json")
        {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Raw JSON text in a string member.
pub(crate) fn raw(value: &Value, member: &str) -> Json {
    let text = value[member].as_str().unwrap();
    flipside_formats::json::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A list of whole numbers.
pub(crate) fn whole<T: TryFrom<u64>>(value: &Value) -> Vec<T> {
    let items = value.as_array().unwrap().iter();
    items
        .map(|item| T::try_from(item.as_u64().unwrap()).ok().unwrap())
        .collect()
}

/// A list of texts.
pub(crate) fn texts(value: &Value) -> Vec<&str> {
    let items = value.as_array().unwrap().iter();
    items.map(|item| item.as_str().unwrap()).collect()
}

/// A list of numbers.
pub(crate) fn floats(value: &Value) -> Vec<f32> {
    let items = value.as_array().unwrap().iter();
    #[expect(clippy::cast_possible_truncation, reason = "exact 32-bit numbers")]
    items.map(|item| item.as_f64().unwrap() as f32).collect()
}

/// All numbers of a tensor.
pub(crate) fn flat(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

/// Panics unless both lists agree within `absolute` + `relative` times the expected number.
pub(crate) fn near(what: &str, found: &[f32], expected: &[f32], (absolute, relative): (f32, f32)) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        let most = absolute + relative * expected.abs();
        assert!(
            (found - expected).abs() <= most,
            "{what}[{place}]: {found}, expected {expected}"
        );
    }
}

/// Panics unless every number is within 1e-5 of the expected one, at the scale of the largest: a step of 32-bit rounding is one of the
/// largest number of a sum.
pub(crate) fn near_scaled(what: &str, found: &[f32], expected: &[f32]) {
    let scale = expected.iter().fold(1.0, |most: f32, x| most.max(x.abs()));
    near(what, found, expected, (1e-5 * scale, 0.0));
}

/// Rewrites the weights of a checkpoint folder.
pub(crate) fn rewrite(
    checkpoint: &Utf8PathBuf,
    change: impl FnOnce(&mut BTreeMap<String, Tensor>),
) {
    let file = checkpoint.join("model.safetensors");
    let tensors = candle_core::safetensors::load(&file, &Device::Cpu).unwrap();
    let mut tensors: BTreeMap<String, Tensor> = tensors.into_iter().collect();
    change(&mut tensors);
    let tensors: HashMap<String, Tensor> = tensors.into_iter().collect();
    std::fs::remove_file(&file).unwrap();
    candle_core::safetensors::save(&tensors, &file).unwrap();
}

/// Damages the weights as an entry of `load_errors` says.
pub(crate) fn damage(checkpoint: &Utf8PathBuf, entry: &Value) {
    let name = entry["tensor"].as_str().unwrap();
    let shape = || whole::<usize>(&entry["shape"]);
    rewrite(checkpoint, |tensors| {
        match entry["change"].as_str().unwrap() {
            "drop" => drop(tensors.remove(name).unwrap()),
            "add" | "reshape" => {
                let made = Tensor::zeros(shape(), DType::F32, &Device::Cpu).unwrap();
                drop(tensors.insert(name.to_owned(), made));
            }
            other => panic!("no change {other}"),
        }
    });
}
